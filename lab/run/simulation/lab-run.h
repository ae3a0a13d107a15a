/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "lab-flow-set.h"
#include "lab-measurement.h"
#include "lab-phases.h"
#include "lab-progress.h"
#include "lab-setup.h"
#include "lab-timeline.h"
#include "run-warning.h"

#include "ns3/cioq-switch.h"
#include "ns3/qbb-switch.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class LabCapture;
class LabFaultRun;
class LabGuard;
class LabPartition;
class LabPortLog;
class LabSeries;

/// The options of the command line, which stand beside the run file.
struct LabAsked
{
    std::string folder;   //!< the folder of the results; empty: the summary is printed
    bool check{false};    //!< build, and stop
    uint32_t ranks{1};    //!< that `check` is asked about
    bool progress{false}; //!< print progress lines
};

/// Series and results that a scenario adds to its run.
class LabRunExtra
{
  public:
    virtual ~LabRunExtra() = default;

    /// Called before the simulation. \param folder of the run's files; empty: write none
    virtual void Begin(const std::string& folder) = 0;

    /// Called after the simulation. \param json of run.json, to add to
    virtual void AddResults(LabJson& json) = 0;

    /// Called after the simulation and Gather. \param end of the simulation, ns \return what else the run warns of
    virtual std::vector<RunWarning> GetWarnings(int64_t end) const
    {
        (void)end;
        return {};
    }

    /// \return whether its results have the frames that links lost, which a run else has where there are faults
    virtual bool CountsLostFrames() const
    {
        return false;
    }

    /// \return whether several ranks can have the run: then Gather is called
    virtual bool CanBeDivided() const
    {
        return false;
    }

    /// In one of several ranks, after the simulation and before AddResults. \param ranks that all call this
    virtual void Gather(RccGateway& ranks)
    {
        (void)ranks;
    }

    /**
     * Called when the last packet of a flow was acknowledged.
     * \param flow number in the order in which it was added, from 0
     * \param fct ns since its start
     */
    virtual void FlowEnded(size_t flow, int64_t fct)
    {
        (void)flow;
        (void)fct;
    }
};

/**
 * One run of a run file: simulates what was built from it, and writes the results (lab/doc/summary.md).
 *
 *     LabRun run(file, asked);
 *     ... build with run.GetHelper(), run.AddSwitch, run.GetFlows().Add, run.Watch ...
 *     return run.Execute();
 */
class LabRun
{
  public:
    /// Throws RunError if the file names something that does not exist.
    /// \param file of the run \param asked by the command line; both outlive the run
    LabRun(const RunFile& file, const LabAsked& asked);

    ~LabRun();

    /// \return the helper that makes hosts, switches and links as the file says; attributes may be set
    QbbHelper& GetHelper()
    {
        return m_setup.helper;
    }

    Ptr<RccAlgorithm> GetAlgorithm() const
    {
        return m_setup.algorithm;
    }

    /// \param number of an algorithm of the file; RUN_NONE: null \return it
    Ptr<RccAlgorithm> GetAlgorithm(uint32_t number) const
    {
        return number == RUN_NONE ? nullptr : m_setup.algorithms[number];
    }

    /// \return the values of the file that every run has
    const LabSetup& GetSetup() const
    {
        return m_setup;
    }

    /// \return begin of the averages, ns: as the file says, or the middle of the run; where flows without an end start
    /// later, the middle of what is left then
    int64_t GetWindowFrom() const;

    /// \return end of the averages, ns, unless the run ends before: as the file says, or its time
    int64_t GetWindowTo() const
    {
        return m_file.windowTo >= 0 ? m_file.windowTo : m_file.time;
    }

    /// \return whether the averages begin at GetWindowFrom; else with the run. Of a run that has its flows
    bool HasWindow() const
    {
        return m_file.windowFrom >= 0 || m_flows.IsEndless();
    }

    /// Sums of the counters of NICs and switches since the start.
    struct Totals
    {
        uint64_t sentPackets{0}, deliveredBytes{0}, deliveredPackets{0};
        uint64_t marked{0}, dropped{0}, trimmed{0}, naks{0}, timeouts{0};
        uint64_t repeatedPackets{0}, repeatedBytes{0}; //!< retransmissions
        uint64_t overrun{0};                           //!< dropped by receive buffers
        uint64_t cnps{0}, cnms{0}, pauses{0};          //!< sent
        int64_t pausedNs{0};                           //!< ns, the sum over all ports of the NICs
        uint64_t events{0};                            //!< events of the simulator
        uint64_t memory{0};                            //!< most of the process, bytes

        template <class Switch> void AddSwitch(const Switch& sw);
        void Gather(RccGateway& ranks);
    };

    /// \return the totals until now; in one of several ranks, after the run, those of all
    Totals Count() const;

    /// \return what was measured; of the window, after the simulation
    const LabMeasurement& GetMeasurement() const
    {
        return m_measurement;
    }

    /// One of several ranks has both ends of a link that fails. \param a node id \param b node id
    void KeepTogether(uint32_t a, uint32_t b);

    /// Give a CIOQ switch the algorithm and start it. Throws RunError if its configuration cannot work.
    void AddSwitch(Ptr<CioqSwitch> sw);

    /// Add a switch that has its congestion points and was started.
    void AddStartedSwitch(Ptr<QbbSwitch> sw)
    {
        m_switches.push_back(sw);
    }

    /// \return the flows, to add to
    LabFlowSet& GetFlows()
    {
        return m_flows;
    }

    /// Print a warning, and put it into the results.
    void Warn(const RunWarning& warning);

    /// Warn before or after the run if what is asked for begins when it is over. \param what it is \param at ns
    void WarnIfNever(const std::string& what, int64_t at)
    {
        m_later.emplace_back(what, at);
    }

    /// Add a number to the results.
    void Note(const std::string& key, double value)
    {
        m_notes.emplace_back(key, value);
    }

    /// Count a flow whose algorithm was chosen for it, whatever the run's is: run.json has how many have which.
    void CountOwnAlgorithm(const Ptr<RccAlgorithm>& algorithm);

    /// Choose the congested port, whose queue is reported. \param name for people
    void Watch(Ptr<QbbNetDevice> port, const std::string& name);
    void Watch(Ptr<QbbSwitch> sw, uint32_t port, const std::string& name);

    /// Add a port whose bytes count for the utilization, in place of the watched port.
    void AddBottleneck(Ptr<QbbNetDevice> port)
    {
        m_measurement.bottlenecks.push_back(port);
    }

    /// Change the rate of the watched port during the run; run.json gets "phases", and utilization.csv is written.
    void SetCapacity(const std::vector<RunPhase>& steps);

    /// \return the faults of the file
    LabFaultRun& GetFaults()
    {
        return *m_faults;
    }

    /// \return the ticks of all series, to add tables and samplers to
    LabTimeline& GetTimeline()
    {
        return m_timeline;
    }

    /// Let a scenario add to the results. \param extra not owned
    void SetExtra(LabRunExtra* extra)
    {
        m_extra = extra;
    }

    /// Let the flows begin at their times, and the simulation end at its own.
    void StartFlows();

    /**
     * Simulate and write the results.
     * \return exit status of the program: 0; 1 if a file could not be written; 3 after a PFC deadlock, unless
     *         the file says to go on; 130 after SIGINT or SIGTERM
     */
    int Execute();

  private:
    bool HasBaseRtt() const;
    void CheckWatched() const;
    bool IsLossless() const;
    void OpenAll(RccGateway* ranks, const std::string& folder);
    uint64_t GetLosslessClasses() const;
    uint32_t CountInputs() const;
    uint64_t GetQueueLimit() const;
    double GetQueueAtLeast(double least, size_t flows);
    void WarnOfLeastRate();
    void WarnOfRecovery();
    void WarnOfTimeout();
    void WarnOfLateFlows();
    void WarnOfEndless();
    void WarnOfNever(int64_t end, int64_t before);
    void WarnOfTelemetry();
    void ChooseCaptures();
    void ScheduleAll();
    void Simulate();
    void Tick();
    void WarnAll(const std::vector<RunWarning>& warnings);
    void Fail(const RunWarning& why);
    void CheckFiles();
    void WriteSummary(const std::string& folder, const std::string& summary);
    void WriteResults(const std::string& folder);

    // One of several ranks, in lab-run-ranks.cc
    void Divide(uint32_t ranks);
    void JoinRanks(RccGateway& ranks, const std::string& folder);
    void GatherRanks(RccGateway& ranks);

    // run.json, in lab-run-summary.cc
    LabJson Summarize();
    void AddIdentity(LabJson& json) const;
    void AddMeasurement(LabJson& json, const Totals& totals);
    void AddCompletions(LabJson& json) const;
    void AddQueueLimits(LabJson& json);
    void AddOwnAlgorithms(LabJson& json) const;

    const RunFile& m_file;
    const LabAsked& m_asked;
    uint64_t m_maxEvents; //!< see GetMaxEvents
    bool m_anyWindow;     //!< a flow of the file has a window
    LabProgress m_progress;
    std::string m_folder; //!< the folder whose files show how far the run has come; empty: none does
    LabSetup m_setup;
    int64_t m_stop; //!< when to stop at the latest, ns
    int64_t m_tick; //!< ns between looks at what may end the run
    LabFlowSet m_flows;
    std::unique_ptr<LabFaultRun> m_faults;
    std::unique_ptr<LabGuard> m_guard;
    LabMeasurement m_measurement;
    LabTimeline m_timeline;
    std::unique_ptr<LabSeries> m_series;
    std::unique_ptr<LabPortLog> m_portLog;
    std::unique_ptr<LabCapture> m_capture;
    std::unique_ptr<LabPartition> m_partition;
    std::unique_ptr<Totals> m_gathered; //!< the totals of all ranks
    std::unique_ptr<LabPhases> m_phases;
    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<Ptr<CioqSwitch>> m_cioqSwitches;
    Ptr<QbbSwitch> m_watchedSwitch;
    uint32_t m_watchedPort{0};
    LabRunExtra* m_extra{nullptr};
    std::vector<std::pair<std::string, double>> m_notes;
    std::vector<std::pair<std::string, int64_t>> m_later; //!< events that begin during the run, and when, ns
    std::vector<std::string> m_warnings;
    std::vector<std::pair<Ptr<RccAlgorithm>, uint64_t>>
        m_ownAlgorithms;       //!< algorithms of flows, and how many have each
    size_t m_lateEndless{0};   //!< flows without an end of which WarnOfLateFlows has warned
    bool m_partial{false};     //!< ended early
    bool m_interrupted{false}; //!< by a signal
    bool m_failed{false};      //!< a file of the results is not whole, or an invariant is violated
};

} // namespace ns3

#endif /* LAB_RUN_H */
