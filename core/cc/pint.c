/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* See pint.h. */
#include "pint.h"

#define MOST ((uint64_t)1 << (PINT_SHIFT + PINT_MOST_SHIFT))
#define ABOVE (MOST + 1)

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* a * b, at most ABOVE. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t low, high = rcc_mul_wide(a, b, &low);
    if (high >> (2 * PINT_SHIFT + PINT_MOST_SHIFT - 64) != 0)
        return ABOVE;
    return high << (64 - PINT_SHIFT) | low >> PINT_SHIFT;
}

void rcc_pint_base(struct pint_base *log, int64_t ppb)
{
    log->power[0] = rcc_mul_div((uint64_t)ppb, PINT_ONE, (uint64_t)RCC_RATIO_ONE);
    for (unsigned i = 1; i < PINT_POWERS; i++)
        log->power[i] = times(log->power[i - 1], log->power[i - 1]);
}

uint64_t rcc_pint_power(const struct pint_base *log, uint32_t p)
{
    uint64_t power = PINT_ONE;
    if (p >> PINT_POWERS != 0)
        return MOST;
    for (unsigned i = 0; i < PINT_POWERS; i++)
        if ((p >> i & 1u) != 0)
            power = times(power, log->power[i]);
    return at_most(power, MOST);
}

/* N2. */
uint32_t rcc_pint_encode(const struct pint_base *log, uint64_t u, uint32_t draw)
{
    const uint64_t step = PINT_ONE >> PINT_FLOWS_SHIFT;
    uint64_t x = at_most((u + step - 1) / step, (uint64_t)1 << PINT_MOST_SHIFT) << PINT_SHIFT, lower = PINT_ONE, next;
    uint32_t p = 0;
    x = x != 0 ? x : PINT_ONE;
    for (unsigned i = PINT_POWERS; i-- > 0;)
    {
        next = times(lower, log->power[i]);
        if (next <= x)
        {
            lower = next;
            p |= (uint32_t)1 << i;
        }
    }
    next = rcc_mul_div(lower, log->power[0], PINT_ONE);
    return rcc_mul_shift(next - lower, draw, 32) < x - lower ? p + 1 : p;
}

void rcc_pint_derive(struct pint_profile *profile, const struct rcc_env *env, int64_t ppb, rcc_time rtt)
{
    rcc_pint_base(&profile->log, ppb);
    profile->draw = env->draw;
    profile->rtt = rtt;
    profile->inverse = RCC_Q62_ONE / (uint64_t)rtt;
    profile->writes = true;
}

/* bytes * 8000 / (mbps * ns), 2^-PINT_SHIFT, at most 2^PINT_MOST_SHIFT. */
static uint64_t share(uint64_t bytes, uint64_t mbps, uint64_t ns)
{
    return at_most(rcc_mul_div(bytes * 8000, PINT_ONE, mbps * ns), MOST);
}

/* N1. More than 2^39 ns (550 s) since the last packet, and more than 2^50 bytes, are read as these: a product of 64
 * bits has space for them. */
void rcc_pint_stamp(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                    struct rcc_hop *hop)
{
    struct pint_cp *c = (struct pint_cp *)cp;
    const struct pint_profile *p = (const struct pint_profile *)(const void *)cp->profile;
    const uint64_t rtt = (uint64_t)p->rtt, mbps = rate < (uint64_t)RCC_MBPS ? 1 : rate / (uint64_t)RCC_MBPS;
    const uint64_t most = (uint64_t)1 << 39, passed = at_most((uint64_t)(now - c->at), most);
    const uint64_t dt = c->any ? at_most(passed, rtt) : rtt, weight = dt < rtt ? dt * p->inverse : RCC_Q62_ONE;
    uint64_t u = rcc_mul_q62(share(at_most(queue, (uint64_t)1 << 50), mbps, rtt), weight);
    uint32_t power;
    if (c->any) /* r/B dt/T */
        u += share(at_most(tx_bytes - c->tx, (uint64_t)1 << 50), mbps, passed < rtt ? rtt : passed);
    c->u = at_most(u + c->u - rcc_mul_q62(c->u, weight), MOST);
    c->any = true;
    c->at = now;
    c->tx = tx_bytes;
    power = rcc_pint_encode(&p->log, c->u, p->draw != NULL ? p->draw(cp->stream, c->draws++) : (uint32_t)1 << 31);
    if (power > hop->qlen) /* N3 */
        hop->qlen = power;
}
