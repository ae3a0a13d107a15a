/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Random streams: what ns-3's seed and run number, SetSeed, node ids and AssignStreams change, and until when. */
#include "cioq-test-net.h"
#include "rcc-test-abort.h"
#include "trace-test-net.h"

#include "ns3/rng-seed-manager.h"

#include <set>

using namespace ns3;

namespace
{

/// When a program calls AssignStreams.
enum Assigned
{
    NEVER,
    BEFORE_START,
    AFTER_CONNECT
};

/// The settings of a run's random numbers.
struct Draws
{
    uint64_t run{1};  //!< run number of RngSeedManager
    uint32_t rng{1};  //!< seed of RngSeedManager
    uint64_t seed{0}; //!< argument of SetSeed; 0: it is not called
    uint32_t idle{0}; //!< nodes that exist before
    Assigned assigned{NEVER};
};

/// A hash of all frames of a receiver in a star that draws marks, jitter and hashes of flows.
uint64_t
RunStar(const Draws& draws, const char* cc = "dcqcn")
{
    RngSeedManager::SetSeed(draws.rng);
    RngSeedManager::SetRun(draws.run);
    NodeContainer all;
    all.Create(draws.idle);
    RccTestStar star;
    if (draws.seed)
    {
        star.helper.SetSeed(draws.seed);
    }
    star.Build(4, 10 * G, 1000);
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create(cc);
    star.sw->AddMarker(3, algorithm);
    for (const auto& node : star.nodes)
    {
        all.Add(node);
    }
    all.Add(star.sw->GetPort(0)->GetNode());
    if (draws.assigned == BEFORE_START)
    {
        RCC_CHECK_EQ(QbbHelper::AssignStreams(all, 10), 5, "four hosts and a switch; idle nodes use none");
    }
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    RccTestHash hash;
    hash.Watch(star.sw->GetPort(3));
    std::vector<uint32_t> qps;
    for (size_t i = 0; i < 3; i++)
    {
        qps.push_back(RdmaNic::Connect(star.nics[i], star.nics[3], algorithm, 3));
    }
    if (draws.assigned == AFTER_CONNECT)
    {
        RCC_CHECK_EQ(QbbHelper::AssignStreams(all, 10), 5, "");
    }
    for (size_t i = 0; i < 3; i++)
    {
        star.nics[i]->Post(qps[i], 0, MakeNullCallback<void, uint32_t>());
    }
    RccRunTo(1000000);
    Simulator::Destroy();
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    return hash.value;
}

/// Return a copy of Draws with one field changed.
template <class Field, class Value>
Draws
ChangeField(Field Draws::*field, Value value, Draws draws = Draws())
{
    draws.*field = value;
    return draws;
}

/// ns-3's seed and run number give replications; those of 1 and 1 are the draws of SetSeed(1).
void
Runs()
{
    std::set<uint64_t> different;
    for (uint64_t run : {1, 2, 3})
    {
        const Draws draws = ChangeField(&Draws::run, run);
        const uint64_t value = RunStar(draws);
        RCC_CHECK_EQ(RunStar(draws), value, "the same run repeats");
        different.insert(value);
    }
    different.insert(RunStar(ChangeField(&Draws::rng, 2)));
    RCC_CHECK_EQ(different.size(), 4, "three runs and another seed");
    RCC_CHECK_EQ(RunStar(Draws()), RunStar(ChangeField(&Draws::seed, 1)), "");
}

/// SetSeed replaces ns-3's seed and run.
void
Override()
{
    const Draws seven = ChangeField(&Draws::seed, 7);
    const uint64_t value = RunStar(seven);
    RCC_CHECK(value != RunStar(Draws()), "");
    RCC_CHECK_EQ(RunStar(ChangeField(&Draws::run, 2, seven)), value, "");
    RCC_CHECK_EQ(RunStar(ChangeField(&Draws::rng, 2, seven)), value, "");
}

/// AssignStreams replaces node ids, before Start as after Connect.
void
Assigning()
{
    for (const char* cc : {"dcqcn", "qcn"})
    {
        const Draws before = ChangeField(&Draws::assigned, BEFORE_START);
        const uint64_t plain = RunStar(Draws(), cc), assigned = RunStar(before, cc);
        RCC_CHECK(RunStar(ChangeField(&Draws::idle, 3), cc) != plain, "node ids count");
        RCC_CHECK(assigned != plain, "");
        RCC_CHECK_EQ(RunStar(ChangeField(&Draws::idle, 3, before), cc), assigned, "node ids do not count");
        RCC_CHECK(RunStar(ChangeField(&Draws::run, 2, before), cc) != assigned, "");
        RCC_CHECK_EQ(RunStar(ChangeField(&Draws::assigned, AFTER_CONNECT), cc), assigned, cc);
    }
}

/// Numbers cannot be drawn anew: after the first packet a NIC and both switches refuse.
void
AfterTheFirstPacket()
{
    RccTestStar star;
    star.Build(2, 10 * G, 1000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    star.Send(0, 1, RccAlgorithm::Create("dcqcn"), 10000);
    RCC_CHECK_EQ(star.sw->AssignStreams(5), 1, "no frame has arrived there");
    RCC_CHECK_EQ(star.nics[1]->AssignStreams(6), 1, "it has sent none");
    RCC_CHECK_ABORTS([&] { star.nics[0]->AssignStreams(7); }, "AssignStreams of node 1 after its first packet");
    RCC_CHECK_ABORTS([&] { star.nics[0]->SetSeed(7); }, "SetSeed of node 1 after its first packet");
    RccRunTo(100000);
    RCC_CHECK_ABORTS([&] { star.sw->AssignStreams(8); }, "AssignStreams of the switch of node 0 after its first frame");
    RCC_CHECK_ABORTS([&] { star.sw->SetSeed(8); }, "SetSeed of the switch of node 0 after its first frame");
    RccTestCioq bench;
    RCC_CHECK_EQ(bench.Build(2), "", "");
    RCC_CHECK_EQ(bench.sw->AssignStreams(9), 1, "");
    bench.Send(0, 1, 1000, 0);
    RccRunTo(200000);
    RCC_CHECK_ABORTS([&] { bench.sw->AssignStreams(9); }, "after its first frame");
}

/// Queue pairs that are open already take the ports and hashes that they would have had.
void
PortsOfOpenQueuePairs()
{
    for (const char* turns : {"false", "true"})
    {
        std::vector<uint32_t> hashes[2], ports[2];
        for (int late : {0, 1})
        {
            QbbHelper helper;
            helper.SetNicAttribute("PortsInTurn", StringValue(turns));
            NodeContainer nodes;
            nodes.Create(2);
            Ptr<RdmaNic> nics[] = {helper.InstallHost(nodes.Get(0)), helper.InstallHost(nodes.Get(1))};
            for (int link = 0; link < 4; link++)
            {
                helper.Connect(nodes.Get(0), nodes.Get(1));
            }
            Ptr<RccAlgorithm> dcqcn = RccAlgorithm::Create("dcqcn");
            for (int when : {0, 1})
            {
                if (when == late)
                {
                    nics[0]->AssignStreams(77);
                }
                for (uint32_t qp = 0; when == 0 && qp < 32; qp++)
                {
                    RdmaNic::Connect(nics[0], nics[1], dcqcn, 3);
                }
            }
            for (uint32_t qp = 0; qp < 32; qp++)
            {
                const RdmaSendQp& half = nics[0]->GetSendQp(qp);
                hashes[late].push_back(half.hash);
                ports[late].push_back(half.portIndex);
                RCC_CHECK_EQ(nics[1]->GetRecvQp(half.dstQp).hash, half.hash, "");
                RCC_CHECK_EQ(nics[1]->GetRecvQp(half.dstQp).port, nics[1]->PickPort(nodes.Get(0)->GetId(), half.hash),
                             "");
            }
            Simulator::Destroy();
        }
        RCC_CHECK(hashes[0] == hashes[1], turns);
        RCC_CHECK(ports[0] == ports[1], turns);
        RCC_CHECK_EQ(std::set<uint32_t>(ports[0].begin(), ports[0].end()).size(), 4, "all ports are used");
    }
}

/// The streams of two objects, and those of one object in two runs, agree as often as coins do.
void
Independent()
{
    const int draws = 40000, tolerance = 400; // four standard deviations of 100
    std::vector<uint64_t> streams;
    for (uint64_t run : {1, 2})
    {
        RngSeedManager::SetRun(run);
        for (uint32_t node : {0, 1})
        {
            RccStreamUser plain, assigned;
            assigned.Assign(node);
            for (RccStreamUser* user : {&plain, &assigned})
            {
                for (RccStream kind : {RccStream::REACTION_POINT, RccStream::CONGESTION_POINT})
                {
                    streams.push_back(RccStreamOf(user->Seed(), kind, user->Id(node) << 32));
                }
            }
        }
    }
    RngSeedManager::SetRun(1);
    for (size_t a = 0; a < streams.size(); a++)
    {
        for (size_t b = 0; b < a; b++)
        {
            int equal = 0;
            for (uint64_t i = 0; i < draws; i++)
            {
                equal += (RccDraw(streams[a], i) >> 31) == (RccDraw(streams[b], i) >> 31);
            }
            RCC_CHECK_NEAR(equal, draws / 2, tolerance, "streams " << a << " and " << b);
        }
    }
}

/// The seed and run of the first use stay: what is opened later, and congestion points that begin anew, keep them.
void
FirstUse()
{
    RccStreamUser user;
    RngSeedManager::SetRun(5);
    const uint64_t seed = user.Seed();
    RngSeedManager::SetRun(6);
    RCC_CHECK_EQ(user.Seed(), seed, "");
    RccStreamUser other;
    RCC_CHECK(other.Seed() != seed, "");
    RngSeedManager::SetRun(1);
}

RccTestSuite g_streamsSuite("rcc-streams", {{"runs", Runs},
                                            {"override", Override},
                                            {"assigning", Assigning},
                                            {"after-the-first-packet", AfterTheFirstPacket},
                                            {"ports-of-open-queue-pairs", PortsOfOpenQueuePairs},
                                            {"independent", Independent},
                                            {"first-use", FirstUse}});

} // namespace
