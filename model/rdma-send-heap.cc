/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-send-heap.h"

#include <algorithm>

namespace ns3
{

const uint32_t RdmaSendHeap::NOT_QUEUED;

void
RdmaSendHeap::Up(uint32_t i, Positions& at)
{
    int64_t* keys = m_keys.data();
    uint32_t* qps = m_qps.data();
    const int64_t key = keys[i];
    const uint32_t qp = qps[i];
    while (i > 0)
    {
        uint32_t parent = (i - 1) / 4;
        if (keys[parent] <= key)
        {
            break;
        }
        keys[i] = keys[parent];
        qps[i] = qps[parent];
        at[qps[i]] = i;
        i = parent;
    }
    keys[i] = key;
    qps[i] = qp;
    at[qp] = i;
}

void
RdmaSendHeap::Down(uint32_t i, Positions& at)
{
    int64_t* keys = m_keys.data();
    uint32_t* qps = m_qps.data();
    const auto n = static_cast<uint32_t>(m_keys.size());
    const int64_t key = keys[i];
    const uint32_t qp = qps[i];
    for (uint32_t child = 4 * i + 1; child < n; child = 4 * i + 1)
    {
        uint32_t least = child;
        uint32_t last = std::min(child + 4, n);
        for (uint32_t c = child + 1; c < last; c++)
        {
            least = keys[c] < keys[least] ? c : least; // a conditional move, not a branch
        }
        if (keys[least] >= key)
        {
            break;
        }
        keys[i] = keys[least];
        qps[i] = qps[least];
        at[qps[i]] = i;
        i = least;
    }
    keys[i] = key;
    qps[i] = qp;
    at[qp] = i;
}

void
RdmaSendHeap::Set(uint32_t qp, int64_t key, Positions& at)
{
    uint32_t i = at[qp];
    if (i == NOT_QUEUED)
    {
        m_keys.push_back(key);
        m_qps.push_back(qp);
        Up(static_cast<uint32_t>(m_keys.size() - 1), at);
        return;
    }
    bool later = key >= m_keys[i];
    m_keys[i] = key;
    if (later)
    {
        Down(i, at);
    }
    else
    {
        Up(i, at);
    }
}

void
RdmaSendHeap::Remove(uint32_t qp, Positions& at)
{
    uint32_t i = at[qp];
    int64_t lastKey = m_keys.back();
    uint32_t last = m_qps.back();
    at[qp] = NOT_QUEUED;
    m_keys.pop_back();
    m_qps.pop_back();
    if (last != qp)
    {
        m_keys[i] = lastKey;
        m_qps[i] = last;
        Up(i, at);
        Down(at[last], at);
    }
}

} // namespace ns3
