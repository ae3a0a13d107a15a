/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_SETUP_H
#define LAB_SETUP_H

#include "run-file.h"

#include "lab-file.h"
#include "ns3/qbb-helper.h"
#include "ns3/rcc-algorithm.h"

#include <string>
#include <vector>

namespace ns3
{

/// \param message of a part of the program that knows no records; not empty: it is thrown as a RunError
void LabThrow(const std::string& message);

/// The values of a run file that every run has, and the helper that builds networks from them.
struct LabSetup
{
    /// Set the defaults of attributes and make the algorithms. Throws RunError. \param file of the run
    explicit LabSetup(const RunFile& file);

    /// Open a file for writing. Throws RunError on failure. \param header first line of a table
    static LabFile OpenFile(const std::string& path, const char* header = "");

    /// Create a folder with its parents. Throws RunError on failure.
    static void MakeFolder(const std::string& folder);

    /// \return an algorithm as a record of the file has it. Throws RunError if the core refuses it.
    static Ptr<RccAlgorithm> MakeAlgorithm(const RunAlgorithm& record);

    std::vector<Ptr<RccAlgorithm>> algorithms; //!< as in the file
    Ptr<RccAlgorithm> algorithm;               //!< the algorithm of flows that name none
    QbbHelper helper;
    uint32_t mtu;      //!< payload of a full packet, bytes
    uint32_t ackEvery; //!< packets per acknowledgement

  private:
    void SetDefaults(const RunFile& file);
    void CheckRate(uint32_t record, size_t number, uint64_t rate) const;
    void CheckRates(const RunFile& file) const;
    void SetMaxFrame(const RunFile& file);
    void MakeAlgorithms(const RunFile& file);
};

} // namespace ns3

#endif /* LAB_SETUP_H */
