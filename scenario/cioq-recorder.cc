/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "cioq-recorder.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{
const int64_t ROW = 500000; // ns between rows
} // namespace

CioqRecorder::CioqRecorder(Ptr<CioqSwitch> sw, int64_t from, int64_t to, int64_t end)
    : m_switch(sw),
      m_from(from),
      m_to(to),
      m_end(end)
{
}

void
CioqRecorder::AddFlow(Ptr<RdmaClient> client, Ptr<RdmaNic> from, uint32_t src, uint32_t dst)
{
    m_flows.push_back(Flow{client, from, src, dst, 0, 0, 0});
    m_ports.insert({src, dst});
}

/// The sending half, or null before the flow's start.
const RdmaSendQp*
CioqRecorder::Flow::Qp() const
{
    return client->IsConnected() ? &from->GetSendQp(client->GetQp()) : nullptr;
}

/// Bytes on the wire since the start; an endless flow's packets are full.
uint64_t
CioqRecorder::Flow::Sent() const
{
    const RdmaSendQp* qp = Qp();
    const uint32_t frame = from->GetMtu() + ROCE_OVERHEAD + (qp ? qp->tagBytes : 0);
    return qp ? qp->packetsSent * (frame + ETHERNET_GAP_BYTES) : 0;
}

void
CioqRecorder::Mark(uint64_t Flow::*bytes)
{
    for (auto& f : m_flows)
    {
        f.*bytes = f.Sent();
    }
}

void
CioqRecorder::Begin(const std::string& folder)
{
    Simulator::Schedule(NanoSeconds(m_from), &CioqRecorder::Mark, this, &Flow::begin);
    Simulator::Schedule(NanoSeconds(m_to), &CioqRecorder::Mark, this, &Flow::final);
    if (folder.empty())
    {
        return;
    }
    m_flowCsv = RccSetup::OpenFile(folder + "/flow_arrivals.csv", "time_s,flow,arrival_bps,limit_bps\n");
    m_bufferCsv = RccSetup::OpenFile(folder + "/buffers.csv", "time_s,port,input_bytes,output_bytes,stopped\n");
    Simulator::Schedule(NanoSeconds(ROW), &CioqRecorder::Tick, this);
}

void
CioqRecorder::WriteBuffers(double seconds)
{
    for (uint32_t port : m_ports)
    {
        std::fprintf(m_bufferCsv.get(), "%.9g,%u,%llu,%llu,%d\n", seconds, port,
                     static_cast<unsigned long long>(m_switch->GetInputBytes(port)),
                     static_cast<unsigned long long>(m_switch->GetOutputBytes(port)),
                     m_switch->IsStopped(port) ? 1 : 0);
    }
}

void
CioqRecorder::Tick()
{
    const int64_t now = RccNow();
    const double seconds = RccSeconds(now);
    for (size_t i = 0; i < m_flows.size(); i++)
    {
        Flow& f = m_flows[i];
        const RdmaSendQp* qp = f.Qp();
        const uint64_t sent = f.Sent();
        if (qp && (!qp->closed || sent != f.last))
        {
            std::fprintf(m_flowCsv.get(), "%.9g,%zu,%.9g,%llu\n", seconds, i,
                         static_cast<double>(sent - f.last) * 8e9 / static_cast<double>(ROW),
                         static_cast<unsigned long long>(f.from->GetRate(qp->index)));
        }
        f.last = sent;
    }
    WriteBuffers(seconds);
    if (now + ROW <= m_end)
    {
        Simulator::Schedule(NanoSeconds(ROW), &CioqRecorder::Tick, this);
    }
}

void
CioqRecorder::AddResults(RccJson& json)
{
    const int64_t to = std::min(m_to, RccNow());
    if (to < m_to)
    {
        Mark(&Flow::final); // interrupted
    }
    RccJson flows('[');
    for (size_t i = 0; i < m_flows.size(); i++)
    {
        const Flow& f = m_flows[i];
        const RdmaSendQp* qp = f.Qp();
        flows.Add("", RccJson()
                          .Add("flow", i)
                          .Add("src", f.src)
                          .Add("dst", f.dst)
                          .Add("mean_bps", to > m_from ? static_cast<double>(f.final - f.begin) * 8e9 /
                                                             static_cast<double>(to - m_from)
                                                       : 0.0)
                          .Add("cnms", qp ? qp->cnmsReceived : 0));
    }
    const double window[] = {RccSeconds(m_from), RccSeconds(to)};
    json.Add("per_flow", flows).AddList("per_flow_window_s", window).Add("stops", m_switch->GetStops());
}

} // namespace ns3
