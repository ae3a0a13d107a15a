/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_FRAME_LINE_H
#define RCC_FRAME_LINE_H

#include "ns3/rcc-event.h"
#include "rcc-frame.h"

namespace ns3
{

/**
 * Frames on their way: a FIFO whose frames are due in their order, behind one pending event. The handler of the event
 * takes them out:
 *
 *     while (RccFrame* frame = line.PopDue(now))
 *         ...
 */
class RccFrameLine
{
  public:
    /**
     * As RccEvent::Bind.
     * \param handler called when the first frame is due
     * \param owner its first argument
     * \param order among the events of one nanosecond
     */
    void Bind(RccEvent::Handler handler, void* owner, uint32_t order = RCC_ORDER_OWN)
    {
        m_event.Bind(handler, owner, order);
    }

    /// As RccEvent::SetPrefetcher. \param prefetcher called before a frame is due, with the owner; null: nothing is
    void SetPrefetcher(RccEvent::Prefetcher prefetcher)
    {
        m_event.SetPrefetcher(prefetcher);
    }

    /// \return the frame that is due first; null if there is none
    const RccFrame* Head() const
    {
        return m_frames.Head();
    }

    /**
     * Add a frame.
     * \param frame on no queue
     * \param due when it is due, ns; if frames that were added earlier are due later, with them
     * \param now ns
     */
    void Push(RccFrame* frame, int64_t due, int64_t now)
    {
        const bool idle = m_frames.IsEmpty();
        frame->due = due;
        m_frames.Push(frame);
        if (idle)
        {
            m_event.At(due, now);
        }
    }

    /// \param now ns \return the next frame that is due; null if there is none, and the event is armed for the next one
    RccFrame* PopDue(int64_t now)
    {
        if (m_frames.IsEmpty())
        {
            return nullptr;
        }
        if (m_frames.Head()->due > now)
        {
            m_event.At(m_frames.Head()->due, now);
            return nullptr;
        }
        return m_frames.Pop();
    }

    /// Take all frames out: none is due any more. \return the frames
    RccFrameQueue TakeAll()
    {
        m_event.Disarm();
        return m_frames.TakeAll();
    }

    /// Give all frames back, and forget the handler. \param pool they are from
    void Dispose(RccFramePool& pool)
    {
        pool.PutAll(m_frames);
        m_event.Unbind();
    }

  private:
    RccEvent m_event;
    RccFrameQueue m_frames;
};

} // namespace ns3

#endif /* RCC_FRAME_LINE_H */
