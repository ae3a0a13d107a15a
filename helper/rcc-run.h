/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RCC_RUN_H
#define RCC_RUN_H

#include "qbb-helper.h"
#include "rcc-options.h"
#include "rcc-pcap.h"
#include "rcc-results.h"

#include "ns3/rdma-client.h"

#include <cstdio>
#include <memory>
#include <string>
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
    /// --ack-every, --time, --seed, --out, --pcap, --check, --progress.
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

    /// Put the congestion point on a switch and lay out its buffer; exits with 2 if that cannot be lossless.
    void AddSwitch(Ptr<QbbSwitch> sw);

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

    /// The congested port, whose queue is reported, and its utilisation if no bottleneck is added.
    void Watch(Ptr<QbbNetDevice> port, const std::string& name);
    void Watch(Ptr<QbbSwitch> sw, uint32_t port, const std::string& name);

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
        Ptr<RdmaClient> client;
        Ptr<RdmaNic> from, to;
        uint32_t src, dst;
        int64_t start;
        uint64_t atWindow{0}; //!< payload delivered when the window began

        uint64_t Delivered() const;
    };

    struct FileCloser
    {
        void operator()(std::FILE* f) const
        {
            std::fclose(f);
        }
    };

    using File = std::unique_ptr<std::FILE, FileCloser>;

    File Open(const std::string& name) const;
    void OpenOutput();
    void OpenPcap();
    void Warn(const std::string& message);
    void CheckLeastRate();
    uint64_t BottleneckTx() const;
    uint64_t BottleneckRate() const;
    void Tick();
    void BeginWindow();
    void FlowDone(Ptr<RdmaClient> client, int64_t ns);
    void WriteFlows() const;
    RccJson Summary(double wall) const;
    RccJson FctSummary() const;

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
    int64_t m_stop;    //!< ns
    int64_t m_tick;    //!< ns between rows
    double m_started;  //!< wall clock

    std::vector<Flow> m_flows;
    std::vector<Ptr<RdmaNic>> m_nics; //!< those with flows, each once
    std::vector<Ptr<QbbSwitch>> m_switches;
    std::vector<Ptr<CioqSwitch>> m_cioqSwitches;
    RccRunExtra* m_extra{nullptr};
    Ptr<QbbSwitch> m_watchedSwitch;
    Ptr<QbbNetDevice> m_watched;
    std::string m_watchedName;
    std::vector<Ptr<QbbNetDevice>> m_bottlenecks;
    std::unique_ptr<RccQueueStats> m_queue;
    uint64_t m_kmax{0};

    bool m_endless{false};
    size_t m_unfinished{0};
    bool m_partial{false};
    int64_t m_windowStart{0}, m_windowEnd{0};
    uint64_t m_windowTx{0}, m_windowSent{0};
    int64_t m_lastStart{0};
    std::vector<std::string> m_warnings;

    std::string m_out;
    File m_queueCsv, m_rateCsv, m_flowRatesCsv;
    RccPcap m_pcap;
    std::vector<size_t> m_sampled; //!< flows in flow_rates.csv
    uint64_t m_ticks{0}, m_lastSent{0}, m_lastTx{0};
    double m_lastProgress{0};
};

} // namespace ns3

#endif /* RCC_RUN_H */
