/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-number.h"

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
const double GENERAL_MIN = 1e-9;                                                    // of the quick way
const double GENERAL_MAX = 1e22;
const double TIE = 1e-5; // digits that are so near to a half are printf's: the error of `scaled` is below 2e-7

/// Write a number before `end`. \param end of at least 20 bytes \param n number \return where it begins
char*
PutDigits(char* end, uint64_t n)
{
    do
    {
        *--end = static_cast<char>('0' + n % 10);
        n /= 10;
    } while (n);
    return end;
}

void
AppendByPrintf(std::string& out, double value, int digits)
{
    char text[512]; // the largest double has 309 digits
    const int n = digits ? std::snprintf(text, sizeof text, "%.*g", digits, value)
                         : std::snprintf(text, sizeof text, "%.0f", value);
    out.append(text, static_cast<size_t>(n));
}

/// Append d.ddd times 10^exponent as %g does. \param text of the digits, without zeros at the end \param n of them
void
AppendGeneral(std::string& out, const char* text, size_t n, int exponent, int digits)
{
    if (exponent >= digits || exponent < -4)
    {
        out.append(text, 1);
        if (n > 1)
        {
            out.append(1, '.').append(text + 1, n - 1);
        }
        const int size = std::abs(exponent); // below 100
        const char end[] = {'e', exponent < 0 ? '-' : '+', static_cast<char>('0' + size / 10),
                            static_cast<char>('0' + size % 10)};
        out.append(end, sizeof end);
    }
    else if (exponent < 0)
    {
        out.append("0.").append(static_cast<size_t>(-exponent - 1), '0').append(text, n);
    }
    else
    {
        const auto whole = static_cast<size_t>(exponent) + 1;
        out.append(text, n < whole ? n : whole);
        if (n < whole)
        {
            out.append(whole - n, '0');
        }
        else if (n > whole)
        {
            out.append(1, '.').append(text + whole, n - whole);
        }
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
RccAppendNumber(std::string& out, double value, int digits)
{
    char room[20];
    char* const end = room + sizeof room;
    if (digits == 0 ? value >= 0 && value < WHOLE_MAX && !std::signbit(value) : value == 0 && !std::signbit(value))
    {
        const char* const text = PutDigits(end, static_cast<uint64_t>(std::llrint(value)));
        out.append(text, static_cast<size_t>(end - text));
        return;
    }
    if (digits == 0 || !(value >= GENERAL_MIN && value < GENERAL_MAX))
    {
        AppendByPrintf(out, value, digits);
        return;
    }
    const int exponent = ExponentOf(value);
    const int shift = digits - 1 - exponent;
    const double scaled = shift < 0 ? value / POWERS[-shift] : value * POWERS[shift];
    auto n = static_cast<uint64_t>(scaled);
    const double rest = scaled - static_cast<double>(n);
    n += rest > 0.5;
    if (std::fabs(rest - 0.5) < TIE || n < static_cast<uint64_t>(POWERS[digits - 1]) ||
        n >= static_cast<uint64_t>(POWERS[digits]))
    {
        AppendByPrintf(out, value, digits);
        return;
    }
    while (n % 10 == 0)
    {
        n /= 10;
    }
    const char* const text = PutDigits(end, n);
    AppendGeneral(out, text, static_cast<size_t>(end - text), exponent, digits);
}

} // namespace ns3
