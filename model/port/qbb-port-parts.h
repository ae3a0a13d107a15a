/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_PORT_PARTS_H
#define QBB_PORT_PARTS_H

#include "ns3/rcc-event.h"
#include "ns3/rcc-trace.h"
#include "ns3/rcc_switch.h"
#include "ns3/rcc_turns.h"
#include "qbb-port-owner.h"

#include "ns3/net-device-queue-interface.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <string>

namespace ns3
{

/*
 * Parts of a QbbNetDevice that most ports of a large network never use. Each is made when it is used for the first
 * time.
 */

/// The trace sources of a port, by their names; made when the first sink connects.
struct QbbPortTraces
{
    /// Sources that frames pass, one bit each.
    enum Source : uint32_t
    {
        QUEUE = 1u << 2, // lower bits are QbbNetDevice's
        ENQUEUE = 1u << 3,
        DEQUEUE = 1u << 4,
        DROP = 1u << 5,
        RECEIVE = 1u << 6,
        TX_BEGIN = 1u << 7,
        RX_END = 1u << 8,
        RX_DROP = 1u << 9,
        SNIFFER = 1u << 10,
        PROMISC = 1u << 11,
        PFC_SENT = 1u << 12
    };

    uint32_t watch{0};                                          //!< sources that have a sink
    TracedCallback<Ptr<const Packet>> macTx;                    //!< source MacTx
    TracedCallback<Ptr<const Packet>> macTxDrop;                //!< source MacTxDrop
    TracedCallback<Ptr<const Packet>> macRx;                    //!< source MacRx
    TracedCallback<uint8_t, bool> pause;                        //!< source Pause
    RccTrace<uint8_t, uint64_t, uint64_t> queue{watch, QUEUE};  //!< source QueueBytes
    RccTrace<uint8_t, uint16_t> pfcSent{watch, PFC_SENT};       //!< source PfcSent
    RccTrace<const RccFrame&> enqueue{watch, ENQUEUE};          //!< source Enqueue
    RccTrace<const RccFrame&> dequeue{watch, DEQUEUE};          //!< source Dequeue
    RccTrace<const RccFrame&> drop{watch, DROP};                //!< source Drop
    RccTrace<const RccFrame&> receive{watch, RECEIVE};          //!< source Receive
    RccTrace<Ptr<const Packet>> phyTxBegin{watch, TX_BEGIN};    //!< source PhyTxBegin
    RccTrace<Ptr<const Packet>> phyRxEnd{watch, RX_END};        //!< source PhyRxEnd
    RccTrace<Ptr<const Packet>> phyRxDrop{watch, RX_DROP};      //!< source PhyRxDrop
    RccTrace<Ptr<const Packet>> sniffer{watch, SNIFFER};        //!< source Sniffer
    RccTrace<Ptr<const Packet>> promiscSniffer{watch, PROMISC}; //!< source PromiscSniffer
    const RccFrame* left{nullptr}; //!< the frame that left a queue and begins its transmission
};

/// How the classes of a port share the link; made with the first rule.
struct QbbPortRules
{
    rcc_turns_rules turns{}; //!< beside the class with strict priority
    std::string weights;     //!< the text of turns.weight
};

/// The pauses that a port was asked for; made with the first.
struct QbbPortPauses
{
    rcc_pfc_state state{}; //!< the classes that pause, and until when
    RccEvent event;        //!< due when the next pause ends by itself
};

/// The state of a port for the internet stack; made with the first packet, or with the first callback for changes of
/// the link.
struct QbbPortIp
{
    QbbIpCounters counters;             //!< packets
    Ptr<NetDeviceQueue> queue;          //!< through which the traffic control layer is told to wait; may be null
    uint32_t waiting[QBB_CLASSES] = {}; //!< bytes of its packets in the egress queues
    TracedCallback<> linkChange;        //!< the callbacks of AddLinkChangeCallback
    uint8_t stopped{0};                 //!< classes without space, for which the stack was told to wait
};

} // namespace ns3

#endif /* QBB_PORT_PARTS_H */
