/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* rcc_configure and rcc_check: wrong arguments and parameters are refused with an error that can be printed, valid ones
 * are accepted. */
#include "helpers.h"

#include "roles.h"

#include <string.h>

static const enum rcc_role all_roles[] = {RCC_CP, RCC_NP, RCC_RP};

/* Error name of rcc_configure with one changed parameter; NULL if it accepts. The caller owns nothing. */
static const struct rcc_error *try_field(const char *name, enum rcc_role role, const char *field, int64_t value)
{
    static struct rcc_error error;
    uint64_t memory[RCC_PROFILE_SIZE_MAX / 8];
    struct rig rig;
    rig_init(&rig, name, NULL, 40 * GBPS);
    rig.params[rcc_field_find(rig.alg, field)] = value;
    memset(&error, 0x5a, sizeof error);
    return rcc_configure(rig.alg, role, rig.params, &rig.env, memory, &error) != NULL ? NULL : &error;
}

static const struct rcc_error *try_line_rate(const char *name, uint64_t line_rate)
{
    static struct rcc_error error;
    uint64_t memory[RCC_PROFILE_SIZE_MAX / 8];
    struct rig rig;
    rig_init(&rig, name, NULL, line_rate);
    return rcc_configure(rig.alg, RCC_RP, rig.params, &rig.env, memory, &error) != NULL ? NULL : &error;
}

/* A timer of 0 must not cause a division by zero. */
START_TEST(timer_of_zero_is_refused)
{
    static const char *const names[] = {"dcqcn", "dcqcn-plus", "qcn"};
    for (size_t i = 0; i < 3; i++)
        for (int64_t value = 0; value >= -1; value--)
        {
            const struct rcc_error *error = try_field(names[i], RCC_RP, "timer", value);
            ck_assert_ptr_nonnull(error);
            ck_assert_str_eq(error->name, "timer");
            ck_assert_str_eq(error->field->name, "timer");
            ck_assert_int_eq(error->value, value);
            ck_assert_int_eq(error->min, error->field->min);
            ck_assert_int_eq(error->max, error->field->max);
            ck_assert_str_eq(error->message, "the parameter is out of range");
        }
}
END_TEST

START_TEST(line_rate_outside_the_range_is_refused)
{
    static const uint64_t bad[] = {0, RCC_LINE_RATE_MIN - 1, RCC_LINE_RATE_MAX + 1, 100000 * GBPS, UINT64_MAX};
    const char *name = rcc_algorithm_at((size_t)_i)->name;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    {
        const struct rcc_error *error = try_line_rate(name, bad[i]);
        ck_assert_ptr_nonnull(error);
        ck_assert_str_eq(error->name, "line_rate");
        ck_assert_ptr_null(error->field);
        ck_assert_int_eq(error->value, bad[i] > INT64_MAX ? INT64_MAX : (int64_t)bad[i]);
        ck_assert_int_eq(error->min, (int64_t)RCC_LINE_RATE_MIN);
        ck_assert_int_eq(error->max, (int64_t)RCC_LINE_RATE_MAX);
        ck_assert_str_eq(error->message, "the line rate is out of range");
    }
}
END_TEST

START_TEST(line_rate_at_the_ends_is_accepted)
{
    ck_assert_ptr_null(try_line_rate("dcqcn-plus", RCC_LINE_RATE_MIN));
    ck_assert_ptr_null(try_line_rate("dcqcn-plus", RCC_LINE_RATE_MAX));
    ck_assert_ptr_null(try_line_rate("dcqcn", RCC_LINE_RATE_MIN)); /* r_min is as large */
}
END_TEST

/* Every field of every algorithm, for every role, even if the role does not read it. */
START_TEST(every_range_is_checked)
{
    const struct rcc_algorithm *alg = rcc_algorithm_at((size_t)_i);
    uint64_t memory[RCC_PROFILE_SIZE_MAX / 8];
    struct rcc_error error;
    struct rig rig;
    rig_init(&rig, alg->name, NULL, RCC_LINE_RATE_MAX);
    for (size_t i = 0; i < alg->n_fields; i++)
        for (size_t k = 0; k < 3; k++)
            for (int above = 0; above < 2; above++)
            {
                const struct rcc_field *f = &alg->fields[i];
                rig.params[i] = above ? f->max + 1 : f->min - 1;
                ck_assert_ptr_null(rcc_configure(alg, all_roles[k], rig.params, &rig.env, memory, &error));
                ck_assert_ptr_eq(error.field, f);
                ck_assert_int_eq(error.value, rig.params[i]);
                ck_assert(!rcc_check(alg, rig.params, &rig.env, &error));
                ck_assert_ptr_eq(error.field, f);
                rig.params[i] = f->def;
                ck_assert(rcc_check(alg, rig.params, &rig.env, &error));
            }
}
END_TEST

START_TEST(contradictions_name_value_and_limit)
{
    static const struct
    {
        const char *name, *field, *message;
        enum rcc_role role;
        int64_t value, most;
    } table[] = {
        {"dcqcn", "kmin", "kmin is above kmax", RCC_CP, 200001, 200000},
        {"dcqcn-plus", "kmin", "kmin is above kmax", RCC_CP, 200001, 200000},
        {"dcqcn-plus-share", "kmin", "kmin is above kmax", RCC_CP, 200001, 200000},
        {"dcqcn", "r_min", "r_min is above the line rate", RCC_RP, 40000000001, 40000000000},
        {"qcn", "r_min", "r_min is above the line rate", RCC_RP, 40000000001, 40000000000},
        {"timely", "r_min", "r_min is above the line rate", RCC_RP, 40000000001, 40000000000},
        {"timely-patched", "r_min", "r_min is above the line rate", RCC_RP, 40000000001, 40000000000},
        {"timely", "t_low", "t_low is above t_high", RCC_RP, 500001, 500000},
        {"timely-patched", "t_low", "t_low is above t_high", RCC_RP, 500001, 500000},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
        const struct rcc_error *error = try_field(table[i].name, table[i].role, table[i].field, table[i].value);
        struct rig rig;
        struct rcc_error found;
        ck_assert_ptr_nonnull(error);
        ck_assert_str_eq(error->name, table[i].field);
        ck_assert_str_eq(error->message, table[i].message);
        ck_assert_int_eq(error->value, table[i].value);
        ck_assert_int_eq(error->min, error->field->min);
        ck_assert_int_eq(error->max, table[i].most);
        ck_assert_ptr_null(try_field(table[i].name, table[i].role, table[i].field, table[i].most));
        rig_init(&rig, table[i].name, NULL, 40 * GBPS);
        rig_set(&rig, table[i].field, table[i].value);
        ck_assert(!rcc_check(rig.alg, rig.params, &rig.env, &found));
        ck_assert_str_eq(found.message, table[i].message);
        ck_assert(!rcc_check(rig.alg, rig.params, &rig.env, NULL));
    }
    /* a role that does not read the parameters is not concerned */
    ck_assert_ptr_null(try_field("dcqcn", RCC_NP, "kmin", 200001));
    ck_assert_ptr_null(try_field("dcqcn", RCC_RP, "kmin", 200001));
    ck_assert_ptr_null(try_field("dcqcn", RCC_CP, "r_min", 40000000001));
}
END_TEST

START_TEST(misuse_is_refused)
{
    uint64_t memory[RCC_PROFILE_SIZE_MAX / 8 + 1];
    struct rcc_error error;
    struct rig rig;
    rig_init(&rig, "qcn", NULL, 40 * GBPS);
#define EXPECT(argument, ...)                                                                                          \
    ck_assert_ptr_null(rcc_configure(__VA_ARGS__, &error));                                                            \
    ck_assert_str_eq(error.name, argument);                                                                            \
    ck_assert_ptr_null(error.field);                                                                                   \
    ck_assert_uint_gt(strlen(error.message), 10);                                                                      \
    ck_assert_ptr_null(rcc_configure(__VA_ARGS__, NULL))
    EXPECT("alg", rcc_find("nope"), RCC_RP, rig.params, &rig.env, memory);
    EXPECT("params", rig.alg, RCC_RP, NULL, &rig.env, memory);
    EXPECT("env", rig.alg, RCC_RP, rig.params, NULL, memory);
    EXPECT("memory", rig.alg, RCC_RP, rig.params, &rig.env, NULL);
    EXPECT("memory", rig.alg, RCC_RP, rig.params, &rig.env, (char *)memory + 4);
    EXPECT("role", rig.alg, RCC_NP, rig.params, &rig.env, memory);
    EXPECT("role", rcc_find("none"), RCC_CP, rig.params, &rig.env, memory);
    EXPECT("role", rig.alg, (enum rcc_role)3, rig.params, &rig.env, memory);
#undef EXPECT
    ck_assert(!rcc_check(NULL, rig.params, &rig.env, &error));
    ck_assert_str_eq(error.name, "alg");
    ck_assert_ptr_nonnull(rcc_configure(rcc_find("none"), RCC_RP, NULL, &rig.env, memory, &error)); /* no parameters */
}
END_TEST

/* A host that ignores the error gets no context. */
START_TEST(nothing_starts_without_its_profile)
{
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    struct rig rig;
    rig_init(&rig, "dcqcn", NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    rig_start_np(&rig, 1);
    rig_start_cp(&rig, 1);
    ck_assert_ptr_null(rcc_rp_start(memory, NULL, 0, 1));
    ck_assert_ptr_null(rcc_np_start(memory, NULL, 1));
    ck_assert_ptr_null(rcc_cp_start(memory, NULL, 1));
    ck_assert_ptr_null(rcc_rp_start(NULL, rig.rp_profile, 0, 1));
    ck_assert_ptr_null(rcc_np_start(NULL, rig.np_profile, 1));
    ck_assert_ptr_null(rcc_cp_start(NULL, rig.cp_profile, 1));
    ck_assert_ptr_null(rcc_rp_start(memory, rig.np_profile, 0, 1));
    ck_assert_ptr_null(rcc_np_start(memory, rig.cp_profile, 1));
    ck_assert_ptr_null(rcc_cp_start(memory, rig.rp_profile, 1));
    rig_free(&rig);
}
END_TEST

START_TEST(sizes_of_roles)
{
    const struct rcc_algorithm *alg = rcc_algorithm_at((size_t)_i);
    for (size_t k = 0; k < 3; k++)
        ck_assert_uint_le(rcc_profile_size(alg, all_roles[k]), RCC_PROFILE_SIZE_MAX);
    ck_assert((rcc_profile_size(alg, RCC_CP) != 0) == (alg->cp != NULL));
    ck_assert((rcc_profile_size(alg, RCC_NP) != 0) == (alg->np != NULL));
    ck_assert_uint_gt(rcc_profile_size(alg, RCC_RP), sizeof(struct rcc_profile));
    ck_assert((rcc_cp_size(alg) != 0) == (alg->cp != NULL));
    ck_assert((rcc_np_size(alg, 1) != 0) == (alg->np != NULL));
    ck_assert((rcc_cp_watches(alg) != RCC_CP_NONE) == (alg->cp != NULL));
    ck_assert_uint_le(rcc_cp_size(alg), RCC_CP_SIZE_MAX);
    ck_assert_uint_le(rcc_rp_size(alg), RCC_RP_SIZE_MAX);
    ck_assert_int_eq(rcc_rp_reads_pauses(alg), strncmp(alg->name, "dcqcn-plus", 10) == 0);
}
END_TEST

/* ------------------------------------------------------------------ what no algorithm of the registry has yet */

/* Parameters may change the needs: on a slow line there is no window. */
static void windowed_derive(const int64_t *params, const struct rcc_env *env, void *profile)
{
    (void)params;
    if (env->line_rate == RCC_LINE_RATE_MIN)
        ((struct rcc_profile *)profile)->needs = (struct rcc_needs){.wants = 0};
}

static void windowed_start(struct rcc_rp *rp)
{
    rp->rate = 1000000 * RCC_RATE_ONE;
}

/* The window is the free space of the fullest hop. */
static void windowed_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    for (uint32_t i = 0; i < feedback->n_path; i++)
        if (feedback->path[i].qlen * RCC_WINDOW_ONE > ((struct rcc_windowed_rp *)rp)->window)
            ((struct rcc_windowed_rp *)rp)->window = feedback->path[i].qlen * RCC_WINDOW_ONE;
}

static bool refuse_np(const int64_t *params, const struct rcc_env *env, struct rcc_error *error)
{
    (void)params;
    (void)env;
    *error = (struct rcc_error){.name = "np", .message = "not this one"};
    return false;
}

/* None of our notification points has a check; one of somebody else's may. */
START_TEST(checks_of_a_notification_point)
{
    static const struct rcc_np_ops np = {.profile_size = sizeof(struct rcc_profile), .check = refuse_np};
    const struct rcc_algorithm alg = {.name = "checked", .np = &np, .rp = rcc_find("none")->rp};
    const struct rcc_env env = {.line_rate = 40 * GBPS, .draw = test_draw};
    struct rcc_error error = {.name = NULL};
    ck_assert(!rcc_check(&alg, NULL, &env, &error));
    ck_assert_str_eq(error.name, "np");
}
END_TEST

START_TEST(window_and_telemetry)
{
    static const struct rcc_rp_ops ops = {.size = sizeof(struct rcc_windowed_rp),
                                          .profile_size = sizeof(struct rcc_profile),
                                          .derive = windowed_derive,
                                          .start = windowed_start,
                                          .feedback = windowed_feedback};
    static const struct rcc_algorithm alg = {
        .name = "windowed",
        .rp = &ops,
        .needs = {.wants = RCC_WANT_WINDOW | RCC_WANT_INT, .int_form = RCC_INT_PAPER, .data_extra = 2}};
    const struct rcc_hop path[] = {{.qlen = 1000}, {.qlen = 3000}, {.qlen = 2000}};
    const struct rcc_feedback ack = {.kind = RCC_FEEDBACK_ACK, .n_path = 3, .path = path};
    struct rcc_env env = {.line_rate = RCC_LINE_RATE_MIN};
    uint64_t memory[sizeof(struct rcc_windowed_rp) / 8], storage[sizeof(struct rcc_profile) / 8];
    const struct rcc_profile *profile = rcc_configure(&alg, RCC_RP, NULL, &env, storage, NULL);
    struct rcc_rp *rp = rcc_rp_start(memory, profile, 0, 1);
    ck_assert(profile->needs.wants == 0 && profile->needs.int_form == RCC_INT_NONE);
    ck_assert_uint_eq(rcc_rp_window(rp), 0);
    env.line_rate = RCC_LINE_RATE_MIN + 1;
    profile = rcc_configure(&alg, RCC_RP, NULL, &env, storage, NULL);
    ck_assert(profile->needs.wants == (RCC_WANT_WINDOW | RCC_WANT_INT) && profile->needs.data_extra == 2);
    ck_assert_int_eq(profile->needs.int_form, RCC_INT_PAPER);
    rp = rcc_rp_start(memory, profile, 0, 1);
    ck_assert_uint_eq(rcc_rp_window(rp), 1); /* a window, however small, is not "no window" */
    rcc_rp_feedback(rp, 5, &ack);
    ck_assert_uint_eq(rcc_rp_window(rp), 3000);
    ((struct rcc_windowed_rp *)rp)->window -= RCC_WINDOW_ONE / 2;
    ck_assert_uint_eq(rcc_rp_window(rp), 3000); /* to nearest */
    ((struct rcc_windowed_rp *)rp)->window--;
    ck_assert_uint_eq(rcc_rp_window(rp), 2999);
    ck_assert_int_eq(rcc_rp_next_step(rp), RCC_NEVER);
    rcc_rp_sent(rp, 5, 1000); /* 8 ms at 1 Mb/s; there are no timers and nothing counts bytes */
    ck_assert_int_eq(rcc_rp_next_send(rp), 8000005);
}
END_TEST

static void stamp(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                  struct rcc_hop *hop)
{
    (void)cp;
    *hop = (struct rcc_hop){(uint32_t)now, (uint32_t)tx_bytes, (uint32_t)queue, (uint32_t)(rate / 1000000)};
}

START_TEST(telemetry_of_a_congestion_point)
{
    struct rcc_cp cp = {.stamp = NULL};
    struct rcc_hop hop = {1, 2, 3, 4};
    ck_assert(!rcc_cp_stamp(&cp, 5, 6, 7, 8, &hop));
    ck_assert(hop.ts == 1 && hop.tx == 2 && hop.qlen == 3 && hop.rate_mbps == 4);
    cp.stamp = stamp;
    ck_assert(rcc_cp_stamp(&cp, ((rcc_time)1 << 32) + 5, 6, ((uint64_t)1 << 32) + 7, 100 * GBPS, &hop));
    ck_assert(hop.ts == 5 && hop.tx == 7 && hop.qlen == 6 && hop.rate_mbps == 100000);
    ck_assert_uint_eq(sizeof hop, 16);
}
END_TEST

/* The window and the needs say the same. */
START_TEST(window_where_it_is_wanted)
{
    struct rig rig;
    uint64_t target, alpha;
    uint32_t state;
    rig_init(&rig, rcc_algorithm_at((size_t)_i)->name, NULL, 40 * GBPS);
    rig_start(&rig, 0, 1);
    ck_assert_int_eq(rcc_rp_window(rig.rp) != 0, (rig.rp_profile->needs.wants & RCC_WANT_WINDOW) != 0);
    rcc_rp_observe(rig.rp, &target, &alpha, &state);
    ck_assert_uint_eq(target, rig.rp->rate);
    rig_free(&rig);
}
END_TEST

Suite *suite_configure(void)
{
    Suite *s = suite_create("configure");
    TCase *tc = long_tcase("configure");
    int n = (int)algorithm_count();
    tcase_add_test(tc, timer_of_zero_is_refused);
    tcase_add_loop_test(tc, line_rate_outside_the_range_is_refused, 0, n);
    tcase_add_test(tc, line_rate_at_the_ends_is_accepted);
    tcase_add_loop_test(tc, every_range_is_checked, 0, n);
    tcase_add_test(tc, contradictions_name_value_and_limit);
    tcase_add_test(tc, misuse_is_refused);
    tcase_add_test(tc, nothing_starts_without_its_profile);
    tcase_add_loop_test(tc, sizes_of_roles, 0, n);
    tcase_add_test(tc, checks_of_a_notification_point);
    tcase_add_test(tc, window_and_telemetry);
    tcase_add_test(tc, telemetry_of_a_congestion_point);
    tcase_add_loop_test(tc, window_where_it_is_wanted, 0, n);
    suite_add_tcase(s, tc);
    return s;
}
