/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_LAZY_TRACE_H
#define RCC_LAZY_TRACE_H

#include "ns3/ptr.h"
#include "ns3/trace-source-accessor.h"

#include <string>

namespace ns3
{

/**
 * Accessor of a trace source that is a member of a struct which the object makes when a sink connects to one of its
 * sources. An object that nobody watches pays a pointer for all of them.
 *
 * \tparam T class of the object, with two functions: `Traces& GetTraces()`, which makes the struct if there is none,
 *         and `void TracesChanged()`, called after a sink was connected or disconnected
 * \tparam Traces the struct
 * \tparam Source type of the trace source: TracedCallback or RccTrace
 */
template <class T, class Traces, class Source> class RccLazyTraceAccessor : public TraceSourceAccessor
{
  public:
    /// \param source member of the struct
    explicit RccLazyTraceAccessor(Source Traces::*source) : m_source(source)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return Apply(object, [&sink](Source& source) { source.ConnectWithoutContext(sink); });
    }

    bool Connect(ObjectBase* object, std::string context, const CallbackBase& sink) const override
    {
        return Apply(object, [&](Source& source) { source.Connect(sink, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& sink) const override
    {
        return Apply(object, [&sink](Source& source) { source.DisconnectWithoutContext(sink); });
    }

    bool Disconnect(ObjectBase* object, std::string context, const CallbackBase& sink) const override
    {
        return Apply(object, [&](Source& source) { source.Disconnect(sink, context); });
    }

  private:
    template <class Change> bool Apply(ObjectBase* object, Change change) const
    {
        T* const owner = dynamic_cast<T*>(object);
        if (!owner)
        {
            return false;
        }
        change(owner->GetTraces().*m_source);
        owner->TracesChanged();
        return true;
    }

    Source Traces::*m_source;
};

/**
 * As ns-3's MakeTraceSourceAccessor.
 * \tparam T class of the object, see RccLazyTraceAccessor
 * \param source member of the struct of trace sources
 * \return its accessor
 */
template <class T, class Traces, class Source>
Ptr<const TraceSourceAccessor>
MakeRccLazyTraceAccessor(Source Traces::*source)
{
    return Ptr<const TraceSourceAccessor>(new RccLazyTraceAccessor<T, Traces, Source>(source), false);
}

} // namespace ns3

#endif /* RCC_LAZY_TRACE_H */
