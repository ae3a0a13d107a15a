/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-units.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

namespace
{

/// Convert a text to the form of the core; a text that contains a 0 byte is no quantity, and becomes the empty one.
const char*
Terminated(const std::string& text)
{
    return std::strlen(text.c_str()) == text.size() ? text.c_str() : "";
}

} // namespace

std::string
RccParse(rcc_unit unit, const std::string& text, int64_t* value)
{
    const char* expected = rcc_parse(unit, Terminated(text), value);
    return expected ? expected : "";
}

std::string
RccParseWithin(rcc_unit unit, const std::string& text, int64_t low, int64_t high, int64_t* value)
{
    const std::string expected = RccParse(unit, text, value);
    const bool fits = !expected.empty() || (low <= *value && *value <= high);
    return fits ? expected : RccFormat(unit, low) + " to " + RccFormat(unit, high);
}

std::string
RccParseField(const rcc_field& field, const std::string& text, int64_t* value)
{
    const char* expected = rcc_field_parse(&field, Terminated(text), value);
    return !expected ? "" : field.unit == RCC_UNIT_CHOICE ? std::string("one of ") + expected : expected;
}

std::string
RccFormat(rcc_unit unit, int64_t value)
{
    char text[RCC_QUANTITY_MAX];
    rcc_format(unit, value, text);
    return text;
}

std::string
RccFormatField(const rcc_field& field, int64_t value)
{
    size_t length = 0;
    const char* choice = field.unit == RCC_UNIT_CHOICE ? rcc_choice(&field, value, &length) : nullptr;
    return choice ? std::string(choice, length) : RccFormat(field.unit, value);
}

std::string
RccJoin(const std::vector<std::string>& words, const std::string& separator)
{
    std::string all;
    for (const auto& word : words)
    {
        all += (&word == &words.front() ? "" : separator) + word;
    }
    return all;
}

std::string
RccCheckRange(const rcc_field& field, int64_t value)
{
    return value >= field.min && value <= field.max
               ? ""
               : RccFormat(field.unit, field.min) + " to " + RccFormat(field.unit, field.max);
}

bool
RccParseNumber(const std::string& text, unsigned places, uint64_t max, uint64_t* value)
{
    return rcc_parse_number(Terminated(text), places, max, value);
}

bool
RccParseDecimal(const std::string& text, unsigned places, uint64_t max, uint64_t* value)
{
    *value = 0;
    return text.find_first_not_of("0123456789.") == std::string::npos && RccParseNumber(text, places, max, value);
}

bool
RccParseWhole(const std::string& text, uint64_t max, uint64_t* value)
{
    return text.find('.') == std::string::npos && RccParseDecimal(text, 0, max, value);
}

bool
RccParseDataRate(const std::string& text, uint64_t max, uint64_t* bps)
{
    return rcc_parse_rate(Terminated(text), max, bps);
}

bool
RccParseTime(const std::string& text, int64_t max, int64_t* ns)
{
    return rcc_parse_time(Terminated(text), max, ns);
}

size_t
RccDistance(const std::string& a, const std::string& b)
{
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++)
    {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.size(); i++)
    {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++)
        {
            size_t above = row[j];
            const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min(std::min(above, row[j - 1]) + 1, replaced);
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace ns3
