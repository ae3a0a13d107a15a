/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-number.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace ns3
{

namespace
{

// each of them exact as a double
const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
const double PARTS[] = {1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}; // rounded
const double WHOLE_MAX = 9e15;                                                      // below 2^53
const double GENERAL_MIN = 1e-9;                                                    // least number of the quick way
const double GENERAL_MAX = 1e22;
const double TIE = 1e-5; // digits that are so near to a half are printf's: the error of `scaled` is below 2e-7

void
AppendByPrintf(std::string& out, double value, int digits)
{
    char text[512]; // the largest double has 309 digits
    const int n = digits ? std::snprintf(text, sizeof text, "%.*g", digits, value)
                         : std::snprintf(text, sizeof text, "%.0f", value);
    out.append(text, static_cast<size_t>(n));
}

/// Append d.ddd times 10^exponent as %g does. \param n of so many digits
void
AppendGeneral(std::string& out, uint32_t n, int exponent, int digits)
{
    std::string text = std::to_string(n);
    text.erase(text.find_last_not_of('0') + 1);
    const bool scientific = exponent >= digits || exponent < -4;
    const int whole = scientific ? 1 : exponent + 1; // digits before the point; below 1: zeros behind it
    const auto used = static_cast<int>(text.size());
    if (whole <= 0)
    {
        text.insert(0, "0.000", static_cast<size_t>(2 - whole));
    }
    else if (used > whole)
    {
        text.insert(static_cast<size_t>(whole), 1, '.');
    }
    else
    {
        text.append(static_cast<size_t>(whole - used), '0');
    }
    out += text;
    if (scientific)
    {
        const int size = std::abs(exponent); // below 100
        out += exponent < 0 ? "e-" : "e+";
        out += static_cast<char>('0' + size / 10);
        out += static_cast<char>('0' + size % 10);
    }
}

/// \param value from GENERAL_MIN to below GENERAL_MAX \return its decimal exponent; one too small beside a power below
/// 1
int
ExponentOf(double value)
{
    int exponent = 0;
    while (value < PARTS[-exponent])
    {
        exponent--;
    }
    while (value >= POWERS[exponent < 0 ? 0 : exponent + 1])
    {
        exponent++;
    }
    return exponent;
}

} // namespace

void
LabAppendNumber(std::string& out, double value, int digits)
{
    if (digits == 0 ? value >= 0 && value < WHOLE_MAX && !std::signbit(value) : value == 0 && !std::signbit(value))
    {
        out += std::to_string(std::llrint(value));
        return;
    }
    if (digits == 0 || !(value >= GENERAL_MIN && value < GENERAL_MAX))
    {
        AppendByPrintf(out, value, digits);
        return;
    }
    const int exponent = ExponentOf(value);
    const int shift = digits - 1 - exponent;
    const double scaled = shift < 0 ? value / POWERS[-shift] : value * POWERS[shift]; // below 2^31
    auto n = static_cast<uint32_t>(scaled);
    const double rest = scaled - n;
    n += rest > 0.5;
    if (std::fabs(rest - 0.5) < TIE || n < POWERS[digits - 1] || n >= POWERS[digits])
    {
        AppendByPrintf(out, value, digits);
        return;
    }
    AppendGeneral(out, n, exponent, digits);
}

} // namespace ns3
