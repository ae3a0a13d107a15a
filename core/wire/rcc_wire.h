/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file rcc_wire.h
 * Encoder of the frames of an RDMA network.
 *
 *     DATA    Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, (RETH), payload, pad, ICRC
 *     ACK     Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, AETH, ICRC; NAK by its syndrome
 *             both may have an extension for congestion control before the payload or the ICRC: telemetry of the path
 *             (rcc_wire_int_encode), then what Swift's ACK adds
 *     CNP     Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, 16 bytes, ICRC
 *     CNM     Ethernet, (802.1Q), (CN-TAG), 22E7, CNM PDU of IEEE 802.1Qau, padding
 *     PFC     Ethernet, 8808, opcode 0101, class vector, 8 quanta, padding (IEEE 802.1Qbb)
 *     PAUSE   Ethernet, 8808, opcode 0001, quanta, padding (IEEE 802.3 annex 31B)
 *     OTHER   Ethernet, (802.1Q), (CN-TAG), any ethertype and payload
 *
 * Frames do not include the frame check sequence; most network cards do not deliver it either.
 *
 * Sources: InfiniBand Architecture Specification 1.4, chapter 9 and annex A17 (RoCEv2), section 7.8.1 (ICRC).
 * The CNP's period is that of DCQCN+ (ICNP'18): nanoseconds in the first 4 of the 16 reserved bytes, big-endian.
 *
 *     struct rcc_wire_frame frame = {RCC_WIRE_CNP};
 *     frame.bth.qp = qp;
 *     frame.period_ns = period;
 *     length = rcc_wire_encode(&frame, bytes, sizeof bytes, NULL);
 *
 * Nothing here allocates or has global state. The encoder writes only within `space`.
 */
#ifndef RCC_WIRE_H
#define RCC_WIRE_H

#include "rcc_signals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Bytes of the parts of a frame. */
#define RCC_WIRE_ETHERNET 14     /**< addresses and ethertype */
#define RCC_WIRE_VLAN 4          /**< 802.1Q tag */
#define RCC_WIRE_CN_TAG 4        /**< CN-TAG */
#define RCC_WIRE_IPV4 20         /**< IPv4 header without options */
#define RCC_WIRE_UDP 8           /**< UDP header */
#define RCC_WIRE_BTH 12          /**< base transport header */
#define RCC_WIRE_RETH 16         /**< RDMA extended transport header */
#define RCC_WIRE_AETH 4          /**< ACK extended transport header */
#define RCC_WIRE_CNP_RESERVED 16 /**< reserved bytes after the BTH of a CNP */
#define RCC_WIRE_ICRC 4          /**< invariant CRC */
#define RCC_WIRE_FCS 4           /**< frame check sequence; not encoded */
/** Largest extension for congestion control: telemetry of RCC_PATH_MAX hops, and a delay and a hop count. */
#define RCC_WIRE_EXTENSION_MAX (2 + 8 * RCC_PATH_MAX + 5)
/** Largest sum of the headers before a payload. */
#define RCC_WIRE_HEADERS_MAX (78 + RCC_WIRE_EXTENSION_MAX)
/** CNM, PFC and PAUSE frames are padded to this length: Ethernet's minimum without the frame check sequence. */
#define RCC_WIRE_MIN 60

/** UDP destination port of RoCEv2. */
#define RCC_WIRE_ROCE_PORT 4791
/** Destination address of PFC and PAUSE frames. */
#define RCC_WIRE_PAUSE_ADDRESS ((uint64_t)0x0180c2000001)
#define RCC_WIRE_SYNDROME_ACK 0x1f /**< AETH syndrome: ACK; credit count 31, credits are not used */
#define RCC_WIRE_SYNDROME_NAK 0x60 /**< AETH syndrome: NAK, PSN sequence error */

    /** Kinds of frames; see the top of this file. */
    enum rcc_wire_kind
    {
        RCC_WIRE_DATA,  /**< RoCEv2 data */
        RCC_WIRE_ACK,   /**< RoCEv2 acknowledgement or NAK */
        RCC_WIRE_CNP,   /**< RoCEv2 congestion notification packet */
        RCC_WIRE_CNM,   /**< congestion notification message of 802.1Qau */
        RCC_WIRE_PFC,   /**< priority-based flow control of 802.1Qbb */
        RCC_WIRE_PAUSE, /**< PAUSE of 802.3x */
        RCC_WIRE_OTHER  /**< any other frame */
    };

    /** Opcodes of the reliable connection (RC) that the encoder supports. */
    enum rcc_wire_opcode
    {
        RCC_WIRE_SEND_FIRST = 0x00,   /**< SEND First */
        RCC_WIRE_SEND_MIDDLE = 0x01,  /**< SEND Middle */
        RCC_WIRE_SEND_LAST = 0x02,    /**< SEND Last */
        RCC_WIRE_SEND_ONLY = 0x04,    /**< SEND Only */
        RCC_WIRE_WRITE_FIRST = 0x06,  /**< RDMA WRITE First, with a RETH */
        RCC_WIRE_WRITE_MIDDLE = 0x07, /**< RDMA WRITE Middle */
        RCC_WIRE_WRITE_LAST = 0x08,   /**< RDMA WRITE Last */
        RCC_WIRE_WRITE_ONLY = 0x0a,   /**< RDMA WRITE Only, with a RETH */
        RCC_WIRE_ACKNOWLEDGE = 0x11,  /**< Acknowledge */
        RCC_WIRE_CONGESTION = 0x81    /**< CNP */
    };

    /** IPv4 and UDP headers of a RoCEv2 packet. DF is set, the UDP checksum is 0, the destination port is 4791. */
    struct rcc_wire_ip
    {
        uint32_t src;      /**< source address */
        uint32_t dst;      /**< destination address */
        uint16_t id;       /**< identification */
        uint16_t src_port; /**< UDP source port; differs by flow, for ECMP */
        uint8_t tos;       /**< DSCP << 2 | ECN */
        uint8_t ttl;       /**< time to live */
    };

    /** InfiniBand base transport header, version 0. */
    struct rcc_wire_bth
    {
        uint32_t qp;      /**< destination queue pair, 24 bits */
        uint32_t psn;     /**< packet sequence number, 24 bits */
        uint16_t p_key;   /**< partition key */
        uint8_t opcode;   /**< enum rcc_wire_opcode; the encoder reads it only for DATA */
        uint8_t pad;      /**< DATA: pad bytes after the payload, 0..3 */
        bool solicited;   /**< solicited event */
        bool migrated;    /**< migration state */
        bool fecn;        /**< forward explicit congestion notification */
        bool becn;        /**< backward explicit congestion notification */
        bool ack_request; /**< the packet requests an acknowledgement */
    };

    /** RDMA extended transport header of WRITE_FIRST and WRITE_ONLY. */
    struct rcc_wire_reth
    {
        uint64_t address; /**< virtual address */
        uint32_t r_key;   /**< remote key */
        uint32_t length;  /**< DMA length: payload of the message, bytes */
    };

    /** Congestion notification message (IEEE 802.1Qau, 33.4), version 0. */
    struct rcc_wire_cnm
    {
        uint64_t cpid;     /**< identifier of the congestion point */
        uint64_t dst;      /**< encapsulated destination address, 48 bits */
        int16_t qoff;      /**< Q - Qeq in units of 64 bytes, see rcc_wire_cnm_units */
        int16_t qdelta;    /**< Q - Qold in units of 64 bytes */
        uint16_t priority; /**< encapsulated priority */
        uint16_t msdu;     /**< length of the encapsulated MSDU, which is the frame's payload, bytes */
        uint8_t qfb;       /**< quantised feedback, 6 bits */
    };

    /** Contents of PFC and PAUSE frames. */
    struct rcc_wire_pause
    {
        uint16_t
            quanta[RCC_CLASSES]; /**< pause time by class, in 512 bit times; PAUSE: quanta[0] is that of all classes */
        uint8_t classes;         /**< PFC: class-enable vector */
    };

    /** Any frame. The encoder ignores the fields that a kind of frame does not have. */
    struct rcc_wire_frame
    {
        enum rcc_wire_kind kind;     /**< kind of the frame; selects the valid fields */
        bool vlan_tagged;            /**< the frame has an 802.1Q tag; not for PFC and PAUSE */
        bool cn_tagged;              /**< the frame has a CN-TAG; not for PFC and PAUSE */
        uint16_t vlan;               /**< tag control information: priority << 13 | drop eligible << 12 | VLAN id */
        uint16_t cn_flow;            /**< CN-TAG: flow id of the reaction point */
        uint64_t dst;                /**< destination MAC address, 48 bits */
        uint64_t src;                /**< source MAC address, 48 bits */
        uint16_t ethertype;          /**< OTHER: ethertype of the payload */
        uint8_t syndrome;            /**< ACK: syndrome of the AETH */
        uint32_t msn;                /**< ACK: message sequence number, 24 bits */
        uint32_t period_ns;          /**< CNP: period, ns; 0 = a CNP without a period (DCQCN) */
        struct rcc_wire_ip ip;       /**< DATA, ACK, CNP */
        struct rcc_wire_bth bth;     /**< DATA, ACK, CNP */
        struct rcc_wire_reth reth;   /**< DATA with WRITE_FIRST or WRITE_ONLY */
        struct rcc_wire_cnm cnm;     /**< CNM */
        struct rcc_wire_pause pause; /**< PFC, PAUSE */
        const uint8_t *extension;    /**< DATA, ACK: bytes before the payload or the ICRC; NULL = zeros */
        size_t extension_bytes;      /**< bytes of `extension`, at most RCC_WIRE_EXTENSION_MAX */
        const uint8_t *payload;      /**< DATA, OTHER, CNM: payload; NULL = zeros */
        size_t payload_bytes;        /**< bytes of the payload */
    };

    /* ------------------------------------------------------------------ CRC */

    /**
     * CRC-32 of Ethernet (reflected, polynomial 04C11DB7); the same as zlib's crc32.
     * \param crc 0, or the result for the preceding bytes
     * \param data the bytes
     * \param bytes number of bytes
     * \return the CRC of all bytes so far
     */
    uint32_t rcc_crc32(uint32_t crc, const uint8_t *data, size_t bytes);

    /**
     * Cache for hosts that encode many payloads of zeros: the effect of a run of zero bytes on a CRC, as four table
     * look-ups. Initialise it with zeros. The table is computed for a length that is used twice in a row.
     */
    struct rcc_crc_zeros
    {
        size_t bytes;           /**< length of the run of the table; 0 = no table yet */
        size_t missed;          /**< the last other length */
        uint32_t table[4][256]; /**< effect on the CRC, by byte of the register */
    };

    /**
     * Invariant CRC of a RoCEv2 packet (InfiniBand 7.8.1, A17.3.2).
     * \param ip the packet from its IPv4 header, which has no options, to the last byte before the ICRC
     * \param bytes length of `ip`, at least RCC_WIRE_IPV4 + RCC_WIRE_UDP + RCC_WIRE_BTH
     * \param zeros number of zero bytes that follow `ip`
     * \param cache cache for runs of zeros; may be NULL
     * \return the ICRC; it is sent least significant byte first
     */
    uint32_t rcc_icrc(const uint8_t *ip, size_t bytes, size_t zeros, struct rcc_crc_zeros *cache);

    /* ------------------------------------------------------------------ frames */

    /**
     * Length of an encoded frame.
     * \param frame a frame of any kind
     * \return bytes; 0 if the frame cannot be encoded: an unknown kind or opcode, a pad above 3, an extension of more
     * than RCC_WIRE_EXTENSION_MAX bytes, more than 65535 bytes of IPv4, a CNM whose msdu is not payload_bytes, a length
     * above SIZE_MAX
     */
    size_t rcc_wire_size(const struct rcc_wire_frame *frame);

    /**
     * Encode a frame.
     * \param frame a frame of any kind
     * \param out output; the payload may already be at its place in it
     * \param space size of `out`, bytes
     * \param cache see rcc_crc_zeros; may be NULL
     * \return bytes written, rcc_wire_size; 0, and nothing is written, if rcc_wire_size is 0 or more than `space`
     */
    size_t rcc_wire_encode(const struct rcc_wire_frame *frame, uint8_t *out, size_t space, struct rcc_crc_zeros *cache);

    /**
     * Opcode of a data packet.
     * \param write true: RDMA WRITE; false: SEND
     * \param first whether the packet is the first of its message
     * \param last whether the packet is the last of its message
     * \return enum rcc_wire_opcode
     */
    uint8_t rcc_wire_data_opcode(bool write, bool first, bool last);

    /**
     * Whether packets of an opcode have a RETH.
     * \param opcode enum rcc_wire_opcode
     * \return true for RDMA WRITE First and Only
     */
    static inline bool rcc_wire_has_reth(uint8_t opcode)
    {
        return opcode == RCC_WIRE_WRITE_FIRST || opcode == RCC_WIRE_WRITE_ONLY;
    }

    /**
     * Convert a difference of queue lengths to the units of a CNM.
     * \param bytes the difference, bytes
     * \return units of 64 bytes, rounded towards zero, saturating
     */
    static inline int16_t rcc_wire_cnm_units(int64_t bytes)
    {
        int64_t units = bytes / 64;
        return (int16_t)(units > INT16_MAX ? INT16_MAX : units < INT16_MIN ? INT16_MIN : units);
    }

    /**
     * Checksum of an IPv4 header (RFC 1071).
     * \param header the header, with 0 in its checksum field
     * \param bytes length of the header, even
     * \return the checksum; 0 if the header contains its correct checksum
     */
    uint16_t rcc_wire_ipv4_checksum(const uint8_t *header, size_t bytes);

    /* ------------------------------------------------------------------ telemetry */

/** Hops for which the fixed form has space. */
#define RCC_WIRE_INT_SLOTS 5

    /**
     * In-band telemetry of a path. Big-endian words:
     *
     *     PAPER   hops:4 path:12, then for each hop rate:4 time:24 sent:20 queue:16 (HPCC, SIGCOMM 2019; not verified)
     *     FIXED   hops:16, then for five hops rate:3 time:24 sent:20 queue:17; hop i is in slot i mod 5 (the HPCC
     *             paper's simulator)
     *     PINT    exponent:16, of the largest utilisation of the path
     *
     * Times are nanoseconds, sent bytes units of 128 x scale bytes, queues units of 80 x scale bytes. Sent bytes and
     * times wrap, a queue saturates. A rate is one of those of a table: that which is nearest in ratio.
     *
     * The host's counter of sent bytes wraps at 2^32, and with it the units begin again at 0. With a scale that is a
     * power of two nobody sees it, and from 32 on the field has all units of the counter. With another scale below 32
     * the field jumps there, the reader cannot know when, and one difference in 2^32 bytes is wrong.
     */
    struct rcc_wire_int
    {
        uint8_t form;                     /**< an enum rcc_int_form */
        uint8_t n;                        /**< switches that have been passed; may be more than there are records */
        uint16_t path_id;                 /**< PAPER: XOR of the low 12 bits of the switches' ids */
        uint16_t scale;                   /**< FIXED: multiplier of the units (INT_MULTI there); 0 is read as 1 */
        struct rcc_hop hop[RCC_PATH_MAX]; /**< records; PINT: the exponent is hop[0].qlen */
    };

    /**
     * Records that a form keeps of a path.
     * \param form an enum rcc_int_form
     * \param n switches that were passed
     * \return number of valid entries of rcc_wire_int.hop
     */
    uint8_t rcc_wire_int_records(uint8_t form, uint8_t n);

    /**
     * Bytes of telemetry on the wire.
     * \param form an enum rcc_int_form
     * \param n switches that were passed
     * \return bytes; 0 for RCC_INT_NONE
     */
    uint32_t rcc_wire_int_bytes(uint8_t form, uint8_t n);

    /**
     * Add a record behind those of the switches before.
     * \param path the telemetry
     * \param hop record of the next switch
     * \param id of the switch
     */
    void rcc_wire_int_add(struct rcc_wire_int *path, const struct rcc_hop *hop, uint32_t id);

    /**
     * Round a record to what the wire can carry, without the wraps.
     * \param form an enum rcc_int_form
     * \param scale as in rcc_wire_int
     * \param hop the record
     */
    void rcc_wire_int_round(uint8_t form, uint16_t scale, struct rcc_hop *hop);

    /**
     * Encode telemetry.
     * \param path the telemetry; for its scale see rcc_wire_int
     * \param out output, rcc_wire_int_bytes
     * \return bytes written
     */
    uint32_t rcc_wire_int_encode(const struct rcc_wire_int *path, uint8_t *out);

    /**
     * Decode telemetry, and extend its fields to 32 bits.
     * \param path form and scale are read; output: the rest
     * \param in the bytes
     * \param bytes number of available bytes
     * \param now clock of the host, ns: a record is at most 2^24 ns old
     * \param before records of the previous packet of the path, by hop, which sent less than 2^20 units and 2^32 bytes
     *     before; NULL: there is none. Where the counter has wrapped since, sent bytes are wrong with a scale below 32
     *     that is no power of two
     * \return bytes read; 0 if the telemetry is longer than `bytes`
     */
    uint32_t rcc_wire_int_decode(struct rcc_wire_int *path, const uint8_t *in, size_t bytes, uint32_t now,
                                 const struct rcc_hop *before);

    /* ------------------------------------------------------------------ packets of other protocols */

    /**
     * DSCP << 2 | ECN of a packet.
     * \param packet the packet, from its IP header on
     * \param bytes available bytes of the packet
     * \param ethertype 0800 or 86DD
     * \return the traffic class octet; 0 for another ethertype and for a packet that is shorter than its header
     */
    uint8_t rcc_wire_ip_class(const uint8_t *packet, size_t bytes, uint16_t ethertype);

    /**
     * Flow hash for ECMP: of the addresses, the protocol, and the ports of TCP and UDP. Fragments are hashed without
     * ports.
     *
     * \param packet the packet, from its IP header on
     * \param bytes available bytes of the packet; ports beyond them are left out
     * \param ethertype 0800 or 86DD
     * \param mix a function that mixes 64 bits, such as the output function of a random number generator
     * \return the hash; 0 for another ethertype and for a packet that is shorter than its header
     */
    uint32_t rcc_wire_ip_flow(const uint8_t *packet, size_t bytes, uint16_t ethertype, uint64_t (*mix)(uint64_t));

    /**
     * Set the ECN field of a packet, and update the checksum of an IPv4 header if it has one.
     * \param packet the packet, from its IP header on
     * \param bytes available bytes of the packet
     * \param ethertype 0800 or 86DD; packets of other ethertypes are not changed
     * \param ecn ECN field, 0..3
     */
    void rcc_wire_ip_set_ecn(uint8_t *packet, size_t bytes, uint16_t ethertype, uint8_t ecn);

#ifdef __cplusplus
}
#endif

#endif /* RCC_WIRE_H */
