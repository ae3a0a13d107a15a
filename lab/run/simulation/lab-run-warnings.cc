/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Warnings of a run: settings that cannot act, events that never happen, numbers that mislead. */
#include "lab-guard.h"
#include "lab-run.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-units.h"
#include "ns3/rdma-path.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/// \return whether packets of a flow may take this switch's links of which several lead to one node
bool
SpraysOverParallelLinks(const Ptr<QbbSwitch>& sw)
{
    std::set<uint32_t> nodes;
    for (uint32_t p = 0; p < sw->GetNPorts() && sw->SpraysData(); p++)
    {
        const Ptr<Node> node = QbbGetNeighbour(*sw->GetPort(p));
        if (node && !nodes.insert(node->GetId()).second)
        {
            return true;
        }
    }
    return false;
}

/// \return whether a port's rate loses a thousandth or more in the whole Mb/s of a telemetry record
bool
HasRateOfNoRecord(const Ptr<QbbSwitch>& sw)
{
    for (uint32_t p = 0; p < sw->GetNPorts(); p++)
    {
        const uint64_t rate = sw->GetPort(p)->GetRate();
        if (rate % 1000000 * 1000 >= rate)
        {
            return true;
        }
    }
    return false;
}

/// \return whether a parameter exists and is this one of its choices
bool
HasChoice(const RccAlgorithm& algorithm, const char* name, const std::string& choice)
{
    const int at = rcc_field_find(algorithm.GetCore(), name);
    return at >= 0 && RccFormatField(algorithm.GetCore()->fields[at], algorithm.GetParameter(name)) == choice;
}

/// \return whether a NIC repeats what is lost in this way
bool
Recovers(const RdmaNic& nic, const std::string& name)
{
    TypeId::AttributeInformation recovery;
    StringValue value("go-back-n");
    if (nic.GetInstanceTypeId().LookupAttributeByName("Recovery", &recovery))
    {
        nic.GetAttribute("Recovery", value);
    }
    return value.Get() == name;
}

/// \param least part of `line` that their rates fall to \return the largest window that flows were given, payload
double
WindowOf(const std::vector<LabFlowSet::Flow>& flows, double least, double line)
{
    double most = 0;
    for (const auto& flow : flows)
    {
        UintegerValue window;
        BooleanValue variable;
        if (flow.client)
        {
            flow.client->GetAttribute("Window", window);
            flow.client->GetAttribute("VariableWindow", variable);
        }
        if (window.Get() == 0)
        {
            return INFINITY;
        }
        most = std::max(most, static_cast<double>(window.Get()) * (variable.Get() ? least / line : 1));
    }
    return most;
}

/// \param least rate of a flow, bit/s \return what one flow has in flight at that rate, bytes on the wire
double
InFlightAtLeast(RccAlgorithm& algorithm, const LabFlowSet& flows, double least, int64_t rtt)
{
    const LabFlowSet::Flow& flow = flows.GetFlows().front(); // for all
    const uint64_t line = flow.from->GetPort(0)->GetRate();
    const uint64_t rate = std::min(line, flow.to->GetPort(0)->GetRate());
    const uint32_t mtu = flow.from->GetMtu();
    const rcc_needs& needs = algorithm.GetRpProfile(line, {rate, rtt, mtu})->needs;
    const int64_t given = algorithm.HasParameter("base_rtt") ? algorithm.GetParameter("base_rtt") : 0;
    const double byte = 8e9 / static_cast<double>(given ? given : rtt); // per RTT, bit/s
    double window = WindowOf(flows.GetFlows(), least, static_cast<double>(line));
    if (needs.wants & RCC_WANT_WINDOW)
    {
        const double paced = (HasChoice(algorithm, "window", "fixed") ? static_cast<double>(rate) : least) / byte;
        window = std::min(window, HasChoice(algorithm, "form", "window") ? 2.0 * mtu : paced);
    }
    if (Recovers(*flow.from, "irn"))
    {
        window = std::min(window, static_cast<double>(rate) * static_cast<double>(rtt) / 8e9);
    }
    const double packets = window / mtu;
    const double whole = needs.wants & RCC_WANT_WINDOW_FITS ? std::floor(packets) : std::ceil(packets);
    return std::max(1.0, whole) * (mtu + ROCE_OVERHEAD + rcc_wire_int_bytes(needs.int_form, 0));
}

} // namespace

/// \return bytes of queue that the windows of so many flows leave at the watched port, at their least rate; infinite
/// without windows
double
LabRun::GetQueueAtLeast(double least, size_t flows)
{
    const LabFlowSet::Flow& first = m_flows.GetFlows().front();
    const bool waits = HasBaseRtt();
    const int64_t rtt = waits ? RdmaSetBaseRtt(m_flows.GetNics()) : RdmaBaseRtt(*first.from, first.dst);
    TimeValue base;
    first.from->GetAttribute("BaseRtt", base);
    const int64_t its = waits ? base.Get().GetNanoSeconds() : rtt;
    const double each = InFlightAtLeast(*m_setup.algorithm, m_flows, least, std::max<int64_t>(1, its));
    const double way = static_cast<double>(m_measurement.GetRate()) * static_cast<double>(rtt) / 8e9;
    return (each * static_cast<double>(flows) - way) / static_cast<double>(m_measurement.bottlenecks.size());
}

/// Warn if the least rate times the number of flows is not below the bottleneck's rate, and no windows keep the queue
/// below its limit. Of a port to a host those to the host count, and none of those that wait for others.
void
LabRun::WarnOfLeastRate()
{
    const RccAlgorithm& algorithm = *m_setup.algorithm;
    if (!algorithm.HasParameter("r_min") || m_flows.HasArrivals()) // few arriving flows are active at once
    {
        return;
    }
    if (m_asked.check && m_anyWindow)
    {
        return; // the run itself says it, whose clients have their windows
    }
    const rcc_algorithm* core = algorithm.GetCore();
    const bool ratio = core->fields[rcc_field_find(core, "r_min")].unit == RCC_UNIT_RATIO;
    auto least = static_cast<double>(algorithm.GetParameter("r_min"));
    least = ratio ? least / RCC_RATIO_ONE * static_cast<double>(m_file.rate) : least;
    const Ptr<Node> behind = QbbGetNeighbour(*m_measurement.port);
    const bool one = m_measurement.GetRate() == m_measurement.port->GetRate() && behind && behind->GetObject<RdmaNic>();
    const size_t flows = m_flows.CountAtOnce(one ? behind->GetId() : UINT32_MAX);
    const double sum = least * static_cast<double>(flows);
    const auto capacity = static_cast<double>(m_measurement.GetRate());
    if (m_flows.GetSendersRate() <= capacity) // no queue forms there, whatever the algorithm does
    {
        return;
    }
    if (sum >= capacity && GetQueueAtLeast(least, flows) > static_cast<double>(GetQueueLimit()))
    {
        const char* const outcome = GetLosslessClasses() ? "pfc" : m_watchedSwitch ? "drop" : "full";
        Warn(RunWarning("least-rate").With(core->name).With(least).With(flows).With(sum).With(capacity).With(outcome));
    }
}

/// Warn of what begins from the end of the run on and before `before`. \param end of the run, ns \param before ns
void
LabRun::WarnOfNever(int64_t end, int64_t before)
{
    for (const auto& asked : m_later)
    {
        if (asked.second >= end && asked.second < before)
        {
            Warn(RunWarning("never").With(asked.first).With(asked.second).With(end).With(before == INT64_MAX));
        }
    }
}

void
LabRun::WarnOfLateFlows()
{
    const size_t flows = m_flows.GetFlows().size();
    const LabFlowSet::Late late = m_flows.FindLate(m_stop);
    m_lateEndless = late.endless;
    if (late.count)
    {
        Warn(RunWarning("late-flows").With(late.count).With(flows).With(m_stop).With(late.first).With(late.waits));
    }
}

/// Warn of flows without an end that do not send any more, or never did. After the run, and the gathering of ranks.
void
LabRun::WarnOfEndless()
{
    using Fate = LabGuard::Fate;
    std::map<Fate, uint64_t> count = m_guard->CountFates(true);
    uint64_t all = 0;
    for (const auto& one : count)
    {
        all += one.second;
    }
    count[Fate::NOT_STARTED] -= std::min<uint64_t>(m_partial ? UINT64_MAX : m_lateEndless, count[Fate::NOT_STARTED]);
    const int64_t first = m_flows.GetFirstGivenUp();
    const std::pair<Fate, const char*> fates[] = {{Fate::RETRY_LIMIT, "retry_limit"},
                                                  {Fate::PAUSED, "paused"},
                                                  {Fate::NO_ROUTE, "no_route"},
                                                  {Fate::NO_ROUTE_BACK, "no_route_back"},
                                                  {Fate::NOT_STARTED, "not_started"}};
    for (const auto& fate : fates)
    {
        if (count[fate.first])
        {
            Warn(RunWarning("endless")
                     .With(m_setup.algorithm->GetCore()->name)
                     .With(fate.second)
                     .With(count[fate.first])
                     .With(all)
                     .With(all < m_flows.GetFlows().size())
                     .With(m_partial)
                     .With(first));
        }
    }
}

/// Warn if switches spread the packets of a flow and a NIC repeats all that comes out of order, and of a timeout that
/// irn does not have.
void
LabRun::WarnOfRecovery()
{
    const std::vector<Ptr<QbbSwitch>> switches = QbbGetSwitches(NodeContainer::GetGlobal());
    const bool sprays =
        std::any_of(switches.begin(), switches.end(), [](const Ptr<QbbSwitch>& sw) { return sw->SpraysData(); });
    const std::vector<Ptr<RdmaNic>> nics = m_flows.GetNics();
    const auto any = [&](const char* name) {
        return std::any_of(nics.begin(), nics.end(), [&](const Ptr<RdmaNic>& nic) { return Recovers(*nic, name); });
    };
    if (any("irn"))
    {
        Warn(RunWarning("irn-timeout"));
    }
    if (sprays && any("go-back-n"))
    {
        Warn(RunWarning("spray-go-back-n"));
    }
}

/// Warn if the timeout of a sender ends before an answer can arrive, with which it sends again what is on its way.
void
LabRun::WarnOfTimeout()
{
    const uint32_t frame = m_setup.mtu + QbbHelper::GetMaxOverhead();
    int64_t hop = 0; // ns that a packet takes on a link, or more
    for (const auto& port : QbbGetPorts(NodeContainer::GetGlobal()))
    {
        const Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(port->GetChannel());
        const auto sending = static_cast<int64_t>(frame * 8000000000u / port->GetRate());
        hop = std::max(hop, (channel ? channel->GetDelayNs() : 0) + sending);
    }
    const int64_t most = 2 * 64 * hop; // a timeout that is not below this needs no look at the flows
    std::map<Ptr<RdmaNic>, int64_t> timeouts;
    for (const auto& nic : m_flows.GetNics())
    {
        TimeValue timeout;
        nic->GetAttribute("RetransmissionTimeout", timeout);
        if (timeout.Get().GetNanoSeconds() < most && !Recovers(*nic, "irn"))
        {
            timeouts[nic] = timeout.Get().GetNanoSeconds();
        }
    }
    std::set<std::pair<Ptr<RdmaNic>, uint32_t>> known;
    std::pair<int64_t, int64_t> worst; // timeout and round trip of a flow
    for (size_t i = 0; i < m_flows.GetFlows().size() && !timeouts.empty(); i++)
    {
        const LabFlowSet::Flow& flow = m_flows.GetFlows()[i];
        const auto timeout = timeouts.find(flow.from);
        if (timeout != timeouts.end() && known.insert({flow.from, flow.dst}).second)
        {
            const int64_t rtt = RdmaBaseRtt(*flow.from, flow.dst);
            worst = timeout->second < rtt && rtt > worst.second ? std::make_pair(timeout->second, rtt) : worst;
        }
    }
    if (worst.second)
    {
        Warn(RunWarning("timeout-below").With(worst.first).With(worst.second));
    }
}

/// Warn of telemetry that is wrong: of paths that its records do not tell apart, of rates that they cannot say.
void
LabRun::WarnOfTelemetry()
{
    const auto& flows = m_flows.GetFlows();
    const auto with = std::find_if(flows.begin(), flows.end(), [this](const LabFlowSet::Flow& flow) {
        return m_flows.GetAlgorithm(flow)->HasParameter("int_form");
    });
    const RccAlgorithm& algorithm = with == flows.end() ? *m_setup.algorithm : *m_flows.GetAlgorithm(*with);
    if (!algorithm.HasParameter("int_form"))
    {
        return;
    }
    const std::vector<Ptr<QbbSwitch>> switches = QbbGetSwitches(NodeContainer::GetGlobal());
    const std::string name = algorithm.GetCore()->name;
    const int64_t form = algorithm.GetParameter("int_form"); // paper, simulator, pint
    const bool sprays =
        std::any_of(switches.begin(), switches.end(), [](const Ptr<QbbSwitch>& sw) { return sw->SpraysData(); });
    if (sprays && (form == 1 || (form == 0 && std::any_of(switches.begin(), switches.end(), SpraysOverParallelLinks))))
    {
        Warn(RunWarning("telemetry-paths").With(name).With(form == 1 ? "simulator" : "paper"));
    }
    if (std::any_of(switches.begin(), switches.end(), HasRateOfNoRecord))
    {
        Warn(RunWarning("telemetry-rates").With(name));
    }
}

} // namespace ns3
