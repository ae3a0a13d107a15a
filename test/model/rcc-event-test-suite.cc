/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* RccEvent and the queue it waits in. */
#include "rcc-test-net.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

using namespace ns3;

namespace
{

// ---------------------------------------------------------------- RccEvent

struct Fired
{
    std::vector<int64_t> at;
    RccEvent event;
    int64_t again{RCC_TIME_NEVER}; //!< re-arm for so long after each firing

    Fired()
    {
        event.Bind(&Fired::Handler, this);
    }

    static void Handler(void* self, int64_t now)
    {
        auto f = static_cast<Fired*>(self);
        RCC_CHECK_EQ(now, RccNow(), "the time it says is the time it is");
        f->at.push_back(now);
        if (f->again != RCC_TIME_NEVER)
        {
            f->event.At(now + f->again, now);
        }
    }
};

void
EventCases()
{
    using Times = std::vector<int64_t>;
    struct Case
    {
        const char* what;
        std::function<void(RccEvent&)> set;
        Times want;
    };
    const std::vector<Case> cases{
        {"once", [](RccEvent& e) { e.At(100, 0); }, {100}},
        {"earlier", [](RccEvent& e) { e.At(100, 0), e.At(50, 0); }, {50}},
        {"later", [](RccEvent& e) { e.At(50, 0), e.At(100, 0); }, {100}},
        {"back and forth", [](RccEvent& e) { e.At(50, 0), e.At(100, 0), e.At(20, 0), e.At(70, 0); }, {70}},
        {"disarmed", [](RccEvent& e) { e.At(50, 0), e.Disarm(); }, {}},
        {"armed again", [](RccEvent& e) { e.At(50, 0), e.Disarm(), e.At(50, 0); }, {50}},
        {"armed again later", [](RccEvent& e) { e.At(50, 0), e.Disarm(), e.At(60, 0); }, {60}},
        {"armed again earlier", [](RccEvent& e) { e.At(50, 0), e.Disarm(), e.At(40, 0); }, {40}},
        {"at or before, later", [](RccEvent& e) { e.At(50, 0), e.AtOrBefore(60, 0); }, {50}},
        {"at or before, earlier", [](RccEvent& e) { e.At(50, 0), e.AtOrBefore(40, 0); }, {40}},
        {"now", [](RccEvent& e) { e.At(0, 0); }, {0}},
        {"unbound", [](RccEvent& e) { e.At(50, 0), e.Unbind(); }, {}}};
    for (const auto& c : cases)
    {
        Fired fired;
        c.set(fired.event);
        Simulator::Run();
        RCC_CHECK(fired.at == c.want, c.what << " fired " << fired.at.size() << " times");
        RCC_CHECK_EQ(fired.event.Due(), RCC_TIME_NEVER, c.what);
        Simulator::Destroy();
    }
}

/// Random arming, disarming and re-arming from the handler, against the obvious model.
void
EventAgainstModel()
{
    for (uint64_t seed = 0; seed < 30; seed++)
    {
        RccTestRandom random(seed);
        Fired fired;
        fired.again = seed % 3 == 0 ? static_cast<int64_t>(1 + random.Below(40)) : RCC_TIME_NEVER;
        struct Step
        {
            int64_t at, when;
            unsigned what;
        };
        std::vector<Step> steps;
        int64_t t = 0;
        for (int i = 0; i < 400; i++)
        {
            t += 2 * static_cast<int64_t>(random.Below(20)); // steps at even times
            steps.push_back(Step{t, t + 1 + 2 * static_cast<int64_t>(random.Below(30)), unsigned(random.Below(4))});
        }
        if (fired.again != RCC_TIME_NEVER)
        {
            fired.again *= 2; // firings stay at odd times, between the steps
        }
        std::vector<int64_t> want;
        int64_t due = RCC_TIME_NEVER;
        for (const auto& s : steps)
        {
            while (due < s.at)
            {
                want.push_back(due);
                due = fired.again == RCC_TIME_NEVER ? RCC_TIME_NEVER : due + fired.again;
            }
            due = s.what == 0 ? RCC_TIME_NEVER : s.what == 1 ? std::min(due, s.when) : s.when;
            RccAt(s.at, [&fired, s] {
                s.what == 0   ? fired.event.Disarm()
                : s.what == 1 ? fired.event.AtOrBefore(s.when, RccNow())
                              : fired.event.At(s.when, RccNow());
            });
        }
        RccRunTo(t);
        RCC_CHECK(fired.at == want, "seed " << seed << ": " << fired.at.size() << " firings, expected " << want.size());
        fired.event.Unbind();
        Simulator::Destroy();
    }
}

/// A far date that is asked for again and again between near ones is scheduled a few times, not each time.
void
StaleFiringsStayFew()
{
    Fired fired;
    const int n = 5000;
    for (int i = 0; i < n; i++)
    {
        RccAt(100 * i, [&] {
            fired.event.At(10000000, RccNow());              // the next packet of a slow flow
            fired.event.AtOrBefore(RccNow() + 50, RccNow()); // an acknowledgement waits for the link
        });
    }
    Simulator::Run();
    RCC_CHECK_EQ(fired.at.size(), n, "");
    RCC_CHECK_LE(RccEventQueue::CountEvents(), 2.01 * n, "the calls and the firings, and next to nothing else");
    RCC_CHECK_LE(Simulator::GetEventCount(), 3.01 * n, "two events of ns-3 for a nanosecond");
}

// ---------------------------------------------------------------- RccEventQueue

/// Events that are armed again and again, beside the obvious queue: a set ordered by time, order and order of arming.
class Crowd
{
  public:
    /// \param seed of the random numbers \param size events \param orders 0: RCC_ORDER_OWN; otherwise so many, and many
    /// events of a nanosecond
    Crowd(uint64_t seed, size_t size, uint32_t orders = 0)
        : m_random(seed),
          m_crowded(orders > 0),
          m_hastens(orders > size)
    {
        for (size_t i = 0; i < size; i++)
        {
            m_members.emplace_back(new Member);
            m_members.back()->crowd = this;
            m_members.back()->index = i;
            m_members.back()->order = orders ? static_cast<uint32_t>(i * 7919 % orders) : RCC_ORDER_OWN;
            m_members.back()->event.Bind(&Crowd::Fire, m_members.back().get(), m_members.back()->order);
        }
    }

    /// Arm a member that is not armed, from some nanoseconds to some days ahead.
    void Arm(size_t i, int64_t now)
    {
        Member& m = *m_members[i];
        if (m.event.Due() != RCC_TIME_NEVER)
        {
            return;
        }
        static const int64_t SPANS[] = {1, 20, 300, 5000, 70000, 3000000, 2000000000, 4000000000000, 90000000000000};
        const int64_t span = SPANS[m_random.Below(m_crowded ? 2 : sizeof SPANS / sizeof *SPANS)];
        const int64_t when = now + static_cast<int64_t>(m_random.Below(static_cast<uint64_t>(span)));
        m.armed = std::make_tuple(when, m.order, m_armed++, i);
        m_want.insert(m.armed);
        m.event.At(when, now);
    }

    /// Arm a member that is armed for an earlier time.
    void Hasten(size_t i, int64_t now)
    {
        Member& m = *m_members[i];
        const int64_t due = m.event.Due();
        if (due == RCC_TIME_NEVER || due == now)
        {
            return;
        }
        const int64_t when = now + static_cast<int64_t>(m_random.Below(static_cast<uint64_t>(due - now)));
        m_want.erase(m.armed);
        m.armed = std::make_tuple(when, m.order, m_armed++, i);
        m_want.insert(m.armed);
        m.event.At(when, now);
    }

    uint64_t fired{0}, wrong{0};
    uint64_t limit{0}; //!< firings after which nobody is armed any more

    bool IsDone() const
    {
        return m_want.empty();
    }

  private:
    struct Member
    {
        Crowd* crowd;
        size_t index;
        uint32_t order;
        std::tuple<int64_t, uint32_t, uint64_t, size_t> armed; //!< key of the entry in m_want
        RccEvent event;
    };

    static void Fire(void* member, int64_t now)
    {
        auto m = static_cast<Member*>(member);
        Crowd& c = *m->crowd;
        c.fired++;
        const auto& first = *c.m_want.begin();
        c.wrong += std::get<0>(first) != now || std::get<3>(first) != m->index || now != RccNow();
        c.m_want.erase(c.m_want.begin());
        for (int i = 0; i < 2 && c.fired < c.limit; i++)
        {
            c.Arm(c.m_random.Below(c.m_members.size()), now);
        }
        if (c.m_hastens && c.fired < c.limit)
        {
            c.Hasten(c.m_random.Below(c.m_members.size()), now);
        }
    }

    RccTestRandom m_random;
    std::vector<std::unique_ptr<Member>> m_members;
    std::set<std::tuple<int64_t, uint32_t, uint64_t, size_t>> m_want;
    uint64_t m_armed{0};
    bool m_crowded, m_hastens; // an event that is hastened keeps its place among those of its order: each has its own
};

/// Hundreds of events of one nanosecond, which do not come in the order in which they are to run.
void
CrowdedNanoseconds()
{
    for (uint64_t seed = 0; seed < 20; seed++)
    {
        const size_t size = 200 + 40 * seed;
        if (seed % 4 < 2)
        {
            RccEventQueue::Current()->FetchAhead(); // as in a large network
        }
        Crowd crowd(seed, size, seed % 2 ? 1009 : 7);
        crowd.limit = 5000;
        RccAt(3, [&crowd, size] {
            for (size_t i = 0; i < size; i++)
            {
                crowd.Arm(i, 3);
            }
        });
        Simulator::Run();
        RCC_CHECK_GE(crowd.fired, 1000, "seed " << seed);
        RCC_CHECK_EQ(crowd.wrong, 0, "seed " << seed << ", firings out of order, of " << crowd.fired);
        RCC_CHECK(crowd.IsDone(), "seed " << seed);
        Simulator::Destroy();
    }
}

void
OrderIsThatOfArming()
{
    for (uint64_t seed = 0; seed < 20; seed++)
    {
        const size_t size = 1 + 15 * seed;
        Crowd crowd(seed, size);
        crowd.limit = 3000;
        RccTestRandom random(seed + 1000);
        for (size_t i = 0; i < size; i++)
        {
            crowd.Arm(i, 0);
        }
        for (int i = 0; i < 200; i++) // ns-3's own events arm some as well, sooner than what the queue has armed
        {
            const auto at = static_cast<int64_t>(random.Below(i % 2 ? 20000 : 20000000));
            const auto member = static_cast<size_t>(random.Below(size));
            RccAt(at, [&crowd, member, at] { crowd.Arm(member, at); });
        }
        Simulator::Run();
        RCC_CHECK_GE(crowd.fired, size, "seed " << seed);
        RCC_CHECK_EQ(crowd.wrong, 0, "seed " << seed << ", firings out of order, of " << crowd.fired);
        RCC_CHECK(crowd.IsDone(), "seed " << seed);
        Simulator::Destroy();
    }
}

void
TwoEventsOfNs3PerNanosecond()
{
    Fired fired[100]; // one event to come, and one behind what waits for the same time
    for (int i = 0; i < 100; i++)
    {
        fired[i].event.At(1000 + i / 20, 0);
    }
    Simulator::Run();
    RCC_CHECK_EQ(RccEventQueue::CountEvents(), 100, "");
    // The last of a nanosecond ends one; as nothing else is left in ns-3's queue, the others cannot tell that from a
    // stop.
    RCC_CHECK_LE(Simulator::GetEventCount(), 201, "");
    Simulator::Destroy();

    Fired again[100];
    for (int i = 0; i < 100; i++)
    {
        again[i].event.At(1000 + i / 20, 0);
    }
    Simulator::Stop(NanoSeconds(2000));
    Simulator::Run();
    RCC_CHECK_EQ(RccEventQueue::CountEvents(), 101, "with the stop");
    RCC_CHECK_EQ(Simulator::GetEventCount(), 11, "two for each of five nanoseconds, and the stop");
}

/// Simulator::Stop ends the run before what is due at the same time, and another Run goes on there.
void
StopMeansNow()
{
    struct Stopper
    {
        RccEvent event;
        int fired{0};

        static void Handler(void* self, int64_t)
        {
            static_cast<Stopper*>(self)->fired++;
            Simulator::Stop();
        }
    };
    Fired before, after;
    Stopper stopper;
    stopper.event.Bind(&Stopper::Handler, &stopper);
    before.event.At(100, 0);
    stopper.event.At(100, 0);
    after.event.At(100, 0);
    RccAt(5000, [] {});
    Simulator::Run();
    RCC_CHECK_EQ(before.at.size(), 1, "");
    RCC_CHECK_EQ(stopper.fired, 1, "");
    RCC_CHECK_EQ(after.at.size(), 0, "");
    Simulator::Run();
    RCC_CHECK(after.at == std::vector<int64_t>{100}, "fired " << after.at.size() << " times");
    RCC_CHECK_EQ(stopper.fired, 1, "");
}

RccTestSuite g_eventSuite("rcc-event",
                          {{"cases", EventCases},
                           {"against-model", EventAgainstModel},
                           {"stale-firings-stay-few", StaleFiringsStayFew},
                           {"order-is-that-of-arming", OrderIsThatOfArming},
                           {"crowded-nanoseconds", CrowdedNanoseconds},
                           {"two-events-of-ns3-per-nanosecond",
                            [] { RccTestUnder("ns3::DefaultSimulatorImpl", TwoEventsOfNs3PerNanosecond); }},
                           {"stop-means-now", StopMeansNow}});

} // namespace
