/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-classes.h"

namespace ns3
{

TestbedClasses::TestbedClasses(const RccTestbed& testbed)
{
    for (const auto& nic : testbed.GetHosts())
    {
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            nic->GetPort(p)->TraceConnectWithoutContext("Receive",
                                                        MakeBoundCallback(&TestbedClasses::HandleReceive, this));
        }
    }
    for (const auto& sw : testbed.GetSwitches())
    {
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            sw->GetPort(p)->TraceConnectWithoutContext("Drop", MakeBoundCallback(&TestbedClasses::HandleDrop, this));
            sw->GetPort(p)->TraceConnectWithoutContext("PfcSent",
                                                       MakeBoundCallback(&TestbedClasses::HandlePause, this));
        }
    }
}

void
TestbedClasses::HandleReceive(TestbedClasses* self, const RccFrame& frame)
{
    Count& count = self->m_counts[frame.cls];
    count.data += frame.kind == RccFrameKind::DATA ? 1 : 0;
    count.marked += frame.kind == RccFrameKind::DATA && frame.ecn == RccEcn::CE ? 1 : 0;
    count.acks += frame.kind == RccFrameKind::ACK ? 1 : 0;
    count.cnps += frame.kind == RccFrameKind::CNP ? 1 : 0;
    self->m_counts[frame.dataClass].naks += frame.kind == RccFrameKind::NAK ? 1 : 0;
}

void
TestbedClasses::HandleDrop(TestbedClasses* self, const RccFrame& frame)
{
    self->m_counts[frame.cls].drops += frame.kind == RccFrameKind::DATA ? 1 : 0;
}

void
TestbedClasses::HandlePause(TestbedClasses* self, uint8_t cls, uint16_t quanta)
{
    self->m_counts[cls].pauses += quanta ? 1 : 0;
}

RccJson
TestbedClasses::List() const
{
    RccJson list('[');
    for (uint32_t cls = 0; cls < QBB_CLASSES; cls++)
    {
        const Count& c = m_counts[cls];
        if (c.data + c.acks + c.naks + c.cnps + c.drops + c.pauses == 0)
        {
            continue;
        }
        list.Add("", RccJson()
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

} // namespace ns3
