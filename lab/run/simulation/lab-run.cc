/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-run.h"

#include "lab-capture.h"
#include "lab-fault-run.h"
#include "lab-guard.h"
#include "lab-partition.h"
#include "lab-port-log.h"
#include "lab-run-marks.h"
#include "lab-series.h"

#include "ns3/double.h"
#include "ns3/qbb-routing.h"
#include "ns3/rcc-event-queue.h"
#include "ns3/rcc-units.h"
#include "ns3/rdma-path.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sys/resource.h>

namespace ns3
{

namespace
{
/// Exit status of a run that a PFC deadlock has stopped, or that ended in one.
const int STATUS_DEADLOCK = 3;

/// Bytes of a long queue for drain_s if the algorithm has no Kmax.
const int64_t DEFAULT_KMAX = 200000;

/**
 * RCC_MAX_EVENTS: events after which a run ends early, with a partial result. For trying out a long command.
 * \return 0 if there is no limit
 */
uint64_t
GetMaxEvents()
{
    const char* text = std::getenv("RCC_MAX_EVENTS");
    uint64_t most = 0;
    if (text && *text && (!RccParseWhole(text, INT64_MAX, &most) || !most))
    {
        LabThrow("RCC_MAX_EVENTS is '" + std::string(text) + "', expected a whole number such as 100000");
    }
    return most;
}

} // namespace

LabRun::LabRun(const RunFile& file, const LabAsked& asked)
    : m_file(file),
      m_asked(asked),
      m_maxEvents(GetMaxEvents()),
      m_anyWindow(std::any_of(file.flows.begin(), file.flows.end(), [](const RunFlows& f) { return f.window >= 0; })),
      m_progress(asked.progress),
      m_setup(file),
      m_stop(file.time + file.drain),
      m_tick(std::max<int64_t>(10000, file.time / 2000)),
      m_flows(m_setup.algorithm,
              [this](size_t flow, int64_t fct) {
                  m_series->FlowEnded(flow);
                  if (m_extra)
                  {
                      m_extra->FlowEnded(flow, fct);
                  }
              }),
      m_faults(new LabFaultRun(file)),
      m_guard(new LabGuard(file.guard, m_flows)),
      m_measurement(m_flows),
      m_timeline(std::max<int64_t>(0, file.interval)),
      m_series(new LabSeries(m_measurement, m_timeline)),
      m_portLog(new LabPortLog),
      m_capture(new LabCapture),
      m_partition(new LabPartition)
{
    if (asked.check)
    {
        m_flows.OnlyCheck();
    }
}

LabRun::~LabRun() = default;

void
LabRun::KeepTogether(uint32_t a, uint32_t b)
{
    m_partition->KeepTogether(a, b);
}

void
LabRun::Warn(const RunWarning& warning)
{
    m_warnings.push_back(warning.Line());
    if (RccGateway::IsFirst())
    {
        warning.Print("warning");
    }
}

void
LabRun::WarnAll(const std::vector<RunWarning>& warnings)
{
    for (const auto& warning : warnings)
    {
        Warn(warning);
    }
}

void
LabRun::AddSwitch(Ptr<CioqSwitch> sw)
{
    sw->SetAlgorithm(m_setup.algorithm);
    LabThrow(sw->Start());
    m_cioqSwitches.push_back(sw);
}

int64_t
LabRun::GetWindowFrom() const
{
    const int64_t last = m_flows.GetLastEndlessStart();
    const int64_t after = last > m_stop / 2 && last < m_stop ? last : 0;
    return m_file.windowFrom >= 0 ? m_file.windowFrom : (after + m_stop) / 2;
}

void
LabRun::Watch(Ptr<QbbSwitch> sw, uint32_t port, const std::string& name)
{
    m_watchedSwitch = sw;
    m_watchedPort = port;
    Watch(sw->GetPort(port), name);
}

void
LabRun::Watch(Ptr<QbbNetDevice> port, const std::string& name)
{
    const bool known = m_setup.algorithm->HasParameter("kmax");
    int64_t kmax = known ? m_setup.algorithm->GetParameterAt(port->GetRate(), "kmax") : DEFAULT_KMAX;
    if (known && kmax == 0) // NSCC then has one that follows from the rate
    {
        kmax = std::max<int64_t>(0, LabMarksAt(*m_setup.algorithm, port->GetRate()).all);
    }
    m_measurement.Watch(port, name, static_cast<uint64_t>(kmax));
}

/// \return whether a switch pauses who sends to it
bool
LabRun::IsLossless() const
{
    return std::any_of(m_switches.begin(), m_switches.end(), [](const Ptr<QbbSwitch>& sw) {
        UintegerValue classes;
        sw->GetAttribute("LosslessClasses", classes);
        return classes.Get() != 0;
    });
}

/// The file says which port is watched: all results have its queue.
void
LabRun::CheckWatched() const
{
    if (!m_measurement.port)
    {
        throw RunError(m_file.watch.record, "ID", "absent", "busiest");
    }
}

void
LabRun::SetCapacity(const std::vector<RunPhase>& steps)
{
    CheckWatched();
    m_phases.reset(new LabPhases(m_measurement, steps, m_stop));
    m_faults->KeepRate(m_measurement.port, 0, "phase");
}

/// The first flow's sender and receiver stand for the others.
void
LabRun::ChooseCaptures()
{
    const LabFlowSet::Flow& first = m_flows.GetFlows().front();
    m_capture->Choose(m_file, {m_measurement.port, first.to->GetPort(0), first.from->GetPort(0)});
}

template <class Switch>
void
LabRun::Totals::AddSwitch(const Switch& sw)
{
    dropped += sw.GetDroppedPackets();
    cnms += sw.GetCnmsSent();
    for (uint32_t p = 0; p < sw.GetNPorts(); p++)
    {
        pauses += sw.GetPort(p)->GetCounters().pausesSent;
    }
}

LabRun::Totals
LabRun::Count() const
{
    if (m_gathered)
    {
        return *m_gathered;
    }
    Totals totals;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    totals.memory = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
    totals.events = RccEventQueue::CountEvents();
    for (const auto& nic : m_flows.GetNics())
    {
        const RdmaNicCounters& c = nic->GetCounters();
        totals.sentPackets += c.packetsSent;
        totals.deliveredBytes += c.bytesDelivered;
        totals.deliveredPackets += c.packetsDelivered;
        totals.cnps += c.cnpsSent;
        totals.naks += c.naksSent;
        totals.timeouts += c.timeouts;
        totals.repeatedPackets += c.packetsRepeated;
        totals.repeatedBytes += c.bytesRepeated;
        totals.overrun += c.packetsOverrun;
        totals.marked += c.packetsMarked;
        for (uint32_t p = 0; p < nic->GetNPorts(); p++)
        {
            totals.pausedNs += nic->GetPort(p)->GetPausedTime(RccNow());
        }
    }
    for (const auto& sw : m_switches)
    {
        totals.AddSwitch(*sw);
        totals.trimmed += sw->GetTrimmedPackets();
    }
    for (const auto& sw : m_cioqSwitches)
    {
        totals.AddSwitch(*sw);
    }
    return totals;
}

void
LabRun::Tick()
{
    const int64_t now = RccNow();
    if (m_progress.IsDue())
    {
        const Totals totals = Count();
        const auto bytes = static_cast<double>(std::max<uint64_t>(m_flows.GetBytes(), 1));
        const double delivered = m_flows.IsEndless() ? 0 : static_cast<double>(totals.deliveredBytes) / bytes;
        const double passed = static_cast<double>(now) / static_cast<double>(m_file.time);
        m_progress.Print(std::max(delivered, passed), totals.deliveredPackets); // it ends with the last of its flows
    }
    if (!m_folder.empty() && m_progress.MustShow())
    {
        m_progress.Show([this] {
            m_timeline.WriteUntilNow();
            m_flows.WriteCsv(m_folder + "/flows.csv", 0);
        });
    }
    WarnAll(m_guard->Check(now));
    const bool enough = m_maxEvents && RccEventQueue::CountEvents() >= m_maxEvents;
    if (enough || m_guard->MustStop() || LabProgress::IsInterrupted())
    {
        m_partial = true;
        m_interrupted = LabProgress::IsInterrupted();
        Simulator::Stop();
        return;
    }
    if (now + m_tick <= m_stop)
    {
        Simulator::Schedule(NanoSeconds(m_tick), &LabRun::Tick, this);
    }
}

/// \return whether NICs must know the RTT of the network: for the algorithm, or for the window of IRN
bool
LabRun::HasBaseRtt() const
{
    StringValue recovery; // all NICs have the same
    if (!m_flows.GetNics().empty())
    {
        m_flows.GetNics().front()->GetAttribute("Recovery", recovery);
    }
    return m_setup.algorithm->GetCore()->needs.wants || recovery.Get() == "irn";
}

void
LabRun::ScheduleAll()
{
    if (m_phases)
    {
        m_phases->Start();
    }
    const int64_t first = m_flows.GetFirstStart();
    m_timeline.Begin(first, m_flows.IsEndless() ? m_stop : -1, m_stop);
    Simulator::Schedule(NanoSeconds((first / m_tick + 1) * m_tick), &LabRun::Tick, this);
    if (HasWindow())
    {
        Simulator::Schedule(NanoSeconds(GetWindowFrom()), &LabMeasurement::BeginWindow, &m_measurement);
    }
    if (m_file.windowTo >= 0 || m_stop > m_file.time)
    {
        Simulator::Schedule(NanoSeconds(GetWindowTo()), &LabMeasurement::EndWindow, &m_measurement);
    }
    const int64_t end = m_file.windowTo >= 0 ? m_file.windowTo : m_stop;
    if (m_flows.IsEndless() && end > GetWindowFrom())
    {
        Simulator::Schedule(NanoSeconds(GetWindowFrom() + (end - GetWindowFrom()) / 2), &LabMeasurement::HalveWindow,
                            &m_measurement);
    }
    StartFlows();
}

void
LabRun::StartFlows()
{
    if (HasBaseRtt())
    {
        const int64_t rtt = RdmaSetBaseRtt(m_flows.GetNics());
        for (const auto& sw : QbbGetSwitches(NodeContainer::GetGlobal()))
        {
            sw->SetBaseRtt(rtt);
        }
    }
    m_flows.Start();
    Simulator::Stop(NanoSeconds(m_stop));
}

void
LabRun::Simulate()
{
    ScheduleAll();
    Simulator::Run();
    WarnAll(m_guard->End(RccNow()));
    if (!m_interrupted)
    {
        WarnOfNever(RccNow(), m_stop); // all flows have ended before
        WarnAll(m_faults->WarnOfNever(RccNow(), m_stop));
    }
    for (const auto& violation : m_guard->GetViolations())
    {
        Fail(RunWarning("invariant").With(violation));
    }
    const std::string why = m_capture->Close();
    if (!why.empty())
    {
        Fail(RunWarning("text").With(why));
    }
    if (!m_measurement.ended)
    {
        if (RccNow() < m_file.windowFrom)
        {
            Warn(RunWarning("window-after-end").With(m_file.windowFrom).With(m_file.windowTo));
        }
        m_measurement.EndWindow();
    }
}

/// Say what makes the results unreliable, and the run partial: a file that is not whole, an invariant that is violated.
void
LabRun::Fail(const RunWarning& why)
{
    why.Print("error");
    m_warnings.push_back(why.Line());
    m_failed = true;
}

/// Say which of the files that were closed are not whole.
void
LabRun::CheckFiles()
{
    for (const auto& why : LabTakeFileErrors())
    {
        Fail(RunWarning("text").With(why));
    }
}

/// Write run.json, or print it. \param folder of the results; empty: there is none. \param summary its text
void
LabRun::WriteSummary(const std::string& folder, const std::string& summary)
{
    if (!folder.empty())
    {
        std::fprintf(LabSetup::OpenFile(folder + "/run.json").get(), "%s\n", summary.c_str());
        CheckFiles();
        return;
    }
    std::printf("%s\n", summary.c_str());
    if (std::fflush(stdout) != 0)
    {
        Fail(RunWarning("stdout").With(std::strerror(errno)));
    }
}

void
LabRun::WriteResults(const std::string& folder)
{
    if (!folder.empty())
    {
        m_flows.WriteCsv(folder + "/flows.csv", RccSeconds(m_measurement.end.at - m_measurement.begin.at));
    }
    const int64_t last = m_flows.GetLastEndlessStart();
    if (last > m_measurement.begin.at && last <= RccNow())
    {
        Warn(RunWarning("averages-before").With(m_measurement.begin.at).With(last));
    }
    WarnOfEndless();
    if (m_extra)
    {
        WarnAll(m_extra->GetWarnings(RccNow()));
    }
    WriteSummary(folder, Summarize().Str());
}

int
LabRun::Execute()
{
    CheckWatched();
    if (m_measurement.bottlenecks.empty())
    {
        m_measurement.bottlenecks.push_back(m_measurement.port);
    }
    WarnOfNever(m_stop, INT64_MAX);
    WarnOfLeastRate();
    WarnOfRecovery();
    WarnOfTimeout();
    WarnOfTelemetry();
    WarnOfLateFlows();
    ChooseCaptures();
    m_faults->Install(m_file.seed, m_stop, [this] { return Count().deliveredBytes; });
    WarnAll(m_faults->WarnOfNever(m_stop, INT64_MAX));
    m_guard->SetFaults(m_faults->GetFaults());
    // inputs of a CIOQ switch stop hosts for as long as its outputs take, which says nothing of being stuck
    WarnAll(m_guard->Begin(m_switches, IsLossless()));
    if (m_asked.check)
    {
        if (m_asked.ranks > 1)
        {
            Divide(m_asked.ranks);
        }
        Simulator::Destroy();
        return 0;
    }
    RccGateway* const ranks = RccGateway::Current();
    if ((m_setup.algorithm->GetCore()->needs.wants & RCC_WANT_WINDOW) || m_setup.ackEvery == 1)
    {
        m_series->WithWindows();
    }
    LabProgress::CatchSignals(); // a process that sees its files can interrupt it
    const std::string folder = RccGateway::IsFirst() ? m_asked.folder : "";
    LabSetup::MakeFolder(folder);
    OpenAll(ranks, folder);
    Simulate();
    if (ranks)
    {
        GatherRanks(*ranks);
    }
    m_timeline.Close();
    m_portLog->Close();
    if (RccGateway::IsFirst())
    {
        WriteResults(folder);
    }
    Simulator::Destroy();
    return m_failed ? 1 : m_interrupted ? 130 : m_guard->MustStop() ? STATUS_DEADLOCK : 0;
}

/// Begin to write. \param folder of the files; empty: there are none, or another rank writes them
void
LabRun::OpenAll(RccGateway* ranks, const std::string& folder)
{
    if (ranks)
    {
        JoinRanks(*ranks, folder);
    }
    else if (!folder.empty())
    {
        m_folder = folder;
        m_series->Open(folder, m_phases != nullptr);
        if (m_file.recorded.portLog)
        {
            m_portLog->Open(folder);
            m_timeline.AddSampler([this](int64_t, int64_t interval) { m_portLog->WriteRows(interval); });
        }
    }
    m_capture->Open(m_asked.folder);
    if (m_extra)
    {
        m_extra->Begin(folder);
    }
}

} // namespace ns3
