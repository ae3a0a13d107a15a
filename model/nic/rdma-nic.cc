/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-nic.h"

#include "rdma-intake.h"
#include "rdma-nic-parts.h"

#include "ns3/rcc-gateway.h"
#include "ns3/rcc-random.h"
#include "rcc-checker.h"
#include "rcc-late.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaNic");
NS_OBJECT_ENSURE_REGISTERED(RdmaNic);

namespace
{
const uint32_t MANY_QPS = 128; // from so many queue pairs on, frames on the host's link are announced to the NIC
} // namespace

TypeId
RdmaNic::GetTypeId()
{
    RccGateway::SetCloseReceiver([](uint32_t node, uint32_t qp, int64_t when) {
        NodeList::GetNode(node)->GetObject<RdmaNic>()->CloseReceiver(qp, when);
    });
    static TypeId tid =
        TypeId("ns3::RdmaNic")
            .SetParent<Object>()
            .SetGroupName("Rcc")
            .AddConstructor<RdmaNic>()
            .AddAttribute("Mtu", "Payload of a full packet, bytes.", UintegerValue(1000),
                          RccFix<RdmaNic>(MakeUintegerAccessor(&RdmaNic::m_mtu)),
                          MakeUintegerChecker<uint32_t>(1, 9000))
            .AddAttribute(
                "AckEvery",
                "Every n-th packet, and the last of a message, asks for an acknowledgement. With Recovery irn every "
                "packet does, whatever is set here.",
                UintegerValue(64), RccApply(MakeUintegerAccessor(&RdmaNic::m_ackEvery), &RdmaNic::ApplyLate),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "ChunkPackets",
                "Packets of a chunk; the last packet of each chunk asks for an acknowledgement as well; 0 = no chunks.",
                UintegerValue(0), RccApply(MakeUintegerAccessor(&RdmaNic::m_chunk), &RdmaNic::ApplyLate),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "BackToZero",
                "After a loss the sender goes back to the first packet of the chunk; false: to the missing packet. Of "
                "Recovery go-back-n only; selective and irn ignore it.",
                BooleanValue(false), RccApply(MakeBooleanAccessor(&RdmaNic::m_backToZero), &RdmaNic::ApplyLate),
                MakeBooleanChecker())
            .AddAttribute("Write", "Messages are RDMA WRITE, whose first packet has a RETH of 16 bytes; false: SEND.",
                          BooleanValue(false), RccFix<RdmaNic>(MakeBooleanAccessor(&RdmaNic::m_write)),
                          MakeBooleanChecker())
            .AddAttribute(
                "AckHighPriority", "ACK and NAK travel in ControlClass; false: in the class of the data they answer.",
                BooleanValue(true), RccApply(MakeBooleanAccessor(&RdmaNic::m_ackHighPriority), &RdmaNic::ApplyLate),
                MakeBooleanChecker())
            .AddAttribute(
                "Reliable",
                "Packets are acknowledged and lost ones sent again. False: datagrams, which are sent once and accepted "
                "whatever was lost before; for messages without end, and to be set at both ends.",
                BooleanValue(true), RccFix<RdmaNic>(MakeBooleanAccessor(&RdmaNic::m_reliable)), MakeBooleanChecker())
            .AddAttribute("RetransmissionTimeout",
                          "The sender goes back if a requested acknowledgement has not arrived after this time; the "
                          "default is InfiniBand's 4.096 us x 2^14. Recovery irn has RtoLow and RtoHigh instead.",
                          TimeValue(NanoSeconds(67108864)),
                          RccApply(MakeTimeAccessor(&RdmaNic::m_timeout), &RdmaNic::ApplyLate),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("BaseRtt",
                          "Round-trip time of the paths without queues, for algorithms with a congestion window; 0 = "
                          "the algorithm's own.",
                          TimeValue(NanoSeconds(0)), RccFix<RdmaNic>(MakeTimeAccessor(&RdmaNic::m_baseRtt)),
                          MakeTimeChecker(NanoSeconds(0), MilliSeconds(100)))
            .AddAttribute("RetransmissionBackoff",
                          "Each timeout in a row waits twice as long as the one before it, up to 128 times "
                          "RetransmissionTimeout; false: all are equally long, as with Recovery irn, which ignores it.",
                          BooleanValue(false), RccApply(MakeBooleanAccessor(&RdmaNic::m_backoff), &RdmaNic::ApplyLate),
                          MakeBooleanChecker())
            .AddAttribute(
                "MaxCnpPeriod",
                "Longest period field of a CNP that is accepted, ns; a CNP with a longer one is rejected (trace "
                "source FrameRejected).",
                UintegerValue(200000000), MakeUintegerAccessor(&RdmaNic::m_maxCnpPeriod),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("RetryLimit",
                          "Timeouts in a row, without an acknowledgement of new packets, after which the next one "
                          "ends the queue pair with an error (trace source QpFailed); 0 = no limit.",
                          UintegerValue(0), RccApply(MakeUintegerAccessor(&RdmaNic::m_retryLimit), &RdmaNic::ApplyLate),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("BucketSize",
                          "Depth of a queue pair's token bucket, bytes; 0 = no bucket, every packet leaves at the time "
                          "that its rate gives.",
                          UintegerValue(0), RccFix<RdmaNic>(MakeUintegerAccessor(&RdmaNic::m_bucketSize)),
                          MakeUintegerChecker<uint32_t>(0, 1u << 30))
            .AddAttribute("BucketInterval", "Interval at which the bucket receives tokens, in whole bytes.",
                          TimeValue(MicroSeconds(16)), RccFix<RdmaNic>(MakeTimeAccessor(&RdmaNic::m_bucketInterval)),
                          MakeTimeChecker(NanoSeconds(1), MilliSeconds(1)))
            .AddAttribute("BucketDebt",
                          "A packet leaves as soon as the bucket holds one token, and the bucket goes below zero; "
                          "false: it waits for as many tokens as it has bytes.",
                          BooleanValue(false), RccFix<RdmaNic>(MakeBooleanAccessor(&RdmaNic::m_bucketDebt)),
                          MakeBooleanChecker())
            .AddAttribute("PortsInTurn",
                          "Queue pairs to one host use the ports that lead there one after the other, so that a "
                          "message divided over as many is striped over them; false: each uses a port by its hash.",
                          BooleanValue(false), RccFix<RdmaNic>(MakeBooleanAccessor(&RdmaNic::m_portsInTurn)),
                          MakeBooleanChecker())
            .AddAttribute("ControlClass", "Class of ACK, NAK and, unless CnpClass says so, CNP.",
                          UintegerValue(QBB_CONTROL_CLASS),
                          RccApply(MakeUintegerAccessor(&RdmaNic::m_controlClass), &RdmaNic::ApplyLate),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES - 1))
            .AddAttribute("CnpClass", "Class of CNP; 8 = ControlClass.", UintegerValue(QBB_CLASSES),
                          RccApply(MakeUintegerAccessor(&RdmaNic::m_cnpClass), &RdmaNic::ApplyLate),
                          MakeUintegerChecker<uint8_t>(0, QBB_CLASSES));
    static const TypeId traced = AddTraceSources(AddIntake(AddRecovery(AddDelays(AddDscp(tid)))));
    return traced;
}

/// The attributes of what DSCPs say of classes.
TypeId
RdmaNic::AddDscp(TypeId tid)
{
    return tid
        .AddAttribute("DscpMap",
                      "Classes by DSCP, DSCP:CLASS or FIRST-LAST:CLASS joined by commas, of what is sent with a DSCP: "
                      "queue pairs, CNPs, ACKs. A DSCP that is not listed leaves the class that is set.",
                      StringValue(""), RccFix<RdmaNic>(MakeStringAccessor(&RdmaNic::m_dscps)),
                      RccMakeTextChecker(&QbbDscpMap::IsMap))
        .AddAttribute("AckDscp", "DSCP of ACK and NAK; 64 = 8 x class.", UintegerValue(RCC_DSCPS),
                      RccApply(MakeUintegerAccessor(&RdmaNic::m_ackDscp), &RdmaNic::ApplyLate),
                      MakeUintegerChecker<uint8_t>(0, RCC_DSCPS))
        .AddAttribute("CnpDscp", "DSCP of CNP; 64 = 8 x class.", UintegerValue(RCC_DSCPS),
                      RccApply(MakeUintegerAccessor(&RdmaNic::m_cnpDscp), &RdmaNic::ApplyLate),
                      MakeUintegerChecker<uint8_t>(0, RCC_DSCPS));
}

/// The attributes of what a NIC needs time for, and of the ingress meter.
TypeId
RdmaNic::AddDelays(TypeId tid)
{
    // a checker for each: ns-3's factories tell the attributes of a class apart by it
    const auto checker = [] { return MakeTimeChecker(NanoSeconds(0), Seconds(1)); };
    return tid
        .AddAttribute(
            "CnpPerDestination",
            "The least time between two CNPs (cnp_generation of DCQCN) is that of the CNPs to one node; false: "
            "of all CNPs of the NIC.",
            BooleanValue(false), RccFix<RdmaNic>(MakeBooleanAccessor(&RdmaNic::m_cnpPerDestination)),
            MakeBooleanChecker())
        .AddAttribute("CnpGenerationDelay", "From a CNP that is due to its transmission.", TimeValue(NanoSeconds(0)),
                      RccApply(MakeTimeAccessor(&RdmaNic::m_cnpGeneration), &RdmaNic::ApplyLate), checker())
        .AddAttribute("CnpReactionDelay", "From the arrival of a CNP to its effect on the reaction point.",
                      TimeValue(NanoSeconds(0)),
                      RccApply(MakeTimeAccessor(&RdmaNic::m_cnpReaction), &RdmaNic::ApplyLate), checker())
        .AddAttribute("NakGenerationDelay", "From the arrival of a packet behind a gap to the transmission of the NAK.",
                      TimeValue(NanoSeconds(0)),
                      RccApply(MakeTimeAccessor(&RdmaNic::m_nakGeneration), &RdmaNic::ApplyLate), checker())
        .AddAttribute("NakReactionDelay",
                      "From the arrival of a NAK to going back; until then the sender goes on as before.",
                      TimeValue(NanoSeconds(0)),
                      RccApply(MakeTimeAccessor(&RdmaNic::m_nakReaction), &RdmaNic::ApplyLate), checker())
        .AddAttribute("IngressMeterRate",
                      "Rate at which a virtual queue of arriving data drains. A packet that finds more than "
                      "IngressMeterDepth in it counts for the notification point as if it were marked: the NIC makes "
                      "CNPs of its own congestion. 0 = no meter.",
                      DataRateValue(DataRate(0)),
                      RccApply(MakeDataRateAccessor(&RdmaNic::m_meterRate), &RdmaNic::ApplyLate), MakeDataRateChecker())
        .AddAttribute("IngressMeterDepth", "Bytes that may wait in the ingress meter's queue.", UintegerValue(131072),
                      RccApply(MakeUintegerAccessor(&RdmaNic::m_meterDepth), &RdmaNic::ApplyLate),
                      MakeUintegerChecker<uint32_t>(1, 1u << 30));
}

void
RdmaNic::DoDispose()
{
    CountDelivered();
    m_parts->naks.Clear(*m_parts->shared.pool);
    m_parts->cnps.Clear(*m_parts->shared.pool);
    m_parts->sender.Clear();
    m_parts->receiver.Clear();
    for (const auto& intake : m_intakes)
    {
        intake->Clear();
    }
    m_parts->shared.ports.Clear();
    Object::DoDispose();
}

uint32_t
RdmaNic::AddPort(Ptr<QbbNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(!device || !device->GetNode(), "RdmaNic::AddPort: there is no device, or it is on no node");
    const uint32_t index = m_parts->shared.ports.Add(device);
    m_parts->shared.node = device->GetNode()->GetId();
    ApplyAttributes();
    device->SetOwner(this, index);
    return index;
}

void
RdmaNic::ApplyAttributes()
{
    const std::string why = CheckAttributes();
    NS_ABORT_MSG_IF(!why.empty(), "RdmaNic: " << why);
}

std::string
RdmaNic::CheckAttributes()
{
    m_parts->shared.bucket.size = m_bucketSize;
    m_parts->shared.bucket.interval = m_bucketInterval.ns;
    m_parts->shared.bucket.debt = m_bucketDebt;
    rcc_transport& t = m_parts->shared.transport;
    t.mtu = m_mtu;
    t.ack_every = m_ackEvery;
    t.chunk = m_chunk;
    t.retry_limit = m_retryLimit;
    t.timeout = m_timeout.ns;
    t.backoff = m_backoff;
    t.back_to_zero = m_backToZero;
    t.reliable = m_reliable;
    t.write = m_write;
    const uint8_t cnpClass = m_cnpClass < QBB_CLASSES ? m_cnpClass : m_controlClass;
    m_parts->shared.ack = AnswerOf(m_ackDscp, m_ackHighPriority ? m_controlClass : QBB_CLASSES);
    m_parts->shared.cnp = AnswerOf(m_cnpDscp, cnpClass);
    m_parts->shared.cnpPerDestination = m_cnpPerDestination;
    m_parts->shared.delays = {m_cnpGeneration.ns, m_cnpReaction.ns, m_nakGeneration.ns, m_nakReaction.ns,
                              m_nakEvery.ns};
    rcc_meter_set(&m_parts->shared.meter, m_meterRate.GetBitRate(), m_meterDepth);
    const char* const error = rcc_transport_check(&t);
    return error ? error : ApplyRecovery();
}

/// How answers with a DSCP are classified, which may have none. \param cls without the map
RdmaAnswer
RdmaNic::AnswerOf(uint8_t dscp, uint8_t cls) const
{
    RdmaAnswer answer;
    answer.cls = dscp < RCC_DSCPS ? m_dscps.GetClass(dscp, cls) : cls;
    answer.dscp = dscp < RCC_DSCPS ? dscp + 1 : 0;
    return answer;
}

void
RdmaNic::SetSeed(uint64_t seed)
{
    m_streams.SetSeed(seed);
    RestartDraws("SetSeed");
}

int64_t
RdmaNic::AssignStreams(int64_t stream)
{
    const int64_t used = m_streams.Assign(stream);
    RestartDraws("AssignStreams");
    return used;
}

/// \param dst node id of the receiver \param qp index of the send half \return what the streams give to it
RdmaDraws
RdmaNic::DrawsOf(uint32_t dst, uint32_t qp)
{
    const uint64_t user = m_streams.Id(m_parts->shared.node);
    const uint64_t seed = m_streams.Seed();
    const uint32_t hash = HashOf(seed, static_cast<uint32_t>(user), qp);
    return {m_portsInTurn ? m_parts->shared.ports.HashInTurn(dst, hash) : hash,
            RccStreamOf(seed, RccStream::REACTION_POINT, (user << 32) + qp)};
}

/// Give the present streams to the queue pairs that are open. \param call that changed the streams
void
RdmaNic::RestartDraws(const char* call)
{
    NS_ABORT_MSG_IF(m_parts->shared.counters.packetsSent,
                    "RdmaNic::" << call << " of node " << m_parts->shared.node << " after its first packet");
    if (!m_parts->sender.GetN())
    {
        return;
    }
    m_parts->shared.ports.ForgetTurns();
    for (uint32_t qp = 0; qp < m_parts->sender.GetN(); qp++)
    {
        if (m_parts->sender.HasHalf(qp))
        {
            m_parts->sender.Redraw(qp, DrawsOf(m_parts->sender.Get(qp).dst, qp));
        }
    }
    m_parts->sender.Reroute(RccNow());
}

uint32_t
RdmaNic::HashOf(uint64_t seed, uint32_t host, uint32_t index)
{
    const uint64_t id = (static_cast<uint64_t>(host) << 32) + index;
    return static_cast<uint32_t>(RccStreamOf(seed, RccStream::FLOW_HASH, id));
}

uint32_t
RdmaNic::Connect(Ptr<RdmaNic> from, Ptr<RdmaNic> to, Ptr<RccAlgorithm> algorithm, uint8_t cls, uint8_t dscp)
{
    NS_ABORT_MSG_IF(!from || !to || !algorithm, "RdmaNic::Connect: there is no " << (!from ? "sender"
                                                                                     : !to ? "receiver"
                                                                                           : "algorithm"));
    NS_ABORT_MSG_IF(!from->GetNPorts() || !to->GetNPorts(),
                    "RdmaNic::Connect: the " << (from->GetNPorts() ? "receiver" : "sender") << " has no port");
    const RdmaAnswer data = from->AnswerOf(dscp, cls);
    NS_ABORT_MSG_IF(cls >= QBB_CLASSES, "traffic class " << unsigned(cls) << " is above 7");
    for (const auto& nic : {from, to})
    {
        if (!nic->HasQueuePairs())
        {
            nic->ApplyIntake();
        }
        nic->ApplyAttributes();
        nic->m_parts->shared.local = nic->IsLocal();
    }
    NS_ABORT_MSG_IF(from->m_parts->shared.selective != to->m_parts->shared.selective ||
                        (from->m_parts->shared.selective &&
                         from->m_parts->shared.recovery->packets != to->m_parts->shared.recovery->packets),
                    "RdmaNic::Connect: the two ends have another Recovery or BitmapPackets");
    const uint32_t index = from->m_parts->sender.GetN();
    RdmaSender::Path path;
    path.dst = to->m_parts->shared.node;
    path.peer = &to->m_parts->receiver;
    path.cls = data.cls;
    path.dscp = data.dscp;
    path.draws = from->DrawsOf(path.dst, index);
    path.maxOverhead = from->GetMaxOverhead();
    path.rate = to->GetPort(0)->GetRate();
    path.baseRtt = from->m_baseRtt.ns;
    from->m_parts->sender.Open(path, algorithm);
    for (const auto& nic : {from, to})
    {
        if (nic->m_parts->sender.GetN() == MANY_QPS || nic->m_parts->receiver.GetN() == MANY_QPS)
        {
            nic->WatchForFrames();
        }
    }
    return index;
}

/// Have frames announced: the queue pairs do not fit into the cache any more.
void
RdmaNic::WatchForFrames() const
{
    for (uint32_t port = 0; port < GetNPorts(); port++)
    {
        const Ptr<QbbNetDevice> device = GetPort(port);
        const auto channel = DynamicCast<QbbChannel>(device->GetChannel());
        const Ptr<QbbNetDevice> peer = channel ? channel->GetPeer(PeekPointer(device)) : nullptr;
        if (peer)
        {
            peer->SetAnnounces(true);
        }
    }
}

void
RdmaNic::CloseReceiver(uint32_t qp, int64_t when)
{
    m_parts->receiver.CloseAt(qp, when, RccNow());
}

bool
RdmaNic::IsLocal() const
{
    return !RccGateway::Current() || RccGateway::IsLocal(*NodeList::GetNode(m_parts->shared.node));
}

RdmaRpState
RdmaNic::GetRpState(uint32_t qp)
{
    const rcc_rp* rp = m_parts->sender.Advance(qp, RccNow());
    if (IsConnected())
    {
        RecordReactionPoint(qp, rp, RdmaRpCause::READ);
    }
    return StateOf(rp);
}

const char*
RdmaNic::GetAlgorithmName(uint32_t qp) const
{
    return m_parts->sender.Get(qp).pacer.rp->profile->alg->name;
}

// ---------------------------------------------------------------- QbbPortOwner

/// A frame that is not accepted: of a queue pair that does not exist, with a field that cannot be true, or corrupted.
__attribute__((noinline)) void
RdmaNic::Reject(const RccFrame& frame)
{
    (frame.kind == RccFrameKind::CORRUPT ? m_parts->shared.counters.icrcErrors
                                         : m_parts->shared.counters.framesRejected)++;
    m_rejectTrace(frame);
}

void
RdmaNic::FrameArrived(uint32_t, RccFrame* frame, int64_t now)
{
    if (frame->kind != RccFrameKind::DATA || frame->dst != m_parts->shared.node ||
        frame->dstQp >= m_parts->receiver.GetN())
    {
        OtherArrived(frame, now);
        return;
    }
    m_parts->receiver.DataArrived(*frame, now); // nearly all frames, and a short way
    m_parts->shared.pool->PutPlain(frame);
}

void
RdmaNic::PrefetchArrival(uint32_t, const RccFrame& frame, uint32_t step)
{
    const bool data = frame.kind == RccFrameKind::DATA;
    const bool answer = !data && frame.kind < RccFrameKind::PFC; // a signal (CNP, CNM) counts as an answer
    if (answer && step == RCC_PREFETCH_AT_ONCE && frame.half && !RccFramePool::HasPath(frame))
    {
        const bool signal = frame.kind == RccFrameKind::CNP || frame.kind == RccFrameKind::CNM;
        signal ? frame.half->PrefetchSignal() : frame.half->Prefetch(); // without a wait for the table
    }
    else if (answer && (step == RCC_PREFETCH_ENTRY || step == RCC_PREFETCH_AT_ONCE))
    {
        m_parts->sender.Expect(frame.dstQp);
    }
    else if (data && step == RCC_PREFETCH_AT_ONCE)
    {
        m_parts->receiver.Expect(frame.dstQp);
    }
    else if (step == RCC_PREFETCH_OWNER)
    {
        RccFetch(&m_parts->shared.node);
        RccFetch(&m_parts->shared.counters);
        RccFetch(&m_parts->sender);
        RccFetch(&m_parts->receiver);
    }
    else if (step == RCC_PREFETCH_TABLE)
    {
        data ? m_parts->receiver.Expect(frame.dstQp) : m_parts->sender.PrefetchPlace(frame.dstQp);
    }
}

void
RdmaNic::PrefetchSend(uint32_t port, uint32_t step)
{
    switch (step)
    {
    case RCC_PREFETCH_OWNER:
        RccFetch(&m_parts->shared.node);
        RccFetch(&m_parts->shared.counters);
        RccFetch(&m_parts->sender);
        break;
    case RCC_PREFETCH_TABLE:
        m_parts->shared.ports.PrefetchPort(port);
        m_parts->sender.PrefetchPlace(0);
        break;
    case RCC_PREFETCH_ENTRY:
        m_parts->shared.ports.PrefetchHeap(port);
        break;
    default:
        m_parts->sender.PrefetchFirst(port);
    }
}

/// A frame that is not data of a queue pair here.
__attribute__((noinline)) void
RdmaNic::OtherArrived(RccFrame* frame, int64_t now)
{
    if (frame->dst == m_parts->shared.node || frame->dst == RCC_ALL_HOSTS)
    {
        HandleOther(frame, now);
    }
    m_parts->shared.pool->Put(frame);
}

inline void
RdmaNic::HandleOther(RccFrame* frame, int64_t now)
{
    if (frame->kind == RccFrameKind::IP)
    {
        IpArrived(frame);
        return;
    }
    const bool data = frame->kind == RccFrameKind::DATA || frame->kind == RccFrameKind::TRIMMED;
    const rcc_nic_kind kind = frame->kind == RccFrameKind::CNP       ? RCC_NIC_CNP
                              : data                                 ? RCC_NIC_DATA
                              : frame->kind == RccFrameKind::CORRUPT ? RCC_NIC_CORRUPT
                                                                     : RCC_NIC_ANSWER;
    const rcc_nic_limits limits = {m_parts->receiver.GetN(), m_parts->sender.GetN(), m_maxCnpPeriod};
    if (!rcc_nic_accepts(&limits, kind, frame->dstQp, frame->period))
    {
        Reject(*frame);
    }
    else if (!data)
    {
        AnswerArrived(*frame, now);
    }
    else if (frame->kind == RccFrameKind::TRIMMED)
    {
        m_parts->receiver.HeaderArrived(*frame, now);
    }
    else // data of a broadcast
    {
        m_parts->receiver.DataArrived(*frame, now);
    }
}

/// A NAK and a CNP take effect after the time that the NIC needs for them, other answers and signals at once.
void
RdmaNic::AnswerArrived(const RccFrame& frame, int64_t now)
{
    if (frame.kind == RccFrameKind::NAK && m_parts->shared.delays.nakReaction)
    {
        m_parts->naks.Add(m_parts->shared.pool->Copy(frame), m_parts->shared.delays.nakReaction, now);
    }
    else if (frame.kind == RccFrameKind::CNP && m_parts->shared.delays.cnpReaction)
    {
        m_parts->cnps.Add(m_parts->shared.pool->Copy(frame), m_parts->shared.delays.cnpReaction, now);
    }
    else
    {
        TakeEffect(frame, now);
    }
}

void
RdmaNic::TakeEffect(const RccFrame& frame, int64_t now)
{
    if (frame.kind == RccFrameKind::ACK || frame.kind == RccFrameKind::NAK)
    {
        m_parts->sender.AckArrived(frame, now);
    }
    else
    {
        m_parts->sender.SignalArrived(frame, now);
    }
}

void
RdmaNic::AnswerDue(void* nic, RccFrame* frame, int64_t now)
{
    auto self = static_cast<RdmaNic*>(nic);
    self->TakeEffect(*frame, now);
    self->m_parts->shared.pool->PutPlain(frame);
}

/// Frames may come in through any port; the address says whose stack they are for.
void
RdmaNic::IpArrived(RccFrame* frame)
{
    const uint32_t port = (frame->mac >> 32) & 0xff;
    const bool group = (frame->mac >> 40) & 1u;
    for (uint32_t p = 0; p < GetNPorts(); p++)
    {
        if (group || p == port)
        {
            GetPort(p)->ReceiveIp(frame, !group || p + 1 == GetNPorts());
        }
    }
}

void
RdmaNic::FrameLost(uint32_t port, RccFrame* frame, int64_t now)
{
    GetPort(port)->Dropped(*frame, now);
    m_parts->shared.pool->Put(frame);
}

} // namespace ns3
