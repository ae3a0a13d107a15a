/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The arithmetic of the shared buffer. */
#include "rcc-test-net.h"

#include "ns3/switch-mmu.h"

#include <deque>

using namespace ns3;

namespace
{

const uint64_t G = 1000000000;

std::vector<SwitchMmu::Port>
Ports(size_t n, uint64_t rate = 40 * G, int64_t delay = 1500)
{
    return std::vector<SwitchMmu::Port>(n, SwitchMmu::Port{rate, delay});
}

/// Two delays at line rate, three frames, one PFC frame; rounded up, at any rate and delay.
void
Headroom()
{
    RCC_CHECK_EQ(SwitchMmu::Headroom(SwitchMmu::Port{40 * G, 1000}, 1062), 10000 + 3186 + 64, "by hand");
    for (uint64_t rate : {uint64_t(1000000), uint64_t(15000000), 1 * G, 5 * G / 2, 25 * G, 100 * G, 400 * G, 1600 * G})
    {
        for (int64_t delay : {0, 1, 333, 1000, 100000, 1000000000})
        {
            for (uint32_t frame : {64u, 1066u, 9066u})
            {
                RccWide wire =
                    (2 * static_cast<RccWide>(rate) * static_cast<RccWide>(delay) + 7999999999u) / 8000000000u;
                uint64_t h = SwitchMmu::Headroom(SwitchMmu::Port{rate, delay}, frame);
                uint64_t want = static_cast<uint64_t>(wire) + 3 * frame + 64;
                RCC_CHECK_GE(h, want, rate << " bit/s " << delay << " ns");
                RCC_CHECK_LE(h, want + 100, rate << " bit/s " << delay << " ns: not wasteful either");
            }
        }
    }
}

/// SIGCOMM'15 section 4: a 12 MB buffer, 32 ports, 8 lossless classes, 22.4 KB of headroom.
void
Sigcomm15()
{
    SwitchMmu mmu;
    const SwitchMmu::Config config{12000000, 0, 1.0, 0xff, 1062, 22400};
    RCC_CHECK_EQ(mmu.Configure(config, Ports(32)), "", "");
    RCC_CHECK_EQ(mmu.GetPool(), 12000000 - 8 * 32 * 22400, "");
    RCC_CHECK_NEAR(mmu.GetPool() / (8.0 * 32), 24470, 10, "static t_PFC of 24.47 KB");
    RCC_CHECK_EQ(mmu.Threshold(), mmu.GetPool(), "beta = 8 over 8 classes, nothing stored");

    // ECN comes before PFC while t_ECN is below 21.75 KB: 32 egress queues of that length in each of the 8
    // classes, all from different ports, leave a threshold above what one port then holds of one class.
    for (uint32_t ecn : {21740u, 21760u})
    {
        RCC_CHECK_EQ(mmu.Configure(config, Ports(32)), "", "");
        for (uint32_t port = 0; port < 32; port++)
        {
            for (uint8_t c = 0; c < 8; c++)
            {
                RCC_CHECK_EQ(mmu.Admit(port, c, ecn), SwitchMmu::STORE, "");
            }
        }
        RCC_CHECK_EQ(mmu.Threshold() > 32 * ecn, ecn < 21750, "t_ECN of " << ecn);
    }
}

/// Ports that fill up evenly stop at alpha x what is left of the pool, where LimitOf says.
void
DynamicThreshold()
{
    for (double alpha : {1.0 / 64, 0.125, 0.5, 1.0, 2.0})
    {
        for (uint32_t n : {1u, 2u, 8u, 31u})
        {
            SwitchMmu mmu;
            RCC_CHECK_EQ(mmu.Configure({9000000, 0, alpha, 1u << 3, 1062, 0}, Ports(32)), "", "");
            std::vector<bool> full(n);
            for (uint32_t stopped = 0; stopped < n;)
            {
                for (uint32_t p = 0; p < n; p++)
                {
                    uint64_t limit = mmu.Threshold();
                    bool fits = mmu.GetStored(p, 3) + 1062 <= limit;
                    if (!full[p])
                    {
                        SwitchMmu::Verdict v = mmu.Admit(p, 3, 1062);
                        RCC_CHECK_EQ(v, fits ? SwitchMmu::STORE : SwitchMmu::STORE_AND_PAUSE, "alpha " << alpha);
                        full[p] = v == SwitchMmu::STORE_AND_PAUSE;
                        stopped += full[p];
                        RCC_CHECK_EQ(mmu.IsPaused(p, 3), full[p], "");
                    }
                }
            }
            double want = n * alpha * static_cast<double>(mmu.GetPool()) / (1 + n * alpha);
            RCC_CHECK_NEAR(mmu.LimitOf(n), want, 1, "alpha " << alpha << ", " << n << " ports");
            RCC_CHECK_NEAR(mmu.GetUsed(), want, n * 1062.0 * (1 + alpha), "alpha " << alpha << ", " << n << " ports");
        }
    }
}

/// Alpha above 1 must not promise more than there is.
void
PoolIsNeverOvercommitted()
{
    for (double alpha : {0.125, 1.0, 8.0, 1024.0})
    {
        SwitchMmu mmu;
        RCC_CHECK_EQ(mmu.Configure({1000000, 0, alpha, 1u << 3, 1062, 0}, Ports(16)), "", "");
        for (int i = 0; i < 2000; i++)
        {
            mmu.Admit(static_cast<uint32_t>(i % 16), static_cast<uint8_t>(i % 3 + 2), 1062);
            RCC_CHECK_LE(mmu.GetUsed(), mmu.GetPool(), "alpha " << alpha);
        }
    }
}

/// Xon comes when the headroom is empty and the port is two frames below T, not before.
void
Hysteresis()
{
    SwitchMmu mmu;
    RCC_CHECK_EQ(mmu.Configure({200000, 0, 0.5, 1u << 3, 1000, 0}, Ports(2, 40 * G, 0)), "", "");
    std::deque<uint32_t> frames;
    for (int headroom = 0; headroom < 3;)
    {
        SwitchMmu::Verdict v = mmu.Admit(0, 3, 1000);
        RCC_CHECK_EQ(v == SwitchMmu::STORE_AND_PAUSE, mmu.IsPaused(0, 3) && headroom == 0, "Xoff once");
        headroom += mmu.IsPaused(0, 3);
        frames.push_back(1000);
    }
    RCC_CHECK_EQ(mmu.Admit(0, 3, 1000), SwitchMmu::DROP, "4 x 1000 bytes are above the headroom of 3064");
    const uint64_t used = mmu.GetUsed();
    for (int i = 0; i < 3; i++)
    {
        RCC_CHECK_EQ(mmu.Release(0, 3, 1000), false, "the headroom drains first");
        RCC_CHECK_EQ(mmu.GetUsed(), used, "and the pool keeps its frames");
    }
    for (;;)
    {
        bool xon = mmu.Release(0, 3, 1000);
        bool low = mmu.GetStored(0, 3) + 2000 <= mmu.Threshold();
        RCC_CHECK_EQ(xon, low, "with " << mmu.GetStored(0, 3) << " stored and T " << mmu.Threshold());
        if (xon || mmu.GetStored(0, 3) == 0)
        {
            break;
        }
    }
    RCC_CHECK_EQ(mmu.IsPaused(0, 3), false, "");
    RCC_CHECK_GE(mmu.GetStored(0, 3), 1000, "Xon before the port is empty");
}

/// Random traffic against a model that adds everything up again each time.
void
AgainstModel()
{
    struct Cell
    {
        uint64_t pool{0}, headroom{0};
        bool paused{false};
        std::deque<uint32_t> frames;
    };
    for (uint64_t seed = 0; seed < 20; seed++)
    {
        RccTestRandom random(seed);
        const uint8_t lossless = static_cast<uint8_t>(random.Below(256));
        const double alpha = static_cast<double>(1 + random.Below(64)) / 16;
        const uint32_t n = 4;
        SwitchMmu mmu;
        RCC_CHECK_EQ(mmu.Configure({1000000, 100000, alpha, lossless, 1500, 0}, Ports(n)), "", "");
        const uint64_t most = SwitchMmu::Headroom(Ports(1)[0], 1500);
        std::vector<Cell> cells(n * 8);
        uint64_t verdicts[3] = {};
        for (int step = 0; step < 20000; step++)
        {
            auto port = static_cast<uint32_t>(random.Below(n));
            auto cls = static_cast<uint8_t>(random.Below(8));
            Cell& c = cells[port * 8 + cls];
            uint64_t used = 0;
            for (const auto& other : cells)
            {
                used += other.pool;
            }
            if (random.Below(1000) < (step / 4000 % 2 ? 350u : 650u))
            {
                auto bytes = static_cast<uint32_t>(64 + random.Below(1437));
                auto limit = static_cast<uint64_t>(alpha * static_cast<double>(100000 - used));
                SwitchMmu::Verdict want = SwitchMmu::STORE;
                if (!c.paused && c.pool + bytes <= limit && used + bytes <= 100000)
                {
                    c.pool += bytes;
                }
                else if ((lossless >> cls & 1) && c.headroom + bytes <= most)
                {
                    want = c.paused ? SwitchMmu::STORE : SwitchMmu::STORE_AND_PAUSE;
                    c.paused = true;
                    c.headroom += bytes;
                }
                else
                {
                    want = SwitchMmu::DROP;
                }
                verdicts[want]++;
                RCC_CHECK_EQ(mmu.Admit(port, cls, bytes), want, "seed " << seed << " step " << step);
                if (want != SwitchMmu::DROP)
                {
                    c.frames.push_back(bytes);
                }
            }
            else if (!c.frames.empty())
            {
                uint32_t bytes = c.frames.front();
                c.frames.pop_front();
                uint64_t fromHeadroom = std::min<uint64_t>(bytes, c.headroom);
                c.headroom -= fromHeadroom;
                c.pool -= bytes - fromHeadroom;
                used -= bytes - fromHeadroom;
                auto limit = static_cast<uint64_t>(alpha * static_cast<double>(100000 - used));
                bool xon = c.paused && c.headroom == 0 && (c.pool == 0 || c.pool + 3000 <= limit);
                c.paused = c.paused && !xon;
                RCC_CHECK_EQ(mmu.Release(port, cls, bytes), xon, "seed " << seed << " step " << step);
            }
            RCC_CHECK_EQ(mmu.GetStored(port, cls), c.pool + c.headroom, "seed " << seed << " step " << step);
            RCC_CHECK_EQ(mmu.IsPaused(port, cls), c.paused, "seed " << seed << " step " << step);
        }
        RCC_CHECK(verdicts[0] > 100 && (!lossless || verdicts[1] > 10), "seed " << seed << " reached every branch");
        for (uint32_t i = 0; i < n * 8; i++)
        {
            for (uint32_t bytes : cells[i].frames)
            {
                mmu.Release(i / 8, static_cast<uint8_t>(i % 8), bytes);
            }
            RCC_CHECK_EQ(mmu.GetStored(i / 8, static_cast<uint8_t>(i % 8)), 0, "");
            RCC_CHECK_EQ(mmu.IsPaused(i / 8, static_cast<uint8_t>(i % 8)), false, "an empty port is never paused");
        }
        RCC_CHECK_EQ(mmu.GetUsed(), 0, "seed " << seed);
    }
}

bool
Says(const std::string& text, const std::vector<std::string>& parts)
{
    for (const auto& p : parts)
    {
        if (text.find(p) == std::string::npos)
        {
            return false;
        }
    }
    return true;
}

/// What cannot be lossless is refused, to the byte, and says why.
void
Refusals()
{
    const auto ports = Ports(4, 100 * G, 2000);
    const uint64_t h = 50000 + 3 * 1062 + 64; // 2 x 2 us x 100 Gb/s = 50 KB
    const uint64_t least = 4 * 2 * h + 4 * 1062;
    const uint8_t two = 0x18;
    SwitchMmu mmu;
    RCC_CHECK_EQ(mmu.Configure({least, 0, 0.125, two, 1062, 0}, ports), "", "exactly enough");
    RCC_CHECK_EQ(mmu.GetPool(), 4 * 1062, "");
    std::string why = mmu.Configure({least - 1, 0, 0.125, two, 1062, 0}, ports);
    RCC_CHECK(Says(why, {std::to_string(least - 1), "4 ports x 2", std::to_string(h), std::to_string(8 * h),
                         std::to_string(4 * 1062)}),
              why);
    why = mmu.Configure({10000000, 0, 0.125, two, 1062, h - 1}, ports);
    RCC_CHECK(Says(why, {std::to_string(h - 1), std::to_string(h), "port 0", "2000 ns", "100000000000", "1062"}), why);
    RCC_CHECK_EQ(mmu.Configure({10000000, 0, 0.125, two, 1062, h}, ports), "", "");
    why = mmu.Configure({8 * h + 1000000, 1000001, 0.125, two, 1062, 0}, ports);
    RCC_CHECK(Says(why, {"1000001"}), why);
    RCC_CHECK_EQ(mmu.Configure({8 * h + 1000000, 1000000, 0.125, two, 1062, 0}, ports), "", "");
    RCC_CHECK_EQ(mmu.Configure({4 * 1062, 0, 0.125, 0, 1062, 1}, ports), "", "no lossless class, no headroom");
    RCC_CHECK_EQ(mmu.GetPool(), 4 * 1062, "");
}

RccTestSuite g_suite("rcc-switch-mmu", {{"headroom", Headroom},
                                        {"sigcomm15-numbers", Sigcomm15},
                                        {"dynamic-threshold", DynamicThreshold},
                                        {"pool-is-never-overcommitted", PoolIsNeverOvercommitted},
                                        {"hysteresis", Hysteresis},
                                        {"against-model", AgainstModel},
                                        {"refusals", Refusals}});

} // namespace
