/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef SWITCH_MMU_H
#define SWITCH_MMU_H

#include "rcc-frame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The shared packet buffer of a switch: who may still store a frame, and which
 * upstream port must pause.
 *
 * Every port and lossless class has a headroom for what arrives after it asked
 * its peer to pause. The rest of the buffer is one pool. A port and class may
 * hold at most T = alpha * (pool - used) of it (dynamic threshold); a frame beyond
 * T triggers a pause (Xoff) and is stored in the headroom. Xon follows when the
 * headroom is empty and the port is two frames below T again (SIGCOMM'15
 * section 4). Frames of the other classes are dropped beyond T.
 *
 * Every operation is O(1) and touches one port.
 */
class SwitchMmu
{
  public:
    struct Port
    {
        uint64_t rate;     //!< bit/s
        int64_t delayNs;   //!< of the link
        uint64_t headroom; //!< bytes per lossless class; 0 = as Config says
        double alpha;      //!< of the dynamic threshold; 0 = as Config says

        Port(uint64_t rate, int64_t delayNs, uint64_t headroom = 0, double alpha = 0)
            : rate(rate),
              delayNs(delayNs),
              headroom(headroom),
              alpha(alpha)
        {
        }
    };

    struct Config
    {
        uint64_t buffer;      //!< bytes in all
        uint64_t pool;        //!< bytes of the pool; 0 = all that headroom leaves
        double alpha;         //!< of the dynamic threshold
        uint8_t losslessMask; //!< classes with PFC, one bit each
        uint32_t maxFrame;    //!< largest frame, bytes
        uint64_t headroom;    //!< bytes per port and lossless class; 0 = computed
        uint64_t fixed;       //!< a static threshold instead of the dynamic one, bytes; 0 = dynamic

        Config(uint64_t buffer, uint64_t pool, double alpha, uint8_t losslessMask, uint32_t maxFrame, uint64_t headroom,
               uint64_t fixed = 0)
            : buffer(buffer),
              pool(pool),
              alpha(alpha),
              losslessMask(losslessMask),
              maxFrame(maxFrame),
              headroom(headroom),
              fixed(fixed)
        {
        }
    };

    /// What the MMU does with a frame.
    enum Verdict
    {
        STORE,
        STORE_AND_PAUSE, //!< send Xoff to the port it came from
        DROP
    };

    /**
     * Headroom in bytes: what can arrive between the frame that crosses T and the
     * moment the peer's wire falls silent. Two delays; the frame this side is just
     * sending before the PFC frame, the PFC frame, the frame the peer is just
     * sending; one frame for the one that crosses.
     */
    static uint64_t Headroom(const Port& port, uint32_t maxFrame);

    /**
     * Lay the buffer out.
     * \return empty, or why this buffer cannot be lossless, with the arithmetic
     */
    std::string Configure(const Config& config, const std::vector<Port>& ports);

    /// A frame came in; if it is stored it is accounted to (port, class).
    Verdict Admit(uint32_t port, uint8_t cls, uint32_t bytes);

    /// A stored frame left. \return true: send Xon to the port it came from
    bool Release(uint32_t port, uint8_t cls, uint32_t bytes);

    /// A paused port and class must stay paused; false clears its state (send Xon).
    bool MustStayPaused(uint32_t port, uint8_t cls);

    /// The link of a port is gone, and with it the pauses that the port asked for.
    void Forget(uint32_t port);

    bool IsPaused(uint32_t port, uint8_t cls) const
    {
        return m_cells[port * QBB_CLASSES + cls].paused;
    }

    /// T now, bytes, of a port without an alpha of its own.
    uint64_t Threshold() const
    {
        return Threshold(m_alpha);
    }

    uint64_t GetPool() const
    {
        return m_pool;
    }

    /// Bytes that lie in the pool.
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /// Bytes stored for (port, class), pool and headroom.
    uint64_t GetStored(uint32_t port, uint8_t cls) const
    {
        const Cell& c = m_cells[port * QBB_CLASSES + cls];
        return c.pool + c.headroom;
    }

    /// What one congested port holds when `ingress` ports feed it and all are at T, bytes.
    uint64_t LimitOf(uint32_t ingress) const;

  private:
    struct Cell
    {
        uint64_t pool{0};
        uint64_t headroom{0};
        uint64_t headroomMax{0};
        uint64_t alpha{0}; //!< 2^-16
        bool paused{false};
    };

    uint64_t Threshold(uint64_t alpha) const
    {
        return m_fixed + (m_used < m_pool ? ((m_pool - m_used) * alpha) >> 16 : 0);
    }

    bool MayResume(const Cell& c) const
    {
        return c.headroom == 0 && (c.pool == 0 || c.pool + m_resumeGap <= Threshold(c.alpha));
    }

    std::vector<Cell> m_cells;
    uint64_t m_pool{0};
    uint64_t m_used{0};
    uint64_t m_alpha{0}; //!< 2^-16; 0 with a static threshold
    uint64_t m_fixed{0};
    uint64_t m_resumeGap{0};
    uint8_t m_lossless{0};
};

} // namespace ns3

#endif /* SWITCH_MMU_H */
