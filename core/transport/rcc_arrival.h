/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * What a NIC decides about frames that arrive, before a queue pair sees them: which ones it accepts, whether it is
 * overloaded, and what it buffers while its host reads more slowly than the link brings data.
 */
#ifndef RCC_ARRIVAL_H
#define RCC_ARRIVAL_H

#include "rcc.h"
#include "rcc_link.h"

#ifdef __cplusplus
extern "C"
{
#endif

    /* ------------------------------------------------------------------ belief */

    /** Kinds of frames that a NIC tells apart. */
    enum rcc_nic_kind
    {
        RCC_NIC_DATA,   /**< data for a receiving half */
        RCC_NIC_ANSWER, /**< an ACK, NAK or CNM for a sending half */
        RCC_NIC_CNP,    /**< a CNP for a sending half */
        RCC_NIC_CORRUPT /**< a frame whose check is wrong */
    };

    /** Limits of what a NIC accepts. */
    struct rcc_nic_limits
    {
        uint32_t receivers;      /**< number of its receiving halves, which are numbered from 0 */
        uint32_t senders;        /**< number of its sending halves */
        uint32_t max_cnp_period; /**< longest period field of a CNP, ns */
    };

    /**
     * Whether a NIC accepts a frame. It rejects corrupted frames, frames for a queue pair that it does not have, and
     * CNPs with a period that no receiver can mean: such a period would stop the queue pair for as long.
     * \param limits limits of the NIC
     * \param kind kind of the frame
     * \param qp queue pair that the frame names
     * \param period period field of a CNP, ns; ignored for other kinds
     * \return false: the frame has no effect
     */
    static inline bool rcc_nic_accepts(const struct rcc_nic_limits *limits, enum rcc_nic_kind kind, uint32_t qp,
                                       uint32_t period)
    {
        if (kind == RCC_NIC_DATA)
            return qp < limits->receivers;
        return kind != RCC_NIC_CORRUPT && qp < limits->senders &&
               (kind != RCC_NIC_CNP || period <= limits->max_cnp_period);
    }

    /* ------------------------------------------------------------------ ingress meter */

/** Largest depth of an ingress meter, bytes. */
#define RCC_METER_DEPTH_MAX ((uint32_t)1 << 30)

    /**
     * The ingress meter of a NIC: a virtual queue that arriving data pass at the meter's rate. The NIC is overloaded
     * while more than the depth waits in it; its notification point then treats data as if they were marked. Initialise
     * it with zeros: a meter of rate 0 is never overloaded.
     */
    struct rcc_meter
    {
        struct rcc_link queue; /**< the virtual queue */
        rcc_time depth;        /**< time in which the rate drains the depth, ns, rounded down */
    };

    /**
     * Change the settings. What waits stays.
     * \param rate rate at which the queue drains, bit/s; 0 = there is no meter
     * \param depth bytes that may wait, up to RCC_METER_DEPTH_MAX
     */
    void rcc_meter_set(struct rcc_meter *meter, uint64_t rate, uint32_t depth);

    /**
     * Data arrive at a meter with a rate. They enter the queue unless it is too long.
     * \param now the time, ns, not before that of earlier calls
     * \param bytes size of the frame on the wire, bytes, at least 1
     * \return true if the NIC is overloaded
     */
    bool rcc_meter_is_overloaded(struct rcc_meter *meter, rcc_time now, uint32_t bytes);

    /**
     * As rcc_meter_is_overloaded; cheap for NICs without a meter.
     * \param now the time, ns, not before that of earlier calls
     * \param bytes size of the frame on the wire, bytes, at least 1
     * \return true if the NIC is overloaded
     */
    static inline bool rcc_meter_arrive(struct rcc_meter *meter, rcc_time now, uint32_t bytes)
    {
        return meter->queue.rate != 0 && rcc_meter_is_overloaded(meter, now, bytes);
    }

    /* ------------------------------------------------------------------ receive buffer */

    /**
     * The receive buffer of a port whose host reads data at a rate of its own. A lossless class (with PFC) is paused
     * while its data fill the buffer; what arrives nevertheless is kept. Data of another class that do not fit are
     * dropped. Initialise it with zeros, then set `limit`, `lossless` and the rate of `drain`.
     */
    struct rcc_intake
    {
        struct rcc_link drain;         /**< how fast the host reads; rate 0: it reads nothing */
        uint64_t limit;                /**< bytes of a class that may wait */
        uint8_t lossless;              /**< classes with PFC, one bit each */
        uint8_t paused;                /**< the lossless classes that shall be paused, one bit each */
        uint64_t waiting[RCC_CLASSES]; /**< bytes that wait, by class */
    };

    /**
     * Whether data that have arrived need not wait. If so, they count as read.
     * \param now the time, ns, not before that of earlier calls
     * \param bytes size of the frame on the wire, bytes, at least 1
     * \param empty whether nothing waits
     * \return true: the host reads them now
     */
    bool rcc_intake_reads_at_once(struct rcc_intake *intake, rcc_time now, uint32_t bytes, bool empty);

    /**
     * Data arrive that must wait; `paused` is what it shall be afterwards.
     * \param cls traffic class, below RCC_CLASSES
     * \param bytes size of the frame on the wire, bytes
     * \return false: they are dropped
     */
    bool rcc_intake_keeps(struct rcc_intake *intake, unsigned cls, uint32_t bytes);

    /**
     * The host reads the frame that has waited longest; `paused` is what it shall be afterwards: a class resumes when
     * half of its space is free.
     * \param now the time, ns, not before that of earlier calls
     * \param cls traffic class of the frame
     * \param bytes its size on the wire, bytes
     * \return when the host can read the next one, ns; `now` with a rate of 0, of a host that reads all at once
     */
    rcc_time rcc_intake_read(struct rcc_intake *intake, rcc_time now, unsigned cls, uint32_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* RCC_ARRIVAL_H */
