/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* See telemetry.h. */
#include "telemetry.h"

/* ------------------------------------------------------------------ congestion point */

static void cp_derive(const int64_t *params, const struct rcc_env *env, void *profile)
{
    (void)params;
    (void)env;
    (void)profile;
}

void rcc_telemetry_stamp(struct rcc_cp *cp, rcc_time now, uint64_t queue, uint64_t tx_bytes, uint64_t rate,
                         struct rcc_hop *hop)
{
    (void)cp;
    hop->ts = (uint32_t)now;
    hop->tx = (uint32_t)tx_bytes;
    hop->qlen = queue < UINT32_MAX ? (uint32_t)queue : UINT32_MAX;
    hop->rate_mbps = (uint32_t)(rate / (uint64_t)RCC_MBPS);
}

static void cp_start(struct rcc_cp *cp)
{
    cp->stamp = rcc_telemetry_stamp;
}

const struct rcc_cp_ops rcc_telemetry_cp_ops = {.frames = RCC_CP_TELEMETRY,
                                                .size = sizeof(struct rcc_cp),
                                                .profile_size = sizeof(struct rcc_profile),
                                                .derive = cp_derive,
                                                .start = cp_start};

/* ------------------------------------------------------------------ reaction point */

void rcc_telemetry_needs(struct rcc_needs *needs, int64_t form, int64_t multi)
{
    static const uint8_t forms[] = {RCC_INT_PAPER, RCC_INT_FIXED, RCC_INT_PINT}, bytes[] = {2, 42, 2};
    needs->int_form = forms[form];
    needs->int_scale = (uint16_t)multi;
    needs->data_extra = needs->ack_extra = bytes[form];
    needs->data_extra_per_hop = needs->ack_extra_per_hop = form == TELEMETRY_PAPER ? 8 : 0;
}

bool rcc_telemetry_compares(struct telemetry *t, const struct rcc_feedback *f, rcc_time now)
{
    const uint8_t n = f->n_path < RCC_PATH_MAX ? f->n_path : RCC_PATH_MAX;
    if (n == t->n && f->path_id == t->path_id && now - t->at <= TELEMETRY_GAP)
        return true;
    for (uint8_t i = 0; i < n; i++)
        t->hop[i] = f->path[i];
    t->n = n;
    t->path_id = f->path_id;
    t->at = now;
    return false;
}
