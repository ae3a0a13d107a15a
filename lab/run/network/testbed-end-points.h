/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef TESTBED_END_POINTS_H
#define TESTBED_END_POINTS_H

#include "lab-network.h"

#include <map>
#include <memory>
#include <set>

namespace ns3
{

/// End points of a laboratory that lose chosen packets on their link, and emit PFC, on purpose.
class TestbedEndPoints
{
  public:
    /// \param file of the run \param run is told of what never happens \param testbed the
    /// network
    TestbedEndPoints(const RunFile& file, LabRun& run, const LabNetwork& testbed);

    /// Add what became of the lost packets, if there are any. \param json of run.json
    void AddResults(LabJson& json) const;

    /// \return packets to lose that no queue pair has sent
    uint64_t CountUnsent() const;

  private:
    /// From the first packet behind a gap to the packet that was missing, in the queue pairs of one receiver.
    struct Gaps
    {
        /// The packets that have come to a receiving half.
        struct Half
        {
            uint64_t next{0};                 //!< number behind the last packet that has come, in the order of numbers
            std::map<uint64_t, int64_t> open; //!< begin of each open gap, ns, by the first number that is missing
        };

        std::map<uint32_t, Half> halves; //!< by number
        std::vector<int64_t> lasted;     //!< gaps that are closed, ns
        static void HandleData(Gaps* gaps, uint32_t qp, const RccFrame& frame);
    };

    /// Loses the first transmission of chosen data packets of each queue pair.
    struct Loss : QbbLinkDisturbance
    {
        uint32_t src;                                   //!< node id of the sender
        std::map<uint64_t, std::set<uint32_t>> packets; //!< chosen ones, each with the queue pairs that have lost it
        uint64_t lost{0};                               //!< frames
        Fate FrameSent(uint32_t end, const RccFrame& frame, int64_t now) override;
    };

    /// Emits PFC on a host's link.
    struct Pauses
    {
        Ptr<QbbNetDevice> device;
        uint8_t classes;
        int64_t start, stop, every, lasts; //!< ns; stop -1: never
        int64_t until;                     //!< end of the pause that is asked for, ns; -1: none is
        RccEvent event;
        static void Step(void* pauses, int64_t now);
    };

    void WatchGaps(const LabNetwork& testbed);
    void AddLoss(const LabNetwork& testbed, const RunLose& lose);
    void AddPauses(const LabNetwork& testbed, const RunPause& pause);

    std::vector<std::unique_ptr<Loss>> m_losses;
    std::vector<std::unique_ptr<Pauses>> m_pauses;
    std::vector<std::unique_ptr<Gaps>> m_gaps;
};

} // namespace ns3

#endif /* TESTBED_END_POINTS_H */
