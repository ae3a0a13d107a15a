/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_ROUTES_H
#define QBB_ROUTES_H

#include "ns3/rcc-compiler.h"

#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * The hosts of a network by the switches that they are attached to. The hosts of a group have one route at every switch
 * but their own, so that a switch stores a route per group. Switches share it.
 */
struct QbbHostGroups : public SimpleRefCount<QbbHostGroups>
{
    /// Where a host is.
    struct Place
    {
        uint32_t group{0};  //!< from 1 on; 0: the node is in no group
        uint32_t member{0}; //!< number within the group
    };

    std::vector<Place> places; //!< by node id
    uint32_t groups{0};        //!< number of groups
};

/// The routes of a switch: for each host the ports that lead to it. A list of ports is stored once for a group of
/// hosts.
class QbbRoutes
{
  public:
    /// A list of ports.
    struct Route
    {
        uint32_t first; //!< see GetPort
        uint32_t count; //!< number of ports; 0: no route
    };

    QbbRoutes();

    /**
     * The route of one host, in place of the one that it had, of its own or of its group.
     * \param host node id
     * \param ports in a fixed order; empty: there is no route
     */
    void Set(uint32_t host, const std::vector<uint32_t>& ports);

    /**
     * Forget the routes of all hosts that are in a group; those of others stay.
     * \param groups of the functions below
     */
    void SetGroups(Ptr<const QbbHostGroups> groups);

    /**
     * One route for all hosts of some groups.
     * \param groups numbers of QbbHostGroups
     * \param ports in a fixed order
     */
    void SetGroupRoute(const std::vector<uint32_t>& groups, const std::vector<uint32_t>& ports);

    /**
     * A route for each host of a group: that of the switch that they are attached to.
     * \param group number of QbbHostGroups
     * \param ports by member, each list in a fixed order
     */
    void SetMemberRoutes(uint32_t group, const std::vector<std::vector<uint32_t>>& ports);

    /// Remove all routes.
    void Clear();

    /// \param host node id \return its route, valid until routes change; null if there is none
    const Route* Find(uint32_t host) const
    {
        uint32_t list = host < m_hosts ? m_ofHost[host] : 0;
        if (!list && host < m_nPlaces)
        {
            const QbbHostGroups::Place place = m_places[host];
            list = m_ofGroup[place.group];
            if (list & MEMBERS)
            {
                list = m_ofMember[(list & ~MEMBERS) + place.member];
            }
        }
        return list > NO_ROUTE ? &m_lists[list] : nullptr;
    }

    /// Fetch from memory what Find reads. \param host node id
    void Prefetch(uint32_t host) const
    {
        if (host < m_hosts)
        {
            RccFetch(&m_ofHost[host]);
        }
        if (host < m_nPlaces)
        {
            RccFetch(&m_places[host]);
        }
        RccFetch(m_ofGroup.data());
        RccFetch(m_lists.data());
        RccFetch(m_ports.data());
    }

    /// \param route of Find \param index below its count \return a port
    uint32_t GetPort(const Route& route, size_t index) const
    {
        return m_ports[route.first + index];
    }

    /// \param route of Find \return its first port; the others follow
    const uint32_t* GetPorts(const Route& route) const
    {
        return &m_ports[route.first];
    }

    /// \param route of Find \return its number, below which are those of others
    size_t GetIndex(const Route& route) const
    {
        return static_cast<size_t>(&route - m_lists.data());
    }

    /// \return how often routes have changed
    uint64_t GetChanges() const
    {
        return m_changes;
    }

    /// \return a number above the node ids of all hosts with a route
    uint32_t GetHostsEnd() const;

    /// \return no route was set through this port or one above it
    uint32_t GetPortsEnd() const;

    /// \return number of routes stored: of single hosts, of groups and of their members
    size_t CountStored() const;

  private:
    /// In m_ofGroup: the rest is the index of the group's first member in m_ofMember.
    static const uint32_t MEMBERS = 1u << 31;
    /// In m_ofHost: the host has no route, whatever its group has.
    static const uint32_t NO_ROUTE = 1;

    uint32_t AddList(const std::vector<uint32_t>& ports, size_t recent);

    Ptr<const QbbHostGroups> m_groups;
    const QbbHostGroups::Place* m_places{nullptr}; //!< the places of m_groups
    uint32_t m_nPlaces{0};                         //!< number of them
    uint32_t m_hosts{0};                           //!< size of m_ofHost: a vector's is a difference
    std::vector<uint32_t> m_ofHost;                //!< by node id: the host's own list; 0: it has none
    std::vector<uint32_t> m_ofGroup;               //!< by group: list, or MEMBERS; [0] = 0
    std::vector<uint32_t> m_ofMember;              //!< lists
    std::vector<Route> m_lists;                    //!< [0] and [NO_ROUTE]: none
    std::vector<uint32_t> m_ports;                 //!< the ports of all lists
    uint64_t m_changes{0};                         //!< calls that changed something
};

} // namespace ns3

#endif /* QBB_ROUTES_H */
