/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_FRAME_H
#define RCC_FRAME_H

#include "ns3/rcc_selective.h"
#include "ns3/rcc_wire.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

namespace ns3
{

struct CioqRecord;
struct RdmaSendQp;

/// The part that few frames have: telemetry of the switches that a frame has passed, and the SACK header of an answer
/// of selective repeat; in RccFramePool.
struct RccPath
{
    rcc_wire_int records; //!< the records in the form of the core; valid with RccFrame::telemetry
    rcc_sack sack;        //!< the header in the form of the core; valid with RccFrame::sacked
    RccPath* next;        //!< the next one of the pool's free list
};

/// Traffic classes of a port, as in IEEE 802.1Qbb.
static const uint8_t QBB_CLASSES = RCC_CLASSES;

static const uint8_t QBB_RDMA_CLASS = 3;    //!< the class of RDMA data, unless attributes say otherwise
static const uint8_t QBB_CONTROL_CLASS = 7; //!< the class of ACKs, NAKs, CNPs and CNMs, unless attributes say otherwise

/// Kind of a frame. Headers are written only for a capture or a trace (RccWire).
enum class RccFrameKind : uint8_t
{
    DATA,    //!< RoCEv2 data
    ACK,     //!< RoCEv2 acknowledgement
    NAK,     //!< RoCEv2 negative acknowledgement (PSN sequence error)
    CNP,     //!< RoCEv2 congestion notification packet
    CNM,     //!< 802.1Qau congestion notification message
    PFC,     //!< 802.1Qbb priority-based flow control, link-local
    IP,      //!< a packet of ns-3's internet stack
    CORRUPT, //!< a RoCEv2 frame or CNM whose check is wrong: carried like any other, and rejected by the host it is for
    TRIMMED  //!< DATA whose payload a switch has cut off (rcc_trim.h); it has the fields of DATA
};

/// ECN field of the IP header (RFC 3168).
enum class RccEcn : uint8_t
{
    NOT_ECT = 0,
    ECT1 = 1,
    ECT0 = 2,
    CE = 3
};

/// The fields beside its class by which a frame is classified anew.
struct RccTag
{
    uint16_t vlan; //!< 802.1Q: VLAN_TAGGED + VLAN id, its priority is the class; 0 = untagged
    uint8_t dscp;  //!< 1 + DSCP of the IP header; 0 = 8 x class, or no IP header
    uint8_t was;   //!< CORRUPT: the RccFrameKind before it
};

#ifdef __clang__ // a struct without a name in a union is an extension, as gcc knows by __extension__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnested-anon-types"
#endif

/**
 * A frame in flight: a small plain struct from a pool. Byte counts are what the
 * wire carries from the destination address to the frame check sequence.
 */
struct alignas(32) RccFrame
{
    // Queues and switches read the first fields: few frames are still in the cache when their turn comes.
    RccFrame* next;    //!< the queue, link or free list it is on
    uint32_t bytes;    //!< bytes on the wire
    uint32_t dst;      //!< host node id; of an IP frame it may be RCC_ALL_HOSTS
    uint32_t hash;     //!< the flow's hash, for ECMP
    uint32_t src;      //!< host node id
    uint16_t input;    //!< in a switch: the port it came in through
    RccFrameKind kind; //!< which fields hold
    RccEcn ecn;        //!< ECN field
    uint8_t cls;       //!< traffic class
    union {
        uint8_t extras; //!< the next five
        __extension__ struct
        {
            bool cnTagged : 1;     //!< DATA: the source is a QCN reaction point
            uint8_t telemetry : 2; //!< DATA, ACK, NAK: an rcc_int_form; not 0: `path` holds
            bool delays : 1;       //!< DATA: the ACK has `remote` and `hops` on the wire; ACK: it has
            bool sacked : 1;       //!< ACK, NAK: of selective repeat, with a SACK header; `path` holds
        };
    };
    uint8_t hops; //!< switches that it has passed
    union {
        bool ackRequest; //!< DATA: BTH AckReq
        bool ceEcho;     //!< ACK: the packet it acknowledges carried CE
    };

    // Links and receivers read the next fields as well.
    int64_t due; //!< on a link: arrival time, ns
    union {
        uint64_t psn; //!< packet sequence number, not wrapped to 24 bits
        uint64_t mac; //!< IP: destination MAC address, 48 bits; srcQp is the source's port
    };
    int64_t stamp;    //!< DATA: when it left; ACK: that of the packet it acknowledges, ns
    uint32_t payload; //!< bytes of the message, without headers; IP: bytes of the packet, with its headers
    uint32_t dstQp;   //!< index of the receiving half; in an answer, of the sending half

    // Only frames of some kinds have the last fields.
    union {
        uint16_t pfcQuanta[QBB_CLASSES]; //!< PFC: in 512 bit times, by class
        __extension__ struct
        {
            union {
                Packet* packet; //!< IP: owns one reference
                RccPath* path;  //!< with telemetry, or sacked: owned; null = no switch has stamped it yet
                const RdmaSendQp*
                    half; //!< other ACK, NAK, CNP: the sending half, to be fetched ahead; null = not known
                __extension__ struct
                {
                    int32_t qoff;   //!< CNM: Q - Qeq, bytes
                    int32_t qdelta; //!< CNM: Q - Qold, bytes
                };
            };
            union {
                CioqRecord* record; //!< in a CioqSwitch: the record of the frame; null = none
                uint32_t rest;      //!< at a cut-through QbbSwitch: ns until its last bit has come
            };
        };
    };
    uint32_t srcQp; //!< DATA: index of the sending half; IP: port of the source
    union {
        uint32_t period;    //!< CNP: period field, ns
        uint32_t remote;    //!< ACK: part of the round trip that passed in the receiver, ns
        uint32_t etherType; //!< IP
        uint32_t dmaLength; //!< DATA, first packet of an RDMA WRITE: bytes of the message, at most 2^31
    };
    RccTag tag; //!< VLAN and DSCP
    union {
        uint8_t pfcMask;   //!< PFC: class-enable vector
        uint8_t qfb;       //!< CNM
        uint8_t dataClass; //!< ACK, NAK: class of the data that it answers
    };
    union {
        bool first;       //!< DATA: first packet of its message
        uint8_t dataHops; //!< ACK, NAK: switches that the packet it answers has passed
    };
    bool last; //!< DATA: last packet of its message
    union {
        bool write;     //!< DATA: RDMA WRITE, whose first packet has a RETH; false: SEND
        bool linkPause; //!< PFC: a PAUSE frame of 802.3x, which stops all classes
    };
};

#ifdef __clang__
#pragma clang diagnostic pop
#endif

static_assert(sizeof(RccFrame) == 96, "two cache lines of it wherever it begins");

/**
 * Write what a frame is on one line: its kind, then name=value in this order, only those that its kind has:
 * src and dst (node ids; dst=all of a broadcast), qp (indices of the sending and the receiving half at the two NICs),
 * psn, bytes (on the wire), class, ecn (NotECT, ECT0, ECT1, CE), and
 * DATA: ack (1: asks for one); ACK: ce (1: echoes a mark); CNP: period (ns); CNM: qfb, qoff, qdelta;
 * PFC: quanta=CLASS:QUANTA for each class it speaks of, joined by commas.
 * \param out stream to write to
 * \param frame of any kind
 * \return out
 */
std::ostream& operator<<(std::ostream& out, const RccFrame& frame);

/** Header bytes around a RoCEv2 payload: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4. */
static const uint32_t ROCE_OVERHEAD =
    RCC_WIRE_ETHERNET + RCC_WIRE_IPV4 + RCC_WIRE_UDP + RCC_WIRE_BTH + RCC_WIRE_ICRC + RCC_WIRE_FCS;
/** ACK and NAK: AETH 4 bytes instead of a payload. */
static const uint32_t ROCE_ACK_BYTES = ROCE_OVERHEAD + RCC_WIRE_AETH;
/** ACK of a queue pair with RCC_WANT_REMOTE_DELAY or RCC_WANT_HOPS: delay 4, hops 1. */
static const uint32_t ACK_DELAY_BYTES = 5;
/** CNP: 16 reserved bytes. */
static const uint32_t ROCE_CNP_BYTES = ROCE_OVERHEAD + RCC_WIRE_CNP_RESERVED;
/** Around a packet of the internet stack: Ethernet 14, FCS 4. */
static const uint32_t IP_OVERHEAD = RCC_WIRE_ETHERNET + RCC_WIRE_FCS;
/** Shorter frames are padded. */
static const uint32_t ETHERNET_MIN_BYTES = RCC_WIRE_MIN + RCC_WIRE_FCS;
/** RccFrame::dst of a broadcast or multicast IP frame. */
static const uint32_t RCC_ALL_HOSTS = UINT32_MAX;
/** PFC and the other MAC control frames: the minimum of Ethernet. */
static const uint32_t PFC_BYTES = ETHERNET_MIN_BYTES;
/** CN-TAG of a QCN source's frames: ethertype 22E9 and the flow id. */
static const uint32_t CN_TAG_BYTES = RCC_WIRE_CN_TAG;
/** RETH of the first packet of an RDMA WRITE. */
static const uint32_t RETH_BYTES = RCC_WIRE_RETH;
/** 802.1Q tag. */
static const uint32_t VLAN_TAG_BYTES = RCC_WIRE_VLAN;
/** RccFrame::vlan of a tagged frame, beside the VLAN id. */
static const uint16_t VLAN_TAGGED = 0x1000;
/** Preamble, start of frame delimiter and interframe gap around a frame of real Ethernet. */
static const uint32_t ETHERNET_GAP_BYTES = 20;
/** CNM: Ethernet 14, CN-TAG 4, PDU 24, FCS 4, padded to the minimum. */
static const uint32_t CNM_BYTES = ETHERNET_MIN_BYTES;

/// Have the first 64 bytes of a frame fetched, which may lie in two cache lines. \param frame or null
inline void
RccFetchFrame(const RccFrame* frame)
{
    __builtin_prefetch(frame, 1);
    __builtin_prefetch(reinterpret_cast<const char*>(reinterpret_cast<uintptr_t>(frame) + 63), 1);
}

/// A FIFO of frames, linked through RccFrame::next.
class RccFrameQueue
{
  public:
    /// \return whether no frame is in it
    bool IsEmpty() const
    {
        return !m_head;
    }

    /// \return the frame that Pop would return; null if empty
    RccFrame* Head() const
    {
        return m_head;
    }

    /// \return sum of RccFrame::bytes of the frames in it
    uint64_t Bytes() const
    {
        return m_bytes;
    }

    /**
     * Add a frame at the end.
     * \param f a frame that is on no queue
     */
    void Push(RccFrame* f)
    {
        f->next = nullptr;
        *(m_head ? &m_tail->next : &m_head) = f;
        m_tail = f;
        m_bytes += f->bytes;
    }

    /// \return the first frame, which is not in the queue any more; the queue must not be empty
    RccFrame* Pop()
    {
        RccFrame* f = m_head;
        m_head = f->next;
        m_bytes -= f->bytes;
        RccFetchFrame(m_head); // a long queue has left the cache by the time its head is due
        return f;
    }

    /// \return a queue of all frames of this one, which is empty now
    RccFrameQueue TakeAll()
    {
        const RccFrameQueue all = *this;
        *this = RccFrameQueue();
        return all;
    }

  private:
    RccFrame* m_head{nullptr};
    RccFrame* m_tail{nullptr};
    uint64_t m_bytes{0};
};

/**
 * Frames of one simulation. Grows in slabs and never shrinks; Get and Put are a
 * list operation. All devices of a simulation share it, through Current().
 */
class RccFramePool : public SimpleRefCount<RccFramePool>
{
  public:
    /// \return the pool of the running simulation; a new one after Simulator::Destroy
    static Ptr<RccFramePool> Current();

    /// \return a zeroed frame, the caller's until Put
    RccFrame* Get()
    {
        if (!m_free)
        {
            Grow();
        }
        RccFrame* f = m_free;
        m_free = f->next;
        m_inUse++;
        Clear(f);
        return f;
    }

    /// \param frame of any kind \return whether RccFrame::path holds
    static bool HasPath(const RccFrame& frame)
    {
        return frame.telemetry || frame.sacked;
    }

    /// \param frame of any kind \return another one, which shares its packet
    RccFrame* Copy(const RccFrame& frame)
    {
        RccFrame* copy = Get();
        *copy = frame;
        if (copy->kind == RccFrameKind::IP && copy->packet)
        {
            copy->packet->Ref();
        }
        else if (HasPath(*copy) && copy->path)
        {
            copy->path = NewPath();
            copy->path->records = frame.path->records;
            copy->path->sack = frame.path->sack;
        }
        return copy;
    }

    /// \return telemetry of nothing and an empty answer, for RccFrame::path
    RccPath* NewPath();

    /**
     * Give a frame back, with its packet if it has one.
     * \param f a frame from Get, which is on no queue; not to be used any more
     */
    void Put(RccFrame* f)
    {
        if (f->kind == RccFrameKind::IP && f->packet)
        {
            f->packet->Unref();
            f->packet = nullptr;
        }
        PutPlain(f);
    }

    /// Give a frame back that has no packet. \param f as for Put, of another kind than IP
    void PutPlain(RccFrame* f)
    {
        if (HasPath(*f))
        {
            PutPath(f);
        }
        f->next = m_free;
        m_free = f;
        m_inUse--;
    }

    /// Give all frames of a queue back. \param queue empty afterwards
    void PutAll(RccFrameQueue& queue)
    {
        while (!queue.IsEmpty())
        {
            Put(queue.Pop());
        }
    }

    /// \return number of frames that are somewhere in the network
    uint64_t InUse() const
    {
        return m_inUse;
    }

  private:
    void Grow();
    void PutPath(RccFrame* f);

    /// All fields are 0. gcc would make one string instruction of it, which takes as long as 20 others to begin.
    static void Clear(RccFrame* f)
    {
        typedef uint64_t Block __attribute__((vector_size(16), may_alias));
        const Block zero = {0, 0};
        auto block = reinterpret_cast<Block*>(f);
        static_assert(sizeof(RccFrame) == 6 * sizeof(Block), "all of a frame");
        block[0] = zero;
        block[1] = zero;
        block[2] = zero;
        block[3] = zero;
        block[4] = zero;
        block[5] = zero;
    }

    std::vector<std::unique_ptr<char[]>> m_slabs;
    RccFrame* m_free{nullptr};
    std::vector<std::unique_ptr<RccPath>> m_paths;
    RccPath* m_freePaths{nullptr};
    uint64_t m_inUse{0};
};

} // namespace ns3

#endif /* RCC_FRAME_H */
