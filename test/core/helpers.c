/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "helpers.h"

#include "roles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ random numbers */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u; /* splitmix64 */
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t rng_next(struct rng *rng)
{
    rng->state += 0x9e3779b97f4a7c15u;
    return mix(rng->state);
}

int64_t rng_range(struct rng *rng, int64_t lo, int64_t hi)
{
    uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
    return span == 0 ? (int64_t)rng_next(rng) : (int64_t)((uint64_t)lo + rng_next(rng) % span);
}

int64_t rng_log_range(struct rng *rng, int64_t lo, int64_t hi)
{
    int64_t span = hi - lo;
    unsigned bits = 0;
    while (bits < 63 && ((uint64_t)span >> bits) != 0)
        bits++;
    uint64_t value = rng_next(rng) >> (63 - (unsigned)rng_range(rng, 0, bits)) >> 1;
    return value > (uint64_t)span ? hi : lo + (int64_t)value;
}

bool rng_chance(struct rng *rng, unsigned percent)
{
    return rng_next(rng) % 100 < percent;
}

uint64_t rounds(uint64_t n)
{
    static uint64_t divisor, factor; /* read once: loops ask in each round */
    if (divisor == 0)
    {
        const char *text = getenv("RCC_TEST_ROUNDS_DIVISOR"), *times = getenv("RCC_TEST_ROUNDS_FACTOR");
        divisor = text != NULL ? strtoull(text, NULL, 10) : 1;
        factor = times != NULL ? strtoull(times, NULL, 10) : 1;
        divisor += divisor == 0;
    }
    n *= factor > 1 ? factor : 1;
    return divisor > 1 ? (n + divisor - 1) / divisor : n;
}

uint32_t test_draw(uint64_t stream, uint64_t index)
{
    return (uint32_t)(mix(mix(stream + 1) + index * 0x9e3779b97f4a7c15u) >> 32);
}

/* ------------------------------------------------------------------ rig */

const uint64_t line_rates[LINE_RATES] = {1 * GBPS, 10 * GBPS, 40 * GBPS, 100 * GBPS, 400 * GBPS, 1600 * GBPS};

size_t algorithm_count(void)
{
    size_t n = 0;
    while (rcc_algorithm_at(n) != NULL)
        n++;
    return n;
}

bool is_shipped(const struct rcc_algorithm *alg)
{
    static const char *const names[] = {
        "dcqcn",  "dcqcn-nic",      "dcqcn-hpcc", "dcqcn-plus", "dcqcn-plus-share", "qcn",
        "timely", "timely-patched", "dctcp",      "hpcc",       "powertcp",         "theta-powertcp",
        "swift",  "nscc",           "barre",      "none"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        found = found || strcmp(alg->name, names[i]) == 0;
    return found;
}

bool in_range(const struct rcc_algorithm *alg, const int64_t *params)
{
    for (size_t i = 0; i < alg->n_fields; i++)
        if (params[i] < alg->fields[i].min || params[i] > alg->fields[i].max)
            return false;
    return true;
}

void rig_init(struct rig *rig, const char *name, const char *preset, uint64_t line_rate)
{
    memset(rig, 0, sizeof *rig);
    rig->alg = rcc_find(name);
    CHECK(rig->alg != NULL, "no algorithm %s", name);
    rig->alg = rcc_find_preset(rig->alg, preset);
    CHECK(rig->alg != NULL && rcc_params_init(rig->alg, preset, rig->params), "%s has no preset %s", name, preset);
    rig->env.line_rate = line_rate;
    rig->env.draw = test_draw;
}

static size_t field_index(const struct rig *rig, const char *field)
{
    int i = rcc_field_find(rig->alg, field);
    CHECK(i >= 0, "%s has no field %s", rig->alg->name, field);
    return (size_t)i;
}

void rig_set(struct rig *rig, const char *field, int64_t value)
{
    rig->params[field_index(rig, field)] = value;
    CHECK(in_range(rig->alg, rig->params), "%s: %lld is out of range", field, (long long)value);
}

int64_t rig_get(const struct rig *rig, const char *field)
{
    return rig->params[field_index(rig, field)];
}

/* Memory for a profile of `role`, and the profile: NULL if it is refused. */
static const struct rcc_profile *configure(struct rig *rig, enum rcc_role role, void **memory)
{
    const struct rcc_profile *profile;
    struct rcc_error error;
    free(*memory);
    *memory = malloc(rcc_profile_size(rig->alg, role));
    CHECK(*memory != NULL, "no memory");
    memset(*memory, 0xa5, rcc_profile_size(rig->alg, role)); /* no algorithm may rely on zeroed memory */
    profile = rcc_configure(rig->alg, role, rig->params, &rig->env, *memory, &error);
    CHECK(profile != NULL || error.message[0] != '\0', "%s: a profile refused without a reason", rig->alg->name);
    return profile;
}

/* `size` bytes that are not zero. */
static void renew(void **memory, size_t size)
{
    free(*memory);
    *memory = malloc(size);
    CHECK(*memory != NULL, "no memory");
    memset(*memory, 0xa5, size);
}

bool rig_try_start(struct rig *rig, rcc_time now, uint64_t stream)
{
    rig->rp_profile = configure(rig, RCC_RP, &rig->rp_profile_memory);
    renew(&rig->rp_memory, rcc_rp_size(rig->alg));
    rig->rp = rcc_rp_start(rig->rp_memory, rig->rp_profile, now, stream);
    return rig->rp != NULL;
}

void rig_start(struct rig *rig, rcc_time now, uint64_t stream)
{
    CHECK(rig_try_start(rig, now, stream), "%s: profile refused", rig->alg->name);
}

void rig_start_np(struct rig *rig, uint32_t capacity)
{
    rig->np_profile = configure(rig, RCC_NP, &rig->np_profile_memory);
    renew(&rig->np_memory, rcc_np_size(rig->alg, capacity));
    rig->np = rcc_np_start(rig->np_memory, rig->np_profile, capacity);
    CHECK(rig->np != NULL, "%s: NP profile refused", rig->alg->name);
}

void rig_grow_np(struct rig *rig, uint32_t capacity)
{
    size_t size = rcc_np_size(rig->alg, capacity);
    void *memory = malloc(size);
    CHECK(memory != NULL, "no memory");
    memset(memory, 0xa5, size);
    rig->np = rcc_np_grow(memory, rig->np, capacity);
    free(rig->np_memory);
    rig->np_memory = memory;
}

bool rig_try_start_cp(struct rig *rig, uint64_t stream)
{
    rig->cp_profile = configure(rig, RCC_CP, &rig->cp_profile_memory);
    renew(&rig->cp_memory, rcc_cp_size(rig->alg));
    rig->cp = rcc_cp_start(rig->cp_memory, rig->cp_profile, stream);
    return rig->cp != NULL;
}

void rig_start_cp(struct rig *rig, uint64_t stream)
{
    CHECK(rig_try_start_cp(rig, stream), "%s: CP profile refused", rig->alg->name);
}

void rig_free(struct rig *rig)
{
    free(rig->rp_profile_memory);
    free(rig->np_profile_memory);
    free(rig->cp_profile_memory);
    free(rig->rp_memory);
    free(rig->np_memory);
    free(rig->cp_memory);
}

struct rcc_feedback cnp(uint32_t period_ns)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_CNP, .period_ns = period_ns, .rtt = -1};
    return f;
}

void rig_cut(struct rig *rig, rcc_time at, int64_t period_ns)
{
    struct rcc_feedback f = cnp((uint32_t)period_ns);
    rcc_rp_feedback(rig->rp, at, &f);
}

struct rcc_feedback cnm(uint8_t qfb)
{
    struct rcc_feedback f = {.kind = RCC_FEEDBACK_CNM, .qfb = qfb, .rtt = -1};
    return f;
}

void rig_notify(struct rig *rig, rcc_time at, uint8_t qfb)
{
    struct rcc_feedback f = cnm(qfb);
    rcc_rp_feedback(rig->rp, at, &f);
}

struct rcc_hop own_path[RCC_PATH_MAX];

bool is_windowed(const struct rcc_algorithm *alg)
{
    return (alg->needs.wants & RCC_WANT_WINDOW) != 0;
}

/* An ACK with what the time says: 1 Gb/s are acknowledged, and every port of the path is busy. */
static struct rcc_feedback windowed_feedback(const struct rig *rig, struct rng *rng, struct rcc_feedback ack)
{
    const uint64_t now = (uint64_t)rig->rp->now, mbps = rig->env.line_rate / MBPS;
    ack.seq = 1 + now / 8;
    ack.next = ack.seq + (uint64_t)rng_range(rng, 0, 100000);
    ack.in_flight = ack.next - ack.seq;
    ack.hops = ack.n_path = (uint8_t)(rng_chance(rng, 95) ? 2 : rng_range(rng, 0, UINT8_MAX));
    ack.path_id = rng_chance(rng, 95) ? 0 : 77;
    ack.remote = ack.rtt / 4;
    ack.path = own_path;
    for (uint32_t i = 0; i < RCC_PATH_MAX; i++)
        own_path[i] = (struct rcc_hop){.ts = (uint32_t)(now + 1000 * i),
                                       .tx = (uint32_t)(now % ((uint64_t)1 << 40) * mbps / 8000),
                                       .qlen = (uint32_t)(rng_chance(rng, 50) ? 0 : rng_log_range(rng, 0, UINT32_MAX)),
                                       .rate_mbps = (uint32_t)mbps};
    if (rng_chance(rng, 20))
        ack.ce = false;
    if (rng_chance(rng, 5))
    {
        ack.kind = rng_chance(rng, 50) ? RCC_FEEDBACK_LOSS : RCC_FEEDBACK_TIMEOUT;
        ack.lost = 1000;
    }
    return ack;
}

struct rcc_feedback own_feedback(const struct rig *rig, struct rng *rng)
{
    const struct rcc_algorithm *alg = rig->alg;
    if (alg->np != NULL) /* an NP makes CNPs */
        return cnp(rng_chance(rng, 20) ? 0 : (uint32_t)rng_log_range(rng, 1, 2 * MS));
    if (rcc_cp_watches(alg) == RCC_CP_CN_TAGGED) /* a CP that samples makes CNMs */
        return cnm((uint8_t)rng_range(rng, 1, 63));
    struct rcc_feedback ack = {.kind = RCC_FEEDBACK_ACK, .ce = true, .acked = 64000};
    ack.rtt = rng_log_range(rng, 1 * US, 5 * MS);
    return is_windowed(alg) ? windowed_feedback(rig, rng, ack) : ack;
}

struct rcc_rp *rp_copy(const struct rcc_rp *rp)
{
    struct rcc_rp *copy = malloc(rcc_rp_size(rp->profile->alg));
    CHECK(copy != NULL, "no memory");
    memcpy(copy, rp, rcc_rp_size(rp->profile->alg));
    return copy;
}

bool rp_same_state(struct rcc_rp *a, struct rcc_rp *b)
{
    rcc_rp_settle(a, a->now);
    rcc_rp_settle(b, b->now);
    return memcmp(a, b, rcc_rp_size(a->profile->alg)) == 0;
}

static void observe(const struct rcc_rp *rp, uint64_t *target, uint64_t *alpha, uint32_t *state)
{
    bool silent = rp->profile->alg->rp->observe == NULL;
    *target = *alpha = silent ? 0 : UINT64_MAX / 3; /* each must be written */
    *state = silent ? 0 : UINT32_MAX / 3;
    if (!silent)
        rp->profile->alg->rp->observe(rp, target, alpha, state);
}

double rp_target(const struct rcc_rp *rp)
{
    uint64_t target, alpha;
    uint32_t state;
    observe(rp, &target, &alpha, &state);
    return (double)target / (double)RCC_RATE_ONE;
}

double rp_alpha(const struct rcc_rp *rp)
{
    uint64_t target, alpha;
    uint32_t state;
    observe(rp, &target, &alpha, &state);
    return (double)alpha / 4294967296.0;
}

uint32_t rp_state(const struct rcc_rp *rp)
{
    uint64_t target, alpha;
    uint32_t state;
    observe(rp, &target, &alpha, &state);
    return state;
}

double rp_rate(const struct rcc_rp *rp)
{
    return (double)rp->rate / (double)RCC_RATE_ONE;
}

double relative(double got, double want)
{
    return fabs(got - want) / fmax(fabs(want), 1);
}

TCase *long_tcase(const char *name)
{
    TCase *tc = tcase_create(name);
    tcase_set_timeout(tc, 120);
    return tc;
}
