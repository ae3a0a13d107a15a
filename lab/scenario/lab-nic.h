/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_NIC_H
#define LAB_NIC_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A NIC as it is shipped: `--nic=NAME` (lab/doc/reality.md). What is DCQCN's holds for --cc=dcqcn only.
struct LabNic
{
    const char* name;
    const char* preset;                                        //!< of DCQCN
    std::vector<std::pair<std::string, std::string>> settings; //!< of DCQCN, over the preset
    int64_t nakGeneration, nakReaction;                        //!< delays, ns
    bool cnpPerDestination;                                    //!< the spacing of CNPs is that of one address

    /// \param name of --nic; exits with status 2 if it is none \return the NIC
    static const LabNic& Find(const std::string& name);

    /// \return all names, for help
    static std::vector<std::string> GetNames();
};

} // namespace ns3

#endif /* LAB_NIC_H */
