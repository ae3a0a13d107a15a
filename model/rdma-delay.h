/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_DELAY_H
#define RDMA_DELAY_H

#include "rcc-event.h"
#include "rcc-frame.h"
#include "rcc-lines.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

namespace ns3
{

/// Frames that a NIC needs some time for, such as a CNP between its arrival and the rate cut. They come out in the
/// order in which they were put in.
class RdmaDelay
{
  public:
    /// Called with the owner, a frame whose time is over, and the time, ns.
    using Handler = void (*)(void* owner, const RccFrame& frame, int64_t now);

    /// \param handler called for each frame \param owner given to it
    RdmaDelay(Handler handler, void* owner) : m_handler(handler), m_owner(owner)
    {
    }

    /**
     * Hand a frame to the handler later.
     * \param frame without a packet of the internet stack; copied
     * \param delay ns, above 0; the same for all frames
     * \param now ns
     */
    void Add(const RccFrame& frame, int64_t delay, int64_t now);

    /// Forget the frames. Not from within the handler.
    void Clear()
    {
        m_line.reset();
    }

  private:
    struct Line
    {
        typedef std::pair<int64_t, RccFrame> Entry; //!< when it is due, ns
        std::deque<Entry, RccLineAllocator<Entry>> frames;
        RccEvent event;
    };

    static void Due(void* delay, int64_t now);

    Handler m_handler;
    void* m_owner;
    std::unique_ptr<Line> m_line; //!< null until the first frame: an empty deque has half a kilobyte
};

} // namespace ns3

#endif /* RDMA_DELAY_H */
