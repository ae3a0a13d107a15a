/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* DSCP to class, in NICs and in switches: which class frames have on each link, what their bytes say, and which class a
 * pause speaks of. */
#include "rcc-test-net.h"

#include "ns3/pointer.h"
#include "ns3/rdma-client.h"

#include <map>
#include <set>

using namespace ns3;

namespace
{

/// Classes and DSCPs that frames of each kind have on a link, as they leave its switch's or host's port.
struct Seen : RccTestTap
{
    Ptr<QbbNetDevice> device;
    std::map<RccFrameKind, std::set<std::pair<unsigned, unsigned>>> kinds; //!< class, DSCP of the bytes
    std::set<unsigned> paused;                                             //!< classes that PFC frames speak of

    explicit Seen(Ptr<QbbNetDevice> port) : device(port)
    {
        device->AddObserver(this, QBB_OBSERVE_FRAMES);
    }

    ~Seen()
    {
        device->RemoveObserver(this);
    }

    void Tap(const RccFrame* f, bool received, int64_t) override
    {
        if (received)
        {
            return;
        }
        for (unsigned c = 0; f->kind == RccFrameKind::PFC && c < QBB_CLASSES; c++)
        {
            if (f->pfcMask >> c & 1u)
            {
                paused.insert(c);
            }
        }
        if (f->kind != RccFrameKind::PFC)
        {
            uint8_t bytes[2000];
            device->WriteFrame(*f, false, bytes);
            kinds[f->kind].insert({f->cls, bytes[15] >> 2}); // behind 14 bytes of Ethernet and the version
        }
    }
};

using Pairs = std::set<std::pair<unsigned, unsigned>>;

/// Three senders and a receiver, the first sender with a client of its own.
struct DscpStar
{
    RccTestStar star;
    Ptr<RdmaClient> client;

    explicit DscpStar(const char* nics, const char* sw, uint8_t dscp, uint8_t cls = 3)
    {
        star.helper.SetNicAttribute("DscpMap", StringValue(nics));
        star.helper.SetNicAttribute("CnpDscp", UintegerValue(48));
        star.helper.SetNicAttribute("AckDscp", UintegerValue(40));
        star.helper.SetSwitchAttribute("DscpMap", StringValue(sw));
        star.helper.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        star.helper.SetSwitchAttribute("LosslessClasses", UintegerValue(1u << 3 | 1u << 4));
        star.Build(4, 40 * G, 1000);
        Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
        for (uint8_t c : {3, 4})
        {
            star.sw->AddMarker(c, algorithm);
        }
        RCC_CHECK_EQ(star.sw->Start(), "", "");
        client = CreateObject<RdmaClient>();
        client->SetRemote(star.nics[3]);
        client->SetAttribute("Algorithm", PointerValue(algorithm));
        client->SetAttribute("Dscp", UintegerValue(dscp));
        client->SetAttribute("TrafficClass", UintegerValue(cls));
        star.nodes[0]->AddApplication(client);
        for (uint32_t i = 1; i < 3; i++) // the others are in class 4 without a DSCP
        {
            star.Send(i, 3, RccAlgorithm::Create("none"), 0, 4);
        }
    }
};

/// The NIC's map gives data, ACKs and CNPs their class, the bytes have their DSCP, and pauses stop that class.
void
NicsAndSwitchAlike()
{
    DscpStar net("26:3,40:5,48:6", "26:3,40:5,48:6", 26, 0);
    Seen out(net.star.nics[0]->GetPort(0));
    Seen back(net.star.sw->GetPort(0));
    RccRunTo(2000000);
    RCC_CHECK(out.kinds[RccFrameKind::DATA] == (Pairs{{3, 26}}), "data");
    RCC_CHECK(back.kinds[RccFrameKind::ACK] == (Pairs{{5, 40}}), "ACKs, behind the switch too");
    RCC_CHECK(back.kinds[RccFrameKind::CNP] == (Pairs{{6, 48}}), "CNPs");
    RCC_CHECK(back.paused == (std::set<unsigned>{3}), "the class that its frames have");
    RCC_CHECK_EQ(net.star.sw->GetDroppedPackets(), 0, "");
}

/// A switch with another map: its class holds in it and behind it, and the DSCP stays. Its pauses speak of a class that
/// the sender does not use, which is what such a mistake does in a network.
void
AnotherMapInTheSwitch()
{
    DscpStar net("26:3", "26:4,40:2", 26);
    Seen out(net.star.nics[0]->GetPort(0));
    Seen on(net.star.sw->GetPort(3));
    Seen back(net.star.sw->GetPort(0));
    RccRunTo(2000000);
    RCC_CHECK(out.kinds[RccFrameKind::DATA] == (Pairs{{3, 26}}), "");
    RCC_CHECK(on.kinds[RccFrameKind::DATA] == (Pairs{{4, 26}, {4, 32}}), "with those of class 4, whose DSCP is 8 x 4");
    RCC_CHECK(back.kinds[RccFrameKind::ACK] == (Pairs{{2, 40}}), "");
    RCC_CHECK(back.kinds[RccFrameKind::CNP] == (Pairs{{7, 48}}), "not listed: the class that it came with");
    RCC_CHECK(back.paused == (std::set<unsigned>{4}), "");
    RCC_CHECK_EQ(net.star.nics[0]->GetPort(0)->GetPausedTime(2000000) > 0, true, "");
    RCC_CHECK_GE(net.star.sw->GetDroppedPackets(), 1, "nobody stops class 3, and the headroom overflows");
}

/// DSCPs of classes that nobody set are mapped as well; without maps frames keep their classes.
void
WithoutDscp()
{
    {
        DscpStar net("", "32:3", RCC_DSCPS);
        Seen on(net.star.sw->GetPort(3));
        RccRunTo(200000);
        RCC_CHECK(on.kinds[RccFrameKind::DATA] == (Pairs{{3, 24}, {3, 32}}), "class 4 is DSCP 32");
    }
    Simulator::Destroy();
    DscpStar net("", "", 26);
    Seen on(net.star.sw->GetPort(3));
    RccRunTo(200000);
    RCC_CHECK(on.kinds[RccFrameKind::DATA] == (Pairs{{3, 26}, {4, 32}}), "a DSCP that nobody maps");
}

/// A text that is no map is refused, and the earlier map stays.
void
Refused()
{
    Ptr<RdmaNic> nic = CreateObject<RdmaNic>();
    Ptr<QbbSwitch> sw = CreateObject<QbbSwitch>();
    for (const Ptr<Object>& object : {Ptr<Object>(nic), Ptr<Object>(sw)})
    {
        RCC_CHECK(object->SetAttributeFailSafe("DscpMap", StringValue("0-7:0,26:3")), "");
        for (const char* text : {"26", "64:3", "26:8", "26:3,26:4", "26:3,"})
        {
            RCC_CHECK(!object->SetAttributeFailSafe("DscpMap", StringValue(text)), text);
        }
        StringValue left;
        object->GetAttribute("DscpMap", left);
        RCC_CHECK_EQ(left.Get(), "0-7:0,26:3", "");
    }
}

RccTestSuite g_dscpSuite("rcc-dscp", {{"nics-and-switch-alike", NicsAndSwitchAlike},
                                      {"another-map-in-the-switch", AnotherMapInTheSwitch},
                                      {"without-dscp", WithoutDscp},
                                      {"refused", Refused}});

} // namespace
