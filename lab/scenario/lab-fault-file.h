/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FAULT_FILE_H
#define LAB_FAULT_FILE_H

#include "ns3/lab-fault.h"
#include "ns3/rcc-compiler.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * Read faults from a text file (lab/doc/reliability.md): a fault per line, its name and then KEY=VALUE; # begins a
 * comment.
 *
 *     reroute time=200us
 *     link-down link=4-6 at=1ms for=500us
 *     lose link=all p=0.001 frames=DATA,ACK
 *
 * \param path of the file
 * \param[out] faults in the order of the file
 * \param[out] reroute when routes follow a link, ns; -1: never; unchanged if the file does not say it
 * \return empty, or what is wrong: "FILE:LINE: KEY: found WHAT, expected WHAT"
 */
RCC_NODISCARD std::string LabReadFaults(const std::string& path, std::vector<LabFault>& faults, int64_t& reroute);

} // namespace ns3

#endif /* LAB_FAULT_FILE_H */
