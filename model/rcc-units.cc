/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-units.h"

#include <algorithm>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

struct Suffix
{
    const char* name;
    int64_t scale; //!< in the core's unit; a ratio's in 1e-9
};

const int64_t ONE = 1000000000;
const int DIGITS_MAX = 24; // times the largest scale they fit in 128 bits

struct Decimal
{
    Wide digits;  //!< without the point
    int exponent; //!< value = digits * 10^exponent
};

/// Read digits[.digits][e[+-]digits]; false if there is no number. Digits after the 24th that counts are taken as 0.
bool
ReadDecimal(const std::string& text, size_t* pos, Decimal* out)
{
    size_t i = *pos;
    bool point = false;
    bool seen = false;
    int kept = 0;
    *out = Decimal{0, 0};
    for (; i < text.size(); i++)
    {
        const char c = text[i];
        if (c == '.' && !point)
        {
            point = true;
            continue;
        }
        if (c < '0' || c > '9') // not isdigit, which asks the locale
        {
            break;
        }
        seen = true;
        if (kept == DIGITS_MAX)
        {
            out->exponent += point ? 0 : 1;
            continue;
        }
        out->digits = out->digits * 10 + static_cast<unsigned>(c - '0');
        out->exponent -= point ? 1 : 0;
        kept += out->digits ? 1 : 0;
    }
    if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E'))
    {
        size_t j = i + 1;
        const int sign = text[j] == '-' ? -1 : 1;
        j += text[j] == '-' || text[j] == '+' ? 1 : 0;
        const size_t first = j;
        int e = 0;
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
    return seen;
}

/// digits * 10^exponent * scale, rounded to nearest; false if that is above `most`.
bool
Scaled(const Decimal& d, Wide scale, Wide most, Wide* value)
{
    Wide v = d.digits * scale;
    int e = d.exponent;
    for (; e > 0 && v && v <= most; e--)
    {
        v *= 10;
    }
    for (; e < 0 && v; e++)
    {
        v = e == -1 ? (v + 5) / 10 : v / 10;
    }
    *value = v;
    return v <= most;
}

const std::vector<Suffix>&
Suffixes(rcc_unit unit)
{
    static const std::vector<Suffix> time{{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", ONE}};
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
            number.exponent != 0 || number.digits > ONE)
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
            const bool whole = unit != RCC_UNIT_COUNT || number.exponent >= 0;
            Wide scaled = 0;
            const bool fits = Scaled(number, static_cast<Wide>(s.scale), INT64_MAX, &scaled);
            *value = fits ? static_cast<int64_t>(scaled) : 0;
            return whole && fits ? "" : expected;
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
    size_t pos = text.compare(0, 1, "+") == 0 ? 1 : 0;
    Wide scale = 1;
    for (unsigned i = 0; i < places; i++)
    {
        scale *= 10;
    }
    Decimal number;
    Wide scaled = 0;
    const bool fine =
        ReadDecimal(text, &pos, &number) && pos == text.size() && Scaled(number, scale, scale * max, &scaled);
    *value = static_cast<uint64_t>(scaled);
    return fine;
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
    size_t pos = text.compare(0, 1, "+") == 0 ? 1 : 0;
    Decimal number;
    if (!ReadDecimal(text, &pos, &number))
    {
        return false;
    }
    Wide scale = 1;
    if (pos < text.size())
    {
        const std::string prefixes = "kMGT";
        const size_t power = prefixes.find(text[pos] == 'K' ? 'k' : text[pos]);
        const bool binary = power != std::string::npos && text.compare(pos + 1, 1, "i") == 0;
        for (size_t i = 0; power != std::string::npos && i <= power; i++)
        {
            scale *= binary ? 1024 : 1000;
        }
        pos += power == std::string::npos ? 0 : binary ? 2 : 1;
        const std::string rest = text.substr(pos);
        const bool bytes = rest == "Bps" || rest == "B/s";
        if (!bytes && rest != "bps" && rest != "b/s")
        {
            return false;
        }
        scale *= bytes ? 8 : 1;
    }
    Wide scaled = 0;
    const bool fine = Scaled(number, scale, max, &scaled);
    *bps = static_cast<uint64_t>(scaled);
    return fine;
}

bool
RccParseTime(const std::string& text, int64_t max, int64_t* ns)
{
    const bool bare = !text.empty() && text.find_first_not_of("+.0123456789eE") == std::string::npos;
    const size_t sign = text.compare(0, 1, "+") == 0 ? 1 : 0;
    return RccParse(RCC_UNIT_NS, text.substr(sign) + (bare ? "s" : ""), ns).empty() && *ns <= max;
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
