/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Every flow ends: whole messages of one queue pair under each algorithm and each accepted way to recover, through a
 * network that loses packets and answers of either direction, at times all that are in flight. Two rules are checked
 * beside the end: the timer stands for a packet that has no answer, and between two timeouts for one packet one leaves.
 */
#include "helpers.h"
#include "rcc_qp.h"

#include <stdlib.h>
#include <string.h>

#define RTT (10 * US)
#define FRAME 800 /* time for which a frame keeps the link busy, ns */
#define MTU 1000u
#define ANSWERS 256u
#define HURTS 60u /* losses, trims and signals of a run; after them the network is good */

/* The way in which a queue pair recovers. */
struct recovery
{
    const char *preset; /* NULL: go-back-N */
    bool to_zero;
    enum rcc_gap_rule naks;
    bool infer, again;
    uint32_t few;
};

static const struct recovery recoveries[] = {
    {NULL, false, RCC_GAP_EACH, false, false, 0},  {NULL, true, RCC_GAP_EACH, false, false, 0},
    {"irn", false, RCC_GAP_EACH, true, false, 3},  {"nic", false, RCC_GAP_ONCE, false, true, 0},
    {"nic", false, RCC_GAP_ONCE, false, false, 3}, {"nic", false, RCC_GAP_EACH, false, true, 3},
    {"nic", false, RCC_GAP_SILENT, true, true, 0}, {"nic", false, RCC_GAP_SILENT, true, false, 0}};
#define RECOVERIES (sizeof recoveries / sizeof recoveries[0])

struct run
{
    struct rng rng;
    struct rig rig;
    struct rcc_transport transport;
    struct rcc_selective settings;
    struct rcc_bucket bucket;
    struct rcc_nic nic;
    struct rcc_port port;
    struct rcc_qp qp;
    struct rcc_repeat repeat;
    struct rcc_receiver rx;
    struct rcc_placement placement;
    struct rcc_message ring[4];
    uint64_t line_rate, memory[RCC_RP_SIZE_MAX / 8], words[64 * 6];
    rcc_time keys[2], log[4], now, port_at, timer_at, dark_until, nak_every;
    uint32_t ids[2], at[1];
    uint8_t least[RCC_HEAP_PARENTS(2)];
    struct
    {
        rcc_time at;
        struct rcc_qp_answer answer;
        struct rcc_sack sack;
    } answers[ANSWERS]; /* the answers on their way, in order */
    unsigned first, last, lose, trim, hurts, completed, sent, timeouts, since_timeout;
    unsigned lose_nth; /* the transmission that is lost beside them; 0: none */
    bool selective, failed;
};

/* ------------------------------------------------------------------ settings */

/* Choose settings; return false if they are refused. */
static bool choose(struct run *r, const struct recovery *how, bool timeout_all)
{
    struct rcc_transport *t = &r->transport;
    t->mtu = MTU;
    t->ack_every = (uint32_t)rng_log_range(&r->rng, 1, 32);
    t->chunk = how->to_zero || rng_chance(&r->rng, 30) ? (uint32_t)rng_log_range(&r->rng, 4, 256) : 0;
    t->timeout = rng_log_range(&r->rng, 15 * US, 400 * US); /* a chunk may take longer */
    t->retry_limit = rng_chance(&r->rng, 10) ? 3 : 0;
    t->backoff = rng_chance(&r->rng, 30);
    t->reliable = true;
    t->write = rng_chance(&r->rng, 50);
    r->nak_every = rng_chance(&r->rng, 30) ? 100 * US : 0;
    r->selective = how->preset != NULL;
    if (r->selective)
    {
        const uint32_t ack_every = t->ack_every;
        const rcc_time timeout = t->timeout;
        ck_assert(rcc_selective_preset(&r->settings, t, how->preset));
        t->ack_every = rng_chance(&r->rng, 50) ? ack_every : t->ack_every;
        t->timeout = timeout;
        r->settings.packets = 64;
        r->settings.naks = how->naks;
        r->settings.infer = how->infer;
        r->settings.again = how->again;
        r->settings.few = how->few;
        r->settings.rto_low = rng_range(&r->rng, 14 * US, timeout);
        r->settings.timeout_all = timeout_all;
        if (how->infer && rng_chance(&r->rng, 30))
            r->settings.reorder = (uint32_t)rng_range(&r->rng, 1, 20);
    }
    t->back_to_zero = how->to_zero;
    return rcc_transport_check(t) == NULL && (!r->selective || rcc_selective_check(&r->settings, t) == NULL);
}

static void start(struct run *r, const char *algorithm, uint64_t stream)
{
    r->line_rate = 10 * GBPS;
    rig_init(&r->rig, algorithm, NULL, r->line_rate);
    r->rig.env.base_rtt = RTT;
    r->rig.env.mtu = MTU;
    rig_start(&r->rig, 0, stream);
    r->nic = (struct rcc_nic){.transport = &r->transport, .bucket = &r->bucket, .at = r->at, .gap = 24};
    rcc_timers_init(&r->nic.timers);
    rcc_port_init(&r->port);
    r->port.line_rate = &r->line_rate;
    rcc_heap_init(&r->port.classes[3].heap, r->keys, r->ids, r->least, 2);
    rcc_pause_log_init(&r->port.classes[3].pauses, r->log, 4);
    rcc_qp_start(&r->qp, &r->nic, rcc_rp_start(r->memory, r->rig.rp_profile, 0, stream), 0, 0);
    rcc_qp_attach(&r->qp, &r->port, 3, 62);
    rcc_sender_grow(&r->qp.tx, r->ring, 4);
    r->port_at = r->timer_at = RCC_NEVER;
    if (!r->selective)
        return;
    rcc_repeat_init(&r->repeat, &r->settings, r->words);
    rcc_placement_init(&r->placement, &r->settings, r->words + rcc_repeat_words(&r->settings));
    rcc_qp_repeat(&r->qp, &r->repeat);
}

/* ------------------------------------------------------------------ the network */

static void act(struct run *r, unsigned actions)
{
    if (actions & RCC_QP_WAKE && r->qp.key < r->port_at)
        r->port_at = r->qp.key;
    if (actions & RCC_QP_TIMER && r->qp.tx.timer.due < r->timer_at)
        r->timer_at = r->qp.tx.timer.due;
    r->failed = r->failed || (actions & RCC_QP_FAILED) != 0;
    CHECK(!r->qp.tx.timer.armed || r->qp.tx.highest > r->qp.tx.una, "a timer without a packet that lacks an answer");
    CHECK(!r->qp.tx.timer.armed || r->selective || r->qp.tx.next > r->qp.tx.una,
          "a timer while packets that have arrived are sent again");
}

/* Return true if something bad happens now. After HURTS of them nothing does. */
static bool is_hurt(struct run *r, unsigned percent)
{
    const bool hurt = r->hurts < HURTS && (r->now < r->dark_until || rng_chance(&r->rng, percent));
    r->hurts += hurt;
    return hurt;
}

/* Lose all that is in flight, and what leaves within this time. */
static void darken(struct run *r)
{
    if (r->hurts >= HURTS || !rng_chance(&r->rng, 2))
        return;
    r->hurts += 1 + r->last - r->first;
    r->first = r->last;
    r->dark_until = r->now + rng_log_range(&r->rng, 1 * US, 500 * US);
}

static void reply(struct run *r, const struct rcc_segment *s)
{
    const struct rcc_data data = {s->packet, s->payload, false, s->ack_request};
    const bool trimmed = is_hurt(r, r->trim);
    struct rcc_sack sack = {0};
    struct rcc_qp_answer answer = {.rtt = RTT + rng_log_range(&r->rng, 1, 100 * US), .ce = rng_chance(&r->rng, 10)};
    const struct rcc_feedback own = own_feedback(&r->rig, &r->rng);
    unsigned got;
    if (r->selective)
        got = trimmed ? rcc_placement_trimmed(&r->placement, s->packet, false, &sack)
                      : rcc_placement_data(&r->placement, &data, s->last, &sack);
    else if (trimmed)
        got = rcc_receiver_trimmed(&r->rx, s->packet, s->ack_request) ? RCC_RECEIVER_NAK : 0;
    else
    {
        got = rcc_receiver_data(&r->rx, &data, true);
        got = rcc_receiver_nak_again(&r->rx, &data, got, r->nak_every, r->now);
    }
    if ((got & (RCC_RECEIVER_ACK | RCC_RECEIVER_NAK)) == 0 || is_hurt(r, r->lose))
        return;
    CHECK(r->last - r->first < ANSWERS, "too many answers");
    answer.packet = r->selective ? sack.packet : r->rx.expected;
    answer.nak = (got & RCC_RECEIVER_NAK) != 0;
    if (own.kind == RCC_FEEDBACK_ACK && own.n_path != 0 && rng_chance(&r->rng, 50))
    {
        answer.n_path = own.n_path;
        answer.path = own_path;
        answer.hops = own.hops;
        answer.path_id = own.path_id;
    }
    r->answers[r->last % ANSWERS].at = r->now + RTT;
    r->answers[r->last % ANSWERS].sack = sack;
    r->answers[r->last++ % ANSWERS].answer = answer;
}

static void send_one(struct run *r)
{
    struct rcc_segment s;
    rcc_time due;
    r->port_at = RCC_NEVER;
    while (rcc_port_first(&r->port, 0, &due) != RCC_PORT_NONE && due <= r->now)
    {
        const unsigned actions = rcc_qp_next(&r->nic, &r->qp, r->now, &s);
        act(r, actions);
        if ((actions & RCC_QP_SENT) == 0)
            continue;
        r->sent++;
        r->since_timeout++;
        darken(r);
        if (!is_hurt(r, r->lose) && r->sent != r->lose_nth)
            reply(r, &s);
        r->port_at = r->now + FRAME;
        return;
    }
    r->port_at = due;
}

static void hear(struct run *r)
{
    const unsigned i = r->first++ % ANSWERS;
    struct rcc_qp_answer answer = r->answers[i].answer;
    const struct rcc_feedback own = own_feedback(&r->rig, &r->rng);
    const uint64_t una = r->qp.tx.una;
    struct rcc_message message;
    if (r->selective)
        answer.sack = &r->answers[i].sack;
    act(r, rcc_qp_ack(&r->nic, &r->qp, &answer, r->now));
    while (rcc_sender_complete(&r->qp.tx, &message))
        r->completed++;
    r->since_timeout += r->qp.tx.una != una;
    if (own.kind != RCC_FEEDBACK_ACK && is_hurt(r, 3))
        act(r, rcc_qp_signal(&r->nic, &r->qp, &own, r->now));
}

static void time_out(struct run *r)
{
    const struct rcc_timer *timer;
    while ((timer = rcc_timers_first(&r->nic.timers)) != NULL && timer->due <= r->now)
    {
        const unsigned actions = rcc_qp_timeout(&r->nic, &r->qp, r->now);
        act(r, actions);
        if (actions == RCC_QP_TIMER)
            continue; /* the rest of the longer wait */
        CHECK(r->since_timeout != 0, "two timeouts for one packet, and none left between them");
        r->since_timeout = 0;
        r->timeouts++;
    }
    r->timer_at = timer != NULL ? timer->due : RCC_NEVER;
}

/* Process the next event; return false if there is none. */
static bool step(struct run *r)
{
    const rcc_time heard = r->first != r->last ? r->answers[r->first % ANSWERS].at : RCC_NEVER;
    const rcc_time own = r->port_at < r->timer_at ? r->port_at : r->timer_at, at = heard < own ? heard : own;
    if (at == RCC_NEVER)
        return false;
    r->now = at > r->now ? at : r->now;
    if (at == heard)
        hear(r);
    else if (at == r->timer_at)
        time_out(r);
    else
        send_one(r);
    return true;
}

/* ------------------------------------------------------------------ the property */

static void one_run(const char *algorithm, const struct recovery *how, bool timeout_all, uint64_t seed)
{
    struct run *r = calloc(1, sizeof *r);
    unsigned packets = 0;
    ck_assert_ptr_nonnull(r);
    r->rng.state = seed;
    ck_assert(choose(r, how, timeout_all));
    start(r, algorithm, seed);
    r->lose = (unsigned)rng_range(&r->rng, 0, 2) * 4;
    r->trim = rng_chance(&r->rng, 50) ? 5 : 0;
    if (rng_chance(&r->rng, 30))
        act(r, rcc_qp_set_window(&r->nic, &r->qp, (uint64_t)rng_log_range(&r->rng, 1, 60000), seed % 2 == 0, 0));
    for (unsigned i = 0; i < 3; i++)
    {
        const uint64_t bytes = (uint64_t)rng_log_range(&r->rng, 1, 200 * MTU);
        unsigned actions;
        ck_assert_int_eq(rcc_qp_post(&r->nic, &r->qp, bytes, 0, &actions), RCC_POST_OK);
        packets += (unsigned)((bytes + MTU - 1) / MTU);
        act(r, actions);
    }
    /* Whatever goes wrong once makes a sender repeat no more than all of its packets. A timer may also expire while the
     * next packet is paced, as the packets in flight asked for no answer: that happens less often than losses. */
    while (r->completed < 3 && !r->failed && r->sent <= packets * 2 * (HURTS + 1))
        if (!step(r))
            break;
    CHECK(r->completed == 3 || (r->failed && r->transport.retry_limit != 0),
          "%s, %s%s, timeout_all %d, seed %llu: %u messages of 3, %u packets sent for %u, %u losses and signals",
          algorithm, how->preset != NULL ? how->preset : "go-back-N", how->to_zero ? " to zero" : "", timeout_all,
          (unsigned long long)seed, r->completed, r->sent, packets, r->hurts);
    rig_free(&r->rig);
    free(r);
}

START_TEST(every_flow_ends)
{
    const struct rcc_algorithm *alg = rcc_algorithm_at((size_t)_i);
    for (size_t k = 0; k < RECOVERIES; k++)
        for (unsigned all = 0; all < (recoveries[k].preset != NULL ? 2u : 1u); all++)
            for (uint64_t seed = 1; seed <= rounds(200); seed++)
                one_run(alg->name, &recoveries[k], all == 1, seed);
}
END_TEST

/* A chunk of 4000 packets takes 32 times as long as the timeout. One lost packet repeats it once, without a timeout. */
START_TEST(back_to_zero_outlasts_the_timeout)
{
    struct run *r = calloc(1, sizeof *r);
    unsigned actions;
    ck_assert_ptr_nonnull(r);
    r->transport = (struct rcc_transport){
        .mtu = MTU, .ack_every = 1, .chunk = 4000, .timeout = 100 * US, .back_to_zero = true, .reliable = true};
    r->hurts = HURTS; /* no other packet is lost */
    r->lose_nth = 3500;
    start(r, "none", 1);
    ck_assert_int_eq(rcc_qp_post(&r->nic, &r->qp, 4000 * MTU, 0, &actions), RCC_POST_OK);
    act(r, actions);
    while (r->completed == 0 && r->sent < 100000 && step(r))
        ;
    ck_assert_uint_eq(r->completed, 1);
    ck_assert_uint_eq(r->timeouts, 0);
    ck_assert_uint_eq(r->sent, 3501 + 11 + 4000); /* eleven leave in the 10 us until the NAK is there */
    rig_free(&r->rig);
    free(r);
}
END_TEST

Suite *suite_qp_liveness(void)
{
    Suite *suite = suite_create("qp-liveness");
    TCase *tc = long_tcase("core");
    tcase_add_test(tc, back_to_zero_outlasts_the_timeout);
    tcase_add_loop_test(tc, every_flow_ends, 0, (int)algorithm_count());
    suite_add_tcase(suite, tc);
    return suite;
}
