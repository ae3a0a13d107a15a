/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-guard.h"

#include "ns3/node.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <unordered_set>

namespace ns3
{

namespace
{

const int64_t LEAST_PATIENCE = 100000; // ns
const uint32_t HOPS_MAX = 64;          // more is a loop

void
AddUnlessEmpty(LabJson& json, const char* key, const LabJson& value)
{
    if (!value.IsEmpty())
    {
        json.Add(key, value);
    }
}

/// Time in which the slowest port of a switch empties its buffer. After that, what is stuck waits for nothing else.
/// \return ns
int64_t
DrainTime(const QbbSwitch& sw)
{
    UintegerValue buffer;
    sw.GetAttribute("BufferSize", buffer);
    uint64_t rate = UINT64_MAX;
    for (uint32_t p = 0; p < sw.GetNPorts(); p++)
    {
        rate = std::min(rate, sw.GetPort(p)->GetRate());
    }
    return static_cast<int64_t>(static_cast<double>(buffer.Get()) * 8e9 / static_cast<double>(rate));
}

} // namespace

LabGuard::LabGuard(const RunGuard& guard, const LabFlowSet& flows)
    : m_flows(flows),
      m_invariants(guard.invariants ? new LabInvariants : nullptr),
      m_stormTime(std::max<int64_t>(0, guard.stormAfter)),
      m_stops(guard.stops && !guard.drops), // dropped frames make space
      m_drops(guard.drops)
{
    m_watchdog.SetStormTime(m_stormTime, m_drops);
}

void
LabGuard::BeginInvariants(const std::vector<Ptr<QbbSwitch>>& switches)
{
    for (const auto& sw : switches)
    {
        UintegerValue classes;
        sw->GetAttribute("LosslessClasses", classes);
        m_invariants->Add(sw, static_cast<uint8_t>(classes.Get()));
    }
    for (const auto& nic : m_flows.GetNics())
    {
        m_invariants->Add(nic);
    }
    m_invariants->Allow(m_drops || m_dropsAllowed, m_cnpsAllowed);
}

std::vector<RunWarning>
LabGuard::Begin(const std::vector<Ptr<QbbSwitch>>& switches, bool lossless)
{
    std::vector<RunWarning> warnings;
    if (m_invariants)
    {
        BeginInvariants(switches);
    }
    if (!lossless)
    {
        return warnings;
    }
    m_patience = LEAST_PATIENCE;
    m_switches = switches;
    for (const auto& sw : switches)
    {
        m_watchdog.Add(sw);
        m_patience = std::max(m_patience, DrainTime(*sw));
    }
    m_watchdog.SetDeadlockTime(m_patience);
    for (const auto& nic : m_flows.GetNics())
    {
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            m_hosts[PeekPointer(nic->GetPort(p))] = m_hostPorts.size();
            m_hostPorts.push_back(HostPort{nic->GetPort(p), -1, -1});
        }
    }
    std::map<uint32_t, std::pair<Ptr<RdmaNic>, std::vector<Ptr<RdmaNic>>>> senders; // by receiver
    std::unordered_set<uint64_t> known;
    for (const auto& f : m_flows.GetFlows())
    {
        senders[f.dst].first = f.to;
        if (known.insert(uint64_t{f.dst} << 32 | f.src).second)
        {
            senders[f.dst].second.push_back(f.from); // in the order of the flows: that of addresses differs by machine
        }
    }
    QbbBufferDependencies dependencies;
    for (const auto& s : senders)
    {
        dependencies.Add(s.second.second, s.second.first);
    }
    for (const auto& cycle : dependencies.FindCycles())
    {
        warnings.push_back(RunWarning("buffer-cycle").With(QbbNameOf(cycle)));
    }
    return warnings;
}

/// The least rate of a queue pair's algorithm. \return bit/s; 0 if it has none
uint64_t
LabGuard::GetLeastRate(const LabFlowSet::Flow& flow) const
{
    const RccAlgorithm& algorithm = *m_flows.GetAlgorithm(flow);
    if (!algorithm.HasParameter("r_min"))
    {
        return 0;
    }
    const rcc_algorithm* core = algorithm.GetCore();
    const auto least = static_cast<double>(algorithm.GetParameter("r_min"));
    const bool ratio = core->fields[rcc_field_find(core, "r_min")].unit == RCC_UNIT_RATIO;
    const auto line = static_cast<double>(flow.from->GetPort(0)->GetRate());
    return static_cast<uint64_t>(ratio ? least / RCC_RATIO_ONE * line * 0.999999 : least); // a ratio is rounded
}

void
LabGuard::CheckInvariants(int64_t now)
{
    m_invariants->Check(now);
    for (const auto& f : m_flows.GetFlows())
    {
        if (f.client && f.client->IsConnected())
        {
            m_invariants->Check(f.from, f.client->GetQp(), f.to, GetLeastRate(f), now);
        }
    }
}

std::vector<std::string>
LabGuard::GetViolations() const
{
    return m_invariants ? m_invariants->GetViolations() : std::vector<std::string>();
}

std::vector<RunWarning>
LabGuard::Report(int64_t now)
{
    if (m_invariants)
    {
        CheckInvariants(now);
    }
    m_watchdog.Check(now);
    for (auto& h : m_hostPorts)
    {
        const int64_t paused = h.port->GetPausedClasses() ? h.port->GetPausedTime(now) : -1;
        const bool held = paused >= 0 && h.paused >= 0 && paused - h.paused >= now - m_last;
        h.since = held ? (h.since < 0 ? m_last : h.since) : -1;
        h.paused = paused;
    }
    m_last = now;
    std::vector<RunWarning> warnings;
    for (; m_deadlocks < m_watchdog.GetDeadlocks().size(); m_deadlocks++)
    {
        const auto& d = m_watchdog.GetDeadlocks()[m_deadlocks];
        warnings.push_back(RunWarning("deadlock").With(d.since).With(d.found).With(QbbNameOf(d.cycle)));
    }
    for (; m_storms < m_watchdog.GetStorms().size(); m_storms++)
    {
        const auto& s = m_watchdog.GetStorms()[m_storms];
        warnings.push_back(RunWarning("storm").With(QbbNameOf(s.output)).With(s.cls).With(s.since).With(m_drops));
    }
    return warnings;
}

std::vector<RunWarning>
LabGuard::Check(int64_t now)
{
    return now > m_last ? Report(now) : std::vector<RunWarning>();
}

std::vector<RunWarning>
LabGuard::End(int64_t now)
{
    m_watchdog.SetDeadlockTime(LEAST_PATIENCE); // no later event could end it
    std::vector<RunWarning> warnings = Check(now);
    for (const auto& sw : m_switches)
    {
        m_patience = std::max(m_patience, DrainTime(*sw)); // rates may have changed
    }
    m_patience = m_watchdog.IsDeadlocked() ? LEAST_PATIENCE : m_patience;
    return warnings;
}

// ---------------------------------------------------------------- fates of flows

bool
LabGuard::IsStuck(int64_t ns) const
{
    return ns >= m_patience && ns > 0;
}

LabGuard::Fate
LabGuard::FollowPath(Ptr<QbbNetDevice> port, uint32_t dst, const RdmaSendQp& qp) const
{
    const auto host = m_hosts.find(PeekPointer(port));
    const int64_t since = host == m_hosts.end() ? -1 : m_hostPorts[host->second].since;
    if (since >= 0 && IsStuck(m_last - since))
    {
        return Fate::PAUSED;
    }
    for (uint32_t hops = 0; hops <= HOPS_MAX; hops++)
    {
        Ptr<Node> next = QbbGetNeighbour(*port);
        Ptr<QbbSwitch> sw = next ? next->GetObject<QbbSwitch>() : nullptr;
        if (next && !sw)
        {
            return Fate::RUNNING; // the other host, or a switch of another kind
        }
        const uint32_t output = sw ? sw->GetOutput(dst, qp.hash, qp.cls) : 0;
        if (!sw || output == sw->GetNPorts())
        {
            break;
        }
        if (IsStuck(m_watchdog.GetStuckTime(sw, output, qp.cls, m_last)))
        {
            return Fate::PAUSED;
        }
        port = sw->GetPort(output);
    }
    return Fate::NO_ROUTE;
}

LabGuard::Fate
LabGuard::GetFate(const LabFlowSet::Flow& flow) const
{
    if (flow.fct >= 0)
    {
        return Fate::ENDED;
    }
    const bool connected = flow.client && flow.client->IsConnected();
    if (flow.givenUp || (connected && flow.from->GetSendQp(flow.client->GetQp()).tx.failed))
    {
        return Fate::RETRY_LIMIT;
    }
    if (flow.own.stop >= 0 && m_last >= flow.own.stop)
    {
        return Fate::STOPPED;
    }
    if (!connected)
    {
        return Fate::NOT_STARTED;
    }
    const RdmaSendQp& qp = flow.from->GetSendQp(flow.client->GetQp());
    if (qp.closed)
    {
        return Fate::STOPPED; // by its application, which knows its stop time
    }
    if (qp.started < 0)
    {
        return Fate::NOT_STARTED; // it waits for others
    }
    const Fate there = FollowPath(flow.from->GetPort(qp.portIndex), flow.dst, qp);
    const Fate back = FollowPath(flow.to->GetPort(flow.to->PickPort(flow.src, qp.hash)), flow.src, qp);
    return there == Fate::RUNNING && back == Fate::NO_ROUTE ? Fate::NO_ROUTE_BACK : there;
}

void
LabGuard::Gather(RccGateway& ranks)
{
    const auto& flows = m_flows.GetFlows();
    m_fates.resize(flows.size());
    RccRankSums sums;
    for (size_t i = 0; i < flows.size(); i++)
    {
        m_fates[i] = static_cast<uint64_t>(GetFate(flows[i]));
        sums.Add(m_fates[i], flows[i].from->IsLocal());
    }
    sums.Run(ranks);
}

// ---------------------------------------------------------------- results

std::map<LabGuard::Fate, uint64_t>
LabGuard::CountFates(bool endless) const
{
    std::map<Fate, uint64_t> count;
    const auto& flows = m_flows.GetFlows();
    for (size_t i = 0; i < flows.size(); i++)
    {
        if (endless == (flows[i].bytes == 0))
        {
            count[m_fates.empty() ? GetFate(flows[i]) : static_cast<Fate>(m_fates[i])]++;
        }
    }
    return count;
}

LabJson
LabGuard::Reasons(std::map<Fate, uint64_t> count)
{
    const std::pair<Fate, const char*> names[] = {
        {Fate::NOT_STARTED, "not_started"},     {Fate::PAUSED, "paused"},           {Fate::NO_ROUTE, "no_route"},
        {Fate::NO_ROUTE_BACK, "no_route_back"}, {Fate::RETRY_LIMIT, "retry_limit"}, {Fate::STOPPED, "stopped"}};
    LabJson reasons;
    for (const auto& name : names)
    {
        if (count[name.first])
        {
            reasons.Add(name.second, count[name.first]);
        }
    }
    return reasons;
}

void
LabGuard::AddResults(LabJson& json) const
{
    LabJson deadlocks('[');
    for (const auto& d : m_watchdog.GetDeadlocks())
    {
        std::vector<std::string> ports;
        for (const auto& output : d.cycle)
        {
            ports.push_back(QbbNameOf(output));
        }
        deadlocks.Add("", LabJson()
                              .AddSeconds("time_s", d.since)
                              .AddSeconds("found_s", d.found)
                              .AddSeconds("ended_s", d.ended)
                              .Add("class", d.cls)
                              .AddList("ports", ports));
    }
    LabJson storms('[');
    for (const auto& s : m_watchdog.GetStorms())
    {
        storms.Add("", LabJson()
                           .Add("port", QbbNameOf(s.output))
                           .Add("class", s.cls)
                           .AddSeconds("time_s", s.since)
                           .AddSeconds("ended_s", s.ended)
                           .Add("dropped", s.dropped));
    }
    AddUnlessEmpty(json, "deadlocks", deadlocks);
    AddUnlessEmpty(json, "storms", storms);
    AddUnlessEmpty(json, "unfinished", Reasons(CountFates(false)));
    std::map<Fate, uint64_t> endless = CountFates(true);
    endless.erase(Fate::STOPPED); // as was asked for
    AddUnlessEmpty(json, "endless", Reasons(endless));
}

} // namespace ns3
