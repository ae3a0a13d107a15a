/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The notification point of Barre: that of a NIC with DCQCN, with shorter intervals. */
#include "barre.h"
#include "dcqcn.h"

static void np_derive(const int64_t *p, const struct rcc_env *env, void *profile)
{
    struct dcqcn_nic_np_profile *np = (struct dcqcn_nic_np_profile *)profile;
    (void)env;
    np->base.interval = p[BARRE_CNP_INTERVAL];
    np->generation = p[BARRE_CNP_GENERATION];
}

const struct rcc_np_ops rcc_barre_np_ops = DCQCN_NP_OPS(struct dcqcn_nic_np_profile, np_derive, rcc_dcqcn_nic_np_marked,
                                                        rcc_dcqcn_nic_np_next_due, rcc_dcqcn_nic_np_poll);
