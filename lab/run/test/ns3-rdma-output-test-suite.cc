/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Ns3RdmaOutput: fct.txt, pfc.txt, qlen.txt and mix.tr, read here by independent readers. */
#include "lab-json.h"
#include "ns3-rdma-test-net.h"
#include "rcc-test-folder.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace ns3;

namespace
{

/// A network with its outputs in a folder of its own.
struct Run : Ns3RdmaTestNet
{
    RccTestFolder folder;

    explicit Run(const Ns3RdmaTest& test, uint64_t seed = 1) : Ns3RdmaTestNet(test, seed)
    {
    }

    void Execute()
    {
        outputs.Begin(folder.GetPath());
        RccRunTo(file.time);
        Close();
    }

    /// Close the files. \return what the outputs add to the results
    std::string Close()
    {
        LabJson json;
        outputs.AddResults(json);
        return json.Str();
    }

    std::string Read(const std::string& name) const
    {
        return RccTestFolder::Read(folder.Name(name));
    }

    bool Contains(const std::string& name) const
    {
        return access(folder.Name(name).c_str(), F_OK) == 0;
    }
};

/// Let the trace of all frames have those of some nodes.
void
Trace(Ns3RdmaTest& test, const std::vector<uint32_t>& nodes)
{
    for (uint32_t node : nodes)
    {
        test.file.traced.emplace_back();
        test.file.traced.back().node = node;
    }
}

void
NothingUnasked()
{
    Run r(Ns3RdmaTest::Star(2).Flow(1, 2, 10000));
    r.Execute();
    for (const char* name : {"fct.txt", "pfc.txt", "qlen.txt", "mix.tr"})
    {
        RCC_CHECK(!r.Contains(name), name);
    }
    RCC_CHECK(r.Close().find("\"files\": []") != std::string::npos, r.Close());
}

void
NoFolder()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 10000);
    t.file.fct.file = "mix/fct.txt";
    Run r(t);
    std::string why;
    try
    {
        r.outputs.Begin("/nowhere");
    }
    catch (const RunError& error)
    {
        why = error.found;
    }
    RCC_CHECK_EQ(why, "cannot write /nowhere/fct.txt: No such file or directory", "");
}

/// A time far behind the end of the run costs nothing, and the file is that of the run.
void
QlenForEver()
{
    std::string rows[2];
    for (int64_t end : {int64_t(300000000), int64_t(1000000000000000)})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Star(3).Flow(1, 3, 1000000).Flow(2, 3, 1000000);
        t.file.qlen.file = "qlen.txt";
        t.file.qlen.end = end;
        t.file.time = 300000000;
        Run r(t);
        r.outputs.Begin(r.folder.GetPath());
        RccRunTo(t.file.time);
        // uids are given in order
        RCC_CHECK_LE(Simulator::ScheduleNow(&Simulator::Destroy).GetUid(), 1000000, "events that were scheduled");
        r.Close();
        rows[end > t.file.time] = r.Read("qlen.txt");
    }
    RCC_CHECK_EQ(rows[0], rows[1], "the same rows");
    RCC_CHECK_EQ(std::count(rows[0].begin(), rows[0].end(), '\n'), 4 * 4, "at 0, 0.1, 0.2 and 0.3 s");
}

/// Ids above 255, source ports by pair, and the ideal column by hand.
void
Fct()
{
    std::vector<bool> isSwitch(302);
    isSwitch[300] = isSwitch[301] = true;
    Ns3RdmaTest t(isSwitch);
    t.Link(1, 300, 100, 1000).Link(299, 301, 25, 2000).Link(300, 301, 400, 5000);
    t.Flow(1, 299, 1000000, 1000000).Flow(299, 1, 1, 1500000).Flow(1, 299, 2500, 2000000);
    t.file.fct.file = "mix/fct.txt";
    Run r(t);
    r.Execute();
    // rtt: 2 x 8000 + 1000 x 8 / (100, 400, 25) = 80 + 20 + 320 ns; the bottleneck has 25 Gb/s
    // 1000000 + 1000 x 48 bytes: 335360 ns; 1 + 48: 15.68; 2500 + 3 x 48: 846.08
    std::istringstream in(r.Read("fct.txt"));
    std::string sip;
    std::string dip;
    uint64_t sport, dport, bytes, start, fct, ideal;
    std::vector<std::vector<uint64_t>> rows;
    std::vector<std::string> names;
    while (in >> sip >> dip >> sport >> dport >> bytes >> start >> fct >> ideal)
    {
        rows.push_back({sport, dport, bytes, start, ideal});
        names.push_back(sip + " " + dip);
        RCC_CHECK_GE(fct, 16000, "a round trip");
    }
    const std::string one = "0b000101";
    const std::string far = "0b012b01"; // 299 = 256 + 43
    const std::vector<std::vector<uint64_t>> expected{{10000, 100, 1000000, 1000000, 16420 + 335360},
                                                      {10000, 100, 1, 1500000, 16420 + 15},
                                                      {10001, 100, 2500, 2000000, 16420 + 846}};
    RCC_CHECK_EQ(rows.size(), 3, "flows that ended");
    RCC_CHECK(rows == expected, r.Read("fct.txt"));
    RCC_CHECK(names == std::vector<std::string>({one + " " + far, far + " " + one, one + " " + far}), "addresses");
    RCC_CHECK(r.Close().find("\"files\": [\"fct.txt\"]") != std::string::npos, r.Close());
    LabPaths::Pair pair;
    pair.rtt = 16420;
    pair.bottleneck = 25000000000;
    RCC_CHECK_EQ(pair.IdealFct(10000000000, 1000), 16420 + (10000000000 + 48 * 10000000) * 8 / 25, "beyond 32 bits");
}

void
Pfc()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(4).Flow(1, 4, 2000000).Flow(2, 4, 2000000).Flow(3, 4, 2000000, 0, 5);
    t.Set("QbbSwitch", "BufferSize", "1000000");
    t.file.pfc.file = "pfc.txt";
    Run r(t);
    r.Execute();
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> pauses;
    for (uint32_t id = 0; id < r.paths.GetNNodes(); id++)
    {
        for (uint32_t i = 1; i <= r.paths.CountPorts(id); i++)
        {
            pauses[{id, i}] = r.Port(id, i)->GetCounters().pausesReceived;
        }
    }
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> lines;
    std::map<std::pair<uint32_t, uint32_t>, int64_t> open;
    std::istringstream in(r.Read("pfc.txt"));
    uint64_t time, node, type, interface, paused;
    uint64_t last = 0;
    while (in >> time >> node >> type >> interface >> paused)
    {
        const std::pair<uint32_t, uint32_t> port(static_cast<uint32_t>(node), static_cast<uint32_t>(interface));
        RCC_CHECK_GE(time, last, "in order");
        last = time;
        RCC_CHECK_EQ(type, node == 0 ? 1 : 0, "host or switch");
        lines[port] += paused;
        open[port] += paused ? 1 : -1;
        RCC_CHECK_GE(open[port], 0, "a resume belongs to a pause");
    }
    uint64_t all = 0;
    for (const auto& port : pauses)
    {
        RCC_CHECK_EQ(lines[port.first], port.second, "node " << port.first.first << " interface " << port.first.second);
        RCC_CHECK_EQ(open[port.first], 0, "all ended");
        all += port.second;
    }
    RCC_CHECK_GE(all, 6, "there were pauses");
}

/// Histograms count every sample, at the times that the simulator writes them, and the queue is what others see.
void
Qlen()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(3).Flow(1, 3, 5000000, 99950000).Flow(2, 3, 5000000, 99950000);
    t.file.qlen.file = "qlen.txt";
    t.file.qlen.start = 99900000;
    t.file.qlen.end = 100500000;
    t.file.time = 200000000;
    t.Flow(3, 1, 1000, 150000000);
    Run r(t);
    // sampled by events
    struct Sampler
    {
        Ptr<QbbNetDevice> port;
        std::vector<uint64_t> counts;
        static void Sample(Sampler* self)
        {
            const size_t bin = self->port->GetQueueBytesTotal() / 1000;
            self->counts.resize(std::max(self->counts.size(), bin + 1));
            self->counts[bin]++;
        }
    } sampler;
    sampler.port = r.Port(0, 3);
    for (int64_t at = 99900000; at <= 100500000; at += 100)
    {
        Simulator::Schedule(NanoSeconds(at), &Sampler::Sample, &sampler);
    }
    r.Execute();
    std::istringstream in(r.Read("qlen.txt"));
    std::string line;
    std::vector<std::string> times;
    std::map<uint32_t, std::vector<uint64_t>> last;
    while (std::getline(in, line))
    {
        std::istringstream row(line);
        if (line.compare(0, 6, "time: ") == 0)
        {
            times.push_back(line.substr(6));
            continue;
        }
        uint32_t node, interface;
        row >> node >> interface;
        RCC_CHECK_EQ(node, 0, "the only switch");
        std::vector<uint64_t> counts;
        uint64_t sum = 0;
        for (uint64_t n; row >> n;)
        {
            counts.push_back(n);
            sum += n;
        }
        RCC_CHECK_EQ(sum, times.size() == 1 ? 1001 : 6001, "samples, at interface " << interface);
        last[interface] = counts;
    }
    RCC_CHECK(times == std::vector<std::string>({"100000000", "100500000"}), r.Read("qlen.txt").substr(0, 200));
    RCC_CHECK_EQ(last.size(), 3, "ports");
    RCC_CHECK_EQ(last[3].size(), sampler.counts.size(), "longest queue");
    double difference = 0; // a sample at the time of a change may see either side of it
    for (size_t i = 0; i < std::min(last[3].size(), sampler.counts.size()); i++)
    {
        difference += std::abs(static_cast<double>(last[3][i]) - static_cast<double>(sampler.counts[i]));
    }
    RCC_CHECK_LE(difference, 6001 * 0.05, "against samples by events");
    RCC_CHECK_GE(last[3].size(), 100, "a long queue was there");
}

/// The run ends before QLEN_MON_END: that simulator samples the empty queues on.
void
QlenAfterTheEnd()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(2).Flow(1, 2, 100000);
    t.file.qlen.file = "qlen.txt";
    t.file.qlen.start = 100;
    t.file.qlen.end = 250000000;
    Run r(t);
    r.outputs.Begin(r.folder.GetPath());
    RccRunTo(10000000);
    r.Close();
    std::istringstream in(r.Read("qlen.txt"));
    std::vector<std::string> words;
    for (std::string word; in >> word;)
    {
        words.push_back(word);
    }
    const std::vector<std::string> expected{"time:", "100000000", "0", "1", "1000000", "0", "2"};
    RCC_CHECK_EQ(std::count(words.begin(), words.end(), "time:"), 3, r.Read("qlen.txt"));
    RCC_CHECK(words.size() >= 7 && std::equal(expected.begin(), expected.end(), words.begin()), r.Read("qlen.txt"));
    RCC_CHECK(r.Read("qlen.txt").find("time: 250000000\n0 1 2500000\n") != std::string::npos, r.Read("qlen.txt"));
}

/// A record as the tools of that simulator read it: the compiler's layout of its struct.
struct Record
{
    uint64_t time;
    uint16_t node;
    uint8_t intf, qidx;
    uint32_t qlen, sip, dip;
    uint16_t size;
    uint8_t l3Prot, event, ecn, nodeType;

    struct Data
    {
        uint16_t sport, dport;
        uint32_t seq;
        uint64_t ts;
        uint16_t pg, payload;
    };

    struct Ack
    {
        uint16_t sport, dport, flags, pg;
        uint32_t seq;
        uint64_t ts;
    };

    struct Pfc
    {
        uint32_t time, qlen;
        uint8_t qIndex;
    };

    union {
        Data data;
        Ack ack;
        Pfc pfc;
    };
};

static_assert(sizeof(Record) == 56, "that simulator's records have 56 bytes");

/// The header before the records: four links at 100 Gb/s around switch 0.
void
CheckTraceHeader(const std::string& file)
{
    uint32_t ports = 0;
    std::memcpy(&ports, file.data(), 4);
    RCC_CHECK_EQ(ports, 8, "ports of 4 links");
    for (uint32_t p = 0; p < 8; p++)
    {
        uint16_t node;
        uint64_t rate;
        std::memcpy(&node, file.data() + 4 + 11 * p, 2);
        std::memcpy(&rate, file.data() + 4 + 11 * p + 3, 8);
        RCC_CHECK_EQ(node, p < 4 ? 0 : p - 3, "nodes in order");
        RCC_CHECK_EQ(file[4 + 11 * p + 2], p < 4 ? p + 1 : 1, "interfaces from 1");
        RCC_CHECK_EQ(rate, 100000000000, "bit/s");
    }
    uint32_t win = 0;
    std::memcpy(&win, file.data() + 4 + 88, 4);
    RCC_CHECK_EQ(win, 52000, "the largest BDP");
    RCC_CHECK_EQ((file.size() - 96) % 56, 0, "whole records");
}

/// The sums of the records of a mix.tr. Each record is checked as it is counted.
struct TraceTotals
{
    std::map<std::string, uint64_t> counts; //!< records by "node event protocol"
    std::map<uint16_t, int> sports;         //!< packets of host 3 by source port
    uint64_t last = 0;                      //!< time of the record before
    uint32_t nextSeq = 0;                   //!< bytes that host 1 has sent
    uint32_t acked = 0;                     //!< packets that were acknowledged
    uint64_t pauses = 0;                    //!< pause frames that host 1 got
    bool empty = false;                     //!< a packet found an empty queue
    bool lastPacket = false;                //!< the short packet at the end of host 1's flow

    void Add(const Record& x)
    {
        RCC_CHECK_GE(x.time, last, "in order");
        last = x.time;
        RCC_CHECK_EQ(x.nodeType, x.node == 0 ? 1 : 0, "type");
        counts[std::to_string(x.node) + " " + std::to_string(x.event) + " " + std::to_string(x.l3Prot)]++;
        RCC_CHECK(x.event != 0 || x.qidx == 0, "what is received is said to be in queue 0");
        if (x.node == 1 && x.event == 2 && x.l3Prot == 0x11)
        {
            AddSent(x);
        }
        if (x.node == 1 && x.event == 0 && x.l3Prot == 0xFC)
        {
            acked = std::max(acked, x.ack.seq);
            RCC_CHECK_EQ(x.ack.sport, 100, "ports the other way round");
            RCC_CHECK_EQ(x.ack.dport, 10000, "");
            RCC_CHECK_EQ(unsigned(x.ecn), 0, "no ACK is marked");
        }
        if (x.node == 1 && x.event == 0 && x.l3Prot == 0xFE)
        {
            pauses += x.pfc.time > 0;
            RCC_CHECK_EQ(x.pfc.qIndex, 3, "class");
            RCC_CHECK_LE(x.pfc.time, 6, "PAUSE_TIME in us, and what quanta round it to");
            RCC_CHECK_EQ(x.sip, 0x0a010101, "the switch's end of the first link, 10.1.1.1");
            RCC_CHECK_EQ(x.dip, 0xffffffff, "");
        }
        if (x.node == 0 && x.event == 1 && x.l3Prot == 0x11)
        {
            RCC_CHECK_EQ(x.intf, 4, "towards host 4");
            RCC_CHECK_EQ(x.qidx, 3, "");
            empty = empty || x.qlen == 0;
            sports[x.data.sport] += x.sip == 0x0b000301;
        }
    }

    /// A data packet that leaves host 1.
    void AddSent(const Record& x)
    {
        RCC_CHECK_EQ(x.data.seq, nextSeq, "bytes before");
        nextSeq += x.data.payload;
        RCC_CHECK_EQ(x.size, x.data.payload + ROCE_OVERHEAD, "on the wire");
        RCC_CHECK_EQ(x.data.ts, x.time, "when it left");
        RCC_CHECK_EQ(unsigned(x.ecn), 0, "no algorithm that reads marks");
        RCC_CHECK_EQ(x.sip, 0x0b000101, "host 1");
        RCC_CHECK_EQ(x.dip, 0x0b000401, "host 4");
        RCC_CHECK_EQ(x.data.pg, 3, "");
        lastPacket = lastPacket || x.data.payload == 500;
    }
};

void
MixTr()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(4).Flow(1, 4, 300500).Flow(2, 4, 300000).Flow(3, 4, 300000).Flow(3, 4, 1, 1000);
    t.file.mix.file = "mix.tr";
    t.Set("QbbSwitch", "BufferSize", "400000");
    t.file.time = 10000000;
    Trace(t, {0, 1});
    Run r(t);
    r.Execute();
    const std::string file = r.Read("mix.tr");
    CheckTraceHeader(file);

    TraceTotals seen;
    for (size_t at = 96; at + 56 <= file.size(); at += 56)
    {
        Record x;
        std::memcpy(&x, file.data() + at, 56);
        seen.Add(x);
    }
    RCC_CHECK_EQ(seen.nextSeq, 300500, "the whole flow");
    RCC_CHECK(seen.empty, "the first packet finds an empty queue");
    RCC_CHECK(seen.lastPacket, "the short packet at its end");
    RCC_CHECK_EQ(seen.acked, 300500, "the last acknowledgement");
    RCC_CHECK_EQ(seen.counts["1 2 17"], 301, "data that host 1 sent");
    for (const char* event : {"0 0 17", "0 1 17", "0 2 17"})
    {
        RCC_CHECK_EQ(seen.counts[event], 301 + 300 + 300 + 1, "switch: " << event);
    }
    RCC_CHECK_EQ(seen.counts["0 3 17"], 0, "drops");
    RCC_CHECK_EQ(seen.counts["1 0 252"], 301, "one ACK per packet");
    RCC_CHECK_EQ(seen.sports[10000], 300, "the first flow from 3 to 4");
    RCC_CHECK_EQ(seen.sports[10001], 1, "and the second");
    RCC_CHECK_GE(seen.pauses, 1, "host 1 was paused");
}

/// A flow that is stopped, and one without end.
void
StopAndEndless()
{
    Ns3RdmaTest t = Ns3RdmaTest::Star(3).Flow(1, 3, 100000000).Flow(2, 3, 0, 1000);
    t.file.arrivals[0].stop = 500000;
    t.Set("QbbSwitch", "BufferSize", "300000"); // frames that are still queued then are ignored
    t.file.time = 1000000;
    t.file.fct.file = "fct.txt";
    Run r(t);
    r.Execute();
    RCC_CHECK_EQ(r.Read("fct.txt"), "", "none ended");
    RCC_CHECK_EQ(r.Fct(0), -1, "stopped");
    // half of the link for 0.5 ms; the other one then all of it: 1000 / 1062 of 12.5 KB per us
    const double delivered = static_cast<double>(r.Nic(3)->GetCounters().payloadDelivered);
    RCC_CHECK_NEAR(delivered, 12.5e6 / 1.062, 3e5, "payload of both");
    const double first = static_cast<double>(r.Nic(1)->GetCounters().packetsSent) * 1000;
    RCC_CHECK_NEAR(first, 0.25 * 12.5e6 / 1.062, 3e5, "of the first one until its stop");
}

/// Losses, sprayed packets, several algorithms and a failing link: the same seed gives the same bytes, another others.
void
SameBytes()
{
    std::string first;
    for (uint64_t seed : {1, 1, 2})
    {
        Ns3RdmaTest t = Ns3RdmaTest::Diamond();
        t.Flow(0, 1, 3000000).Flow(1, 0, 2000000, 1000, 3, t.AddAlgorithm("timely"));
        t.Flow(0, 1, 500000, 2000, 4, t.AddAlgorithm("dcqcn")).Marker(4, 2).LinkDown(200000, 2, 4);
        t.Set("QbbSwitch", "EcmpPerPacket", "true");
        for (auto& link : t.file.links)
        {
            link.loss = 1000000;
        }
        t.file.fct.file = "fct.txt";
        t.file.pfc.file = "pfc.txt";
        t.file.mix.file = "mix.tr";
        Trace(t, {0, 2, 5});
        Run r(t, seed);
        r.Execute();
        const std::string all = r.Read("fct.txt") + r.Read("pfc.txt") + r.Read("mix.tr");
        RCC_CHECK_EQ(std::count(all.begin(), all.begin() + static_cast<long>(r.Read("fct.txt").size()), '\n'), 3,
                     "flows");
        RCC_CHECK_EQ(first.empty() || first == all, seed == 1, "seed " << seed);
        first = first.empty() ? all : first;
    }
}

RccTestSuite g_ns3RdmaOutputSuite("ns3-rdma-output", {{"nothing unasked", NothingUnasked},
                                                      {"no folder", NoFolder},
                                                      {"qlen.txt for ever", QlenForEver},
                                                      {"fct.txt", Fct},
                                                      {"pfc.txt", Pfc},
                                                      {"qlen.txt", Qlen},
                                                      {"qlen.txt after the end", QlenAfterTheEnd},
                                                      {"mix.tr", MixTr},
                                                      {"same bytes", SameBytes},
                                                      {"stop and endless", StopAndEndless}});

} // namespace
