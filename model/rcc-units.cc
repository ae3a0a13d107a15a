/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-units.h"

#include <algorithm>

namespace ns3
{

namespace
{
struct Suffix
{
    const char* name;
    int64_t scale; //!< 10^-9 of the base unit's own scale, see Scaled
};

// In units of 1e-9 of the core's unit, so that "0.4us" and "1e-3" stay exact.
const int64_t NANO = 1;
const int64_t ONE = 1000000000;

struct Decimal
{
    uint64_t digits; //!< without the point
    int exponent;    //!< value = digits * 10^exponent
};

/// Read digits[.digits][e[+-]digits]; false if there is no number or it has over 18 digits.
bool
ReadDecimal(const std::string& text, size_t* pos, Decimal* out)
{
    size_t i = *pos;
    bool point = false;
    int seen = 0;
    out->digits = 0;
    out->exponent = 0;
    for (; i < text.size(); i++)
    {
        char c = text[i];
        if (c == '.' && !point)
        {
            point = true;
        }
        else if (c >= '0' && c <= '9')
        {
            if (++seen > 18)
            {
                return false;
            }
            out->digits = out->digits * 10 + static_cast<uint64_t>(c - '0');
            out->exponent -= point ? 1 : 0;
        }
        else
        {
            break;
        }
    }
    if (seen == 0)
    {
        return false;
    }
    if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E'))
    {
        size_t j = i + 1;
        int sign = text[j] == '-' ? -1 : 1;
        j += text[j] == '-' || text[j] == '+' ? 1 : 0;
        int e = 0;
        size_t first = j;
        for (; j < text.size() && text[j] >= '0' && text[j] <= '9' && e < 100; j++)
        {
            e = e * 10 + (text[j] - '0');
        }
        if (j > first)
        {
            out->exponent += sign * e;
            i = j;
        }
    }
    *pos = i;
    return true;
}

/// digits * 10^exponent * scale, rounded to nearest; false if it does not fit.
bool
Scaled(const Decimal& d, int64_t scale, int64_t* value)
{
    uint64_t v = d.digits;
    uint64_t s = static_cast<uint64_t>(scale);
    int e = d.exponent;
    while (e < 0 && s % 10 == 0)
    {
        s /= 10;
        e++;
    }
    while (e < 0 && v % 10 == 0 && v)
    {
        v /= 10;
        e++;
    }
    if (v && s > static_cast<uint64_t>(INT64_MAX) / v)
    {
        return false;
    }
    v *= s;
    for (; e > 0 && v; e--)
    {
        if (v > static_cast<uint64_t>(INT64_MAX) / 10)
        {
            return false;
        }
        v *= 10;
    }
    for (; e < 0 && v; e++)
    {
        v = e == -1 ? (v + 5) / 10 : v / 10;
    }
    *value = static_cast<int64_t>(v);
    return true;
}

const std::vector<Suffix>&
Suffixes(rcc_unit unit)
{
    static const std::vector<Suffix> time{{"ns", NANO}, {"us", 1000}, {"ms", 1000000}, {"s", ONE}};
    static const std::vector<Suffix> rate{
        {"", 1},        {"bps", 1},           {"b/s", 1},          {"kbps", 1000},    {"kb/s", 1000},
        {"Kbps", 1000}, {"Kb/s", 1000},       {"Mbps", 1000000},   {"Mb/s", 1000000}, {"Gbps", ONE},
        {"Gb/s", ONE},  {"Tbps", 1000 * ONE}, {"Tb/s", 1000 * ONE}};
    static const std::vector<Suffix> size{{"", 1},          {"B", 1},           {"KB", 1000},       {"kB", 1000},
                                          {"MB", 1000000},  {"GB", ONE},        {"TB", 1000 * ONE}, {"KiB", 1024},
                                          {"MiB", 1048576}, {"GiB", 1073741824}};
    static const std::vector<Suffix> ratio{{"", ONE}, {"%", ONE / 100}};
    static const std::vector<Suffix> count{{"", 1}};
    switch (unit)
    {
    case RCC_UNIT_NS:
        return time;
    case RCC_UNIT_BPS:
        return rate;
    case RCC_UNIT_BYTES:
        return size;
    case RCC_UNIT_RATIO:
        return ratio;
    default:
        return count;
    }
}
} // namespace

std::string
RccExpected(rcc_unit unit)
{
    switch (unit)
    {
    case RCC_UNIT_NS:
        return "a time such as 55us or 0.4s";
    case RCC_UNIT_BPS:
        return "a rate such as 40Gbps or 5Mbps";
    case RCC_UNIT_BYTES:
        return "a size such as 200KB or 9MB";
    case RCC_UNIT_RATIO:
        return "a fraction such as 0.01, 1% or 1/256";
    default:
        return "a whole number such as 5";
    }
}

std::string
RccParse(rcc_unit unit, const std::string& text, int64_t* value)
{
    const std::string expected = RccExpected(unit);
    size_t pos = 0;
    Decimal number;
    if (!ReadDecimal(text, &pos, &number))
    {
        return expected;
    }
    if (unit == RCC_UNIT_RATIO && pos < text.size() && text[pos] == '/')
    {
        Decimal divisor;
        pos++;
        if (!ReadDecimal(text, &pos, &divisor) || pos != text.size() || divisor.digits == 0 || divisor.exponent != 0 ||
            number.exponent != 0 || number.digits > 1000000000)
        {
            return expected;
        }
        *value = static_cast<int64_t>((number.digits * ONE + divisor.digits / 2) / divisor.digits);
        return "";
    }
    while (pos < text.size() && text[pos] == ' ')
    {
        pos++;
    }
    const std::string suffix = text.substr(pos);
    for (const auto& s : Suffixes(unit))
    {
        if (suffix == s.name)
        {
            bool whole = unit != RCC_UNIT_COUNT || number.exponent >= 0;
            return whole && Scaled(number, s.scale, value) ? "" : expected;
        }
    }
    return expected;
}

std::string
RccFormat(rcc_unit unit, int64_t value)
{
    if (unit == RCC_UNIT_RATIO)
    {
        std::string frac = std::to_string(value % ONE + ONE).substr(1);
        frac.erase(frac.find_last_not_of('0') + 1);
        return std::to_string(value / ONE) + (frac.empty() ? "" : "." + frac);
    }
    if (unit == RCC_UNIT_COUNT || unit == RCC_UNIT_CHOICE || value == 0)
    {
        return std::to_string(value) + (unit == RCC_UNIT_NS      ? "s"
                                        : unit == RCC_UNIT_BPS   ? "bps"
                                        : unit == RCC_UNIT_BYTES ? "B"
                                                                 : "");
    }
    const Suffix* best = nullptr;
    for (const auto& s : Suffixes(unit))
    {
        const std::string name = s.name;
        bool plain = !name.empty() && name.find('/') == std::string::npos && name.find('i') == std::string::npos &&
                     name[0] != 'k';
        if (plain && value % s.scale == 0)
        {
            best = &s;
        }
    }
    return std::to_string(value / best->scale) + best->name;
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
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace ns3
