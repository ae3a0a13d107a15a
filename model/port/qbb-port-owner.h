/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_PORT_OWNER_H
#define QBB_PORT_OWNER_H

#include "ns3/rcc-event.h"
#include "ns3/rcc.h"
#include "rcc-frame.h"

#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/// The demands of a queue pair on the switches between its ends.
struct QbbWay
{
    uint32_t dst;         //!< node id of the receiver
    uint8_t cls;          //!< traffic class of its data
    uint8_t dscp;         //!< RccTag::dscp of its data
    rcc_cp_frames frames; //!< frames that its congestion points watch; RCC_CP_NONE: it needs none
    bool pint;            //!< the telemetry of the frames has the form RCC_INT_PINT
};

/**
 * \ingroup rcc
 * What stands behind a port: a switch or a NIC. The port calls it; none of these functions may call back into the
 * port's transmit path except through QbbNetDevice::Enqueue and QbbNetDevice::Kick.
 *
 * In all functions `port` is the owner's number of the port, and `now` is in ns.
 */
class QbbPortOwner
{
  public:
    virtual ~QbbPortOwner() = default;

    /**
     * A frame other than PFC has arrived.
     * \param port it arrived at
     * \param frame ownership passes to the callee
     * \param now when its last bit arrived; at a cut-through switch, where RccFrame::rest is not 0, when its header did
     */
    virtual void FrameArrived(uint32_t port, RccFrame* frame, int64_t now) = 0;

    /**
     * A frame will arrive soon: fetch from memory what that touches, one pointer after the other. Changes nothing.
     * \param port it will arrive at
     * \param frame on its way
     * \param step RCC_PREFETCH_OWNER or a later one: what the steps before it have fetched is there
     */
    virtual void PrefetchArrival(uint32_t port, const RccFrame& frame, uint32_t step)
    {
        (void)port;
        (void)frame;
        (void)step;
    }

    /**
     * A queued frame begins its transmission and has left the queue of its class.
     * \param port whose queue it was in
     * \param frame stays the port's; the callee may set its ECN field
     * \param now when its first bit leaves
     */
    virtual void FrameLeaves(uint32_t port, RccFrame* frame, int64_t now) = 0;

    /// \return after what attributes of its ports and their links stay as they are; empty: they may change
    virtual std::string DescribeStart() const
    {
        return "";
    }

    /// \return bytes of the largest frame of its own that the owner sends, without 802.1Q tag and telemetry; 0 = none
    virtual uint32_t GetLargestFrame() const
    {
        return 0;
    }

    /**
     * Check what a queue pair needs of a switch on its way.
     * \param[in,out] way of the queue pair, whose class the switch may change
     * \param[out] why if it is not there, what to do
     * \return the port that leads on; null at a host, and where the check ends
     */
    virtual const QbbNetDevice* CheckWay(QbbWay& way, std::string* why) const
    {
        (void)way;
        (void)why;
        return nullptr;
    }

    /**
     * The peer of a port has paused or resumed classes.
     * \param port whose classes these are
     * \param paused the state of all classes, one bit each
     * \param now when it changed
     */
    virtual void PauseChanged(uint32_t port, uint8_t paused, int64_t now)
    {
        (void)port;
        (void)paused;
        (void)now;
    }

    /**
     * A queued frame is lost because its link went down.
     * \param port whose queue it was in
     * \param frame ownership passes to the callee
     * \param now when the link went down
     */
    virtual void FrameLost(uint32_t port, RccFrame* frame, int64_t now)
    {
        (void)port;
        (void)now;
        RccFramePool::Current()->Put(frame);
    }

    /**
     * The link of a port went down; its queues are empty now and nothing is paused.
     * \param port whose link it was
     * \param now when it went down
     */
    virtual void LinkDown(uint32_t port, int64_t now)
    {
        (void)port;
        (void)now;
    }

    /**
     * The link of a port is up again.
     * \param port whose link it is
     * \param now when it came up
     */
    virtual void LinkUp(uint32_t port, int64_t now)
    {
        (void)port;
        (void)now;
    }
};

/**
 * \ingroup rcc
 * The owner of a host's port. Beside what is queued at the port it has frames of its own, which it makes when their
 * transmission begins: the port asks for them. Ports with such an owner carry packets of the internet stack as well.
 */
class QbbFrameSource : public QbbPortOwner
{
  public:
    /**
     * The port is free and no queued frame is to be sent: the source may have one.
     * \param port that is free
     * \param now ns
     * \param paused classes that are paused, one bit each
     * \return a frame to send now, or null; null promises that NextDue is after now
     */
    virtual RccFrame* NextFrame(uint32_t port, int64_t now, uint8_t paused) = 0;

    /**
     * \param port whose next frame it is
     * \param paused classes that are paused, one bit each
     * \return when NextFrame will have a frame if nothing happens, ns; RCC_TIME_NEVER if never
     */
    virtual int64_t NextDue(uint32_t port, uint8_t paused) = 0;

    /**
     * The port will ask for a frame soon: fetch what that touches.
     * \param port that will ask
     * \param step RCC_PREFETCH_OWNER or a later one
     */
    virtual void PrefetchSend(uint32_t port, uint32_t step)
    {
        (void)port;
        (void)step;
    }
};

/// An event of a frame at a port.
enum class QbbFrameEvent : uint8_t
{
    RECEIVED,
    ENQUEUED,
    DEQUEUED, //!< begins its transmission, also if it waited in no queue
    DROPPED
};

/// The events that an observer sees, see QbbNetDevice::AddObserver.
enum QbbObserve : uint32_t
{
    QBB_OBSERVE_FRAMES = 1u << 0, //!< FrameSeen
    QBB_OBSERVE_QUEUE = 1u << 1   //!< QueueWas
};

/// An observer of ports: of their frames, of the length of their queues, or of both.
class QbbFrameObserver
{
  public:
    virtual ~QbbFrameObserver() = default;

    /**
     * Something happened to a frame.
     * \param event what happened
     * \param port where
     * \param frame valid during the call only
     * \param now ns
     */
    virtual void FrameSeen(QbbFrameEvent event, const QbbNetDevice& port, const RccFrame& frame, int64_t now);

    /**
     * The length of the port's queues is about to change.
     * \param bytes in all of them until now
     * \param now ns
     */
    virtual void QueueWas(uint64_t bytes, int64_t now);
};

inline void
QbbFrameObserver::FrameSeen(QbbFrameEvent, const QbbNetDevice&, const RccFrame&, int64_t)
{
}

inline void
QbbFrameObserver::QueueWas(uint64_t, int64_t)
{
}

/// Byte and frame counts of a port.
struct QbbPortCounters
{
    uint64_t txFrames{0};       //!< frames sent
    uint64_t txBytes{0};        //!< bytes sent, on the wire
    uint64_t rxFrames{0};       //!< frames received
    uint64_t rxBytes{0};        //!< bytes received, on the wire
    uint64_t pausesSent{0};     //!< PFC frames sent that pause, refreshes included
    uint64_t resumesSent{0};    //!< PFC frames sent that resume
    uint64_t pausesReceived{0}; //!< changes of a class from running to paused
};

/// Packets of the internet stack at a port of a host.
struct QbbIpCounters
{
    uint64_t sent{0};      //!< queued for the link
    uint64_t received{0};  //!< handed to the stack
    uint64_t queueFull{0}; //!< dropped: IpQueueSize
    uint64_t refused{0};   //!< dropped: no host has this address, larger than the MTU, or not a host's port
};

} // namespace ns3

#endif /* QBB_PORT_OWNER_H */
