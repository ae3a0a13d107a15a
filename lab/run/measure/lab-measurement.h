/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_MEASUREMENT_H
#define LAB_MEASUREMENT_H

#include "lab-flow-set.h"
#include "lab-results.h"

#include "ns3/rcc-units.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// Running totals of a run at one time. Of a frame that leaves at that time they have the bits that have left.
struct LabMark
{
    int64_t at{0};                //!< ns
    uint64_t tx{0};               //!< bytes on the wire of the bottleneck ports
    uint64_t sent{0};             //!< bytes on the wire that the NICs of the flows have sent
    double capacity{0};           //!< bytes that the bottleneck ports could have sent
    LabQueueStats::Moments queue; //!< the watched port's

    /// \param from an earlier time \param bytes tx or sent \return what was counted since, as a part of the capacity
    double GetPart(const LabMark& from, uint64_t LabMark::*bytes) const
    {
        return capacity > from.capacity ? static_cast<double>(this->*bytes - from.*bytes) / (capacity - from.capacity)
                                        : 0;
    }
};

/**
 * The measures of a run: the queue of the watched port, and over the window how much of their capacity the bottleneck
 * ports and the senders use.
 */
struct LabMeasurement
{
    /// \param set flows of the run, outlive this
    explicit LabMeasurement(LabFlowSet& set) : flows(set)
    {
    }

    ~LabMeasurement();

    /// See LabRun::Watch. \param longBytes what counts as a long queue for the time to drain, bytes
    void Watch(Ptr<QbbNetDevice> watched, const std::string& itsName, uint64_t longBytes);

    /// The averages begin with what is sent from now on.
    void BeginWindow();
    /// The first half of the window ends now.
    void HalveWindow();
    /// The averages end now.
    void EndWindow();

    /// \return the totals until now
    LabMark Now() const;

    /// \return how long the window was; after it has ended
    double GetWindowSeconds() const
    {
        return RccSeconds(end.at - begin.at);
    }

    /// \return whether the window has two halves; after it has ended
    bool IsHalved() const
    {
        return halfQueue && middle.at > begin.at && end.at > middle.at;
    }

    /// \return sum of the rates of the bottleneck ports, bit/s
    uint64_t GetRate() const;

    /// \return bytes in the watched queue
    uint64_t GetQueueBytes() const
    {
        return gathered ? lastBytes : port->GetQueueBytesTotal();
    }

    /// In one of several ranks, after the run: learn what the others measured.
    void Gather(RccGateway& ranks);

    LabFlowSet& flows;
    std::vector<Ptr<QbbNetDevice>> bottlenecks; //!< ports whose bytes count for the utilization

    // The watched port's, written by Watch.
    Ptr<QbbNetDevice> port;
    std::string name;
    uint64_t longQueue{0};                //!< least bytes of a long queue
    std::unique_ptr<LabQueueStats> queue; //!< until now

    // Written by BeginWindow, HalveWindow and EndWindow.
    LabMark begin, middle, end;                 //!< marks of the window
    bool ended{false};                          //!< whether the window has
    std::unique_ptr<LabQueueStats> halfQueue;   //!< the queue as it was in the middle of the window; null: never halved
    std::unique_ptr<LabQueueStats> windowQueue; //!< the queue's statistics at the window's end

    // Written by Gather.
    bool gathered{false};  //!< all of the above is that of all ranks
    uint64_t lastBytes{0}; //!< in the watched queue at the end
};

} // namespace ns3

#endif /* LAB_MEASUREMENT_H */
