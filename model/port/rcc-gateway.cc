/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-gateway.h"

#include <numeric>

namespace ns3
{

RccGateway* RccGateway::s_current = nullptr;
RccGateway::Starter RccGateway::s_start = nullptr;
void (*RccGateway::s_closeReceiver)(uint32_t node, uint32_t qp, int64_t when) = nullptr;

namespace
{

template <class T>
void
SumUp(RccGateway& ranks, const std::vector<T*>& variables)
{
    std::vector<T> values;
    for (const T* variable : variables)
    {
        values.push_back(*variable);
    }
    ranks.Sum(values.data(), values.size());
    for (size_t i = 0; i < values.size(); i++)
    {
        *variables[i] = values[i];
    }
}

} // namespace

void
RccRankSums::Run(RccGateway& ranks)
{
    SumUp(ranks, m_whole);
    SumUp(ranks, m_parts);
}

std::vector<uint32_t>
RccGateway::GetOthers() const
{
    std::vector<uint32_t> others(m_size);
    std::iota(others.begin(), others.end(), 0);
    others.erase(others.begin() + m_rank);
    return others;
}

void
RccGateway::Deliver(const Notice& notice)
{
    switch (notice.kind)
    {
    case Notice::CLOSE_RECEIVER:
        s_closeReceiver(notice.node, notice.qp, notice.when);
        break;
    case Notice::FLOWS_ENDED:
    case Notice::FRAMES_LEFT:
        if (m_flowsEnded)
        {
            m_flowsEnded(notice);
        }
        break;
    }
}

} // namespace ns3
