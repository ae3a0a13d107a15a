/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_SERIES_H
#define RCC_SERIES_H

#include "rcc-flow-set.h"
#include "rcc-measurement.h"

#include "ns3/rcc-file.h"

#include <string>
#include <vector>

namespace ns3
{

/// The time series of a run: queue.csv, rate.csv, flow_rates.csv and, where the capacity changes, utilization.csv.
class RccSeries
{
  public:
    /// \param measurement of the run, outlives this \param interval between two rows, ns
    RccSeries(RccMeasurement& measurement, int64_t interval) : m_measurement(measurement), m_interval(interval)
    {
    }

    /**
     * Create the files; exits with status 2 if that does not work.
     * \param folder for the files
     * \param utilization whether to write utilization.csv
     */
    void Open(const std::string& folder, bool utilization);

    /// Write the row of now, one interval after the last; nothing before Open.
    void WriteRow();

    /// Close the files: no more rows are written.
    void Close()
    {
        for (RccFile* file : {&m_queue, &m_rate, &m_flowRates, &m_utilization})
        {
            file->reset();
        }
    }

  private:
    void WriteFlowRates(double seconds);

    RccMeasurement& m_measurement;
    int64_t m_interval;
    RccFile m_queue, m_rate, m_flowRates, m_utilization;
    std::vector<size_t> m_sampled; //!< flows in flow_rates.csv
    uint64_t m_rows{0};
    RccMark m_last; //!< totals at the last row
};

} // namespace ns3

#endif /* RCC_SERIES_H */
