/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Flow sizes, Poisson arrivals, the idle path, and runs of flows that come and go. */
#include "rcc-test-net.h"

#include "lab-results.h"
#include "lab-workload.h"
#include "ns3/rdma-path.h"

#include <cmath>

using namespace ns3;

namespace
{

/// A distribution by its points: sizes, and cumulative percentages.
std::vector<RunSize>
Sizes(const std::vector<std::pair<uint64_t, uint64_t>>& points)
{
    std::vector<RunSize> sizes(points.size());
    for (size_t i = 0; i < points.size(); i++)
    {
        sizes[i].bytes = points[i].first;
        sizes[i].share = points[i].second * (RUN_SHARE_ONE / 100);
    }
    return sizes;
}

/// Web search: M. Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010.
const std::vector<RunSize> WEB_SEARCH = Sizes({{0, 0},
                                               {10000, 15},
                                               {20000, 20},
                                               {30000, 30},
                                               {50000, 40},
                                               {80000, 53},
                                               {200000, 60},
                                               {1000000, 70},
                                               {2000000, 80},
                                               {5000000, 90},
                                               {10000000, 97},
                                               {30000000, 100}});

/// Data mining: A. Greenberg et al., "VL2: A Scalable and Flexible Data Center Network", SIGCOMM 2009; in packets.
const std::vector<RunSize> DATA_MINING = Sizes({{1460 * 1, 50},
                                                {1460 * 2, 60},
                                                {1460 * 3, 70},
                                                {1460 * 7, 80},
                                                {1460 * 267, 90},
                                                {1460 * 2107, 95},
                                                {1460 * 66667, 99},
                                                {1460 * 666667, 100}});

/// Mean time between two flows of data mining, 2^-16 ns: 80 % of nine links of 10 Gb/s, headers included.
const uint64_t GAP = 57769421924;

/// -ln against the C library, near 1, near 0 and at random; and what must be exact.
void
MinusLog()
{
    auto check = [](uint64_t x) {
        const double want = -std::log(std::ldexp(static_cast<double>(x), -64));
        // below 2^53 the argument is exact in double; near 1 the difference from 1 is what counts
        const double exact = x >> 63 ? -std::log1p(-std::ldexp(static_cast<double>(0 - x), -64)) : want;
        RCC_CHECK_NEAR(std::ldexp(static_cast<double>(LabMinusLog(x)), -52), exact, 4e-15 * (1 + exact), x);
    };
    RccTestRandom random(5);
    for (int i = 0; i < 20000; i++)
    {
        check(((random.Below(uint64_t(1) << 62) * 4 + 3) >> random.Below(62)) | 1);
    }
    for (uint64_t near = 1; near < 100; near++)
    {
        check(near);
        check(0 - near);
    }
    // 2^-n: n ln 2, and ln 2 x 2^52 is 3121657384082679.6
    RCC_CHECK_EQ(LabMinusLog(uint64_t(1) << 63), 3121657384082679, "ln 2");
    RCC_CHECK_LE(LabMinusLog(UINT64_MAX), 1, "1 - 2^-64");
}

/// Means in closed form against numeric ones, and against what is known of published sizes.
void
Means()
{
    const std::vector<RunSize> mass = Sizes({{0, 90}, {1000, 100}}); // a drawn size of 0 is one byte
    const std::vector<RunSize> step = Sizes({{0, 10}, {0, 60}, {1000, 100}});
    const std::pair<const char*, std::vector<RunSize>> all[] = {
        {"web search", WEB_SEARCH}, {"data mining", DATA_MINING}, {"mass", mass}, {"step", step}};
    for (const auto& one : all)
    {
        const char* const name = one.first;
        const std::vector<RunSize>& sizes = one.second;
        const int n = 200000;
        double sum = 0;
        for (int i = 0; i < n; i++)
        {
            const auto x = static_cast<uint64_t>(std::ldexp((i + 0.5) / n, 64));
            sum += static_cast<double>(LabQuantile(sizes, x));
        }
        RCC_CHECK_NEAR(sum / n / LabMeanBytes(sizes), 1, 5e-6, name);
    }
    RCC_CHECK_NEAR(LabMeanBytes(WEB_SEARCH), 1711250, 1e-3, "");
    RCC_CHECK_NEAR(LabMeanBytes(DATA_MINING) / 1460, 5116.6, 0.05, "packets");
}

/// The sampled distribution against the points: a binomial bound that a shifted or uniform sampler fails.
void
Sampling()
{
    for (const char* const name : {"web search", "data mining"})
    {
        const std::vector<RunSize> sizes = name == std::string("web search") ? WEB_SEARCH : DATA_MINING;
        LabPoissonFlows flows(3, sizes, 9, GAP);
        const size_t n = 100000;
        std::vector<uint64_t> drawn;
        for (size_t i = 0; i < n; i++)
        {
            drawn.push_back(flows.Next().bytes);
        }
        std::sort(drawn.begin(), drawn.end());
        RCC_CHECK_GE(drawn.front(), 1, name);
        RCC_CHECK_LE(drawn.back(), sizes.back().bytes, name);
        auto share = [&](uint64_t bytes) {
            return static_cast<double>(std::upper_bound(drawn.begin(), drawn.end(), bytes) - drawn.begin()) / n;
        };
        for (size_t i = 0; i < sizes.size(); i++)
        {
            const double p = static_cast<double>(sizes[i].share) / 1e12;
            RCC_CHECK_NEAR(share(sizes[i].bytes), p, 5 * std::sqrt(p * (1 - p) / n) + 1e-4, name << " point " << i);
            if (i > 0) // linear in between
            {
                const double a = static_cast<double>(sizes[i - 1].share) / 1e12;
                const uint64_t middle = (sizes[i - 1].bytes + sizes[i].bytes) / 2;
                const double q = (a + p) / 2;
                RCC_CHECK_NEAR(share(middle), q, 5 * std::sqrt(q * (1 - q) / n) + 1e-4, name << " after " << i - 1);
            }
        }
        double least = static_cast<double>(sizes[0].share) / 1e12;
        RCC_CHECK_NEAR(share(sizes[0].bytes), least, 5 * std::sqrt(0.25 / n), name << ": the mass at the first point");
    }
}

/// Gaps: mean and variance of an exponential distribution; pairs: uniform over all but the diagonal; load: as asked.
void
Poisson()
{
    const uint32_t hosts = 5;
    const size_t n = 200000;
    const uint64_t asked = 31760991300; // 60 % of five links of 10 Gb/s, headers included
    LabPoissonFlows flows(7, WEB_SEARCH, hosts, asked);
    double sum = 0;
    double squares = 0;
    double wire = 0;
    int64_t last = 0;
    std::vector<size_t> pairs(hosts * hosts);
    for (size_t i = 0; i < n; i++)
    {
        const auto f = flows.Next();
        const auto gap = static_cast<double>(f.start - last);
        RCC_CHECK_GE(f.start, last, "in order");
        last = f.start;
        sum += gap;
        squares += gap * gap;
        wire += static_cast<double>(f.bytes + (f.bytes + 999) / 1000 * ROCE_OVERHEAD);
        pairs[f.src * hosts + f.dst]++;
    }
    const double mean = sum / n;
    const double root = std::sqrt(static_cast<double>(n));
    RCC_CHECK_NEAR(mean * 65536 / asked, 1, 5 / root, "mean gap");
    const double variance = squares / n - mean * mean;
    RCC_CHECK_NEAR(variance / (mean * mean), 1, 5 * std::sqrt(8.0) / root, "variance of an exponential: mean squared");
    // sizes vary by 2.1 times their mean
    RCC_CHECK_NEAR(wire * 8 / (static_cast<double>(last) * hosts * 10) / 0.6, 1, 5 * 2.4 / root, "load");
    for (uint32_t pair = 0; pair < hosts * hosts; pair++)
    {
        const bool self = pair / hosts == pair % hosts;
        const double p = 1.0 / (hosts * (hosts - 1));
        RCC_CHECK_NEAR(pairs[pair], self ? 0 : p * n, self ? 0 : 5 * std::sqrt(p * n), "pair " << pair);
    }
}

/// Flows do not depend on where they are computed: these numbers may change with the sizes or streams only.
void
SameEverywhere()
{
    LabPoissonFlows a(1, DATA_MINING, 9, GAP);
    LabPoissonFlows b(1, DATA_MINING, 9, GAP);
    LabPoissonFlows c(2, DATA_MINING, 9, GAP);
    bool differs = false;
    uint64_t digest = 0;
    for (int i = 0; i < 1000; i++)
    {
        const auto x = a.Next();
        const auto y = b.Next();
        const auto z = c.Next();
        RCC_CHECK(x.start == y.start && x.src == y.src && x.dst == y.dst && x.bytes == y.bytes, i);
        differs = differs || x.start != z.start;
        digest = RccMix(digest ^ static_cast<uint64_t>(x.start)) + RccMix(x.bytes ^ (uint64_t(x.src) << 50)) + x.dst;
    }
    RCC_CHECK(differs, "another seed");
    RCC_CHECK_EQ(digest, int64_t(5619912198371246351), "flows of seed 1");
}

/// Sizes at and between points, and a mass at a step.
void
Quantiles()
{
    std::vector<RunSize> sizes = Sizes({{0, 0}, {1000, 50}, {3000, 100}});
    RCC_CHECK_NEAR(LabMeanBytes(sizes), 0.5 * 500 + 0.5 * 2000, 1e-9, "");
    RCC_CHECK_EQ(LabQuantile(sizes, uint64_t(1) << 63), 1000, "half");
    RCC_CHECK_EQ(LabQuantile(sizes, uint64_t(3) << 62), 2000, "three quarters");
    RCC_CHECK_EQ(LabQuantile(sizes, 0), 1, "a flow has a byte");
    RCC_CHECK_EQ(LabQuantile(sizes, UINT64_MAX), 3000, "all");
    sizes = Sizes({{100, 25}, {200, 25}, {200, 75}, {401, 100}});
    RCC_CHECK_EQ(LabQuantile(sizes, 0), 100, "mass at the first point");
    RCC_CHECK_EQ(LabQuantile(sizes, uint64_t(1) << 63), 200, "mass at a step");
    RCC_CHECK_EQ(LabQuantile(sizes, UINT64_MAX), 401, "");
    RCC_CHECK_NEAR(LabMeanBytes(sizes), 25 + 0.5 * 200 + 0.25 * 300.5, 1e-9, "");
    RCC_CHECK_EQ(LabQuantile(Sizes({{5000, 100}}), 123), 5000, "one size");
}

/// A queue pair alone takes exactly the ideal time; its parts in one case by hand.
void
IdealPath()
{
    const std::vector<RccHop> path{{10 * G, 1000, 0}, {10 * G, 1000, 0}};
    // 1062 bytes are 849.6 ns, an acknowledgement of 66 bytes 52.8 ns; the link rounds down
    RCC_CHECK_EQ(RccIdealFct(path, 1000, 1000, 64), 2 * 849 + 2 * 52 + 4 * 1000, "one packet");
    RCC_CHECK_EQ(RccIdealFct({{8 * G, 500, 0}}, 3500, 1000, 64), 3 * 1062 + 562 + 66 + 2 * 500,
                 "four packets, one link");
    RCC_CHECK_EQ(RccIdealFct({{8 * G, 0, 0}, {4 * G, 0, 0}}, 2000, 1000, 64), 1062 + 2 * 2124 + 132 + 66,
                 "the slower link is the second");
    for (const uint64_t rate : {10 * G, 25 * G, 40 * G, 100 * G})
    {
        for (const uint64_t bytes : {1, 63, 999, 1000, 1001, 64000, 64001, 1234567})
        {
            RccTestStar star;
            star.Build(2, rate, 1000);
            RCC_CHECK_EQ(star.sw->Start(), "", "");
            Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
            const uint32_t qp = star.Send(0, 1, algorithm, bytes);
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            const RdmaSendQp& half = star.nics[0]->GetSendQp(qp);
            RCC_CHECK_EQ(half.finished - half.started, RccIdealFct({{rate, 1000, 0}, {rate, 1000, 0}}, bytes, 1000, 64),
                         bytes << " bytes at " << rate);
            Simulator::Destroy();
        }
    }
}

/// A queue pair that was closed can be forgotten while its packets are on the way.
void
Forget()
{
    RccTestStar star;
    star.Build(2, 10 * G, 10000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("dcqcn");
    const uint32_t first = star.Send(0, 1, algorithm, 0);
    RccAt(50000, [&]() {
        star.nics[0]->Close(first);
        star.nics[0]->Forget(first);
    });
    uint32_t second = 0;
    RccAt(60000, [&]() { second = star.Send(0, 1, algorithm, 5000); });
    RccRunTo(1000000);
    RCC_CHECK_EQ(second, 1, "indices are not used again: late packets must not meet another flow");
    RCC_CHECK_GE(star.nics[0]->GetSendQp(second).finished, 60000, "the next one works");
    RCC_CHECK_EQ(star.Received(0, 1, second).bytes, 5000, "");
}

void
Slowdowns()
{
    const std::string json = LabSlowdownSummary({{10000, 300, 100, 2}, {10001, 200, 100, 3}, {5, 100, 100, 1}}).Str();
    RCC_CHECK_EQ(json.find("{\"count\": 3, \"mean\": 2, \"p50\": 2, \"p95\": 3, \"p99\": 3, \"max\": 3"), 0, json);
    RCC_CHECK(json.find("\"from_bytes\": 0, \"to_bytes\": 10000, \"count\": 2, \"mean_fct_s\": 2e-07") !=
                  std::string::npos,
              json);
    RCC_CHECK(json.find("\"from_bytes\": 10000, \"to_bytes\": 100000, \"count\": 1") != std::string::npos, json);
    RCC_CHECK(json.find("\"halves\": [1, 3]") != std::string::npos, "by start: " + json);
    RCC_CHECK(LabSlowdownSummary({}).Str().find("\"mean\": null") != std::string::npos, "");
}

RccTestSuite g_workloadSuite("rcc-workload", {{"minus-log", MinusLog},
                                              {"means", Means},
                                              {"sampling", Sampling},
                                              {"poisson", Poisson},
                                              {"same-everywhere", SameEverywhere},
                                              {"quantiles", Quantiles},
                                              {"ideal-path", IdealPath},
                                              {"forget", Forget},
                                              {"slowdowns", Slowdowns}});

} // namespace
