/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A frame's way through a CioqSwitch: input, fabric, output, congestion points. */
#include "cioq-switch.h"
#include "ns3/rcc-random.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CioqSwitchFrames");

// ---------------------------------------------------------------- input

/// The ports a destination is reached through; null if there is none.
const uint32_t*
CioqSwitch::Outputs(uint32_t destination, uint32_t& count) const
{
    if (const Route* route = m_routes.Find(destination))
    {
        count = route->count;
        return m_routes.GetPorts(*route);
    }
    auto group = m_groups.find(destination);
    count = group == m_groups.end() ? 0 : static_cast<uint32_t>(group->second.size());
    return count ? group->second.data() : nullptr;
}

/// A record of a frame that arrived at an input.
CioqRecord*
CioqSwitch::NewRecord(const RccFrame* frame, uint32_t input)
{
    if (m_freeRecords.empty())
    {
        m_records.emplace_back();
        m_freeRecords.push_back(&m_records.back());
    }
    CioqRecord& r = *m_freeRecords.back();
    m_freeRecords.pop_back();
    r = CioqRecord();
    r.flow = (static_cast<uint64_t>(frame->src) << 32) | frame->srcQp;
    r.bytes = frame->bytes;
    r.src = frame->src;
    r.srcQp = frame->srcQp;
    r.tag = frame->tag;
    r.dst = frame->dst;
    r.hash = frame->hash;
    r.parent = &r;
    r.input = static_cast<uint16_t>(input);
    r.listed = frame->cnTagged;
    return &r;
}

void
CioqSwitch::FrameArrived(uint32_t port, RccFrame* frame, int64_t now)
{
    NS_ABORT_MSG_IF(!m_started, "CioqSwitch: a frame arrived before Start, or Start refused the configuration");
    uint32_t count = 0;
    const uint32_t* outputs = Outputs(frame->dst, count);
    const bool stored = frame->cls == m_run.cls;
    if (!outputs && frame->dst == RCC_ALL_HOSTS)
    {
        Flood(port, frame, now);
        return;
    }
    if (!outputs || (stored && m_ports[port]->in.buffer.bytes + frame->bytes > m_run.inputBuffer))
    {
        Drop(port, frame, now);
        return;
    }
    frame->input = static_cast<uint16_t>(port);
    CioqRecord* record = stored ? NewRecord(frame, port) : nullptr;
    frame->record = record;
    if (stored)
    {
        record->copies = count;
        Admit(*m_ports[port], frame, now);
    }
    for (uint32_t i = 0; i < count; i++)
    {
        RccFrame* copy = i + 1 < count ? m_pool->Copy(*frame) : frame;
        if (stored)
        {
            copy->record = count > 1 ? NewRecord(copy, port) : record;
            copy->record->parent = record;
            copy->record->output = static_cast<uint16_t>(outputs[i]);
            Store(copy, now);
        }
        else
        {
            m_ports[outputs[i]]->device->Enqueue(copy, now);
        }
    }
}

/// A frame joins an input buffer.
void
CioqSwitch::Admit(Port& input, const RccFrame* frame, int64_t now)
{
    NS_ABORT_MSG_IF(frame->bytes > m_maxFrame,
                    "a frame of " << frame->bytes << " bytes is larger than the switch's MaxFrame of " << m_maxFrame);
    const uint64_t before = input.in.buffer.bytes;
    rcc_cioq_add(&input.in.buffer, frame->record);
    m_inputBytesTrace(input.index, before, input.in.buffer.bytes);
    if (input.inPoint.cp && frame->cnTagged)
    {
        Sample(input.in.buffer, input.inPoint, frame->record, frame->bytes, now);
    }
    if (!rcc_cioq_must_stop(&input.in))
    {
        return;
    }
    NS_LOG_INFO("port " << input.index << ": the upstream is asked to stop at " << input.in.buffer.bytes << " bytes");
    m_stops++;
    Pause(input, now);
    if (m_run.keepAlive && m_run.atInputs)
    {
        KeepAliveAfter(input, now);
    }
}

/// Put a frame into its VOQ and ask for a grant.
void
CioqSwitch::Store(RccFrame* frame, int64_t now)
{
    const CioqRecord& r = *frame->record;
    Port& input = *m_ports[r.input];
    Port& output = *m_ports[r.output];
    if (input.voqs.empty())
    {
        input.voqs.resize(m_ports.size());
    }
    std::unique_ptr<Voq>& voq = input.voqs[r.output];
    if (!voq)
    {
        voq.reset(new Voq);
        voq->input = r.input;
    }
    const bool requests = !voq->frames.IsEmpty();
    voq->frames.Push(frame);
    if (!requests)
    {
        voq->head_bytes = frame->bytes;
        rcc_cioq_request(&output.out, voq.get());
        Arbitrate(output, now);
    }
}

/// The bytes of a record's frame need not be kept at the input any more.
void
CioqSwitch::ReleaseInput(CioqRecord* record, int64_t now)
{
    CioqRecord* parent = record->parent;
    if (--parent->copies > 0)
    {
        return;
    }
    Port& p = *m_ports[parent->input];
    const uint64_t before = p.in.buffer.bytes;
    rcc_cioq_remove(&p.in.buffer, parent);
    m_inputBytesTrace(p.index, before, p.in.buffer.bytes);
    if (parent != record)
    {
        m_freeRecords.push_back(parent);
    }
    if (rcc_cioq_may_go(&p.in))
    {
        p.refresh.Disarm();
        p.clock.Disarm();
        p.device->SendPfc(1u << m_run.cls, 0, now);
    }
}

void
CioqSwitch::Pause(Port& port, int64_t now)
{
    port.device->SendPfc(1u << m_run.cls, m_pauseQuanta, now);
    port.refresh.At(now + RefreshAfter(port.index, m_pauseQuanta), now);
}

void
CioqSwitch::Refresh(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    p->self->Pause(*p, now);
}

/// Arm the clock of a stopped input.
void
CioqSwitch::KeepAliveAfter(Port& port, int64_t now)
{
    const double seconds =
        static_cast<double>(m_run.keepAliveBytes) * 8 / static_cast<double>(GetPeer(port.index)->GetRate());
    port.clock.At(now + std::llround(seconds * 1e9), now);
}

void
CioqSwitch::KeepAlive(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    p->self->Sample(p->in.buffer, p->inPoint, nullptr, p->self->m_run.keepAliveBytes, now);
    p->self->KeepAliveAfter(*p, now);
}

// ---------------------------------------------------------------- fabric

/// Send into the fabric what the output grants, a frame from each VOQ in turn.
void
CioqSwitch::Arbitrate(Port& output, int64_t now)
{
    while (rcc_cioq_voq* granted = rcc_cioq_grant(&output.out))
    {
        auto voq = static_cast<Voq*>(granted);
        RccFrame* frame = voq->frames.Pop();
        if (!voq->frames.IsEmpty())
        {
            voq->head_bytes = voq->frames.Head()->bytes;
            rcc_cioq_request(&output.out, voq);
        }
        Port& input = *m_ports[voq->input];
        input.granted.Push(frame, rcc_cioq_enter(&input.fabric, now, frame->bytes), now);
    }
}

void
CioqSwitch::Entered(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    CioqSwitch* self = p->self;
    while (RccFrame* frame = p->granted.PopDue(now))
    {
        p->flying.Push(frame, now + self->m_run.latency, now);
        if (!self->m_run.reliable)
        {
            self->ReleaseInput(frame->record, now);
        }
    }
}

// ---------------------------------------------------------------- output

void
CioqSwitch::Landed(void* port, int64_t now)
{
    auto p = static_cast<Port*>(port);
    CioqSwitch* self = p->self;
    while (RccFrame* frame = p->flying.PopDue(now))
    {
        Port& output = *self->m_ports[frame->record->output];
        rcc_cioq_land(&output.out, frame->record);
        if (output.outPoint.cp && frame->cnTagged)
        {
            self->Sample(output.out.buffer, output.outPoint, frame->record, frame->bytes, now);
        }
        output.device->Enqueue(frame, now);
    }
}

void
CioqSwitch::FrameLeaves(uint32_t port, RccFrame* frame, int64_t now)
{
    CioqRecord* record = frame->record;
    if (!record)
    {
        return; // the frame is of another class, or was made here
    }
    Port& output = *m_ports[port];
    rcc_cioq_remove(&output.out.buffer, record);
    if (m_run.reliable)
    {
        ReleaseInput(record, now);
    }
    m_freeRecords.push_back(record);
    frame->record = nullptr;
    Arbitrate(output, now);
}

void
CioqSwitch::FrameLost(uint32_t port, RccFrame* frame, int64_t now)
{
    FrameLeaves(port, frame, now);
    Drop(port, frame, now);
}

// ---------------------------------------------------------------- congestion points

/**
 * Show a congestion point `bytes` that arrived, and notify if it asks for it.
 * \param arrived record of the frame that brought them; null: the clock did
 */
void
CioqSwitch::Sample(rcc_cioq_buffer& buffer, CongestionPoint& point, CioqRecord* arrived, uint32_t bytes, int64_t now)
{
    rcc_cnm cnm = {};
    if (rcc_cp_enqueued(point.cp, buffer.bytes, bytes, &cnm) != RCC_CP_NOTIFY)
    {
        return;
    }
    const rcc_cioq_record* culprit = m_run.sampling == ARRIVAL ? arrived
                                     : m_run.sampling == DETERMINISTIC
                                         ? rcc_cioq_fullest(&buffer)
                                         : rcc_cioq_random(&buffer, &RccDraw, point.stream, &point.draws);
    if (culprit)
    {
        SendCnm(*static_cast<const CioqRecord*>(culprit), cnm, now);
    }
}

void
CioqSwitch::SendCnm(const CioqRecord& culprit, const rcc_cnm& cnm, int64_t now)
{
    RccFrame* f = NewCnm(culprit, cnm);
    f->input = culprit.input;
    m_cnmsDue.Push(f, now + m_run.cnmDelay, now);
}

void
CioqSwitch::CnmDue(void* selfPtr, int64_t now)
{
    auto self = static_cast<CioqSwitch*>(selfPtr);
    while (RccFrame* f = self->m_cnmsDue.PopDue(now))
    {
        uint32_t count = 0;
        const uint32_t* outputs = self->Outputs(f->dst, count);
        if (!outputs)
        {
            self->Drop(f->input, f, now);
            continue;
        }
        self->m_cnms++;
        self->m_cnmSentTrace(outputs[0], *f);
        self->m_ports[outputs[0]]->device->Enqueue(f, now);
    }
}

} // namespace ns3
