/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-link-faults.h"

#include "ns3/rcc-random.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// \return the bound below which RccDraw is with a probability
uint64_t
ThresholdOf(double probability)
{
    return static_cast<uint64_t>(probability * 4294967296.0 + 0.5);
}

} // namespace

int64_t
LabPauseLinks(const RdmaNic& nic, uint8_t classes, bool pause)
{
    int64_t half = INT64_MAX;
    for (uint32_t p = 0; p < nic.GetNPorts(); p++)
    {
        nic.GetPort(p)->SendPfc(classes, pause ? UINT16_MAX : 0, RccNow());
        half = std::min(half, nic.GetPort(p)->QuantaToNs(UINT16_MAX) / 2);
    }
    return half;
}

/// Gilbert's model: in the bad state all frames are picked, in the good one none. Their mean lengths give the
/// probability.
bool
LabLinkFaults::Picks(Active& active, const RunFault& fault)
{
    const uint64_t draw = RccDraw(active.stream, active.draws++);
    const double probability = static_cast<double>(fault.probability) / RCC_RATIO_ONE;
    if (fault.burst <= 1)
    {
        return draw < ThresholdOf(probability);
    }
    const double leave = 1.0 / fault.burst;
    const double enter = leave * probability / (1 - probability); // which the file's check bounds
    active.bad = active.bad ? draw >= ThresholdOf(leave) : draw < ThresholdOf(std::min(enter, 1.0));
    return active.bad;
}

void
LabLinkFaults::Apply(Active& active, const RunFault& fault, Fate& fate, int64_t now)
{
    m_faults.m_hits[active.number]++;
    switch (fault.kind)
    {
    case RunFaultKind::LOSE:
        fate.lose = true;
        break;
    case RunFaultKind::CORRUPT:
        fate.corrupt = true;
        break;
    case RunFaultKind::DUPLICATE:
        fate.duplicate = true;
        break;
    case RunFaultKind::DELAY:
        fate.late += fault.time;
        break;
    default: // SLOW_NP
        fate.late += std::max<int64_t>(active.next - now, 0);
        active.next = std::max(active.next, now) + fault.time;
        break;
    }
}

QbbLinkDisturbance::Fate
LabLinkFaults::FrameSent(uint32_t end, const RccFrame& frame, int64_t now)
{
    Fate fate;
    for (auto& active : m_active[end])
    {
        const RunFault& fault = m_faults.m_faults[active.number];
        const bool now_ = now >= fault.at && (fault.lasts < 0 || now - fault.at < fault.lasts);
        const bool kind = (fault.frames >> static_cast<uint32_t>(frame.kind)) & 1u;
        if (now_ && kind && (!fault.count || m_faults.m_hits[active.number] < fault.count) && Picks(active, fault))
        {
            Apply(active, fault, fate, now);
        }
        if (fate.lose)
        {
            break;
        }
    }
    return fate;
}

} // namespace ns3
