/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Whole transfers by a host that does what the actions say, and nothing else. */
#include "qp_nic.h"

#include <stdlib.h>
#include <string.h>

/* A network of one round-trip time that loses packets of either direction. Nothing polls: the port wakes when
 * RCC_QP_WAKE or its own frame says, the timers when RCC_QP_TIMER or their own expiry says. */
struct host
{
    struct nic n;
    rcc_time port_at[PORTS], timer_at;
    struct rcc_receiver rx[QPS];
    struct
    {
        rcc_time at;
        uint32_t id;
        struct rcc_qp_answer answer;
    } answers[4096]; /* by time of arrival */
    unsigned first, last, lose, completed;
};

static void act(struct host *h, uint32_t i, unsigned actions)
{
    const struct rcc_qp *qp = &h->n.qp[i];
    const unsigned p = port_of(&h->n, qp);
    if (actions & RCC_QP_WAKE && !(h->n.paused[p] >> qp->cls & 1u) && qp->key < h->port_at[p])
        h->port_at[p] = qp->key;
    if (actions & RCC_QP_TIMER && qp->tx.timer.due < h->timer_at)
        h->timer_at = qp->tx.timer.due;
}

static void host_sends(struct host *h, unsigned p)
{
    struct rcc_segment s;
    rcc_time due;
    uint32_t i;
    h->port_at[p] = RCC_NEVER;
    while ((i = rcc_port_first(&h->n.port[p], h->n.paused[p], &due)) != RCC_PORT_NONE && due <= h->n.now)
    {
        const unsigned actions = rcc_qp_next(&h->n.core, &h->n.qp[i], h->n.now, &s);
        act(h, i, actions);
        if ((actions & RCC_QP_SENT) == 0)
            continue;
        const struct rcc_data data = {s.packet, s.payload, false, s.ack_request};
        const unsigned got = rng_chance(&h->n.rng, h->lose) ? 0 : rcc_receiver_data(&h->rx[i], &data, true);
        if (got & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK) && !rng_chance(&h->n.rng, h->lose))
        {
            const struct rcc_qp_answer answer = {
                .packet = h->rx[i].expected, .rtt = 10 * US, .nak = (got & RCC_RECEIVER_NAK) != 0};
            h->answers[h->last].at = h->n.now + 10 * US;
            h->answers[h->last].id = i;
            h->answers[h->last++ % 4096].answer = answer;
        }
        h->port_at[p] = h->n.now + 800; /* the link is busy; then it looks again */
        return;
    }
    h->port_at[p] = due;
}

/* The next event. False: there is none. */
static bool host_step(struct host *h)
{
    unsigned which = 0;
    rcc_time at = h->timer_at;
    for (unsigned p = 0; p < PORTS; p++)
        if (h->port_at[p] < at)
        {
            at = h->port_at[p];
            which = 1 + p;
        }
    if (h->first != h->last && h->answers[h->first].at < at)
    {
        at = h->answers[h->first].at;
        which = 9;
    }
    if (at == RCC_NEVER)
        return false;
    h->n.now = at > h->n.now ? at : h->n.now;
    if (which == 9)
    {
        struct rcc_message message;
        const uint32_t i = h->answers[h->first].id;
        act(h, i, rcc_qp_ack(&h->n.core, &h->n.qp[i], &h->answers[h->first++].answer, h->n.now));
        while (rcc_sender_complete(&h->n.qp[i].tx, &message))
        {
            h->completed++;
            CHECK(message.end <= h->rx[i].expected, "completed before it arrived");
        }
    }
    else if (which == 0)
    {
        const struct rcc_timer *timer;
        while ((timer = rcc_timers_first(&h->n.core.timers)) != NULL && timer->due <= h->n.now)
            act(h, timer->id, rcc_qp_timeout(&h->n.core, &h->n.qp[timer->id], h->n.now));
        h->timer_at = timer != NULL ? timer->due : RCC_NEVER;
    }
    else
        host_sends(h, which - 1);
    return true;
}

START_TEST(test_transfers)
{
    for (uint64_t seed = 1; seed <= rounds(100); seed++)
    {
        struct host *h = malloc(sizeof *h);
        memset(h, 0, sizeof *h);
        nic_init(&h->n, seed);
        h->n.transport.retry_limit = 0;
        h->n.transport.back_to_zero = false;
        h->lose = (unsigned)(seed % 3) * 5;
        h->port_at[0] = h->port_at[1] = h->timer_at = RCC_NEVER;
        for (uint32_t i = 0; i < QPS; i++)
        {
            const uint64_t window = i % 2 == 0 ? 0 : (uint64_t)rng_log_range(&h->n.rng, 1, 50000);
            act(h, i, rcc_qp_set_window(&h->n.core, &h->n.qp[i], window, i == 3, h->n.now));
            for (unsigned k = 0; k < 4; k++)
            {
                unsigned actions;
                ck_assert_int_eq(rcc_qp_post(&h->n.core, &h->n.qp[i], 1 + 7777 * k, h->n.now, &actions), RCC_POST_OK);
                act(h, i, actions);
            }
        }
        while (h->completed < 4 * QPS && h->last < 4095)
            if (!host_step(h))
                break;
        CHECK(h->completed == 4 * QPS, "seed %llu: %u messages of %u", (unsigned long long)seed, h->completed, 4 * QPS);
        rig_free(&h->n.rig);
        free(h);
    }
}
END_TEST

Suite *suite_qp_transfer(void)
{
    Suite *suite = suite_create("qp-transfer");
    TCase *tc = long_tcase("core");
    tcase_add_test(tc, test_transfers);
    suite_add_tcase(suite, tc);
    return suite;
}
