/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file rcc_wire.h
 * The frames of an RDMA network as bytes: encoder and decoder.
 *
 *     DATA    Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, (RETH), payload, pad, ICRC
 *     ACK     Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, AETH, ICRC; NAK by its syndrome
 *     CNP     Ethernet, (802.1Q), (CN-TAG), IPv4, UDP, BTH, 16 bytes, ICRC
 *     CNM     Ethernet, (802.1Q), (CN-TAG), 22E7, CNM PDU of IEEE 802.1Qau, padding
 *     PFC     Ethernet, 8808, opcode 0101, class vector, 8 quanta, padding (IEEE 802.1Qbb)
 *     PAUSE   Ethernet, 8808, opcode 0001, quanta, padding (IEEE 802.3 annex 31B)
 *     OTHER   Ethernet, (802.1Q), (CN-TAG), any ethertype and payload
 *
 * A frame ends where the frame check sequence would begin: most network cards do not hand it over either.
 *
 * Sources: InfiniBand Architecture Specification 1.4, chapter 9 and annex A17 (RoCEv2), section 7.8.1 (ICRC).
 * The CNP's period is that of DCQCN+ (ICNP'18): nanoseconds in the first 4 of the 16 reserved bytes, big-endian.
 *
 *     struct rcc_wire_frame frame;
 *     if (rcc_wire_decode(bytes, length, &frame) == RCC_WIRE_OK && frame.kind == RCC_WIRE_CNP)
 *         period = frame.period_ns;
 *
 * Nothing here allocates or has state; the encoder writes only within `room`, the decoder reads only within `bytes`.
 */
#ifndef RCC_WIRE_H
#define RCC_WIRE_H

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
#define RCC_WIRE_CNP_RESERVED 16 /**< what follows the BTH of a CNP */
#define RCC_WIRE_ICRC 4          /**< invariant CRC */
#define RCC_WIRE_FCS 4           /**< frame check sequence, which is not written */
/** All headers that a payload can have before it. */
#define RCC_WIRE_HEADERS_MAX 78
/** CNM, PFC and PAUSE are padded to this: Ethernet's minimum without the frame check sequence. */
#define RCC_WIRE_MIN 60

/** UDP destination port of RoCEv2. */
#define RCC_WIRE_ROCE_PORT 4791
/** Destination address of PFC and PAUSE frames. */
#define RCC_WIRE_PAUSE_ADDRESS ((uint64_t)0x0180c2000001)
#define RCC_WIRE_SYNDROME_ACK 0x1f /**< AETH syndrome: ACK; credit count 31, credits are not used */
#define RCC_WIRE_SYNDROME_NAK 0x60 /**< AETH syndrome: NAK, PSN sequence error */

    /** What a frame is; see the top of this file. */
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

    /** Opcodes of the reliable connection that are encoded and decoded. */
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

    /** Why bytes are not a frame of one of these kinds. */
    enum rcc_wire_error
    {
        RCC_WIRE_OK,           /**< they are */
        RCC_WIRE_TRUNCATED,    /**< the frame ends inside a header */
        RCC_WIRE_BAD_LENGTH,   /**< a length field contradicts another one or the kind of frame */
        RCC_WIRE_BAD_CHECKSUM, /**< of the IPv4 header */
        RCC_WIRE_BAD_ICRC,     /**< the invariant CRC is wrong */
        RCC_WIRE_UNSUPPORTED   /**< an IP option, a fragment, an opcode or a version that is not encoded here */
    };

    /** IPv4 and UDP of a RoCEv2 packet. Don't Fragment is set, the UDP checksum is 0, the destination port is 4791. */
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
        uint8_t opcode;   /**< enum rcc_wire_opcode; the encoder reads it of DATA only */
        uint8_t pad;      /**< DATA: 0..3 bytes after the payload */
        bool solicited;   /**< solicited event */
        bool migrated;    /**< migration state */
        bool fecn;        /**< forward explicit congestion notification */
        bool becn;        /**< backward explicit congestion notification */
        bool ack_request; /**< an acknowledgement is asked for */
    };

    /** RDMA extended transport header, of WRITE_FIRST and WRITE_ONLY. */
    struct rcc_wire_reth
    {
        uint64_t address; /**< virtual address */
        uint32_t r_key;   /**< remote key */
        uint32_t length;  /**< of the message, bytes */
    };

    /** Congestion notification message (IEEE 802.1Qau, 33.4), version 0. */
    struct rcc_wire_cnm
    {
        uint64_t cpid;     /**< congestion point */
        uint64_t dst;      /**< encapsulated destination address, 48 bits */
        int16_t qoff;      /**< Q - Qeq in units of 64 bytes, see rcc_wire_cnm_units */
        int16_t qdelta;    /**< Q - Qold in units of 64 bytes */
        uint16_t priority; /**< encapsulated priority */
        uint16_t msdu;     /**< bytes of the encapsulated MSDU, which are the frame's payload */
        uint8_t qfb;       /**< quantised feedback, 6 bits */
    };

    /** What PFC and PAUSE ask for. */
    struct rcc_wire_pause
    {
        uint16_t quanta[8]; /**< pause time in 512 bit times, by class; PAUSE: of all classes, in quanta[0] */
        uint8_t classes;    /**< PFC: class-enable vector */
    };

    /** Any frame. Fields that its kind does not have are not read by the encoder and are zero after the decoder. */
    struct rcc_wire_frame
    {
        enum rcc_wire_kind kind;     /**< says which fields hold */
        bool vlan_tagged;            /**< has an 802.1Q tag; not PFC and PAUSE */
        bool cn_tagged;              /**< has a CN-TAG; not PFC and PAUSE */
        uint16_t vlan;               /**< tag control information: priority << 13 | drop eligible << 12 | VLAN id */
        uint16_t cn_flow;            /**< CN-TAG: flow id of the reaction point */
        uint64_t dst;                /**< destination MAC address, 48 bits */
        uint64_t src;                /**< source MAC address, 48 bits */
        uint16_t ethertype;          /**< OTHER: that of its payload */
        uint8_t syndrome;            /**< ACK: of the AETH */
        uint32_t msn;                /**< ACK: message sequence number, 24 bits */
        uint32_t period_ns;          /**< CNP: period, ns; 0 = a CNP of plain DCQCN */
        struct rcc_wire_ip ip;       /**< DATA, ACK, CNP */
        struct rcc_wire_bth bth;     /**< DATA, ACK, CNP */
        struct rcc_wire_reth reth;   /**< DATA with WRITE_FIRST or WRITE_ONLY */
        struct rcc_wire_cnm cnm;     /**< CNM */
        struct rcc_wire_pause pause; /**< PFC, PAUSE */
        const uint8_t *payload;      /**< DATA, OTHER, CNM: what is carried, inside the decoder's input; NULL = zeros */
        size_t payload_bytes;        /**< bytes of the payload */
    };

    /* ------------------------------------------------------------------ CRC */

    /**
     * CRC-32 of Ethernet (reflected, polynomial 04C11DB7), as zlib's.
     * \param crc 0, or what the function returned for the bytes before
     * \param data bytes
     * \param bytes how many
     * \return the CRC of all bytes so far
     */
    uint32_t rcc_crc32(uint32_t crc, const uint8_t *data, size_t bytes);

    /**
     * Memory of a host that writes many payloads of zeros: what a run of zero bytes does to a CRC, as four look-ups.
     * Zero it before the first use; it adapts to the length that is asked for twice in a row.
     */
    struct rcc_crc_zeros
    {
        size_t bytes;           /**< length of the table's run; 0 = none yet */
        size_t missed;          /**< the last other length */
        uint32_t table[4][256]; /**< by byte of the register */
    };

    /**
     * Invariant CRC of a RoCEv2 packet (InfiniBand 7.8.1, A17.3.2).
     * \param ip the packet from its IPv4 header, without options, to the last byte before the ICRC
     * \param bytes of it, at least RCC_WIRE_IPV4 + RCC_WIRE_UDP + RCC_WIRE_BTH
     * \param zeros how many more bytes follow, all zero
     * \param cache makes runs of zeros cheap; may be NULL
     * \return the ICRC; its bytes go on the wire least significant first
     */
    uint32_t rcc_icrc(const uint8_t *ip, size_t bytes, size_t zeros, struct rcc_crc_zeros *cache);

    /* ------------------------------------------------------------------ frames */

    /**
     * Length of a frame.
     * \param frame of any kind
     * \return bytes that the encoder writes; 0 if it cannot: an unknown kind or opcode, a pad above 3, more than 65535
     * bytes of IPv4, a CNM whose msdu is not payload_bytes, more bytes than a size_t counts
     */
    size_t rcc_wire_size(const struct rcc_wire_frame *frame);

    /**
     * Write a frame.
     * \param frame of any kind
     * \param out where to; its payload may already lie at its place there
     * \param room bytes at `out`
     * \param cache see rcc_crc_zeros; may be NULL
     * \return bytes written, rcc_wire_size; 0, and nothing is written, if that is 0 or more than `room`
     */
    size_t rcc_wire_encode(const struct rcc_wire_frame *frame, uint8_t *out, size_t room, struct rcc_crc_zeros *cache);

    /**
     * Read a frame. What is not RoCEv2, CNM, PFC or PAUSE is a frame of kind OTHER, not an error; so are IPv4 packets
     * that are not UDP to port 4791. Reserved bits and padding are ignored.
     * \param data the frame without its frame check sequence
     * \param bytes of it
     * \param frame all fields are set on RCC_WIRE_OK, else they have no meaning
     * \return RCC_WIRE_OK, or why the bytes are no frame
     */
    enum rcc_wire_error rcc_wire_decode(const uint8_t *data, size_t bytes, struct rcc_wire_frame *frame);

    /**
     * The text of an error.
     * \param error any
     * \return a short static sentence
     */
    const char *rcc_wire_error_text(enum rcc_wire_error error);

    /**
     * The opcode of a data packet.
     * \param write RDMA WRITE, else SEND
     * \param first the packet is the first of its message
     * \param last it is the last
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
     * A difference of queue lengths in the units of a CNM.
     * \param bytes the difference
     * \return units of 64 bytes, rounded towards zero, saturating
     */
    static inline int16_t rcc_wire_cnm_units(int64_t bytes)
    {
        int64_t units = bytes / 64;
        return (int16_t)(units > INT16_MAX ? INT16_MAX : units < INT16_MIN ? INT16_MIN : units);
    }

    /**
     * Checksum of an IPv4 header (RFC 1071).
     * \param header whose checksum field is 0
     * \param bytes of it, even
     * \return the checksum; of a header with a right checksum in its field, 0
     */
    uint16_t rcc_wire_ipv4_checksum(const uint8_t *header, size_t bytes);

    /* ------------------------------------------------------------------ packets of other protocols */

    /**
     * DSCP << 2 | ECN of a packet.
     * \param packet from its IP header on
     * \param bytes of it that are there
     * \param ethertype 0800 or 86DD
     * \return the traffic class; 0 of another ethertype, and of a packet that ends in its header
     */
    uint8_t rcc_wire_ip_class(const uint8_t *packet, size_t bytes, uint16_t ethertype);

    /**
     * Hash of what the packets of a flow have in common: addresses, protocol, and the ports of TCP and UDP, which
     * fragments do not have.
     * \param packet from its IP header on
     * \param bytes of it that are there; ports behind them do not count
     * \param ethertype 0800 or 86DD
     * \param mix mixes 64 bits, as the output function of a random number generator
     * \return the hash; 0 of another ethertype, and of a packet that ends in its header
     */
    uint32_t rcc_wire_ip_flow(const uint8_t *packet, size_t bytes, uint16_t ethertype, uint64_t (*mix)(uint64_t));

    /**
     * Set the ECN field of a packet, and correct the checksum of an IPv4 header that has one.
     * \param packet from its IP header on
     * \param bytes of it
     * \param ethertype 0800 or 86DD; nothing happens to packets of others
     * \param ecn 0..3
     */
    void rcc_wire_ip_set_ecn(uint8_t *packet, size_t bytes, uint16_t ethertype, uint8_t ecn);

#ifdef __cplusplus
}
#endif

#endif /* RCC_WIRE_H */
