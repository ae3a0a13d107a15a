/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* A queue pair that repeats selectively, with numbers by hand. */
#include "one_qp.h"

struct spy
{
    struct rcc_rp rp;
    unsigned signals;
    struct rcc_feedback last;
};

static void spy_start(struct rcc_rp *rp)
{
    rp->rate = (10 * GBPS) << RCC_RATE_SHIFT;
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

struct some
{
    struct rig1 r;
    struct rcc_selective settings;
    struct rcc_repeat repeat;
    uint64_t words[64];
};

/* A message of `packets` packets of 1000 bytes; a window of `window` bytes, 0: the bitmap of 64 packets. */
static void start(struct some *t, const char *preset, unsigned wants, unsigned packets, uint64_t window)
{
    const struct rig1 zero = {.transport = {.mtu = 1000, .ack_every = 8, .timeout = 500000, .reliable = true},
                              .profile = {.alg = &algorithm, .role = RCC_RP, .needs = {.wants = (uint16_t)wants}}};
    unsigned actions = 0;
    rig1_start(&t->r, &zero);
    ck_assert(rcc_selective_preset(&t->settings, &t->r.transport, preset));
    t->settings.packets = 64;
    ck_assert_ptr_null(rcc_selective_check(&t->settings, &t->r.transport));
    ck_assert_uint_le(rcc_repeat_words(&t->settings), 64);
    rcc_repeat_init(&t->repeat, &t->settings, t->words);
    t->repeat.window = window;
    rcc_qp_repeat(&t->r.qp, &t->repeat);
    ck_assert_int_eq(rcc_qp_post(&t->r.nic, &t->r.qp, (uint64_t)packets * 1000, 0, &actions), RCC_POST_OK);
    ck_assert_uint_eq(actions, RCC_QP_WAKE);
}

/* Send all that may leave, a packet each microsecond from `now` on. Returns their number. */
static unsigned send(struct some *t, rcc_time now, struct rcc_segment *s)
{
    unsigned n = 0;
    for (; rcc_qp_is_queued(&t->r.nic, &t->r.qp); now += 1000)
        n += (rcc_qp_next(&t->r.nic, &t->r.qp, now, s) & RCC_QP_SENT) != 0;
    return n;
}

static unsigned answer(struct some *t, const struct rcc_sack *sack, rcc_time now)
{
    const struct rcc_qp_answer a = {.packet = sack->packet, .rtt = 9000, .nak = sack->nak, .sack = sack};
    return rcc_qp_ack(&t->r.nic, &t->r.qp, &a, now);
}

static unsigned plain(struct some *t, uint64_t packet, bool nak, rcc_time now)
{
    const struct rcc_qp_answer a = {.packet = packet, .rtt = 9000, .nak = nak};
    return rcc_qp_ack(&t->r.nic, &t->r.qp, &a, now);
}

static bool completes(struct some *t)
{
    struct rcc_message m;
    return rcc_sender_complete(&t->r.qp.tx, &m);
}

/* The bitmap bounds what is in flight, and repeat.window if that is less. */
START_TEST(bounds)
{
    struct some t;
    struct rcc_segment s;
    start(&t, "nic", 0, 100, 0);
    ck_assert_uint_eq(rcc_qp_window(&t.r.qp), 64000);
    ck_assert_uint_eq(send(&t, 0, &s), 64);
    ck_assert(s.window_full && s.ack_request && !s.repeated && s.packet == 63);
    ck_assert_uint_eq(plain(&t, 40, false, 70000) & RCC_QP_WAKE, RCC_QP_WAKE);
    ck_assert_uint_eq(send(&t, 70000, &s), 36);
    ck_assert(!completes(&t));
    ck_assert_uint_eq(plain(&t, 100, false, 200000), 0);
    ck_assert(completes(&t) && !completes(&t));
    ck_assert_ptr_null(rcc_timers_first(&t.r.nic.timers));

    start(&t, "irn", 0, 100, 3000);
    ck_assert_uint_eq(rcc_qp_window(&t.r.qp), 3000);
    ck_assert_uint_eq(send(&t, 0, &s), 3);
    rcc_qp_set_window(&t.r.nic, &t.r.qp, 2000, false, 3000);
    ck_assert_uint_eq(rcc_qp_window(&t.r.qp), 2000);
    rcc_qp_set_window(&t.r.nic, &t.r.qp, 9000, false, 3000);
    ck_assert_uint_eq(rcc_qp_window(&t.r.qp), 3000);
}
END_TEST

/* Packets 3 and 4 of 20 are missing: they are repeated, and nothing else. */
START_TEST(repeats_what_is_missing)
{
    const struct rcc_sack nak = {.packet = 3, .bits = 0xfe0, .missing = 3, .lost = 2, .nak = true};
    struct some t;
    struct rcc_segment s;
    start(&t, "nic", 0, 20, 0);
    ck_assert_uint_eq(send(&t, 0, &s), 20);
    ck_assert_uint_eq(answer(&t, &nak, 30000), RCC_QP_WENT_BACK | RCC_QP_WAKE | RCC_QP_TIMER);
    ck_assert_uint_eq(t.r.spy->signals, 1); /* ten packets have arrived, three of them in order */
    ck_assert_int_eq(t.r.spy->last.kind, RCC_FEEDBACK_ACK);
    ck_assert_uint_eq(t.r.spy->last.acked, 10000);
    ck_assert_uint_eq(answer(&t, &nak, 30000), 0); /* the repeated NAK has no news, for the reaction point either */
    ck_assert_uint_eq(t.r.spy->signals, 1);
    ck_assert_uint_eq(rcc_qp_next(&t.r.nic, &t.r.qp, 31000, &s) & RCC_QP_SENT, RCC_QP_SENT);
    ck_assert(s.packet == 3 && s.repeated && s.ack_request);
    ck_assert_uint_eq(send(&t, 32000, &s), 1);
    ck_assert(s.packet == 4 && s.repeated);
    ck_assert_uint_eq(t.repeat.packets, 2);
    plain(&t, 20, true, 90000); /* without a bitmap a NAK says as much as an ACK */
    ck_assert(completes(&t));
    ck_assert_uint_eq(t.repeat.packets, 2);
    ck_assert_uint_eq(plain(&t, 21, false, 90000), RCC_QP_INVALID);
}
END_TEST

/* An algorithm that wants losses gets one for each answer that names some. */
START_TEST(tells_of_losses)
{
    const struct rcc_sack nak = {.packet = 1, .bits = 4, .missing = 1, .lost = 1, .nak = true};
    struct some t;
    struct rcc_segment s;
    start(&t, "irn", RCC_WANT_HOPS, 3, 0);
    ck_assert_uint_eq(send(&t, 0, &s), 3);
    answer(&t, &nak, 30000);
    ck_assert_int_eq(t.r.spy->last.kind, RCC_FEEDBACK_LOSS);
    ck_assert_uint_eq(t.r.spy->last.acked, 2000);
    ck_assert_uint_eq(t.r.spy->last.lost, 1000);
}
END_TEST

/* A NAK for a trimmed packet is told as one, with its bytes; a NAK for a gap as a loss of all of it. */
START_TEST(tells_of_trims)
{
    static const unsigned lost[] = {1, 3};
    for (unsigned i = 0; i < 2; i++)
    {
        struct some t;
        struct rcc_segment s;
        const struct rcc_sack sack = {
            .packet = 0, .missing = 0, .lost = lost[i], .nak = true, .trimmed = i == 0, .bits = i == 0 ? 0 : 8};
        start(&t, "nic", RCC_WANT_TRIM, 20, 0);
        ck_assert_uint_eq(send(&t, 0, &s), 20);
        answer(&t, &sack, 30000);
        ck_assert_int_eq(t.r.spy->last.kind, i == 0 ? RCC_FEEDBACK_TRIM : RCC_FEEDBACK_LOSS);
        ck_assert_uint_eq(t.r.spy->last.lost, lost[i] * 1000);
    }
}
END_TEST

/* Each want alone: what a queue pair does for one, it does for no other. */
START_TEST(wants_are_told_apart)
{
    for (unsigned want = 1; want <= RCC_WANT_IN_FLIGHT; want <<= 1)
    {
        struct some t;
        start(&t, "nic", want, 3, 0);
        ck_assert(t.repeat.counts == (want == RCC_WANT_IN_FLIGHT));
        ck_assert(t.r.qp.tx.asks_always == (want == RCC_WANT_ACK_PER_PACKET));
        ck_assert(t.r.qp.tx.fits == (want == RCC_WANT_WINDOW_FITS));
    }
}
END_TEST

/* Packets that arrived out of order make space in the window; lost ones wait until there is some. */
START_TEST(counts_what_is_in_flight)
{
    const struct rcc_sack second = {.packet = 0, .bits = 2},
                          trimmed = {.packet = 0, .lost = 1, .nak = true, .trimmed = true};
    struct some t;
    struct rcc_segment s;
    start(&t, "nic", RCC_WANT_IN_FLIGHT, 20, 4000);
    ck_assert_uint_eq(send(&t, 0, &s), 4);
    answer(&t, &second, 30000);
    ck_assert_uint_eq(t.r.spy->last.in_flight, 3000);
    ck_assert_uint_eq(send(&t, 30000, &s), 1);
    ck_assert(s.packet == 4 && !s.repeated && s.window_full && s.ack_request);
    rcc_qp_set_window(&t.r.nic, &t.r.qp, 3000, false, 40000);
    answer(&t, &trimmed, 50000);
    ck_assert_uint_eq(t.r.spy->last.in_flight, 3000);
    ck_assert_uint_eq(send(&t, 50000, &s), 0); /* packets 2 to 4 fill the window */
    rcc_qp_set_window(&t.r.nic, &t.r.qp, 4000, false, 60000);
    ck_assert_uint_eq(send(&t, 60000, &s), 1);
    ck_assert(s.packet == 0 && s.repeated && s.window_full);

    start(&t, "nic", 0, 20, 4000); /* without RCC_WANT_IN_FLIGHT the first unacknowledged packet decides */
    ck_assert_uint_eq(send(&t, 0, &s), 4);
    answer(&t, &second, 30000);
    ck_assert_uint_eq(send(&t, 30000, &s), 0);
    answer(&t, &trimmed, 50000);
    ck_assert_uint_eq(send(&t, 50000, &s), 1);
}
END_TEST

/* The bitmap bounds packets that have arrived, too. */
START_TEST(counts_within_the_bitmap)
{
    const struct rcc_sack some = {.packet = 0, .bits = 0xfffffffffffffffe};
    struct some t;
    struct rcc_segment s;
    start(&t, "nic", RCC_WANT_IN_FLIGHT, 100, 0);
    ck_assert_uint_eq(send(&t, 0, &s), 64);
    answer(&t, &some, 70000);
    ck_assert_uint_eq(t.r.spy->last.in_flight, 1000);
    ck_assert_uint_eq(send(&t, 70000, &s), 0);
    plain(&t, 64, false, 80000);
    ck_assert_uint_eq(send(&t, 80000, &s), 36);
}
END_TEST

/* Each trimmed packet is told, also while one before it waits to be sent again; a repeated answer says nothing new. */
START_TEST(tells_of_each_trim)
{
    static const unsigned order[] = {2, 5, 3, 5, 0}, news[] = {1, 1, 1, 0, 1};
    struct some t;
    struct rcc_segment s;
    start(&t, "nic", RCC_WANT_TRIM, 20, 0);
    ck_assert_uint_eq(send(&t, 0, &s), 20);
    for (unsigned i = 0; i < 5; i++)
    {
        const struct rcc_sack sack = {.missing = order[i], .lost = 1, .nak = true, .trimmed = true};
        answer(&t, &sack, 30000 + i);
        ck_assert_int_eq(t.r.spy->last.kind, RCC_FEEDBACK_TRIM);
        ck_assert_uint_eq(t.r.spy->last.lost, news[i] * 1000);
    }
}
END_TEST

/* With three packets in flight the timer has 100 us; if there are more by then, the rest of 320 us. */
START_TEST(two_timeouts)
{
    struct some t;
    struct rcc_segment s;
    start(&t, "irn", 0, 3, 0);
    ck_assert_uint_eq(send(&t, 0, &s), 3);
    ck_assert_int_eq(t.r.qp.tx.timer.due, 100000);
    ck_assert_uint_eq(rcc_qp_await(&t.r.nic, &t.r.qp, 3000), 0); /* it is armed */
    ck_assert_uint_eq(rcc_qp_timeout(&t.r.nic, &t.r.qp, 100000), RCC_QP_WENT_BACK | RCC_QP_WAKE);
    ck_assert_uint_eq(rcc_qp_await(&t.r.nic, &t.r.qp, 100000), 0); /* the lost packets leave before */
    ck_assert_uint_eq(send(&t, 100000, &s), 3);
    ck_assert(s.repeated && t.r.qp.tx.timer.armed);

    start(&t, "irn", 0, 5, 0);
    ck_assert_uint_eq(send(&t, 0, &s), 5);
    ck_assert_int_eq(t.r.qp.tx.timer.due, 100000);
    ck_assert_uint_eq(rcc_qp_timeout(&t.r.nic, &t.r.qp, 100000), RCC_QP_TIMER);
    ck_assert_int_eq(t.r.qp.tx.timer.due, 320000);
    ck_assert_uint_eq(rcc_qp_timeout(&t.r.nic, &t.r.qp, 320000), RCC_QP_WENT_BACK | RCC_QP_WAKE);

    start(&t, "irn", 0, 5, 0);
    t.r.transport.retry_limit = 1;
    send(&t, 0, &s);
    rcc_qp_timeout(&t.r.nic, &t.r.qp, 100000);
    rcc_qp_timeout(&t.r.nic, &t.r.qp, 320000);
    send(&t, 320000, &s);
    ck_assert_uint_eq(rcc_qp_timeout(&t.r.nic, &t.r.qp, 640000), RCC_QP_FAILED);
    ck_assert_uint_eq(plain(&t, 5, false, 700000), RCC_QP_IGNORED);
}
END_TEST

/* After a timeout one packet may leave, whatever counts as in flight, also if only the first one is taken for lost. */
START_TEST(one_packet_after_a_timeout)
{
    const struct rcc_sack fourth = {.packet = 0, .bits = 8};
    struct some t;
    struct rcc_segment s;
    start(&t, "nic", RCC_WANT_IN_FLIGHT, 20, 4000);
    t.settings.timeout_all = false;
    ck_assert_uint_eq(send(&t, 0, &s), 4);
    rcc_qp_set_window(&t.r.nic, &t.r.qp, 1000, false, 10000);
    ck_assert_uint_eq(send(&t, 10000, &s), 0);
    for (rcc_time now = t.r.qp.tx.timer.due, k = 0; k < 3; now = t.r.qp.tx.timer.due, k++)
    {
        ck_assert_uint_eq(rcc_qp_timeout(&t.r.nic, &t.r.qp, now), RCC_QP_WENT_BACK | RCC_QP_WAKE);
        ck_assert(!t.r.qp.tx.timer.armed);
        ck_assert_uint_eq(send(&t, now, &s), 1);
        ck_assert(s.packet == 0 && s.repeated && s.window_full && t.r.qp.tx.timer.armed);
    }
    rcc_qp_timeout(&t.r.nic, &t.r.qp, t.r.qp.tx.timer.due);
    answer(&t, &fourth, t.r.qp.tx.timer.due + 1); /* the packet has not left yet: no second timeout comes before it */
    ck_assert(!t.r.qp.tx.timer.armed);
    plain(&t, 1, false, t.r.qp.tx.timer.due + 2); /* it had arrived: packets 1 and 2 are awaited */
    ck_assert(t.r.qp.tx.timer.armed);
    ck_assert_uint_eq(send(&t, t.r.qp.tx.timer.due + 3, &s), 0);
}
END_TEST

/* Go-back-N says which packets it repeats, too. */
START_TEST(go_back_n_repeats)
{
    struct some t;
    struct rcc_segment s;
    unsigned actions;
    start(&t, "nic", 0, 4, 0);
    rcc_qp_repeat(&t.r.qp, NULL);
    ck_assert_uint_eq(send(&t, 0, &s), 4);
    ck_assert(!s.repeated);
    actions = plain(&t, 2, true, 10000);
    ck_assert_uint_eq(actions & RCC_QP_WENT_BACK, RCC_QP_WENT_BACK);
    ck_assert_uint_eq(t.r.spy->signals, 0); /* the reaction point gets no NAK */
    ck_assert_uint_eq(send(&t, 10000, &s), 2);
    ck_assert(s.packet == 3 && s.repeated);
}
END_TEST

Suite *suite_qp_selective(void)
{
    Suite *s = suite_create("qp_selective");
    TCase *t = tcase_create("selective");
    tcase_add_test(t, bounds);
    tcase_add_test(t, repeats_what_is_missing);
    tcase_add_test(t, tells_of_each_trim);
    tcase_add_test(t, wants_are_told_apart);
    tcase_add_test(t, counts_what_is_in_flight);
    tcase_add_test(t, counts_within_the_bitmap);
    tcase_add_test(t, tells_of_losses);
    tcase_add_test(t, tells_of_trims);
    tcase_add_test(t, two_timeouts);
    tcase_add_test(t, one_packet_after_a_timeout);
    tcase_add_test(t, go_back_n_repeats);
    suite_add_tcase(s, t);
    return s;
}
