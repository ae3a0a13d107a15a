/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A queue pair whose reaction point has a congestion window, with numbers by hand. The window is what the test says. */
#include "one_qp.h"

struct spy
{
    struct rcc_windowed_rp w;
    unsigned signals;
    struct rcc_feedback last;
};

static void spy_start(struct rcc_rp *rp)
{
    rp->rate = (10 * GBPS) << RCC_RATE_SHIFT;
    ((struct spy *)(void *)rp)->w.window = 2500 * RCC_WINDOW_ONE;
}

static void spy_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct spy *spy = (struct spy *)(void *)rp;
    spy->signals++;
    spy->last = *feedback;
}

static const struct rcc_rp_ops ops = {.size = sizeof(struct spy),
                                      .profile_size = sizeof(struct rcc_profile),
                                      .start = spy_start,
                                      .feedback = spy_feedback};
static const struct rcc_algorithm algorithm = {.name = "spy", .rp = &ops};

static void start(struct rig1 *r, unsigned wants, uint64_t bytes)
{
    const struct rig1 zero = {.transport = {.mtu = 1000, .ack_every = 64, .timeout = 100000, .reliable = true},
                              .profile = {.alg = &algorithm, .role = RCC_RP, .needs = {.wants = (uint16_t)wants}}};
    unsigned actions = 0;
    rig1_start(r, &zero);
    ck_assert_int_eq(rcc_qp_post(&r->nic, &r->qp, bytes, 0, &actions), RCC_POST_OK);
}

/* Send all that may leave, a packet each microsecond from `now` on. Returns their number. */
static unsigned send(struct rig1 *r, rcc_time now, struct rcc_segment *s)
{
    unsigned n = 0;
    for (; rcc_qp_is_queued(&r->nic, &r->qp); now += 1000)
        n += (rcc_qp_next(&r->nic, &r->qp, now, s) & RCC_QP_SENT) != 0;
    return n;
}

static unsigned ack(struct rig1 *r, uint64_t packet, rcc_time now)
{
    const struct rcc_qp_answer answer = {.packet = packet, .rtt = 9000};
    return rcc_qp_ack(&r->nic, &r->qp, &answer, now);
}

/* 2500 bytes: two packets fit; a third one may start. */
START_TEST(test_rules)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS, 10000);
    ck_assert_uint_eq(rcc_qp_window(&r.qp), 2500);
    ck_assert_uint_eq(send(&r, 0, &s), 2);
    ck_assert(s.window_full && s.ack_request && r.qp.tx.timer.armed);
    start(&r, RCC_WANT_WINDOW, 10000);
    ck_assert_uint_eq(send(&r, 0, &s), 3);
    ck_assert(s.window_full && s.ack_request);
    ck_assert_uint_eq(ack(&r, 1, 5000), RCC_QP_WAKE | RCC_QP_TIMER);
    ck_assert_uint_eq(send(&r, 6000, &s), 1);
    ck_assert_uint_eq(rcc_sender_in_flight(&r.qp.tx), 3000);
}
END_TEST

/* The last packet of a message may be shorter and fit where a full one does not. */
START_TEST(test_short_packet_fits)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS, 2500);
    ck_assert_uint_eq(send(&r, 0, &s), 3);
    start(&r, RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS, 2501);
    ck_assert_uint_eq(send(&r, 0, &s), 2);
}
END_TEST

/* Less than a packet: one at a time. */
START_TEST(test_one_packet_is_in_flight)
{
    struct rig1 r;
    struct rcc_segment s;
    for (unsigned fits = 0; fits < 2; fits++)
    {
        start(&r, RCC_WANT_WINDOW | (fits != 0 ? RCC_WANT_WINDOW_FITS : 0), 3000);
        r.spy->w.window = 1; /* 2^-16 byte */
        ck_assert_uint_eq(rcc_qp_window(&r.qp), 1);
        for (uint64_t i = 1; i <= 3; i++)
        {
            ck_assert_uint_eq(send(&r, (rcc_time)i * 10000, &s), 1);
            ck_assert(s.ack_request);
            ack(&r, i, (rcc_time)i * 10000 + 5000);
        }
    }
}
END_TEST

/* The lesser one of the host's bound and the algorithm's window. */
START_TEST(test_two_bounds)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, RCC_WANT_WINDOW, 10000);
    rcc_qp_set_window(&r.nic, &r.qp, 1500, false, 0);
    ck_assert_uint_eq(rcc_qp_window(&r.qp), 1500);
    rcc_qp_set_window(&r.nic, &r.qp, 9000, false, 0);
    ck_assert_uint_eq(rcc_qp_window(&r.qp), 2500);
    rcc_qp_set_window(&r.nic, &r.qp, 0, false, 0);
    ck_assert_uint_eq(rcc_qp_window(&r.qp), 2500);
    ck_assert_uint_eq(send(&r, 0, &s), 3);
}
END_TEST

/* A signal that is no acknowledgement opens the window as well. */
START_TEST(test_signal_opens_the_window)
{
    const struct rcc_feedback trim = {.kind = RCC_FEEDBACK_TRIM, .lost = 1000};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, RCC_WANT_WINDOW, 10000);
    ck_assert_uint_eq(send(&r, 0, &s), 3);
    ck_assert_uint_eq(rcc_qp_signal(&r.nic, &r.qp, &trim, 5000), 0);
    r.spy->w.window = 4000 * RCC_WINDOW_ONE;
    ck_assert_uint_eq(rcc_qp_signal(&r.nic, &r.qp, &trim, 5000), RCC_QP_WAKE);
    ck_assert_uint_eq(send(&r, 5000, &s), 1);
}
END_TEST

START_TEST(test_every_packet_asks)
{
    struct rig1 r;
    struct rcc_segment s;
    start(&r, RCC_WANT_ACK_PER_PACKET, 10000);
    rcc_qp_next(&r.nic, &r.qp, 0, &s);
    ck_assert(s.ack_request && !s.window_full);
    rcc_qp_set_window(&r.nic, &r.qp, 0, false, 0); /* whatever the host says of a window */
    rcc_qp_next(&r.nic, &r.qp, 1000, &s);
    ck_assert(s.ack_request);
    start(&r, 0, 10000);
    rcc_qp_next(&r.nic, &r.qp, 0, &s);
    ck_assert(!s.ack_request && !r.qp.tx.bounded);
}
END_TEST

START_TEST(test_what_it_hears)
{
    const struct rcc_hop path[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    struct rcc_qp_answer answer = {
        .packet = 3, .rtt = 777, .ce = true, .hops = 2, .path_id = 99, .remote = 55, .n_path = 2, .path = path};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, RCC_WANT_WINDOW, 10000);
    r.spy->w.window = 100000 * RCC_WINDOW_ONE;
    for (int i = 0; i < 5; i++)
        rcc_qp_next(&r.nic, &r.qp, i * 1000, &s);
    rcc_qp_ack(&r.nic, &r.qp, &answer, 6000);
    const struct rcc_feedback *f = &r.spy->last;
    ck_assert(f->kind == RCC_FEEDBACK_ACK && f->rtt == 777 && f->remote == 55 && f->hops == 2 && f->path_id == 99);
    ck_assert(f->n_path == 2 && f->path == path && f->lost == 0);
    ck_assert(f->acked == 3000 && f->ce && f->ce_bytes == 3000); /* with ce alone: all of them */
    ck_assert(f->seq == 3000 && f->next == 5000 && f->in_flight == 2000);
    answer.packet = 4;
    answer.ce_bytes = 400;
    rcc_qp_ack(&r.nic, &r.qp, &answer, 6100);
    ck_assert(f->acked == 1000 && f->ce_bytes == 400 && f->seq == 4000 && f->in_flight == 1000);
    answer.nak = true;
    answer.ce = false;
    answer.ce_bytes = 0;
    ck_assert(rcc_qp_ack(&r.nic, &r.qp, &answer, 6200) & RCC_QP_WENT_BACK);
    ck_assert(f->kind == RCC_FEEDBACK_LOSS && f->acked == 0 && f->lost == 1000 && f->n_path == 2);
    ck_assert(f->seq == 4000 && f->next == 4000 && f->in_flight == 0 && r.spy->signals == 3);
    rcc_qp_next(&r.nic, &r.qp, 7000, &s);
    rcc_qp_next(&r.nic, &r.qp, 8000, &s);
    rcc_qp_timeout(&r.nic, &r.qp, 200000);
    ck_assert(f->kind == RCC_FEEDBACK_TIMEOUT && f->lost == 2000 && f->seq == 4000 && f->next == 4000);
    ck_assert(f->in_flight == 0 && f->rtt < 0 && r.spy->signals == 4);
}
END_TEST

/* A reaction point that wants no losses gets acknowledgements and signals, as before. */
START_TEST(test_others_learn_of_no_loss)
{
    const struct rcc_qp_answer nak = {.packet = 0, .rtt = -1, .nak = true};
    struct rig1 r;
    struct rcc_segment s;
    start(&r, 0, 10000);
    rcc_qp_next(&r.nic, &r.qp, 0, &s);
    rcc_qp_ack(&r.nic, &r.qp, &nak, 5000);
    rcc_qp_timeout(&r.nic, &r.qp, 200000);
    ck_assert_uint_eq(r.spy->signals, 0);
}
END_TEST

Suite *suite_qp_window(void)
{
    Suite *suite = suite_create("qp-window");
    TCase *tc = tcase_create("core");
    tcase_add_test(tc, test_rules);
    tcase_add_test(tc, test_short_packet_fits);
    tcase_add_test(tc, test_one_packet_is_in_flight);
    tcase_add_test(tc, test_two_bounds);
    tcase_add_test(tc, test_signal_opens_the_window);
    tcase_add_test(tc, test_every_packet_asks);
    tcase_add_test(tc, test_what_it_hears);
    tcase_add_test(tc, test_others_learn_of_no_loss);
    suite_add_tcase(suite, tc);
    return suite;
}
