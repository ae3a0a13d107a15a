/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TRACE_H
#define RCC_TRACE_H

#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace ns3
{

/**
 * A trace source that keeps a bit of its owner's mask set while somebody is connected. The owner tests the mask once
 * per hook, for all of its sources together, and builds what it hands over only for those whose bit is set.
 *
 * Arguments as in ns-3's TracedCallback; AddTraceSource takes it as one.
 */
template <class... Ts> class RccTrace
{
  public:
    /**
     * \param mask of the owner, which outlives this
     * \param bit of this source
     */
    RccTrace(uint32_t& mask, uint32_t bit) : m_mask(mask), m_bit(bit)
    {
    }

    RccTrace(const RccTrace&) = delete;
    RccTrace& operator=(const RccTrace&) = delete;

    // What MakeTraceSourceAccessor calls.

    void ConnectWithoutContext(const CallbackBase& sink)
    {
        m_sinks.ConnectWithoutContext(sink);
        m_mask |= m_bit;
    }

    void Connect(const CallbackBase& sink, const std::string& context)
    {
        m_sinks.Connect(sink, context);
        m_mask |= m_bit;
    }

    void DisconnectWithoutContext(const CallbackBase& sink)
    {
        m_sinks.DisconnectWithoutContext(sink);
        Update();
    }

    void Disconnect(const CallbackBase& sink, const std::string& context)
    {
        m_sinks.Disconnect(sink, context);
        Update();
    }

    bool IsConnected() const
    {
        return (m_mask & m_bit) != 0;
    }

    /// Whether the bit is cleared when the last sink leaves: early versions of ns-3 cannot say that it was the last.
    static bool ForgetsTheLast()
    {
        return decltype(Knows<TracedCallback<Ts...>>(0))::value;
    }

    /// Call the sinks, if there are any.
    void operator()(Ts... arguments) const
    {
        if (IsConnected())
        {
            m_sinks(arguments...);
        }
    }

  private:
    void Update()
    {
        if (IsEmpty(m_sinks, 0))
        {
            m_mask &= ~m_bit;
        }
    }

    template <class T> static auto Knows(int) -> decltype(std::declval<const T&>().IsEmpty(), std::true_type());

    template <class T> static std::false_type Knows(long);

    /// A bit too many costs time only.
    template <class T> static auto IsEmpty(const T& sinks, int) -> decltype(sinks.IsEmpty())
    {
        return sinks.IsEmpty();
    }

    template <class T> static bool IsEmpty(const T&, long)
    {
        return false;
    }

    TracedCallback<Ts...> m_sinks;
    uint32_t& m_mask;
    uint32_t m_bit;
};

} // namespace ns3

#endif /* RCC_TRACE_H */
