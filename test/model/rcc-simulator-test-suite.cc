/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RccSimulatorImpl beside ns-3's DefaultSimulatorImpl: the same programs of events, the same logs. */
#include "rcc-test-net.h"

#include "ns3/event-id.h"
#include "ns3/global-value.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/rcc-simulator-impl.h"
#include "ns3/string.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>

using namespace ns3;

namespace
{

const char* const TYPES[] = {"ns3::DefaultSimulatorImpl", "ns3::RccSimulatorImpl"};

/// A program of ns-3's events and RccEvents that schedule, cancel, remove and stop at random, and log what they see.
class Program
{
  public:
    Program(uint64_t seed, std::string& log) : m_random(seed), m_log(log)
    {
        for (uint32_t i = 0; i < 20; i++)
        {
            m_members.emplace_back(new Member{this, i, {}});
            m_members.back()->event.Bind(&Program::Fired, m_members.back().get(), i < 5 ? 7 - i : RCC_ORDER_OWN);
        }
        for (uint32_t i = 0; i < 10; i++)
        {
            Act();
        }
    }

    void Run()
    {
        for (int i = 0; i < 30; i++) // some of the events stop the simulator
        {
            Simulator::Run();
            Log("run ended, finished " + std::to_string(Simulator::IsFinished()));
            m_left = 100;
            Act();
        }
        Log(std::to_string(RccEventQueue::CountEvents()));
    }

  private:
    struct Member
    {
        Program* program;
        uint32_t index;
        RccEvent event;
    };

    static void Fired(void* member, int64_t now)
    {
        const auto m = static_cast<Member*>(member);
        m->program->Log("event " + std::to_string(m->index) + " at " + std::to_string(now));
        m->program->Act();
    }

    static void Called(Program* self, uint32_t index)
    {
        self->Log("call " + std::to_string(index));
        self->Act();
    }

    void Log(const std::string& what)
    {
        m_log += std::to_string(Simulator::Now().GetTimeStep()) + " " + std::to_string(Simulator::GetContext()) + " " +
                 what + "\n";
    }

    void Act()
    {
        for (int i = 0; i < 2 && m_left > 0; i++, m_left--)
        {
            ActOnce();
        }
    }

    void ActOnce()
    {
        const auto delay = static_cast<int64_t>(m_random.Below(m_random.Below(4) ? 6 : 3000));
        const auto index = static_cast<uint32_t>(m_ids.size());
        const Time wait = NanoSeconds(delay);
        switch (m_random.Below(14))
        {
        case 0:
        case 1:
            m_ids.push_back(Simulator::Schedule(wait, &Program::Called, this, index));
            break;
        case 2:
            Simulator::ScheduleWithContext(7, wait, &Program::Called, this, 1000);
            break;
        case 3:
            m_ids.push_back(Simulator::ScheduleNow(&Program::Called, this, index));
            break;
        case 4:
            m_ids.push_back(Simulator::ScheduleDestroy(&Program::Called, this, index));
            break;
        case 5:
        case 6:
            ForOne([](const EventId& id) { Simulator::Cancel(id); });
            break;
        case 7:
            ForOne([](const EventId& id) { Simulator::Remove(id); });
            break;
        case 8:
            if (m_random.Below(4)) // no ?: as newer versions of ns-3 return an event from the first one
            {
                Simulator::Stop(wait);
            }
            else
            {
                Simulator::Stop();
            }
            break;
        case 9: {
            ObjectFactory factory;
            factory.SetTypeId(m_random.Below(2) ? "ns3::MapScheduler" : "ns3::PriorityQueueScheduler");
            Simulator::SetScheduler(factory);
            break;
        }
        default:
            m_members[m_random.Below(20)]->event.At(RccNow() + delay, RccNow());
        }
    }

    void ForOne(void (*act)(const EventId& id))
    {
        if (!m_ids.empty())
        {
            const size_t i = m_ids.size() - 1 - m_random.Below(std::min<uint64_t>(m_ids.size(), 5));
            const EventId id = m_ids[i];
            Log("id " + std::to_string(i) + " left " + std::to_string(Simulator::GetDelayLeft(id).GetTimeStep()));
            act(id);
            Log(Simulator::IsExpired(id) ? "expired" : "pending");
        }
    }

    RccTestRandom m_random;
    std::string& m_log;
    std::vector<std::unique_ptr<Member>> m_members;
    std::vector<EventId> m_ids;
    int m_left{100};
};

void
SameAsDefault()
{
    for (uint64_t seed = 0; seed < 200; seed++)
    {
        std::string logs[2];
        for (int i = 0; i < 2; i++)
        {
            RccTestUnder(TYPES[i], [&] {
                Program program(seed, logs[i]);
                program.Run();
                Simulator::Destroy();
            });
        }
        size_t same = 0;
        while (same < std::min(logs[0].size(), logs[1].size()) && logs[0][same] == logs[1][same])
        {
            same++;
        }
        RCC_CHECK(logs[0] == logs[1], "seed " << seed << ", after " << logs[1].substr(0, same));
        RCC_CHECK_GE(logs[0].size(), 1000, "seed " << seed);
    }
}

/// In one nanosecond: ns-3's events, also those that they schedule; then RccEvents by their order, not by who came
/// first.
void
OrderInANanosecond()
{
    for (const char* type : TYPES)
    {
        RccTestUnder(type, [type] {
            static std::string log;
            struct Named
            {
                const char* name;
                RccEvent event;
            };
            static const auto fire = [](void* named, int64_t) { log += static_cast<Named*>(named)->name; };
            Named own{"o", {}}, later{"p", {}}, second{"2", {}}, first{"1", {}};
            log.clear();
            own.event.Bind(fire, &own);
            later.event.Bind(fire, &later);
            second.event.Bind(fire, &second, RCC_ORDER_ARRIVAL + 1);
            first.event.Bind(fire, &first, RCC_ORDER_ARRIVAL);
            own.event.At(100, 0);
            later.event.At(100, 0);
            second.event.At(100, 0);
            RccAt(100, [] {
                log += "a";
                Simulator::ScheduleNow(&RccCall, std::function<void()>([] { log += "c"; }));
            });
            RccAt(100, [] { log += "b"; });
            RccAt(50, [&first] { first.event.At(100, 50); });
            Simulator::Run();
            RCC_CHECK_EQ(log, "abc12op", type);
            for (Named* n : {&own, &later, &second, &first})
            {
                n->event.Unbind();
            }
        });
    }
}

/// Another thread schedules while the simulator runs: its events get the time at which they are taken over.
void
OtherThreads()
{
    for (const char* type : TYPES)
    {
        RccTestUnder(type, [] {
            static const int N = 500;
            static std::atomic<int> left;
            static int arrived;
            static RccEvent ticks;
            left = N;
            arrived = 0;
            ticks.Bind(
                [](void*, int64_t now) {
                    if (arrived < N)
                    {
                        ticks.At(now + 10, now);
                    }
                },
                nullptr);
            ticks.At(10, 0);
            std::thread scheduling([] {
                for (; left > 0; left--)
                {
                    Simulator::ScheduleWithContext(3, NanoSeconds(100), MakeEvent(+[] {
                                                       RCC_CHECK_EQ(Simulator::GetContext(), 3, "");
                                                       arrived++;
                                                   }));
                }
            });
            Simulator::Run();
            scheduling.join();
            ticks.Unbind();
            RCC_CHECK_EQ(arrived, N, "the simulator ran until all had come");
            RCC_CHECK_GE(RccNow(), 100, "");
        });
    }
}

/// An event that is armed after the end of its simulation fires in none, and the next simulation is as the first.
void
EventsOutliveTheSimulator()
{
    RccTestUnder(TYPES[1], [] {
        RccEvent event;
        static int fired;
        fired = 0;
        event.Bind([](void*, int64_t) { fired++; }, nullptr);
        event.At(100, 0);
        Simulator::Run();
        event.At(200, 100);
        Simulator::Destroy();
        event.Unbind();
        RccEvent next;
        next.Bind([](void*, int64_t) { fired++; }, nullptr);
        next.At(50, 0);
        Simulator::Run();
        RCC_CHECK_EQ(fired, 2, "one in each simulation");
        RCC_CHECK_EQ(RccNow(), 50, "");
    });
}

/// A program that links the module has this simulator.
void
ChosenWhenLoaded()
{
    StringValue type;
    GlobalValue::GetValueByName("SimulatorImplementationType", type);
    RCC_CHECK_EQ(type.Get(), std::getenv("NS_GLOBAL_VALUE") ? type.Get() : "ns3::RccSimulatorImpl", "");
}

/// Use() leaves another choice than ns-3's default alone.
void
UseYields()
{
    StringValue before, after;
    GlobalValue::GetValueByName("SimulatorImplementationType", before);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RealtimeSimulatorImpl"));
    RccSimulatorImpl::Use();
    GlobalValue::GetValueByName("SimulatorImplementationType", after);
    RCC_CHECK_EQ(after.Get(), "ns3::RealtimeSimulatorImpl", "");
    GlobalValue::Bind("SimulatorImplementationType", before);
}

RccTestSuite g_simulatorSuite("rcc-simulator", {{"chosen-when-loaded", ChosenWhenLoaded},
                                                {"same-as-default", SameAsDefault},
                                                {"order-in-a-nanosecond", OrderInANanosecond},
                                                {"other-threads", OtherThreads},
                                                {"events-outlive-the-simulator", EventsOutliveTheSimulator},
                                                {"use-yields", UseYields}});

} // namespace
