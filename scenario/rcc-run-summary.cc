/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What a run says about itself: run.json and flows.csv. */
#include "rcc-run.h"

#include "ns3/rcc.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

namespace ns3
{

uint64_t
RccRun::Flow::Delivered() const
{
    if (fct >= 0)
    {
        return bytes;
    }
    if (!client || !client->IsConnected())
    {
        return delivered;
    }
    return to->GetRecvQp(from->GetSendQp(client->GetQp()).dstQp).rx.bytes;
}

/// \return bit/s in the window; of an arrival, over its life
double
RccRun::Flow::Goodput(double window) const
{
    if (path != NO_PATH && bytes)
    {
        return fct > 0 ? static_cast<double>(bytes) * 8e9 / static_cast<double>(fct) : 0;
    }
    return window > 0 ? static_cast<double>(inWindow) * 8 / window : 0;
}

RccRun::Totals
RccRun::Count() const
{
    Totals t;
    int64_t now = RccNow();
    for (const auto& nic : m_nics)
    {
        const RdmaNicCounters& c = nic->GetCounters();
        t.sentBytes += c.bytesSent;
        t.sentPackets += c.packetsSent;
        t.deliveredPackets += c.packetsDelivered;
        t.deliveredBytes += c.bytesDelivered;
        t.cnps += c.cnpsSent;
        t.naks += c.naksSent;
        t.timeouts += c.timeouts;
        t.marked += c.packetsMarked;
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            t.pausedNs += nic->GetPort(p)->GetPausedTime(now);
        }
    }
    for (const auto& sw : m_switches)
    {
        t.dropped += sw->GetDroppedPackets();
        t.cnms += sw->GetCnmsSent();
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            t.pauses += sw->GetPort(p)->GetCounters().pausesSent;
        }
    }
    for (const auto& sw : m_cioqSwitches)
    {
        t.dropped += sw->GetDroppedPackets();
        t.cnms += sw->GetCnmsSent();
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            t.pauses += sw->GetPort(p)->GetCounters().pausesSent;
        }
    }
    return t;
}

/// \param arrivals only those with a path, and their ideal
std::vector<RccFlowEnd>
RccRun::Ended(bool arrivals) const
{
    std::vector<RccFlowEnd> ended;
    const uint32_t mtu = m_flows.front().from->GetMtu();
    const uint32_t tag = m_flows.front().from->GetPort(0)->GetVlanBytes();
    const uint32_t reth = m_flows.front().from->GetRethBytes();
    const auto ackEvery = static_cast<uint32_t>(m_options.Get("ack-every"));
    for (const auto& f : m_flows)
    {
        if (f.fct >= 0 && (!arrivals || f.path != NO_PATH))
        {
            const int64_t ideal = arrivals ? RccIdealFct(m_paths[f.path], f.bytes, mtu, ackEvery, tag, reth) : 0;
            ended.push_back(RccFlowEnd{f.bytes, f.fct, ideal});
        }
    }
    return ended;
}

RccJson
RccRun::Summary(double wall) const
{
    Totals t = Count();
    auto part = [&](uint64_t bytes) {
        return m_windowCapacity > 0 ? static_cast<double>(bytes) / m_windowCapacity : 0;
    };
    std::vector<double> goodput;
    for (const auto& f : m_flows)
    {
        goodput.push_back(static_cast<double>(f.inWindow));
    }
    const RccQueueStats& q = *m_windowQueue;
    int64_t last = m_queue->GetLastAbove();
    bool drained = m_watched->GetQueueBytesTotal() < m_kmax && !m_partial;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);

    RccJson queue;
    queue.Add("mean_bytes", q.GetMean())
        .Add("p50_bytes", q.GetPercentile(0.5))
        .Add("p95_bytes", q.GetPercentile(0.95))
        .Add("p99_bytes", q.GetPercentile(0.99))
        .Add("max_bytes", q.GetMax());
    RccJson pfc;
    pfc.Add("pauses", t.pauses).Add("paused_s", static_cast<double>(t.pausedNs) / 1e9);
    RccJson windowJson('[');
    windowJson.Add("", static_cast<double>(m_windowStart) / 1e9).Add("", static_cast<double>(m_windowEnd) / 1e9);
    RccJson parameters;
    const rcc_algorithm* core = m_algorithm->GetCore();
    for (size_t i = 0; i < core->n_fields; i++)
    {
        parameters.Add(core->fields[i].name, m_algorithm->FormatParameter(i));
    }
    RccJson warnings('[');
    for (const auto& w : m_warnings)
    {
        warnings.Add("", w);
    }
    const std::string preset = m_options.GetText("preset");
    std::vector<uint32_t> senders;
    for (const auto& f : m_flows)
    {
        senders.push_back(f.src);
    }
    std::sort(senders.begin(), senders.end());
    auto nSenders = std::unique(senders.begin(), senders.end()) - senders.begin();

    RccJson json;
    json.Add("scenario", m_scenario)
        .Add("cc", std::string(core->name))
        .Add("title", std::string(core->title))
        .Add("source", std::string(core->source))
        .Add("preset", preset.empty() ? std::string(core->presets[0].name) : preset)
        .Add("ns3_version", std::string(RCC_NS3_VERSION))
        .Add("rcc_version", std::string(RCC_VERSION))
        .Add("seed", m_seed)
        .Add("flows", static_cast<uint64_t>(m_flows.size()))
        .Add("hosts", static_cast<uint64_t>(m_nics.size()))
        .Add("senders", static_cast<uint64_t>(nSenders))
        .Add("rate_bps", m_rate)
        .Add("sim_s", static_cast<double>(RccNow()) / 1e9)
        .Add("wall_s", wall)
        .Add("events", RccEventQueue::CountEvents())
        .Add("packets_sent", t.sentPackets)
        .Add("packets_delivered", t.deliveredPackets)
        .Add("bytes_delivered", t.deliveredBytes)
        .Add("packets_dropped", t.dropped)
        .Add("packets_marked", t.marked)
        .Add("naks", t.naks)
        .Add("timeouts", t.timeouts)
        .Add("congested_port", m_watchedName)
        .Add("bottleneck_bps", BottleneckRate())
        .Add("window_s", windowJson)
        .Add("queue", queue)
        .Add("utilization", part(m_windowTx))
        .Add("send_utilization", part(m_windowSent))
        .Add("jain", m_paths.empty() ? RccJain(goodput) : std::nan("")) // says nothing about flows that come and go
        .Add("pfc", pfc)
        .Add("cnps", t.cnps)
        .Add("cnms", t.cnms);
    if (m_endless)
    {
        json.AddNull("fct");
    }
    else
    {
        json.Add("fct", RccFctSummary(Ended(false)));
    }
    if (!m_paths.empty())
    {
        json.Add("slowdown", RccSlowdownSummary(Ended(true)))
            .Add("incomplete", static_cast<uint64_t>(m_unfinished + m_cutShort));
    }
    for (const auto& note : m_notes)
    {
        json.Add(note.first, note.second);
    }
    if (drained)
    {
        json.Add("drain_s", std::max(0.0, static_cast<double>(last - m_lastStart) / 1e9));
    }
    else
    {
        json.AddNull("drain_s");
    }
    if (m_phases)
    {
        json.Add("phases", m_phases->Summary());
    }
    json.Add("kmax_bytes", m_kmax);
    if (m_lossy || !m_watchedSwitch)
    {
        json.AddNull("pfc_limit_bytes");
    }
    else
    {
        json.Add("pfc_limit_bytes", m_watchedSwitch->GetMmu().LimitOf(static_cast<uint32_t>(nSenders)));
    }
    if (m_extra)
    {
        m_extra->AddResults(json);
    }
    return json.Add("peak_rss_bytes", static_cast<uint64_t>(usage.ru_maxrss) * 1024)
        .AddBool("partial", m_partial)
        .Add("parameters", parameters)
        .Add("warnings", warnings);
}

void
RccRun::WriteFlows() const
{
    File file = Open("flows.csv");
    double window = static_cast<double>(m_windowEnd - m_windowStart) / 1e9;
    std::fprintf(file.get(), "flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s\n");
    for (size_t i = 0; i < m_flows.size(); i++)
    {
        const Flow& f = m_flows[i];
        std::fprintf(file.get(), "%zu,%u,%u,%.9f,%llu,%llu,%.9g,", i, f.src, f.dst, static_cast<double>(f.start) / 1e9,
                     static_cast<unsigned long long>(f.bytes), static_cast<unsigned long long>(f.Delivered()),
                     f.Goodput(window));
        if (f.fct >= 0)
        {
            std::fprintf(file.get(), "%.9f", static_cast<double>(f.fct) / 1e9);
        }
        std::fprintf(file.get(), "\n");
    }
}

} // namespace ns3
