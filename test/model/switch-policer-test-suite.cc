/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* QbbSwitch::SetPolicer: what passes, what is dropped, and that nothing else happens. */
#include "rcc-test-net.h"

using namespace ns3;

namespace
{

/// Datagrams of two senders at 40 Gb/s each behind a policer of 10 Gb/s: its rate and one burst pass, without a pause.
void
DropsWhatExceeds()
{
    const uint32_t burst = 100000;
    RccTestStar star;
    star.helper.SetNicAttribute("Reliable", BooleanValue(false));
    star.Build(4, 40 * G, 1000);
    star.sw->SetPolicer(2, DataRate(10 * G), burst);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    star.Send(0, 2, algorithm, 0);
    star.Send(1, 2, algorithm, 0);
    star.Send(1, 3, algorithm, 0);
    RccRunTo(4000000);
    const double passed = static_cast<double>(star.nics[2]->GetCounters().bytesDelivered);
    RCC_CHECK_NEAR(passed, burst + 0.004 * 10e9 / 8, 0.001 * 5e6, "the rate and one burst");
    RCC_CHECK_GE(star.sw->GetPolicedPackets(), 1, "");
    RCC_CHECK_EQ(star.sw->GetPolicedPackets(), star.sw->GetDroppedPackets(), "nothing else is dropped");
    RCC_CHECK_EQ(star.sw->GetMarkedPackets(), 0, "");
    RCC_CHECK_NEAR(star.nics[3]->GetCounters().bytesDelivered, 10e6, 0.01e6, "half of its sender's link: not policed");
    for (uint32_t p = 0; p < 4; p++)
    {
        RCC_CHECK_EQ(star.sw->GetPort(p)->GetCounters().pausesSent, 0, "port " << p);
    }
}

/// A rate below the policer's passes whole, in both directions, and lost packets come again.
void
PassesWhatConforms()
{
    RccTestStar star;
    star.helper.SetNicAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    star.Build(3, 40 * G, 1000);
    star.sw->SetPolicer(1, DataRate(20 * G), 20000);
    RCC_CHECK_EQ(star.sw->Start(), "", "");
    Ptr<RccAlgorithm> algorithm = RccAlgorithm::Create("none");
    const uint32_t slow = star.Send(0, 1, algorithm, 2000000);
    star.nics[0]->SetOfferedRate(slow, 10 * G);
    const uint32_t back = star.Send(1, 2, algorithm, 2000000);
    RccRunTo(4000000);
    RCC_CHECK_EQ(star.sw->GetPolicedPackets(), 0, "");
    RCC_CHECK_EQ(star.Received(0, 1, slow).bytes, 2000000, "");
    RCC_CHECK_EQ(star.Received(1, 2, back).bytes, 2000000, "");
    const uint32_t fast = star.Send(2, 1, algorithm, 2000000);
    star.nics[2]->SetWindow(fast, 64000, false); // it waits for its timeout, and the policer has its tokens again
    RccRunTo(40000000);
    RCC_CHECK_GE(star.sw->GetPolicedPackets(), 1, "");
    RCC_CHECK_EQ(star.Received(2, 1, fast).bytes, 2000000, "go-back-N delivers it all the same");
}

RccTestSuite g_switchPolicerSuite("rcc-switch-policer", {{"drops-what-exceeds", DropsWhatExceeds},
                                                         {"passes-what-conforms", PassesWhatConforms}});

} // namespace
