/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-timeline.h"

#include "lab-number.h"
#include "lab-setup.h"

#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{
// Bytes of rows that are written at a time. More would pass the stream's buffer by, and an error then has no reason at
// the end.
const size_t TEXT_MOST = 1024;
} // namespace

const int64_t LabTimeline::FINEST;
const int64_t LabTimeline::MOST;

// ---------------------------------------------------------------- a file

LabTable::LabTable(LabFile file, const std::string& label, const std::vector<LabColumn>& columns, int64_t every,
                   bool stream)
    : m_file(std::move(file)),
      m_labelled(!label.empty()),
      m_stream(stream),
      m_every(every),
      m_columns(columns)
{
    m_header = m_labelled ? "time_s," + label : "time_s";
    for (const auto& column : columns)
    {
        m_header += std::string(",") + column.name;
    }
    std::fprintf(m_file.get(), "%s\n", m_header.c_str());
}

size_t
LabTable::FindLabel(const std::string& label)
{
    if (m_nextLabel >= m_labels.size() || m_labels[m_nextLabel] != label)
    {
        const auto found = m_labelIndex.emplace(label, m_labels.size());
        if (found.second)
        {
            m_labels.push_back(label);
        }
        m_nextLabel = found.first->second;
    }
    const size_t index = m_nextLabel;
    m_nextLabel = index + 1 < m_labels.size() ? index + 1 : 0;
    return index;
}

LabTable::Row
LabTable::Make(int64_t at, const std::string& label, std::initializer_list<double> values)
{
    Row row{at, m_labelled ? FindLabel(label) : 0, {}};
    std::copy(values.begin(), values.end(), row.values);
    return row;
}

void
LabTable::Append(const Row& row)
{
    if (row.at != m_timeAt) // the rows of a tick have one time
    {
        m_timeAt = row.at;
        m_time.clear();
        LabAppendNumber(m_time, RccSeconds(row.at), 9);
    }
    m_text += m_time;
    if (m_labelled)
    {
        m_text.append(1, ',').append(m_labels[row.label]);
    }
    for (size_t i = 0; i < m_columns.size(); i++)
    {
        m_text += ',';
        LabAppendNumber(m_text, row.values[i], m_columns[i].digits);
    }
    m_text += '\n';
    if (m_text.size() > TEXT_MOST)
    {
        WriteText();
    }
}

void
LabTable::WriteText()
{
    std::fwrite(m_text.data(), 1, m_text.size(), m_file.get()); // errors are told when the file is closed
    m_text.clear();
}

void
LabTable::Add(int64_t at, const std::string& label, std::initializer_list<double> values)
{
    const Row row = Make(at, label, values);
    if (m_stream)
    {
        WriteKept(at, AFTER);
        Append(row);
        WriteText();
        return;
    }
    m_rows.push_back(row);
}

void
LabTable::AddKept(int64_t at, const std::string& label, std::initializer_list<double> values, uint64_t order)
{
    if (m_stream)
    {
        WriteKept(at, 0);
    }
    if (m_file)
    {
        m_kept.push_back(Kept{order, Make(at, label, values)});
    }
}

/// Write the rows that are kept and come before a time and an order, sorted by both: the events of one time have
/// another order in several ranks.
void
LabTable::WriteKept(int64_t at, uint64_t order)
{
    const auto key = [](const Kept& k) { return std::make_pair(k.row.at, k.order); };
    std::stable_sort(m_kept.begin(), m_kept.end(), [&](const Kept& a, const Kept& b) { return key(a) < key(b); });
    auto next = m_kept.begin();
    for (; next != m_kept.end() && key(*next) < std::make_pair(at, order); ++next)
    {
        Append(next->row);
    }
    m_kept.erase(m_kept.begin(), next);
}

void
LabTable::Merge(int64_t origin, int64_t interval)
{
    auto merge = [this](Row& later, const Row& earlier) {
        for (size_t i = 0; i < m_columns.size(); i++)
        {
            double& value = later.values[i];
            value = m_columns[i].merge == LabMerge::MEAN  ? (value + earlier.values[i]) / 2
                    : m_columns[i].merge == LabMerge::MAX ? std::max(value, earlier.values[i])
                                                          : value;
        }
    };
    std::vector<Row> even;
    size_t before = 0; // where the tick before begins
    for (size_t begin = 0, end = 0; begin < m_rows.size(); before = begin, begin = end)
    {
        while (end < m_rows.size() && m_rows[end].at == m_rows[begin].at)
        {
            end++;
        }
        if ((m_rows[begin].at - origin) / (interval * m_every) % 2 == 0)
        {
            for (size_t i = 0; i < std::min(begin - before, end - begin); i++)
            {
                merge(m_rows[begin + i], m_rows[before + i]);
            }
            even.insert(even.end(), m_rows.begin() + static_cast<ptrdiff_t>(begin),
                        m_rows.begin() + static_cast<ptrdiff_t>(end));
        }
    }
    m_rows.swap(even);
}

void
LabTable::WriteUntilNow()
{
    if (!m_stream)
    {
        const std::vector<Kept> kept = m_kept; // places among later rows are not known yet
        WriteHeld();
        m_kept = kept;
        m_shown = true;
    }
    std::fflush(m_file.get());
}

/// Write the rows that are held, in place of what the file has.
void
LabTable::WriteHeld()
{
    if (m_shown && std::fflush(m_file.get()) == 0 && ftruncate(fileno(m_file.get()), 0) == 0)
    {
        std::rewind(m_file.get());
        std::fprintf(m_file.get(), "%s\n", m_header.c_str());
    }
    for (const Row& row : m_rows)
    {
        WriteKept(row.at, UINT64_MAX); // kept rows come first among those of one time
        Append(row);
    }
    WriteKept(INT64_MAX, 0);
    WriteText();
}

void
LabTable::Close()
{
    WriteHeld();
    m_file.reset();
    m_rows.clear();
    m_kept.clear();
}

// ---------------------------------------------------------------- ticks

LabTable&
LabTimeline::AddTable(const std::string& path, const std::string& label, const std::vector<LabColumn>& columns,
                      int64_t every)
{
    m_tables.emplace_back(new LabTable(LabSetup::OpenFile(path), label, columns, every, m_fixed));
    return *m_tables.back();
}

int64_t
LabTimeline::ChooseInterval(int64_t span)
{
    int64_t power = 1;
    while (power * 10 <= span / 1600)
    {
        power *= 10;
    }
    return power * (5 * power <= span / 1600 ? 5 : 2 * power <= span / 1600 ? 2 : 1);
}

void
LabTimeline::Begin(int64_t first, int64_t end, int64_t stop)
{
    m_stop = stop;
    m_mayDouble = !m_fixed && end < 0;
    m_interval = m_fixed ? m_interval : m_mayDouble ? FINEST : ChooseInterval(end - first);
    m_origin = first - first % m_interval;
    if (!m_samplers.empty() && m_origin + m_interval <= stop)
    {
        Simulator::Schedule(NanoSeconds(m_origin - RccNow()), &LabTimeline::Sample, this, 0);
        Simulator::Schedule(NanoSeconds(m_origin + m_interval - RccNow()), &LabTimeline::Tick, this);
    }
}

void
LabTimeline::Sample(int64_t interval)
{
    for (const auto& sampler : m_samplers)
    {
        sampler(RccNow(), interval);
    }
}

void
LabTimeline::Tick()
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
        Simulator::Schedule(NanoSeconds(m_interval), &LabTimeline::Tick, this);
        m_next = RccNow() + m_interval;
    }
}

void
LabTimeline::MergeTables(int64_t interval)
{
    for (auto& table : m_tables)
    {
        table->Merge(m_origin, interval);
    }
}

void
LabTimeline::WriteUntilNow()
{
    for (auto& table : m_tables)
    {
        table->WriteUntilNow();
    }
}

void
LabTimeline::End()
{
    if (m_next == RccNow())
    {
        m_next = -1;
        Sample(m_interval); // the run has ended before the tick of the same time
    }
}

void
LabTimeline::Close()
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
