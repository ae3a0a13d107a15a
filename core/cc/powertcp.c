/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * PowerTCP: V. Addanki, O. Michel, S. Schmid, "PowerTCP: Pushing the Performance Limits of Datacenter Networks", NSDI
 * 2022, algorithm 1. Telemetry as HPCC's; the sender computes the power of each hop, its arrival rate (current) times
 * the bytes in flight on it (voltage). With ' for the last acknowledgement's records, for each hop j:
 *
 *     P1  dq = q_j - q'_j, dtx = tx_j - tx'_j, dt = ts_j - ts'_j
 *     P3  lambda = 8e9 (dq + dtx) / dt, at least floor B_j
 *     P4  nu = q_j + B_j T / 8e9
 *     P5  Gamma_j = lambda nu / (B_j B_j T / 8e9), the largest of them counts
 *     P6  Gamma = ((T - d) Gamma + d Gamma_j) / T, d = min(dt, T)
 *     P7  W = gamma (W_old target / Gamma + beta) + (1 - gamma) W
 *     P8  end of a round: W_old = W;   R = W 8e9 / T
 *
 * The printed algorithm compares a hop's power with the largest normalised one; normalised powers are compared here
 * (decision `power_compare`). In equilibrium n flows have a queue of n beta (theorem 1).
 */
#include "powertcp.h"
#include "telemetry.h"

/* ------------------------------------------------------------------ parameters */

#define FIELDS(F)                                                                                                      \
    POWER_FIELDS(F, RCC_RATIO_ONE / 2, RCC_RATIO_ONE, "power at which the window stands",                              \
                 "ns3-datacenter: 0.95; the paper has none, which is 1")                                               \
    TELEMETRY_FIELD(F)

enum
{
    P_last_shared = N_POWER_FIELDS - 1,
    TELEMETRY_FIELD(RCC_FIELD_INDEX) N_FIELDS
};

static const struct rcc_field fields[] = {FIELDS(RCC_FIELD_ENTRY)};

RCC_CHECK_FIELDS(N_FIELDS);

static const struct rcc_preset_value preset_ns3[] = {{P_target, 95 * RCC_RATIO_ONE / 100},
                                                     {P_keeps, POWER_KEEPS_OLD},
                                                     {P_int_form, TELEMETRY_SIMULATOR},
                                                     {P_window_rule, WINDOWED_STARTS},
                                                     {P_pacing, RCC_PACING_LATEST}};

static const struct rcc_preset presets[] = {
    {.name = "paper", .help = "algorithm 1 of NSDI 2022, with a floor of the current"},
    RCC_PRESET("ns3-datacenter", "the code that its authors published; it stamps arrivals in place of departures",
               preset_ns3),
    {.name = NULL}};

/* ------------------------------------------------------------------ reaction point */

struct powertcp_rp
{
    struct power_rp power;
    struct telemetry seen;
};

_Static_assert(sizeof(struct powertcp_rp) <= RCC_RP_SIZE_MAX, "struct powertcp_rp is larger than RCC_RP_SIZE_MAX");

static bool rp_check(const int64_t *p, const struct rcc_env *env, struct rcc_error *error)
{
    return power_check(fields, p, env, error);
}

static void rp_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct power_profile *t = (struct power_profile *)profile;
    power_derive(p, env, t);
    rcc_telemetry_needs(&t->w.base.needs, p[P_int_form], p[P_int_multi]);
}

/* part 8000 / whole, at most `most`, 2^-POWER_SHIFT: shares of bytes of Mb/s times ns. */
static uint64_t share(uint64_t bytes, uint64_t whole)
{
    const uint64_t s = rcc_mul_div(bytes, 8000 * (uint64_t)POWER_ONE, whole);
    return s < (uint64_t)POWER_MAX ? s : (uint64_t)POWER_MAX;
}

/* P1, P3, P4, P5. */
static uint64_t hop_power(const struct power_profile *p, const struct rcc_hop *old, const struct rcc_hop *hop,
                          uint64_t dt, uint64_t bytes)
{
    const uint64_t arrived = bytes + hop->qlen; /* less old->qlen this is dq + dtx */
    uint64_t current = arrived > old->qlen ? share(arrived - old->qlen, hop->rate_mbps * dt) : 0, power;
    current = current > (uint64_t)p->floor ? current : (uint64_t)p->floor;
    if (hop->qlen == 0)
        return current;
    power = rcc_mul_div(current, share(hop->qlen, hop->rate_mbps * (uint64_t)p->w.rtt), (uint64_t)POWER_ONE);
    power = (power < (uint64_t)POWER_MAX ? power : (uint64_t)POWER_MAX) + current;
    return power < (uint64_t)POWER_MAX ? power : (uint64_t)POWER_MAX;
}

static void rp_feedback(struct rcc_rp *rp, const struct rcc_feedback *f)
{
    struct powertcp_rp *own = (struct powertcp_rp *)rp;
    struct power_rp *t = &own->power;
    const struct power_profile *p = power_profile_of(t);
    const bool round = f->seq > t->last;
    uint64_t most = 0, tau = 0, dt, bytes, power;
    bool any = false;
    if ((f->kind != RCC_FEEDBACK_ACK && f->kind != RCC_FEEDBACK_LOSS) || f->n_path == 0)
        return;
    if (!rcc_telemetry_compares(&own->seen, f, rp->now))
    {
        t->last = f->next > t->last ? f->next : t->last;
        return;
    }
    for (uint8_t i = 0; i < own->seen.n; i++)
    {
        if (!telemetry_delta(&own->seen.hop[i], &f->path[i], &dt, &bytes))
            continue;
        any = true;
        power = hop_power(p, &own->seen.hop[i], &f->path[i], dt, bytes);
        own->seen.hop[i] = f->path[i];
        if (power > most)
        {
            most = power;
            tau = dt;
        }
    }
    if (!any)
        return;
    own->seen.at = rp->now;
    power_average(t, (int64_t)most, power_weight(p, tau)); /* not at all if there is no power on any hop */
    power_step(t, p, rcc_mul_q62(t->old, p->target));
    if (round)
        power_remember(t, f);
}

static const struct rcc_rp_ops rp_ops = {.size = sizeof(struct powertcp_rp),
                                         .profile_size = sizeof(struct power_profile),
                                         .check = rp_check,
                                         .derive = rp_derive,
                                         .start = power_start,
                                         .feedback = rp_feedback,
                                         .observe = power_observe};

const struct rcc_algorithm rcc_algorithm_powertcp = {.name = "powertcp",
                                                     .title = "PowerTCP",
                                                     .source = "Addanki et al., NSDI 2022",
                                                     .fields = fields,
                                                     .n_fields = N_FIELDS,
                                                     .presets = presets,
                                                     .cp = &rcc_telemetry_cp_ops,
                                                     .rp = &rp_ops,
                                                     .needs = TELEMETRY_NEEDS};
