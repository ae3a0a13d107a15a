/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-progress.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>
#endif

namespace ns3
{

namespace
{

const double INTERVAL = 0.15; // s between progress lines
const double SHOWN = 1;       // s between files that show how far the run has come
const double SHARE = 30;      // a 30th of the time may be spent with messages

volatile std::sig_atomic_t g_interrupted = 0;

void
Interrupt(int)
{
    g_interrupted = 1;
}

/// Decides what is printed, never what is computed.
double
WallClock()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

LabProgress::LabProgress(bool print) : m_print(print), m_started(WallClock()), m_show(m_started + SHOWN)
{
}

void
LabProgress::EndWithParent()
{
#ifdef __linux__
    if (const char* parent = std::getenv("RCC_PARENT"))
    {
        const pid_t pid = std::atoi(parent);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (pid > 0 && getppid() != pid && kill(pid, 0) != 0) // it has ended before; a shell may stand between
        {
            std::raise(SIGKILL);
        }
    }
#endif
}

void
LabProgress::CatchSignals()
{
    std::signal(SIGINT, Interrupt);
    std::signal(SIGTERM, Interrupt);
}

bool
LabProgress::IsInterrupted()
{
    return g_interrupted != 0;
}

bool
LabProgress::IsDue() const
{
    return m_print && WallClock() - m_last > INTERVAL;
}

void
LabProgress::Print(double part, uint64_t packets)
{
    m_last = WallClock();
    std::printf("progress %.4f %" PRIu64 "\n", std::min(1.0, part), packets);
    std::fflush(stdout);
}

bool
LabProgress::MustShow() const
{
    return WallClock() > m_show;
}

void
LabProgress::Show(const std::function<void()>& write)
{
    const double begin = WallClock();
    write();
    const double end = WallClock();
    m_show = end + std::max(SHOWN, SHARE * (end - begin));
}

double
LabProgress::GetSeconds() const
{
    return WallClock() - m_started;
}

} // namespace ns3
