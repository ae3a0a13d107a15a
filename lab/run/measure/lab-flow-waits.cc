/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Flows that wait for others. */
#include "lab-flow-set.h"

#include "ns3/boolean.h"
#include "ns3/rcc-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace ns3
{

namespace
{

const size_t OF_RUN = SIZE_MAX; // in place of what a flow does: a time of the run counts

} // namespace

void
LabFlowSet::AddWait(size_t first, size_t count, const std::vector<Before>& before, uint64_t needs, int64_t delay)
{
    for (size_t at = first, next = first; at < first + count; at = next)
    {
        const Flow& f = m_flows[at];
        for (next = at; next < first + count && m_flows[next].from == f.from; next++)
        {
            if (!m_onlyChecked)
            {
                m_flows[next].client->SetAttribute("Held", BooleanValue(true));
            }
        }
        const size_t wait = m_waits.size();
        m_waits.push_back(Wait{at, next - at, needs ? needs : before.size(), delay});
        for (const auto& one : before)
        {
            if (one.flow == RUN_BEGIN)
            {
                ScheduleFor(wait, one.later, &LabFlowSet::CountFor);
                m_counted.push_back(Counted{OF_RUN, wait, one.later});
                continue;
            }
            m_counted.push_back(Counted{2 * one.flow + (one.received ? 1 : 0), wait, one.later});
            const uint32_t seen = one.received ? m_flows[one.flow].dst : m_flows[one.flow].src;
            if (seen != f.src)
            {
                m_across.emplace(std::min(seen, f.src), std::max(seen, f.src));
            }
        }
    }
}

/// Do something for a wait, as an event of its host: other ranks do not count it.
void
LabFlowSet::ScheduleFor(size_t wait, int64_t later, void (LabFlowSet::*what)(size_t))
{
    Simulator::ScheduleWithContext(m_flows[m_waits[wait].first].src, NanoSeconds(later), what, this, wait);
}

/// A flow counts: those that wait for it may start.
void
LabFlowSet::CountForWaits(size_t what)
{
    for (auto found = FindCounted(what); found != m_counted.end() && found->what == what; ++found)
    {
        if (found->later)
        {
            ScheduleFor(found->wait, found->later, &LabFlowSet::CountFor);
        }
        else
        {
            CountFor(found->wait);
        }
    }
}

/// One of the flows that others wait for counts.
void
LabFlowSet::CountFor(size_t wait)
{
    if (--m_waits[wait].left == 0)
    {
        ScheduleFor(wait, m_waits[wait].delay, &LabFlowSet::Release);
    }
}

void
LabFlowSet::Release(size_t wait)
{
    const Wait& w = m_waits[wait];
    if (!m_flows[w.first].from->IsLocal()) // a flow that waits for a time alone
    {
        return;
    }
    for (size_t flow = w.first; flow < w.first + w.count; flow++)
    {
        m_flows[flow].start = RccNow();
        m_flows[flow].client->Continue();
    }
    m_lastStart = std::max(m_lastStart, RccNow());
}

// ---------------------------------------------------------------- how late

void
LabFlowSet::SortCounted()
{
    std::stable_sort(m_counted.begin(), m_counted.end(),
                     [](const Counted& a, const Counted& b) { return a.what < b.what; });
}

/// \return the first one of `what`, or where it would be. After SortCounted
std::vector<LabFlowSet::Counted>::const_iterator
LabFlowSet::FindCounted(size_t what) const
{
    return std::lower_bound(m_counted.cbegin(), m_counted.cend(), what,
                            [](const Counted& one, size_t other) { return one.what < other; });
}

/// The run with flows that end when they start.
LabFlowSet::Late
LabFlowSet::FindLate(int64_t end)
{
    using Due = std::pair<int64_t, size_t>; // when one counts for a wait
    SortCounted();
    std::priority_queue<Due, std::vector<Due>, std::greater<Due>> due;
    const auto starts = [this, &due](size_t flow, int64_t at) {
        for (auto c = FindCounted(2 * flow); c != m_counted.cend() && c->what / 2 == flow; ++c)
        {
            due.emplace(at + c->later, c->wait);
        }
    };
    std::vector<bool> waits(m_flows.size());
    std::vector<uint64_t> left;
    const auto endless = [this](const Wait& wait) {
        const auto first = m_flows.cbegin() + static_cast<ptrdiff_t>(wait.first);
        return static_cast<size_t>(std::count_if(first, first + static_cast<ptrdiff_t>(wait.count),
                                                 [](const Flow& flow) { return flow.bytes == 0; }));
    };
    Late late{0, 0, INT64_MAX, false};
    for (const auto& wait : m_waits)
    {
        left.push_back(wait.left);
        late.count += wait.count;
        late.endless += endless(wait);
        std::fill_n(waits.begin() + static_cast<ptrdiff_t>(wait.first), wait.count, true);
    }
    for (size_t flow = 0; flow < m_flows.size(); flow++)
    {
        const int64_t at = m_flows[flow].start;
        if (!waits[flow] && at < end)
        {
            starts(flow, at);
        }
        else if (!waits[flow])
        {
            late.count++;
            late.endless += m_flows[flow].bytes == 0 ? 1 : 0;
            late.first = std::min(late.first, at);
        }
    }
    for (auto c = FindCounted(OF_RUN); c != m_counted.cend(); ++c)
    {
        due.emplace(c->later, c->wait);
    }
    while (!due.empty())
    {
        const Due next = due.top();
        due.pop();
        const Wait& wait = m_waits[next.second];
        const int64_t at = next.first + wait.delay;
        if (--left[next.second] != 0)
        {
            continue;
        }
        if (at >= end)
        {
            late.waits = late.waits || at < late.first;
            late.first = std::min(late.first, at);
            continue;
        }
        late.count -= wait.count;
        late.endless -= endless(wait);
        for (size_t flow = wait.first; flow < wait.first + wait.count; flow++)
        {
            starts(flow, at);
        }
    }
    return late;
}

} // namespace ns3
