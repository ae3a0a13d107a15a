/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-routing.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/qbb-switch.h"
#include "ns3/rdma-nic.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

const uint32_t NOT_THERE = UINT32_MAX;

struct Graph
{
    std::vector<Ptr<Node>> nodes;
    std::vector<Ptr<QbbSwitch>> switches;          //!< null for a host
    std::vector<std::vector<uint32_t>> neighbours; //!< by port; of a host: by device
};

Graph
ReadGraph(const NodeContainer& container)
{
    Graph g;
    std::map<uint32_t, uint32_t> index; // by node id
    for (auto i = container.Begin(); i != container.End(); ++i)
    {
        index[(*i)->GetId()] = static_cast<uint32_t>(g.nodes.size());
        g.nodes.push_back(*i);
        g.switches.push_back((*i)->GetObject<QbbSwitch>());
    }
    g.neighbours.resize(g.nodes.size());
    for (size_t n = 0; n < g.nodes.size(); n++)
    {
        Ptr<QbbSwitch> sw = g.switches[n];
        Ptr<RdmaNic> nic = sw ? nullptr : g.nodes[n]->GetObject<RdmaNic>();
        uint32_t ports = sw ? sw->GetNPorts() : nic ? nic->GetNPorts() : 0;
        for (uint32_t p = 0; p < ports; p++)
        {
            Ptr<Node> peer = QbbGetNeighbour(sw ? *sw->GetPort(p) : *nic->GetPort(p));
            auto found = peer ? index.find(peer->GetId()) : index.end();
            g.neighbours[n].push_back(found == index.end() ? NOT_THERE : found->second);
        }
    }
    return g;
}

/// Hops of every switch from a set of switches, which are at 0.
std::vector<uint32_t>
Distances(const Graph& g, const std::vector<uint32_t>& from)
{
    std::vector<uint32_t> distance(g.nodes.size(), NOT_THERE);
    std::vector<uint32_t> queue = from;
    for (uint32_t n : from)
    {
        distance[n] = 0;
    }
    for (size_t i = 0; i < queue.size(); i++)
    {
        for (uint32_t next : g.neighbours[queue[i]])
        {
            if (next != NOT_THERE && g.switches[next] && distance[next] == NOT_THERE)
            {
                distance[next] = distance[queue[i]] + 1;
                queue.push_back(next);
            }
        }
    }
    return distance;
}

/// \param neighbours of a node, by port \param hops that it is through one of them, NOT_THERE for no way
/// \return the ports through which it is the fewest hops
template <class Hops>
std::vector<uint32_t>
NearestPorts(const std::vector<uint32_t>& neighbours, const Hops& hops)
{
    std::vector<uint32_t> nearest;
    uint32_t least = NOT_THERE - 1;
    for (uint32_t p = 0; p < neighbours.size(); p++)
    {
        const uint32_t through = hops(neighbours[p]);
        if (through < least)
        {
            nearest.clear();
            least = through;
        }
        if (through == least)
        {
            nearest.push_back(p);
        }
    }
    return nearest;
}

/// Hosts with several ports send to these hosts through those that are nearest to them. \param hosts on the same
/// switches \param distance hops of the switches to the hosts, by node
void
SetHostRoutes(const Graph& g, const std::vector<uint32_t>& hosts, const std::vector<uint32_t>& distance)
{
    for (uint32_t n = 0; n < g.nodes.size(); n++)
    {
        const auto& neighbours = g.neighbours[n];
        if (g.switches[n] || neighbours.size() < 2)
        {
            continue;
        }
        const bool direct = std::any_of(neighbours.begin(), neighbours.end(),
                                        [&](uint32_t next) { return next != NOT_THERE && !g.switches[next]; });
        std::vector<uint32_t> nearest;
        for (size_t i = 0; i < hosts.size(); i++)
        {
            const uint32_t host = hosts[i];
            if (i == 0 || direct) // else the same for all of them
            {
                nearest = NearestPorts(neighbours, [&](uint32_t next) {
                    const bool onward = next != NOT_THERE && g.switches[next] && distance[next] != NOT_THERE;
                    return next == host ? 0 : onward ? distance[next] + 1 : NOT_THERE;
                });
            }
            if (host != n && !nearest.empty() && nearest.size() < neighbours.size()) // all is what it does without
            {
                g.nodes[n]->GetObject<RdmaNic>()->SetRoute(g.nodes[host]->GetId(), nearest);
            }
        }
    }
}

/// Hosts on the same switches share all routes but the last hop.
struct Group
{
    std::vector<uint32_t> at;    //!< switches, sorted
    std::vector<uint32_t> hosts; //!< in the order of the nodes
};

std::vector<Group>
FindGroups(const Graph& g)
{
    std::map<std::vector<uint32_t>, std::vector<uint32_t>> groups;
    for (uint32_t n = 0; n < g.nodes.size(); n++)
    {
        if (!g.switches[n])
        {
            std::vector<uint32_t> at;
            for (uint32_t s : g.neighbours[n])
            {
                if (s != NOT_THERE && g.switches[s])
                {
                    at.push_back(s);
                }
            }
            std::sort(at.begin(), at.end());
            at.erase(std::unique(at.begin(), at.end()), at.end());
            groups[at].push_back(n);
        }
    }
    std::vector<Group> list;
    for (const auto& group : groups)
    {
        list.push_back(Group{group.first, group.second});
    }
    return list;
}

/// The table that all switches share.
Ptr<QbbHostGroups>
MakePlaces(const Graph& g, const std::vector<Group>& groups)
{
    Ptr<QbbHostGroups> table(new QbbHostGroups, false);
    table->groups = static_cast<uint32_t>(groups.size());
    for (size_t i = 0; i < groups.size(); i++)
    {
        for (size_t member = 0; member < groups[i].hosts.size(); member++)
        {
            const uint32_t id = g.nodes[groups[i].hosts[member]]->GetId();
            table->places.resize(std::max<size_t>(table->places.size(), id + 1));
            table->places[id].group = static_cast<uint32_t>(i + 1);
            table->places[id].member = static_cast<uint32_t>(member);
        }
    }
    return table;
}

/**
 * The shortest paths to all groups: a breadth-first search for 64 groups at a time, one bit each, so that a link is
 * looked at a few times per 64 groups and not per group.
 */
class GroupRoutes
{
  public:
    GroupRoutes(const Graph& g, const std::vector<Group>& groups) : m_graph(g), m_groups(groups)
    {
        for (uint32_t n = 0; n < g.nodes.size(); n++)
        {
            if (g.switches[n])
            {
                m_switches.push_back(n);
            }
        }
    }

    /// \return a host and a switch without a path to it, if there are such and not `partial`
    QbbRouteError Set(bool partial)
    {
        for (size_t first = 0; first < m_groups.size(); first += 64)
        {
            m_first = first;
            m_count = std::min<size_t>(64, m_groups.size() - first);
            Start();
            while (Step())
            {
            }
            for (size_t i = 0; i < m_count && !partial; i++)
            {
                for (uint32_t s : m_switches)
                {
                    if (!(m_seen[s] >> i & 1u))
                    {
                        return {m_graph.nodes[m_groups[first + i].hosts[0]]->GetId(), m_graph.nodes[s]->GetId()};
                    }
                }
            }
        }
        return {};
    }

  private:
    /// Groups that a switch reaches through the same ports.
    struct Class
    {
        uint64_t groups;
        std::vector<uint32_t> ports;
    };

    /// The switches that groups are attached to.
    void Start()
    {
        m_seen.assign(m_graph.nodes.size(), 0);
        m_front.assign(m_graph.nodes.size(), 0);
        for (size_t i = 0; i < m_count; i++)
        {
            for (uint32_t s : m_groups[m_first + i].at)
            {
                m_front[s] |= uint64_t(1) << i;
                m_seen[s] |= uint64_t(1) << i;
                SetMembers(s, m_first + i);
            }
        }
    }

    void SetMembers(uint32_t s, size_t group) const
    {
        const auto& hosts = m_groups[group].hosts;
        const auto& neighbours = m_graph.neighbours[s];
        std::vector<std::vector<uint32_t>> ports(hosts.size());
        for (uint32_t p = 0; p < neighbours.size(); p++)
        {
            const auto found = std::lower_bound(hosts.begin(), hosts.end(), neighbours[p]);
            if (found != hosts.end() && *found == neighbours[p])
            {
                ports[found - hosts.begin()].push_back(p);
            }
        }
        m_graph.switches[s]->GetRoutes().SetMemberRoutes(static_cast<uint32_t>(group + 1), ports);
    }

    /// The switches that are one hop further away. \return whether there are any
    bool Step()
    {
        bool any = false;
        std::vector<uint64_t> next(m_graph.nodes.size(), 0);
        for (uint32_t s : m_switches)
        {
            for (uint32_t n : m_graph.neighbours[s])
            {
                next[s] |= n != NOT_THERE ? m_front[n] : 0;
            }
            next[s] &= ~m_seen[s];
            if (next[s])
            {
                SetClasses(s, next[s]);
                any = true;
            }
        }
        for (uint32_t s : m_switches)
        {
            m_seen[s] |= next[s];
        }
        m_front.swap(next);
        return any;
    }

    /// The routes of a switch to some groups, through all ports to switches that are a hop nearer.
    void SetClasses(uint32_t s, uint64_t groups)
    {
        std::vector<Class> classes(1, Class{groups, {}});
        const auto& neighbours = m_graph.neighbours[s];
        for (uint32_t p = 0; p < neighbours.size(); p++)
        {
            const uint64_t through = neighbours[p] != NOT_THERE ? m_front[neighbours[p]] & groups : 0;
            for (size_t i = 0, n = classes.size(); i < n && through; i++)
            {
                const uint64_t both = classes[i].groups & through;
                if (both && both != classes[i].groups)
                {
                    classes[i].groups &= ~both;
                    Class split{both, classes[i].ports};
                    split.ports.push_back(p);
                    classes.push_back(split);
                }
                else if (both)
                {
                    classes[i].ports.push_back(p);
                }
            }
        }
        for (const auto& c : classes)
        {
            std::vector<uint32_t> numbers;
            for (uint64_t left = c.groups; left; left &= left - 1)
            {
                numbers.push_back(static_cast<uint32_t>(m_first + 1) + static_cast<uint32_t>(__builtin_ctzll(left)));
            }
            m_graph.switches[s]->GetRoutes().SetGroupRoute(numbers, c.ports);
        }
    }

    const Graph& m_graph;
    const std::vector<Group>& m_groups;
    std::vector<uint32_t> m_switches; //!< nodes
    size_t m_first{0}, m_count{0};    //!< the groups of now
    std::vector<uint64_t> m_seen;     //!< by node: groups that are reached
    std::vector<uint64_t> m_front;    //!< those of them that the last step has reached
};

/**
 * The switches of a network in an order: by their distance from the first one of their part. A way between two switches
 * goes up in this order or down.
 */
class UpDown
{
  public:
    explicit UpDown(const Graph& g) : m_graph(g), m_rank(g.nodes.size(), NOT_THERE)
    {
        for (uint32_t s = 0; s < g.nodes.size(); s++)
        {
            if (!g.switches[s])
            {
                continue;
            }
            g.switches[s]->ClearRoutes();
            m_order.push_back(s);
            if (m_rank[s] == NOT_THERE) // the first of its part
            {
                const std::vector<uint32_t> hops = Distances(g, {s});
                std::transform(hops.begin(), hops.end(), m_rank.begin(), m_rank.begin(),
                               [](uint32_t a, uint32_t b) { return std::min(a, b); });
            }
        }
        std::sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) { return IsUp(b, a); });
    }

    /// Of all switches to a host: down if there is such a way, else up. \return hops of each over its way, by node
    std::vector<uint32_t> SetRoutes(uint32_t host)
    {
        std::vector<uint32_t> down(m_graph.nodes.size(), NOT_THERE); // hops to the host over ways that only go down
        for (auto s = m_order.rbegin(); s != m_order.rend(); ++s)    // the lowest first
        {
            for (uint32_t next : m_graph.neighbours[*s])
            {
                down[*s] = std::min(down[*s], Hops(*s, next, host, false, down));
            }
        }
        std::vector<uint32_t> all = down; // over legal ways
        for (uint32_t s : m_order)
        {
            const bool up = down[s] == NOT_THERE;
            const auto hops = [&](uint32_t next) { return Hops(s, next, host, up, up ? all : down); };
            const std::vector<uint32_t> ports = NearestPorts(m_graph.neighbours[s], hops);
            if (!ports.empty())
            {
                all[s] = hops(m_graph.neighbours[s][ports[0]]);
                m_graph.switches[s]->SetRoute(m_graph.nodes[host]->GetId(), ports);
            }
        }
        return all;
    }

  private:
    /// Whether the way from one switch to another goes up.
    bool IsUp(uint32_t from, uint32_t to) const
    {
        return m_rank[to] < m_rank[from] || (m_rank[to] == m_rank[from] && to < from);
    }

    /**
     * \param s a switch
     * \param next a neighbour
     * \param host where to
     * \param up whether the way to the neighbour is to go up; down if not
     * \param hops of switches to the host
     * \return hops of the switch through the neighbour; NOT_THERE if that is no such way
     */
    uint32_t Hops(uint32_t s, uint32_t next, uint32_t host, bool up, const std::vector<uint32_t>& hops) const
    {
        const bool onward =
            next != NOT_THERE && m_graph.switches[next] && IsUp(s, next) == up && hops[next] != NOT_THERE;
        return next == host ? 0 : onward ? hops[next] + 1 : NOT_THERE;
    }

    const Graph& m_graph;
    std::vector<uint32_t> m_rank;  //!< by node: hops from the first switch of its part
    std::vector<uint32_t> m_order; //!< switches, the highest first
};

/// \return two hosts without a path between them, as each has a link to a third one, if there are such
QbbRouteError
PairBehindHost(const Graph& g)
{
    std::vector<uint32_t> linked(g.nodes.size(), NOT_THERE); // by node: the last one that has a link to it
    for (uint32_t a = 0; a < g.nodes.size(); a++)
    {
        std::vector<uint32_t> peers = g.neighbours[a];
        peers.erase(std::remove(peers.begin(), peers.end(), NOT_THERE), peers.end());
        for (uint32_t peer : peers)
        {
            linked[peer] = a;
        }
        for (uint32_t peer : peers)
        {
            for (uint32_t b : g.neighbours[peer])
            {
                if (b != NOT_THERE && b != a && linked[b] != a)
                {
                    return {g.nodes[b]->GetId(), g.nodes[a]->GetId()};
                }
            }
        }
    }
    return {};
}

} // namespace

std::string
QbbSetRoutes(const NodeContainer& container, bool partial, QbbRouteError* error)
{
    QbbRouteError found;
    QbbRouteError& wrong = error ? * error = found : found;
    const Graph g = ReadGraph(container);
    for (size_t n = 0; n < g.nodes.size() && !partial; n++)
    {
        if (!g.switches[n] && !g.nodes[n]->GetObject<RdmaNic>())
        {
            return "node " + std::to_string(g.nodes[n]->GetId()) + " has neither an RdmaNic nor a QbbSwitch";
        }
        const auto& peers = g.neighbours[n];
        if (g.nodes.size() > 1 && std::all_of(peers.begin(), peers.end(), [](uint32_t p) { return p == NOT_THERE; }))
        {
            wrong.node = g.nodes[n]->GetId();
            return "node " + std::to_string(wrong.node) + " has no link to another of the nodes";
        }
    }
    if (!partial && std::all_of(g.switches.begin(), g.switches.end(), [](const Ptr<QbbSwitch>& sw) { return !sw; }))
    {
        wrong = PairBehindHost(g);
        if (wrong.node != QbbRouteError::NONE)
        {
            return "node " + std::to_string(wrong.node) + " cannot be reached from node " + std::to_string(wrong.from) +
                   ": hosts do not forward";
        }
    }
    const std::vector<Group> groups = FindGroups(g);
    const Ptr<QbbHostGroups> places = MakePlaces(g, groups);
    bool manyPorts = false;
    for (size_t n = 0; n < g.nodes.size(); n++)
    {
        manyPorts = manyPorts || (!g.switches[n] && g.neighbours[n].size() > 1);
        if (g.switches[n])
        {
            QbbRoutes& routes = g.switches[n]->GetRoutes();
            if (partial)
            {
                routes.Clear();
            }
            routes.SetGroups(places);
        }
        else if (g.neighbours[n].size() > 1)
        {
            g.nodes[n]->GetObject<RdmaNic>()->ClearRoutes();
        }
    }
    for (size_t i = 0; i < groups.size() && manyPorts; i++)
    {
        SetHostRoutes(g, groups[i].hosts, Distances(g, groups[i].at));
    }
    wrong = GroupRoutes(g, groups).Set(partial);
    return wrong.node == QbbRouteError::NONE
               ? ""
               : "node " + std::to_string(wrong.node) + " cannot be reached from switch " + std::to_string(wrong.from);
}

void
QbbSetUpDownRoutes(const NodeContainer& nodes)
{
    const Graph g = ReadGraph(nodes);
    UpDown routes(g);
    bool manyPorts = false;
    for (uint32_t n = 0; n < g.nodes.size(); n++)
    {
        if (Ptr<RdmaNic> nic = g.nodes[n]->GetObject<RdmaNic>())
        {
            nic->ClearRoutes();
            manyPorts = manyPorts || g.neighbours[n].size() > 1;
        }
    }
    for (uint32_t n = 0; n < g.nodes.size(); n++)
    {
        if (g.nodes[n]->GetObject<RdmaNic>())
        {
            const std::vector<uint32_t> hops = routes.SetRoutes(n);
            if (manyPorts)
            {
                SetHostRoutes(g, {n}, hops);
            }
        }
    }
}

void
QbbReroute(const NodeContainer& nodes, bool upDown)
{
    if (upDown)
    {
        QbbSetUpDownRoutes(nodes);
    }
    else
    {
        NS_ABORT_MSG_UNLESS(QbbSetRoutes(nodes, true).empty(), "a network that may be cut has no missing routes");
    }
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Ptr<RdmaNic> nic = (*i)->GetObject<RdmaNic>();
        if (nic && nic->GetNPorts() > 1)
        {
            nic->Reroute(RccNow());
        }
    }
}

std::vector<Ptr<QbbSwitch>>
QbbGetSwitches(const NodeContainer& nodes)
{
    std::vector<Ptr<QbbSwitch>> switches;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Ptr<QbbSwitch> sw = (*i)->GetObject<QbbSwitch>();
        if (sw)
        {
            switches.push_back(sw);
        }
    }
    return switches;
}

std::vector<Ptr<QbbNetDevice>>
QbbGetPorts(const NodeContainer& nodes)
{
    std::vector<Ptr<QbbNetDevice>> ports;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        for (uint32_t d = 0; d < (*i)->GetNDevices(); d++)
        {
            if (auto port = DynamicCast<QbbNetDevice>((*i)->GetDevice(d)))
            {
                ports.push_back(port);
            }
        }
    }
    return ports;
}

Ptr<Node>
QbbGetNeighbour(const QbbNetDevice& port)
{
    auto channel = DynamicCast<QbbChannel>(port.GetChannel());
    Ptr<QbbNetDevice> peer = channel && !channel->IsDown() ? channel->GetPeer(&port) : nullptr;
    return peer ? peer->GetNode() : nullptr;
}

} // namespace ns3
