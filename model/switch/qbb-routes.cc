/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-routes.h"

#include <algorithm>

namespace ns3
{

namespace
{
const size_t RECENT = 128; // lists among which an equal one is looked for: the ports up to the next level come again
} // namespace

const uint32_t QbbRoutes::MEMBERS;
const uint32_t QbbRoutes::NO_ROUTE;

QbbRoutes::QbbRoutes() : m_lists(NO_ROUTE + 1, Route{0, 0})
{
}

/// The index of a list of these ports: one of the `recent` last ones, or a new one. 0 without ports.
uint32_t
QbbRoutes::AddList(const std::vector<uint32_t>& ports, size_t recent)
{
    if (ports.empty())
    {
        return 0;
    }
    for (size_t i = m_lists.size(); i-- > NO_ROUTE + 1 && recent > 0; recent--)
    {
        const Route& list = m_lists[i];
        if (list.count == ports.size() && std::equal(ports.begin(), ports.end(), m_ports.begin() + list.first))
        {
            return static_cast<uint32_t>(i);
        }
    }
    m_lists.push_back(Route{static_cast<uint32_t>(m_ports.size()), static_cast<uint32_t>(ports.size())});
    m_ports.insert(m_ports.end(), ports.begin(), ports.end());
    return static_cast<uint32_t>(m_lists.size() - 1);
}

void
QbbRoutes::Set(uint32_t host, const std::vector<uint32_t>& ports)
{
    m_changes++;
    if (m_ofHost.size() <= host)
    {
        m_ofHost.resize(host + 1, 0);
    }
    m_hosts = static_cast<uint32_t>(m_ofHost.size());
    m_ofHost[host] = ports.empty() ? NO_ROUTE : AddList(ports, 1);
}

void
QbbRoutes::SetGroups(Ptr<const QbbHostGroups> groups)
{
    const auto isIn = [](const QbbHostGroups& g, size_t host) {
        return host < g.places.size() && g.places[host].group;
    };
    for (uint32_t host = 0; m_groups && host < m_groups->places.size(); host++)
    {
        const Route* route = isIn(*groups, host) ? nullptr : Find(host);
        if (route) // another call has set it
        {
            m_ofHost.resize(std::max<size_t>(m_ofHost.size(), host + 1), 0);
            m_ofHost[host] = static_cast<uint32_t>(route - m_lists.data());
        }
    }
    for (size_t host = 0; host < m_ofHost.size(); host++)
    {
        m_ofHost[host] = isIn(*groups, host) ? 0 : m_ofHost[host];
    }
    m_hosts = static_cast<uint32_t>(m_ofHost.size());
    m_groups = groups;
    m_places = groups->places.data();
    m_nPlaces = static_cast<uint32_t>(groups->places.size());
    m_ofGroup.assign(groups->groups + 1, 0);
    m_ofMember.clear();
}

void
QbbRoutes::SetGroupRoute(const std::vector<uint32_t>& groups, const std::vector<uint32_t>& ports)
{
    const uint32_t list = AddList(ports, RECENT);
    m_changes++;
    for (uint32_t group : groups)
    {
        m_ofGroup[group] = list;
    }
}

void
QbbRoutes::SetMemberRoutes(uint32_t group, const std::vector<std::vector<uint32_t>>& ports)
{
    m_changes++;
    m_ofGroup[group] = MEMBERS | static_cast<uint32_t>(m_ofMember.size());
    for (const auto& list : ports)
    {
        m_ofMember.push_back(AddList(list, 1));
    }
}

void
QbbRoutes::Clear()
{
    const uint64_t changes = m_changes + 1;
    *this = QbbRoutes();
    m_changes = changes;
}

uint32_t
QbbRoutes::GetHostsEnd() const
{
    return static_cast<uint32_t>(std::max(m_ofHost.size(), m_groups ? m_groups->places.size() : 0));
}

uint32_t
QbbRoutes::GetPortsEnd() const
{
    return m_ports.empty() ? 0 : 1 + *std::max_element(m_ports.begin(), m_ports.end());
}

size_t
QbbRoutes::CountStored() const
{
    return m_ofHost.size() + m_ofGroup.size() + m_ofMember.size();
}

} // namespace ns3
