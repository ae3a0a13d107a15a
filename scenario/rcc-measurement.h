/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_MEASUREMENT_H
#define RCC_MEASUREMENT_H

#include "rcc-flow-set.h"
#include "rcc-results.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * What a run measures: the queue of the watched port, and over the window how much of their capacity the bottleneck
 * ports and the senders use. Running totals become differences when the window ends.
 */
struct RccMeasurement
{
    /// \param flows outlive this
    explicit RccMeasurement(RccFlowSet& flows);
    ~RccMeasurement();

    /// See RccRun::Watch. \param longBytes what counts as a long queue for the time to drain, bytes
    void Watch(Ptr<QbbNetDevice> watched, const std::string& itsName, uint64_t longBytes);

    /// See RccRun::AddBottleneck.
    void AddBottleneck(Ptr<QbbNetDevice> bottleneck);

    /// The watched port is the bottleneck if no other was added.
    void CompleteBottlenecks();

    /// The averages begin with what is sent from now on.
    void BeginWindow();
    /// The averages end now.
    void EndWindow();

    /// \return bytes on the wire of the bottleneck ports until now
    uint64_t CountTx() const;
    /// \return bytes that the bottleneck ports could have sent until now
    double CountCapacity() const;
    /// \return sum of the rates of the bottleneck ports, bit/s
    uint64_t GetRate() const;
    /// \return bytes on the wire that the NICs of the flows have sent until now
    uint64_t CountSent() const;

    /// \return part of the bottlenecks' capacity in the window that they used
    double GetUtilization() const;
    /// \return the same for what the senders sent
    double GetSendUtilization() const;

    /// \return bytes in the watched queue
    uint64_t GetQueueBytes() const
    {
        return port->GetQueueBytesTotal();
    }

    /// \return length of the window, s
    double GetWindowSeconds() const
    {
        return static_cast<double>(windowEnd - windowStart) / 1e9;
    }

    // Of the watched port; written by Watch.
    Ptr<QbbNetDevice> port;
    std::string name;
    uint64_t longQueue{0};                //!< what counts as a long queue, bytes
    std::unique_ptr<RccQueueStats> queue; //!< until now

    // Written by BeginWindow and EndWindow.
    int64_t windowStart{0}, windowEnd{-1};      //!< ns; end -1: not yet
    std::unique_ptr<RccQueueStats> windowQueue; //!< the queue as it was at the end of the window

  private:
    RccFlowSet& m_flows;
    std::vector<Ptr<QbbNetDevice>> m_bottlenecks;
    uint64_t m_windowTx{0}, m_windowSent{0}; //!< bytes when the window began; from its end on: in it
    double m_windowCapacity{0};              //!< the same
};

} // namespace ns3

#endif /* RCC_MEASUREMENT_H */
