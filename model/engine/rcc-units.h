/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_UNITS_TEXT_H
#define RCC_UNITS_TEXT_H

#include "rcc-compiler.h"

#include "ns3/rcc_units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Read a quantity from text: rcc_parse.
 * \param unit the quantity
 * \param text the text
 * \param[out] value the quantity in the core's unit (ns, bit/s, bytes, parts per billion, 1); unchanged on error
 * \return empty, or what was expected, e.g. "a time such as 55us or 0.4s"
 */
RCC_NODISCARD std::string RccParse(rcc_unit unit, const std::string& text, int64_t* value);

/// As RccParse, with a range. \param unit the quantity \param text the text \param low least value that is allowed
/// \param high largest value that is allowed \param[out] value in the core's unit \return empty, or what was expected
RCC_NODISCARD std::string RccParseWithin(rcc_unit unit, const std::string& text, int64_t low, int64_t high,
                                         int64_t* value);

/// As RccParse, also of a choice. \param field the field \param text its value \param[out] value index of a choice
/// \return empty, or what was expected, e.g. "one of dequeue|enqueue"
RCC_NODISCARD std::string RccParseField(const rcc_field& field, const std::string& text, int64_t* value);

/// \param unit the quantity \param value in the core's unit \return text that RccParse reads as `value`: rcc_format
std::string RccFormat(rcc_unit unit, int64_t value);

const int64_t RCC_SECOND = 1000000000; //!< a second in ns

/// \param ns a time or a length of time, ns \return it in seconds, as results have it
inline double
RccSeconds(int64_t ns)
{
    return static_cast<double>(ns) / 1e9;
}

/// \param field the field \param value of it \return text that RccParseField reads as `value`
std::string RccFormatField(const rcc_field& field, int64_t value);

/// \param words any \param separator between each two words \return both in one text, e.g. "a, b, c"
std::string RccJoin(const std::vector<std::string>& words, const std::string& separator);

/**
 * \param field a parameter
 * \param value a value of it, in its unit
 * \return empty if the value is in the field's range, or the range as text, "1us to 10s"
 */
std::string RccCheckRange(const rcc_field& field, int64_t value);

/**
 * Read a decimal number without a unit: rcc_parse_number.
 * \param text the whole of it
 * \param places the value is the number times 10^places, rounded to nearest
 * \param max largest number that is allowed
 * \param[out] value undefined if false is returned
 * \return whether the text is such a number, at most `max`
 */
bool RccParseNumber(const std::string& text, unsigned places, uint64_t max, uint64_t* value);

/// RccParseNumber of a text that has digits and a point only. \copydetails RccParseNumber
bool RccParseDecimal(const std::string& text, unsigned places, uint64_t max, uint64_t* value);

/**
 * RccParseNumber of a text that has digits only.
 * \param text the whole of it
 * \param max largest number that is allowed
 * \param[out] value undefined if false is returned
 * \return whether the text is such a number, at most `max`
 */
bool RccParseWhole(const std::string& text, uint64_t max, uint64_t* value);

/**
 * Read a rate as ns-3's DataRate does: rcc_parse_rate.
 * \param text the whole of it
 * \param max largest rate that is allowed, bit/s
 * \param[out] bps the rate, bit/s, to the nearest; undefined if false is returned
 * \return whether the text is such a rate, at most `max`
 */
bool RccParseDataRate(const std::string& text, uint64_t max, uint64_t* bps);

/**
 * Read a time as ns-3's Time does: rcc_parse_time.
 * \param text the whole of it
 * \param max largest time that is allowed, ns
 * \param[out] ns the time, ns, to the nearest; undefined if false is returned
 * \return whether the text is such a time, at most `max`
 */
bool RccParseTime(const std::string& text, int64_t max, int64_t* ns);

/**
 * Find what a misspelt word was probably meant to be.
 * \tparam List a container of strings
 * \param word the word
 * \param candidates the known words
 * \return the candidate of the least edit distance; empty if none is near
 */
template <class List> std::string RccNearest(const std::string& word, const List& candidates);

/**
 * The end of a message about a misspelt word.
 * \tparam List a container of strings
 * \param word the word
 * \param candidates the known words
 * \return "; the nearest is 'dcqcn'", or nothing if none is near
 */
template <class List> std::string RccSuggest(const std::string& word, const List& candidates);

/**
 * \param a a word
 * \param b a word
 * \return their edit distance: the least number of letters to insert, delete or replace
 */
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

template <class List>
std::string
RccSuggest(const std::string& word, const List& candidates)
{
    const size_t longest = 64; // the distance takes the product of both lengths
    const std::string nearest = word.size() <= longest ? RccNearest(word, candidates) : "";
    return nearest.empty() ? "" : "; the nearest is '" + nearest + "'";
}

} // namespace ns3

#endif /* RCC_UNITS_TEXT_H */
