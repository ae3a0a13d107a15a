/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
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
#define RCC_WIRE_ETHERNET 14
#define RCC_WIRE_VLAN 4
#define RCC_WIRE_CN_TAG 4
#define RCC_WIRE_IPV4 20
#define RCC_WIRE_UDP 8
#define RCC_WIRE_BTH 12
#define RCC_WIRE_RETH 16
#define RCC_WIRE_AETH 4
#define RCC_WIRE_CNP_RESERVED 16
#define RCC_WIRE_ICRC 4
#define RCC_WIRE_FCS 4 /* not written */
/* All headers that a payload can have before it. */
#define RCC_WIRE_HEADERS_MAX 78
/* CNM, PFC and PAUSE are padded to this: Ethernet's minimum without the frame check sequence. */
#define RCC_WIRE_MIN 60

/* UDP destination port of RoCEv2. */
#define RCC_WIRE_ROCE_PORT 4791
/* Destination address of PFC and PAUSE frames. */
#define RCC_WIRE_PAUSE_ADDRESS ((uint64_t)0x0180c2000001)
/* AETH syndromes: ACK without credits (31 = not used), NAK of a PSN sequence error. */
#define RCC_WIRE_SYNDROME_ACK 0x1f
#define RCC_WIRE_SYNDROME_NAK 0x60

    enum rcc_wire_kind
    {
        RCC_WIRE_DATA,
        RCC_WIRE_ACK,
        RCC_WIRE_CNP,
        RCC_WIRE_CNM,
        RCC_WIRE_PFC,
        RCC_WIRE_PAUSE,
        RCC_WIRE_OTHER
    };

    /* Opcodes of the reliable connection that are encoded and decoded. */
    enum rcc_wire_opcode
    {
        RCC_WIRE_SEND_FIRST = 0x00,
        RCC_WIRE_SEND_MIDDLE = 0x01,
        RCC_WIRE_SEND_LAST = 0x02,
        RCC_WIRE_SEND_ONLY = 0x04,
        RCC_WIRE_WRITE_FIRST = 0x06, /* with a RETH, as WRITE_ONLY */
        RCC_WIRE_WRITE_MIDDLE = 0x07,
        RCC_WIRE_WRITE_LAST = 0x08,
        RCC_WIRE_WRITE_ONLY = 0x0a,
        RCC_WIRE_ACKNOWLEDGE = 0x11,
        RCC_WIRE_CONGESTION = 0x81
    };

    /* Why bytes are not a frame of one of these kinds. */
    enum rcc_wire_error
    {
        RCC_WIRE_OK,
        RCC_WIRE_TRUNCATED,    /* the frame ends inside a header */
        RCC_WIRE_BAD_LENGTH,   /* a length field contradicts another or the kind of frame */
        RCC_WIRE_BAD_CHECKSUM, /* of the IPv4 header */
        RCC_WIRE_BAD_ICRC,
        RCC_WIRE_UNSUPPORTED /* an IP option, a fragment, an opcode or a version that is not encoded here */
    };

    /* IPv4 and UDP of a RoCEv2 packet. Don't Fragment is set, the UDP checksum is 0, the destination port is 4791. */
    struct rcc_wire_ip
    {
        uint32_t src, dst;
        uint16_t id;       /* identification */
        uint16_t src_port; /* UDP: differs by flow, for ECMP */
        uint8_t tos;       /* DSCP << 2 | ECN */
        uint8_t ttl;
    };

    /* InfiniBand base transport header, version 0. */
    struct rcc_wire_bth
    {
        uint32_t qp;    /* destination queue pair, 24 bits */
        uint32_t psn;   /* 24 bits */
        uint16_t p_key; /* partition key */
        uint8_t opcode; /* enum rcc_wire_opcode; the encoder reads it of DATA only */
        uint8_t pad;    /* DATA: 0..3 bytes after the payload */
        bool solicited, migrated, fecn, becn, ack_request;
    };

    /* RDMA extended transport header, of WRITE_FIRST and WRITE_ONLY. */
    struct rcc_wire_reth
    {
        uint64_t address; /* virtual address */
        uint32_t r_key;
        uint32_t length; /* of the message, bytes */
    };

    /* Congestion notification message (IEEE 802.1Qau, 33.4), version 0. */
    struct rcc_wire_cnm
    {
        uint64_t cpid;        /* congestion point */
        uint64_t dst;         /* encapsulated destination address, 48 bits */
        int16_t qoff, qdelta; /* in units of 64 bytes, see rcc_wire_cnm_units */
        uint16_t priority;    /* encapsulated priority */
        uint16_t msdu;        /* bytes of the encapsulated MSDU, which are the frame's payload */
        uint8_t qfb;          /* quantised feedback, 6 bits */
    };

    /* PFC and PAUSE. */
    struct rcc_wire_pause
    {
        uint16_t quanta[8]; /* pause time in 512 bit times; PAUSE: of all classes, in quanta[0] */
        uint8_t classes;    /* PFC: class-enable vector */
    };

    /* Any frame. Fields that its kind does not have are not read by the encoder and zero after the decoder. */
    struct rcc_wire_frame
    {
        enum rcc_wire_kind kind;
        bool vlan_tagged;
        bool cn_tagged;
        uint16_t vlan;      /* tag control information: priority << 13 | drop eligible << 12 | VLAN id */
        uint16_t cn_flow;   /* CN-TAG: flow id of the reaction point */
        uint64_t dst, src;  /* MAC addresses, 48 bits */
        uint16_t ethertype; /* OTHER */
        uint8_t syndrome;   /* ACK: of the AETH */
        uint32_t msn;       /* ACK: message sequence number, 24 bits */
        uint32_t period_ns; /* CNP: period, ns; 0 = a CNP of plain DCQCN */
        struct rcc_wire_ip ip;
        struct rcc_wire_bth bth;
        struct rcc_wire_reth reth;
        struct rcc_wire_cnm cnm;
        struct rcc_wire_pause pause;
        /* DATA, OTHER, CNM: what is carried. The decoder points into its input; for the encoder NULL means zeros. */
        const uint8_t *payload;
        size_t payload_bytes;
    };

    /* ------------------------------------------------------------------ CRC */

    /* CRC-32 of Ethernet (reflected, polynomial 04C11DB7). `crc` is 0, or what it returned for the bytes before. */
    uint32_t rcc_crc32(uint32_t crc, const uint8_t *data, size_t bytes);

    /*
     * Memory of a host that writes many payloads of zeros: what a run of `bytes` zero bytes does to a CRC, as four
     * look-ups. Zero it before the first use; it adapts to the length that is asked for twice in a row.
     */
    struct rcc_crc_zeros
    {
        size_t bytes;  /* the table's; 0 = none yet */
        size_t missed; /* the last other length */
        uint32_t table[4][256];
    };

    /*
     * Invariant CRC of a RoCEv2 packet (InfiniBand 7.8.1, A17.3.2).
     * `ip`: the packet from its IPv4 header, without options, to the last byte before the ICRC; `bytes` of it, at least
     * RCC_WIRE_IPV4 + RCC_WIRE_UDP + RCC_WIRE_BTH. `zeros`: how many more bytes follow, all zero. `cache`: may be NULL.
     * Returns the ICRC, whose bytes go on the wire least significant first.
     */
    uint32_t rcc_icrc(const uint8_t *ip, size_t bytes, size_t zeros, struct rcc_crc_zeros *cache);

    /* ------------------------------------------------------------------ frames */

    /* Bytes that the encoder writes for a frame; 0 if it cannot: an unknown kind or opcode, a pad above 3, more than
     * 65535 bytes of IPv4, a CNM whose msdu is not payload_bytes. */
    size_t rcc_wire_size(const struct rcc_wire_frame *frame);

    /*
     * Write a frame into `out`, which has room for `room` bytes. `cache` may be NULL, see rcc_crc_zeros.
     * Returns the bytes written, rcc_wire_size; 0, and nothing is written, if that is 0 or more than `room`.
     */
    size_t rcc_wire_encode(const struct rcc_wire_frame *frame, uint8_t *out, size_t room, struct rcc_crc_zeros *cache);

    /*
     * Read a frame of `bytes` bytes, without frame check sequence. On RCC_WIRE_OK all of `frame` is set; else what is
     * in it has no meaning. What is not RoCEv2, CNM, PFC or PAUSE is a frame of kind OTHER, not an error; so are IPv4
     * packets that are not UDP to port 4791. Reserved bits are ignored.
     */
    enum rcc_wire_error rcc_wire_decode(const uint8_t *data, size_t bytes, struct rcc_wire_frame *frame);

    /* A short static sentence. */
    const char *rcc_wire_error_text(enum rcc_wire_error error);

    /* The opcode of a data packet by its place in its message. */
    uint8_t rcc_wire_data_opcode(bool write, bool first, bool last);

    /* Whether packets of this opcode have a RETH. */
    static inline bool rcc_wire_has_reth(uint8_t opcode)
    {
        return opcode == RCC_WIRE_WRITE_FIRST || opcode == RCC_WIRE_WRITE_ONLY;
    }

    /* A difference of queue lengths, bytes, in the units of a CNM: 64 bytes, towards zero, saturating. */
    static inline int16_t rcc_wire_cnm_units(int64_t bytes)
    {
        int64_t units = bytes / 64;
        return (int16_t)(units > INT16_MAX ? INT16_MAX : units < INT16_MIN ? INT16_MIN : units);
    }

    /* Checksum of an IPv4 header (RFC 1071) whose checksum field is 0; of a whole header the result is 0.
     * `bytes` is even. */
    uint16_t rcc_wire_ipv4_checksum(const uint8_t *header, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RCC_WIRE_H */
