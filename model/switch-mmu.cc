/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "switch-mmu.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

uint64_t
SwitchMmu::Headroom(const Port& port, uint32_t maxFrame)
{
    // Whole Gb/s and the rest apart stay in 64 bits for delays of up to ten seconds.
    const uint64_t G = 1000000000;
    const uint64_t ns = 2 * static_cast<uint64_t>(port.delayNs);
    uint64_t bits = port.rate / G * ns + (port.rate % G * ns + G - 1) / G;
    uint64_t wire = (bits + 7) / 8;
    return wire + 3 * static_cast<uint64_t>(maxFrame) + PFC_BYTES;
}

std::string
SwitchMmu::Configure(const Config& config, const std::vector<Port>& ports)
{
    uint32_t classes = 0;
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        classes += (config.losslessMask >> c) & 1u;
    }
    m_cells.assign(ports.size() * QBB_CLASSES, Cell());
    m_lossless = config.losslessMask;
    m_resumeGap = 2 * static_cast<uint64_t>(config.maxFrame);
    m_fixed = config.fixed;
    m_alpha = m_fixed ? 0 : static_cast<uint64_t>(config.alpha * 65536 + 0.5);
    m_used = 0;

    uint64_t reserved = 0;
    uint64_t largest = 0;
    for (size_t i = 0; i < ports.size(); i++)
    {
        uint64_t needed = Headroom(ports[i], config.maxFrame);
        uint64_t h = ports[i].headroom ? ports[i].headroom : config.headroom ? config.headroom : needed;
        if (h < needed && classes)
        {
            std::ostringstream why;
            why << "headroom of " << h << " bytes is below the " << needed << " bytes that port " << i << " needs: 2 x "
                << ports[i].delayNs << " ns x " << ports[i].rate << " bit/s + 3 frames of " << config.maxFrame
                << " bytes + a PFC frame of " << PFC_BYTES << " bytes";
            return why.str();
        }
        reserved += h * classes;
        largest = std::max(largest, h);
        for (uint8_t c = 0; c < QBB_CLASSES; c++)
        {
            Cell& cell = m_cells[i * QBB_CLASSES + c];
            cell.headroomMax = (config.losslessMask >> c) & 1u ? h : 0;
            cell.alpha = m_alpha && ports[i].alpha > 0 ? static_cast<uint64_t>(ports[i].alpha * 65536 + 0.5) : m_alpha;
        }
    }
    uint64_t frames = (classes ? ports.size() : 1) * static_cast<uint64_t>(config.maxFrame);
    if (reserved + std::max(config.pool, frames) > config.buffer)
    {
        std::ostringstream why;
        why << "buffer of " << config.buffer << " bytes cannot be lossless: headroom for " << ports.size()
            << " ports x " << classes << " lossless class(es), at most " << largest << " bytes each (2 x delay x rate"
            << " + 3 frames + a PFC frame), takes " << reserved << " bytes, and the shared pool needs "
            << std::max(config.pool, frames);
        return why.str();
    }
    m_pool = config.pool ? config.pool : config.buffer - reserved;
    return "";
}

SwitchMmu::Verdict
SwitchMmu::Admit(uint32_t port, uint8_t cls, uint32_t bytes)
{
    Cell& c = m_cells[port * QBB_CLASSES + cls];
    if (!c.paused && c.pool + bytes <= Threshold(c.alpha) && m_used + bytes <= m_pool) // the latter for alpha > 1
    {
        c.pool += bytes;
        m_used += bytes;
        return STORE;
    }
    if (c.headroom + bytes > c.headroomMax) // also every class without PFC
    {
        return DROP;
    }
    c.headroom += bytes;
    Verdict verdict = c.paused ? STORE : STORE_AND_PAUSE;
    c.paused = true;
    return verdict;
}

bool
SwitchMmu::Release(uint32_t port, uint8_t cls, uint32_t bytes)
{
    Cell& c = m_cells[port * QBB_CLASSES + cls];
    uint64_t fromHeadroom = bytes < c.headroom ? bytes : c.headroom;
    c.headroom -= fromHeadroom;
    c.pool -= bytes - fromHeadroom;
    m_used -= bytes - fromHeadroom;
    if (!c.paused || !MayResume(c))
    {
        return false;
    }
    c.paused = false;
    return true;
}

bool
SwitchMmu::MustStayPaused(uint32_t port, uint8_t cls)
{
    Cell& c = m_cells[port * QBB_CLASSES + cls];
    c.paused = !MayResume(c);
    return c.paused;
}

void
SwitchMmu::Forget(uint32_t port)
{
    for (uint8_t c = 0; c < QBB_CLASSES; c++)
    {
        m_cells[port * QBB_CLASSES + c].paused = false;
    }
}

uint64_t
SwitchMmu::LimitOf(uint32_t ingress) const
{
    if (m_fixed)
    {
        return std::min(ingress * m_fixed, m_pool);
    }
    // n x = n alpha (pool - n x)
    return ingress * m_alpha * m_pool / (65536 + ingress * m_alpha);
}

} // namespace ns3
