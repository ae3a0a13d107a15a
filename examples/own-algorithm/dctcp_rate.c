/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * An example of a new algorithm: the control law of DCTCP (M. Alizadeh
 * et al., "Data Center TCP", SIGCOMM 2010, section 3) on the rate of a queue pair
 * instead of a window of bytes. README.md beside this file says how to add it.
 *
 *   switch     marks every frame that finds more than K bytes in the queue
 *   receiver   takes no part: acknowledgements echo the mark
 *   sender     once per round trip, F the marked share of the bytes acknowledged in it:
 *
 *                  alpha = (1 - g) alpha + g F          (eq. 1)
 *                  F > 0    rate *= 1 - alpha / 2       (eq. 2)
 *                  F = 0    rate += r_ai
 *
 * One step per round trip, and not more: what a step did shows after one. An
 * acknowledgement that covers many packets echoes a mark of any of them and comes
 * late to a slow flow: run it with --ack-every=1, for which the law was made.
 */
#include "roles.h"

/* ------------------------------------------------------------------ parameters */

/* Everything that a user sees of a parameter comes from its line: attribute, --set, range check, documentation. */
#define DCTCP_FIELDS(F)                                                                                                \
    F(kmax, RCC_CP, RCC_UNIT_BYTES, 0, 1000 * RCC_MB, 100 * RCC_KB, NULL,                                              \
      "K: queue above which every frame is marked", "SIGCOMM'10 section 3.1; the value is this example's")             \
    F(g, RCC_RP, RCC_UNIT_RATIO, 0, RCC_RATIO_ONE, RCC_RATIO_ONE / 16, NULL, "gain of alpha", "SIGCOMM'10 eq. 1")      \
    F(min_rtt, RCC_RP, RCC_UNIT_NS, 100, RCC_SEC, 20 * RCC_US, NULL, "a shorter round trip counts as this long",       \
      "this example's; as TIMELY's")                                                                                   \
    F(r_ai, RCC_RP, RCC_UNIT_BPS, 100000, 1600 * RCC_GBPS, 40 * RCC_MBPS, NULL,                                        \
      "step after a round trip without a mark", "as DCQCN's; DCTCP's is one packet per round trip")                    \
    F(r_min, RCC_RP, RCC_UNIT_BPS, 1000, 1600 * RCC_GBPS, 10 * RCC_MBPS, NULL, "least rate", "as QCN's")

enum
{
    DCTCP_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {DCTCP_FIELDS(RCC_FIELD_ENTRY)};

/* A preset changes some defaults; the first one, "paper", is what runs without --preset. */
static const struct rcc_preset_value preset_shallow[] = {{P_kmax, 30 * RCC_KB}, {P_r_ai, 10 * RCC_MBPS}};

static const struct rcc_preset presets[] = {{.name = "paper", .help = "eq. 1 and 2 with g = 1/16"},
                                            RCC_PRESET("shallow", "a shorter queue, slower steps", preset_shallow),
                                            {.name = NULL}};

/* ------------------------------------------------------------------ congestion point */

/* DCTCP's marking is RED with Kmin = Kmax = K, which core/cc/red.c has. */
static void cp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    rcc_red_derive((struct rcc_red_profile *)profile, env, p[P_kmax], p[P_kmax], RCC_RATIO_ONE, RCC_MARK_AT_DEQUEUE);
}

static const struct rcc_cp_ops cp_ops = {.frames = RCC_CP_ECN_CAPABLE,
                                         .size = sizeof(struct rcc_red_cp),
                                         .profile_size = sizeof(struct rcc_red_profile),
                                         .derive = cp_derive,
                                         .start = rcc_red_start};

/* ------------------------------------------------------------------ reaction point */

/* Derived once per NIC and shared by its queue pairs: here go the conversions and divisions. */
struct rp_profile
{
    struct rcc_profile base;    /* the part that all profiles share comes first */
    uint64_t line, r_ai, r_min; /* 2^-16 bit/s */
    uint64_t g;                 /* Q62 */
    rcc_time min_rtt;           /* ns */
};

/* One per queue pair; zeroed before rp_start. */
struct dctcp_rp
{
    struct rcc_rp rp;       /* the part that all reaction points share comes first */
    uint64_t alpha;         /* Q62 */
    uint64_t acked, marked; /* bytes of this round trip */
    rcc_time began;         /* when it began */
};

RCC_CHECK_FIELDS(N_FIELDS);
RCC_CHECK_PROFILE(struct rp_profile);
RCC_CHECK_RP(struct dctcp_rp);

/* Refuse what no range can express: a parameter that contradicts another one or the line rate. */
static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return rcc_require_at_most(fields, p, P_r_min, (int64_t)env->line_rate, "r_min is above the line rate", error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct rp_profile *rp = (struct rp_profile *)profile;
    rp->line = env->line_rate << RCC_RATE_SHIFT;
    rp->r_ai = (uint64_t)p[P_r_ai] << RCC_RATE_SHIFT;
    rp->r_min = (uint64_t)p[P_r_min] << RCC_RATE_SHIFT;
    rp->g = rcc_ratio_q62(p[P_g]);
    rp->min_rtt = p[P_min_rtt];
}

static const struct rp_profile *profile_of(const struct rcc_rp *rp)
{
    return (const struct rp_profile *)rp->profile;
}

static void rp_start(struct rcc_rp *rp)
{
    struct dctcp_rp *d = (struct dctcp_rp *)rp;
    rp->rate = profile_of(rp)->line;
    d->alpha = RCC_Q62_ONE; /* the first cut halves, as in Linux: nothing is known yet */
    d->began = rp->now;
}

/* part / whole in Q62; part <= whole, whole > 0. 32 binary digits of each are enough. */
static uint64_t share(uint64_t part, uint64_t whole)
{
    while (whole >> 32 != 0)
    {
        whole >>= 1;
        part >>= 1;
    }
    return ((part << 31) / whole) << 31;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *feedback)
{
    struct dctcp_rp *d = (struct dctcp_rp *)rp;
    const struct rp_profile *p = profile_of(rp);
    rcc_time rtt = feedback->rtt > p->min_rtt ? feedback->rtt : p->min_rtt; /* -1 if unknown */
    uint64_t space, rate = rp->rate;
    if (feedback->kind != RCC_FEEDBACK_ACK)
        return;                    /* another algorithm's */
    space = UINT64_MAX - d->acked; /* a sum that no host reaches in a round trip, but a fuzzer does */
    space = feedback->acked < space ? feedback->acked : space;
    d->acked += space;
    d->marked += feedback->ce ? space : 0;
    if (rp->now - d->began < rtt || d->acked == 0)
        return;

    d->alpha = d->alpha - rcc_mul_q62(d->alpha, p->g) + rcc_mul_q62(share(d->marked, d->acked), p->g); /* eq. 1 */
    if (d->marked != 0)
        rate -= rcc_mul_q62(rate, d->alpha / 2); /* eq. 2 */
    else
        rate = p->line - rate > p->r_ai ? rate + p->r_ai : p->line;
    rcc_rp_set_rate(rp, rp->now, rate > p->r_min ? rate : p->r_min); /* pays the pacer at the old rate first */
    d->acked = d->marked = 0;
    d->began = rp->now;
}

/* For flow_rates.csv: alpha has 32 fractional digits, the state word is free. */
static void rp_observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    const struct dctcp_rp *d = (const struct dctcp_rp *)rp;
    *target = rp->rate;
    *alpha = d->alpha >> 30;
    *state = d->marked != 0;
}

/* The rate changes on acknowledgements only, so advance, sent and next_step are left out. core/cc/qcn.c has all three.
 */
static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct dctcp_rp),
                                         .profile_size = sizeof(struct rp_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .feedback = rp_feedback,
                                         .observe = rp_observe};

/* The one name that the line in core/cc/algorithms.def makes known: rcc_algorithm_ and the name of this file. */
const struct rcc_algorithm rcc_algorithm_dctcp_rate = {.name = "dctcp-rate",
                                                       .title = "DCTCP (rate)",
                                                       .source = "after Alizadeh et al., SIGCOMM 2010",
                                                       .fields = fields,
                                                       .n_fields = N_FIELDS,
                                                       .presets = presets,
                                                       .cp = &cp_ops,
                                                       .rp = &rp_ops};
