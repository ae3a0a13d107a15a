/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RDMA_COMPLETION_H
#define RDMA_COMPLETION_H

#include "ns3/callback.h"

#include <cstdint>

namespace ns3
{

/**
 * The receiver of the notice that a message has been acknowledged: a function with its owner, or a Callback. A
 * Callback takes five blocks of memory, a quarter of what a flow costs to open.
 */
class RdmaCompletion
{
  public:
    /// \param owner as given \param qp index of the send half
    using Handler = void (*)(void* owner, uint32_t qp);

    /// Construct a completion that notifies nobody.
    RdmaCompletion() = default;

    /// \param handler called with the owner \param owner outlives the queue pair, or closes it
    RdmaCompletion(Handler handler, void* owner) : m_handler(handler), m_owner(owner)
    {
    }

    /// \param callback called with the index of the send half; may be null
    RdmaCompletion(const Callback<void, uint32_t>& callback) : m_callback(callback)
    {
    }

    /// Call the function or the callback, if there is one. \param qp index of the send half
    void operator()(uint32_t qp) const
    {
        if (m_handler)
        {
            m_handler(m_owner, qp);
        }
        else if (!m_callback.IsNull())
        {
            m_callback(qp);
        }
    }

  private:
    Handler m_handler{nullptr};
    void* m_owner{nullptr};
    Callback<void, uint32_t> m_callback;
};

} // namespace ns3

#endif /* RDMA_COMPLETION_H */
