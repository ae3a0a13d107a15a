/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_SEND_HEAP_H
#define RDMA_SEND_HEAP_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * Which queue pair may send next: a 4-ary heap of queue pair indices by the time
 * (ns) their next packet may leave. Keys stand apart from indices, so that four
 * children share a cache line. Equal keys are served in the order of the heap,
 * which depends on the calls and on nothing else.
 *
 * Where each queue pair stands is kept by the caller, one entry per queue pair,
 * and shared by all heaps of a NIC: a queue pair is on one of them at most.
 */
class RdmaSendHeap
{
  public:
    /// Position of a queue pair that is on no heap.
    static const uint32_t NOT_QUEUED = UINT32_MAX;
    using Positions = std::vector<uint32_t>;

    bool IsEmpty() const
    {
        return m_keys.empty();
    }

    /// Least key; the heap must not be empty.
    int64_t FirstKey() const
    {
        return m_keys[0];
    }

    /// Queue pair with the least key; the heap must not be empty.
    uint32_t First() const
    {
        return m_qps[0];
    }

    /// Insert a queue pair, or move it to another key.
    void Set(uint32_t qp, int64_t key, Positions& at);

    /// Take a queue pair out; it must be on this heap.
    void Remove(uint32_t qp, Positions& at);

  private:
    void Up(uint32_t i, Positions& at);
    void Down(uint32_t i, Positions& at);

    std::vector<int64_t> m_keys;
    std::vector<uint32_t> m_qps;
};

} // namespace ns3

#endif /* RDMA_SEND_HEAP_H */
