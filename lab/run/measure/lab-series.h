/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_SERIES_H
#define LAB_SERIES_H

#include "lab-flow-set.h"
#include "lab-measurement.h"
#include "lab-timeline.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The time series of a run: queue.csv, rate.csv, flow_rates.csv and, where the capacity changes, utilization.csv.
class LabSeries
{
  public:
    /// \param measurement of the run \param timeline of the run; both outlive this
    LabSeries(LabMeasurement& measurement, LabTimeline& timeline) : m_measurement(measurement), m_timeline(timeline)
    {
    }

    /**
     * Create the files and begin; exits with status 2 if that does not work.
     * \param folder for the files; empty: there are none, and all is kept for Gather
     * \param utilization whether to write utilization.csv
     */
    void Open(const std::string& folder, bool utilization);

    /// Write windows.csv too: windows, and round trips of acknowledged packets. Before Open or OpenRank.
    void WithWindows()
    {
        m_hasWindows = true;
    }

    /// As Open in one of several ranks: keep what the rows come from until Gather. \param folder empty: others write
    void OpenRank(const std::string& folder);

    /// In one of several ranks, after the run: add up what all have kept, and write it if this rank has files.
    void Gather(RccGateway& ranks);

    /// Write the state of a flow that has just ended, so that the shortest flow has a row. \param flow its number
    void FlowEnded(size_t flow);

  private:
    /// The reaction point of a sampled flow.
    struct FlowRate
    {
        uint64_t runs; //!< 1: there is one; 0: the rest is 0
        uint64_t rate, target;
        double alpha;
        uint64_t window; //!< bytes; 0: none
        uint64_t phase;  //!< the algorithm's own state word
        int64_t rtt;     //!< ns, from the last acknowledgement; 0: none yet
    };

    /// The begin or the end of a sampled flow.
    struct Edge
    {
        int64_t at; //!< ns
        FlowRate rate;
    };

    /// The values at a tick.
    struct Moment
    {
        int64_t now, interval; //!< ns
        bool hasFlows;         //!< this tick has rows of flow_rates.csv
        bool merges;           //!< the rows merge afterwards
        LabMark mark;
        LabQueueStats::Interval queue;
        std::vector<FlowRate> flows; //!< the flows of m_sampled
    };

    void Begin();
    void Sample(int64_t now, int64_t interval);
    void SampleEdge(size_t flow, bool ends);
    FlowRate RateOf(size_t flow, bool edge);
    void Watch(Ptr<RdmaNic> nic, uint32_t qp);
    static void Answered(std::map<uint32_t, int64_t>* rtts, const RccFrame& frame);
    void WriteEdge(int64_t at, size_t flow, bool ends, const FlowRate& f);
    void Write(const Moment& moment);

    LabMeasurement& m_measurement;
    LabTimeline& m_timeline;
    LabTable *m_queue{nullptr}, *m_rate{nullptr}, *m_flowRates{nullptr}, *m_utilization{nullptr}, *m_windows{nullptr};
    bool m_hasWindows{false};
    std::set<size_t> m_sampled;                                 //!< flows in flow_rates.csv
    std::map<Ptr<RdmaNic>, std::map<uint32_t, int64_t>> m_rtts; //!< last RTT of sending halves, if there are windows
    LabMark m_last;                                             //!< totals at the last row
    bool m_keeps{false};
    std::vector<Moment> m_moments;                   //!< that were kept
    std::map<std::pair<size_t, bool>, Edge> m_edges; //!< that were kept, by flow and whether it ends
};

} // namespace ns3

#endif /* LAB_SERIES_H */
