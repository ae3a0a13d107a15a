/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_DSCP_MAP_H
#define QBB_DSCP_MAP_H

#include "ns3/rcc_dscp.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// Classes by DSCP, with their text: a member for the attribute DscpMap of NICs and switches.
class QbbDscpMap
{
  public:
    /// A map that lists no DSCP.
    QbbDscpMap() = default;

    /// \param text as of rcc_dscp_map_read, checked by IsMap
    QbbDscpMap(const std::string& text) : m_text(text)
    {
        rcc_dscp_map_read(&m_map, text.c_str());
    }

    /// \return the text that it was made of
    operator std::string() const
    {
        return m_text;
    }

    /// \param text any \return whether it is a map
    static bool IsMap(const std::string& text)
    {
        rcc_dscp_map map;
        return !rcc_dscp_map_read(&map, text.c_str());
    }

    /// \return whether it lists no DSCP
    bool IsEmpty() const
    {
        return m_text.empty();
    }

    /// \param dscp below RCC_DSCPS \param cls if it is not listed \return its class
    uint8_t GetClass(uint8_t dscp, uint8_t cls) const
    {
        return rcc_dscp_class(&m_map, dscp, cls);
    }

  private:
    std::string m_text;
    rcc_dscp_map m_map{};
};

} // namespace ns3

#endif /* QBB_DSCP_MAP_H */
