/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Declarations for the files of DCQCN: dcqcn.c (parameters, CP and RP), dcqcn_cut.c (the RP's
 * cuts and alpha), dcqcn_timer.c (its rate timer) and dcqcn_np.c (NP); and for its variant
 * dcqcn_hpcc.c (the DCQCN of the HPCC paper's simulator), which uses parts of them.
 */
#ifndef RCC_DCQCN_COMMON_H
#define RCC_DCQCN_COMMON_H

#include "roles.h"

/* ------------------------------------------------------------------ parameters */

/* Choices, in the order of the names in their fields. */
enum dcqcn_np_rule
{
    NP_RULE_WINDOW_END,
    NP_RULE_NEXT_MARK
};

enum dcqcn_cnp_busy
{
    CNP_BUSY_QUEUE,
    CNP_BUSY_LAST
};

enum dcqcn_hai_steps
{
    HAI_STEPS_GROWING,
    HAI_STEPS_CONSTANT
};

enum dcqcn_notify
{
    NOTIFY_CNP,
    NOTIFY_ACK_CE
};

enum dcqcn_cut_rule
{
    CUT_AT_ONCE,
    CUT_PERIODIC
};

enum dcqcn_alpha_rule
{
    ALPHA_WITH_CUT,
    ALPHA_PERIODIC
};

#define DCQCN_FIELDS(F)                                                                                                \
    F(kmin, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 5 * RCC_KB, NULL, "queue below which nothing is marked",         \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 200 * RCC_KB, NULL, "queue above which everything is marked",    \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(pmax, RCC_CP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 100, NULL, "marking probability at kmax",        \
      "SIGCOMM'15 fig. 5")                                                                                             \
    F(mark_at, RCC_CP, RCC_UNIT_CHOICE, 0, RCC_MARK_AT_ENQUEUE, RCC_MARK_AT_DEQUEUE, "dequeue|enqueue",                \
      "where the queue is read and the frame marked", "both public simulators mark at dequeue")                        \
    F(cnp_interval, RCC_NP, RCC_UNIT_NS, 0, RCC_SEC, 50 * RCC_US, NULL,                                                \
      "N: a flow gets at most one CNP in this time; 0 = one per marked packet that finds none waiting",                \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(cnp_generation, RCC_NP, RCC_UNIT_NS, 0, RCC_MS, 0, NULL,                                                         \
      "the NIC makes at most one CNP in this time, over all flows; 0 = no limit", "ICNP'18 III.D")                     \
    F(np_rule, RCC_NP, RCC_UNIT_CHOICE, 0, NP_RULE_NEXT_MARK, NP_RULE_WINDOW_END, "window-end|next-mark",              \
      "when a flow marked within cnp_interval is notified: as the interval ends, or at its next mark after that",      \
      "SIGCOMM'15 fig. 6")                                                                                             \
    F(timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                         \
      "K: period of the rate increase timer (rpg_time_reset)", "SIGCOMM'15 section 5")                                 \
    F(byte_counter, RCC_RP, RCC_UNIT_BYTES, 0, 1000000 * RCC_MB, 10 * RCC_MB, NULL,                                    \
      "B: bytes per step of the byte counter (rpg_byte_reset); 0 = timer only", "SIGCOMM'15 section 5")                \
    F(alpha_timer, RCC_RP, RCC_UNIT_NS, 1 * RCC_US, 10 * RCC_SEC, 55 * RCC_US, NULL,                                   \
      "alpha decays once per this time without a CNP (dce_tcp_rtt)", "SIGCOMM'15 eq. 2")                               \
    F(alpha_restart, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes", "a CNP restarts the alpha timer",         \
      "decision `alpha_restart`")                                                                                      \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 256, NULL, "gain of alpha (dce_tcp_g)",             \
      "SIGCOMM'15 eq. 1, 2")                                                                                           \
    F(initial_alpha, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE, NULL, "alpha before the first CNP",      \
      "CoNEXT'16 Matlab; the original simulator has 0.5")                                                              \
    F(cut_ratio, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 2, NULL,                                    \
      "a CNP cuts the rate by this times alpha", "ICNP'18 eq. 2")                                                      \
    F(rate_reduce_period, RCC_RP, RCC_UNIT_NS, 0, RCC_SEC, 0, NULL,                                                    \
      "CNPs sooner than this after a cut are ignored (rate_reduce_monitor_period)", "ICNP'18 III.B")                   \
    F(clamp_target, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                            \
      "every cut sets the target rate, also when the rate has not increased since the last one (clamp_tgt_rate)",      \
      "ICNP'18 eq. 1")                                                                                                 \
    F(f, RCC_RP, RCC_UNIT_COUNT, 1, 1000, 5, NULL, "F: stages of fast recovery (rpg_threshold)", "SIGCOMM'15 sec. 5")  \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 40 * RCC_MBPS, NULL, "additive increase step (rpg_ai_rate)",     \
      "ICNP'18 eq. 6")                                                                                                 \
    F(r_hai, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 100 * RCC_MBPS, NULL, "hyper increase step (rpg_hai_rate)",     \
      "ICNP'18 eq. 8")                                                                                                 \
    F(hai_steps, RCC_RP, RCC_UNIT_CHOICE, 0, HAI_STEPS_CONSTANT, HAI_STEPS_GROWING, "growing|constant",                \
      "hyper increase adds r_hai times the stages past F, or r_hai", "ICNP'18 eq. 8; constant in the HPCC simulator")  \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 1 * RCC_MBPS, NULL, "least rate (rpg_min_rate)",             \
      "ICNP'18 eq. 3; the NIC vendor's default")                                                                       \
    F(pacing, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_PACING_FROZEN, RCC_PACING_FOLLOW, "follow|frozen",                       \
      "the gap after a packet follows rate changes, or is fixed when the packet leaves", "decision `pacing`")          \
    F(notify, RCC_RP, RCC_UNIT_CHOICE, 0, NOTIFY_ACK_CE, NOTIFY_CNP, "cnp|ack-ce",                                     \
      "what counts as a CNP: a CNP, or an ACK that echoes CE (the NP then sends none)", "HPCC simulator")              \
    F(cut_rule, RCC_RP, RCC_UNIT_CHOICE, 0, CUT_PERIODIC, CUT_AT_ONCE, "at-once|periodic",                             \
      "a CNP cuts at once, or at the next multiple of rate_reduce_period since the first one", "HPCC simulator")       \
    F(alpha_rule, RCC_RP, RCC_UNIT_CHOICE, 0, ALPHA_PERIODIC, ALPHA_WITH_CUT, "cut|periodic",                          \
      "alpha rises with a cut, or once per alpha_timer in which a CNP came", "HPCC simulator")                         \
    F(mark_every, RCC_CP, RCC_UNIT_COUNT, 0, 1000000000, 0, NULL,                                                      \
      "every n-th frame is marked, whatever the queue; 0 = as kmin, kmax and pmax say", "Lumina SIGCOMM'23 sec. 6")    \
    F(min_dec_fac, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, 0, NULL,                                                  \
      "a cut leaves at least this part of the rate (rpg_min_dec_fac)", "NVIDIA's page on DCQCN parameters")            \
    F(first_cnp_rate, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 0, NULL,                                               \
      "the first CNP cuts to this rate; 0 = a cut like any other (rate_to_set_on_first_cnp)",                          \
      "NVIDIA's page on DCQCN parameters")                                                                             \
    F(clamp_after_time, RCC_RP, RCC_UNIT_CHOICE, 0, RCC_YES, RCC_YES, "no|yes",                                        \
      "without clamp_target, a cut sets the target rate after an increase by timer too, not only after one by bytes "  \
      "(clamp_tgt_rate_after_time_inc)",                                                                               \
      "NVIDIA's page on DCQCN parameters")                                                                             \
    F(start_rate, RCC_RP, RCC_UNIT_BPS, 0, 1600 * RCC_GBPS, 0, NULL,                                                   \
      "slow start: a queue pair begins at this rate and recovers towards line rate as after a cut; 0 = at line rate",  \
      "no NIC's rule is published")                                                                                    \
    F(cnp_busy, RCC_NP, RCC_UNIT_CHOICE, 0, CNP_BUSY_LAST, CNP_BUSY_QUEUE, "queue|last",                               \
      "a mark within cnp_generation of the NIC's last CNP: its flow queues for the next one, or the last such mark "   \
      "has it",                                                                                                        \
      "decision `cnp_busy`")

enum
{
    DCQCN_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

extern const struct rcc_field rcc_dcqcn_fields[N_FIELDS];
extern const struct rcc_preset rcc_dcqcn_presets[];

/* ------------------------------------------------------------------ congestion point */

extern const struct rcc_cp_ops rcc_dcqcn_cp_ops;

/* ------------------------------------------------------------------ notification point (dcqcn_np.c) */

struct dcqcn_np_profile
{
    struct rcc_profile base;
    rcc_time interval, generation;
    bool next_mark;
    bool last; /* of the marks that find the generator busy, the last one has the next CNP */
};

void rcc_dcqcn_np_derive(const int64_t *p, const struct rcc_env *env, void *profile);
size_t rcc_dcqcn_np_size(uint32_t capacity);
void rcc_dcqcn_np_start(struct rcc_np *np);
void rcc_dcqcn_np_grow(struct rcc_np *np, const struct rcc_np *old);
void rcc_dcqcn_np_close(struct rcc_np *np, uint32_t flow);
void rcc_dcqcn_np_marked(struct rcc_np *np, rcc_time now, uint32_t flow);
rcc_time rcc_dcqcn_np_next_due(const struct rcc_np *np);
bool rcc_dcqcn_np_poll(struct rcc_np *np, rcc_time now, struct rcc_cnp *cnp);

/* A rcc_np_ops with a PROFILE that begins with a struct dcqcn_np_profile. */
#define DCQCN_NP_OPS(PROFILE, DERIVE, MARKED)                                                                          \
    {                                                                                                                  \
        .profile_size = sizeof(PROFILE), .derive = DERIVE, .size = rcc_dcqcn_np_size, .start = rcc_dcqcn_np_start,     \
        .grow = rcc_dcqcn_np_grow, .close = rcc_dcqcn_np_close, .marked = MARKED, .next_due = rcc_dcqcn_np_next_due,   \
        .poll = rcc_dcqcn_np_poll                                                                                      \
    }

extern const struct rcc_np_ops rcc_dcqcn_np_ops;

/* ------------------------------------------------------------------ reaction point */

enum
{
    DCQCN_DECAYS = 64 /* powers of 1 - g in the table; usually a CNP arrives within fewer periods */
};

struct dcqcn_profile
{
    struct rcc_profile base;
    uint64_t line, r_min, r_ai, r_hai; /* 2^-16 bit/s */
    uint64_t keep;                     /* 1 - g, Q62 */
    uint64_t g, cut_ratio;             /* Q62 */
    uint64_t max_cut;                  /* 1 - min_dec_fac, Q62 */
    uint64_t first_rate;               /* 2^-16 bit/s; 0 = the first CNP is a cut like any other */
    uint64_t start_rate;               /* 2^-16 bit/s; 0 = a queue pair begins without a limiter */
    uint64_t initial_alpha;            /* Q62 */
    uint64_t byte_counter;             /* bytes; 0 = timer only */
    rcc_time timer, alpha_timer, reduce_period;
    uint64_t timer_inverse, alpha_inverse; /* see rcc_periods */
    uint32_t f;
    enum dcqcn_hai_steps hai_steps;
    bool alpha_restart, clamp_target;
    bool ramps;                   /* the gap follows the rate, and a period of the timer at line rate fits 63 bits */
    bool time_counts;             /* after an increase by the timer, the next cut sets the target */
    uint64_t decay[DCQCN_DECAYS]; /* powers of `keep`: alpha after so many periods without a CNP */
};

struct dcqcn_rp
{
    struct rcc_rp rp;
    uint64_t target;   /* RT, 2^-16 bit/s */
    uint64_t alpha;    /* Q62, valid for alpha_at */
    rcc_time alpha_at; /* start of the current period of the alpha timer */
    rcc_time timer_at; /* start of the current period of the rate timer */
    rcc_time cut_at;
    uint64_t bytes; /* sent in the current period of the byte counter */
    uint32_t time_stage, byte_stage;
    bool notified;  /* a CNP was received: alpha decays */
    bool limited;   /* the limiter is active: the rate was cut, or slow start is configured */
    bool was_cut;   /* a CNP has cut the rate */
    bool increased; /* the rate has increased since the last cut, so that the next cut sets the target */
};

/* The profile of a reaction point. */
static inline const struct dcqcn_profile *rcc_dcqcn_profile(const struct dcqcn_rp *d)
{
    return (const struct dcqcn_profile *)(const void *)d->rp.profile;
}

bool rcc_dcqcn_rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error);
void rcc_dcqcn_rp_derive(const int64_t *p, const struct rcc_env *env, void *profile);
void rcc_dcqcn_rp_start(struct rcc_rp *rp);
void rcc_dcqcn_rp_sent(struct rcc_rp *rp, uint32_t bytes);
void rcc_dcqcn_rp_run_ahead(struct rcc_rp *rp);
rcc_time rcc_dcqcn_rp_next_step(const struct rcc_rp *rp);

/* Alpha at t, `periods` of the alpha timer after alpha_at: eq. 10 for each period. */
uint64_t rcc_dcqcn_alpha_at(const struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time t, uint64_t *periods);

/* Cut the rate at t by alpha, which is that of t, eq. 1-3. */
void rcc_dcqcn_cut_rate(struct dcqcn_rp *d, rcc_time t);

/* Cut the rate and raise alpha at t, eq. 1-4. */
void rcc_dcqcn_cut(struct dcqcn_rp *d, rcc_time t);

/* Apply the periods of the alpha timer up to t, eq. 10. */
void rcc_dcqcn_run_alpha(struct dcqcn_rp *d, rcc_time t);

/* One step of rate increase at t. Eq. 5-9. */
void rcc_dcqcn_increase(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time t);

/* True if timer steps change neither RT nor RC: at line rate, or without an increment and with RC = RT. */
bool rcc_dcqcn_at_rest(const struct dcqcn_rp *d, const struct dcqcn_profile *p);

/* Apply the steps of the rate timer up to `now`. */
void rcc_dcqcn_run_timer(struct dcqcn_rp *d, const struct dcqcn_profile *p, rcc_time now);

/* Apply the next step of the rate timer, and further steps before the next packet may leave. */
void rcc_dcqcn_run_ahead(struct dcqcn_rp *d, const struct dcqcn_profile *p);

/* ------------------------------------------------------------------ the variant (dcqcn_hpcc.c) */

enum
{
    DCQCN_HPCC_VALUES = 17
};

/* The preset `hpcc`. */
extern const struct rcc_preset_value rcc_dcqcn_hpcc_values[DCQCN_HPCC_VALUES];

extern const struct rcc_variant rcc_dcqcn_hpcc;

#endif /* RCC_DCQCN_COMMON_H */
