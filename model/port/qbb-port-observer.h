/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_PORT_OBSERVER_H
#define QBB_PORT_OBSERVER_H

#include "rcc-frame.h"

#include <cstdint>

namespace ns3
{

class QbbNetDevice;

/// What happens to a frame at a port.
enum class QbbFrameEvent : uint8_t
{
    RECEIVED,
    ENQUEUED,
    DEQUEUED, //!< begins its transmission, also if it waited in no queue
    DROPPED
};

/// An observer of the frames at ports; see QbbNetDevice::SetFrameObserver.
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
    virtual void FrameSeen(QbbFrameEvent event, const QbbNetDevice& port, const RccFrame& frame, int64_t now) = 0;
};

/// Byte and frame counts of a port.
struct QbbPortCounters
{
    uint64_t txFrames{0};       //!< frames sent
    uint64_t txBytes{0};        //!< bytes sent, on the wire
    uint64_t rxFrames{0};       //!< frames received
    uint64_t rxBytes{0};        //!< bytes received, on the wire
    uint64_t pausesSent{0};     //!< PFC frames sent that pause, refreshes included
    uint64_t resumesSent{0};    //!< PFC frames sent that resume
    uint64_t pausesReceived{0}; //!< from running to paused, per class
};

/// Packets of the internet stack at a port of a host.
struct QbbIpCounters
{
    uint64_t sent{0};      //!< queued for the link
    uint64_t received{0};  //!< handed to the stack
    uint64_t queueFull{0}; //!< dropped: IpQueueSize
    uint64_t refused{0};   //!< dropped: no host has this address, larger than the MTU, or not a host's port
};

/// Follows the length of one port's queue; see QbbNetDevice::SetQueueMonitor.
class QbbQueueMonitor
{
  public:
    virtual ~QbbQueueMonitor() = default;
    /**
     * The length of the port's queues is about to change.
     * \param bytes in all of them until now
     * \param now ns
     */
    virtual void QueueWas(uint64_t bytes, int64_t now) = 0;
};

} // namespace ns3

#endif /* QBB_PORT_OBSERVER_H */
