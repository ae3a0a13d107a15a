/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TRACE_H
#define RCC_TRACE_H

#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace ns3
{

/**
 * A trace source that keeps one bit of its owner's mask set while a sink is connected. The owner tests the mask once
 * per hook, for all of its sources together, and makes the arguments only for sources whose bit is set.
 *
 * \tparam Ts the arguments of the sinks, as in ns-3's TracedCallback; AddTraceSource accepts both types
 */
template <class... Ts> class RccTrace
{
  public:
    /**
     * \param mask the mask of the owner, a member of the same object as this source
     * \param bit the bit of this source in the mask
     */
    RccTrace(uint32_t& mask, uint32_t bit)
        : m_mask(static_cast<int32_t>(reinterpret_cast<char*>(&mask) - reinterpret_cast<char*>(this))),
          m_bit(bit)
    {
    }

    RccTrace(const RccTrace&) = delete;
    RccTrace& operator=(const RccTrace&) = delete;

    // MakeTraceSourceAccessor calls the next four.

    /// \param sink called without a context string
    void ConnectWithoutContext(const CallbackBase& sink)
    {
        Sinks().ConnectWithoutContext(sink);
        Mask() |= m_bit;
    }

    /// \param sink called with the context string first \param context that string
    void Connect(const CallbackBase& sink, const std::string& context)
    {
        Sinks().Connect(sink, context);
        Mask() |= m_bit;
    }

    /// \param sink as given to ConnectWithoutContext
    void DisconnectWithoutContext(const CallbackBase& sink)
    {
        Sinks().DisconnectWithoutContext(sink);
        Update();
    }

    /// \param sink as given to Connect \param context as given to Connect
    void Disconnect(const CallbackBase& sink, const std::string& context)
    {
        Sinks().Disconnect(sink, context);
        Update();
    }

    /// \return whether the bit is set, so whether sinks have to be called
    bool IsConnected() const
    {
        return (*reinterpret_cast<const uint32_t*>(reinterpret_cast<const char*>(this) + m_mask) & m_bit) != 0;
    }

    /// \return whether the bit is cleared when the last sink disconnects: ns-3's TracedCallback has IsEmpty, which
    /// early versions lack
    static bool DetectsLastDisconnect()
    {
        return decltype(HasIsEmpty<TracedCallback<Ts...>>(0))::value;
    }

    /// Call the sinks, if there are any. \param arguments of the sinks
    void operator()(Ts... arguments) const
    {
        if (IsConnected())
        {
            (*m_sinks)(arguments...);
        }
    }

  private:
    TracedCallback<Ts...>& Sinks()
    {
        if (!m_sinks)
        {
            m_sinks.reset(new TracedCallback<Ts...>);
        }
        return *m_sinks;
    }

    uint32_t& Mask()
    {
        return *reinterpret_cast<uint32_t*>(reinterpret_cast<char*>(this) + m_mask);
    }

    void Update()
    {
        if (IsEmpty(*m_sinks, 0))
        {
            Mask() &= ~m_bit;
        }
    }

    template <class T> static auto HasIsEmpty(int) -> decltype(std::declval<const T&>().IsEmpty(), std::true_type());

    template <class T> static std::false_type HasIsEmpty(long);

    /// False where ns-3 cannot tell: a bit that stays set costs time and changes no result.
    template <class T> static auto IsEmpty(const T& sinks, int) -> decltype(sinks.IsEmpty())
    {
        return sinks.IsEmpty();
    }

    template <class T> static bool IsEmpty(const T&, long)
    {
        return false;
    }

    // A large network has millions of sources, and few of them have a sink.
    std::unique_ptr<TracedCallback<Ts...>> m_sinks; //!< null until the first sink
    int32_t m_mask;                                 //!< bytes from here to the mask, which is in the same object
    uint32_t m_bit;
};

} // namespace ns3

#endif /* RCC_TRACE_H */
