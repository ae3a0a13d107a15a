/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-timeline.h"

#include "rcc-setup.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

const int64_t RccTimeline::FINEST;
const int64_t RccTimeline::MOST;

// ---------------------------------------------------------------- a file

RccTable::RccTable(RccFile file, const std::string& label, const std::vector<RccColumn>& columns, int64_t every,
                   bool stream)
    : m_file(std::move(file)),
      m_labelled(!label.empty()),
      m_stream(stream),
      m_every(every),
      m_columns(columns)
{
    std::string header = m_labelled ? "time_s," + label : "time_s";
    for (const auto& column : columns)
    {
        header += std::string(",") + column.name;
    }
    std::fprintf(m_file.get(), "%s\n", header.c_str());
}

void
RccTable::Write(const Row& row)
{
    std::fprintf(m_file.get(), "%.9g", RccSeconds(row.at));
    if (m_labelled)
    {
        std::fprintf(m_file.get(), ",%s", row.label.c_str());
    }
    for (size_t i = 0; i < m_columns.size(); i++)
    {
        std::fputc(',', m_file.get());
        std::fprintf(m_file.get(), m_columns[i].format, row.values[i]);
    }
    std::fputc('\n', m_file.get());
}

void
RccTable::Add(int64_t at, const std::string& label, const std::vector<double>& values)
{
    if (m_stream)
    {
        Write(Row{at, label, values});
        return;
    }
    if (m_ticks.empty() || m_ticks.back().front().at != at)
    {
        m_ticks.emplace_back();
    }
    m_ticks.back().push_back(Row{at, label, values});
}

void
RccTable::AddKept(int64_t at, const std::string& label, const std::vector<double>& values)
{
    if (m_stream)
    {
        Add(at, label, values);
    }
    else if (m_file)
    {
        m_kept.push_back(Row{at, label, values});
    }
}

void
RccTable::Merge(int64_t origin, int64_t interval)
{
    auto merge = [this](Row& later, const Row& earlier) {
        for (size_t i = 0; i < m_columns.size(); i++)
        {
            double& value = later.values[i];
            value = m_columns[i].merge == RccMerge::MEAN  ? (value + earlier.values[i]) / 2
                    : m_columns[i].merge == RccMerge::MAX ? std::max(value, earlier.values[i])
                                                          : value;
        }
    };
    std::vector<std::vector<Row>> even;
    for (size_t t = 0; t < m_ticks.size(); t++)
    {
        std::vector<Row>& rows = m_ticks[t];
        if ((rows.front().at - origin) / (interval * m_every) % 2 == 0)
        {
            for (size_t i = 0; t > 0 && i < std::min(m_ticks[t - 1].size(), rows.size()); i++)
            {
                merge(rows[i], m_ticks[t - 1][i]);
            }
            even.push_back(std::move(rows));
        }
    }
    m_ticks.swap(even);
}

void
RccTable::Close()
{
    std::vector<Row> rows; // of one time, first those that are kept
    rows.swap(m_kept);
    for (auto& tick : m_ticks)
    {
        std::move(tick.begin(), tick.end(), std::back_inserter(rows));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.at < b.at; });
    for (const Row& row : rows)
    {
        Write(row);
    }
    m_file.reset();
    m_ticks.clear();
}

// ---------------------------------------------------------------- ticks

RccTable&
RccTimeline::AddTable(const std::string& path, const std::string& label, const std::vector<RccColumn>& columns,
                      int64_t every)
{
    m_tables.emplace_back(new RccTable(RccSetup::OpenFile(path), label, columns, every, m_fixed));
    return *m_tables.back();
}

int64_t
RccTimeline::ChooseInterval(int64_t span)
{
    int64_t power = 1;
    while (power * 10 <= span / 1600)
    {
        power *= 10;
    }
    return power * (5 * power <= span / 1600 ? 5 : 2 * power <= span / 1600 ? 2 : 1);
}

void
RccTimeline::Begin(int64_t first, int64_t end, int64_t stop)
{
    m_stop = stop;
    m_mayDouble = !m_fixed && end < 0;
    m_interval = m_fixed ? m_interval : m_mayDouble ? FINEST : ChooseInterval(end - first);
    m_origin = first - first % m_interval;
    if (!m_samplers.empty() && m_origin + m_interval <= stop)
    {
        Simulator::Schedule(NanoSeconds(m_origin - RccNow()), &RccTimeline::Sample, this, 0);
        Simulator::Schedule(NanoSeconds(m_origin + m_interval - RccNow()), &RccTimeline::Tick, this);
    }
}

void
RccTimeline::Sample(int64_t interval)
{
    for (const auto& sampler : m_samplers)
    {
        sampler(RccNow(), interval);
    }
}

void
RccTimeline::Tick()
{
    m_ticks++;
    m_next = -1;
    Sample(m_interval);
    if (IsAboutToMerge())
    {
        MergeTables(m_interval);
        m_interval *= 2;
        m_ticks /= 2;
    }
    if (RccNow() + m_interval <= m_stop)
    {
        Simulator::Schedule(NanoSeconds(m_interval), &RccTimeline::Tick, this);
        m_next = RccNow() + m_interval;
    }
}

void
RccTimeline::MergeTables(int64_t interval)
{
    for (auto& table : m_tables)
    {
        table->Merge(m_origin, interval);
    }
}

void
RccTimeline::End()
{
    if (m_next == RccNow())
    {
        m_next = -1;
        Sample(m_interval); // the run has ended before the tick of the same time
    }
}

void
RccTimeline::Close()
{
    End();
    for (auto& table : m_tables)
    {
        table->Close();
    }
    m_tables.clear();
    m_samplers.clear();
}

} // namespace ns3
