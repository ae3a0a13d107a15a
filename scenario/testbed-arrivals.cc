/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "testbed-arrivals.h"

#include "rcc-workload.h"

#include "ns3/node.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-text.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

const size_t FLOWS_MAX = 10000000;

struct Arrival
{
    int64_t start; //!< ns
    size_t src, dst;
    uint64_t bytes;
};

/// What of the hosts' links flows take on average.
uint64_t
ReadLoad(const std::string& option, const std::string& item, const std::string& text)
{
    return static_cast<uint64_t>(
        RccOptions::ParseField(option, item, text, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100000, RCC_RATIO_ONE));
}

/// Mean rate at which a host can send, over all its ports, bit/s.
uint64_t
GetHostRate(const RccTestbed& testbed)
{
    uint64_t rate = 0;
    for (const auto& nic : testbed.GetHosts())
    {
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            rate += nic->GetPort(p)->GetRate();
        }
    }
    return rate / testbed.GetHosts().size();
}

/// Bytes on the wire of a message, or of its payload alone.
double
CountedBytes(const RccOptions& options, double bytes)
{
    const auto mtu = options.Get<double>("mtu");
    return options.GetText("load-counts") == "payload" ? bytes : bytes * (mtu + ROCE_OVERHEAD) / mtu;
}

void
AddSingle(const RccOptions& options, const RccTestbed& testbed, const std::string& item, std::vector<Arrival>& flows)
{
    const size_t colon = item.rfind(':');
    options.FailValueIf(colon == std::string::npos, "arrivals", "SIZES:LOAD such as web-search:0.3");
    RccSizes sizes;
    const std::string why = sizes.Load(item.substr(0, colon));
    RccOptions::FailIf(why.empty() ? why : "--arrivals: " + why);
    const uint64_t load = ReadLoad("arrivals", item, item.substr(colon + 1));
    const auto hosts = static_cast<uint32_t>(testbed.GetHosts().size());
    uint64_t rate = GetHostRate(testbed);
    const auto mtu = options.Get<uint32_t>("mtu");
    if (options.GetText("load-counts") == "payload") // more arrive: the headers come on top
    {
        const double wire = static_cast<double>(sizes.GetMeanGap(rate, mtu)) / 65536;
        rate = static_cast<uint64_t>(wire * static_cast<double>(rate) * static_cast<double>(rate) /
                                     (sizes.GetMeanBytes() * 8e9));
    }
    RccPoissonFlows source(options.Get<uint64_t>("seed"), sizes, hosts, rate, load, mtu);
    for (auto f = source.Next(); f.start < options.Get("time") && flows.size() < FLOWS_MAX; f = source.Next())
    {
        flows.push_back({f.start, f.src, f.dst, f.bytes});
    }
}

void
AddIncasts(const RccOptions& options, const RccTestbed& testbed, const std::string& item, std::vector<Arrival>& flows)
{
    std::vector<std::string> part = RccSplit(item, ':');
    const size_t hosts = testbed.GetHosts().size();
    options.FailValueIf(part.size() != 3 && part.size() != 4, "incasts",
                        "SENDERS:SIZE:LOAD[:QPS] such as 60:500KB:0.02");
    part.resize(4, "1");
    const auto senders = static_cast<uint64_t>(
        RccOptions::ParseField("incasts", item, part[0], RCC_UNIT_COUNT, 1, static_cast<int64_t>(hosts) - 1));
    const auto bytes =
        static_cast<uint64_t>(RccOptions::ParseField("incasts", item, part[1], RCC_UNIT_BYTES, 1, 1000 * RCC_SECOND));
    const uint64_t load = ReadLoad("incasts", item, part[2]);
    const auto qps = static_cast<uint64_t>(RccOptions::ParseField("incasts", item, part[3], RCC_UNIT_COUNT, 1, 100000));
    const double each = CountedBytes(options, static_cast<double>(senders * qps * bytes)) * 8e9;
    const double rate = static_cast<double>(GetHostRate(testbed) * hosts) * static_cast<double>(load) / RCC_RATIO_ONE;
    const auto gap = static_cast<uint64_t>(each / rate * 65536);
    const uint64_t gaps = RccStreamOf(options.Get<uint64_t>("seed"), RccStream::WORKLOAD, 3);
    const uint64_t picks = RccStreamOf(options.Get<uint64_t>("seed"), RccStream::WORKLOAD, 4);
    uint64_t time = 0;
    uint64_t drawn = 0;
    for (uint64_t n = 0; flows.size() < FLOWS_MAX; n++)
    {
        const uint64_t draw = (static_cast<uint64_t>(RccDraw(gaps, 2 * n)) << 32) | RccDraw(gaps, 2 * n + 1) | 1;
        time += static_cast<uint64_t>((static_cast<Wide>(gap) * RccMinusLog(draw)) >> 52);
        if (static_cast<int64_t>(time >> 16) >= options.Get("time"))
        {
            return;
        }
        std::vector<size_t> order(hosts); // the first is the receiver, the senders follow
        for (size_t i = 0; i < hosts; i++)
        {
            order[i] = i;
        }
        for (size_t i = 0; i <= senders; i++)
        {
            std::swap(order[i], order[i + RccUniform(picks, drawn++, hosts - i)]);
        }
        for (uint64_t i = 0; i < senders * qps; i++)
        {
            flows.push_back({static_cast<int64_t>(time >> 16), order[1 + i / qps], order[0], bytes});
        }
    }
}

/// Number of the path between two hosts in the flow set.
class Paths
{
  public:
    Paths(RccRun& run, const RccTestbed& testbed) : m_run(run), m_testbed(testbed)
    {
    }

    uint32_t Find(size_t src, size_t dst)
    {
        const auto pair = m_pairs.emplace(std::make_pair(src, dst), 0);
        if (pair.second)
        {
            const RdmaNic& from = *m_testbed.GetHosts()[src];
            const uint32_t to = m_testbed.GetHosts()[dst]->GetObject<Node>()->GetId();
            pair.first->second = m_run.GetFlows().AddPath(RdmaPathTo(from, from.PickPort(to, 0), to, nullptr));
        }
        return pair.first->second;
    }

  private:
    RccRun& m_run;
    const RccTestbed& m_testbed;
    std::map<std::pair<size_t, size_t>, uint32_t> m_pairs;
};

} // namespace

void
TestbedArrivals::AddOptions(RccOptions& options)
{
    options.AddText("arrivals", "SIZES:LOAD", "",
                    "flows between random hosts in place of --flows; web-search, data-mining, fb-hadoop or a file",
                    "none");
    options.AddText("incasts", "SENDERS:SIZE:LOAD[:QPS]", "",
                    "random hosts send to a random one at the same time, each SIZE on QPS queue pairs", "none");
    options.AddChoice("load-counts", {"wire", "payload"}, "wire", "what of the hosts' links LOAD is a part of");
    options.Add("drain", RCC_UNIT_NS, "1s", 0, 1000 * RCC_SECOND, "how long after --time arrived flows may still take");
}

void
TestbedArrivals::Add(const RccOptions& options, RccRun& run, const RccTestbed& testbed)
{
    if (testbed.GetHosts().size() < 2)
    {
        RccOptions::Fail("--arrivals and --incasts need two hosts in --links");
    }
    std::vector<Arrival> flows;
    if (options.IsSet("arrivals"))
    {
        AddSingle(options, testbed, options.GetText("arrivals"), flows);
    }
    if (options.IsSet("incasts"))
    {
        AddIncasts(options, testbed, options.GetText("incasts"), flows);
    }
    if (flows.empty() || flows.size() >= FLOWS_MAX)
    {
        RccOptions::Fail("--time is '" + options.GetText("time") + "', in which " +
                         (flows.empty() ? "no flow arrives" : "more than 10 million flows arrive"));
    }
    std::stable_sort(flows.begin(), flows.end(), [](const Arrival& a, const Arrival& b) { return a.start < b.start; });
    Paths paths(run, testbed);
    for (const auto& f : flows)
    {
        run.GetFlows().AddArrival(testbed.GetHosts()[f.src], testbed.GetHosts()[f.dst], f.start, f.bytes,
                                  paths.Find(f.src, f.dst));
    }
    run.SetDrain(options.Get("drain"));
}

} // namespace ns3
