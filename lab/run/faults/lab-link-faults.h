/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Parts of LabFaults: what it puts on links and between a port and its NIC. Programs include lab-faults.h. */
#ifndef LAB_LINK_FAULTS_H
#define LAB_LINK_FAULTS_H

#include "lab-faults.h"

namespace ns3
{

/**
 * Let a host pause its links for as long as a PFC frame can, or resume them.
 * \param nic of the host
 * \param classes one bit each
 * \param pause false: resume
 * \return ns after which a pause has to be refreshed
 */
int64_t LabPauseLinks(const RdmaNic& nic, uint8_t classes, bool pause);

/// The faults that pick frames on one link, for LabFaults.
class LabLinkFaults : public QbbLinkDisturbance
{
  public:
    /// \param faults owns this
    explicit LabLinkFaults(LabFaults& faults) : m_faults(faults)
    {
    }

    /**
     * Add a fault.
     * \param number in LabFaults
     * \param end of the link that the frames leave from
     * \param stream of its draws
     */
    void Add(size_t number, uint32_t end, uint64_t stream)
    {
        m_active[end].push_back(Active{number, stream, 0, false, 0});
    }

    // QbbLinkDisturbance
    Fate FrameSent(uint32_t end, const RccFrame& frame, int64_t now) override;

  private:
    /// A fault on frames in one direction.
    struct Active
    {
        size_t number;
        uint64_t stream;
        uint64_t draws;
        bool bad;     //!< with bursts: frames are picked now
        int64_t next; //!< SLOW_NP: when the next CNP may leave, ns
    };

    bool Picks(Active& active, const RunFault& fault);
    void Apply(Active& active, const RunFault& fault, Fate& fate, int64_t now);

    LabFaults& m_faults;
    std::vector<Active> m_active[2]; //!< by end
};

} // namespace ns3

#endif /* LAB_LINK_FAULTS_H */
