/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-flow-report.h"

#include "rdma-path.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/rcc-units.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>

namespace ns3
{

namespace
{

const char HEADER[] = "source,destination,qp,algorithm,bytes,start_s,end_s,fct_s,goodput_bps,retransmitted,cnps,cnms,"
                      "ideal_s,slowdown,state\n";

const uint64_t PACKETS_COUNTED = 1 << 24; // packets of a message that has not ended; later ones are like the earlier
const uint64_t REPEATS = 10000; // multiples of AckEvery in which the rests of a nanosecond recur at usual rates
const uint64_t BLOCK_MAX = 1 << 22;

/**
 * RccIdealFct takes time for each packet, which nobody has spent on a message that has not ended. The part of a longer
 * one that it counts is followed by equal blocks.
 */
double
IdealOfLong(const std::vector<RccHop>& path, uint64_t bytes, uint32_t mtu, uint32_t ackEvery, uint32_t tagBytes,
            uint32_t rethBytes)
{
    const auto ideal = [&](uint64_t b) {
        return static_cast<double>(RccIdealFct(path, b, mtu, ackEvery, tagBytes, rethBytes)) / 1e9;
    };
    const uint64_t block =
        (ackEvery < BLOCK_MAX ? ackEvery * std::min(REPEATS, BLOCK_MAX / ackEvery) : BLOCK_MAX) * mtu;
    const uint64_t blocks = bytes / mtu > PACKETS_COUNTED && bytes / block > 2 ? bytes / block - 2 : 0;
    if (!blocks)
    {
        return ideal(bytes);
    }
    const uint64_t rest = bytes - blocks * block;
    const double first = ideal(rest);
    return first + static_cast<double>(blocks) * (ideal(rest + block) - first);
}

} // namespace

/// A NIC and its messages that have not ended.
class RdmaFlowReport::Host
{
  public:
    Host(RdmaFlowReport& report, Ptr<RdmaNic> nic, uint32_t node) : m_report(report), m_nic(nic), m_node(node)
    {
        m_nic->TraceConnectWithoutContext("MessageStart", MakeCallback(&Host::Start, this));
        m_nic->TraceConnectWithoutContext("MessageEnd", MakeCallback(&Host::End, this));
        m_nic->TraceConnectWithoutContext("QpClosed", MakeBoundCallback(&Host::CutShort, this, "closed"));
        m_nic->TraceConnectWithoutContext("QpFailed", MakeBoundCallback(&Host::CutShort, this, "failed"));
    }

    ~Host()
    {
        m_nic->TraceDisconnectWithoutContext("MessageStart", MakeCallback(&Host::Start, this));
        m_nic->TraceDisconnectWithoutContext("MessageEnd", MakeCallback(&Host::End, this));
        m_nic->TraceDisconnectWithoutContext("QpClosed", MakeBoundCallback(&Host::CutShort, this, "closed"));
        m_nic->TraceDisconnectWithoutContext("QpFailed", MakeBoundCallback(&Host::CutShort, this, "failed"));
    }

    Ptr<RdmaNic> GetNic() const
    {
        return m_nic;
    }

    /// Rows of what still runs.
    void Finish()
    {
        const int64_t now = m_nic->GetNSendQps() ? RccNow() : 0; // after Simulator::Destroy there is no time
        for (auto& qp : m_open)
        {
            for (const Message& m : qp.second)
            {
                Row(qp.first, m, "running", now);
            }
        }
        m_open.clear();
    }

  private:
    struct Message
    {
        uint64_t bytes;
        int64_t start; //!< ns
        uint64_t una;  //!< the queue pair's counters then
        uint64_t again;
        uint64_t cnps, cnms;
        uint32_t dst;
        std::string algorithm;
    };

    void Start(uint32_t index, uint64_t bytes)
    {
        const RdmaSendQp& qp = m_nic->GetSendQp(index);
        m_open[index].push_back(Message{bytes, RccNow(), qp.tx.ring[(qp.tx.posted - 1) & qp.tx.mask].begin,
                                        qp.packetsSent - qp.tx.highest, qp.cnpsReceived, qp.cnmsReceived, qp.dst,
                                        m_nic->GetAlgorithmName(index)});
    }

    void End(uint32_t index, uint64_t, int64_t ns)
    {
        auto messages = m_open.find(index);
        if (messages == m_open.end() || messages->second.front().start != RccNow() - ns)
        {
            return; // it began before Install
        }
        Row(index, messages->second.front(), "done", RccNow());
        messages->second.pop_front();
        if (messages->second.empty())
        {
            m_open.erase(messages);
        }
    }

    /// The messages of a queue pair end without being complete.
    static void CutShort(Host* self, const char* state, uint32_t index)
    {
        for (const Message& m : self->m_open[index])
        {
            self->Row(index, m, state, RccNow());
        }
        self->m_open.erase(index);
    }

    void Row(uint32_t index, const Message& m, const char* state, int64_t now)
    {
        std::FILE* out = m_report.m_file;
        m_report.m_rows++;
        std::fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu64 ",%.9f,", m_node, m.dst, index,
                     m.algorithm.c_str(), m.bytes, RccSeconds(m.start));
        if (m_nic->GetNSendQps() <= index)
        {
            std::fprintf(out, ",,,,,,,,%s\n", state); // the simulation was destroyed
            return;
        }
        const RdmaSendQp& qp = m_nic->GetSendQp(index);
        const bool done = std::strcmp(state, "done") == 0;
        const uint64_t packets = qp.tx.una > m.una ? qp.tx.una - m.una : 0;
        const uint64_t acked =
            done || (m.bytes && packets * m_nic->GetMtu() > m.bytes) ? m.bytes : packets * m_nic->GetMtu();
        const int64_t took = now - m.start;
        if (done)
        {
            std::fprintf(out, "%.9f,%.9f,", RccSeconds(now), RccSeconds(took));
        }
        else
        {
            std::fprintf(out, ",,");
        }
        std::fprintf(out, "%.9g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
                     took > 0 ? static_cast<double>(acked) * 8 / RccSeconds(took) : 0.0,
                     qp.packetsSent - qp.tx.highest - m.again, qp.cnpsReceived - m.cnps, qp.cnmsReceived - m.cnms);
        const std::vector<RccHop> path = m.bytes ? RdmaPathOf(*m_nic, qp) : std::vector<RccHop>();
        if (path.empty())
        {
            std::fprintf(out, ",,%s\n", state);
            return;
        }
        UintegerValue ackEvery;
        m_nic->GetAttribute("AckEvery", ackEvery);
        const auto every = static_cast<uint32_t>(ackEvery.Get());
        const uint32_t tag = m_nic->GetPort(qp.portIndex)->GetVlanBytes(), reth = m_nic->GetRethBytes();
        if (!done)
        {
            std::fprintf(out, "%.9f,,%s\n", IdealOfLong(path, m.bytes, m_nic->GetMtu(), every, tag, reth), state);
            return;
        }
        const int64_t ideal = RccIdealFct(path, m.bytes, m_nic->GetMtu(), every, tag, reth);
        std::fprintf(out, "%.9f,%.6g,%s\n", RccSeconds(ideal), static_cast<double>(took) / static_cast<double>(ideal),
                     state);
    }

    RdmaFlowReport& m_report;
    Ptr<RdmaNic> m_nic;
    uint32_t m_node;
    std::map<uint32_t, std::deque<Message>> m_open; //!< by queue pair; messages of one end in their order
};

RdmaFlowReport::RdmaFlowReport(const std::string& fileName)
    : m_fileName(fileName),
      m_file(std::fopen(fileName.c_str(), "w"))
{
    NS_ABORT_MSG_IF(!m_file, "cannot write " << fileName << ": " << std::strerror(errno));
    std::fputs(HEADER, m_file);
}

RdmaFlowReport::~RdmaFlowReport()
{
    const std::string why = Close();
    if (!why.empty())
    {
        std::cerr << "rcc: warning: " << why << std::endl;
    }
}

void
RdmaFlowReport::Install(const NodeContainer& nodes)
{
    NS_ABORT_MSG_IF(!m_file, "RdmaFlowReport::Install after Close");
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Ptr<RdmaNic> nic = (*i)->GetObject<RdmaNic>();
        const bool known = std::any_of(m_hosts.begin(), m_hosts.end(),
                                       [nic](const std::unique_ptr<Host>& host) { return host->GetNic() == nic; });
        if (nic && !known)
        {
            m_hosts.emplace_back(new Host(*this, nic, (*i)->GetId()));
        }
    }
}

std::string
RdmaFlowReport::Close()
{
    if (!m_file)
    {
        return "";
    }
    for (auto& host : m_hosts)
    {
        host->Finish();
    }
    m_hosts.clear();
    const bool bad = std::ferror(m_file) != 0;
    const int status = std::fclose(m_file);
    m_file = nullptr;
    return bad || status != 0 ? "cannot write " + m_fileName + ": " + std::strerror(errno) : "";
}

} // namespace ns3
