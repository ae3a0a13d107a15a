/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ns3
{

namespace
{
const size_t BINS = 1 << 16;         // 16 MB; longer queues count as that long
const uint64_t FIRST_BUCKET = 10000; // flows up to this size are one bucket, then decades

/// Some numbers, in order.
struct Sorted
{
    std::vector<double> values;
    double sum{0};

    void Add(double value)
    {
        values.push_back(value);
        sum += value; // in the order of the flows
    }

    double Mean() const
    {
        return sum / static_cast<double>(values.size());
    }

    double At(double q) const
    {
        return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
    }

    void Sort()
    {
        std::sort(values.begin(), values.end());
    }
};

} // namespace

RccQueueStats::RccQueueStats(uint64_t threshold) : m_histogram(BINS), m_threshold(threshold)
{
}

void
RccQueueStats::QueueWas(uint64_t bytes, int64_t now)
{
    int64_t dt = now - m_last;
    if (dt > 0)
    {
        m_histogram[std::min<size_t>((bytes + BIN - 1) / BIN, BINS - 1)] += dt; // bin 0 is the empty queue
        double area = static_cast<double>(bytes) * static_cast<double>(dt);
        m_windowSum += area;
        m_windowNs += dt;
        m_sampleSum += area;
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
RccQueueStats::BeginWindow(uint64_t bytes, int64_t now)
{
    QueueWas(bytes, now);
    std::fill(m_histogram.begin(), m_histogram.end(), 0);
    m_windowSum = 0;
    m_windowNs = 0;
    m_max = 0;
}

RccQueueStats::Interval
RccQueueStats::Sample(uint64_t bytes, int64_t now)
{
    QueueWas(bytes, now);
    int64_t dt = now - m_sampleStart;
    Interval i{dt > 0 ? m_sampleSum / static_cast<double>(dt) : 0, m_sampleMax};
    m_sampleSum = 0;
    m_sampleMax = 0;
    m_sampleStart = now;
    return i;
}

RccQueueStats::Moments
RccQueueStats::GetMoments(uint64_t bytes, int64_t now)
{
    QueueWas(bytes, now);
    return m_moments;
}

double
RccQueueStats::GetMean() const
{
    return m_windowNs ? m_windowSum / static_cast<double>(m_windowNs) : 0;
}

uint64_t
RccQueueStats::GetPercentile(double fraction) const
{
    double want = fraction * static_cast<double>(m_windowNs);
    double seen = 0;
    for (size_t i = 0; i < BINS; i++)
    {
        seen += static_cast<double>(m_histogram[i]);
        if (seen >= want && seen > 0)
        {
            return std::min<uint64_t>(i * BIN, m_max); // the upper end of the bin
        }
    }
    return m_max;
}

double
RccJain(const std::vector<double>& shares)
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

RccJson::RccJson(char open) : m_open(open)
{
}

void
RccJson::Key(const std::string& key)
{
    m_out += m_first ? "" : ", ";
    m_first = false;
    if (m_open == '{')
    {
        m_out += Quote(key) + ": ";
    }
}

RccJson&
RccJson::Add(const std::string& key, double value)
{
    Key(key);
    m_out += Number(value);
    return *this;
}

RccJson&
RccJson::Add(const std::string& key, uint64_t value)
{
    Key(key);
    m_out += std::to_string(value);
    return *this;
}

RccJson&
RccJson::Add(const std::string& key, const std::string& value)
{
    Key(key);
    m_out += Quote(value);
    return *this;
}

RccJson&
RccJson::AddBool(const std::string& key, bool value)
{
    Key(key);
    m_out += value ? "true" : "false";
    return *this;
}

RccJson&
RccJson::AddNull(const std::string& key)
{
    Key(key);
    m_out += "null";
    return *this;
}

RccJson&
RccJson::Add(const std::string& key, const RccJson& value)
{
    Key(key);
    m_out += value.Str();
    return *this;
}

std::string
RccJson::Str() const
{
    return std::string(1, m_open) + m_out + (m_open == '{' ? "}" : "]");
}

std::string
RccJson::Quote(const std::string& text)
{
    std::string out = "\"";
    for (char c : text)
    {
        if (c == '"' || c == '\\')
        {
            out += '\\';
            out += c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
            out += buffer;
        }
        else
        {
            out += c;
        }
    }
    return out + "\"";
}

std::string
RccJson::Number(double value)
{
    if (!std::isfinite(value))
    {
        return "null";
    }
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", value);
    return buffer;
}

RccJson
RccFctSummary(const std::vector<RccFlowEnd>& flows)
{
    Sorted fct;
    for (const auto& f : flows)
    {
        fct.Add(static_cast<double>(f.fct) / 1e9);
    }
    fct.Sort();
    RccJson json;
    json.Add("count", static_cast<uint64_t>(flows.size()));
    if (flows.empty())
    {
        return json.AddNull("mean_s").AddNull("p50_s").AddNull("p99_s").AddNull("max_s");
    }
    return json.Add("mean_s", fct.Mean())
        .Add("p50_s", fct.At(0.5))
        .Add("p99_s", fct.At(0.99))
        .Add("max_s", fct.values.back());
}

RccJson
RccSlowdownSummary(const std::vector<RccFlowEnd>& flows)
{
    struct Bucket
    {
        uint64_t from, to; // from < bytes <= to
        Sorted fct, slowdown;
    };

    std::vector<Bucket> buckets{{0, FIRST_BUCKET, {}, {}}};
    Sorted all;
    for (const auto& f : flows)
    {
        while (f.bytes > buckets.back().to)
        {
            buckets.push_back({buckets.back().to, 10 * buckets.back().to, {}, {}});
        }
        Bucket& b = *std::lower_bound(buckets.begin(), buckets.end(), f.bytes,
                                      [](const Bucket& x, uint64_t bytes) { return x.to < bytes; });
        const double slowdown = static_cast<double>(f.fct) / static_cast<double>(f.ideal);
        b.fct.Add(static_cast<double>(f.fct) / 1e9);
        b.slowdown.Add(slowdown);
        all.Add(slowdown);
    }
    RccJson bySize('[');
    for (Bucket& b : buckets)
    {
        if (b.fct.values.empty())
        {
            continue;
        }
        b.fct.Sort();
        b.slowdown.Sort();
        RccJson row;
        row.Add("from_bytes", b.from)
            .Add("to_bytes", b.to)
            .Add("count", static_cast<uint64_t>(b.fct.values.size()))
            .Add("mean_fct_s", b.fct.Mean())
            .Add("p50_fct_s", b.fct.At(0.5))
            .Add("p99_fct_s", b.fct.At(0.99))
            .Add("mean_slowdown", b.slowdown.Mean())
            .Add("p50_slowdown", b.slowdown.At(0.5))
            .Add("p99_slowdown", b.slowdown.At(0.99));
        bySize.Add("", row);
    }
    all.Sort();
    RccJson json;
    json.Add("count", static_cast<uint64_t>(flows.size()));
    if (flows.empty())
    {
        json.AddNull("mean").AddNull("p50").AddNull("p95").AddNull("p99").AddNull("max");
    }
    else
    {
        json.Add("mean", all.Mean())
            .Add("p50", all.At(0.5))
            .Add("p95", all.At(0.95))
            .Add("p99", all.At(0.99))
            .Add("max", all.values.back());
    }
    return json.Add("by_size", bySize);
}

} // namespace ns3
