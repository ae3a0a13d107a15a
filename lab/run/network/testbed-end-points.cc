/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-end-points.h"

#include "ns3/node.h"
#include "ns3/rcc-units.h"

#include <algorithm>

namespace ns3
{

namespace
{

const uint16_t QUANTA = 65535; // the longest pause; one that is over is taken back

} // namespace

TestbedEndPoints::TestbedEndPoints(const RunFile& file, LabRun& run, const LabNetwork& testbed)
{
    for (const auto& lose : file.losses)
    {
        AddLoss(testbed, lose);
    }
    for (size_t i = 0; i < file.pauses.size(); i++)
    {
        run.WarnIfNever("pause " + std::to_string(i), file.pauses[i].start);
        AddPauses(testbed, file.pauses[i]);
    }
    if (!m_losses.empty())
    {
        WatchGaps(testbed);
    }
}

void
TestbedEndPoints::AddLoss(const LabNetwork& testbed, const RunLose& lose)
{
    const uint64_t packet = lose.packet;
    Ptr<RdmaNic> nic = testbed.GetNic(lose.node);
    const uint32_t src = nic->GetObject<Node>()->GetId();
    for (const auto& loss : m_losses)
    {
        if (loss->src == src)
        {
            loss->packets[packet];
            return;
        }
    }
    m_losses.emplace_back(new Loss);
    m_losses.back()->src = src;
    m_losses.back()->packets[packet];
    for (uint32_t p = 0; p < nic->GetNPorts(); p++)
    {
        DynamicCast<QbbChannel>(nic->GetPort(p)->GetChannel())->SetDisturbance(m_losses.back().get());
    }
}

QbbLinkDisturbance::Fate
TestbedEndPoints::Loss::FrameSent(uint32_t, const RccFrame& frame, int64_t)
{
    Fate fate;
    if (frame.kind == RccFrameKind::DATA && frame.src == src)
    {
        const auto chosen = packets.find(frame.psn);
        fate.lose = chosen != packets.end() && chosen->second.insert(frame.srcQp).second;
    }
    lost += fate.lose;
    return fate;
}

void
TestbedEndPoints::AddPauses(const LabNetwork& testbed, const RunPause& pause)
{
    m_pauses.emplace_back(new Pauses);
    Pauses& p = *m_pauses.back();
    p.device = testbed.GetNic(pause.node)->GetPort(0);
    p.start = pause.start;
    p.stop = pause.stop;
    p.every = pause.every;
    p.until = -1;
    p.classes = static_cast<uint8_t>(1u << pause.cls);
    p.lasts = static_cast<int64_t>(static_cast<double>(p.every) * static_cast<double>(pause.share) / RCC_RATIO_ONE);
    p.event.Bind(&Pauses::Step, &p);
    p.event.At(p.start, 0);
}

/// Xoff at the begin of a period, again before it expires, and Xon after its share.
void
TestbedEndPoints::Pauses::Step(void* pauses, int64_t now)
{
    auto p = static_cast<Pauses*>(pauses);
    const bool over = p->stop >= 0 && now >= p->stop;
    if (over || (p->until == now && p->lasts < p->every))
    {
        p->device->SendPfc(p->classes, 0, now);
        p->until = -1;
        if (!over)
        {
            p->event.At(now + p->every - p->lasts, now);
        }
        return;
    }
    p->device->SendPfc(p->classes, QUANTA, now);
    p->until = p->until <= now ? now + p->lasts : p->until;
    int64_t next = std::min(p->until, now + p->device->QuantaToNs(QUANTA) / 2);
    next = p->stop >= 0 ? std::min(next, p->stop) : next;
    p->event.At(next, now);
}

// ---------------------------------------------------------------- gaps

void
TestbedEndPoints::WatchGaps(const LabNetwork& testbed)
{
    for (const auto& nic : testbed.GetHosts())
    {
        m_gaps.emplace_back(new Gaps);
        for (const char* source : {"Deliver", "Discard"})
        {
            nic->TraceConnectWithoutContext(source, MakeBoundCallback(&Gaps::HandleData, m_gaps.back().get()));
        }
    }
}

/// A packet, whether it is discarded or placed: it opens a gap if those before it are missing, and closes the one that
/// it is the first of. Others are duplicates, or come in order.
void
TestbedEndPoints::Gaps::HandleData(Gaps* gaps, uint32_t qp, const RccFrame& frame)
{
    Half& half = gaps->halves[qp];
    const auto gap = half.open.find(frame.psn);
    if (gap != half.open.end())
    {
        gaps->lasted.push_back(RccNow() - gap->second);
        half.open.erase(gap);
    }
    else if (frame.psn > half.next)
    {
        half.open.emplace(half.next, RccNow());
    }
    half.next = std::max(half.next, frame.psn + 1);
}

uint64_t
TestbedEndPoints::CountUnsent() const
{
    uint64_t packets = 0;
    for (const auto& loss : m_losses)
    {
        for (const auto& packet : loss->packets)
        {
            packets += packet.second.empty();
        }
    }
    return packets;
}

void
TestbedEndPoints::AddResults(LabJson& json) const
{
    if (m_losses.empty())
    {
        return;
    }
    LabJson list('[');
    for (const auto& gaps : m_gaps)
    {
        for (int64_t ns : gaps->lasted)
        {
            list.Add("", RccSeconds(ns));
        }
    }
    uint64_t lost = 0;
    for (const auto& loss : m_losses)
    {
        lost += loss->lost;
    }
    json.Add("frames_lost", lost).Add("retransmission_s", list);
}

} // namespace ns3
