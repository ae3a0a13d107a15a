/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What switches do in the HPCC simulator and its forks, and in no other. */
#include "ns3-rdma-test-net.h"

#include <set>

using namespace ns3;

namespace
{

/// ENABLE_PFC 0: what is above the threshold is dropped and sent again, and nothing is paused.
void
WithoutPfc()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(4).Flow(1, 4, 2000000).Flow(2, 4, 2000000).Flow(3, 4, 2000000);
    t.config.bufferSize = 1000000;
    t.config.pfc = false;
    Ns3RdmaTestNet run(t);
    RccRunTo(1000000000);
    run.CheckDone(6000);
    RCC_CHECK_GE(run.net.GetSwitch(0)->GetDroppedPackets(3), 1, "drops");
    RCC_CHECK_EQ(run.net.GetSwitch(0)->GetMmu().resume_gap, 3072, "the offset of Xon of the HPCC simulator");
    for (uint32_t i = 1; i <= 4; i++)
    {
        RCC_CHECK_EQ(run.net.GetPort(0, i)->GetCounters().pausesSent, 0, "pauses");
    }
    Simulator::Destroy();
}

/// ACK_HIGH_PRIO 1: which class ACKs have in a switch.
void
AckPriority()
{
    struct Classes : public QbbFrameObserver
    {
        std::set<uint8_t> seen;
        void FrameSeen(QbbFrameEvent event, const QbbNetDevice&, const RccFrame& frame, int64_t) override
        {
            if (event == QbbFrameEvent::ENQUEUED && frame.kind == RccFrameKind::ACK)
            {
                seen.insert(frame.cls);
            }
        }
    };
    for (bool atHosts : {false, true})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 100000);
        t.config.ackHighPriority = true;
        t.config.ackPriorityAtHosts = atHosts;
        Ns3RdmaTestNet run(t);
        Classes host;
        Classes sw;
        run.net.GetPort(2, 1)->AddObserver(&host, QBB_OBSERVE_FRAMES);
        run.net.GetPort(0, 1)->AddObserver(&sw, QBB_OBSERVE_FRAMES);
        RccRunTo(10000000);
        run.CheckDone(100);
        const uint8_t high = run.net.GetPort(2, 1)->GetControlClass();
        RCC_CHECK(host.seen == std::set<uint8_t>{high}, "of the host");
        RCC_CHECK(sw.seen == std::set<uint8_t>{static_cast<uint8_t>(atHosts ? 3 : high)}, "of the switch: " << atHosts);
        run.net.GetPort(2, 1)->RemoveObserver(&host);
        run.net.GetPort(0, 1)->RemoveObserver(&sw);
        Simulator::Destroy();
    }
}

RccTestSuite g_ns3RdmaSwitchSuite("ns3-rdma-switch", {{"without PFC", WithoutPfc}, {"priority of ACKs", AckPriority}});

} // namespace
