/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-outputs.h"

#include "ns3/inet-socket-address.h"
#include "ns3/qbb-internet.h"

#include <algorithm>
#include <map>

namespace ns3
{

LabOutputs::Connection::Connection(const RunTcp& of, const LabNetwork& network, const Address& to)
    : row(of),
      receiver(network.GetNode(of.to), of.size),
      sender(network.GetNode(of.from), to, of.size)
{
}

LabOutputs::LabOutputs(const RunFile& file, LabRun& run, const LabNetwork& network)
    : m_network(network),
      m_output(network.GetPaths(), file)
{
    for (const auto& f : file.arrivals)
    {
        m_output.AddFlow(f);
    }
    if (!file.tcp.empty())
    {
        AddTcp(file, run);
    }
}

void
LabOutputs::AddTcp(const RunFile& file, LabRun& run)
{
    std::map<uint32_t, uint32_t> index; // index of a host's address
    NodeContainer hosts;
    for (const auto& one : file.internet)
    {
        index[one.node] = hosts.GetN();
        hosts.Add(m_network.GetNode(one.node));
    }
    const Ipv4InterfaceContainer addresses = QbbInstallInternet(hosts);
    for (const auto& tcp : file.tcp)
    {
        const InetSocketAddress to(addresses.GetAddress(index[tcp.to]), tcp.port);
        m_tcp.emplace_back(new Connection(tcp, m_network, to));
        Connection& c = *m_tcp.back();
        c.receiver.Listen(tcp.port);
        c.sender.StartAt(std::max<int64_t>(tcp.start, 1));
        if (tcp.stop >= 0)
        {
            c.sender.StopAt(tcp.stop, [&c] { c.receiver.SenderStops(); });
        }
        if (tcp.awaited)
        {
            c.receiver.SetEnded([&run] { run.GetFlows().EndBeside(); });
            run.GetFlows().AddBeside(m_network.GetNode(tcp.to));
        }
    }
}

void
LabOutputs::Begin(const std::string& folder)
{
    LabThrow(m_output.Open(folder));
}

void
LabOutputs::FlowEnded(size_t flow, int64_t fct)
{
    m_output.FlowEnded(flow, fct);
}

bool
LabOutputs::CanBeDivided() const
{
    return true;
}

bool
LabOutputs::CountsLostFrames() const
{
    return true; // without faults too: the files have losses of their own
}

void
LabOutputs::Gather(RccGateway& ranks)
{
    m_lost = m_network.GetPaths().GetLostFrames();
    ranks.Sum(&m_lost, 1);
    for (auto& c : m_tcp)
    {
        c->receiver.Gather(ranks);
    }
    m_output.Close();
    m_gathered = true;
}

/// \return which TCP flows never started and which did not end, and why
std::vector<RunWarning>
LabOutputs::GetWarnings(int64_t end) const
{
    size_t late = 0, running = 0, cut = 0;
    int64_t first = INT64_MAX;
    for (const auto& c : m_tcp)
    {
        const RunTcp& row = c->row;
        const bool done = row.size == 0 || c->GetFct() >= 0;
        const bool stopped = row.stop >= 0 && row.stop <= end;
        late += row.start >= end ? 1 : 0;
        first = row.start >= end ? std::min(first, row.start) : first;
        cut += !done && stopped ? 1 : 0;
        running += !done && !stopped && row.start < end ? 1 : 0;
    }
    std::vector<RunWarning> warnings;
    if (late)
    {
        warnings.push_back(RunWarning("tcp-late").With(late).With(m_tcp.size()).With(end).With(first));
    }
    if (running)
    {
        warnings.push_back(RunWarning("tcp-running").With(running).With(m_tcp.size()));
    }
    if (cut)
    {
        warnings.push_back(RunWarning("tcp-cut").With(cut).With(m_tcp.size()));
    }
    return warnings;
}

/// One object per flow: src, dst, bytes, delivered_bytes, fct_s (null: not all arrived).
LabJson
LabOutputs::ListTcp() const
{
    LabJson all('[');
    for (const auto& c : m_tcp)
    {
        LabJson one;
        one.Add("src", c->row.from)
            .Add("dst", c->row.to)
            .Add("bytes", c->row.size)
            .Add("delivered_bytes", c->receiver.GetDelivered());
        all.Add("", one.AddSeconds("fct_s", c->GetFct()));
    }
    return all;
}

void
LabOutputs::AddResults(LabJson& json)
{
    json.Add("frames_lost", m_gathered ? m_lost : m_network.GetPaths().GetLostFrames())
        .Add("notes", LabJson('[')) // the writer of the run file knows them
        .AddList("files", m_output.GetFiles());
    if (!m_tcp.empty())
    {
        json.Add("tcp", ListTcp());
    }
    m_output.Close();
}

} // namespace ns3
