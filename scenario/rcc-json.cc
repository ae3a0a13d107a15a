/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-json.h"

#include <cmath>
#include <cstdio>

namespace ns3
{

RccJson&
RccJson::AddRaw(const std::string& key, const std::string& value)
{
    m_out += (m_out.empty() ? "" : ", ") + (m_open == '{' ? Quote(key) + ": " : "") + value;
    return *this;
}

std::string
RccJson::Quote(const std::string& text)
{
    std::string out = "\"";
    for (char c : text)
    {
        if (c == '"' || c == '\\')
        {
            out += '\\';
            out += c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
            out += buffer;
        }
        else
        {
            out += c;
        }
    }
    return out + "\"";
}

std::string
RccJson::Number(double value)
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
