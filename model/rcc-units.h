/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_UNITS_H
#define RCC_UNITS_H

#include "ns3/rcc.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * Read a quantity with its unit from text, exactly: a decimal number and a unit,
 * no blank needed between them. Sizes are decimal (1 KB = 1000 B, 1 KiB = 1024 B).
 *
 * \param unit what it is: ns "10us" "0.4s"; bit/s "40Gbps" "1e9"; bytes "5KB" "9MB";
 *        ratio "0.01" "1%" "1/256"; count "5"
 * \param text the text
 * \param[out] value in the core's unit
 * \return empty, or what was expected, e.g. "a time such as 55us or 0.4s"
 */
std::string RccParse(rcc_unit unit, const std::string& text, int64_t* value);

/// The same quantity as text, shortest unit that is exact: "55us", "40Gbps", "200KB", "0.01".
std::string RccFormat(rcc_unit unit, int64_t value);

/// What RccParse expects for a unit.
std::string RccExpected(rcc_unit unit);

/// The candidate nearest to a misspelt word by edit distance; empty if none is near.
template <class List> std::string RccNearest(const std::string& word, const List& candidates);

/// Edit distance (insert, delete, replace) of two words.
size_t RccDistance(const std::string& a, const std::string& b);

template <class List>
std::string
RccNearest(const std::string& word, const List& candidates)
{
    std::string best;
    size_t least = word.size() / 2 + 2;
    for (const auto& c : candidates)
    {
        size_t d = RccDistance(word, c);
        if (d < least)
        {
            least = d;
            best = c;
        }
    }
    return best;
}

} // namespace ns3

#endif /* RCC_UNITS_H */
