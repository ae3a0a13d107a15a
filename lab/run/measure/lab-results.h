/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_RESULTS_H
#define LAB_RESULTS_H

#include "lab-json.h"

#include "ns3/qbb-net-device.h"
#include "ns3/rcc-gateway.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The time-weighted distribution of one queue's length: over a window, and over
 * the interval since the last Sample.
 */
class LabQueueStats : public QbbFrameObserver
{
  public:
    /// \param threshold bytes; GetLastAbove tells when the queue last held as many
    explicit LabQueueStats(uint64_t threshold);

    void QueueWas(uint64_t bytes, int64_t now) override;

    /// Forget the window so far and begin a new one.
    void BeginWindow(uint64_t bytes, int64_t now);

    struct Interval
    {
        double mean;
        uint64_t max;
    };

    /// Mean and maximum since the last call.
    Interval Sample(uint64_t bytes, int64_t now);

    /// Integrals of the queue and of its square since the start, byte ns and byte^2 ns.
    struct Moments
    {
        double sum{0}, squares{0};
    };

    Moments GetMoments(uint64_t bytes, int64_t now);

    /// In one of several ranks, after the run: what the rank of the port knows. \param mine this rank owns the port
    void Gather(RccGateway& ranks, bool mine);

    double GetMean() const;
    /// \param fraction e.g. 0.99. Resolution is BIN bytes; of more than 16 MiB, 1/32768 of the length.
    uint64_t GetPercentile(double fraction) const;

    uint64_t GetMax() const
    {
        return m_max;
    }

    /// When the queue last held the threshold, ns; negative if never.
    int64_t GetLastAbove() const
    {
        return m_lastAbove;
    }

    static const uint64_t BIN = 256;

  private:
    std::vector<int64_t> m_histogram; //!< ns by bin of the length
    uint64_t m_threshold;
    int64_t m_last{0}, m_lastAbove{-1};
    Moments m_moments;
    uint64_t m_max{0}, m_sampleMax{0};
    int64_t m_windowStart{0}, m_sampleStart{0};
    double m_windowSum{0}, m_sampleSum{0}; //!< sums when window and sample began
};

/// Jain's fairness index of positive shares; 1 if all are equal, 0 for none.
double LabJain(const std::vector<double>& shares);

/// A flow that ended.
struct LabFlowEnd
{
    uint64_t bytes; //!< payload
    int64_t fct;    //!< ns
    int64_t ideal;  //!< completion time of the flow alone, ns
    int64_t start;  //!< ns
};

/// count, mean_s, p50_s, p99_s and max_s of completion times.
LabJson LabFctSummary(const std::vector<LabFlowEnd>& flows);

/// count, mean, p50, p95, p99 and max of completion time / ideal, by_size: the same by decades of size, and halves:
/// the mean of the flows that started first, and of as many that started last.
LabJson LabSlowdownSummary(const std::vector<LabFlowEnd>& flows);

} // namespace ns3

#endif /* LAB_RESULTS_H */
