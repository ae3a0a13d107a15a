/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-results.h"

#include "ns3/rcc-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{
const size_t BINS = 1 << 16;         // bins of BIN bytes each, to 16 MB; longer queues have wider bins
const size_t FIRST_BINS = 1 << 10;   // before a queue is longer: half a megabyte of zeros would be most of a short run
const size_t OCTAVE = BINS / 2;      // bins from any longer length to twice that
const uint64_t FIRST_BUCKET = 10000; // flows up to this size are one bucket, then decades

/// Some numbers.
struct Numbers
{
    std::vector<double> values;
    double sum{0};

    void Add(double value)
    {
        values.push_back(value);
        sum += value; // in the order of the flows
    }

    /// Add the mean and percentiles (50: p50; 100: max), with a suffix to their names; null if there are no numbers.
    LabJson& AddTo(LabJson& json, const std::string& suffix, const std::vector<int>& percentiles)
    {
        std::sort(values.begin(), values.end());
        const bool none = values.empty();
        json.Add("mean" + suffix, none ? std::nan("") : sum / static_cast<double>(values.size()));
        for (int p : percentiles)
        {
            const double rank = p / 100.0 * static_cast<double>(values.size() - 1) + 0.5;
            json.Add((p == 100 ? "max" : "p" + std::to_string(p)) + suffix,
                     none ? std::nan("") : values[static_cast<size_t>(rank)]);
        }
        return json;
    }
};

/// \param units length of a queue in units of BIN bytes \return its bin
size_t
BinOf(uint64_t units)
{
    if (units < BINS)
    {
        return static_cast<size_t>(units);
    }
    unsigned shift = 1;
    while (units >> shift >= BINS)
    {
        shift++;
    }
    return BINS + (shift - 1) * OCTAVE + static_cast<size_t>((units >> shift) - OCTAVE);
}

/// \return units of BIN bytes in the longest queue of a bin
uint64_t
LongestOf(size_t bin)
{
    if (bin < BINS)
    {
        return bin;
    }
    const size_t shift = (bin - BINS) / OCTAVE + 1;
    return ((OCTAVE + (bin - BINS) % OCTAVE + 1) << shift) - 1;
}

/// \param flows at least two \return mean slowdown of the half that started first, and of the other one
std::vector<double>
MeansOfHalves(std::vector<LabFlowEnd> flows)
{
    std::stable_sort(flows.begin(), flows.end(),
                     [](const LabFlowEnd& a, const LabFlowEnd& b) { return a.start < b.start; });
    std::vector<double> sums(2);
    const size_t half = flows.size() / 2;
    for (size_t i = 0; i < 2 * half; i++)
    {
        sums[i / half] += static_cast<double>(flows[i].fct) / static_cast<double>(flows[i].ideal);
    }
    return {sums[0] / static_cast<double>(half), sums[1] / static_cast<double>(half)};
}

} // namespace

LabQueueStats::LabQueueStats(uint64_t threshold) : m_histogram(FIRST_BINS), m_threshold(threshold)
{
}

void
LabQueueStats::QueueWas(uint64_t bytes, int64_t now)
{
    int64_t dt = now - m_last;
    if (dt > 0)
    {
        const size_t bin = BinOf((bytes + BIN - 1) / BIN); // bin 0 is the empty queue
        if (bin >= m_histogram.size())
        {
            m_histogram.resize(bin + 1);
        }
        m_histogram[bin] += dt;
        double area = static_cast<double>(bytes) * static_cast<double>(dt);
        m_moments.sum += area;
        m_moments.squares += area * static_cast<double>(bytes);
        m_max = std::max(m_max, bytes);
        m_sampleMax = std::max(m_sampleMax, bytes);
        if (bytes >= m_threshold)
        {
            m_lastAbove = now;
        }
        m_last = now;
    }
}

void
LabQueueStats::BeginWindow(uint64_t bytes, int64_t now)
{
    QueueWas(bytes, now);
    std::fill(m_histogram.begin(), m_histogram.end(), 0);
    m_windowSum = m_moments.sum;
    m_windowStart = now;
    m_max = 0;
}

LabQueueStats::Interval
LabQueueStats::Sample(uint64_t bytes, int64_t now)
{
    QueueWas(bytes, now);
    int64_t dt = now - m_sampleStart;
    Interval i{dt > 0 ? (m_moments.sum - m_sampleSum) / static_cast<double>(dt) : 0, m_sampleMax};
    m_sampleSum = m_moments.sum;
    m_sampleMax = 0;
    m_sampleStart = now;
    return i;
}

LabQueueStats::Moments
LabQueueStats::GetMoments(uint64_t bytes, int64_t now)
{
    QueueWas(bytes, now);
    return m_moments;
}

void
LabQueueStats::Gather(RccGateway& ranks, bool mine)
{
    uint64_t bins = m_histogram.size();
    RccRankSums size;
    size.Add(bins, mine);
    size.Run(ranks);
    m_histogram.resize(bins);
    RccRankSums sums;
    sums.Add(m_max, mine);
    sums.Add(++m_lastAbove, mine); // 0 in the ranks that do not know
    for (int64_t* ns : {&m_last, &m_windowStart})
    {
        sums.Add(*ns, mine);
    }
    for (int64_t& ns : m_histogram)
    {
        sums.Add(ns, mine);
    }
    for (double* sum : {&m_moments.sum, &m_moments.squares, &m_windowSum})
    {
        sums.Add(*sum, mine);
    }
    sums.Run(ranks);
    m_lastAbove--;
}

double
LabQueueStats::GetMean() const
{
    const int64_t ns = m_last - m_windowStart;
    return ns ? (m_moments.sum - m_windowSum) / static_cast<double>(ns) : 0;
}

uint64_t
LabQueueStats::GetPercentile(double fraction) const
{
    double want = fraction * static_cast<double>(m_last - m_windowStart);
    double seen = 0;
    for (size_t i = 0; i < m_histogram.size(); i++)
    {
        seen += static_cast<double>(m_histogram[i]);
        if (seen >= want && seen > 0)
        {
            return std::min<uint64_t>(LongestOf(i) * BIN, m_max); // the upper end of the bin
        }
    }
    return m_max;
}

double
LabJain(const std::vector<double>& shares)
{
    double sum = 0;
    double squares = 0;
    for (double s : shares)
    {
        sum += s;
        squares += s * s;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : 0;
}

LabJson
LabFctSummary(const std::vector<LabFlowEnd>& flows)
{
    Numbers fct;
    for (const auto& f : flows)
    {
        fct.Add(RccSeconds(f.fct));
    }
    LabJson json;
    json.Add("count", flows.size());
    return fct.AddTo(json, "_s", {50, 99, 100});
}

LabJson
LabSlowdownSummary(const std::vector<LabFlowEnd>& flows)
{
    struct Bucket
    {
        uint64_t from, to; // from < bytes <= to
        Numbers fct, slowdown;
    };

    std::vector<Bucket> buckets{{0, FIRST_BUCKET, {}, {}}};
    Numbers all;
    for (const auto& f : flows)
    {
        while (f.bytes > buckets.back().to)
        {
            buckets.push_back({buckets.back().to, 10 * buckets.back().to, {}, {}});
        }
        Bucket& b = *std::lower_bound(buckets.begin(), buckets.end(), f.bytes,
                                      [](const Bucket& x, uint64_t bytes) { return x.to < bytes; });
        const double slowdown = static_cast<double>(f.fct) / static_cast<double>(f.ideal);
        b.fct.Add(RccSeconds(f.fct));
        b.slowdown.Add(slowdown);
        all.Add(slowdown);
    }
    LabJson bySize('[');
    for (Bucket& b : buckets)
    {
        if (b.fct.values.empty())
        {
            continue;
        }
        LabJson row;
        row.Add("from_bytes", b.from).Add("to_bytes", b.to).Add("count", b.fct.values.size());
        b.fct.AddTo(row, "_fct_s", {50, 99});
        b.slowdown.AddTo(row, "_slowdown", {50, 95, 99});
        bySize.Add("", row);
    }
    LabJson json;
    json.Add("count", flows.size());
    all.AddTo(json, "", {50, 95, 99, 100}).Add("by_size", bySize);
    return flows.size() < 2 ? json : json.AddList("halves", MeansOfHalves(flows));
}

} // namespace ns3
