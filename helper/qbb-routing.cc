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
    bool hasPreferred{false};                      //!< a switch is preferred
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
        g.hasPreferred = g.hasPreferred || (g.switches.back() && g.switches.back()->IsPreferred());
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

/// Remove the ports to other switches where some of the ports lead to preferred ones. \param ports at the same distance
void
KeepPreferred(const Graph& g, const std::vector<uint32_t>& neighbours, std::vector<uint32_t>& ports)
{
    const auto other = [&](uint32_t p) {
        const Ptr<QbbSwitch> sw = neighbours[p] == NOT_THERE ? nullptr : g.switches[neighbours[p]];
        return !sw || !sw->IsPreferred();
    };
    if (g.hasPreferred && !std::all_of(ports.begin(), ports.end(), other))
    {
        ports.erase(std::remove_if(ports.begin(), ports.end(), other), ports.end());
    }
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
            if (i == 0 || direct) // without a direct neighbour all hosts have the same ports
            {
                nearest = NearestPorts(neighbours, [&](uint32_t next) {
                    const bool onward = next != NOT_THERE && g.switches[next] && distance[next] != NOT_THERE;
                    return next == host ? 0 : onward ? distance[next] + 1 : NOT_THERE;
                });
                KeepPreferred(g, neighbours, nearest);
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
    std::vector<uint32_t> hosts; //!< hosts in the order of the nodes
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

    /// Hosts are to reach each other, and each switch a host: not every switch every host, as an NVSwitch of one server
    /// has no path to the hosts of another. \return a host and a node without a path to it, NOT_THERE if there are none
    /// or `partial`
    std::pair<uint32_t, uint32_t> Set(bool partial)
    {
        std::vector<bool> isAlone(m_graph.nodes.size(), true);
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
                const auto wrong = FindPair(i);
                if (wrong.first != NOT_THERE)
                {
                    return wrong;
                }
            }
            for (uint32_t s : m_switches)
            {
                isAlone[s] = isAlone[s] && !m_seen[s];
            }
        }
        for (uint32_t s : m_switches)
        {
            if (isAlone[s] && !partial && !m_groups.empty())
            {
                return {m_groups[0].hosts[0], s};
            }
        }
        return {NOT_THERE, NOT_THERE};
    }

  private:
    /// Groups that a switch reaches through the same ports.
    struct Class
    {
        uint64_t groups;
        std::vector<uint32_t> ports;
    };

    /// \param i a group of the present round \return a host of it, and another host without a path to it or one of that
    /// host's switches
    std::pair<uint32_t, uint32_t> FindPair(size_t i) const
    {
        for (const Group& from : m_groups)
        {
            if (std::any_of(from.at.begin(), from.at.end(), [&](uint32_t s) { return m_seen[s] >> i & 1u; }))
            {
                continue;
            }
            for (uint32_t a : from.hosts)
            {
                const auto& linked = m_graph.neighbours[a];
                for (uint32_t b : m_groups[m_first + i].hosts)
                {
                    if (a != b && std::find(linked.begin(), linked.end(), b) == linked.end())
                    {
                        return {b, from.at.empty() ? a : from.at[0]};
                    }
                }
            }
        }
        return {NOT_THERE, NOT_THERE};
    }

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
        for (auto& c : classes)
        {
            KeepPreferred(m_graph, neighbours, c.ports);
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
    size_t m_first{0}, m_count{0};    //!< the groups of the present round
    std::vector<uint64_t> m_seen;     //!< by node: groups that are reached
    std::vector<uint64_t> m_front;    //!< by node: groups that the last step has reached
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

    /// Set the routes of all switches to a host: down if there is such a way, otherwise up. \return hops of each, by
    /// node
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
            std::vector<uint32_t> ports = NearestPorts(m_graph.neighbours[s], hops);
            KeepPreferred(m_graph, m_graph.neighbours[s], ports);
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

} // namespace

std::string
QbbSetRoutes(const NodeContainer& container, bool partial, QbbRouteError* error)
{
    QbbRouteError found;
    QbbRouteError& wrong = error ? *error : found;
    wrong = QbbRouteError();
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
    const auto missing = GroupRoutes(g, groups).Set(partial);
    if (missing.first == NOT_THERE)
    {
        return "";
    }
    wrong.node = g.nodes[missing.first]->GetId();
    wrong.from = g.nodes[missing.second]->GetId();
    const std::string from = std::to_string(wrong.from);
    return "node " + std::to_string(wrong.node) + " cannot be reached from " +
           (g.switches[missing.second] ? "switch " + from : "node " + from + ": hosts do not forward");
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

} // namespace ns3
