/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-number.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

/// \param to space for digits \param n number \param digits how many, with zeros in front
void
PutDigits(char* to, uint32_t n, int digits)
{
    for (char* at = to + digits; at != to; n /= 10)
    {
        *--at = static_cast<char>('0' + n % 10);
    }
}

void
AppendWhole(std::string& out, uint64_t n)
{
    char space[20];
    char* at = space + sizeof space;
    for (; n > UINT32_MAX; n /= 10)
    {
        *--at = static_cast<char>('0' + n % 10);
    }
    auto rest = static_cast<uint32_t>(n);
    do
    {
        *--at = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest);
    out.append(at, static_cast<size_t>(space + sizeof space - at));
}

void
AppendByPrintf(std::string& out, double value, int digits)
{
    char text[512]; // the largest double has 309 digits
    const int n = digits ? std::snprintf(text, sizeof text, "%.*g", digits, value)
                         : std::snprintf(text, sizeof text, "%.0f", value);
    out.append(text, static_cast<size_t>(n));
}

char*
Put(char* to, const char* text, int bytes)
{
    std::memcpy(to, text, static_cast<size_t>(bytes));
    return to + bytes;
}

/// Append d.ddd times 10^exponent as %g does. \param n of so many digits
void
AppendGeneral(std::string& out, uint32_t n, int exponent, int digits)
{
    char text[9];
    PutDigits(text, n, digits);
    int used = digits; // without zeros at the end
    while (text[used - 1] == '0')
    {
        used--;
    }
    const bool scientific = exponent >= digits || exponent < -4;
    const int whole = scientific ? 1 : exponent + 1; // digits before the point; below 1: zeros behind it
    char space[32];
    char* to = space;
    if (whole <= 0)
    {
        to = Put(to, "0.000", 2 - whole);
        to = Put(to, text, used);
    }
    else if (used > whole)
    {
        to = Put(to, text, whole);
        *to++ = '.';
        to = Put(to, text + whole, used - whole);
    }
    else
    {
        to = Put(to, text, used);
        to = Put(to, "00000000", whole - used);
    }
    if (scientific)
    {
        const int size = std::abs(exponent); // below 100
        *to++ = 'e';
        *to++ = exponent < 0 ? '-' : '+';
        *to++ = static_cast<char>('0' + size / 10);
        *to++ = static_cast<char>('0' + size % 10);
    }
    out.append(space, static_cast<size_t>(to - space));
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
        AppendWhole(out, static_cast<uint64_t>(std::llrint(value)));
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
