/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-json.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{

/// \return the bytes of the character of UTF-8 that begins there, 0 if none does
size_t
Utf8Length(const std::string& text, size_t at)
{
    const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    const int first = byte(at);
    size_t length = first < 0x80 ? 1 : 0;
    if (first >= 0xc2 && first < 0xf5)
    {
        length = 2 + (first >= 0xe0) + (first >= 0xf0);
    }
    for (size_t i = 1; i < length; i++)
    {
        if ((byte(at + i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    const int second = byte(at + 1); // no longer form than needed, no halves of UTF-16, nothing beyond U+10FFFF
    const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return wrong ? 0 : length;
}

} // namespace

LabJson&
LabJson::AddRaw(const std::string& key, const std::string& value)
{
    m_out += (m_out.empty() ? "" : ", ") + (m_open == '{' ? Quote(key) + ": " : "") + value;
    return *this;
}

std::string
LabJson::Quote(const std::string& text)
{
    std::string out = "\"";
    for (size_t at = 0; at < text.size();)
    {
        const auto c = static_cast<unsigned char>(text[at]);
        const size_t length = Utf8Length(text, at);
        if (length == 0 || c < 0x20) // a byte of a name that is no UTF-8 is what Python reads as the same name
        {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, "\\u%04x", length == 0 ? 0xdc00 + c : c);
            out += buffer;
        }
        else
        {
            out += c == '"' || c == '\\' ? "\\" : "";
            out += text.substr(at, length);
        }
        at += length == 0 ? 1 : length;
    }
    return out + "\"";
}

std::string
LabJson::Number(double value)
{
    if (!std::isfinite(value))
    {
        return "null";
    }
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", value);
    return buffer;
}

} // namespace ns3
