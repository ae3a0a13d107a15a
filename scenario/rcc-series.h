/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_SERIES_H
#define RCC_SERIES_H

#include "rcc-flow-set.h"
#include "rcc-measurement.h"
#include "rcc-timeline.h"

#include <set>
#include <string>

namespace ns3
{

/// The time series of a run: queue.csv, rate.csv, flow_rates.csv and, where the capacity changes, utilization.csv.
class RccSeries
{
  public:
    /// \param measurement of the run \param timeline of the run; both outlive this
    RccSeries(RccMeasurement& measurement, RccTimeline& timeline) : m_measurement(measurement), m_timeline(timeline)
    {
    }

    /**
     * Create the files; exits with status 2 if that does not work.
     * \param folder for the files
     * \param utilization whether to write utilization.csv
     */
    void Open(const std::string& folder, bool utilization);

    /// Write the state of a flow that has just ended, so that the shortest flow has a row. \param flow its number
    void FlowEnded(size_t flow);

  private:
    void Sample(int64_t now, int64_t interval);
    void SampleStart(size_t flow);
    void AddFlowRate(size_t flow, bool edge);

    RccMeasurement& m_measurement;
    RccTimeline& m_timeline;
    RccTable *m_queue{nullptr}, *m_rate{nullptr}, *m_flowRates{nullptr}, *m_utilization{nullptr};
    std::set<size_t> m_sampled; //!< flows in flow_rates.csv
    RccMark m_last;             //!< totals at the last row
};

} // namespace ns3

#endif /* RCC_SERIES_H */
