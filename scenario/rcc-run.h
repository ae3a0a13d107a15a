/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RUN_H
#define RCC_RUN_H

#include "ns3/qbb-helper.h"
#include "ns3/rcc-capture.h"
#include "rcc-options.h"
#include "rcc-phases.h"
#include "rcc-results.h"
#include "rcc-workload.h"

#include "ns3/rdma-client.h"

#include <cstdio>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3
{

/// What a scenario adds to its run: series and results of its own.
class RccRunExtra
{
  public:
    virtual ~RccRunExtra() = default;

    /// The simulation is about to begin. \param folder of the run's files; empty: write none
    virtual void Begin(const std::string& folder) = 0;

    /// It is over: add to run.json.
    virtual void AddResults(RccJson& json) = 0;

    /// A flow, counted from 0 in the order of AddFlow or AddArrival, was acknowledged `fct` ns after its start.
    virtual void FlowEnded(size_t, int64_t)
    {
    }
};

/// What a flow may have of its own.
struct RccFlowOptions
{
    Ptr<RccAlgorithm> algorithm; //!< null: the run's
    uint64_t window{0};          //!< of RdmaNic::SetWindow
    int64_t stop{-1};            //!< when it ends at the latest, ns; -1 = never
    bool variableWindow{false};
    uint8_t cls{3};
};

/**
 * One run of a scenario under one algorithm: options that every scenario has,
 * flows, the watched port, time series, and the results (doc/summary.md).
 *
 *     RccOptions options;
 *     RccRun::AddOptions(options);           // and the scenario's own
 *     options.Parse(argc, argv, usage);
 *     RccRun run("incast", options);
 *     ... build with run.GetHelper(), run.AddSwitch, run.AddFlow, run.Watch ...
 *     return run.Execute();
 */
class RccRun
{
  public:
    /// Add --cc, --preset, --set, --kmin, --kmax, --pmax, --rate, --delay, --buffer, --mtu,
    /// --ack-every, --time, --window, --seed, --out, --check, --progress, and those of RccCapture.
    static void AddOptions(RccOptions& options);

    /// Exits with status 2 if the options name something that does not exist.
    RccRun(const std::string& scenario, const RccOptions& options);
    ~RccRun();

    /// Makes hosts, switches and links as the options say.
    const QbbHelper& GetHelper() const
    {
        return m_helper;
    }

    /// To set attributes that no option of every scenario sets, before anything is made.
    QbbHelper& GetHelper()
    {
        return m_helper;
    }

    Ptr<RccAlgorithm> GetAlgorithm() const
    {
        return m_algorithm;
    }

    uint64_t GetSeed() const
    {
        return m_seed;
    }

    /// What --window asks for, or the second half of the run, ns.
    int64_t GetWindowFrom() const
    {
        return m_windowFrom >= 0 ? m_windowFrom : m_stop / 2;
    }

    int64_t GetWindowTo() const
    {
        return m_windowTo >= 0 ? m_windowTo : m_stop;
    }

    /// Put the congestion point on a switch and lay out its buffer; exits with 2 if that cannot be lossless.
    void AddSwitch(Ptr<QbbSwitch> sw);

    /// Count a switch that has its markers and was started.
    void AddStartedSwitch(Ptr<QbbSwitch> sw);

    /// Give a CIOQ switch the algorithm and start it; exits with 2 if its configuration cannot work.
    void AddSwitch(Ptr<CioqSwitch> sw);

    /**
     * A flow.
     * \param start ns
     * \param bytes 0 = without end
     * \return its application, whose other attributes may be set until it starts
     */
    Ptr<RdmaClient> AddFlow(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start,
                            uint64_t bytes);

    /// Links from one host to another, for the flows that arrive. \return its number
    uint32_t AddPath(const std::vector<RccHop>& path);

    /**
     * A flow whose queue pair exists from its start to its end only. A run has either such flows, added in the
     * order of their starts, or those of AddFlow. Their completion times are compared with those on the idle path.
     * \param start ns
     * \param bytes 0 = without end
     * \param path of AddPath
     */
    void AddArrival(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start,
                    uint64_t bytes, uint32_t path, const RccFlowOptions& own = RccFlowOptions());

    /// Go on for this long after --time, until the flows have ended; averages cover --time.
    void SetDrain(int64_t ns);

    /// Print a warning, and put it into the results.
    void Warn(const std::string& message);

    /// A number of the scenario's own, for the results.
    void Note(const std::string& key, double value);

    /// The congested port, whose queue is reported, and its utilisation if no bottleneck is added.
    void Watch(Ptr<QbbNetDevice> port, const std::string& name);
    void Watch(Ptr<QbbSwitch> sw, uint32_t port, const std::string& name);

    /**
     * What is made from now on has no PFC: a switch stores what its buffer holds,
     * whatever port it came from and goes to, and drops the rest.
     */
    void SetLossy();

    /// Change the rate of the watched port on the way; run.json gets "phases", and utilization.csv is written.
    void SetCapacity(const std::vector<RccPhases::Step>& steps);

    /// A port whose bytes count for the utilisation: of all those added together.
    void AddBottleneck(Ptr<QbbSwitch> sw, uint32_t port);

    /// Let a scenario add to the results. Not owned.
    void SetExtra(RccRunExtra* extra)
    {
        m_extra = extra;
    }

    /// Create a file of the results; exits with 2 if that does not work.
    static std::FILE* OpenFile(const std::string& path);

    /// Simulate and write the results. \return exit status of the program
    int Execute();

  private:
    struct Flow
    {
        Ptr<RdmaClient> client; //!< null: not arrived yet, or ended and given back
        Ptr<RdmaNic> from, to;
        Ptr<Node> fromNode;
        uint32_t src, dst;
        int64_t start;
        uint64_t bytes;
        uint32_t path{NO_PATH}; //!< of an arrival
        int64_t fct{-1};        //!< ns
        uint64_t atWindow{0};   //!< payload delivered when the window began
        uint64_t inWindow{0};
        uint64_t delivered{0}; //!< payload, when it was given back
        RccFlowOptions own;

        uint64_t Delivered() const;
        double Goodput(double window) const;
    };

    struct FileCloser
    {
        void operator()(std::FILE* f) const
        {
            std::fclose(f);
        }
    };

    using File = std::unique_ptr<std::FILE, FileCloser>;

    static const uint32_t NO_PATH = UINT32_MAX;

    Flow NewFlow(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start,
                 uint64_t bytes);
    Ptr<RdmaClient> NewClient(size_t flow);
    void Arrive();
    static void FlowStops(RccRun* run, size_t flow);
    void OneFewer();
    static void FlowDone(RccRun* run, size_t flow, Ptr<RdmaClient> client, int64_t ns);
    std::vector<RccFlowEnd> Ended(bool arrivals) const;
    void EndWindow();
    File Open(const std::string& name) const;
    void OpenOutput();
    void ChoosePorts();
    void CheckLeastRate();
    uint64_t BottleneckTx() const;
    uint64_t BottleneckRate() const;
    double BottleneckCapacity() const;
    void Tick();
    void ReadWindow();
    void BeginWindow();
    void WriteFlows() const;
    RccJson Summary(double wall) const;

    struct Totals
    {
        uint64_t sentBytes{0}, deliveredPackets{0}, deliveredBytes{0}, sentPackets{0};
        uint64_t cnps{0}, cnms{0}, dropped{0}, pauses{0}, naks{0}, timeouts{0}, marked{0};
        int64_t pausedNs{0};
    };

    Totals Count() const;

    std::string m_scenario;
    const RccOptions& m_options;
    Ptr<RccAlgorithm> m_algorithm;
    QbbHelper m_helper;
    uint64_t m_seed, m_rate;
    int64_t m_time;   //!< --time, ns
    int64_t m_stop;   //!< when to stop at the latest, ns
    int64_t m_tick;   //!< ns between rows
    double m_started; //!< wall clock

    std::vector<Flow> m_flows;
    std::vector<std::vector<RccHop>> m_paths;
    size_t m_arrived{0};              //!< flows before this one have arrived
    std::vector<size_t> m_giveBack;   //!< arrivals that have ended
    std::vector<Ptr<RdmaNic>> m_nics; //!< those with flows, each once
    std::unordered_set<RdmaNic*> m_nicsKnown;
    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<Ptr<CioqSwitch>> m_cioqSwitches;
    RccRunExtra* m_extra{nullptr};
    Ptr<QbbSwitch> m_watchedSwitch;
    Ptr<QbbNetDevice> m_watched;
    std::string m_watchedName;
    std::vector<Ptr<QbbNetDevice>> m_bottlenecks;
    std::unique_ptr<RccQueueStats> m_queue;
    std::unique_ptr<RccPhases> m_phases;
    bool m_lossy{false};
    uint64_t m_kmax{0};

    bool m_endless{false};
    size_t m_unfinished{0}, m_cutShort{0};
    bool m_partial{false};
    int64_t m_windowFrom{-1}, m_windowTo{-1}; //!< as --window asks
    int64_t m_windowStart{0}, m_windowEnd{-1};
    std::unique_ptr<RccQueueStats> m_windowQueue; //!< as it was at the end of the window
    uint64_t m_windowTx{0}, m_windowSent{0};      //!< when it began; from its end on: in it
    double m_windowCapacity{0};
    std::vector<std::pair<std::string, double>> m_notes;
    int64_t m_lastStart{0};
    std::vector<std::string> m_warnings;

    std::string m_out;
    File m_queueCsv, m_rateCsv, m_flowRatesCsv, m_utilizationCsv;
    RccCapture m_capture;
    std::vector<size_t> m_sampled; //!< flows in flow_rates.csv
    uint64_t m_ticks{0}, m_lastSent{0}, m_lastTx{0};
    double m_lastCapacity{0};
    double m_lastProgress{0};
};

} // namespace ns3

#endif /* RCC_RUN_H */
