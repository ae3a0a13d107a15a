/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Features of switches that only the HPCC simulator and its forks have. */
#include "ns3-rdma-test-net.h"

#include <set>

using namespace ns3;

namespace
{

/// Without PFC what is above the threshold is dropped and sent again, and nothing is paused.
void
WithoutPfc()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(4).Flow(1, 4, 2000000).Flow(2, 4, 2000000).Flow(3, 4, 2000000);
    t.Set("QbbSwitch", "BufferSize", "1000000").Lossless(0);
    Ns3RdmaTestNet run(t);
    RccRunTo(1000000000);
    run.CheckDone(6000);
    RCC_CHECK_GE(run.Switch(0)->GetDroppedPackets(3), 1, "drops");
    RCC_CHECK_EQ(run.Switch(0)->GetMmu().resume_gap, 3072, "the offset of Xon of the HPCC simulator");
    for (uint32_t i = 1; i <= 4; i++)
    {
        RCC_CHECK_EQ(run.Port(0, i)->GetCounters().pausesSent, 0, "pauses");
    }
}

/// ACKs of a high priority have the class of control frames in a switch, or that of the data.
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
        t.Set("RdmaNic", "AckHighPriority", "true").Set("QbbSwitch", "AnswersWithData", atHosts ? "true" : "false");
        Ns3RdmaTestNet run(t);
        Classes host;
        Classes sw;
        run.Port(2, 1)->AddObserver(&host, QBB_OBSERVE_FRAMES);
        run.Port(0, 1)->AddObserver(&sw, QBB_OBSERVE_FRAMES);
        RccRunTo(10000000);
        run.CheckDone(100);
        const uint8_t high = run.Port(2, 1)->GetControlClass();
        RCC_CHECK(host.seen == std::set<uint8_t>{high}, "of the host");
        RCC_CHECK(sw.seen == std::set<uint8_t>{static_cast<uint8_t>(atHosts ? 3 : high)}, "of the switch: " << atHosts);
        run.Port(2, 1)->RemoveObserver(&host);
        run.Port(0, 1)->RemoveObserver(&sw);
    }
}

RccTestSuite g_ns3RdmaSwitchSuite("ns3-rdma-switch", {{"without PFC", WithoutPfc}, {"priority of ACKs", AckPriority}});

} // namespace
