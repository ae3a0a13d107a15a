/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * Pauses of IEEE 802.1Qbb and 802.3x. A class:
 *
 *              PFC, quanta > 0
 *     running ------------------> paused ---. PFC, quanta > 0: the pause is
 *        ^                          |  ^    | extended to now + these quanta
 *        '--------------------------'  '----'
 *          PFC, quanta 0, or the quanta have elapsed
 */
#include "rcc_switch.h"

#define QUANTUM_BITS 512u
#define QUANTUM_BYTES 64u

rcc_time rcc_pfc_quanta_ns(uint32_t quanta, uint64_t rate)
{
    const uint64_t bits = (uint64_t)quanta * QUANTUM_BITS;
    return (rcc_time)((bits * 1000000000 + rate - 1) / rate);
}

uint16_t rcc_pfc_least_quanta(uint32_t max_frame)
{
    return (uint16_t)((max_frame + 2 * RCC_PFC_FRAME - 1) / (QUANTUM_BYTES / 2) + 1);
}

bool rcc_pfc_can_refresh(uint16_t quanta, uint32_t max_frame)
{
    return quanta * QUANTUM_BYTES / 2 >= max_frame + 2 * RCC_PFC_FRAME;
}

uint16_t rcc_pfc_quanta_of(rcc_time duration, uint64_t rate, uint32_t max_frame)
{
    const uint64_t giga = 1000000000, most = UINT16_MAX * QUANTUM_BITS * giga; /* in bit x ns / s */
    const uint16_t least = rcc_pfc_least_quanta(max_frame);
    uint16_t quanta;
    if ((uint64_t)duration > most / rate)
        return UINT16_MAX;
    quanta = (uint16_t)((uint64_t)duration * rate / (QUANTUM_BITS * giga));
    return quanta > least ? quanta : least;
}

rcc_time rcc_pfc_refresh_after(uint16_t quanta, uint64_t rate)
{
    return rcc_pfc_quanta_ns(quanta, rate) / 2;
}

/* Set the state of all classes to `paused`. */
static uint8_t set_paused(struct rcc_pfc_state *state, rcc_time now, uint8_t paused)
{
    const uint8_t before = state->paused;
    state->paused = paused;
    if (before == 0 && paused != 0)
        state->since = now;
    else if (before != 0 && paused == 0)
        state->total += now - state->since;
    return before ^ paused;
}

uint8_t rcc_pfc_receive(struct rcc_pfc_state *state, rcc_time now, uint64_t rate, uint8_t classes,
                        const uint16_t quanta[RCC_CLASSES])
{
    uint8_t paused = state->paused;
    for (unsigned c = 0; c < RCC_CLASSES; c++)
    {
        const uint8_t bit = (uint8_t)(1u << c);
        if ((classes & bit) == 0)
            continue;
        state->until[c] = now + rcc_pfc_quanta_ns(quanta[c], rate);
        paused = (uint8_t)(quanta[c] != 0 ? paused | bit : paused & ~bit);
    }
    return set_paused(state, now, paused);
}

uint8_t rcc_pfc_expire(struct rcc_pfc_state *state, rcc_time now)
{
    uint8_t paused = state->paused;
    for (unsigned c = 0; c < RCC_CLASSES; c++)
        if (state->until[c] <= now)
            paused = (uint8_t)(paused & ~(1u << c));
    return set_paused(state, now, paused);
}

uint8_t rcc_pfc_clear(struct rcc_pfc_state *state, rcc_time now)
{
    return set_paused(state, now, 0);
}

rcc_time rcc_pfc_next_expiry(const struct rcc_pfc_state *state)
{
    rcc_time next = RCC_NEVER;
    for (unsigned c = 0; c < RCC_CLASSES; c++)
        if ((state->paused >> c & 1u) != 0 && state->until[c] < next)
            next = state->until[c];
    return next;
}

rcc_time rcc_pfc_paused_time(const struct rcc_pfc_state *state, rcc_time now)
{
    return state->total + (state->paused != 0 ? now - state->since : 0);
}

uint8_t rcc_pfc_ask(struct rcc_pfc_request *request, uint8_t classes, bool pause)
{
    if (!request->link_pause)
        return classes;
    request->asked = (uint8_t)(pause ? request->asked | classes : request->asked & ~classes);
    return !pause && request->asked != 0 ? 0 : UINT8_MAX;
}
