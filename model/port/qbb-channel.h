/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_CHANNEL_H
#define QBB_CHANNEL_H

#include "ns3/rcc-compiler.h"
#include "ns3/rcc-slabs.h"
#include "ns3/rcc_link.h"
#include "rcc-frame-line.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"

#include <map>
#include <memory>

namespace ns3
{

class QbbNetDevice;

/**
 * \ingroup rcc
 * Decides what a link does to frames beside carrying them; see QbbChannel::SetDisturbance. LabFaults of the lab has the
 * faults of a file.
 */
class QbbLinkDisturbance
{
  public:
    /// The fate of a frame.
    struct Fate
    {
        bool lose{false};    //!< it does not arrive
        bool corrupt{false}; //!< from now on the ICRC of the frame is wrong: the host that it is for rejects it. A PFC
                             //!< or IP frame does not arrive, as its frame check sequence is wrong
        bool duplicate{false}; //!< it arrives twice
        int64_t late{0};       //!< ns by which it arrives later than it should; others overtake it
    };

    virtual ~QbbLinkDisturbance() = default;

    /**
     * A frame is sent into the link.
     * \param end 0 or 1, the end it leaves from
     * \param frame of any kind
     * \param now ns
     * \return what becomes of it
     */
    virtual Fate FrameSent(uint32_t end, const RccFrame& frame, int64_t now) = 0;
};

/**
 * \ingroup rcc
 * A full-duplex point-to-point link. Frames arrive in the order they were sent,
 * so each direction keeps them in a FIFO behind one pending event.
 */
class QbbChannel : public Channel, public RccInSlabs<QbbChannel>
{
  public:
    /// \return the TypeId: attribute Delay
    static TypeId GetTypeId();
    QbbChannel();

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
        return m_directions[0].delayNs;
    }

    /// \return propagation delay
    Time GetDelay() const
    {
        return NanoSeconds(GetDelayNs());
    }

    /// \param delay propagation delay, not negative; of frames that are sent from now on
    void SetDelay(Time delay);

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
        Direction& direction = m_directions[end];
        if (direction.disturbed)
        {
            SendDisturbed(end, frame, sent + direction.delayNs, now);
            return;
        }
        direction.frames.Push(frame, sent + direction.delayNs, now);
    }

    /**
     * A frame that another rank sent is on its way to an end of this rank.
     * \param end it left from
     * \param frame ownership passes to the channel
     * \param due when it arrives, ns, after those that came before
     * \param now ns
     */
    void Receive(uint32_t end, RccFrame* frame, int64_t due, int64_t now)
    {
        m_directions[end].frames.Push(frame, due, now);
    }

    /// Fetch from memory what Send will touch. \param end 0 or 1, the end that a frame will leave from
    void PrefetchSend(uint32_t end) const
    {
        const char* const direction = reinterpret_cast<const char*>(&m_directions[end]);
        RccFetch(direction);
        RccFetch(direction + RCC_LINE);
    }

    /// \param end 0 or 1 \return the device that frames which leave from there arrive at, or null
    QbbNetDevice* GetReceiver(uint32_t end) const
    {
        return m_directions[end].receiver;
    }

    /// Find out which ends this rank owns; called when the simulation begins.
    void FindOwners();

    /// \return the longest delay of all links of the simulation, ns: no notice between nodes takes less
    static int64_t GetLongestDelay();

    /// \param node of a device on a link \return the same of the links of its network only, ns
    static int64_t GetLongestDelay(uint32_t node);

    /**
     * Let frames arrive at an end when their first bytes have, as a cut-through switch wants it; RccFrame::rest says
     * how long the last bit takes after that. PFC frames, and those that a disturbance delays, arrive as a whole.
     * \param receiver device of that end
     * \param header how many bytes; 0 = all
     */
    void SetCutThrough(const QbbNetDevice& receiver, uint32_t header);

    /// \param receiver device of an end \return place of its arrivals among the events of one nanosecond
    uint32_t GetArrivalOrder(const QbbNetDevice& receiver) const
    {
        return RCC_ORDER_ARRIVAL + 2 * GetId() + (PeekPointer(m_devices[0]) == &receiver ? 0 : 1);
    }

    /**
     * Lose, corrupt, delay or duplicate frames, in both directions.
     * \param disturbance not owned, outlives the traffic; null: carry all frames
     */
    void SetDisturbance(QbbLinkDisturbance* disturbance)
    {
        m_disturbance = disturbance;
        UpdateDisturbed();
    }

    /**
     * Put a frame that nobody has sent on the link.
     * \param end 0 or 1, the end it seems to leave from
     * \param frame ownership passes to the channel
     * \param now ns
     */
    void Inject(uint32_t end, RccFrame* frame, int64_t now);

    /**
     * Lose frames at random: of data, which are those of queue pairs and of other stacks, or of every kind, see the
     * attribute LosesEveryKind.
     * \param probability of each frame, 0..1
     * \param stream of RccDraw; the directions draw from streams of their own
     */
    void SetErrorRate(double probability, uint64_t stream);

    /**
     * Take the link down, in both directions. What is on the way is lost, and what waits at the ends.
     * \param now ns
     */
    void TakeDown(int64_t now);

    /// Let a link that is down carry frames again; hosts use the port at once, switches when routes say so. \param now
    /// ns
    void BringUp(int64_t now);

    /// A device is disposed: what is on the link is gone, and what is sent to it from now on is lost. \param end its
    /// own
    void Leave(uint32_t end);

    /// \return QbbPortOwner::DescribeStart of one of its ends
    std::string DescribeStart() const;

    /// \return whether TakeDown was called, and BringUp was not since
    bool IsDown() const
    {
        return m_down;
    }

    /// \return number of frames that were lost on this link
    uint64_t GetLostFrames() const
    {
        return m_unusual ? m_unusual->lost : 0;
    }

    /// \param end 0 or 1 \return frames more than were sent from there: duplicates and those of Inject
    uint64_t GetAddedFrames(uint32_t end) const
    {
        return m_unusual ? m_unusual->added[end] : 0;
    }

  private:
    /// The state that frames on an undisturbed link touch, in two lines of the cache.
    struct alignas(RCC_LINE) Direction
    {
        RccFrameLine frames;
        QbbNetDevice* receiver{nullptr};
        int64_t delayNs{0};
        uint32_t header{0};    //!< bytes after which a frame arrives; 0 = the whole frame
        bool leaves{false};    //!< the receiver belongs to another rank
        bool disturbed{false}; //!< frames may be lost, changed, leave for another rank, or arrive with their header
    };

    static_assert(sizeof(void*) != 8 || sizeof(Direction) == 2 * RCC_LINE, "two lines");

    /// Frames that arrive later than those sent after them, by their time.
    /// What few links have.
    struct Unusual
    {
        rcc_link_loss losses[2] = {}; //!< by the end the frames leave from
        uint64_t added[2] = {};       //!< duplicates and injected frames, by direction
        uint64_t lost{0};             //!< frames
    };

    Unusual& GetUnusual()
    {
        if (!m_unusual)
        {
            m_unusual.reset(new Unusual());
        }
        return *m_unusual;
    }

    struct Late
    {
        std::multimap<int64_t, std::pair<uint32_t, RccFrame*>> frames; //!< end they left from
        RccEvent event;
        QbbChannel* self;
    };

    void DoDispose() override;
    void Clear();
    void SendDisturbed(uint32_t end, RccFrame* frame, int64_t due, int64_t now);
    void Carry(uint32_t end, RccFrame* frame, int64_t due, int64_t now);
    void AddLate(uint32_t end, RccFrame* frame, int64_t due, int64_t now);
    void UpdateDisturbed()
    {
        for (auto& d : m_directions)
        {
            d.disturbed = m_down || (m_unusual && m_unusual->losses[0].limit) || m_disturbance || d.leaves ||
                          d.header || !d.receiver;
        }
    }
    bool Loses(uint32_t end, const RccFrame* frame);
    void Lose(uint32_t end, RccFrame* frame);
    static void Arrived(void* direction, int64_t now);
    static void Prefetch(void* direction, uint32_t step);
    static void LateArrived(void* late, int64_t now);

    Direction m_directions[2]; //!< by the end the frames leave from
    Ptr<QbbNetDevice> m_devices[2];
    Ptr<RccFramePool> m_pool;
    std::size_t m_nDevices{0};
    std::unique_ptr<Unusual> m_unusual; //!< null until a link may lose frames, has lost or added one
    QbbLinkDisturbance* m_disturbance{nullptr};
    std::unique_ptr<Late> m_late; //!< null until a frame is late
    bool m_down{false};
    bool m_losesEveryKind{false};
};

extern template class RccInSlabs<QbbChannel>;

} // namespace ns3

#endif /* QBB_CHANNEL_H */
