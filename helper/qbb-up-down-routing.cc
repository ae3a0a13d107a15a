/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-up-down-routing.h"

#include "qbb-routing.h"

#include "ns3/node.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ns3
{

namespace
{

const uint32_t FAR = UINT32_MAX;

/// A link from a switch to a node.
struct Link
{
    uint32_t port; //!< of the switch
    uint32_t peer; //!< index of the switch at the other end, or node id of the host
    bool toHost;
};

/// The switches in their order: sorted by the distance from the first one of their part.
class UpDown
{
  public:
    explicit UpDown(const NodeContainer& nodes)
    {
        std::map<uint32_t, uint32_t> index; // by node id
        for (auto i = nodes.Begin(); i != nodes.End(); ++i)
        {
            Ptr<QbbSwitch> sw = (*i)->GetObject<QbbSwitch>();
            if (sw)
            {
                index[(*i)->GetId()] = static_cast<uint32_t>(m_switches.size());
                m_switches.push_back(sw);
                sw->ClearRoutes();
            }
        }
        m_links.resize(m_switches.size());
        for (size_t s = 0; s < m_switches.size(); s++)
        {
            for (uint32_t p = 0; p < m_switches[s]->GetNPorts(); p++)
            {
                AddLink(s, p, index);
            }
        }
        Rank();
    }

    void SetRoutes(uint32_t host)
    {
        const auto n = static_cast<uint32_t>(m_switches.size());
        std::vector<uint32_t> down(n, FAR);                       // hops to the host over ways that only go down
        std::vector<uint32_t> all(n, FAR);                        // over legal ways
        for (auto s = m_order.rbegin(); s != m_order.rend(); ++s) // the lowest first
        {
            for (const auto& l : m_links[*s])
            {
                const bool last = l.toHost && l.peer == host;
                const bool below = !l.toHost && IsUp(l.peer, *s) && down[l.peer] != FAR;
                down[*s] = last ? 0 : below ? std::min(down[*s], down[l.peer] + 1) : down[*s];
            }
        }
        for (uint32_t s : m_order)
        {
            all[s] = down[s];
            for (const auto& l : m_links[s])
            {
                const bool above = down[s] == FAR && !l.toHost && IsUp(s, l.peer) && all[l.peer] != FAR;
                all[s] = above ? std::min(all[s], all[l.peer] + 1) : all[s];
            }
            SetRoute(s, host, down, all);
        }
    }

  private:
    void AddLink(size_t s, uint32_t port, const std::map<uint32_t, uint32_t>& index)
    {
        const Ptr<Node> peer = QbbGetNeighbour(*m_switches[s]->GetPort(port));
        if (!peer)
        {
            return;
        }
        const uint32_t id = peer->GetId();
        const auto found = index.find(id);
        const bool toHost = found == index.end();
        m_links[s].push_back(Link{port, toHost ? id : found->second, toHost});
    }

    /// Breadth first from the first switch of each part.
    void Rank()
    {
        m_rank.assign(m_switches.size(), FAR);
        for (uint32_t root = 0; root < m_switches.size(); root++)
        {
            std::vector<uint32_t> queue;
            if (m_rank[root] == FAR)
            {
                m_rank[root] = 0;
                queue.push_back(root);
            }
            for (size_t i = 0; i < queue.size(); i++)
            {
                for (const auto& l : m_links[queue[i]])
                {
                    if (!l.toHost && m_rank[l.peer] == FAR)
                    {
                        m_rank[l.peer] = m_rank[queue[i]] + 1;
                        queue.push_back(l.peer);
                    }
                }
            }
        }
        for (uint32_t s = 0; s < m_switches.size(); s++)
        {
            m_order.push_back(s);
        }
        std::sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) { return IsUp(b, a); });
    }

    /// Whether the way from one switch to another goes up.
    bool IsUp(uint32_t from, uint32_t to) const
    {
        return m_rank[to] < m_rank[from] || (m_rank[to] == m_rank[from] && to < from);
    }

    void SetRoute(uint32_t s, uint32_t host, const std::vector<uint32_t>& down, const std::vector<uint32_t>& all)
    {
        std::vector<uint32_t> ports;
        for (const auto& l : m_links[s])
        {
            const bool last = l.toHost && l.peer == host;
            const bool goesDown = !l.toHost && down[s] != FAR && IsUp(l.peer, s) && down[l.peer] != FAR;
            const bool goesUp = !l.toHost && down[s] == FAR && IsUp(s, l.peer) && all[l.peer] != FAR;
            if ((last && all[s] == 0) || (goesDown && down[l.peer] + 1 == down[s]) ||
                (goesUp && all[l.peer] + 1 == all[s]))
            {
                ports.push_back(l.port);
            }
        }
        if (!ports.empty())
        {
            m_switches[s]->SetRoute(host, ports);
        }
    }

    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<std::vector<Link>> m_links;
    std::vector<uint32_t> m_rank, m_order;
};

} // namespace

void
QbbSetUpDownRoutes(const NodeContainer& nodes)
{
    UpDown routes(nodes);
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Ptr<RdmaNic> nic = (*i)->GetObject<RdmaNic>();
        if (nic)
        {
            nic->ClearRoutes();
            routes.SetRoutes((*i)->GetId());
        }
    }
}

} // namespace ns3
