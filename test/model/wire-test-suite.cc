/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The bytes that RccWire gives frames. The encoder itself is tested in test/core/wire. */
#include "rcc-test-bytes.h"
#include "rcc-test.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/qbb-helper.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-wire.h"
#include "ns3/rdma-path.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>

using namespace ns3;

namespace
{

/// One bit at a time, as the definition has it: no tables, no shortcut.
uint32_t
SlowCrc(const Bytes& bytes)
{
    uint32_t r = 0xffffffff;
    for (uint8_t byte : bytes)
    {
        for (int bit = 0; bit < 8; bit++)
        {
            bool out = (r ^ (byte >> bit)) & 1u;
            r = (r >> 1) ^ (out ? 0xedb88320 : 0);
        }
    }
    return ~r;
}

/// ICRC of an IP packet that ends before its ICRC.
uint32_t
SlowIcrc(Bytes ip)
{
    for (size_t masked : {1, 8, 10, 11, 26, 27, 32})
    {
        ip[masked] = 0xff;
    }
    ip.insert(ip.begin(), 8, 0xff);
    return SlowCrc(ip);
}

RccFrame
Frame(RccFrameKind kind, uint32_t bytes)
{
    RccFrame f = RccFrame();
    f.kind = kind;
    f.bytes = bytes;
    f.src = 3;
    f.dst = 0x2345;
    f.srcQp = 0x30007;
    f.dstQp = 9;
    f.hash = 0xdeadbeef;
    f.cls = 3;
    return f;
}

RccFrame
Data(uint32_t payload, bool tagged = false)
{
    RccFrame f = Frame(RccFrameKind::DATA, payload + ROCE_OVERHEAD + (tagged ? CN_TAG_BYTES : 0));
    f.payload = payload;
    f.cnTagged = tagged;
    f.ecn = RccEcn::ECT0;
    return f;
}

/// Write with a guard behind the buffer that may be touched.
Bytes
Write(const RccFrame& f, uint32_t sender = 77)
{
    Bytes out(f.bytes + 16, 0xa5);
    uint32_t n = RccWire::Write(f, sender, out.data());
    RCC_CHECK_EQ(n, f.bytes - 4, "all but the frame check sequence");
    for (size_t i = n; i < out.size(); i++)
    {
        RCC_CHECK_EQ(unsigned(out[i]), 0xa5u, "byte " << i << " behind a frame of " << n);
    }
    out.resize(n);
    return out;
}

/// Check the fields that every RoCEv2 frame must have; its IPv4 header begins at `at`.
void
CheckRoce(const Bytes& b, size_t at, const RccFrame& f, size_t inside)
{
    const size_t ipBytes = 20 + 8 + 12 + inside + 4;
    RCC_CHECK_EQ(b.size(), at + ipBytes, "length");
    RCC_CHECK_EQ(Number(b, at - 2, 2), 0x0800u, "ethertype");
    RCC_CHECK_EQ(Number(b, at, 1), 0x45u, "version and header length");
    RCC_CHECK_EQ(Number(b, at + 1, 1), f.cls * 32u + unsigned(f.ecn), "class selector and ECN");
    RCC_CHECK_EQ(Number(b, at + 2, 2), ipBytes, "IP length");
    RCC_CHECK_EQ(Number(b, at + 6, 2), 0x4000u, "do not fragment");
    RCC_CHECK_EQ(Number(b, at + 8, 2), 0x4011u, "TTL and UDP");
    uint64_t sum = 0;
    for (size_t i = 0; i < 20; i += 2)
    {
        sum += Number(b, at + i, 2);
    }
    RCC_CHECK_EQ(sum % 0xffff, 0u, "IPv4 header checksum");
    RCC_CHECK(Number(b, at + 10, 2) != 0, "IPv4 header checksum is there");
    RCC_CHECK_EQ(Number(b, at + 20, 2), 0xc000u | (f.hash & 0x3fff), "UDP source port");
    RCC_CHECK_EQ(Number(b, at + 22, 2), 4791u, "UDP destination port");
    RCC_CHECK_EQ(Number(b, at + 24, 2), ipBytes - 20, "UDP length");
    RCC_CHECK_EQ(Number(b, at + 28 + 1, 1), 0u, "BTH flags");
    RCC_CHECK_EQ(Number(b, at + 28 + 2, 2), 0xffffu, "P_Key");
    uint32_t icrc = SlowIcrc(Bytes(b.begin() + at, b.end() - 4));
    char text[9];
    std::snprintf(text, sizeof text, "%02x%02x%02x%02x", icrc & 0xff, (icrc >> 8) & 0xff, (icrc >> 16) & 0xff,
                  icrc >> 24);
    RCC_CHECK_EQ(ToHex(b, b.size() - 4, 4), std::string(text), "ICRC");
}

void
CheckAddresses()
{
    const uint32_t nodes[] = {0, 1, 255, 256, 300, 65535};
    const char* addresses[] = {"11.0.0.1", "11.0.1.1", "11.0.255.1", "11.1.0.1", "11.1.44.1", "11.255.255.1"};
    for (size_t i = 0; i < 6; i++)
    {
        std::ostringstream text;
        text << RccWire::AddressOf(nodes[i]);
        RCC_CHECK_EQ(text.str(), std::string(addresses[i]), "node " << nodes[i]);
    }
    std::ostringstream mac;
    mac << RccWire::MacOf(0x01020304);
    RCC_CHECK_EQ(mac.str(), std::string("02:00:01:02:03:04"), "MAC");
    RCC_CHECK(RccWire::QpnOfReceiver(5) != RccWire::QpnOfSender(5),
              "both halves of a host have queue pairs of their own");
    RCC_CHECK_EQ(RccWire::QpnOfReceiver(0xffffffff) >> 23, 0u, "24 bits");
}

void
CheckData()
{
    for (uint32_t payload : {1u, 2u, 3u, 4u, 64u, 999u, 1000u, 1024u, 4096u, 9000u})
    {
        for (bool tagged : {false, true})
        {
            for (RccEcn ecn : {RccEcn::NOT_ECT, RccEcn::ECT1, RccEcn::ECT0, RccEcn::CE})
            {
                RccFrame f = Data(payload, tagged);
                f.ecn = ecn;
                f.psn = payload;
                f.cls = static_cast<uint8_t>(payload % QBB_CLASSES);
                const Bytes b = Write(f);
                const size_t ip = tagged ? 18 : 14;
                CheckRoce(b, ip, f, payload);
                RCC_CHECK_EQ(ToHex(b, 0, 12), std::string("020000002345020000000003"), "addresses");
                if (tagged)
                {
                    RCC_CHECK_EQ(ToHex(b, 12, 4), std::string("22e90007"), "CN-TAG and flow id");
                }
                RCC_CHECK_EQ(ToHex(b, ip + 12, 8), std::string("0b0003010b234501"), "IP addresses");
                RCC_CHECK_EQ(Number(b, ip + 28 + 5, 3), 11u, "queue pair");
                for (size_t i = ip + 40; i < b.size() - 4; i++)
                {
                    RCC_CHECK_EQ(unsigned(b[i]), 0u, "payload byte");
                }
            }
        }
    }
}

void
CheckOpcodes()
{
    struct Case
    {
        uint64_t psn;
        bool last, ackRequest;
        unsigned opcode, wirePsn;
    };
    const Case cases[] = {
        {0, true, true, 0x04, 0},           {0, false, false, 0x00, 0},
        {1, false, true, 0x01, 1},          {0xffffff, false, false, 0x01, 0xffffff},
        {0x1000000, false, false, 0x01, 0}, // wrapped, not first again
        {0x1000001, true, true, 0x02, 1},   {0x123456789abcull, false, false, 0x01, 0x789abc},
    };
    for (const auto& c : cases)
    {
        RccFrame f = Data(1000);
        f.psn = c.psn;
        f.first = c.psn == 0;
        f.last = c.last;
        f.ackRequest = c.ackRequest;
        const Bytes b = Write(f);
        CheckRoce(b, 14, f, 1000);
        RCC_CHECK_EQ(Number(b, 42, 1), c.opcode, "opcode of PSN " << c.psn);
        RCC_CHECK_EQ(Number(b, 46, 1), 0u, "FECN and BECN");
        RCC_CHECK_EQ(Number(b, 50, 1), c.ackRequest ? 0x80u : 0u, "AckReq");
        RCC_CHECK_EQ(Number(b, 51, 3), c.wirePsn, "PSN " << c.psn);
        RCC_CHECK_EQ(Number(b, 18, 2), c.wirePsn & 0xffff, "identification");
    }
}

/// 802.1Q in front of the CN-TAG, and RDMA WRITE.
void
CheckTagsAndWrite()
{
    for (bool tagged : {false, true})
    {
        RccFrame f = Data(100, tagged);
        f.tag.vlan = VLAN_TAGGED | 0xabc;
        f.cls = 5;
        f.bytes += VLAN_TAG_BYTES;
        Bytes b = Write(f);
        CheckRoce(b, tagged ? 22 : 18, f, 100);
        RCC_CHECK_EQ(ToHex(b, 12, tagged ? 10 : 6), std::string(tagged ? "8100aabc22e900070800" : "8100aabc0800"),
                     "tags");
        f.tag.vlan = VLAN_TAGGED; // VLAN id 0: the priority alone
        RCC_CHECK_EQ(ToHex(Write(f), 12, 4), std::string("8100a000"), "priority tag");
    }
    struct Case
    {
        bool first, last;
        unsigned opcode;
    };
    for (const Case& c :
         {Case{true, true, 0x0a}, Case{true, false, 0x06}, Case{false, false, 0x07}, Case{false, true, 0x08}})
    {
        RccFrame f = Data(100);
        f.write = true;
        f.first = c.first;
        f.last = c.last;
        f.dmaLength = c.first ? 0x01020304 : 0;
        f.bytes += c.first ? RETH_BYTES : 0;
        const Bytes b = Write(f);
        CheckRoce(b, 14, f, 100 + (c.first ? RETH_BYTES : 0));
        RCC_CHECK_EQ(Number(b, 42, 1), c.opcode, "opcode");
        RCC_CHECK_EQ(ToHex(b, 54, 16), std::string(c.first ? "00000000000000000000000001020304" : std::string(32, '0')),
                     "RETH");
    }
    RccFrame f = Frame(RccFrameKind::CNM, CNM_BYTES);
    f.tag.vlan = VLAN_TAGGED | 1;
    f.cls = 7;
    RCC_CHECK_EQ(ToHex(Write(f), 12, 10), std::string("8100e00122e9000922e7"), "CNM");
    f = Frame(RccFrameKind::PFC, PFC_BYTES);
    f.linkPause = true;
    f.pfcMask = 0xff;
    std::fill(f.pfcQuanta, f.pfcQuanta + QBB_CLASSES, 0x1234);
    RCC_CHECK_EQ(ToHex(Write(f), 12, 48), "880800011234" + std::string(84, '0'), "PAUSE: opcode 1 and one time");
}

/// Tags and RETH take their time on the link, on the way there and back; Only has a RETH too.
void
CheckTagsOnTheLink()
{
    QbbHelper helper;
    helper.SetDeviceAttribute("VlanId", IntegerValue(7));
    helper.SetNicAttribute("Write", BooleanValue(true));
    QbbStar star = QbbStar::Create(helper, 2);
    star.sw->SetAttribute("MaxFrame", UintegerValue(1000 + star.nics[0]->GetMaxOverhead() + VLAN_TAG_BYTES));
    Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
    star.sw->AddMarker(3, dcqcn);
    RCC_CHECK_EQ(star.sw->Start(), std::string(), "switch");
    const uint32_t qp = RdmaNic::Connect(star.nics[0], star.nics[1], dcqcn, 3);
    Ptr<RdmaNic> from = star.nics[0];
    RccAt(0, [=]() { from->Post(qp, 2500, Callback<void, uint32_t>()); });
    Simulator::Run();
    const RdmaSendQp& half = from->GetSendQp(qp);
    const std::vector<RccHop> path{{40000000000, 1000, 0}, {40000000000, 1000, 0}};
    RCC_CHECK_EQ(from->GetCounters().bytesSent, 2500 + 3 * (ROCE_OVERHEAD + 4) + 16, "bytes");
    RCC_CHECK_EQ(half.finished - half.started, RccIdealFct(path, 2500, 1000, 64, 4, 16), "their time");
    RCC_CHECK(half.finished - half.started > RccIdealFct(path, 2500, 1000, 64), "which is longer than without");
}

void
CheckAnswers()
{
    RccFrame f = Frame(RccFrameKind::ACK, ROCE_ACK_BYTES);
    f.psn = 0x1000000;
    f.cls = 7;
    Bytes b = Write(f);
    CheckRoce(b, 14, f, 4);
    RCC_CHECK_EQ(ToHex(b, 42, 16), std::string("1100ffff0080000b00ffffff1f000000"), "ACK of everything before 2^24");
    f.ceEcho = true;
    b = Write(f);
    CheckRoce(b, 14, f, 4);
    RCC_CHECK_EQ(Number(b, 46, 1), 0x40u, "BECN echoes CE");

    f = Frame(RccFrameKind::NAK, ROCE_ACK_BYTES);
    f.psn = 0x1000005;
    b = Write(f);
    CheckRoce(b, 14, f, 4);
    RCC_CHECK_EQ(ToHex(b, 42, 16), std::string("1100ffff0080000b0000000560000000"), "NAK that expects 5");

    f = Frame(RccFrameKind::CNP, ROCE_CNP_BYTES);
    f.period = 0x00abcdef;
    b = Write(f);
    CheckRoce(b, 14, f, 16);
    RCC_CHECK_EQ(ToHex(b, 42, 16), std::string("8100ffff4080000b0000000000abcdef"), "CNP with a period");
    RCC_CHECK_EQ(ToHex(b, 58, 12), std::string(24, '0'), "the rest is reserved");
    f.period = 0;
    b = Write(f);
    RCC_CHECK_EQ(ToHex(b, 54, 16), std::string(32, '0'), "CNP without");
}

void
CheckLinkLocal()
{
    RccFrame f = Frame(RccFrameKind::PFC, PFC_BYTES);
    f.pfcMask = 0x88;
    f.pfcQuanta[3] = 0xffff;
    f.pfcQuanta[7] = 0x0102;
    Bytes b = Write(f, 0x4d);
    RCC_CHECK_EQ(ToHex(b, 0, 34),
                 std::string("0180c2000001"
                             "02000000004d"
                             "880801010088"
                             "000000000000ffff0000000000000102"),
                 "PFC");
    RCC_CHECK_EQ(ToHex(b, 34, 26), std::string(52, '0'), "padding");

    f = Frame(RccFrameKind::CNM, CNM_BYTES);
    f.qfb = 63;
    f.qoff = 64 * 1000 + 63;
    f.qdelta = -64 * 3;
    b = Write(f);
    RCC_CHECK_EQ(ToHex(b, 0, 42),
                 std::string("020000002345"
                             "020000000003"
                             "22e90009"
                             "22e7"
                             "003f"
                             "0000000000000000"
                             "03e8"
                             "fffd"
                             "0000"
                             "020000000003"
                             "0000"),
                 "CNM");
    RCC_CHECK_EQ(ToHex(b, 42, 18), std::string(36, '0'), "padding");
    f.qoff = INT32_MAX;
    f.qdelta = INT32_MIN;
    RCC_CHECK_EQ(ToHex(Write(f), 28, 4), std::string("7fff8000"), "saturated");
}

void
CheckIp()
{
    const uint8_t content[] = {0x45, 1, 2, 3, 4};
    RccFrame f = Frame(RccFrameKind::IP, 64);
    f.etherType = 0x0800;
    Ptr<Packet> packet = Create<Packet>(content, sizeof content);
    f.packet = PeekPointer(packet);
    const Bytes b = Write(f);
    RCC_CHECK_EQ(ToHex(b, 12, 8), std::string("0800450102030400"), "the packet and padding");
}

RccTestSuite g_wireSuite("rcc-wire", {{"addresses", CheckAddresses},
                                      {"data", CheckData},
                                      {"opcodes and psn", CheckOpcodes},
                                      {"tags and write", CheckTagsAndWrite},
                                      {"tags on the link", CheckTagsOnTheLink},
                                      {"ack, nak and cnp", CheckAnswers},
                                      {"pfc and cnm", CheckLinkLocal},
                                      {"ip", CheckIp}});

} // namespace
