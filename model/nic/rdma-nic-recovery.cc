/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RdmaNic: how lost packets are repeated. */
#include "rcc-checker.h"
#include "rcc-late.h"
#include "rdma-nic-parts.h"
#include "rdma-nic.h"

#include "ns3/abort.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

namespace
{
enum : uint8_t
{
    GO_BACK_N,
    SELECTIVE,
    IRN,
    N_RECOVERIES
};

const char* const RECOVERIES[N_RECOVERIES] = {"go-back-n", "selective", "irn"};

bool
IsRecovery(const std::string& text)
{
    return std::find(RECOVERIES, RECOVERIES + N_RECOVERIES, text) != RECOVERIES + N_RECOVERIES;
}

/// A power of two; the checker of integers knows the range.
bool
IsBitmap(const AttributeValue& value)
{
    const uint64_t packets = dynamic_cast<const UintegerValue&>(value).Get();
    return (packets & (packets - 1)) == 0;
}
} // namespace

/// The attributes of what is repeated, and when.
TypeId
RdmaNic::AddRecovery(TypeId tid)
{
    // a checker for each: ns-3's factories tell the attributes of a class apart by it
    const auto timeout = [] { return MakeTimeChecker(NanoSeconds(1)); };
    return tid
        .AddAttribute(
            "Recovery",
            "How a loss is repeated, the same at both ends. go-back-n: the lost packet and all after it, which the "
            "receiver discards. selective: what is missing, once per round trip; the receiver places packets out of "
            "order and answers with a bitmap. irn: selective with the rules of IRN: an answer for each packet, at most "
            "one bandwidth-delay product (BaseRtt) in flight, timeouts of RtoLow and RtoHigh.",
            StringValue(RECOVERIES[GO_BACK_N]),
            RccFix<RdmaNic>(MakeStringAccessor(&RdmaNic::SetRecovery, &RdmaNic::GetRecovery)),
            RccMakeTextChecker(&IsRecovery))
        .AddAttribute(
            "BitmapPackets",
            "Packets that the bitmaps of selective and irn span, which bound what is in flight: a power of "
            "two from 64 to 65536, the same at both ends.",
            UintegerValue(512), RccFix<RdmaNic>(MakeUintegerAccessor(&RdmaNic::m_bitmapPackets)),
            Ptr<const AttributeChecker>(
                new RccChecker(MakeUintegerChecker<uint32_t>(RCC_SELECTIVE_PACKETS_MIN, RCC_SELECTIVE_PACKETS_MAX),
                               &IsBitmap, ", a power of two"),
                false))
        .AddAttribute("ReorderPackets",
                      "Packets of selective and irn that may overtake one that is not lost, for paths that reorder; 0 "
                      "= a packet is lost when a later one has arrived.",
                      UintegerValue(0), RccApply(MakeUintegerAccessor(&RdmaNic::m_reorderPackets), &RdmaNic::ApplyLate),
                      MakeUintegerChecker<uint32_t>(0, RCC_SELECTIVE_PACKETS_MAX - 1))
        .AddAttribute("RtoLow", "Timeout of irn with at most RtoLowPackets in flight.", TimeValue(MicroSeconds(100)),
                      RccApply(MakeTimeAccessor(&RdmaNic::m_rtoLow), &RdmaNic::ApplyLate), timeout())
        .AddAttribute("RtoHigh", "Timeout of irn with more in flight, in place of RetransmissionTimeout.",
                      TimeValue(MicroSeconds(320)),
                      RccApply(MakeTimeAccessor(&RdmaNic::m_rtoHigh), &RdmaNic::ApplyLate), timeout())
        .AddAttribute("RtoLowPackets", "Packets in flight up to which irn waits for RtoLow only; 0 = never.",
                      UintegerValue(3), RccApply(MakeUintegerAccessor(&RdmaNic::m_fewPackets), &RdmaNic::ApplyLate),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("NakEvery",
                      "Time after which go-back-n answers another packet behind the same gap with another NAK, as the "
                      "simulator of HPCC does after 500 us; 0 = one NAK for each gap (InfiniBand).",
                      TimeValue(NanoSeconds(0)), RccApply(MakeTimeAccessor(&RdmaNic::m_nakEvery), &RdmaNic::ApplyLate),
                      MakeTimeChecker(NanoSeconds(0), Seconds(1000)));
}

void
RdmaNic::SetRecovery(std::string name)
{
    m_recovery = static_cast<uint8_t>(std::find(RECOVERIES, RECOVERIES + N_RECOVERIES, name) - RECOVERIES);
}

std::string
RdmaNic::GetRecovery() const
{
    return RECOVERIES[m_recovery];
}

/// Apply it after the other attributes of the transport, some of which a recovery replaces. \return empty, or why they
/// do not go together
std::string
RdmaNic::ApplyRecovery()
{
    rcc_transport& t = m_parts->shared.transport;
    const bool irn = m_recovery == IRN;
    m_parts->shared.selective = m_recovery != GO_BACK_N;
    if (!m_parts->shared.selective)
    {
        return "";
    }
    if (!m_parts->shared.recovery)
    {
        m_parts->shared.recovery.reset(new rcc_selective());
    }
    rcc_selective& s = *m_parts->shared.recovery;
    rcc_selective_preset(&s, &t, irn ? "irn" : "nic");
    s.packets = m_bitmapPackets;
    s.reorder = m_reorderPackets;
    if (s.reorder)
    {
        s.infer = true;
        s.naks = irn ? s.naks : RCC_GAP_SILENT; // irn answers each packet anyway
    }
    if (irn)
    {
        t.timeout = m_rtoHigh.ns;
        s.few = m_fewPackets;
        s.rto_low = m_rtoLow.ns;
    }
    const char* const error = rcc_selective_check(&s, &t);
    return error ? std::string("Recovery ") + RECOVERIES[m_recovery] + ": " + error : "";
}

} // namespace ns3
