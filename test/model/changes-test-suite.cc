/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Changes in the middle of a run: links and queues of a CioqSwitch, attributes, nodes that are disposed. */
#include "cioq-test-net.h"

#include "ns3/pointer.h"
#include "ns3/rdma-client.h"

#include <algorithm>
#include <utility>

using namespace ns3;

namespace
{

/// Ten frames for a host that pauses the switch: some wait at the output, the others at the input.
void
FillCioq(RccTestCioq& bench, const char* reliable)
{
    bench.Set("OutputBuffer", "3000");
    bench.Set("Reliable", reliable);
    RCC_CHECK_EQ(bench.Build(2), "", "");
    bench.Block(1, true);
    RccRunTo(10000);
    for (uint64_t n = 0; n < 10; n++)
    {
        bench.Send(0, 1, 1000, n);
    }
    RccRunTo(100000);
    RCC_CHECK_EQ(bench.sw->GetOutputBytes(1), 3000, "");
}

void
CheckEmpty(const RccTestCioq& bench, const std::string& what)
{
    RCC_CHECK_EQ(bench.sw->GetInputBytes(0), 0, what);
    RCC_CHECK_EQ(bench.sw->GetOutputBytes(1), 0, what);
    RCC_CHECK_EQ(RccFramePool::Current()->InUse(), 0, what);
}

/// Frames that are lost from the queue of an output give their space back, at the output and at the input.
void
CioqLinkDown()
{
    for (const char* reliable : {"false", "true"})
    {
        RccTestCioq bench;
        FillCioq(bench, reliable);
        Ptr<QbbChannel> link = DynamicCast<QbbChannel>(bench.ports[1]->device->GetChannel());
        link->TakeDown(RccNow());
        RccRunTo(200000);
        CheckEmpty(bench, reliable);
        RCC_CHECK_EQ(bench.sw->GetDroppedPackets(), 3, "those that waited at the output");
        RCC_CHECK_EQ(link->GetLostFrames(), 7, "the others came after them");
        link->BringUp(RccNow());
        for (uint64_t n = 0; n < 10; n++)
        {
            bench.Send(0, 1, 1000, n);
        }
        RccRunTo(1000000);
        RCC_CHECK_EQ(bench.ports[1]->arrived.size(), 10, reliable);
        CheckEmpty(bench, reliable);
        Simulator::Destroy();
    }
}

void
CioqDropQueued()
{
    for (const char* reliable : {"false", "true"})
    {
        RccTestCioq bench;
        FillCioq(bench, reliable);
        for (uint64_t frames : {3, 3, 3, 1})
        {
            RCC_CHECK_EQ(bench.sw->GetPort(1)->DropQueued(3, RccNow()), frames, reliable);
            RccRunTo(RccNow() + 100000);
        }
        CheckEmpty(bench, reliable);
        RCC_CHECK_EQ(bench.sw->GetDroppedPackets(3), 10, reliable);
        Simulator::Destroy();
    }
}

/// A switch asks for a pause again before it ends at the other end of the link, whose rate counts its quanta.
void
PauseOfFasterPeer()
{
    RccTestStar star;
    star.helper.SetSwitchAttribute("PauseQuanta", UintegerValue(200)); // 2.56 us at 40 Gb/s
    star.helper.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
    star.helper.SetSwitchAttribute("Headroom", UintegerValue(50000));
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    star.sw->GetPort(0)->SetDataRate(DataRate(10 * G));
    star.nics[1]->GetPort(0)->SendPfc(1u << 3, 65535, 0); // for 839 us
    star.Send(0, 1, RccAlgorithm::Create("none"), 0);
    RccRunTo(300000);
    RCC_CHECK_EQ(star.nics[0]->GetPort(0)->GetPausedClasses(), 8, "");
    const uint64_t sent = star.nics[0]->GetCounters().packetsSent;
    RccRunTo(800000);
    RCC_CHECK_EQ(star.nics[0]->GetCounters().packetsSent, sent, "paused all the time");
    RCC_CHECK_EQ(star.sw->GetDroppedPackets(), 0, "");
}

/// Packets to a node that is gone are lost, and its pending events do not happen.
void
DisposedHost()
{
    for (size_t gone : {0, 1})
    {
        RccTestStar star;
        star.Build(2, 40 * G, 1000);
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
        const uint32_t there = star.Send(0, 1, algorithm, 0);
        const uint32_t back = star.Send(1, 0, algorithm, 0);
        RccRunTo(100000);
        star.nodes[gone]->Dispose();
        RccRunTo(200000);
        star.nics[1 - gone]->Close(gone == 0 ? back : there);
        RccRunTo(1000000);
        Simulator::Destroy();
    }
}

void
DisposedSwitch()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    const uint32_t qp = star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 0);
    RccRunTo(100000);
    star.sw->GetPort(0)->GetNode()->Dispose();
    const uint64_t sent = star.nics[0]->GetCounters().packetsSent;
    RccRunTo(200000);
    RCC_CHECK_GE(star.nics[0]->GetCounters().packetsSent, sent + 100, "nobody has told it");
    RCC_CHECK_GE(star.Link(0)->GetLostFrames(), 100, "");
    star.nics[0]->Close(qp);
    RccRunTo(1000000);
}

/// The client is gone when its time to think is over.
void
DisposedClient()
{
    RccTestStar star;
    star.Build(2, 40 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    {
        Ptr<RdmaClient> client = CreateObject<RdmaClient>();
        client->SetRemote(star.nics[1]);
        client->SetAttribute("Algorithm", PointerValue(RccAlgorithm::Create("none")));
        client->SetAttribute("MessageSize", UintegerValue(1000));
        client->SetAttribute("Messages", UintegerValue(0));
        client->SetAttribute("ThinkTime", TimeValue(MicroSeconds(50)));
        star.nodes[0]->AddApplication(client);
        client->SetStartTime(Seconds(0));
    }
    RccRunTo(70000);
    RCC_CHECK_EQ(star.nics[0]->GetCounters().packetsSent, 2, "the second is under way or answered");
    star.nodes[0]->Dispose();
    RccRunTo(500000);
}

RccTestSuite g_changesSuite("rcc-changes", {{"cioq-link-down", CioqLinkDown},
                                            {"cioq-drop-queued", CioqDropQueued},
                                            {"pause-of-faster-peer", PauseOfFasterPeer},
                                            {"disposed-host", DisposedHost},
                                            {"disposed-switch", DisposedSwitch},
                                            {"disposed-client", DisposedClient}});

} // namespace
