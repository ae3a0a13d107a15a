/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Fuzzes queue pairs on a port: the input's bytes choose the settings of the NIC and a sequence of messages, frames,
 * answers, signals, timeouts, pauses, windows and ends. Build and run as fuzz_core.c, with -Icore/transport,
 * -Icore/port and -Icore/qp.
 */
#include "fuzz.h"
#include "rcc_qp.h"

#define QPS 4u
#define RING 8u
#define CLASS 3u

struct host
{
    struct rcc_transport transport;
    struct rcc_bucket bucket;
    struct rcc_nic nic;
    struct rcc_port port[2];
    rcc_time keys[2][QPS], log[2][16];
    uint32_t ids[2][QPS], at[QPS];
    uint8_t least[2][RCC_HEAP_PARENTS(QPS)];
    struct rcc_qp qp[QPS];
    struct rcc_message ring[QPS][RING];
    uint64_t memory[QPS][RCC_RP_SIZE_MAX / 8];
    uint64_t line_rate;
    uint8_t paused;
    rcc_time now;
};

static void act(const struct host *h, const struct rcc_qp *qp, unsigned actions)
{
    REQUIRE((actions & RCC_QP_WAKE) == 0 || (h->at[qp->id] == 0 && qp->port->classes[CLASS].heap.keys[0] == qp->key));
    REQUIRE((actions & RCC_QP_TIMER) == 0 || qp->tx.timer.armed);
    REQUIRE((actions & (RCC_QP_INVALID | RCC_QP_IGNORED)) == 0 || (actions & (actions - 1)) == 0);
}

static void send_one(struct host *h, unsigned p)
{
    struct rcc_segment s;
    rcc_time due;
    for (unsigned tries = 0;; tries++)
    {
        const uint32_t i = rcc_port_first(&h->port[p], h->paused, &due);
        if (i == RCC_PORT_NONE || due > h->now)
            return;
        const uint64_t before = h->qp[i].tx.next;
        const unsigned actions = rcc_qp_next(&h->nic, &h->qp[i], h->now, &s);
        act(h, &h->qp[i], actions);
        REQUIRE(tries < 2 * QPS); /* a queue pair that does not send has moved or left */
        if ((actions & RCC_QP_SENT) == 0)
            continue;
        REQUIRE(s.packet == before && h->qp[i].tx.next == before + 1 && !h->qp[i].closed);
        REQUIRE(s.payload >= 1 && s.payload <= h->transport.mtu);
        REQUIRE(h->bucket.size == 0 || h->bucket.debt || h->qp[i].pacer.tokens.bytes >= 0);
        return;
    }
}

static void answer(struct host *h, struct rcc_qp *qp, struct input *in)
{
    const uint64_t back = take(in, 1) % 4, on = take(in, 1) % 8;
    const uint64_t una = qp->tx.una, packet = (una > back ? una - back : 0) + on;
    const struct rcc_qp_answer a = {
        .packet = packet, .rtt = (rcc_time)take(in, 3) - 1, .nak = take(in, 1) % 3 == 0, .ce = on % 2 == 0};
    const unsigned actions = rcc_qp_ack(&h->nic, qp, &a, h->now);
    struct rcc_message message;
    act(h, qp, actions);
    REQUIRE((actions & RCC_QP_IGNORED) != 0 || ((actions & RCC_QP_INVALID) != 0) == (packet > qp->tx.highest));
    while (rcc_sender_complete(&qp->tx, &message))
        REQUIRE(message.end <= qp->tx.una);
}

static void event(struct host *h, struct input *in)
{
    const uint8_t what = (uint8_t)take(in, 1);
    struct rcc_qp *qp = &h->qp[what % QPS];
    struct rcc_feedback feedback = {.kind = what % 3 == 0 ? RCC_FEEDBACK_CNM : RCC_FEEDBACK_CNP, .qfb = what & 63};
    const struct rcc_timer *timer = rcc_timers_first(&h->nic.timers);
    unsigned actions = 0;
    h->now += (rcc_time)take(in, 1 + what % 2);
    if (what < 40 && !qp->closed)
        rcc_qp_post(&h->nic, qp, take(in, 1 + what % 3), h->now, &actions);
    else if (what < 130)
        send_one(h, what % 2);
    else if (what < 170)
        answer(h, qp, in);
    else if (what < 190)
        actions = rcc_qp_signal(&h->nic, qp, &feedback, h->now);
    else if (what < 205 && timer != NULL)
    {
        h->now = timer->due > h->now ? timer->due : h->now;
        qp = &h->qp[timer->id];
        actions = rcc_qp_timeout(&h->nic, qp, h->now);
    }
    else if (what < 220)
    {
        h->paused ^= 1u << CLASS;
        for (unsigned p = 0; p < 2; p++)
            rcc_port_log_pause(&h->port[p], CLASS, h->now, h->paused != 0);
    }
    else if (what < 230)
        actions = rcc_qp_set_window(&h->nic, qp, take(in, 2), what % 2 == 0, h->now);
    else if (what < 240)
        rcc_qp_offer(qp, take(in, 5), h->now);
    else if (what < 252 && !qp->closed)
        actions = rcc_qp_move(&h->nic, qp, &h->port[what % 2], 62 + what % 8, h->now);
    else if (what >= 252)
        rcc_qp_close(&h->nic, qp);
    act(h, qp, actions);
}

static void start(struct host *h, struct input *in, const struct rcc_profile *profile)
{
    const uint8_t flags = (uint8_t)take(in, 1);
    h->transport.mtu = 1 + (uint32_t)take(in, 2) % 4000;
    h->transport.ack_every = 1 + (uint32_t)take(in, 1);
    h->transport.retry_limit = flags & 1 ? 3 : 0;
    h->transport.timeout = 1 + (rcc_time)take(in, 3);
    h->transport.backoff = (flags & 2) != 0;
    h->transport.back_to_zero = (flags & 4) != 0;
    h->transport.chunk = flags & 8 ? 8 : 0;
    h->transport.reliable = true;
    h->transport.write = (flags & 16) != 0;
    h->bucket.size = flags & 32 ? 8192 : 0;
    h->bucket.interval = 1000;
    h->bucket.debt = (flags & 64) != 0;
    h->nic = (struct rcc_nic){.transport = &h->transport, .bucket = &h->bucket, .at = h->at, .gap = 24};
    rcc_timers_init(&h->nic.timers);
    for (unsigned p = 0; p < 2; p++)
    {
        rcc_port_init(&h->port[p]);
        h->port[p].line_rate = &h->line_rate;
        rcc_heap_init(&h->port[p].classes[CLASS].heap, h->keys[p], h->ids[p], h->least[p], QPS);
        rcc_pause_log_init(&h->port[p].classes[CLASS].pauses, h->log[p], 16);
    }
    for (uint32_t i = 0; i < QPS; i++)
    {
        rcc_qp_start(&h->qp[i], &h->nic, rcc_rp_start(h->memory[i], profile, 0, i), i, 0);
        rcc_qp_attach(&h->qp[i], &h->port[i % 2], CLASS, 62);
        rcc_sender_grow(&h->qp[i].tx, h->ring[i], RING);
    }
}

static void check(const struct host *h)
{
    for (uint32_t i = 0; i < QPS; i++)
    {
        const struct rcc_qp *qp = &h->qp[i];
        const bool queued = rcc_qp_is_queued(&h->nic, qp);
        REQUIRE(!queued || (qp->port->classes[CLASS].heap.ids[h->at[i]] == i &&
                            qp->port->classes[CLASS].heap.keys[h->at[i]] == qp->key));
        REQUIRE(!queued || (rcc_sender_has_data(&qp->tx) && !qp->closed && !qp->tx.failed));
        REQUIRE(queued || !rcc_sender_has_data(&qp->tx) || qp->tx.window != 0); /* nobody is forgotten */
        REQUIRE(!qp->closed || !qp->tx.timer.armed);
        REQUIRE(!qp->tx.timer.armed || qp->tx.next > qp->tx.una); /* it stands for a packet without an answer */
        /* a queue pair that waits for an answer to go on has a timer */
        REQUIRE(queued || !rcc_sender_has_data(&qp->tx) || qp->tx.timer.armed);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"dcqcn", "dcqcn-plus", "timely", "qcn"};
    struct input in = {data, size};
    const struct rcc_algorithm *alg = rcc_find(names[take(&in, 1) % 4]);
    const struct rcc_env env = {10000000000u, draw};
    int64_t params[RCC_MAX_FIELDS];
    uint64_t memory[RCC_PROFILE_SIZE_MAX / 8];
    struct host *h = calloc(1, sizeof *h);
    REQUIRE(h != NULL);
    rcc_params_init(alg, NULL, params);
    const struct rcc_profile *profile = rcc_configure(alg, RCC_RP, params, &env, memory, NULL);
    REQUIRE(profile != NULL);
    h->line_rate = env.line_rate;
    start(h, &in, profile);
    while (in.size > 0)
    {
        event(h, &in);
        check(h);
    }
    free(h);
    return 0;
}
