/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_DSCP_MAP_H
#define QBB_DSCP_MAP_H

#include "ns3/rcc_dscp.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// Classes by DSCP, with their text: what the attribute DscpMap of NICs and switches holds.
class QbbDscpMap
{
  public:
    /// \param text any \return whether Read understands it
    static bool IsMap(const std::string& text)
    {
        QbbDscpMap map;
        return map.Read(text);
    }

    /// \param text as of rcc_dscp_map_read \return false, and nothing changes, if it is not understood
    bool Read(const std::string& text)
    {
        rcc_dscp_map map;
        if (rcc_dscp_map_read(&map, text.c_str()))
        {
            return false;
        }
        m_text = text;
        m_map = map;
        return true;
    }

    /// \return what Read was given last; empty: no DSCP is listed
    const std::string& GetText() const
    {
        return m_text;
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
