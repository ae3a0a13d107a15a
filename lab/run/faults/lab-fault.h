/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_FAULT_H
#define LAB_FAULT_H

#include "ns3/rcc-frame.h"

#include <cstdint>
#include <string>

namespace ns3
{

/// Kinds of faults. LOSE to DUPLICATE pick frames on links.
enum class LabFaultKind : uint8_t
{
    LINK_DOWN,    //!< a link goes down, and up again; also several times
    RATE,         //!< a link has a lower rate
    LOSE,         //!< frames do not arrive
    CORRUPT,      //!< frames arrive with a wrong ICRC; PFC and IP frames do not arrive
    DELAY,        //!< frames arrive later, behind those that were sent after them
    DUPLICATE,    //!< frames arrive twice
    PAUSE,        //!< a host pauses a class of its link, and refreshes the pause
    STOP_READING, //!< a host reads no data; its NIC pauses the link when its memory is full
    RESTART,      //!< a switch loses all it holds and all its links, and starts again
    SLOW_NP,      //!< CNPs leave a host one by one, with a least time between them
    FORGE         //!< a host gets frames that nobody has sent
};

/// One fault. Times are in ns, each at most 10^15.
struct LabFault
{
    /// LabFault::node and others: any.
    static const uint32_t ALL = UINT32_MAX;
    /// LabFault::frames: all kinds but PFC.
    static const uint32_t ALL_BUT_PFC = 0xffu & ~(1u << static_cast<uint32_t>(RccFrameKind::PFC));
    /// LabFault::frames: DATA, ACK and NAK.
    static const uint32_t PACKETS = 1u << static_cast<uint32_t>(RccFrameKind::DATA) |
                                    1u << static_cast<uint32_t>(RccFrameKind::ACK) |
                                    1u << static_cast<uint32_t>(RccFrameKind::NAK);

    LabFaultKind kind{LabFaultKind::LOSE};
    uint32_t line{0};   //!< in the file it is from; 0: from none
    uint32_t node{ALL}; //!< id of the host or switch; of a link, of its first end
    uint32_t peer{ALL}; //!< id of the link's other end
    bool oneWay{false}; //!< only frames from `node` to `peer`
    int64_t at{0};      //!< when it begins
    int64_t lasts{-1};  //!< for how long; -1: to the end of the run
    int64_t time{0};    //!< DELAY: by how much; SLOW_NP, FORGE and a LINK_DOWN of several times: from one to the next
    uint64_t count{0};  //!< LINK_DOWN: times, at most 10^6; FORGE: frames; others: frames at most; 0 = no limit
    uint32_t frames{ALL_BUT_PFC}; //!< kinds that are picked, one bit each; FORGE: the kind
    double probability{1};        //!< that a frame is picked, on average
    uint32_t burst{1}; //!< mean number of picked frames in a row (Gilbert's two states); 1: independent of each other
    uint64_t rate{0};  //!< RATE: bit/s
    uint64_t bytes{65536};       //!< STOP_READING: memory of the NIC
    uint32_t qp{0};              //!< FORGE: queue pair
    uint64_t psn{1u << 20};      //!< FORGE: packet number
    uint32_t period{0};          //!< FORGE: period of a CNP
    uint8_t cls{QBB_RDMA_CLASS}; //!< PAUSE: traffic class

    /// \return the name of its kind in files
    const char* GetName() const
    {
        return NameOf(kind);
    }

    /// \return whether bursts of this mean length, with a frame that is not picked between two of them, can have its
    /// probability
    bool HasPossibleBursts() const
    {
        return burst <= 1 || probability * (burst + 1.0) <= burst * (1 + 1e-12);
    }

    /// \return where it is, as files have it: "link=4-6", "host=3"
    std::string GetPlace() const;

    /// \param kind of a fault \return its name in files
    static const char* NameOf(LabFaultKind kind);
};

} // namespace ns3

#endif /* LAB_FAULT_H */
