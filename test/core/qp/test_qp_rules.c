/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Single rules of a queue pair, with numbers by hand. Its reaction point records what it is told. */
#include "one_qp.h"

/* ------------------------------------------------------------------ a reaction point that records */

struct spy
{
    struct rcc_rp rp;
    unsigned signals, sent_bytes;
    struct rcc_feedback last;
};

static void spy_start(struct rcc_rp *rp)
{
    rp->rate = (10 * GBPS) << RCC_RATE_SHIFT;
}

static void spy_sent(struct rcc_rp *rp, uint32_t bytes)
{
    ((struct spy *)(void *)rp)->sent_bytes += bytes;
}

static void spy_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct spy *spy = (struct spy *)(void *)rp;
    spy->signals++;
    spy->last = *feedback;
    if (feedback->kind == RCC_FEEDBACK_CNP)
        rcc_rp_set_rate(rp, rp->now, rp->rate / 2);
}

/* The first pause of the class halves the rate, for ever. */
static void spy_advance(struct rcc_rp *rp, rcc_time now)
{
    if (rp->pause != NULL && rp->pause->count == 1)
        rcc_rp_set_rate(rp, rp->now, (5 * GBPS) << RCC_RATE_SHIFT);
    (void)now;
}

static const struct rcc_rp_ops ops = {.size = sizeof(struct spy),
                                      .profile_size = sizeof(struct rcc_profile),
                                      .start = spy_start,
                                      .advance = spy_advance,
                                      .sent = spy_sent,
                                      .feedback = spy_feedback,
                                      .reads_pauses = true};
static const struct rcc_algorithm algorithm = {.name = "spy", .rp = &ops};

/* ------------------------------------------------------------------ one queue pair at a port of 10 Gb/s */

static void start(struct rig1 *r, bool write)
{
    const struct rig1 zero = {
        .transport = {.mtu = 1000, .ack_every = 4, .timeout = 1000, .reliable = true, .write = write},
        .nic = {.gap = 24},
        .profile = {.alg = &algorithm, .role = RCC_RP}};
    rig1_start(r, &zero);
}

static unsigned post(struct rig1 *r, uint64_t bytes, rcc_time now)
{
    unsigned actions = 0;
    ck_assert_int_eq(rcc_qp_post(&r->nic, &r->qp, bytes, now, &actions), RCC_POST_OK);
    return actions;
}

START_TEST(test_frames_are_paced)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, true);
    ck_assert_uint_eq(r.at[0], RCC_PORT_NONE);
    ck_assert_uint_eq(post(&r, 2500, 100), RCC_QP_WAKE);
    ck_assert_int_eq(r.qp.key, 100);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 100, &s), RCC_QP_SENT);
    ck_assert_uint_eq(s.payload, 1000);
    ck_assert_uint_eq(s.dma_length, 2500);
    ck_assert_uint_eq(rcc_qp_frame_bytes(&r.qp, &s), 1078); /* with a RETH */
    ck_assert_uint_eq(r.spy->sent_bytes, 1078);
    ck_assert_int_eq(r.qp.key, 962); /* 100 + 1078 x 0.8 = 962.4; the pacer carries the rest */
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 1000, &s), RCC_QP_SENT);
    ck_assert_uint_eq(r.spy->sent_bytes, 1078 + 1062);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 2000, &s), RCC_QP_SENT | RCC_QP_TIMER); /* the last one */
    ck_assert_uint_eq(r.spy->sent_bytes, 1078 + 1062 + 562);
    ck_assert(!rcc_qp_is_queued(&r.nic, &r.qp) && r.port.used == 0);
    ck_assert_int_eq(r.qp.tx.timer.due, 3000);
}
END_TEST

/* A frame of 1062 bytes and the gap of 24 take 8688 ns at 1 Gb/s. */
START_TEST(test_offered)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    rcc_qp_offer(&r.qp, 1 * GBPS, 50);
    ck_assert(r.qp.offered);
    post(&r, 3000, 10);
    ck_assert_int_eq(r.qp.key, 50);
    rcc_qp_next(&r.nic, &r.qp, 60, &s);
    ck_assert_int_eq(r.qp.key, 50 + 8688);
    rcc_qp_offer(&r.qp, 0, 60);
    ck_assert(!r.qp.offered);
    rcc_qp_next(&r.nic, &r.qp, 50 + 8688, &s);
    ck_assert_int_eq(r.qp.key, 50 + 8688 + 849); /* 1062 x 0.8 = 849.6 */
}
END_TEST

START_TEST(test_what_the_reaction_point_hears)
{
    const struct rcc_hop hops[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const struct rcc_feedback signal = {.kind = RCC_FEEDBACK_CNM, .qfb = 17};
    struct rcc_qp_answer answer = {.packet = 3, .rtt = 777, .ce = true, .n_path = 2, .path = hops};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    post(&r, 10000, 0);
    for (int i = 0; i < 5; i++)
        rcc_qp_next(&r.nic, &r.qp, i * 1000, &s);
    ck_assert_uint_eq(rcc_qp_signal(&r.nic, &r.qp, &signal, 5000), 0); /* it keeps its turn */
    ck_assert(r.spy->signals == 1 && r.spy->last.kind == RCC_FEEDBACK_CNM && r.spy->last.qfb == 17);
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 6000), RCC_QP_TIMER);
    ck_assert(r.spy->signals == 2 && r.spy->last.kind == RCC_FEEDBACK_ACK && r.spy->last.ce);
    ck_assert(r.spy->last.rtt == 777 && r.spy->last.acked == 3000);
    ck_assert(r.spy->last.n_path == 2 && r.spy->last.path == hops);
    ck_assert_uint_eq(r.spy->last.qfb, 0);
    rcc_qp_ack(&r.nic, &r.qp, &answer, 6000); /* again: nothing new */
    ck_assert(r.spy->signals == 3 && r.spy->last.acked == 0);
    answer.nak = true;
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 6100), RCC_QP_WENT_BACK);
    ck_assert(r.spy->signals == 3 && r.qp.tx.next == 3);
    answer.packet = 6; /* was never sent */
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 6200), RCC_QP_INVALID);
    ck_assert(r.spy->signals == 3 && r.qp.tx.una == 3);
}
END_TEST

START_TEST(test_close)
{
    const struct rcc_qp_answer answer = {.packet = 1, .rtt = -1};
    const struct rcc_feedback signal = {.kind = RCC_FEEDBACK_CNP};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    post(&r, 5000, 0);
    for (int i = 0; i < 4; i++)
        rcc_qp_next(&r.nic, &r.qp, i * 1000, &s);
    ck_assert(r.qp.tx.timer.armed && rcc_qp_is_queued(&r.nic, &r.qp));
    for (int i = 0; i < 2; i++)
    {
        rcc_qp_close(&r.nic, &r.qp);
        ck_assert(r.qp.closed && !r.qp.tx.timer.armed && !rcc_qp_is_queued(&r.nic, &r.qp));
        ck_assert(!rcc_sender_has_data(&r.qp.tx) && r.port.used == 0);
        ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 5000), RCC_QP_IGNORED);
        ck_assert_uint_eq(rcc_qp_signal(&r.nic, &r.qp, &signal, 5000), RCC_QP_IGNORED);
        ck_assert_uint_eq(rcc_qp_set_window(&r.nic, &r.qp, 1, false, 5000), 0);
        ck_assert(r.spy->signals == 0 && r.qp.tx.una == 0 && !r.qp.tx.timer.armed);
    }
}
END_TEST

/* A queue pair that was never attached has no port to leave. */
START_TEST(test_close_unattached)
{
    struct rig1 r;
    start(&r, false);
    rcc_qp_start(&r.qp, &r.nic, &r.spy->rp, 0, 0);
    ck_assert_ptr_null(r.qp.port);
    for (int i = 0; i < 2; i++)
    {
        rcc_qp_close(&r.nic, &r.qp);
        ck_assert(r.qp.closed && !r.qp.tx.timer.armed && !rcc_qp_is_queued(&r.nic, &r.qp));
    }
}
END_TEST

START_TEST(test_failure)
{
    const struct rcc_qp_answer answer = {.packet = 1, .rtt = -1};
    struct rig1 r;
    struct rcc_segment s;
    unsigned actions = 99;
    start(&r, false);
    r.transport.retry_limit = 1;
    post(&r, 4000, 0);
    for (int i = 0; i < 4; i++)
        rcc_qp_next(&r.nic, &r.qp, i * 1000, &s);
    ck_assert(!rcc_qp_is_queued(&r.nic, &r.qp));
    ck_assert_uint_eq(rcc_qp_timeout(&r.nic, &r.qp, 5000), RCC_QP_WENT_BACK | RCC_QP_WAKE);
    ck_assert(r.qp.key == 5000 && r.qp.tx.next == 0);
    ck_assert_uint_eq(rcc_qp_timeout(&r.nic, &r.qp, 6000), RCC_QP_FAILED);
    ck_assert(!rcc_qp_is_queued(&r.nic, &r.qp));
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 3000), RCC_QP_IGNORED);
    ck_assert_int_eq(rcc_qp_post(&r.nic, &r.qp, 1, 3000, &actions), RCC_POST_FAILED);
    ck_assert_uint_eq(actions, 0);
    ck_assert_uint_eq(rcc_qp_set_window(&r.nic, &r.qp, 1, false, 3000), 0);
    ck_assert(!r.qp.tx.timer.armed);
}
END_TEST

/* An ACK of all that is sent again takes the queue pair from the port. */
START_TEST(test_nothing_left)
{
    struct rcc_qp_answer answer = {.packet = 0, .rtt = -1, .nak = true};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    post(&r, 2000, 0);
    for (int i = 0; i < 2; i++)
        rcc_qp_next(&r.nic, &r.qp, i * 1000, &s);
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 2500), RCC_QP_WENT_BACK | RCC_QP_WAKE);
    ck_assert(rcc_qp_is_queued(&r.nic, &r.qp) && r.qp.key == 2500);
    answer.packet = 2;
    answer.nak = false;
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 2600), 0);
    ck_assert(!rcc_qp_is_queued(&r.nic, &r.qp) && !r.qp.tx.timer.armed && r.port.used == 0);
}
END_TEST

/* A bucket counts the whole frame: 1078 bytes with a RETH, in ticks of 856 ns and 1070 bytes. */
START_TEST(test_bucket)
{
    struct rcc_message ring[2];
    struct rig1 r;
    struct rcc_segment s;
    start(&r, true);
    r.bucket.size = 1078;
    r.bucket.interval = 856;
    rcc_qp_start(&r.qp, &r.nic, r.qp.pacer.rp, 0, 0);
    rcc_qp_attach(&r.qp, &r.port, 3, 62);
    rcc_sender_grow(&r.qp.tx, ring, 2);
    post(&r, 1000, 0);
    post(&r, 1000, 0);
    ck_assert_int_eq(r.qp.key, 0); /* a new bucket is full */
    rcc_qp_next(&r.nic, &r.qp, 0, &s);
    ck_assert_int_eq(r.qp.pacer.tokens.bytes, 0);
    ck_assert_int_eq(r.qp.key, 2 * 856);
}
END_TEST

/* A key that was computed before a pause is computed again before the packet leaves. */
START_TEST(test_pause)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    ck_assert_ptr_eq(r.qp.pacer.rp->pause, &r.port.classes[3].pauses);
    post(&r, 5000, 0);
    rcc_qp_next(&r.nic, &r.qp, 0, &s);
    ck_assert_int_eq(r.qp.key, 849);
    rcc_port_log_pause(&r.port, 3, 400, true);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 850, &s), 0);
    ck_assert(r.qp.key == 1699 && r.keys[0] == 1699 && r.qp.tx.next == 1); /* 1062 bytes at 5 Gb/s */
    ck_assert_uint_eq(r.qp.pause_epoch, 1);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 1699, &s), RCC_QP_SENT);
    rcc_port_log_pause(&r.port, 3, 2000, false);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 3398, &s), RCC_QP_SENT); /* no time is later than it was */
}
END_TEST

/* Packets left before there was a window, and ask for no answer; then the window shrinks with the rate. */
START_TEST(test_window_shrinks)
{
    const struct rcc_feedback signal = {.kind = RCC_FEEDBACK_CNP};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    post(&r, 5000, 0);
    rcc_qp_next(&r.nic, &r.qp, 0, &s);
    ck_assert_uint_eq(rcc_qp_set_window(&r.nic, &r.qp, 1500, true, 0), RCC_QP_WAKE);
    ck_assert(!r.qp.tx.timer.armed);
    rcc_qp_signal(&r.nic, &r.qp, &signal, 100); /* half the rate */
    ck_assert_uint_eq(rcc_qp_window(&r.qp), 750);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 2000, &s), RCC_QP_TIMER);
    ck_assert(!rcc_qp_is_queued(&r.nic, &r.qp) && r.qp.tx.timer.due == 3000);
}
END_TEST

/* The ring is that of the queue pair until the host gives it a larger one. */
START_TEST(test_ring)
{
    struct rcc_message ring[2];
    struct rig1 r;
    unsigned actions = 99;
    start(&r, false);
    ck_assert_uint_eq(post(&r, 5000, 0), RCC_QP_WAKE);
    ck_assert(rcc_sender_is_full(&r.qp.tx) && r.qp.tx.ring == &r.qp.only);
    ck_assert_int_eq(rcc_qp_post(&r.nic, &r.qp, 1, 0, &actions), RCC_POST_FULL);
    ck_assert_uint_eq(actions, 0);
    rcc_sender_grow(&r.qp.tx, ring, 2);
    ck_assert_uint_eq(post(&r, 5000, 0), 0); /* it waits already */
}
END_TEST

/* A window of one byte still lets one packet out; less than is in flight arms the timer. */
START_TEST(test_window)
{
    const struct rcc_qp_answer answer = {.packet = 1, .rtt = -1};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, false);
    ck_assert_uint_eq(rcc_qp_set_window(&r.nic, &r.qp, 1, false, 0), 0);
    post(&r, 5000, 0);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 0, &s), RCC_QP_SENT | RCC_QP_TIMER);
    ck_assert(s.window_full && s.ack_request && !rcc_qp_is_queued(&r.nic, &r.qp));
    ck_assert(rcc_qp_is_blocked(&r.qp, rcc_qp_window(&r.qp)));
    ck_assert_uint_eq(rcc_qp_ack(&r.nic, &r.qp, &answer, 500), RCC_QP_WAKE);
    ck_assert_int_eq(r.qp.key, 849);
    rcc_qp_set_window(&r.nic, &r.qp, 0, false, 600);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 850, &s), RCC_QP_SENT);
    ck_assert(!s.ack_request && !r.qp.tx.timer.armed);
    ck_assert_uint_eq(rcc_qp_set_window(&r.nic, &r.qp, 1000, false, 900), RCC_QP_WAKE | RCC_QP_TIMER);
    ck_assert_uint_eq(rcc_qp_next(&r.nic, &r.qp, 1700, &s), 0); /* blocked: it leaves the port; the timer is armed */
    ck_assert(!rcc_qp_is_queued(&r.nic, &r.qp) && r.qp.tx.next == 2);
    r.qp.tx.variable_window = true;
    r.line_rate = 40 * GBPS; /* the link has become faster: a quarter of the window */
    ck_assert_uint_eq(rcc_qp_window(&r.qp), 250);
}
END_TEST

Suite *suite_qp_rules(void)
{
    Suite *suite = suite_create("qp-rules");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, test_frames_are_paced);
    tcase_add_test(tc, test_offered);
    tcase_add_test(tc, test_what_the_reaction_point_hears);
    tcase_add_test(tc, test_close);
    tcase_add_test(tc, test_close_unattached);
    tcase_add_test(tc, test_failure);
    tcase_add_test(tc, test_ring);
    tcase_add_test(tc, test_nothing_left);
    tcase_add_test(tc, test_bucket);
    tcase_add_test(tc, test_pause);
    tcase_add_test(tc, test_window_shrinks);
    tcase_add_test(tc, test_window);
    suite_add_tcase(suite, tc);
    return suite;
}
