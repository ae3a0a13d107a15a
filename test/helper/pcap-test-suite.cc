/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The files that RccPcap writes. */
#include "rcc-test-bytes.h"
#include "rcc-test-folder.h"
#include "rcc-test.h"

#include "ns3/qbb-helper.h"
#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-pcap.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

using namespace ns3;

namespace
{

/// A file of a capture, which goes away.
class Scratch
{
  public:
    std::string Name() const
    {
        return m_folder.Name("wire.pcap");
    }

    Bytes Read() const
    {
        const std::string bytes = RccTestFolder::Read(Name());
        return Bytes(bytes.begin(), bytes.end());
    }

  private:
    RccTestFolder m_folder;
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
        star.sw->AddMarker(QBB_RDMA_CLASS, algorithm);
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

/// A PFC frame has the address of the end that sends it: this one when it is sent, the other when it is received.
void
CheckPfcFile()
{
    Scratch host, sw;
    Pair net(1);
    RccPcap pcap;
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), host.Name()), "", "");
    RCC_CHECK_EQ(pcap.EnablePcap(net.star.sw->GetPort(0), sw.Name()), "", "");
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
    RccTestFolder folder;
    const std::string missing = folder.Name("missing/a.pcap");
    RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), missing), "cannot write " + missing + ": No such file or directory", "");
    if (access("/dev/full", W_OK) == 0)
    {
        RCC_CHECK_EQ(pcap.EnablePcap(net.Port(0), "/dev/full"), std::string(), "opens");
        RccRunTo(100000);
        RCC_CHECK_EQ(pcap.Close(), std::string("cannot write /dev/full: No space left on device"), "");
    }
}

RccTestSuite g_pcapSuite(
    "rcc-pcap", {{"file", CheckFile}, {"pfc", CheckPfcFile}, {"blocks", CheckLargeFile}, {"errors", CheckFileErrors}});

} // namespace
