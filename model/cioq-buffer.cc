/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "cioq-buffer.h"

#include "rcc-random.h"

#include <algorithm>

namespace ns3
{

const uint32_t CioqBuffer::UNIT;

uint32_t
CioqRecords::Get()
{
    if (m_free.empty())
    {
        m_records.emplace_back();
        return static_cast<uint32_t>(m_records.size() - 1);
    }
    const uint32_t i = m_free.back();
    m_free.pop_back();
    m_records[i] = CioqRecord();
    return i;
}

void
CioqRecords::Put(uint32_t i)
{
    m_free.push_back(i);
}

void
CioqBuffer::Init(CioqRecords* records, Side side, bool listed, uint32_t maxFrame)
{
    m_records = records;
    m_side = side;
    m_listed = listed;
    m_maxUnits = (maxFrame + UNIT - 1) / UNIT;
}

void
CioqBuffer::Add(uint32_t record)
{
    CioqRecord& r = (*m_records)[record];
    m_bytes += r.bytes;
    if (m_listed && r.tagged)
    {
        r.at[m_side] = static_cast<uint32_t>(m_frames.size());
        m_frames.push_back(record);
    }
}

void
CioqBuffer::Remove(uint32_t record)
{
    const CioqRecord& r = (*m_records)[record];
    m_bytes -= r.bytes;
    if (m_listed && r.tagged)
    {
        m_frames[r.at[m_side]] = m_frames.back();
        (*m_records)[m_frames.back()].at[m_side] = r.at[m_side];
        m_frames.pop_back();
    }
}

uint32_t
CioqBuffer::Fullest()
{
    m_sorted.clear();
    for (uint32_t i : m_frames)
    {
        const CioqRecord& r = (*m_records)[i];
        m_sorted.emplace_back((static_cast<uint64_t>(r.src) << 32) | r.srcQp, i);
    }
    std::sort(m_sorted.begin(), m_sorted.end());
    uint32_t best = 0;
    uint64_t most = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < m_sorted.size(); i++)
    {
        bytes = i && m_sorted[i].first == m_sorted[i - 1].first ? bytes : 0;
        bytes += (*m_records)[m_sorted[i].second].bytes;
        if (bytes > most)
        {
            most = bytes;
            best = m_sorted[i].second;
        }
    }
    return best;
}

uint32_t
CioqBuffer::Random(uint64_t stream, uint64_t& draws) const
{
    if (m_frames.empty())
    {
        return 0;
    }
    for (;;)
    {
        const uint32_t i = m_frames[RccUniform(stream, draws++, m_frames.size())];
        const uint32_t units = ((*m_records)[i].bytes + UNIT - 1) / UNIT;
        if (RccUniform(stream, draws++, m_maxUnits) < units)
        {
            return i;
        }
    }
}

} // namespace ns3
