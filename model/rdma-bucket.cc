/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-bucket.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

void
RdmaBucket::Set(uint32_t size, int64_t interval, bool debt)
{
    m_size = size;
    m_interval = interval;
    m_debt = debt;
}

RdmaBucket::Tokens
RdmaBucket::Start(int64_t now) const
{
    Tokens tokens;
    tokens.bytes = m_size;
    tokens.filled = now / m_interval * m_interval;
    return tokens;
}

int64_t
RdmaBucket::PerTick(const rcc_rp* rp) const
{
    // 1.6 Tb/s for a millisecond keeps the product in 63 bits
    return std::max<int64_t>(1, static_cast<int64_t>(rcc_rp_rate(rp)) * m_interval / 8000000000);
}

void
RdmaBucket::Fill(rcc_rp* rp, Tokens& tokens, int64_t now) const
{
    while (now - tokens.filled >= m_interval)
    {
        int64_t step = rp->ops->next_step(rp);
        int64_t ticks = (std::min(now, step - 1) - tokens.filled) / m_interval;
        if (ticks <= 0)
        {
            rcc_rp_advance(rp, step);
            continue;
        }
        // a bucket of at most 2^30 bytes in debt for a frame is full after so many ticks: the product stays in 63 bits
        int64_t enough = std::min<int64_t>(ticks, static_cast<int64_t>(m_size) + RCC_FRAME_MAX);
        tokens.bytes = std::min<int64_t>(m_size, tokens.bytes + enough * PerTick(rp));
        tokens.filled += ticks * m_interval;
    }
    rcc_rp_advance(rp, now);
}

int64_t
RdmaBucket::NextSend(const rcc_rp* rp, const Tokens& tokens, uint32_t bytes) const
{
    int64_t missing = (m_debt ? 1 : static_cast<int64_t>(bytes)) - tokens.bytes;
    int64_t filled = tokens.filled;
    if (missing <= 0)
    {
        return rp->now;
    }
    // A copy lives through the rate steps, as the core's own look-ahead does.
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    std::memcpy(memory, rp, rp->ops->size);
    auto ahead = reinterpret_cast<rcc_rp*>(memory);
    ahead->pause = nullptr;
    for (;;)
    {
        int64_t step = ahead->ops->next_step(ahead);
        int64_t per = PerTick(ahead);
        int64_t ticks = (missing + per - 1) / per;
        if (filled + ticks * m_interval < step)
        {
            return filled + ticks * m_interval;
        }
        ticks = (step - 1 - filled) / m_interval;
        missing -= ticks * per;
        filled += ticks * m_interval;
        rcc_rp_advance(ahead, step);
    }
}

} // namespace ns3
