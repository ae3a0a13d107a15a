/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "cioq-recorder.h"

#include "ns3/node.h"
#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <cinttypes>

namespace ns3
{

namespace
{
const int64_t ROW = 500000; // ns between rows

/// The sending half, or null before the flow's start.
const RdmaSendQp*
QpOf(const LabFlowSet::Flow& flow)
{
    return flow.client->IsConnected() ? &flow.from->GetSendQp(flow.client->GetQp()) : nullptr;
}

/// Bytes on the wire since the start; an endless flow's packets are full.
uint64_t
SentBy(const LabFlowSet::Flow& flow)
{
    const RdmaSendQp* qp = QpOf(flow);
    const uint32_t frame = flow.from->GetMtu() + (qp ? qp->overhead : 0);
    return qp ? qp->packetsSent * (frame + ETHERNET_GAP_BYTES) : 0;
}

} // namespace

CioqRecorder::CioqRecorder(LabRun& run, Ptr<CioqSwitch> sw, int64_t end)
    : m_run(run),
      m_switch(sw),
      m_end(end),
      m_sent(run.GetFlows().GetFlows().size())
{
    std::set<uint32_t> hosts;
    for (const auto& f : run.GetFlows().GetFlows())
    {
        hosts.insert({f.src, f.dst});
    }
    for (uint32_t port = 0; port < sw->GetNPorts(); port++)
    {
        const Ptr<QbbNetDevice> device = sw->GetPort(port);
        const auto channel = DynamicCast<QbbChannel>(device->GetChannel());
        if (hosts.count(channel->GetPeer(PeekPointer(device))->GetNode()->GetId()))
        {
            m_ports.insert(port);
        }
    }
}

void
CioqRecorder::Mark(uint64_t Sent::*bytes)
{
    for (size_t i = 0; i < m_sent.size(); i++)
    {
        m_sent[i].*bytes = SentBy(m_run.GetFlows().GetFlows()[i]);
    }
}

void
CioqRecorder::Begin(const std::string& folder)
{
    Simulator::Schedule(NanoSeconds(m_run.GetWindowFrom()), &CioqRecorder::Mark, this, &Sent::begin);
    Simulator::Schedule(NanoSeconds(m_run.GetWindowTo()), &CioqRecorder::Mark, this, &Sent::final);
    if (folder.empty())
    {
        return;
    }
    m_flowCsv = LabSetup::OpenFile(folder + "/flow_arrivals.csv", "time_s,flow,arrival_bps,limit_bps\n");
    m_bufferCsv = LabSetup::OpenFile(folder + "/buffers.csv", "time_s,port,input_bytes,output_bytes,stopped\n");
    Simulator::Schedule(NanoSeconds(ROW), &CioqRecorder::Tick, this);
}

void
CioqRecorder::WriteBuffers(double seconds)
{
    for (uint32_t port : m_ports)
    {
        std::fprintf(m_bufferCsv.get(), "%.9g,%u,%" PRIu64 ",%" PRIu64 ",%d\n", seconds, port,
                     m_switch->GetInputBytes(port), m_switch->GetOutputBytes(port), m_switch->IsStopped(port) ? 1 : 0);
    }
}

void
CioqRecorder::Tick()
{
    const int64_t now = RccNow();
    const double seconds = RccSeconds(now);
    for (size_t i = 0; i < m_sent.size(); i++)
    {
        const LabFlowSet::Flow& f = m_run.GetFlows().GetFlows()[i];
        const RdmaSendQp* qp = QpOf(f);
        const uint64_t sent = SentBy(f);
        if (qp && (!qp->closed || sent != m_sent[i].last))
        {
            std::fprintf(m_flowCsv.get(), "%.9g,%zu,%.9g,%" PRIu64 "\n", seconds, i,
                         static_cast<double>(sent - m_sent[i].last) * 8e9 / static_cast<double>(ROW),
                         f.from->GetRate(qp->id));
        }
        m_sent[i].last = sent;
    }
    WriteBuffers(seconds);
    if (now + ROW <= m_end)
    {
        Simulator::Schedule(NanoSeconds(ROW), &CioqRecorder::Tick, this);
    }
}

void
CioqRecorder::AddResults(LabJson& json)
{
    const LabMeasurement& measured = m_run.GetMeasurement();
    if (measured.end.at < m_run.GetWindowTo())
    {
        Mark(&Sent::final); // interrupted
    }
    const auto ns = static_cast<double>(measured.end.at - measured.begin.at);
    LabJson flows('[');
    for (size_t i = 0; i < m_sent.size(); i++)
    {
        const LabFlowSet::Flow& f = m_run.GetFlows().GetFlows()[i];
        const RdmaSendQp* qp = QpOf(f);
        const auto sent = static_cast<double>(m_sent[i].final - m_sent[i].begin);
        flows.Add("", LabJson()
                          .Add("flow", i)
                          .Add("src", f.src)
                          .Add("dst", f.dst)
                          .Add("mean_bps", ns > 0 ? sent * 8e9 / ns : 0.0)
                          .Add("cnms", qp ? qp->cnmsReceived : 0));
    }
    const double window[] = {RccSeconds(measured.begin.at), RccSeconds(measured.end.at)};
    json.Add("per_flow", flows).AddList("per_flow_window_s", window).Add("stops", m_switch->GetStops());
}

} // namespace ns3
