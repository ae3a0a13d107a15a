/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef QBB_CHANNEL_H
#define QBB_CHANNEL_H

#include "rcc-event.h"
#include "rcc-frame.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"

namespace ns3
{

class QbbNetDevice;

/**
 * A full-duplex point-to-point link. Frames arrive in the order they were sent,
 * so each direction keeps them in a FIFO behind one pending event.
 */
class QbbChannel : public Channel
{
  public:
    static TypeId GetTypeId();
    QbbChannel();
    ~QbbChannel() override;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// Attach a device to the next free end; at most two.
    void Attach(Ptr<QbbNetDevice> device);

    /// Propagation delay, ns.
    int64_t GetDelayNs() const
    {
        return m_delayNs;
    }

    Time GetDelay() const;
    void SetDelay(Time delay);

    /// The device at the other end, or null.
    Ptr<QbbNetDevice> GetPeer(const QbbNetDevice* device) const;

    /**
     * Carry a frame away from an end.
     * \param end 0 or 1, the end it leaves from
     * \param frame ownership passes to the channel
     * \param sent when its last bit leaves, ns
     * \param now ns
     */
    void Send(uint32_t end, RccFrame* frame, int64_t sent, int64_t now)
    {
        if (m_lose && m_lose(m_loseContext, frame))
        {
            m_pool->Put(frame);
            return;
        }
        Direction& d = m_directions[end];
        bool idle = d.frames.IsEmpty();
        frame->due = sent + m_delayNs;
        d.frames.Push(frame);
        if (idle)
        {
            d.event->At(frame->due, now);
        }
    }

    /// Frames for which it returns true are lost on this link, in both directions; null to stop. For tests.
    using LossFilter = bool (*)(void* context, const RccFrame* frame);

    void SetLossFilter(LossFilter filter, void* context)
    {
        m_lose = filter;
        m_loseContext = context;
    }

  private:
    struct Direction
    {
        RccFrameQueue frames;
        Ptr<RccEvent> event;
        QbbNetDevice* receiver{nullptr};
    };

    void DoDispose() override;
    static void Arrived(void* direction, int64_t now);

    Ptr<QbbNetDevice> m_devices[2];
    Direction m_directions[2]; //!< by the end the frames leave from
    Ptr<RccFramePool> m_pool;
    std::size_t m_nDevices{0};
    int64_t m_delayNs{0};
    LossFilter m_lose{nullptr};
    void* m_loseContext{nullptr};
};

} // namespace ns3

#endif /* QBB_CHANNEL_H */
