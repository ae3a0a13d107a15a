/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_NAMES_H
#define NS3_RDMA_NAMES_H

#include "ns3-rdma-files.h"

#include <set>
#include <string>

namespace ns3
{

/**
 * Check the names of the files that a configuration has written: each ends in a name, and no two files in one folder
 * have the same. \param config as read \param others names of other files in that folder \return empty, or one line
 * that says what is wrong
 */
std::string Ns3RdmaCheckOutputNames(const Ns3RdmaConfig& config, const std::set<std::string>& others);

} // namespace ns3

#endif /* NS3_RDMA_NAMES_H */
