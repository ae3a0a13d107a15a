/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-recorder.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace ns3
{

TestbedRecorder::TestbedRecorder(RccRun& run, const RccTestbed& testbed) : m_run(run), m_testbed(testbed)
{
}

void
TestbedRecorder::AddGroup(const std::string& name)
{
    const size_t n = m_run.GetFlows().GetFlows().size();
    m_groups.push_back(Group{name, n, n, 0, 0, 0});
}

void
TestbedRecorder::AddFlow()
{
    m_groups.back().end = m_run.GetFlows().GetFlows().size();
}

void
TestbedRecorder::AddPort(const RccTestbed::Port& port)
{
    m_ports.push_back(port);
}

uint64_t
TestbedRecorder::CountDelivered(const Group& group) const
{
    uint64_t bytes = 0;
    for (size_t i = group.first; i < group.end; i++)
    {
        bytes += m_run.GetFlows().GetFlows()[i].GetDelivered();
    }
    return bytes;
}

/// Sum of what the reaction points of the group's open queue pairs allow, bit/s.
uint64_t
TestbedRecorder::GetRate(const Group& group) const
{
    uint64_t rate = 0;
    for (size_t i = group.first; i < group.end; i++)
    {
        const auto& flow = m_run.GetFlows().GetFlows()[i];
        if (flow.client->IsConnected() && !flow.from->GetSendQp(flow.client->GetQp()).closed)
        {
            rate += flow.from->GetRate(flow.client->GetQp());
        }
    }
    return rate;
}

void
TestbedRecorder::Mark(uint64_t Group::*bytes)
{
    for (auto& g : m_groups)
    {
        g.*bytes = CountDelivered(g);
    }
    (bytes == &Group::from ? m_cnpsFrom : m_cnpsTill) = CountCnpsSent();
}

uint64_t
TestbedRecorder::CountCnpsSent() const
{
    uint64_t sent = 0;
    for (const auto& nic : m_run.GetFlows().GetNics())
    {
        sent += nic->GetCounters().cnpsSent;
    }
    return sent;
}

void
TestbedRecorder::HandleMark(TestbedRecorder* self, uint32_t, const RccFrame& frame)
{
    if (self->m_marks)
    {
        std::fprintf(self->m_marks.get(), "%.9f,%u,%u,%" PRIu64 "\n", RccSeconds(RccNow()), frame.src, frame.srcQp,
                     frame.psn);
    }
    self->m_firstMark = self->m_firstMark < 0 ? RccNow() : self->m_firstMark;
}

void
TestbedRecorder::HandlePause(TestbedRecorder* self, uint8_t, uint16_t quanta)
{
    self->m_firstPause = self->m_firstPause < 0 && quanta ? RccNow() : self->m_firstPause;
}

void
TestbedRecorder::Begin(const std::string& folder)
{
    for (const auto& sw : m_testbed.GetSwitches())
    {
        sw->TraceConnectWithoutContext("Mark", MakeBoundCallback(&TestbedRecorder::HandleMark, this));
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            sw->GetPort(p)->TraceConnectWithoutContext("PfcSent",
                                                       MakeBoundCallback(&TestbedRecorder::HandlePause, this));
        }
    }
    Simulator::Schedule(NanoSeconds(m_run.GetWindowFrom()), &TestbedRecorder::Mark, this, &Group::from);
    Simulator::Schedule(NanoSeconds(m_run.GetWindowTo()), &TestbedRecorder::Mark, this, &Group::till);
    if (!folder.empty())
    {
        m_marks = m_listsMarks ? RccSetup::OpenFile(folder + "/marks.csv", "time_s,src,qp,packet\n") : RccFile();
        RccTimeline& timeline = m_run.GetTimeline();
        m_groupTable =
            &timeline.AddTable(folder + "/groups.csv", "group",
                               {{"goodput_bps", "%.6g", RccMerge::MEAN}, {"rate_bps", "%.6g", RccMerge::LAST}});
        m_portTable = &timeline.AddTable(folder + "/ports.csv", "port",
                                         {{"queue_bytes", "%.0f", RccMerge::LAST}, {"pauses", "%.0f", RccMerge::LAST}});
        timeline.AddSampler([this](int64_t now, int64_t interval) { Sample(now, interval); });
    }
}

void
TestbedRecorder::Sample(int64_t now, int64_t interval)
{
    if (interval == 0)
    {
        return; // nothing was delivered before
    }
    for (auto& g : m_groups)
    {
        const uint64_t delivered = CountDelivered(g);
        const double goodput = static_cast<double>(delivered - g.last) * 8e9 / static_cast<double>(interval);
        m_groupTable->Add(now, g.name, {goodput, static_cast<double>(GetRate(g))});
        g.last = delivered;
    }
    for (const auto& p : m_ports)
    {
        const QbbNetDevice& device = *p.sw->GetPort(p.index);
        m_portTable->Add(now, p.name,
                         {static_cast<double>(device.GetQueueBytesTotal()),
                          static_cast<double>(device.GetCounters().pausesReceived)});
    }
}

RccJson
TestbedRecorder::ListGroups() const
{
    const double seconds = RccSeconds(m_run.GetWindowTo() - m_run.GetWindowFrom());
    RccJson list('[');
    for (const auto& g : m_groups)
    {
        int64_t last = 0;
        for (size_t i = g.first; i < g.end && last >= 0; i++)
        {
            const auto& flow = m_run.GetFlows().GetFlows()[i];
            last = flow.fct < 0 ? -1 : std::max(last, flow.start + flow.fct);
        }
        const uint64_t till = g.till < g.from ? CountDelivered(g) : g.till; // a run that was cut short
        list.Add("", RccJson()
                         .Add("name", g.name)
                         .Add("flows", g.end - g.first)
                         .Add("mean_bps", static_cast<double>(till - g.from) * 8 / seconds)
                         .Add("delivered_bytes", CountDelivered(g))
                         .AddSeconds("ended_s", last));
    }
    return list;
}

RccJson
TestbedRecorder::ListPorts() const
{
    RccJson list('[');
    for (const auto& p : m_ports)
    {
        Ptr<QbbNetDevice> device = p.sw->GetPort(p.index);
        const QbbPortCounters& c = device->GetCounters();
        list.Add("", RccJson()
                         .Add("name", p.name)
                         .Add("tx_frames", c.txFrames)
                         .Add("tx_bytes", c.txBytes)
                         .Add("pauses_sent", c.pausesSent)
                         .Add("pauses_received", c.pausesReceived)
                         .AddSeconds("paused_s", device->GetPausedTime(RccNow())));
    }
    return list;
}

void
TestbedRecorder::AddResults(RccJson& json)
{
    uint64_t marked = 0;
    uint64_t pauses = 0;
    for (const auto& sw : m_testbed.GetSwitches())
    {
        marked += sw->GetMarkedPackets();
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            pauses += sw->GetPort(p)->GetCounters().pausesSent;
        }
    }
    uint64_t received = 0;
    for (const auto& nic : m_run.GetFlows().GetNics())
    {
        received += nic->GetCounters().cnpsReceived;
    }
    json.Add("groups", ListGroups())
        .Add("ports", ListPorts())
        .Add("marked_by_switches", marked)
        .Add("switch_pauses", pauses)
        .Add("cnps_sent", CountCnpsSent())
        .Add("cnps_in_window", m_cnpsTill - m_cnpsFrom)
        .Add("cnps_received", received);
    if (m_classes)
    {
        json.Add("classes", m_classes->List());
    }
    if (m_endPoints)
    {
        m_endPoints->AddResults(json);
    }
    if (m_tcp)
    {
        m_tcp->AddResults(json);
    }
    json.AddSeconds("first_mark_s", m_firstMark).AddSeconds("first_pause_s", m_firstPause);
}

} // namespace ns3
