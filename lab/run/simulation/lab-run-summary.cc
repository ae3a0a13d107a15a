/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The results of a run: run.json. */
#include "lab-fault-run.h"
#include "lab-guard.h"
#include "lab-run-marks.h"
#include "lab-run.h"
#include "lab-series.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace ns3
{

namespace
{

LabJson
QueueSummary(const LabQueueStats& queue)
{
    return LabJson()
        .Add("mean_bytes", queue.GetMean())
        .Add("p50_bytes", queue.GetPercentile(0.5))
        .Add("p95_bytes", queue.GetPercentile(0.95))
        .Add("p99_bytes", queue.GetPercentile(0.99))
        .Add("max_bytes", queue.GetMax());
}

/// A rule of NICs or test switches beside the paper's: run.json names it where it is on.
bool
IsExtraRule(const std::string& parameter)
{
    return parameter == "mark_every" || parameter == "min_dec_fac" || parameter == "first_cnp_rate" ||
           parameter == "clamp_after_time" || parameter == "start_rate" || parameter == "rules";
}

/// The parameters at a port of a rate, as the thresholds of RED may be set by rate.
LabJson
Parameters(const RccAlgorithm& algorithm, uint64_t rate)
{
    LabJson json;
    for (size_t i = 0; i < algorithm.GetCore()->n_fields; i++)
    {
        const rcc_field& field = algorithm.GetCore()->fields[i];
        if (IsExtraRule(field.name) && algorithm.GetParameter(field.name) == field.def)
        {
            continue;
        }
        json.Add(field.name, RccFormatField(field, algorithm.GetParameterAt(rate, field.name)));
    }
    return json;
}

template <class Value>
Value
ValueOf(const Object& object, const char* attribute)
{
    Value value;
    object.GetAttribute(attribute, value);
    return value;
}

/// Add the cost of losses, if the run has any: the attributes are those of all NICs.
void
AddRepeats(LabJson& json, const LabRun::Totals& t, const std::vector<Ptr<RdmaNic>>& nics)
{
    if (t.overrun)
    {
        json.Add("packets_overrun", t.overrun);
    }
    if (t.repeatedPackets)
    {
        json.Add("packets_repeated", t.repeatedPackets).Add("bytes_repeated", t.repeatedBytes);
    }
    if (t.timeouts && !nics.empty())
    {
        const std::string recovery = ValueOf<StringValue>(*nics.front(), "Recovery").Get();
        const char* const wait = recovery == "irn" ? "RtoHigh" : "RetransmissionTimeout";
        json.Add("recovery", recovery)
            .Add("rto_s", RccSeconds(ValueOf<TimeValue>(*nics.front(), wait).Get().GetNanoSeconds()));
        if (recovery == "irn")
        {
            const int64_t low = ValueOf<TimeValue>(*nics.front(), "RtoLow").Get().GetNanoSeconds();
            json.Add("rto_low_s", RccSeconds(low));
        }
    }
}

/// Add the halves of the window; the second one follows from both. \param m after the window has ended
/// \param shares of flows in the window \param half and in its first half \return queue, utilisation and Jain of both
LabJson
Halves(const LabMeasurement& m, const std::vector<double>& shares, const std::vector<double>& half)
{
    std::vector<double> rest;
    for (size_t i = 0; i < shares.size(); i++)
    {
        rest.push_back(shares[i] - half[i]);
    }
    const auto first = static_cast<double>(m.middle.at - m.begin.at);
    const auto second = static_cast<double>(m.end.at - m.middle.at);
    const double area = m.windowQueue->GetMean() * (first + second) - m.halfQueue->GetMean() * first;
    const double queue[] = {m.halfQueue->GetMean(), std::max(0.0, area / second)};
    const double use[] = {m.middle.GetPart(m.begin, &LabMark::tx), m.end.GetPart(m.middle, &LabMark::tx)};
    const double jain[] = {LabJain(half), LabJain(rest)};
    return LabJson().AddList("queue_bytes", queue).AddList("utilization", use).AddList("jain", jain);
}

} // namespace

/// Add the set-up of the run.
void
LabRun::AddIdentity(LabJson& json) const
{
    const rcc_algorithm* core = m_setup.algorithm->GetCore();
    json.Add("scenario", m_file.name)
        .Add("cc", core->name)
        .Add("title", core->title)
        .Add("source", core->source)
        .Add("preset", "") // the writer of the run file knows it
        .Add("ns3_version", RCC_NS3_VERSION)
        .Add("rcc_version", RCC_VERSION)
        .Add("seed", m_file.seed)
        .Add("flows", m_flows.GetFlows().size())
        .Add("hosts", m_flows.GetNics().size())
        .Add("senders", m_flows.CountSenders())
        .Add("rate_bps", m_file.rate)
        .Add("sim_s", RccSeconds(RccNow()))
        .Add("wall_s", m_progress.GetSeconds());
}

/// Counters since the start, and averages over the window.
void
LabRun::AddMeasurement(LabJson& json, const Totals& t)
{
    std::vector<double> shares;
    std::vector<double> half;
    const int64_t end = m_measurement.end.at;
    const bool some = !m_flows.AllStopBefore(end);
    for (const auto& f : m_flows.GetFlows())
    {
        const bool stops = some && f.stop >= 0 && f.stop < end;
        if (!stops &&
            (f.bytes == 0 || !m_flows.IsEndless())) // a flow that ends earlier than others shares nothing for long
        {
            shares.push_back(static_cast<double>(f.inWindow));
            half.push_back(static_cast<double>(f.inHalf));
        }
    }
    const double window[] = {RccSeconds(m_measurement.begin.at), RccSeconds(m_measurement.end.at)};
    json.Add("events", t.events)
        .Add("packets_sent", t.sentPackets)
        .Add("packets_delivered", t.deliveredPackets)
        .Add("bytes_delivered", t.deliveredBytes)
        .Add("packets_dropped", t.dropped)
        .Add("packets_marked", t.marked)
        .Add("naks", t.naks)
        .Add("timeouts", t.timeouts);
    const auto trims = [](const Ptr<QbbSwitch>& sw) { return ValueOf<UintegerValue>(*sw, "TrimSize").Get() > 0; };
    if (std::any_of(m_switches.begin(), m_switches.end(), trims))
    {
        json.Add("frames_trimmed", t.trimmed);
    }
    AddRepeats(json, t, m_flows.GetNics());
    json.Add("congested_port", m_measurement.name)
        .Add("bottleneck_bps", m_measurement.GetRate())
        .AddList("window_s", window)
        .Add("queue", QueueSummary(*m_measurement.windowQueue))
        .Add("utilization", m_measurement.end.GetPart(m_measurement.begin, &LabMark::tx))
        .Add("send_utilization", m_measurement.end.GetPart(m_measurement.begin, &LabMark::sent))
        .Add("jain",
             m_flows.HasArrivals() ? std::nan("") : LabJain(shares)) // says nothing about flows that come and go
        .Add("pfc", LabJson().Add("pauses", t.pauses).Add("paused_s", RccSeconds(t.pausedNs)))
        .Add("cnps", t.cnps)
        .Add("cnms", t.cnms);
    if (m_measurement.IsHalved() && !m_flows.HasArrivals())
    {
        json.Add("halves", Halves(m_measurement, shares, half));
    }
}

/// Completion times and slowdowns.
void
LabRun::AddCompletions(LabJson& json) const
{
    const uint32_t ackEvery = m_setup.ackEvery;
    const std::vector<LabFlowEnd> ended = m_flows.GetEnded(false, ackEvery);
    const bool finite = !m_flows.IsEndless() || m_flows.GetBytes() > 0;
    finite ? json.Add("fct", LabFctSummary(ended)) : json.AddNull("fct");
    if (m_flows.IsEndless() && finite && !m_flows.HasArrivals())
    {
        json.Add("incomplete", m_flows.CountIncomplete()); // flows that have an end
    }
    if (m_flows.HasArrivals())
    {
        json.Add("slowdown", LabSlowdownSummary(m_flows.GetEnded(true, ackEvery)))
            .Add("incomplete", m_flows.CountIncomplete());
    }
}

/// \return classes of flows, a bit each, whose senders the watched port's switch pauses
uint64_t
LabRun::GetLosslessClasses() const
{
    UintegerValue lossless(0);
    if (m_watchedSwitch)
    {
        m_watchedSwitch->GetAttribute("LosslessClasses", lossless);
    }
    uint64_t classes = 0;
    for (const auto& flow : m_flows.GetFlows())
    {
        classes |= uint64_t(1) << flow.own.cls;
    }
    return lossless.Get() & classes;
}

/// \return ports of the watched switch through which flows come in that may leave by the watched port, by the routes of
/// now over all paths of equal length; not more than there are such flows, unless packets of one take several paths.
/// Lossless flows count, all if there are none.
uint32_t
LabRun::CountInputs() const
{
    struct Receiver
    {
        size_t flows{0};
        std::map<uint32_t, Ptr<RdmaNic>> senders; // by node
    };

    std::map<uint32_t, Receiver> receivers;
    const uint64_t lossless = GetLosslessClasses();
    for (const auto& flow : m_flows.GetFlows())
    {
        if (!lossless || (lossless >> flow.own.cls & 1))
        {
            Receiver& receiver = receivers[flow.dst];
            receiver.flows++;
            receiver.senders.emplace(flow.src, flow.from);
        }
    }
    size_t flows = 0;
    bool sprayed = false;
    std::set<Ptr<QbbNetDevice>> inputs;
    for (const auto& to : receivers)
    {
        const std::vector<uint32_t> out = m_watchedSwitch->GetRoute(to.first);
        if (std::find(out.begin(), out.end(), m_watchedPort) == out.end())
        {
            continue;
        }
        std::vector<Ptr<QbbNetDevice>> todo; // ports that the data leave by
        flows += to.second.flows;
        for (const auto& sender : to.second.senders)
        {
            const Ptr<RdmaNic>& nic = sender.second;
            for (uint32_t hash = 0; hash < nic->GetNPorts(); hash++) // which pick every port that is allowed
            {
                todo.push_back(nic->GetPort(nic->PickPort(to.first, hash)));
            }
        }
        std::set<Ptr<QbbSwitch>> seen;
        while (!todo.empty())
        {
            const Ptr<QbbNetDevice> from = todo.back();
            todo.pop_back();
            const Ptr<QbbChannel> channel = DynamicCast<QbbChannel>(from->GetChannel());
            const Ptr<QbbNetDevice> behind = channel ? channel->GetPeer(PeekPointer(from)) : nullptr;
            const Ptr<QbbSwitch> sw = behind ? behind->GetNode()->GetObject<QbbSwitch>() : nullptr;
            if (sw && sw == m_watchedSwitch)
            {
                inputs.insert(behind);
            }
            else if (sw && seen.insert(sw).second)
            {
                sprayed = sprayed || sw->SpraysData();
                for (uint32_t port : sw->GetRoute(to.first))
                {
                    todo.push_back(sw->GetPort(port));
                }
            }
        }
    }
    return static_cast<uint32_t>(sprayed ? inputs.size() : std::min(inputs.size(), flows));
}

/// \return bytes of the watched queue at which PFC pauses all that send to it, if all of them do, or at which lossy
/// classes drop; 0: no flow is known to come by
uint64_t
LabRun::GetQueueLimit() const
{
    const uint32_t inputs = m_watchedSwitch ? CountInputs() : 0;
    return inputs ? rcc_mmu_limit(&m_watchedSwitch->GetMmu(), m_watchedPort, inputs) : 0;
}

/// How long the watched queue stayed long, what its rate changes did, and the lengths that matter.
void
LabRun::AddQueueLimits(LabJson& json)
{
    LabQueueStats& queue = *m_measurement.queue;
    queue.QueueWas(m_measurement.GetQueueBytes(), RccNow());
    const bool drained = m_measurement.GetQueueBytes() < m_measurement.longQueue && !m_partial;
    const double drain = std::max(0.0, RccSeconds(queue.GetLastAbove() - m_flows.GetLastStart()));
    json.Add("drain_s", drained ? drain : std::nan(""));
    if (m_phases)
    {
        json.Add("phases", m_phases->Summary());
    }
    const RccAlgorithm& algorithm = *m_setup.algorithm;
    const uint64_t rate = m_measurement.port->GetRate();
    const auto derives = [&](const char* field) { // 0 for what follows from the rate
        const int at = rcc_field_find(algorithm.GetCore(), field);
        return at >= 0 && algorithm.GetCore()->fields[at].unit == RCC_UNIT_BYTES &&
               algorithm.GetParameterAt(rate, field) == 0;
    };
    const int64_t none = derives("kmin") || derives("k") ? LabMarksAt(algorithm, rate).none : 0;
    if (none > 0)
    {
        json.Add("kmin_bytes", static_cast<uint64_t>(none));
    }
    json.Add("kmax_bytes", m_measurement.longQueue);
    const uint64_t limit = GetLosslessClasses() ? GetQueueLimit() : 0;
    limit ? json.Add("pfc_limit_bytes", limit) : json.AddNull("pfc_limit_bytes");
}

void
LabRun::CountOwnAlgorithm(const Ptr<RccAlgorithm>& algorithm)
{
    for (auto& own : m_ownAlgorithms)
    {
        if (own.first == algorithm)
        {
            own.second++;
            return;
        }
    }
    m_ownAlgorithms.emplace_back(algorithm, 1);
}

/// The algorithms that were chosen for single flows: how many flows have each, and its parameters.
void
LabRun::AddOwnAlgorithms(LabJson& json) const
{
    if (m_ownAlgorithms.empty())
    {
        return;
    }
    LabJson all;
    for (const auto& own : m_ownAlgorithms)
    {
        all.Add(own.first->GetCore()->name,
                LabJson()
                    .Add("flows", own.second)
                    .Add("parameters", Parameters(*own.first, m_measurement.port->GetRate())));
    }
    json.Add("own_algorithms", all);
}

LabJson
LabRun::Summarize()
{
    LabJson json;
    AddIdentity(json);
    const Totals totals = Count();
    AddMeasurement(json, totals);
    AddCompletions(json);
    for (const auto& note : m_notes)
    {
        json.Add(note.first, note.second);
    }
    AddQueueLimits(json);
    if (m_extra)
    {
        m_extra->AddResults(json);
    }
    if (m_faults->IsAny() && !(m_extra && m_extra->CountsLostFrames()))
    {
        json.Add("frames_lost", m_faults->GetFaults().GetLostFrames());
    }
    m_faults->AddResults(json, m_flows.GetNics());
    m_guard->AddResults(json);
    CheckFiles();
    AddOwnAlgorithms(json);
    return json.Add("peak_rss_bytes", totals.memory)
        .AddBool("partial", m_partial || m_failed)
        .Add("parameters", Parameters(*m_setup.algorithm, m_measurement.port->GetRate()))
        .AddList("warnings", m_warnings);
}

} // namespace ns3
