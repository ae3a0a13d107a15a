/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-pause-watchdog.h"

#include "ns3/node.h"
#include "ns3/rcc-compiler.h"

#include <algorithm>
#include <functional>

namespace ns3
{

namespace
{

// searches for deadlocks in the time after which a queue counts: each walks queues of the whole network
const int64_t SEARCHES = 4;
const size_t AHEAD = 8; // ports between fetching a line and following the pointers in it

} // namespace

/// The ports of the switches that were added since it was called last.
void
QbbPauseWatchdog::AddPorts()
{
    size_t more = 0;
    for (size_t i = m_first.size(); i < m_switches.size(); i++)
    {
        more += m_switches[i]->GetNPorts();
    }
    m_ports.reserve(m_ports.size() + more); // there are as many as links in a large network
    for (size_t i = m_first.size(); i < m_switches.size(); i++)
    {
        const QbbSwitch& sw = *m_switches[i];
        m_first[&sw] = m_ports.size();
        for (uint32_t p = 0; p < sw.GetNPorts(); p++)
        {
            Port port;
            port.device = PeekPointer(sw.GetPort(p));
            port.output = QbbOutput{port.device->GetNode()->GetId(), p, UINT32_MAX};
            m_ports.push_back(std::move(port));
        }
    }
    Connect();
}

/// Find the switches at the other ends of the links.
void
QbbPauseWatchdog::Connect()
{
    for (auto& port : m_ports)
    {
        Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(port.device->GetChannel());
        Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(port.device) : nullptr;
        if (!peer)
        {
            continue;
        }
        port.output.peer = peer->GetNode()->GetId();
        Ptr<QbbSwitch> sw = peer->GetNode()->GetObject<QbbSwitch>();
        const auto first = m_first.find(PeekPointer(sw));
        if (sw && first != m_first.end())
        {
            port.peer = static_cast<uint32_t>(first->second);
            port.peerPort = peer->GetPortNumber();
            port.peerPorts = sw->GetNPorts();
        }
    }
}

/// \return whether the queue is stuck
bool
QbbPauseWatchdog::Update(Port& port, uint8_t cls, int64_t now) const
{
    Queue& q = port.queues[cls];
    const RccFrame* head = (port.device->GetPausedClasses() >> cls) & 1u ? port.device->GetQueue(cls).Head() : nullptr;
    const bool same = head && head == q.head && head->psn == q.psn && head->src == q.src && head->stamp == q.stamp;
    if (!same)
    {
        q.since = head ? now : -1;
        q.head = head;
        q.psn = head ? head->psn : 0;
        q.src = head ? head->src : 0;
        q.stamp = head ? head->stamp : 0;
    }
    return same;
}

void
QbbPauseWatchdog::CheckStorm(Port& port, uint8_t cls, int64_t now)
{
    Queue& q = port.queues[cls];
    const bool paused = (port.device->GetPausedClasses() >> cls) & 1u;
    if (q.storm == SIZE_MAX && q.since >= 0 && now - q.since >= m_stormTime)
    {
        q.storm = m_storms.size();
        m_storms.push_back(Storm{q.since, now, -1, cls, port.output, 0});
    }
    if (q.storm == SIZE_MAX)
    {
        return;
    }
    if (!paused)
    {
        m_storms[q.storm].ended = now;
        q.storm = SIZE_MAX;
    }
    else if (m_drop)
    {
        m_storms[q.storm].dropped += port.device->DropQueued(cls, now);
        q.head = nullptr; // the frames of the queue are gone
    }
}

/// Fetch from memory what Check will read of a port and of those before it: their lines are in no cache any more.
void
QbbPauseWatchdog::Prefetch(size_t port) const
{
    if (port < m_ports.size())
    {
        m_ports[port].device->PrefetchQueues();
    }
    if (port >= AHEAD && port - AHEAD < m_ports.size())
    {
        const QbbNetDevice& device = *m_ports[port - AHEAD].device;
        const uint8_t paused = device.GetPausedClasses();
        if (paused)
        {
            RccFetch(device.GetQueue(static_cast<uint8_t>(__builtin_ctz(paused))).Head());
        }
    }
}

void
QbbPauseWatchdog::Check(int64_t now)
{
    if (m_first.size() < m_switches.size())
    {
        AddPorts();
    }
    uint8_t stuck = 0; // classes
    for (size_t p = 0; p < m_ports.size(); p++)
    {
        Prefetch(p + 2 * AHEAD);
        Port& port = m_ports[p];
        const uint8_t paused = port.device->GetPausedClasses();
        if (paused && !port.queues)
        {
            port.queues.reset(new Queue[QBB_CLASSES]);
        }
        for (uint8_t c = 0; c < QBB_CLASSES && port.queues; c++)
        {
            Queue& q = port.queues[c];
            if (!((paused >> c) & 1u) && q.since < 0 && q.storm == SIZE_MAX)
            {
                continue;
            }
            const bool isStuck = Update(port, c, now);
            stuck |= static_cast<uint8_t>(
                isStuck && port.peer != UINT32_MAX && now - q.since >= m_deadlockTime ? 1u << c : 0);
        }
    }
    EndDeadlocks(now);
    const bool search = stuck && now >= m_search;
    m_search = search ? now + m_deadlockTime / SEARCHES : m_search;
    for (uint8_t c = 0; c < QBB_CLASSES && search; c++)
    {
        if ((stuck >> c) & 1u)
        {
            CheckDeadlocks(c, now);
        }
    }
    for (size_t p = 0; p < m_ports.size() && m_stormTime > 0; p++)
    {
        for (uint8_t c = 0; c < QBB_CLASSES && m_ports[p].queues; c++)
        {
            CheckStorm(m_ports[p], c, now);
        }
    }
}

// ---------------------------------------------------------------- deadlocks

/**
 * Whether a queue holds a frame that came in through a port of its switch. A queue that stays stuck loses no frame, so
 * that what was found in it stands, and only what has come since is looked at; any other one is walked once in a check.
 * \param queue its port
 * \param cls its class
 * \param input the port of its switch
 * \param ports how many these are
 * \param now ns
 * \return whether it does
 */
bool
QbbPauseWatchdog::HoldsFrom(size_t queue, uint8_t cls, uint32_t input, uint32_t ports, int64_t now)
{
    InputsOf& of = m_inputs[cls][queue];
    const int64_t since = QueueOf(m_ports[queue], cls).since;
    const int64_t stands = since >= 0 ? since : now;
    if (of.stands != stands)
    {
        of.stands = stands;
        of.last = nullptr;
        of.seen.assign(ports, false);
    }
    const RccFrame* f = of.last ? of.last->next : m_ports[queue].device->GetQueue(cls).Head();
    for (; f && !of.seen[input]; f = f->next)
    {
        of.last = f;
        m_framesWalked++;
        if (f->input < ports)
        {
            of.seen[f->input] = true;
        }
    }
    return of.seen[input];
}

/**
 * Find the queues for which a stuck queue waits: those of the next switch that hold frames from its link.
 * \param port the queue's
 * \param cls its class
 * \param stuck by port
 * \param now ns
 * \param waits where to add them
 * \return whether all of them are stuck; if not, there will be space
 */
bool
QbbPauseWatchdog::FindWaits(size_t port, uint8_t cls, const std::vector<bool>& stuck, int64_t now,
                            std::vector<size_t>& waits)
{
    const Port& from = m_ports[port];
    for (size_t next = from.peer; from.peer != UINT32_MAX && next < from.peer + from.peerPorts; next++)
    {
        if (HoldsFrom(next, cls, from.peerPort, from.peerPorts, now))
        {
            waits.push_back(next);
            if (!stuck[next])
            {
                return false;
            }
        }
    }
    return !waits.empty();
}

/// Whether a stuck queue waits for at least one other stuck queue: what moves meanwhile is not looked at.
/// Parameters as those of FindWaits.
bool
QbbPauseWatchdog::WaitsForStuck(size_t port, uint8_t cls, const std::vector<bool>& stuck, int64_t now)
{
    const Port& from = m_ports[port];
    for (size_t next = from.peer; from.peer != UINT32_MAX && next < from.peer + from.peerPorts; next++)
    {
        if (stuck[next] && HoldsFrom(next, cls, from.peerPort, from.peerPorts, now))
        {
            return true;
        }
    }
    return false;
}

void
QbbPauseWatchdog::CheckDeadlocks(uint8_t cls, int64_t now)
{
    std::vector<bool> stuck(m_ports.size());
    std::vector<size_t> candidates;
    m_inputs[cls].resize(m_ports.size());
    for (size_t p = 0; p < m_ports.size(); p++)
    {
        const Queue& q = QueueOf(m_ports[p], cls);
        stuck[p] = q.since >= 0 && now - q.since >= m_deadlockTime && now > q.since;
        if (stuck[p])
        {
            candidates.push_back(p);
        }
    }
    // drop candidates for which a rule does not hold, until it holds for all
    const auto keep = [&](const std::function<bool(size_t)>& rule) {
        for (size_t before = SIZE_MAX; candidates.size() < before;)
        {
            before = candidates.size();
            const auto fails = [&](size_t p) { return !(stuck[p] = rule(p)); };
            candidates.erase(std::remove_if(candidates.begin(), candidates.end(), fails), candidates.end());
        }
    };
    // a queue that moves may be long and is walked anew each time: only for what may be part of a cycle
    keep([&](size_t p) { return WaitsForStuck(p, cls, stuck, now); });
    std::map<size_t, std::vector<size_t>> waits;
    keep([&](size_t p) {
        waits[p].clear();
        return FindWaits(p, cls, stuck, now, waits[p]);
    });
    QbbWaitGraph graph;
    for (size_t p : candidates)
    {
        for (size_t next : waits[p])
        {
            graph.AddEdge(p, next);
        }
    }
    for (const auto& cycle : graph.FindCycles())
    {
        Deadlock found{0, now, -1, cls, {}};
        for (size_t p : cycle)
        {
            found.cycle.push_back(m_ports[p].output);
            found.since = std::max(found.since, QueueOf(m_ports[p], cls).since);
        }
        if (!IsKnown(found.cycle, cls))
        {
            m_deadlocks.push_back(found);
        }
    }
}

bool
QbbPauseWatchdog::IsKnown(const std::vector<QbbOutput>& cycle, uint8_t cls) const
{
    return std::any_of(m_deadlocks.begin(), m_deadlocks.end(), [&](const Deadlock& d) {
        return d.ended < 0 && d.cls == cls && std::find(cycle.begin(), cycle.end(), d.cycle.front()) != cycle.end();
    });
}

void
QbbPauseWatchdog::EndDeadlocks(int64_t now)
{
    for (auto& d : m_deadlocks)
    {
        for (const auto& port : m_ports)
        {
            const bool member = d.ended < 0 && std::find(d.cycle.begin(), d.cycle.end(), port.output) != d.cycle.end();
            if (member && (QueueOf(port, d.cls).since < 0 || QueueOf(port, d.cls).since > d.found))
            {
                d.ended = now;
            }
        }
    }
}

bool
QbbPauseWatchdog::IsDeadlocked() const
{
    return std::any_of(m_deadlocks.begin(), m_deadlocks.end(), [](const Deadlock& d) { return d.ended < 0; });
}

int64_t
QbbPauseWatchdog::GetStuckTime(Ptr<QbbSwitch> sw, uint32_t port, uint8_t cls, int64_t now) const
{
    const auto first = m_first.find(PeekPointer(sw));
    if (first == m_first.end() || port >= sw->GetNPorts())
    {
        return 0;
    }
    const int64_t since = QueueOf(m_ports[first->second + port], cls).since;
    return since >= 0 ? now - since : 0;
}

} // namespace ns3
