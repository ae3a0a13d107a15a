/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * theta-PowerTCP: V. Addanki, O. Michel, S. Schmid, "PowerTCP", NSDI 2022, algorithm 2: PowerTCP without telemetry.
 * Switch and receiver are not involved; the sender takes current and voltage from its round trips. For an
 * acknowledgement dt after the last one:
 *
 *     Q1  a = dRTT / dt + 1, at least floor
 *     Q2  power = a RTT / (T target)
 *     Q3  Gamma = ((T - d) Gamma + d power) / T, d = min(dt, T)      T: given, or the least RTT seen
 *     Q4  end of a round: W = gamma (W_old / Gamma + beta) + (1 - gamma) W, W_old = W;   R = W 8e9 / T
 */
#include "powertcp.h"
#include "telemetry.h"

/* ------------------------------------------------------------------ parameters */

#define OWN_FIELDS(F)                                                                                                  \
    F(update, RCC_RP, RCC_UNIT_CHOICE, 0, UPDATE_ACK, UPDATE_ROUND, "round|ack",                                       \
      "the window is set once per round, or on every ACK from that of the last round",                                 \
      "NSDI'22 algorithm 2: round; ns3-datacenter: ack")                                                               \
    F(tau, RCC_RP, RCC_UNIT_CHOICE, 0, TAU_LEAST, TAU_GIVEN, "given|least",                                            \
      "T of the power and its average: base_rtt, or the least RTT seen if that is shorter",                            \
      "NSDI'22: either; ns3-datacenter: least; decision `tau`")

#define FIELDS(F)                                                                                                      \
    POWER_FIELDS(F, RCC_RATIO_ONE, 2 * RCC_RATIO_ONE, "RTT at which the window stands, in T",                          \
                 "ns3-datacenter: 1.05; the paper has none, which is 1")                                               \
    OWN_FIELDS(F)

enum
{
    UPDATE_ROUND,
    UPDATE_ACK
};

enum
{
    TAU_GIVEN,
    TAU_LEAST
};

enum
{
    P_last_shared = N_POWER_FIELDS - 1,
    OWN_FIELDS(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);

static const struct rcc_preset_value preset_ns3[] = {{P_gamma, 7 * RCC_RATIO_ONE / 10},
                                                     {P_target, 105 * RCC_RATIO_ONE / 100},
                                                     {P_keeps, POWER_KEEPS_OLD},
                                                     {P_window_rule, WINDOWED_STARTS},
                                                     {P_pacing, RCC_PACING_LATEST},
                                                     {P_update, UPDATE_ACK},
                                                     {P_tau, TAU_LEAST}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "algorithm 2 of NSDI 2022, with a floor of the current"},
    RCC_PRESET("ns3-datacenter", "the code that its authors published; it takes the least RTT seen for T", preset_ns3),
    {.name = NULL}};

/* ------------------------------------------------------------------ reaction point */

#define RTT_MAX ((rcc_time)1 << 32)

struct theta_rp
{
    struct power_rp power;
    rcc_time rtt; /* the last sample, < 0 before the first one */
    rcc_time at;  /* when it was taken */
    rcc_time tau; /* T of the power */
};

_Static_assert(sizeof(struct theta_rp) <= RCC_RP_SIZE_MAX, "struct theta_rp is larger than RCC_RP_SIZE_MAX");

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return power_check(fields, p, env, error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct power_profile *t = (struct power_profile *)profile;
    power_derive(p, env, t);
    t->target = rcc_mul_div(RCC_Q62_ONE, RCC_RATIO_ONE, (uint64_t)p[P_target]);
    t->each_ack = p[P_update] == UPDATE_ACK;
    t->least_rtt = p[P_tau] == TAU_LEAST;
}

static void rp_start(struct rcc_rp *rp)
{
    struct theta_rp *own = (struct theta_rp *)rp;
    power_start(rp);
    own->rtt = -1;
    own->tau = power_profile_of(&own->power)->w.rtt;
}

/* Q1, Q2. */
static int64_t power_of(const struct power_profile *p, rcc_time change, rcc_time dt, rcc_time rtt, rcc_time tau)
{
    const rcc_time sum = change + dt;
    uint64_t power = rcc_mul_div((uint64_t)(sum < 0 ? -sum : sum), (uint64_t)POWER_ONE, (uint64_t)dt);
    const bool below = sum < 0 || power < (uint64_t)p->floor;
    if (p->floor != 0 && below)
        power = (uint64_t)p->floor;
    power = rcc_mul_div(power < (uint64_t)POWER_MAX ? power : (uint64_t)POWER_MAX, (uint64_t)rtt, (uint64_t)tau);
    power = rcc_mul_q62(power < (uint64_t)POWER_MAX ? power : (uint64_t)POWER_MAX, p->target);
    return p->floor == 0 && sum < 0 ? -(int64_t)power : (int64_t)power;
}

/* d / T of Q3, Q62. */
static uint64_t weight_of(const struct theta_rp *own, const struct power_profile *p, rcc_time dt)
{
    if (own->tau == p->w.rtt)
        return power_weight(p, (uint64_t)dt);
    return dt < own->tau ? rcc_mul_div(RCC_Q62_ONE, (uint64_t)dt, (uint64_t)own->tau) : RCC_Q62_ONE;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct theta_rp *own = (struct theta_rp *)rp;
    struct power_rp *t = &own->power;
    const struct power_profile *p = power_profile_of(t);
    const bool round = f->seq > t->last;
    const rcc_time rtt = f->rtt < RTT_MAX ? f->rtt : RTT_MAX, dt = rp->now - own->at, change = rtt - own->rtt;
    const bool compares = own->rtt >= 0 && dt <= TELEMETRY_GAP;
    if ((f->kind != RCC_FEEDBACK_ACK && f->kind != RCC_FEEDBACK_LOSS) || rtt < 0 || (compares && dt == 0))
        return;
    own->rtt = rtt;
    own->at = rp->now;
    if (p->least_rtt && rtt < own->tau)
        own->tau = rtt > 0 ? rtt : 1;
    if (!compares)
    {
        t->last = f->next > t->last ? f->next : t->last;
        return;
    }
    power_average(t, power_of(p, change, dt, rtt, own->tau), weight_of(own, p, dt));
    if (round || p->each_ack)
        power_step(t, p, t->old);
    if (round)
        power_remember(t, f);
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct theta_rp),
                                         .profile_size = sizeof(struct power_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = rp_start,
                                         .feedback = rp_feedback,
                                         .observe = power_observe};

const struct rcc_algorithm rcc_algorithm_theta_powertcp = {
    .name = "theta-powertcp",
    .title = "theta-PowerTCP",
    .source = "Addanki et al., NSDI 2022",
    .fields = fields,
    .n_fields = N_FIELDS,
    .presets = presets,
    .rp = &rp_ops,
    .needs = {.wants = RCC_WANT_WINDOW | RCC_WANT_WINDOW_FITS | RCC_WANT_ACK_PER_PACKET | RCC_WANT_RTT}};
