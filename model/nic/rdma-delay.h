/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_DELAY_H
#define RDMA_DELAY_H

#include "ns3/rcc-frame-line.h"

#include <memory>

namespace ns3
{

/// Frames that a NIC needs some time for, such as a CNP between its arrival and the rate cut. They come out in the
/// order in which they were put in.
class RdmaDelay
{
  public:
    /// Called with the owner, a frame whose time is over, which the handler owns now, and the time, ns.
    using Handler = void (*)(void* owner, RccFrame* frame, int64_t now);

    /// \param handler called for each frame \param owner given to it
    RdmaDelay(Handler handler, void* owner) : m_handler(handler), m_owner(owner)
    {
    }

    /**
     * Hand a frame to the handler later.
     * \param frame on no queue; ownership passes to the handler
     * \param delay ns, above 0
     * \param now ns
     */
    void Add(RccFrame* frame, int64_t delay, int64_t now);

    /// Give the frames back. Not from within the handler. \param pool they are from
    void Clear(RccFramePool& pool);

  private:
    static void Due(void* delay, int64_t now);

    Handler m_handler;
    void* m_owner;
    std::unique_ptr<RccFrameLine> m_line; //!< null until the first frame: most NICs need no time
};

} // namespace ns3

#endif /* RDMA_DELAY_H */
