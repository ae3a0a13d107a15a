/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Queue pairs compared with a naive host, which has no heap and computes each key from the rules. */
#include "qp_nic.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the naive host */

/* The reference of a queue pair. Its sender and pacer are those of the core, which have tests of their own. */
struct twin
{
    struct rcc_sender tx;
    struct rcc_message ring[RING];
    struct rcc_timers timers;
    struct rcc_pacer pacer;
    uint64_t rp[RCC_RP_SIZE_MAX / 8];
    struct rcc_port *port;
    uint64_t line_rate, offered;
    uint32_t overhead, epoch;
    rcc_time key;
    bool queued, closed, moved; /* moved: it has a new key since the last check */
};

struct model
{
    struct nic n;
    struct twin twin[QPS];
    unsigned seen[7], acks, blocked, kept, woken; /* events that happened: the test has to reach all */
};

static void model_init(struct model *m, uint64_t seed)
{
    nic_init(&m->n, seed);
    for (uint32_t i = 0; i < QPS; i++)
    {
        struct twin *t = &m->twin[i];
        memset(t, 0, sizeof *t);
        rcc_timers_init(&t->timers);
        rcc_sender_init(&t->tx, &m->n.transport, t->ring, RING, i);
        t->pacer.rp = rcc_rp_start(t->rp, m->n.rig.rp_profile, m->n.now, i);
        t->pacer.rp->pause = m->n.qp[i].pacer.rp->pause;
        if (m->n.bucket.size != 0)
            t->pacer.tokens = rcc_bucket_start(&m->n.bucket, m->n.now);
        t->port = &m->n.port[i % PORTS];
        t->line_rate = m->n.line_rate[i % PORTS];
        t->overhead = 62 + i;
    }
}

static uint32_t epoch_of(const struct model *m, uint32_t i)
{
    return m->twin[i].port->classes[m->n.qp[i].cls].pause_epoch;
}

static rcc_time twin_next(const struct model *m, const struct twin *t)
{
    const struct rcc_message *message = &t->ring[t->tx.sending % RING];
    const bool last = t->tx.next + 1 == message->end;
    const uint32_t payload = last ? message->last_payload : m->n.transport.mtu;
    const uint32_t reth = m->n.transport.write && t->tx.next == message->begin ? 16 : 0;
    const rcc_time at = rcc_pacer_next_send(&t->pacer, &m->n.bucket, payload + reth + t->overhead);
    return t->offered != 0 && t->tx.offer.at > at ? t->tx.offer.at : at;
}

static void twin_key(struct model *m, uint32_t i, rcc_time key)
{
    m->twin[i].key = key;
    m->twin[i].epoch = epoch_of(m, i);
    m->twin[i].queued = m->twin[i].moved = true;
}

/* It keeps its turn if it waits for the port only. */
static void twin_again(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    const rcc_time key = twin_next(m, t);
    if (t->queued && key <= m->n.now && t->key <= m->n.now)
        m->kept++;
    else
        twin_key(m, i, key);
}

static void twin_resume(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    t->queued = t->queued && t->tx.sending != t->tx.posted;
    if (t->tx.sending == t->tx.posted)
        return;
    rcc_pacer_advance(&t->pacer, &m->n.bucket, m->n.now);
    twin_again(m, i);
}

static uint64_t twin_window(const struct twin *t)
{
    return rcc_sender_window(&t->tx, t->pacer.rp->rate >> RCC_RATE_SHIFT, t->line_rate);
}

static bool twin_blocked(const struct model *m, const struct twin *t)
{
    const uint64_t window = twin_window(t), flying = t->tx.next > t->tx.una ? t->tx.next - t->tx.una : 0;
    return window != 0 && flying != 0 && flying * m->n.transport.mtu >= window;
}

static bool twin_arm(struct model *m, struct twin *t)
{
    return rcc_sender_arm(&t->tx, &t->timers, m->n.now);
}

/* ------------------------------------------------------------------ comparison */

static void check_actions(struct model *m, uint32_t i, unsigned actions, bool armed)
{
    const struct rcc_qp *qp = &m->n.qp[i];
    const struct rcc_heap *heap = &qp->port->classes[qp->cls].heap;
    const bool wake = m->twin[i].moved && heap->ids[0] == i && (actions & RCC_QP_SENT) == 0;
    CHECK(((actions & RCC_QP_WAKE) != 0) == wake, "wake %u, want %d", actions & RCC_QP_WAKE, wake);
    /* the timers of all queue pairs share their lists: only the first of one is told */
    CHECK((actions & RCC_QP_TIMER) == 0 || armed, "a timer that was not armed");
    if (armed && rcc_timers_first(&m->n.core.timers) == &qp->tx.timer)
        CHECK((actions & RCC_QP_TIMER) != 0, "the host does not hear of the first timer");
    m->woken += wake;
    m->twin[i].moved = false;
    for (unsigned bit = 0; bit < 7; bit++)
        m->seen[bit] += actions >> bit & 1u;
}

static void check_one(struct model *m, uint32_t i)
{
    struct rcc_qp *qp = &m->n.qp[i];
    struct twin *t = &m->twin[i];
    const struct rcc_heap *heap = &t->port->classes[qp->cls].heap;
    CHECK(rcc_qp_is_queued(&m->n.core, qp) == t->queued, "queued %d, want %d", !t->queued, t->queued);
    if (t->queued)
        CHECK(heap->keys[m->n.at[i]] == t->key && heap->ids[m->n.at[i]] == i && qp->key == t->key &&
                  qp->pause_epoch == t->epoch,
              "key %lld, want %lld", (long long)qp->key, (long long)t->key);
    CHECK(qp->tx.next == t->tx.next && qp->tx.una == t->tx.una && qp->tx.sending == t->tx.sending &&
              qp->tx.answering == t->tx.answering && qp->tx.failed == t->tx.failed && qp->closed == t->closed,
          "sender");
    CHECK(qp->tx.timer.armed == t->tx.timer.armed && (!t->tx.timer.armed || qp->tx.timer.due == t->tx.timer.due),
          "timer");
    CHECK(rcc_qp_window(qp) == twin_window(t) && rcc_qp_is_blocked(qp, rcc_qp_window(qp)) == twin_blocked(m, t),
          "window");
    CHECK(qp->pacer.rp->now == t->pacer.rp->now && qp->pacer.rp->rate == t->pacer.rp->rate &&
              qp->pacer.rp->debt == t->pacer.rp->debt && qp->pacer.rp->pause == t->pacer.rp->pause,
          "reaction point");
    CHECK(m->n.bucket.size == 0 ||
              (qp->pacer.tokens.bytes == t->pacer.tokens.bytes && qp->pacer.tokens.filled == t->pacer.tokens.filled),
          "tokens");
}

/* ------------------------------------------------------------------ what happens */

static void post(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    const bool endless = rng_chance(&m->n.rng, 1) && rng_chance(&m->n.rng, 20);
    const uint64_t bytes = endless ? 0 : (uint64_t)rng_log_range(&m->n.rng, 1, 40 * m->n.transport.mtu);
    unsigned actions = 99;
    if (t->closed)
        return;
    const enum rcc_post got = rcc_qp_post(&m->n.core, &m->n.qp[i], bytes, m->n.now, &actions);
    ck_assert_int_eq(got, rcc_sender_post(&t->tx, bytes, m->n.now));
    if (got == RCC_POST_OK)
        twin_resume(m, i);
    check_actions(m, i, actions, false);
}

static void twin_send(struct model *m, uint32_t i, const struct rcc_segment *got)
{
    struct twin *t = &m->twin[i];
    const uint64_t window = t->tx.window != 0 ? twin_window(t) : 0;
    const uint32_t payload = rcc_sender_payload(&t->tx), reth = rcc_sender_has_reth(&t->tx) ? 16 : 0;
    struct rcc_segment want;
    memset(&want, 0, sizeof want);
    rcc_sender_send(&t->tx, window, &want);
    CHECK(got->packet == want.packet && got->payload == want.payload && got->first == want.first &&
              got->last == want.last && got->ack_request == want.ack_request && got->dma_length == want.dma_length &&
              got->window_full == want.window_full,
          "segment");
    const uint32_t bytes = payload + reth + t->overhead;
    ck_assert_uint_eq(rcc_qp_frame_bytes(&m->n.qp[i], got), bytes);
    rcc_pacer_sent(&t->pacer, &m->n.bucket, m->n.now, bytes);
    if (t->offered != 0)
        rcc_offer_sent(&t->tx.offer, bytes + GAP, m->n.now);
    t->queued = false;
    if (t->tx.sending != t->tx.posted && !want.window_full)
        twin_key(m, i, twin_next(m, t));
}

/* The port may send one frame. */
static void send_one(struct model *m, unsigned p)
{
    for (;;)
    {
        rcc_time due;
        const uint32_t i = rcc_port_first(&m->n.port[p], m->n.paused[p], &due);
        struct twin *t = i == RCC_PORT_NONE ? NULL : &m->twin[i];
        struct rcc_segment got;
        bool armed = false, may = true;
        for (uint32_t other = 0; other < QPS; other++)
            CHECK(!m->twin[other].queued || m->twin[other].port != &m->n.port[p] || m->twin[other].key >= due ||
                      (m->n.paused[p] >> m->n.qp[other].cls & 1u),
                  "another one is due before");
        if (t == NULL || due > m->n.now)
            return;
        if (t->epoch != epoch_of(m, i))
        {
            rcc_pacer_advance(&t->pacer, &m->n.bucket, m->n.now);
            if (twin_next(m, t) > m->n.now)
            {
                may = false;
                twin_key(m, i, twin_next(m, t));
            }
        }
        if (may && t->tx.window != 0)
        {
            rcc_pacer_advance(&t->pacer, &m->n.bucket, m->n.now);
            may = !twin_blocked(m, t);
            t->queued = may;
            m->blocked += !may;
            armed = !may && twin_arm(m, t);
        }
        memset(&got, 0, sizeof got);
        const unsigned actions = rcc_qp_next(&m->n.core, &m->n.qp[i], m->n.now, &got);
        ck_assert(((actions & RCC_QP_SENT) != 0) == may);
        if (may)
        {
            twin_send(m, i, &got);
            armed = got.ack_request && twin_arm(m, t);
        }
        m->twin[i].moved = false;
        check_actions(m, i, actions, armed);
        check_one(m, i);
        if (may)
            return;
    }
}

static bool twin_awaits(const struct model *m, const struct twin *t)
{
    for (uint64_t packet = t->tx.una; packet < t->tx.next; packet++)
        if (t->tx.window != 0 || (packet + 1) % m->n.transport.ack_every == 0 ||
            (m->n.transport.chunk != 0 && (packet + 1) % m->n.transport.chunk == 0))
            return true;
    for (uint64_t i = t->tx.posted > RING ? t->tx.posted - RING : 0; i < t->tx.posted; i++)
        if (t->ring[i % RING].end > t->tx.una && t->ring[i % RING].end <= t->tx.next)
            return true;
    return false;
}

static void acknowledge(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    const uint64_t low = t->tx.una < 3 ? 0 : t->tx.una - 3;
    const uint64_t most = rng_chance(&m->n.rng, 50) ? t->tx.next : t->tx.highest + 1;
    struct rcc_qp_answer answer = {.nak = rng_chance(&m->n.rng, 30)};
    struct rcc_feedback feedback = {.kind = RCC_FEEDBACK_ACK};
    struct rcc_message message;
    unsigned want = 0;
    bool armed = false;
    answer.ce = rng_chance(&m->n.rng, 30);
    answer.packet = (uint64_t)rng_range(&m->n.rng, (int64_t)low, (int64_t)(most < low ? low : most));
    answer.rtt = rng_chance(&m->n.rng, 20) ? -1 : rng_range(&m->n.rng, 5 * US, 500 * US);
    const unsigned actions = rcc_qp_ack(&m->n.core, &m->n.qp[i], &answer, m->n.now);
    if (t->closed || t->tx.failed)
        want = RCC_QP_IGNORED;
    else if (answer.packet > t->tx.highest)
        want = RCC_QP_INVALID;
    else
    {
        const enum rcc_sender_event event =
            rcc_sender_acknowledge(&t->tx, &t->timers, answer.packet, answer.nak, &feedback.acked);
        want = event == RCC_SENDER_WENT_BACK ? RCC_QP_WENT_BACK : 0;
        if (event != RCC_SENDER_GOES_ON)
            twin_resume(m, i);
        feedback.ce = answer.ce;
        feedback.rtt = answer.rtt;
        feedback.acked *= m->n.transport.mtu;
        if (!answer.nak)
        {
            rcc_pacer_feedback(&t->pacer, &m->n.bucket, m->n.now, &feedback);
            if (t->queued)
                twin_again(m, i);
        }
        if (t->tx.window != 0 && !t->queued && t->tx.sending != t->tx.posted)
        {
            rcc_pacer_advance(&t->pacer, &m->n.bucket, m->n.now);
            if (!twin_blocked(m, t))
                twin_again(m, i);
        }
        armed = twin_awaits(m, t) && twin_arm(m, t);
        m->acks++;
    }
    CHECK((actions & ~(unsigned)(RCC_QP_WAKE | RCC_QP_TIMER)) == want, "answer %u, want %u", actions, want);
    check_actions(m, i, actions, armed);
    while (rcc_sender_complete(&t->tx, &message))
        ck_assert(rcc_sender_complete(&m->n.qp[i].tx, &message));
    ck_assert(!rcc_sender_complete(&m->n.qp[i].tx, &message));
}

static void signal_one(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    const struct rcc_feedback feedback = cnp(rng_chance(&m->n.rng, 50) ? 50000 : 0);
    const unsigned actions = rcc_qp_signal(&m->n.core, &m->n.qp[i], &feedback, m->n.now);
    ck_assert(((actions & RCC_QP_IGNORED) != 0) == t->closed);
    if (!t->closed)
    {
        rcc_pacer_feedback(&t->pacer, &m->n.bucket, m->n.now, &feedback);
        if (t->queued)
            twin_again(m, i);
    }
    check_actions(m, i, actions, false);
}

static void time_out(struct model *m)
{
    struct rcc_timer *timer = rcc_timers_first(&m->n.core.timers);
    if (timer == NULL || timer->due > m->n.now)
        return;
    const uint32_t i = timer->id;
    struct twin *t = &m->twin[i];
    ck_assert(t->tx.timer.armed && t->tx.timer.due == timer->due);
    const unsigned actions = rcc_qp_timeout(&m->n.core, &m->n.qp[i], m->n.now);
    if (rcc_sender_timeout(&t->tx, &t->timers) == RCC_SENDER_FAILED)
    {
        ck_assert_uint_eq(actions, RCC_QP_FAILED);
        t->queued = false;
    }
    else
    {
        ck_assert_uint_eq(actions & ~(unsigned)RCC_QP_WAKE, RCC_QP_WENT_BACK);
        twin_resume(m, i);
    }
    check_actions(m, i, actions, false);
}

static void pause_changes(struct model *m, unsigned p)
{
    const unsigned cls = rng_chance(&m->n.rng, 50) ? 3 : 5;
    m->n.paused[p] ^= (uint8_t)(1u << cls);
    if (!rcc_port_log_is_full(&m->n.port[p], cls))
        rcc_port_log_pause(&m->n.port[p], cls, m->n.now, m->n.paused[p] >> cls & 1u);
}

static void set_window(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    const uint64_t bytes = rng_chance(&m->n.rng, 40) ? 0 : (uint64_t)rng_range(&m->n.rng, 1, 20 * 4000);
    bool armed = false;
    t->tx.window = bytes;
    t->tx.variable_window = t->tx.asks_always = rng_chance(&m->n.rng, 50);
    t->tx.bounded = bytes != 0;
    const unsigned actions = rcc_qp_set_window(&m->n.core, &m->n.qp[i], bytes, t->tx.variable_window, m->n.now);
    ck_assert(m->n.qp[i].tx.window == bytes && m->n.qp[i].tx.variable_window == t->tx.variable_window);
    if (!t->closed && t->tx.sending != t->tx.posted)
    {
        twin_resume(m, i);
        armed = twin_blocked(m, t) && twin_arm(m, t);
    }
    check_actions(m, i, actions, armed);
}

static void offer(struct model *m, uint32_t i)
{
    m->twin[i].offered = rng_chance(&m->n.rng, 50) ? (uint64_t)rng_range(&m->n.rng, 1, 10) * GBPS : 0;
    rcc_offer_set(&m->twin[i].tx.offer, m->twin[i].offered, m->n.now);
    rcc_qp_offer(&m->n.qp[i], m->twin[i].offered, m->n.now);
}

static void move(struct model *m, uint32_t i)
{
    const unsigned p = 1 - port_of(&m->n, &m->n.qp[i]);
    struct twin *t = &m->twin[i];
    const bool queued = t->queued;
    if (t->closed)
        return;
    rcc_pacer_advance(&t->pacer, &m->n.bucket, m->n.now);
    t->queued = false;
    t->port = &m->n.port[p];
    t->line_rate = m->n.line_rate[p];
    t->overhead = 62 + i + 4 * p;
    const unsigned actions = rcc_qp_move(&m->n.core, &m->n.qp[i], t->port, (uint16_t)t->overhead, m->n.now);
    if (t->pacer.rp->pause != NULL)
        t->pacer.rp->pause = &t->port->classes[m->n.qp[i].cls].pauses;
    if (queued)
        twin_key(m, i, twin_next(m, t));
    ck_assert_uint_eq(actions & ~(unsigned)RCC_QP_WAKE, 0);
    check_actions(m, i, actions, false);
}

static void close_one(struct model *m, uint32_t i)
{
    struct twin *t = &m->twin[i];
    t->closed = true;
    t->queued = false;
    rcc_timers_disarm(&t->timers, &t->tx.timer);
    rcc_sender_flush(&t->tx);
    rcc_qp_close(&m->n.core, &m->n.qp[i]);
}

static void step(struct model *m)
{
    const int64_t what = rng_range(&m->n.rng, 0, 999);
    const uint32_t i = (uint32_t)rng_range(&m->n.rng, 0, QPS - 1);
    m->n.now += rng_log_range(&m->n.rng, 1, 3000) - 1;
    if (what < 100)
        post(m, i);
    else if (what < 650)
        send_one(m, i % PORTS);
    else if (what < 800)
        acknowledge(m, i);
    else if (what < 870)
        signal_one(m, i);
    else if (what < 900)
        time_out(m);
    else if (what < 930)
        pause_changes(m, i % PORTS);
    else if (what < 960)
        set_window(m, i);
    else if (what < 980)
        offer(m, i);
    else if (what < 998)
        move(m, i);
    else if (rng_chance(&m->n.rng, 20))
        close_one(m, i);
}

START_TEST(test_random_events)
{
    unsigned seen[7] = {0}, acks = 0, blocked = 0, kept = 0, woken = 0;
    const uint64_t seeds = rounds(200) < 20 ? 20 : rounds(200); /* with fewer, what is rare does not happen */
    for (uint64_t seed = 1; seed <= seeds; seed++)
    {
        struct model *m = malloc(sizeof *m);
        memset(m, 0, sizeof *m);
        model_init(m, seed);
        for (int s = 0; s < 2000; s++)
        {
            step(m);
            for (uint32_t i = 0; i < QPS; i++)
                check_one(m, i);
        }
        for (unsigned bit = 0; bit < 7; bit++)
            seen[bit] += m->seen[bit];
        acks += m->acks;
        blocked += m->blocked;
        kept += m->kept;
        woken += m->woken;
        rig_free(&m->n.rig);
        free(m);
    }
    for (unsigned bit = 0; bit < 7; bit++)
        CHECK(seen[bit] > 0, "action %u never happened", 1u << bit);
    CHECK(acks > 0 && blocked > 0 && kept > 0 && woken > 0, "%u %u %u %u", acks, blocked, kept, woken);
}
END_TEST

Suite *suite_qp(void)
{
    Suite *suite = suite_create("qp");
    TCase *tc = long_tcase("core");
    tcase_add_test(tc, test_random_events);
    suite_add_tcase(suite, tc);
    return suite;
}
