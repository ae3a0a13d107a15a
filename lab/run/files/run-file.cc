/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "run-file.h"

#include "run-file-fields.h"

namespace ns3
{

std::string
RunEscape(const std::string& text)
{
    static const char DIGITS[] = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < '!' || byte > '~' || byte == '%' || text == "-")
        {
            escaped += {'%', DIGITS[byte >> 4], DIGITS[byte & 15]};
        }
        else
        {
            escaped += c;
        }
    }
    return escaped.empty() ? "-" : escaped;
}

const char*
RunWordOf(RunFaultKind kind)
{
    return RUN_FAULT_WORDS.begin()[static_cast<size_t>(kind)];
}

std::string
RunError::Line(const std::string& path) const
{
    std::string line = "error " + RunEscape(path) + " " + std::to_string(record) + " " + RunEscape(field) + " " +
                       RunEscape(code) + " " + RunEscape(found);
    for (const auto& one : expected)
    {
        line += " " + RunEscape(one);
    }
    return line;
}

} // namespace ns3
