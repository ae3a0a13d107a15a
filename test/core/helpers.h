/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Helpers of the core's tests: random numbers, a ready-made RP, NP or CP, checks that are cheap in loops. */
#ifndef RCC_TEST_HELPERS_H
#define RCC_TEST_HELPERS_H

#include "rcc.h"

#include <check.h>

/* ck_assert writes a message per call; loops of millions use this. */
#define CHECK(condition, ...)                                                                                          \
    do                                                                                                                 \
    {                                                                                                                  \
        if (!(condition))                                                                                              \
            ck_abort_msg(__VA_ARGS__);                                                                                 \
    } while (0)

#define US ((int64_t)1000)
#define MS ((int64_t)1000000)
#define SEC ((int64_t)1000000000)
#define MBPS ((uint64_t)1000000)
#define GBPS ((uint64_t)1000000000)
#define TEN_YEARS (10 * 365 * 86400 * SEC)
#define PPB 1000000000.0

/* ------------------------------------------------------------------ random numbers */

struct rng
{
    uint64_t state;
};

uint64_t rng_next(struct rng *rng);
/* Uniform in lo..hi, both included. */
int64_t rng_range(struct rng *rng, int64_t lo, int64_t hi);
/* Uniform in the exponent: small values are as likely as large ones. */
int64_t rng_log_range(struct rng *rng, int64_t lo, int64_t hi);
bool rng_chance(struct rng *rng, unsigned percent);

/* `n` rounds of a randomised test, divided by RCC_TEST_ROUNDS_DIVISOR of the environment, at least 1. test/mutation
 * runs the tests thousands of times. */
uint64_t rounds(uint64_t n);

/* The rcc_draw of the tests: a hash of (stream, index). */
uint32_t test_draw(uint64_t stream, uint64_t index);

/* ------------------------------------------------------------------ rig */

/* Line rates that an algorithm is tested at, bit/s. */
#define LINE_RATES 6
extern const uint64_t line_rates[LINE_RATES];

/* One algorithm with its parameters, profiles and one RP. */
struct rig
{
    const struct rcc_algorithm *alg;
    struct rcc_env env;
    int64_t params[RCC_MAX_FIELDS];
    void *rp_profile_memory, *np_profile_memory, *cp_profile_memory;
    void *rp_memory, *np_memory, *cp_memory;
    const struct rcc_profile *rp_profile, *np_profile, *cp_profile;
    struct rcc_rp *rp;
    struct rcc_np *np;
    struct rcc_cp *cp;
};

size_t algorithm_count(void);

/* True if the algorithm comes with rcc: only these are compared with published tables, not those that a user has added.
 */
bool is_shipped(const struct rcc_algorithm *alg);

/* True if every parameter is in its field's range. */
bool in_range(const struct rcc_algorithm *alg, const int64_t *params);

/* Parameters of `name` with `preset` (NULL = the first one); the draw is test_draw. */
void rig_init(struct rig *rig, const char *name, const char *preset, uint64_t line_rate);
void rig_set(struct rig *rig, const char *field, int64_t value);
int64_t rig_get(const struct rig *rig, const char *field);
/* False if a profile refuses the parameters. */
bool rig_try_start(struct rig *rig, rcc_time now, uint64_t stream);
void rig_start(struct rig *rig, rcc_time now, uint64_t stream);
void rig_start_np(struct rig *rig, uint32_t capacity);
void rig_grow_np(struct rig *rig, uint32_t capacity);
/* False if a profile refuses the parameters. */
bool rig_try_start_cp(struct rig *rig, uint64_t stream);
void rig_start_cp(struct rig *rig, uint64_t stream);
void rig_free(struct rig *rig);

/* The feedback that the rig's algorithm understands, with a severity; period_ns for CNPs. */
struct rcc_feedback cnp(uint32_t period_ns);
/* A CNP with this period (0 = a legacy one) reaches the rig's RP. */
void rig_cut(struct rig *rig, rcc_time at, int64_t period_ns);
struct rcc_feedback cnm(uint8_t qfb);
/* A CNM with this quantised feedback reaches the rig's RP. */
void rig_notify(struct rig *rig, rcc_time at, uint8_t qfb);
struct rcc_feedback own_feedback(const struct rig *rig, struct rng *rng);
/* True if the algorithm reads sequence numbers, and also gets losses and timeouts. */
bool is_windowed(const struct rcc_algorithm *alg);
/* The records that own_feedback points to; the next call overwrites them. */
extern struct rcc_hop own_path[RCC_PATH_MAX];

/* A copy on the heap; free() it. */
struct rcc_rp *rp_copy(const struct rcc_rp *rp);
/* True if two RPs of one profile have the same state at the same time. Their pacers
 * may have been settled at different times before (two reductions of the debt equal
 * one), so both are settled first. */
bool rp_same_state(struct rcc_rp *a, struct rcc_rp *b);

double rp_target(const struct rcc_rp *rp); /* bit/s */
double rp_alpha(const struct rcc_rp *rp);
uint32_t rp_state(const struct rcc_rp *rp);
double rp_rate(const struct rcc_rp *rp); /* bit/s, with the digits below one */

/* Relative error of `got`; absolute error if `want` is below 1. */
double relative(double got, double want);

/* Functions of fixed.h and ratio.h as compilers other than gcc and clang compile them, see portable.c. */
uint64_t portable_mul_shift(uint64_t a, uint64_t b, unsigned shift);
uint64_t portable_mul_div(uint64_t a, uint64_t b, uint64_t c);
unsigned portable_digits(uint64_t x);

/* ------------------------------------------------------------------ suites */

Suite *suite_registry(void);
Suite *suite_parameters(void);
Suite *suite_configure(void);
Suite *suite_units(void);
Suite *suite_link(void);
Suite *suite_turns(void);
Suite *suite_red(void);
Suite *suite_rp(void);
Suite *suite_pacer(void);
Suite *suite_dcqcn(void);
Suite *suite_dcqcn_hpcc(void);
Suite *suite_dcqcn_timer(void);
Suite *suite_dcqcn_plus(void);
Suite *suite_dcqcn_plus_timers(void);
Suite *suite_dcqcn_plus_share(void);
Suite *suite_qcn(void);
Suite *suite_qcn_cp(void);
Suite *suite_timely(void);
Suite *suite_swift(void);
Suite *suite_nscc(void);
Suite *suite_nscc_reference(void);
Suite *suite_barre(void);
Suite *suite_np(void);
Suite *suite_np_plus(void);
Suite *suite_conformance(void);
Suite *suite_extremes(void);
Suite *suite_fastest(void);
Suite *suite_fixed(void);
Suite *suite_sender(void);
Suite *suite_transfer(void);
Suite *suite_placement(void);
Suite *suite_repeat(void);
Suite *suite_selective_transfer(void);
Suite *suite_port(void);
Suite *suite_qp(void);
Suite *suite_qp_rules(void);
Suite *suite_qp_transfer(void);
Suite *suite_qp_liveness(void);
Suite *suite_wire(void);
Suite *suite_wire_ip(void);
Suite *suite_wire_sack(void);
Suite *suite_wire_int(void);
Suite *suite_qp_window(void);
Suite *suite_qp_selective(void);
Suite *suite_policer(void);
Suite *suite_dscp(void);
Suite *suite_wire_decode(void);
Suite *suite_mmu(void);
Suite *suite_pfc(void);
Suite *suite_cioq(void);
Suite *suite_switch_rules(void);
Suite *suite_path(void);
Suite *suite_spray(void);
Suite *suite_trim(void);
Suite *suite_pick(void);
Suite *suite_arrival(void);
Suite *suite_dctcp(void);
Suite *suite_hpcc(void);
Suite *suite_windowed(void);
Suite *suite_pint(void);
Suite *suite_powertcp(void);

/* A test case with a long timeout, for loaded machines and sanitizers; it only ends tests that hang. */
TCase *long_tcase(const char *name);

#endif
