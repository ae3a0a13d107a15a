/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Requirements of all algorithms. Every algorithm in core/cc/algorithms.def is tested. */
#include "helpers.h"

#include <stdlib.h>
#include <string.h>

static const struct rcc_algorithm *algorithm(int index)
{
    return rcc_algorithm_at((size_t)index);
}

static bool is_name(const char *name, char separator)
{
    if (name[0] < 'a' || name[0] > 'z')
        return false;
    for (; *name != '\0'; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9') || *name == separator))
            return false;
    return true;
}

static int64_t choice_count(const char *choices)
{
    int64_t n = 1;
    for (; *choices != '\0'; choices++)
        n += *choices == '|';
    return n;
}

START_TEST(field_table_is_sane)
{
    const struct rcc_algorithm *alg = algorithm(_i);
    ck_assert(is_name(alg->name, '-'));
    ck_assert(alg->title[0] != '\0' && alg->source[0] != '\0');
    ck_assert_uint_le(alg->n_fields, RCC_MAX_FIELDS);
    ck_assert_ptr_nonnull(alg->rp);
    for (size_t i = 0; i < alg->n_fields; i++)
    {
        const struct rcc_field *f = &alg->fields[i];
        CHECK(is_name(f->name, '_'), "%s: name", f->name);
        CHECK(f->min <= f->def && f->def <= f->max && f->min >= 0, "%s: range", f->name);
        CHECK(f->help != NULL && f->help[0] != '\0', "%s: help", f->name);
        CHECK(f->source != NULL && f->source[0] != '\0', "%s: source", f->name);
        CHECK((f->unit == RCC_UNIT_CHOICE) == (f->choices != NULL), "%s: choices", f->name);
        if (f->unit == RCC_UNIT_CHOICE)
            CHECK(f->min == 0 && choice_count(f->choices) == f->max + 1 && strstr(f->choices, "||") == NULL,
                  "%s: choices", f->name);
        if (f->unit == RCC_UNIT_BPS)
            CHECK((uint64_t)f->max <= RCC_LINE_RATE_MAX, "%s: above the fastest line", f->name);
        CHECK(f->role == RCC_RP || (f->role == RCC_CP && alg->cp != NULL) || (f->role == RCC_NP && alg->np != NULL),
              "%s: of a role that %s does not have", f->name, alg->name);
        CHECK(rcc_field_find(alg, f->name) == (int)i, "%s: twice", f->name);
    }
}
END_TEST

START_TEST(presets_are_sane)
{
    const struct rcc_algorithm *alg = algorithm(_i);
    int64_t params[RCC_MAX_FIELDS];
    if (rcc_params_init(alg, "paper", params))
        ck_assert_str_eq(alg->presets[0].name, "paper");
    for (const struct rcc_preset *p = alg->presets; p->name != NULL; p++)
    {
        CHECK(is_name(p->name, '-') && p->help[0] != '\0', "preset %s", p->name);
        for (const struct rcc_preset *q = alg->presets; q != p; q++)
            CHECK(strcmp(p->name, q->name) != 0, "preset %s: twice", p->name);
        for (size_t i = 0; i < p->n_values; i++)
            CHECK(p->values[i].field < alg->n_fields, "preset %s: no field %zu", p->name, p->values[i].field);
        ck_assert(rcc_params_init(alg, p->name, params));
        ck_assert(in_range(alg, params));
        for (size_t i = 0; i < p->n_values; i++)
            CHECK(params[p->values[i].field] == p->values[i].value, "preset %s, value %zu", p->name, i);
    }
}
END_TEST

START_TEST(profile_accepts_presets)
{
    static const uint64_t lines[] = {1000000000, 10000000000, 25000000000, 40000000000, 100000000000, 400000000000};
    const struct rcc_algorithm *alg = algorithm(_i);
    for (const struct rcc_preset *p = alg->presets; p->name != NULL; p++)
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        {
            struct rig rig;
            rig_init(&rig, alg->name, p->name, lines[i]);
            rig_start(&rig, 0, 1);
            if (alg->np != NULL)
                rig_start_np(&rig, 4);
            if (alg->cp != NULL)
                rig_start_cp(&rig, 1);
            rig_free(&rig);
        }
}
END_TEST

START_TEST(sizes)
{
    const struct rcc_algorithm *alg = algorithm(_i);
    ck_assert_uint_le(rcc_rp_size(alg), RCC_RP_SIZE_MAX);
    ck_assert_uint_ge(rcc_rp_size(alg), sizeof(struct rcc_rp));
    ck_assert_uint_eq(rcc_rp_size(alg) % 8, 0);
    ck_assert_uint_eq(rcc_profile_size(alg, RCC_RP) % 8, 0);
    ck_assert_uint_eq(rcc_cp_size(alg) % 8, 0);
    if (alg->np == NULL)
        return;
    for (uint32_t n = 0; n < 200; n++)
    {
        ck_assert_uint_eq(rcc_np_size(alg, n) % 8, 0);
        ck_assert(rcc_np_size(alg, n) <= rcc_np_size(alg, n + 1));
    }
}
END_TEST

START_TEST(starts_at_line_rate)
{
    struct rig rig;
    rig_init(&rig, algorithm(_i)->name, NULL, 40 * GBPS);
    rig_start(&rig, 7 * SEC, 1);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 40 * GBPS);
    ck_assert_int_eq(rcc_rp_next_send(rig.rp), 7 * SEC);
    ck_assert(rcc_rp_may_send(rig.rp, 7 * SEC));
    rcc_rp_advance(rig.rp, 8 * SEC);
    ck_assert_uint_eq(rcc_rp_rate(rig.rp), 40 * GBPS);
    rig_free(&rig);
}
END_TEST

/* False for `none`, which never reduces the rate. */
static bool reacts(const struct rcc_algorithm *alg)
{
    return strcmp(alg->name, "none") != 0;
}

/* Rate in bit/s that rate and window allow together at this RTT. */
static uint64_t pace(const struct rig *rig, uint64_t rtt_us)
{
    const uint64_t rate = rcc_rp_rate(rig->rp), window = rcc_rp_window(rig->rp);
    const uint64_t clocked = window / rtt_us * 8000000 + window % rtt_us * 8000000 / rtt_us;
    return window != 0 && clocked < rate ? clocked : rate;
}

/* True if the algorithm asks for RTTs, whatever tells it of congestion. */
static bool reads_rtts(const struct rcc_algorithm *alg)
{
    return (alg->needs.wants & RCC_WANT_RTT) != 0;
}

/* own_feedback that reports congestion: an acknowledgement may also say that there is none. */
static struct rcc_feedback congestion(const struct rig *rig, struct rng *rng)
{
    struct rcc_feedback f = own_feedback(rig, rng);
    f.rtt = 5 * MS;
    if (!is_windowed(rig->alg))
        return f;
    f.kind = RCC_FEEDBACK_ACK;
    f.ce = true;
    f.n_path = 2;
    f.path_id = 0;
    for (int i = 0; i < 2; i++)
        own_path[i].qlen = 10000000;
    return f;
}

/* An algorithm without timers recovers only by acknowledgements: these are those of an idle path. */
static void acknowledge_at_ease(struct rig *rig, struct rng *rng)
{
    for (int i = 0; i < 1000000 && pace(rig, 1) < rig->env.line_rate; i++)
    {
        rcc_time at = rig->rp->now + 100 * US;
        struct rcc_feedback ack;
        rcc_rp_advance(rig->rp, at);
        ack = congestion(rig, rng);
        ack.ce = false;
        ack.rtt = 1 * US;
        ack.acked = 10000000;
        for (int hop = 0; hop < 2; hop++)
        {
            own_path[hop].qlen = 0;
            own_path[hop].tx = 0;
        }
        rcc_rp_feedback(rig->rp, at, &ack);
    }
}

/* Send until the rate is that of the line: an algorithm that counts its bytes and has no timers recovers while it
 * sends. */
static void send_at_ease(struct rig *rig)
{
    for (int i = 0; i < 1000000 && pace(rig, 1) < rig->env.line_rate; i++)
        rcc_rp_sent(rig->rp, rig->rp->now + 200 * US, 9000);
}

START_TEST(feedback_lowers_the_rate)
{
    struct rig rig;
    struct rng rng = {5};
    bool acks;
    if (!reacts(algorithm(_i)))
        return;
    rig_init(&rig, algorithm(_i)->name, NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    acks = congestion(&rig, &rng).kind == RCC_FEEDBACK_ACK;
    /* many acknowledgements: each may have a small effect, or one per round trip */
    for (int i = 1; i <= (acks ? 200 : 50); i++)
    {
        struct rcc_feedback f = congestion(&rig, &rng);
        rcc_time t = i * (acks ? 200 * US : 20 * US);
        uint64_t before;
        rcc_rp_advance(rig.rp, t);
        before = pace(&rig, 13);
        rcc_rp_feedback(rig.rp, t, &f);
        CHECK(pace(&rig, 13) <= before, "feedback %d raised the rate", i);
    }
    ck_assert_uint_lt(pace(&rig, 13), 20 * GBPS);
    rig_free(&rig);
}
END_TEST

START_TEST(foreign_feedback_is_harmless)
{
    struct rig rig;
    struct rng rng = {6};
    rig_init(&rig, algorithm(_i)->name, NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    enum rcc_feedback_kind own = congestion(&rig, &rng).kind;
    for (int limited = 0; limited < 2; limited++)
    {
        rig_start(&rig, 0, 1);
        if (limited)
            for (int i = 0; i < 5; i++)
            {
                struct rcc_feedback f = own_feedback(&rig, &rng);
                rcc_rp_feedback(rig.rp, 1000 * i, &f);
            }
        for (int kind = RCC_FEEDBACK_CNP; kind <= RCC_FEEDBACK_TIMEOUT; kind++)
        {
            struct rcc_rp *before = rp_copy(rig.rp);
            struct rcc_feedback f = {.kind = (enum rcc_feedback_kind)kind,
                                     .period_ns = 77000,
                                     .qfb = 63,
                                     .ce = true,
                                     .rtt = 1 * MS,
                                     .acked = UINT64_MAX,
                                     .lost = 1000,
                                     .seq = 1000 * (uint64_t)kind,
                                     .next = 100000,
                                     .in_flight = 64000};
            /* windowed algorithms may get losses too, and others ask for RTTs beside their CNPs */
            const bool heard =
                kind > RCC_FEEDBACK_ACK ? is_windowed(rig.alg) : kind == RCC_FEEDBACK_ACK && reads_rtts(rig.alg);
            if ((enum rcc_feedback_kind)kind != own && !heard)
                rcc_rp_feedback(rig.rp, rig.rp->now, &f);
            CHECK(rp_same_state(before, rig.rp), "feedback of kind %d changed the state", kind);
            free(before);
        }
    }
    rig_free(&rig);
}
END_TEST

static uint64_t least_rate(const struct rig *rig)
{
    return rcc_field_find(rig->alg, "r_min") >= 0 ? (uint64_t)rig_get(rig, "r_min") : 0;
}

START_TEST(recovers_when_silent)
{
    for (const struct rcc_preset *p = algorithm(_i)->presets; p->name != NULL; p++)
        for (uint64_t line = GBPS; line <= 1600 * GBPS; line *= 40)
        {
            struct rig rig;
            struct rng rng = {line};
            rig_init(&rig, algorithm(_i)->name, p->name, line);
            rig.env.base_rtt = 100 * US; /* least windows are some packets */
            rig_start(&rig, 0, 3);
            for (int i = 0; i < 200; i++)
            {
                struct rcc_feedback f = congestion(&rig, &rng);
                rcc_rp_feedback(rig.rp, i * (f.kind == RCC_FEEDBACK_ACK ? 200 * US : 10 * US), &f);
            }
            CHECK(pace(&rig, 100) < line / 2 || !reacts(rig.alg) || least_rate(&rig) > line / 3, "%s: no cut", p->name);
            if (congestion(&rig, &rng).kind == RCC_FEEDBACK_ACK)
                acknowledge_at_ease(&rig, &rng);
            else if (rcc_rp_next_step(rig.rp) == RCC_NEVER)
                send_at_ease(&rig);
            rcc_rp_advance(rig.rp, 86400 * SEC);
            CHECK(pace(&rig, 1) == line, "%s at %llu bit/s: %llu bit/s after a day", p->name, (unsigned long long)line,
                  (unsigned long long)pace(&rig, 1));
            ck_assert_int_eq(rcc_rp_next_step(rig.rp), RCC_NEVER);
            rig_free(&rig);
        }
}
END_TEST

/* ------------------------------------------------------------------ random signals */

/* Change fields from their defaults, by so little that the rate still varies. */
static void vary(struct rig *rig, struct rng *rng)
{
    for (size_t i = 0; i < rig->alg->n_fields; i++)
    {
        const struct rcc_field *f = &rig->alg->fields[i];
        int64_t lo = f->def / 4 > f->min ? f->def / 4 : f->min;
        int64_t hi = f->def < f->max / 2 ? f->def * 2 : f->max;
        if (f->unit == RCC_UNIT_CHOICE)
            rig->params[i] = rng_range(rng, f->min, f->max);
        else if (rng_chance(rng, 30))
            rig->params[i] = rng_range(rng, lo, hi);
    }
}

/* Two RPs of one profile that get the same signals. */
struct twin
{
    struct rig rig;
    struct rcc_rp *a, *b;
    struct rcc_pause_log log;
    rcc_time ring[1024];
    bool paused;
    rcc_time now;
};

static void twin_start(struct twin *t, const struct rcc_algorithm *alg, struct rng *rng)
{
    static const uint64_t lines[] = {1000000000,   10000000000,   40000000000,
                                     100000000000, 1600000000000, RCC_LINE_RATE_MAX};
    uint64_t line = lines[rng_range(rng, 0, 5)];
    bool rig_again = false;
    do
    {
        if (rig_again)
            rig_free(&t->rig);
        rig_again = true;
        rig_init(&t->rig, alg->name, NULL, line);
        vary(&t->rig, rng);
    } while (!rig_try_start(&t->rig, 1000, 9));
    rcc_pause_log_init(&t->log, t->ring, 1024);
    t->a = t->rig.rp;
    t->a->pause = &t->log;
    t->b = rp_copy(t->a);
    t->paused = false;
    t->now = 1000;
}

static void twin_free(struct twin *t)
{
    free(t->b);
    rig_free(&t->rig);
}

/* One random signal to both. */
static void twin_signal(struct twin *t, struct rng *rng)
{
    int64_t dice = rng_range(rng, 0, 99);
    if (dice < 15)
    {
        struct rcc_feedback f = own_feedback(&t->rig, rng);
        rcc_rp_feedback(t->a, t->now, &f);
        rcc_rp_feedback(t->b, t->now, &f);
    }
    else if (dice < 90)
    {
        uint32_t bytes = (uint32_t)rng_log_range(rng, 1, RCC_FRAME_MAX);
        rcc_rp_sent(t->a, t->now, bytes);
        rcc_rp_sent(t->b, t->now, bytes);
    }
    else
    {
        t->paused = !t->paused;
        rcc_pause_log_set(&t->log, t->now, t->paused);
    }
}

/* The state at time t depends on the signals before t, not on additional calls. */
START_TEST(polls_change_nothing)
{
    for (uint64_t seed = 0; seed < rounds(30); seed++)
    {
        struct rng rng = {seed};
        struct twin t;
        twin_start(&t, algorithm(_i), &rng);
        for (int i = 0; i < 400; i++)
        {
            rcc_time next = t.now + rng_log_range(&rng, 1, rng_chance(&rng, 5) ? SEC : 500 * US);
            twin_signal(&t, &rng);
            for (int64_t polls = rng_range(&rng, 0, 4); polls > 0 && next > t.now; polls--)
            {
                /* before `next`: a pause that begins at the very instant of a poll comes after it */
                rcc_time at = rng_range(&rng, t.now, next - 1);
                if (rng_chance(&rng, 40))
                    rcc_rp_advance(t.b, at);
                else if (rng_chance(&rng, 50))
                    rcc_rp_may_send(t.b, at);
                else
                    rcc_rp_next_send(t.b);
            }
            rcc_rp_advance(t.a, next);
            rcc_rp_advance(t.b, next);
            CHECK(rp_same_state(t.a, t.b), "seed %llu, signal %d: polls changed the state", (unsigned long long)seed,
                  i);
            CHECK(rcc_rp_next_send(t.a) == rcc_rp_next_send(t.b), "seed %llu, signal %d: next_send",
                  (unsigned long long)seed, i);
            t.now = next;
        }
        twin_free(&t);
    }
}
END_TEST

/* The packet may leave exactly at next_send, which does not change without signals. */
START_TEST(next_send_keeps_its_promise)
{
    for (uint64_t seed = 0; seed < rounds(40); seed++)
    {
        struct rng rng = {1000 + seed};
        struct twin t;
        twin_start(&t, algorithm(_i), &rng);
        t.a->pause = t.b->pause = NULL; /* a later pause would be a signal */
        for (int i = 0; i < 300; i++)
        {
            struct rcc_rp *copy;
            rcc_time due;
            twin_signal(&t, &rng);
            due = rcc_rp_next_send(t.a);
            CHECK(due >= t.a->now, "next_send lies in the past");
            copy = rp_copy(t.a);
            if (due > copy->now)
            {
                for (int k = 0; k < 3; k++)
                {
                    rcc_rp_advance(copy, rng_range(&rng, copy->now, due - 1));
                    CHECK(rcc_rp_next_send(copy) == due, "seed %llu, signal %d: next_send moved from %lld to %lld",
                          (unsigned long long)seed, i, (long long)due, (long long)rcc_rp_next_send(copy));
                }
                CHECK(!rcc_rp_may_send(copy, due - 1), "seed %llu, signal %d: may send before next_send",
                      (unsigned long long)seed, i);
            }
            CHECK(rcc_rp_may_send(copy, due), "seed %llu, signal %d: may not send at next_send",
                  (unsigned long long)seed, i);
            free(copy);
            t.now += rng_log_range(&rng, 0, 300 * US);
        }
        twin_free(&t);
    }
}
END_TEST

START_TEST(rate_stays_in_range)
{
    for (uint64_t seed = 0; seed < rounds(20); seed++)
    {
        struct rng rng = {2000 + seed};
        struct twin t;
        twin_start(&t, algorithm(_i), &rng);
        for (int i = 0; i < 2000; i++)
        {
            uint64_t rate;
            t.now += rng_log_range(&rng, 0, 300 * US);
            twin_signal(&t, &rng);
            rate = rcc_rp_rate(t.a);
            CHECK(rate >= 1 && rate <= t.rig.env.line_rate, "rate %llu", (unsigned long long)rate);
            CHECK(t.a->rate <= t.rig.env.line_rate << RCC_RATE_SHIFT, "above the line rate");
            CHECK((rcc_rp_window(t.a) != 0) == ((t.a->profile->needs.wants & RCC_WANT_WINDOW) != 0), "window");
        }
        CHECK(rp_same_state(t.a, t.b), "the same signals made two states");
        twin_free(&t);
    }
}
END_TEST

/* A `now` before rp->now has no effect. */
START_TEST(late_now_is_the_last_now)
{
    struct rng rng = {77};
    struct twin t;
    twin_start(&t, algorithm(_i), &rng);
    for (int i = 0; i < 500; i++)
    {
        struct rcc_feedback f = own_feedback(&t.rig, &rng);
        rcc_time early;
        t.now += rng_log_range(&rng, 0, 100 * US);
        rcc_rp_advance(t.a, t.now);
        rcc_rp_advance(t.b, t.now);
        early = rng_range(&rng, -5, t.now);
        rcc_rp_advance(t.b, early);
        ck_assert_int_eq(t.b->now, t.now);
        rcc_rp_sent(t.a, t.now, 1000);
        rcc_rp_sent(t.b, early, 1000);
        if (i % 7 == 0)
        {
            rcc_rp_feedback(t.a, t.now, &f);
            rcc_rp_feedback(t.b, early, &f);
        }
        CHECK(rcc_rp_may_send(t.a, t.now) == rcc_rp_may_send(t.b, early), "may_send");
        CHECK(rp_same_state(t.a, t.b), "step %d: a late now changed the state", i);
    }
    twin_free(&t);
}
END_TEST

Suite *suite_conformance(void)
{
    Suite *s = suite_create("conformance");
    TCase *tc = long_tcase("every algorithm");
    int n = (int)algorithm_count();
    tcase_add_loop_test(tc, field_table_is_sane, 0, n);
    tcase_add_loop_test(tc, presets_are_sane, 0, n);
    tcase_add_loop_test(tc, profile_accepts_presets, 0, n);
    tcase_add_loop_test(tc, sizes, 0, n);
    tcase_add_loop_test(tc, starts_at_line_rate, 0, n);
    tcase_add_loop_test(tc, feedback_lowers_the_rate, 0, n);
    tcase_add_loop_test(tc, foreign_feedback_is_harmless, 0, n);
    tcase_add_loop_test(tc, recovers_when_silent, 0, n);
    tcase_add_loop_test(tc, polls_change_nothing, 0, n);
    tcase_add_loop_test(tc, next_send_keeps_its_promise, 0, n);
    tcase_add_loop_test(tc, rate_stays_in_range, 0, n);
    tcase_add_loop_test(tc, late_now_is_the_last_now, 0, n);
    suite_add_tcase(s, tc);
    return s;
}
