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

namespace
{

/// \return pauses that a port has received: of all classes at once, one
uint64_t
CountPauses(const QbbNetDevice& port)
{
    return port.GetCounters().pausesReceived / (LabHasLinkPauses(port) ? QBB_CLASSES : 1);
}

} // namespace

/// Counts, by traffic class, what hosts receive and what switches drop and pause; "classes" of run.json.
class TestbedRecorder::Classes
{
  public:
    /// \param testbed whose nodes are watched from now on
    explicit Classes(const LabNetwork& testbed);

    /// \return one object per class in which something happened
    LabJson List() const;

  private:
    /// Frames of one class.
    struct Count
    {
        uint64_t data{0}, marked{0}, acks{0}, naks{0}, cnps{0}; //!< received by hosts; NAKs by the class of their data
        uint64_t drops{0};                                      //!< data dropped by switches
        uint64_t pauses{0};                                     //!< that switches have asked for
    };

    static void HandleReceive(Classes* self, const RccFrame& frame);
    static void HandleDrop(Classes* self, const RccFrame& frame);
    static void HandlePause(Classes* self, uint8_t cls, uint16_t quanta);

    Count m_counts[QBB_CLASSES];
};

TestbedRecorder::Classes::Classes(const LabNetwork& testbed)
{
    for (const auto& nic : testbed.GetHosts())
    {
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            nic->GetPort(p)->TraceConnectWithoutContext("Receive", MakeBoundCallback(&Classes::HandleReceive, this));
        }
    }
    for (const auto& port : testbed.GetSwitchPorts())
    {
        port->TraceConnectWithoutContext("Drop", MakeBoundCallback(&Classes::HandleDrop, this));
        port->TraceConnectWithoutContext("PfcSent", MakeBoundCallback(&Classes::HandlePause, this));
    }
}

void
TestbedRecorder::Classes::HandleReceive(Classes* self, const RccFrame& frame)
{
    Count& count = self->m_counts[frame.cls];
    count.data += frame.kind == RccFrameKind::DATA ? 1 : 0;
    count.marked += frame.kind == RccFrameKind::DATA && frame.ecn == RccEcn::CE ? 1 : 0;
    count.acks += frame.kind == RccFrameKind::ACK ? 1 : 0;
    count.cnps += frame.kind == RccFrameKind::CNP ? 1 : 0;
    if (frame.kind == RccFrameKind::NAK)
    {
        self->m_counts[frame.dataClass].naks++;
    }
}

void
TestbedRecorder::Classes::HandleDrop(Classes* self, const RccFrame& frame)
{
    self->m_counts[frame.cls].drops++; // drops of any kind, as in packets_dropped
}

void
TestbedRecorder::Classes::HandlePause(Classes* self, uint8_t cls, uint16_t quanta)
{
    self->m_counts[cls].pauses += quanta ? 1 : 0;
}

LabJson
TestbedRecorder::Classes::List() const
{
    LabJson list('[');
    for (uint32_t cls = 0; cls < QBB_CLASSES; cls++)
    {
        const Count& c = m_counts[cls];
        if (c.data + c.acks + c.naks + c.cnps + c.drops + c.pauses == 0)
        {
            continue;
        }
        list.Add("", LabJson()
                         .Add("class", cls)
                         .Add("data", c.data)
                         .Add("marked", c.marked)
                         .Add("acks", c.acks)
                         .Add("naks", c.naks)
                         .Add("cnps", c.cnps)
                         .Add("drops", c.drops)
                         .Add("pauses", c.pauses));
    }
    return list;
}

// ---------------------------------------------------------------- the recorder

TestbedRecorder::TestbedRecorder(const RunFile& file, LabRun& run, const LabNetwork& testbed)
    : m_run(run),
      m_testbed(testbed),
      m_endPoints(file, run, testbed),
      m_tcp(file, run, testbed),
      m_classes(file.recorded.classes ? new Classes(testbed) : nullptr),
      m_listsMarks(file.recorded.marks)
{
}

TestbedRecorder::~TestbedRecorder() = default;

void
TestbedRecorder::AddGroup(const std::string& name)
{
    const size_t n = m_run.GetFlows().GetFlows().size();
    m_groups.push_back(Group{name, n, n, 0});
}

void
TestbedRecorder::AddFlow()
{
    m_groups.back().end = m_run.GetFlows().GetFlows().size();
}

void
TestbedRecorder::AddPort(const std::string& name, Ptr<QbbNetDevice> port)
{
    const auto same = [&name](const Port& p) { return p.name == name; };
    if (std::none_of(m_ports.begin(), m_ports.end(), same))
    {
        m_ports.push_back(Port{name, port});
    }
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
TestbedRecorder::WindowBegins()
{
    m_cnpsFrom = m_run.Count().cnps;
}

void
TestbedRecorder::WindowEnds()
{
    m_windowEnded = true;
    m_cnpsTill = m_run.Count().cnps;
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
    }
    for (const auto& port : m_testbed.GetSwitchPorts())
    {
        port->TraceConnectWithoutContext("PfcSent", MakeBoundCallback(&TestbedRecorder::HandlePause, this));
    }
    if (m_run.HasWindow())
    {
        Simulator::Schedule(NanoSeconds(m_run.GetWindowFrom()), &TestbedRecorder::WindowBegins, this);
    }
    Simulator::Schedule(NanoSeconds(m_run.GetWindowTo()), &TestbedRecorder::WindowEnds, this);
    m_tcp.Begin(m_run);
    if (!folder.empty())
    {
        m_marks = m_listsMarks ? LabSetup::OpenFile(folder + "/marks.csv", "time_s,src,qp,packet\n") : LabFile();
        LabTimeline& timeline = m_run.GetTimeline();
        m_groupTable = &timeline.AddTable(folder + "/groups.csv", "group",
                                          {{"goodput_bps", 6, LabMerge::MEAN}, {"rate_bps", 6, LabMerge::LAST}});
        m_portTable = &timeline.AddTable(folder + "/ports.csv", "port",
                                         {{"queue_bytes", 0, LabMerge::LAST}, {"pauses", 0, LabMerge::LAST}});
        timeline.AddSampler([this](int64_t now, int64_t interval) { Sample(now, interval); });
    }
}

void
TestbedRecorder::Sample(int64_t now, int64_t interval)
{
    if (interval == 0)
    {
        return; // no packet was delivered before
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
        const QbbNetDevice& device = *p.device;
        m_portTable->Add(now, p.name,
                         {static_cast<double>(device.GetQueueBytesTotal()), static_cast<double>(CountPauses(device))});
    }
}

LabJson
TestbedRecorder::ListGroups() const
{
    const LabMeasurement& measured = m_run.GetMeasurement();
    const double seconds = measured.GetWindowSeconds();
    const double first = RccSeconds(measured.middle.at - measured.begin.at);
    LabJson list('[');
    for (const auto& g : m_groups)
    {
        int64_t last = 0;
        uint64_t inWindow = 0;
        uint64_t inHalf = 0;
        for (size_t i = g.first; i < g.end; i++)
        {
            inWindow += m_run.GetFlows().GetFlows()[i].inWindow;
            inHalf += m_run.GetFlows().GetFlows()[i].inHalf;
        }
        for (size_t i = g.first; i < g.end && last >= 0; i++)
        {
            const auto& flow = m_run.GetFlows().GetFlows()[i];
            last = flow.fct < 0 ? -1 : std::max(last, flow.start + flow.fct);
        }
        LabJson group;
        group.Add("name", g.name)
            .Add("flows", g.end - g.first)
            .Add("mean_bps", seconds > 0 ? static_cast<double>(inWindow) * 8 / seconds : 0.0);
        if (measured.IsHalved())
        {
            const double halves[] = {static_cast<double>(inHalf) * 8 / first,
                                     static_cast<double>(inWindow - inHalf) * 8 / (seconds - first)};
            group.AddList("halves_bps", halves);
        }
        list.Add("", group.Add("delivered_bytes", CountDelivered(g)).AddSeconds("ended_s", last));
    }
    return list;
}

LabJson
TestbedRecorder::ListPorts() const
{
    LabJson list('[');
    for (const auto& p : m_ports)
    {
        Ptr<QbbNetDevice> device = p.device;
        const QbbPortCounters& c = device->GetCounters();
        list.Add("", LabJson()
                         .Add("name", p.name)
                         .Add("tx_frames", c.txFrames)
                         .Add("tx_bytes", c.txBytes)
                         .Add("pauses_sent", c.pausesSent)
                         .Add("pauses_received", CountPauses(*device))
                         .AddSeconds("paused_s", device->GetPausedTime(RccNow())));
    }
    return list;
}

void
TestbedRecorder::AddResults(LabJson& json)
{
    uint64_t marked = 0;
    for (const auto& sw : m_testbed.GetSwitches())
    {
        marked += sw->GetMarkedPackets();
    }
    if (!m_windowEnded)
    {
        WindowEnds(); // with the run
    }
    uint64_t received = 0;
    for (const auto& nic : m_run.GetFlows().GetNics())
    {
        received += nic->GetCounters().cnpsReceived;
    }
    const LabRun::Totals totals = m_run.Count();
    json.Add("groups", ListGroups())
        .Add("ports", ListPorts())
        .Add("marked_by_switches", marked)
        .Add("switch_pauses", totals.pauses)
        .Add("cnps_sent", totals.cnps)
        .Add("cnps_in_window", m_cnpsTill - m_cnpsFrom)
        .Add("cnps_received", received);
    if (m_classes)
    {
        json.Add("classes", m_classes->List());
    }
    m_endPoints.AddResults(json);
    if (m_endPoints.CountUnsent())
    {
        m_run.Warn(RunWarning("lose-unsent").With(m_endPoints.CountUnsent()));
    }
    m_tcp.AddResults(json, m_run.GetMeasurement().GetWindowSeconds());
    for (const auto& warning : m_tcp.GetWarnings(RccNow()))
    {
        m_run.Warn(warning);
    }
    json.AddSeconds("first_mark_s", m_firstMark).AddSeconds("first_pause_s", m_firstPause);
}

} // namespace ns3
