/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_NAMES_H
#define LAB_NAMES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// Names of two nodes.
using LabPair = std::pair<std::string, std::string>;

/// \param name of a node \return whether it is a host: all others are switches
inline bool
LabIsHost(const std::string& name)
{
    return name[0] == 'h';
}

/**
 * Expand a pattern of names such as h[0-9] or h[0-90/10], the first range slowest.
 * \param option whose item it is, for messages; exits with status 2 if it is none
 * \param pattern the text
 * \return the names, at most 1000000
 */
std::vector<std::string> LabExpandNames(const std::string& option, const std::string& pattern);

/**
 * Expand a pattern of two ends.
 * \param option whose item it is, for messages; exits with status 2 if it is none
 * \param text A-B: every a with every b; A=B: one by one; A~B: each side in turn, as many pairs as it takes until they
 * repeat. A and B are patterns of names
 * \param most pairs of A~B that are wanted
 * \return the pairs of names, at most 1000000
 */
std::vector<LabPair> LabExpandPairs(const std::string& option, const std::string& text, size_t most = SIZE_MAX);

/**
 * Expand a pattern of flows: as LabExpandPairs, without the pairs of A-B in which a host would send to itself. Exits
 * with status 2 if no others are left, or one is in A=B or A~B.
 * \param option whose item it is, for messages
 * \param text the pattern
 * \param most pairs of A~B that are wanted
 * \return the pairs of names
 */
std::vector<LabPair> LabExpandFlows(const std::string& option, const std::string& text, size_t most = SIZE_MAX);

} // namespace ns3

#endif /* LAB_NAMES_H */
