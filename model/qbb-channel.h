/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_CHANNEL_H
#define QBB_CHANNEL_H

#include "rcc-frame-line.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"

namespace ns3
{

class QbbNetDevice;

/**
 * \ingroup rcc
 * A full-duplex point-to-point link. Frames arrive in the order they were sent,
 * so each direction keeps them in a FIFO behind one pending event.
 */
class QbbChannel : public Channel
{
  public:
    /// \return the TypeId: attribute Delay
    static TypeId GetTypeId();
    QbbChannel();
    ~QbbChannel() override;

    std::size_t GetNDevices() const override
    {
        return m_nDevices;
    }
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * Attach a device to the next free end.
     * \param device the first or second of the link; a third one is a fatal error
     */
    void Attach(Ptr<QbbNetDevice> device);

    /// \return propagation delay, ns
    int64_t GetDelayNs() const
    {
        return m_delayNs;
    }

    /// \return propagation delay
    Time GetDelay() const
    {
        return NanoSeconds(m_delayNs);
    }

    /// \param delay propagation delay, not negative; of frames that are sent from now on
    void SetDelay(Time delay)
    {
        m_delayNs = delay.GetNanoSeconds();
    }

    /**
     * \param device one end of the link
     * \return the device at the other end, or null
     */
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
        if (m_lossy && Loses(end, frame))
        {
            Lose(end, frame);
            return;
        }
        m_directions[end].frames.Push(frame, sent + m_delayNs, now);
    }

    /// A function that says of a frame whether the link loses it.
    using LossFilter = bool (*)(void* context, const RccFrame* frame);

    /**
     * Lose the frames that a function chooses, in both directions. For tests.
     * \param filter the function; null to lose none
     * \param context handed to the function
     */
    void SetLossFilter(LossFilter filter, void* context)
    {
        m_lose = filter;
        m_loseContext = context;
        m_lossy = true;
    }

    /**
     * Lose data frames at random. PFC, ACK, NAK, CNP and CNM arrive: a lost PFC frame would stall a link for ever.
     * \param probability of each frame, 0..1
     * \param stream of RccDraw; the directions draw from streams of their own
     */
    void SetErrorRate(double probability, uint64_t stream);

    /**
     * End the link for good, in both directions. What is on the way is lost, and what waits at the ends.
     * \param now ns
     */
    void TakeDown(int64_t now);

    /// \return whether TakeDown was called
    bool IsDown() const
    {
        return m_down;
    }

    /// \return number of frames that were lost on this link
    uint64_t GetLostFrames() const
    {
        return m_lost;
    }

  private:
    struct Direction
    {
        RccFrameLine frames;
        QbbNetDevice* receiver{nullptr};
        uint64_t draws{0}; //!< of the error rate
    };

    void DoDispose() override;
    bool Loses(uint32_t end, const RccFrame* frame);
    void Lose(uint32_t end, RccFrame* frame);
    static void Arrived(void* direction, int64_t now);

    Ptr<QbbNetDevice> m_devices[2];
    Direction m_directions[2]; //!< by the end the frames leave from
    Ptr<RccFramePool> m_pool;
    std::size_t m_nDevices{0};
    int64_t m_delayNs{0};
    LossFilter m_lose{nullptr};
    void* m_loseContext{nullptr};
    uint64_t m_errors{0}; //!< probability x 2^32
    uint64_t m_errorStream{0};
    uint64_t m_lost{0};
    bool m_lossy{false}; //!< any of the ways to lose a frame
    bool m_down{false};
};

} // namespace ns3

#endif /* QBB_CHANNEL_H */
