/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The bytes that RccWire gives frames, and the files that RccPcap writes. */
#include "rcc-test.h"

#include "ns3/boolean.h"
#include "ns3/integer.h"
#include "ns3/qbb-helper.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-pcap.h"
#include "ns3/rcc-wire.h"
#include "ns3/rcc-workload.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace ns3;

namespace
{

using Bytes = std::vector<uint8_t>;

Bytes
FromHex(const std::string& text)
{
    Bytes bytes;
    std::string digits;
    for (char c : text)
    {
        if (c != ' ')
        {
            digits += c;
        }
        if (digits.size() == 2)
        {
            bytes.push_back(static_cast<uint8_t>(std::stoul(digits, nullptr, 16)));
            digits.clear();
        }
    }
    return bytes;
}

std::string
ToHex(const Bytes& bytes, size_t from, size_t n)
{
    std::string text;
    for (size_t i = from; i < from + n; i++)
    {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", i < bytes.size() ? bytes[i] : 0xee);
        text += digits;
    }
    return text;
}

/// Big-endian.
uint64_t
Number(const Bytes& bytes, size_t at, size_t n)
{
    uint64_t value = 0;
    for (size_t i = at; i < at + n; i++)
    {
        value = (value << 8) | (i < bytes.size() ? bytes[i] : 0);
    }
    return value;
}

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

/// What every RoCEv2 frame must have; `at` is where its IPv4 header begins.
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
CheckCrc()
{
    const std::string digits = "123456789";
    const auto data = reinterpret_cast<const uint8_t*>(digits.data());
    RCC_CHECK_EQ(RccWire::Crc32(0, data, 9), 0xcbf43926u, "the check value of CRC-32");
    RCC_CHECK_EQ(RccWire::Crc32(RccWire::Crc32(0, data, 4), data + 4, 5), 0xcbf43926u, "in two parts");
    Bytes noise;
    for (uint32_t i = 0; i < 300; i++)
    {
        RCC_CHECK_EQ(RccWire::Crc32(0, noise.data(), noise.size()), SlowCrc(noise), i << " bytes");
        noise.push_back(static_cast<uint8_t>(i * 2654435761u >> 13));
    }
}

/// Packets of real network cards and their ICRC, as published.
void
CheckIcrcVectors()
{
    // A CNP of a ConnectX-4 Lx, given in the tests of scapy's contrib/roce.
    const Bytes cnp = FromHex("45c2003c 718c4000 40119161 0a001101 0a001201 0000 12b7 0028 0000"
                              "8100ffff 40000118 00000000 00000000 00000000 00000000 00000000");
    RCC_CHECK_EQ(RccWire::Icrc(cnp.data(), cnp.size()), 0x2a00fd82u, "on the wire: 82 fd 00 2a");
    RCC_CHECK_EQ(RccWire::Icrc(cnp.data(), 44, 12), 0x2a00fd82u, "its last 12 bytes as a count of zeros");
    // A UC SEND Only with 20 bytes, from the same place.
    const Bytes send = FromHex("45010040 04784000 4011b4d5 c0a80007 c0a80007 c000 12b7 002c aca2"
                               "2460ffff 000000d3 00cf1710"
                               "4630818b e28935d9 0e9a9550 5401be88 5e500000");
    RCC_CHECK_EQ(RccWire::Icrc(send.data(), send.size()), 0xf353f378u, "on the wire: 78 f3 53 f3");
}

void
CheckIcrcZeros()
{
    Bytes ip = Write(Data(100));
    ip = Bytes(ip.begin() + 14, ip.begin() + 14 + 40);
    for (size_t zeros : {0, 1, 2, 7, 8, 999, 1000, 4096, 9215, 9216, 9217, 20000})
    {
        Bytes all = ip;
        all.insert(all.end(), zeros, 0);
        RCC_CHECK_EQ(RccWire::Icrc(ip.data(), ip.size(), zeros), SlowIcrc(all), zeros << " zero bytes");
        RCC_CHECK_EQ(RccWire::Icrc(all.data(), all.size()), SlowIcrc(all), zeros << " zero bytes, written out");
    }
    Bytes other = ip;
    other[1] ^= 0xff;
    other[8]--;
    other[10] ^= 0x11;
    other[32] = 0x40;
    RCC_CHECK_EQ(RccWire::Icrc(other.data(), other.size()), RccWire::Icrc(ip.data(), ip.size()),
                 "DSCP, ECN, TTL, checksum and BECN do not count");
    other[33] ^= 1;
    RCC_CHECK(RccWire::Icrc(other.data(), other.size()) != RccWire::Icrc(ip.data(), ip.size()), "the queue pair does");
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
        f.vlan = VLAN_TAGGED | 0xabc;
        f.cls = 5;
        f.bytes += VLAN_TAG_BYTES;
        Bytes b = Write(f);
        CheckRoce(b, tagged ? 22 : 18, f, 100);
        RCC_CHECK_EQ(ToHex(b, 12, tagged ? 10 : 6), std::string(tagged ? "8100aabc22e900070800" : "8100aabc0800"),
                     "tags");
        f.vlan = VLAN_TAGGED; // VLAN id 0: the priority alone
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
    f.vlan = VLAN_TAGGED | 1;
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
    RCC_CHECK_EQ(star.sw->Start(), std::string(), "switch");
    const uint32_t qp = RdmaNic::Connect(star.nics[0], star.nics[1], RccAlgorithm::Create("dcqcn"), 3);
    Ptr<RdmaNic> from = star.nics[0];
    RccAt(0, [=]() { from->Post(qp, 2500, Callback<void, uint32_t>()); });
    Simulator::Run();
    const RdmaSendQp& half = from->GetSendQp(qp);
    const std::vector<RccHop> path{{40000000000, 1000}, {40000000000, 1000}};
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

// ---------------------------------------------------------------- files

/// A name for a file that goes away.
class Scratch
{
  public:
    Scratch()
    {
        int fd = mkstemp(m_name);
        RCC_CHECK_GE(fd, 0, "mkstemp " << m_name);
        close(fd);
    }

    ~Scratch()
    {
        std::remove(m_name);
    }

    std::string Name() const
    {
        return m_name;
    }

    Bytes Read() const
    {
        Bytes bytes;
        std::FILE* file = std::fopen(m_name, "rb");
        uint8_t block[4096];
        for (size_t n; file && (n = std::fread(block, 1, sizeof block, file)) > 0;)
        {
            bytes.insert(bytes.end(), block, block + n);
        }
        if (file)
        {
            std::fclose(file);
        }
        return bytes;
    }

  private:
    char m_name[32] = "/tmp/rcc-wire-XXXXXX";
};

struct Record
{
    int64_t at;
    uint32_t size;
    Bytes bytes;
};

uint32_t
Little(const Bytes& b, size_t at)
{
    return static_cast<uint32_t>(b[at] | (b[at + 1] << 8) | (b[at + 2] << 16)) | (uint32_t(b[at + 3]) << 24);
}

std::vector<Record>
Records(const Bytes& file, uint32_t snaplen)
{
    std::vector<Record> records;
    RCC_CHECK_GE(file.size(), 24u, "pcap header");
    if (file.size() < 24)
    {
        return records;
    }
    RCC_CHECK_EQ(ToHex(file, 0, 16), std::string("4d3cb2a1020004000000000000000000"), "nanoseconds, version 2.4");
    RCC_CHECK_EQ(Little(file, 16), snaplen, "snaplen");
    RCC_CHECK_EQ(Little(file, 20), 1u, "Ethernet");
    size_t at = 24;
    while (at + 16 <= file.size())
    {
        uint32_t kept = Little(file, at + 8);
        Record r;
        r.at = int64_t{Little(file, at)} * 1000000000 + Little(file, at + 4);
        r.size = Little(file, at + 12);
        RCC_CHECK_EQ(kept, std::min(r.size, snaplen), "bytes kept");
        at += 16;
        if (at + kept > file.size())
        {
            break;
        }
        r.bytes.assign(file.begin() + static_cast<long>(at), file.begin() + static_cast<long>(at + kept));
        RCC_CHECK(records.empty() || records.back().at <= r.at, "in order of time");
        records.push_back(r);
        at += kept;
    }
    RCC_CHECK_EQ(at, file.size(), "whole records");
    return records;
}

/// Two hosts at a switch; one sends `packets` packets of 1000 bytes to the other.
struct Pair
{
    QbbStar star;
    Ptr<RccAlgorithm> algorithm;

    explicit Pair(uint32_t packets) : star(QbbStar::Create(QbbHelper(), 2)), algorithm(RccAlgorithm::Create("dcqcn"))
    {
        RCC_CHECK_EQ(star.sw->Start(), std::string(), "switch");
        Ptr<RdmaNic> from = star.nics[0];
        uint32_t qp = RdmaNic::Connect(from, star.nics[1], algorithm, 3);
        RccAt(0, [=]() { from->Post(qp, packets * 1000, Callback<void, uint32_t>()); });
    }

    Ptr<QbbNetDevice> Port(uint32_t host) const
    {
        return star.nics[host]->GetPort(0);
    }
};

void
CheckFile()
{
    Scratch sender, receiver, sent, received;
    Pair net(100);
    RccPcap pcap, more;
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), sender.Name()), std::string(), "a file");
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(1), receiver.Name(), 60), std::string(), "a second one");
    RCC_CHECK_EQ(more.EnablePcap(net.star.sw->GetPort(0), received.Name(), 96, RccPcap::RECEIVED), std::string(), "");
    RCC_CHECK_EQ(more.EnablePcap(net.star.sw->GetPort(1), sent.Name(), 96, RccPcap::SENT), std::string(), "");
    RccRunTo(1000000);
    const uint64_t frames = pcap.GetFrames();
    RCC_CHECK_EQ(pcap.Close() + more.Close(), std::string(), "all written");
    RCC_CHECK_EQ(pcap.GetFrames(), frames, "still known");

    const auto a = Records(sender.Read(), RccPcap::WHOLE_FRAMES);
    const auto b = Records(receiver.Read(), 60);
    RCC_CHECK_EQ(a.size(), 102u, "100 packets and two acknowledgements: after 64 and at the end");
    RCC_CHECK_EQ(b.size(), 102u, "the same at the receiver");
    RCC_CHECK_EQ(frames, a.size() + b.size(), "counted");
    RCC_CHECK_EQ(Records(received.Read(), 96).size(), 100u, "what the sender sent");
    RCC_CHECK_EQ(Records(sent.Read(), 96).size(), 100u, "what the receiver got");
    if (a.empty() || b.empty())
    {
        return;
    }
    RCC_CHECK_EQ(a[0].at, 0, "start of transmission");
    RCC_CHECK_EQ(a[0].size, 1058u, "without the frame check sequence");
    RCC_CHECK_EQ(ToHex(a[0].bytes, 0, 12), std::string("020000000001020000000000"), "to node 1 from node 0");
    RCC_CHECK_EQ(Number(a.back().bytes, 42, 1), 0x11u, "the last one is the acknowledgement");
    RCC_CHECK_EQ(Number(a.back().bytes, 51, 3), 99u, "of the last packet");
    // 1062 bytes at 40 Gbps are 212.4 ns on each of two links, of 1 us each.
    RCC_CHECK_EQ(b[0].at, 2 * (212 + 1000), "arrival of the last bit");

    // A port can be captured again, and none is captured by a closed one.
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), sender.Name()), std::string(), "again");
    RCC_CHECK_EQ(pcap.Close(), std::string(), "");
    RCC_CHECK_EQ(sender.Read().size(), 24u, "only the header");
}

/// Who says PFC: this end when it is sent, the other when it is received.
void
CheckPfcFile()
{
    Scratch host, sw;
    Pair net(1);
    RccPcap pcap;
    pcap.EnablePcap(net.Port(0), host.Name());
    pcap.EnablePcap(net.star.sw->GetPort(0), sw.Name());
    net.star.sw->GetPort(0)->SendPfc(1u << 3, 100, 0);
    RccRunTo(100000);
    RCC_CHECK_EQ(pcap.Close(), std::string(), "");
    for (const Scratch* file : {&host, &sw})
    {
        int seen = 0;
        for (const auto& r : Records(file->Read(), RccPcap::WHOLE_FRAMES))
        {
            if (Number(r.bytes, 12, 2) == 0x8808)
            {
                seen++;
                RCC_CHECK_EQ(r.bytes.size(), 60u, "minimum without the frame check sequence");
                RCC_CHECK_EQ(ToHex(r.bytes, 6, 12), std::string("020000000002") + "880801010008", "from the switch");
            }
        }
        RCC_CHECK_EQ(seen, 1, "PFC frames");
    }
}

/// Blocks and what is left of them: a file of many, and one beside it, hold every byte.
void
CheckLargeFile()
{
    Scratch large, other;
    Pair net(12000);
    RccPcap pcap;
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), large.Name()), std::string(), "a file");
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(1), other.Name(), 99), std::string(), "a small one");
    RccRunTo(100000000);
    RCC_CHECK_EQ(pcap.Close(), std::string(), "written");
    const auto a = Records(large.Read(), RccPcap::WHOLE_FRAMES);
    const auto b = Records(other.Read(), 99);
    RCC_CHECK_EQ(a.size(), 12000u + 12000 / 64 + 1, "every frame");
    RCC_CHECK_EQ(b.size(), a.size(), "of the other end");
    uint64_t next = 0;
    for (const auto& r : a)
    {
        if (r.bytes.size() > 1000)
        {
            RCC_CHECK_EQ(Number(r.bytes, 51, 3), next, "in order");
            next++;
            const bool some =
                std::any_of(r.bytes.begin() + 54, r.bytes.end() - 4, [](uint8_t byte) { return byte != 0; });
            RCC_CHECK(!some, "payload of zeros in packet " << next);
        }
    }
    RCC_CHECK_EQ(next, 12000u, "");
}

void
CheckFileErrors()
{
    Pair net(1);
    RccPcap pcap;
    const std::string why = pcap.EnablePcap(net.Port(0), "/nonexistent/a.pcap");
    RCC_CHECK_EQ(why, std::string("cannot write /nonexistent/a.pcap: No such file or directory"), "");
    if (access("/dev/full", W_OK) == 0)
    {
        RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), "/dev/full"), std::string(), "opens");
        RccRunTo(100000);
        RCC_CHECK_EQ(pcap.Close(), std::string("cannot write /dev/full: No space left on device"), "");
    }
}

RccTestSuite g_wireSuite("rcc-wire", {{"crc-32", CheckCrc},
                                      {"icrc of real packets", CheckIcrcVectors},
                                      {"icrc over zeros", CheckIcrcZeros},
                                      {"addresses", CheckAddresses},
                                      {"data", CheckData},
                                      {"opcodes and psn", CheckOpcodes},
                                      {"tags and write", CheckTagsAndWrite},
                                      {"tags on the link", CheckTagsOnTheLink},
                                      {"ack, nak and cnp", CheckAnswers},
                                      {"pfc and cnm", CheckLinkLocal},
                                      {"ip", CheckIp},
                                      {"pcap file", CheckFile},
                                      {"pcap of pfc", CheckPfcFile},
                                      {"pcap of blocks", CheckLargeFile},
                                      {"pcap errors", CheckFileErrors}});

} // namespace
