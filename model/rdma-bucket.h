/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_BUCKET_H
#define RDMA_BUCKET_H

#include "ns3/rcc.h"

#include <cstdint>

namespace ns3
{

/**
 * A token bucket between a reaction point and the wire, as hardware has it: at
 * every multiple of an interval, tokens of (current rate x interval) in whole
 * bytes, at least one, fall into a bucket that holds no more than its size. A
 * frame leaves when there are as many tokens as it has bytes, or, with debt, when
 * there is one; either way it takes as many as it has bytes. Rates are thereby
 * rounded down to one byte per interval, and frames leave in bursts.
 *
 * Nothing happens at a tick: tokens are counted when somebody asks, and the time
 * at which they will suffice is computed between the reaction point's rate steps.
 * A step at the time of a tick comes before it, a frame or feedback after it.
 */
class RdmaBucket
{
  public:
    /// What one queue pair has.
    struct Tokens
    {
        int64_t bytes{0};
        int64_t filled{0}; //!< the last tick that is counted in, ns
    };

    /**
     * \param size bytes; 0 = no bucket
     * \param interval ns, at most one millisecond
     * \param debt whether a frame may leave the bucket below zero
     */
    void Set(uint32_t size, int64_t interval, bool debt);

    bool IsOn() const
    {
        return m_size != 0;
    }

    /// \return whether frames of so many bytes can ever leave
    bool Passes(uint32_t bytes) const
    {
        return m_debt || m_size >= bytes;
    }

    /// A full bucket.
    Tokens Start(int64_t now) const;

    /// Bring tokens and reaction point to `now`; call before anything moves the reaction point.
    void Fill(rcc_rp* rp, Tokens& tokens, int64_t now) const;

    /// When there will be tokens for a frame if nothing happens, ns; not before tokens were last brought up to date.
    int64_t NextSend(const rcc_rp* rp, const Tokens& tokens, uint32_t bytes) const;

  private:
    /// Bytes of a tick at the present rate.
    int64_t PerTick(const rcc_rp* rp) const;

    uint32_t m_size{0};
    int64_t m_interval{0};
    bool m_debt{false};
};

} // namespace ns3

#endif /* RDMA_BUCKET_H */
