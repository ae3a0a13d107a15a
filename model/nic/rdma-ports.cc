/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rdma-ports.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

namespace
{
const uint32_t HEAP_FIRST = 4;         // queue pairs
const uint32_t CACHE_LINE = 64;        // bytes
const uint32_t PAUSE_LOG_FIRST = 256;  // changes
const uint32_t PAUSE_LOG_LAST = 16384; // changes; at one pause in 2 us it remembers 16 ms
} // namespace

uint32_t
RdmaPorts::Add(Ptr<QbbNetDevice> device)
{
    std::unique_ptr<Port> port(new Port);
    rcc_port_init(&port->core);
    port->core.line_rate = &device->GetRate();
    port->device = device;
    m_ports.push_back(std::move(port));
    m_down.push_back(0);
    return GetN() - 1;
}

void
RdmaPorts::SetRoute(uint32_t host, const std::vector<uint32_t>& ports)
{
    for (uint32_t port : ports)
    {
        NS_ABORT_MSG_IF(port >= GetN(), "RdmaNic::SetRoute: port " << port << ", the NIC has " << GetN() << " ports");
    }
    m_routes[host] = ports;
}

void
RdmaPorts::SetDown(uint32_t port, bool down)
{
    m_down[port] = down;
}

uint32_t
RdmaPorts::Pick(uint32_t host, uint32_t hash) const
{
    const auto route = m_routes.find(host);
    if (route == m_routes.end())
    {
        return rcc_port_pick(hash, GetN(), m_down.data(), nullptr);
    }
    const rcc_port_list list = {route->second.data(), static_cast<uint32_t>(route->second.size())};
    return rcc_port_pick(hash, GetN(), m_down.data(), &list);
}

uint32_t
RdmaPorts::HashInTurn(uint32_t host, uint32_t hash)
{
    const auto route = m_routes.find(host);
    const size_t n = route == m_routes.end() || route->second.empty() ? m_ports.size() : route->second.size();
    return rcc_port_hash_of_turn(hash, m_turns[host]++, static_cast<uint32_t>(n));
}

RdmaPorts::Memory&
RdmaPorts::MemoryOf(Port& port, uint8_t cls)
{
    if (!port.memory[cls])
    {
        port.memory[cls].reset(new Memory);
    }
    return *port.memory[cls];
}

rcc_port&
RdmaPorts::Reserve(uint32_t index, uint8_t cls)
{
    Port& port = *m_ports[index];
    if (++port.members[cls] > port.core.classes[cls].heap.capacity)
    {
        GrowHeap(port, cls);
    }
    return port.core;
}

void
RdmaPorts::GrowHeap(Port& port, uint8_t cls)
{
    rcc_heap& heap = port.core.classes[cls].heap;
    Memory& memory = MemoryOf(port, cls);
    const uint32_t capacity = std::max(HEAP_FIRST, 2 * heap.capacity);
    std::vector<rcc_time> keys(capacity + CACHE_LINE / sizeof(rcc_time));
    std::vector<uint32_t> qps(capacity);
    std::vector<uint8_t> least(RCC_HEAP_PARENTS(capacity));
    // Four children, from entry 1 on, are in one cache line.
    const auto second = reinterpret_cast<uintptr_t>(&keys[1]);
    rcc_time* first = &keys[(CACHE_LINE - second % CACHE_LINE) % CACHE_LINE / sizeof(rcc_time)];
    rcc_heap_grow(&heap, first, qps.data(), least.data(), capacity);
    memory.keys = std::move(keys);
    memory.qps = std::move(qps);
    memory.least = std::move(least);
}

const rcc_pause_log*
RdmaPorts::LogPauses(uint32_t index, uint8_t cls, int64_t now)
{
    Port& port = *m_ports[index];
    rcc_pause_log& log = port.core.classes[cls].pauses;
    if (!log.toggle)
    {
        MemoryOf(port, cls).pauses.resize(PAUSE_LOG_FIRST);
        rcc_pause_log_init(&log, MemoryOf(port, cls).pauses.data(), PAUSE_LOG_FIRST);
        rcc_pause_log_set(&log, now, port.device->GetPausedClasses() & (1u << cls));
    }
    return &log;
}

void
RdmaPorts::PauseChanged(uint32_t index, uint8_t paused, int64_t now)
{
    Port& port = *m_ports[index];
    const unsigned changes = rcc_port_pause_changes(&port.core, paused);
    for (uint8_t c = 0; changes >> c; c++)
    {
        if (changes >> c & 1u)
        {
            LogPause(port, c, paused >> c & 1u, now);
        }
    }
}

void
RdmaPorts::LogPause(Port& port, uint8_t cls, bool paused, int64_t now)
{
    const uint32_t capacity = port.core.classes[cls].pauses.mask + 1;
    if (capacity < PAUSE_LOG_LAST && rcc_port_log_is_full(&port.core, cls))
    {
        std::vector<rcc_time> larger(2 * capacity);
        rcc_port_grow_log(&port.core, cls, larger.data(), 2 * capacity);
        MemoryOf(port, cls).pauses = std::move(larger);
    }
    rcc_port_log_pause(&port.core, cls, now, paused);
}

} // namespace ns3
