/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Every parameter's role, unit, range and default, and every preset, against the documents that they come from. */
#include "helpers.h"

#include <string.h>

#define K ((int64_t)1000)
#define M (1000 * K)
#define G (1000 * M)

struct expected_field
{
    const char *algorithm, *name;
    enum rcc_role role;
    enum rcc_unit unit;
    int64_t min, max, def;
};

static const struct expected_field expected_fields[] = {
    /* DCQCN: SIGCOMM'15 section 5 and fig. 5, 6; ICNP'18 section II */
    {"dcqcn", "kmin", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 5 * K},
    {"dcqcn", "kmax", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 200 * K},
    {"dcqcn", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 10 * M},
    {"dcqcn", "cnp_interval", RCC_NP, RCC_UNIT_NS, 0, 1 * G, 50 * K},
    {"dcqcn", "timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 55 * K},
    {"dcqcn", "byte_counter", RCC_RP, RCC_UNIT_BYTES, 0, 1000 * G, 10 * M},
    {"dcqcn", "alpha_timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 55 * K},
    {"dcqcn", "g", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 3906250},
    {"dcqcn", "f", RCC_RP, RCC_UNIT_COUNT, 1, 1 * K, 5},
    {"dcqcn", "r_ai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 40 * M},
    {"dcqcn", "r_hai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 100 * M},
    {"dcqcn", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 1 * M},
    /* settings of NICs are off by default, so that the algorithm is the paper's */
    {"dcqcn-nic", "kmin", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 5 * K},
    {"dcqcn-nic", "kmax", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 200 * K},
    {"dcqcn-nic", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 10 * M},
    {"dcqcn-nic", "mark_at", RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-nic", "cnp_interval", RCC_NP, RCC_UNIT_NS, 0, 1 * G, 50 * K},
    {"dcqcn-nic", "cnp_generation", RCC_NP, RCC_UNIT_NS, 0, 1 * M, 0},
    {"dcqcn-nic", "np_rule", RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-nic", "timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 55 * K},
    {"dcqcn-nic", "byte_counter", RCC_RP, RCC_UNIT_BYTES, 0, 1000 * G, 10 * M},
    {"dcqcn-nic", "alpha_timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 55 * K},
    {"dcqcn-nic", "alpha_restart", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-nic", "g", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 3906250},
    {"dcqcn-nic", "initial_alpha", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 1 * G},
    {"dcqcn-nic", "cut_ratio", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"dcqcn-nic", "rate_reduce_period", RCC_RP, RCC_UNIT_NS, 0, 1 * G, 0},
    {"dcqcn-nic", "clamp_target", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-nic", "f", RCC_RP, RCC_UNIT_COUNT, 1, 1 * K, 5},
    {"dcqcn-nic", "r_ai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 40 * M},
    {"dcqcn-nic", "r_hai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 100 * M},
    {"dcqcn-nic", "hai_steps", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-nic", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 1 * M},
    {"dcqcn-nic", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-nic", "mark_every", RCC_CP, RCC_UNIT_COUNT, 0, 1 * G, 0},
    {"dcqcn-nic", "min_dec_fac", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 0},
    {"dcqcn-nic", "first_cnp_rate", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 0},
    {"dcqcn-nic", "clamp_after_time", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-nic", "start_rate", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 0},
    {"dcqcn-nic", "cnp_busy", RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* config.txt of HPCC's simulator */
    {"dcqcn-hpcc", "kmin", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 400 * K},
    {"dcqcn-hpcc", "kmax", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 1600 * K},
    {"dcqcn-hpcc", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 200 * M},
    {"dcqcn-hpcc", "timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 900 * K},
    {"dcqcn-hpcc", "alpha_timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 1 * K},
    {"dcqcn-hpcc", "g", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 3906250},
    {"dcqcn-hpcc", "rate_reduce_period", RCC_RP, RCC_UNIT_NS, 0, 1 * G, 4 * K},
    {"dcqcn-hpcc", "clamp_target", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-hpcc", "f", RCC_RP, RCC_UNIT_COUNT, 1, 1 * K, 2},
    {"dcqcn-hpcc", "r_ai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 50 * M},
    {"dcqcn-hpcc", "r_hai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 100 * M},
    {"dcqcn-hpcc", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 100 * M},
    {"dcqcn-hpcc", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    /* DCQCN+: ICNP'18 sections IV and V; the static timers are DCQCN's */
    {"dcqcn-plus", "kmin", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 20 * K},
    {"dcqcn-plus", "kmax", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 200 * K},
    {"dcqcn-plus", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"dcqcn-plus", "mark_at", RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "cnp_generation", RCC_NP, RCC_UNIT_NS, 1, 1 * M, 1 * K},
    {"dcqcn-plus", "cnp_min_interval", RCC_NP, RCC_UNIT_NS, 0, 1 * G, 45 * K},
    {"dcqcn-plus", "period_floor", RCC_NP, RCC_UNIT_NS, 0, 1 * G, 45 * K},
    {"dcqcn-plus", "period_counts", RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "list_timeout", RCC_NP, RCC_UNIT_NS, 0, 1000 * G, 0},
    {"dcqcn-plus", "early_check", RCC_NP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-plus", "idle_wake", RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "lambda", RCC_RP, RCC_UNIT_RATIO, 1, 1000 * G, 2 * G},
    {"dcqcn-plus", "lambda_alpha", RCC_RP, RCC_UNIT_RATIO, 1, 1000 * G, 1 * G},
    {"dcqcn-plus", "m", RCC_RP, RCC_UNIT_BYTES, 1, 65536, 1 * K},
    {"dcqcn-plus", "timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 55 * K},
    {"dcqcn-plus", "alpha_timer", RCC_RP, RCC_UNIT_NS, 1 * K, 10 * G, 55 * K},
    {"dcqcn-plus", "timer_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "timer_update", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "pause_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"dcqcn-plus", "alpha_restart", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-plus", "g", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 3906250},
    {"dcqcn-plus", "initial_alpha", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 1 * G},
    {"dcqcn-plus", "alpha_order", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "cut_ratio", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"dcqcn-plus", "f", RCC_RP, RCC_UNIT_COUNT, 1, 100, 5},
    {"dcqcn-plus", "hi_after", RCC_RP, RCC_UNIT_COUNT, 1, 100, 4},
    {"dcqcn-plus", "phase_boundary", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-plus", "stage_after_cut", RCC_RP, RCC_UNIT_COUNT, 0, 1 * K, 0},
    {"dcqcn-plus", "ai_levels", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dcqcn-plus", "ai_alpha", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 100 * M},
    {"dcqcn-plus", "ai_flow", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 100 * M},
    {"dcqcn-plus", "ai_line", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 10 * M},
    {"dcqcn-plus", "hi_flow", RCC_RP, RCC_UNIT_RATIO, 10 * M, 100 * G, 1 * G},
    {"dcqcn-plus", "hi_line", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 10 * M},
    {"dcqcn-plus", "target_cap", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus", "r_min", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 100 * K},
    {"dcqcn-plus", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* QCN: NetFPGA tables 1 and 2, equations 2 to 8; 802.1Qau */
    {"qcn", "q_eq", RCC_CP, RCC_UNIT_BYTES, 100, 1 * G, 33 * K},
    {"qcn", "w", RCC_CP, RCC_UNIT_COUNT, 0, 64, 2},
    {"qcn", "sample_base", RCC_CP, RCC_UNIT_BYTES, 1 * K, 1 * G, 150 * K},
    {"qcn", "sample_jitter", RCC_CP, RCC_UNIT_RATIO, 0, 500 * M, 150 * M},
    {"qcn", "notify", RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"qcn", "byte_counter", RCC_RP, RCC_UNIT_BYTES, 1 * K, 1000 * G, 150 * K},
    {"qcn", "timer", RCC_RP, RCC_UNIT_NS, 10 * K, 100 * G, 15 * M},
    {"qcn", "jitter", RCC_RP, RCC_UNIT_RATIO, 0, 500 * M, 150 * M},
    {"qcn", "f", RCC_RP, RCC_UNIT_COUNT, 1, 100, 5},
    {"qcn", "gd", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 7812500},
    {"qcn", "max_cut", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"qcn", "r_ai", RCC_RP, RCC_UNIT_BPS, 100 * K, 1600 * G, 5 * M},
    {"qcn", "r_hai", RCC_RP, RCC_UNIT_BPS, 100 * K, 1600 * G, 50 * M},
    {"qcn", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 10 * M},
    {"qcn", "extra_fast_recovery", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 1},
    {"qcn", "target_reduction", RCC_RP, RCC_UNIT_COUNT, 0, 1 * K, 10},
    {"qcn", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* TIMELY: "ECN or Delay" section 4 */
    {"timely", "delta", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 10 * M},
    {"timely", "beta", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 800 * M},
    {"timely", "ewma", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 875 * M},
    {"timely", "t_low", RCC_RP, RCC_UNIT_NS, 1, 10 * G, 50 * K},
    {"timely", "t_high", RCC_RP, RCC_UNIT_NS, 1, 10 * G, 500 * K},
    {"timely", "min_rtt", RCC_RP, RCC_UNIT_NS, 100, 1 * G, 20 * K},
    {"timely", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 10 * G, 0},
    {"timely", "segment", RCC_RP, RCC_UNIT_BYTES, 1, 1 * G, 64 * K},
    {"timely", "update_scaling", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"timely", "initial_rate", RCC_RP, RCC_UNIT_RATIO, 1, 1 * G, 1 * G},
    {"timely", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 1 * M},
    {"timely", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"timely", "hai_after", RCC_RP, RCC_UNIT_COUNT, 1, 1 * M, 5},
    {"timely", "hai", RCC_RP, RCC_UNIT_COUNT, 1, 1 * K, 5},
    {"timely", "max_cut", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"timely", "rules", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* patched TIMELY: "ECN or Delay" section 4 */
    {"timely-patched", "delta", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 10 * M},
    {"timely-patched", "beta", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 8 * M},
    {"timely-patched", "ewma", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 875 * M},
    {"timely-patched", "t_low", RCC_RP, RCC_UNIT_NS, 1, 10 * G, 50 * K},
    {"timely-patched", "t_high", RCC_RP, RCC_UNIT_NS, 1, 10 * G, 500 * K},
    {"timely-patched", "min_rtt", RCC_RP, RCC_UNIT_NS, 100, 1 * G, 20 * K},
    {"timely-patched", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 10 * G, 0},
    {"timely-patched", "segment", RCC_RP, RCC_UNIT_BYTES, 1, 1 * G, 16 * K},
    {"timely-patched", "update_scaling", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"timely-patched", "initial_rate", RCC_RP, RCC_UNIT_RATIO, 1, 1 * G, 1 * G},
    {"timely-patched", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 1 * M},
    {"timely-patched", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* DCTCP: the simulator of the HPCC paper, run.py; Linux tcp_dctcp.c */
    {"dctcp", "k", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 0},
    {"dctcp", "mark_at", RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dctcp", "form", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dctcp", "g", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 62500 * K},
    {"dctcp", "r_ai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 615 * M},
    {"dctcp", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 100 * M},
    {"dctcp", "w_max", RCC_RP, RCC_UNIT_COUNT, 1, 8, 4},
    {"dctcp", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"dctcp", "window", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"dctcp", "window_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"dctcp", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 1},
    /* HPCC: SIGCOMM'19; its simulator's config.txt and run.py */
    {"hpcc", "eta", RCC_RP, RCC_UNIT_RATIO, 10 * M, 1 * G, 950 * M},
    {"hpcc", "max_stage", RCC_RP, RCC_UNIT_COUNT, 0, 1 * M, 5},
    {"hpcc", "w_ai", RCC_RP, RCC_UNIT_BYTES, 0, 1 * G, 80},
    {"hpcc", "r_ai", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 0},
    {"hpcc", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 100 * M},
    {"hpcc", "fast_react", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"hpcc", "multi_rate", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"hpcc", "sample_feedback", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"hpcc", "rate_bound", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"hpcc", "int_form", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"hpcc", "int_multi", RCC_RP, RCC_UNIT_COUNT, 1, 65535, 1},
    {"hpcc", "log_base", RCC_CP, RCC_UNIT_RATIO, 1010 * M, 2 * G, 1050 * M},
    {"hpcc", "pint_prob", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 1 * G},
    {"hpcc", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"hpcc", "window", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"hpcc", "window_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"hpcc", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    /* PowerTCP: NSDI'22; ns3-datacenter */
    {"powertcp", "gamma", RCC_RP, RCC_UNIT_RATIO, 10 * M, 1 * G, 900 * M},
    {"powertcp", "beta", RCC_RP, RCC_UNIT_BYTES, 0, 1 * G, 0},
    {"powertcp", "n", RCC_RP, RCC_UNIT_COUNT, 1, 1 * M, 167},
    {"powertcp", "target", RCC_RP, RCC_UNIT_RATIO, 500 * M, 1 * G, 1 * G},
    {"powertcp", "floor", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"powertcp", "keeps", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"powertcp", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 100 * M},
    {"powertcp", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"powertcp", "window", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"powertcp", "window_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"powertcp", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"powertcp", "int_form", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"powertcp", "int_multi", RCC_RP, RCC_UNIT_COUNT, 1, 65535, 1},
    {"theta-powertcp", "gamma", RCC_RP, RCC_UNIT_RATIO, 10 * M, 1 * G, 900 * M},
    {"theta-powertcp", "beta", RCC_RP, RCC_UNIT_BYTES, 0, 1 * G, 0},
    {"theta-powertcp", "n", RCC_RP, RCC_UNIT_COUNT, 1, 1 * M, 167},
    {"theta-powertcp", "target", RCC_RP, RCC_UNIT_RATIO, 1 * G, 2 * G, 1 * G},
    {"theta-powertcp", "floor", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"theta-powertcp", "keeps", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"theta-powertcp", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 100 * M},
    {"theta-powertcp", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"theta-powertcp", "window", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"theta-powertcp", "window_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"theta-powertcp", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"theta-powertcp", "update", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"theta-powertcp", "tau", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* Swift: SIGCOMM'20, and public code where the paper has no value */
    {"swift", "base_target", RCC_RP, RCC_UNIT_NS, 1, 1 * G, 25 * K},
    {"swift", "hop_delay", RCC_RP, RCC_UNIT_NS, 0, 1 * M, 1 * K},
    {"swift", "fs_range", RCC_RP, RCC_UNIT_NS, 0, 1 * G, 100 * K},
    {"swift", "fs_min", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1000000 * G, 100 * M},
    {"swift", "fs_max", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1000000 * G, 100 * G},
    {"swift", "ai", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 0},
    {"swift", "beta", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 800 * M},
    {"swift", "max_mdf", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"swift", "min_cwnd", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 1 * M},
    {"swift", "max_cwnd", RCC_RP, RCC_UNIT_COUNT, 0, 16 * M, 0},
    {"swift", "initial_cwnd", RCC_RP, RCC_UNIT_RATIO, 0, 1000000 * G, 0},
    {"swift", "retx_threshold", RCC_RP, RCC_UNIT_COUNT, 1, 1 * K, 5},
    {"swift", "endpoint", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"swift", "endpoint_target", RCC_RP, RCC_UNIT_NS, 1, 1 * G, 100 * K},
    {"swift", "endpoint_ewma", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 125 * M},
    {"swift", "rtt_ewma", RCC_RP, RCC_UNIT_RATIO, 1 * K, 1 * G, 1 * G},
    {"swift", "cut_clock", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"swift", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"swift", "window_rule", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"swift", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* NSCC: Ultra Ethernet 1.0, table 3-82 */
    {"nscc", "kmin", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 0},
    {"nscc", "kmax", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 0},
    {"nscc", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 1 * G},
    {"nscc", "mark_at", RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"nscc", "trimming", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"nscc", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"nscc", "target", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 0},
    {"nscc", "max_window", RCC_RP, RCC_UNIT_RATIO, 10 * M, 100 * G, 1500 * M},
    {"nscc", "initial_cwnd", RCC_RP, RCC_UNIT_RATIO, 0, 1000000 * G, 0},
    {"nscc", "ref_rate", RCC_RP, RCC_UNIT_BPS, 1 * G, 1600 * G, 100 * G},
    {"nscc", "ref_rtt", RCC_RP, RCC_UNIT_NS, 100, 1 * G, 12 * K},
    {"nscc", "alpha", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 4 * G},
    {"nscc", "fi", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 5 * G},
    {"nscc", "fi_scale", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 250 * M},
    {"nscc", "eta", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 150 * M},
    {"nscc", "gamma", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 800 * M},
    {"nscc", "max_md_jump", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 500 * M},
    {"nscc", "quick_adapt", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"nscc", "qa_gate", RCC_RP, RCC_UNIT_COUNT, 0, 40, 3},
    {"nscc", "qa_threshold", RCC_RP, RCC_UNIT_RATIO, 0, 100 * G, 0},
    {"nscc", "adjust_bytes", RCC_RP, RCC_UNIT_COUNT, 0, 1 * K, 8},
    {"nscc", "adjust_period", RCC_RP, RCC_UNIT_NS, 0, 1 * G, 0},
    {"nscc", "average", RCC_RP, RCC_UNIT_CHOICE, 0, 2, 0},
    {"nscc", "clear_delay", RCC_RP, RCC_UNIT_NS, 1, 1 * G, 1 * K},
    {"nscc", "after_idle", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    /* Barre: ATC'25 */
    {"barre", "kmin", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 1 * M},
    {"barre", "kmax", RCC_CP, RCC_UNIT_BYTES, 0, 1 * G, 4 * M},
    {"barre", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 100 * M},
    {"barre", "mark_at", RCC_CP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"barre", "cnp_interval", RCC_NP, RCC_UNIT_NS, 0, 1 * G, 1 * K},
    {"barre", "cnp_generation", RCC_NP, RCC_UNIT_NS, 0, 1 * M, 0},
    {"barre", "beta", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 980 * M},
    {"barre", "alpha", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 10 * M},
    {"barre", "fast_step", RCC_RP, RCC_UNIT_BPS, 0, 1600 * G, 400 * M},
    {"barre", "k", RCC_RP, RCC_UNIT_COUNT, 0, 1 * M, 5},
    {"barre", "n", RCC_RP, RCC_UNIT_BYTES, 0, 1 * G, 8 * K},
    {"barre", "c", RCC_RP, RCC_UNIT_NS, 1, 1 * G, 1 * K},
    {"barre", "base_rtt", RCC_RP, RCC_UNIT_NS, 0, 100 * M, 0},
    {"barre", "monitor", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 1},
    {"barre", "restore", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"barre", "fly_reset", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"barre", "lock_timer", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"barre", "r_min", RCC_RP, RCC_UNIT_BPS, 1 * K, 1600 * G, 1 * M},
    {"barre", "pacing", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
};

struct expected_value
{
    const char *algorithm, *preset, *field;
    int64_t value;
};

/* Values that a preset changes; all other fields keep their defaults. */
static const struct expected_value expected_values[] = {
    /* ICNP'18 III.C: a quarter of the steps at 40 Gb/s */
    {"dcqcn", "paper-10g", "r_ai", 10 * M},
    {"dcqcn", "paper-10g", "r_hai", 25 * M},
    {"dcqcn-nic", "paper-10g", "r_ai", 10 * M},
    {"dcqcn-nic", "paper-10g", "r_hai", 25 * M},
    /* ICNP'18 table I; one CNP per microsecond and NIC from III.D */
    {"dcqcn-nic", "cx4", "timer", 300 * K},
    {"dcqcn-nic", "cx4", "byte_counter", 2 * M},
    {"dcqcn-nic", "cx4", "r_ai", 5 * M},
    {"dcqcn-nic", "cx4", "r_hai", 40 * M},
    {"dcqcn-nic", "cx4", "cnp_interval", 0},
    {"dcqcn-nic", "cx4", "cnp_generation", 1 * K},
    {"dcqcn-nic", "cx4", "rate_reduce_period", 4 * K},
    /* config.txt of ns3-rdma; packets of 1030 bytes */
    {"dcqcn-nic", "ns3-rdma", "kmin", 41200},
    {"dcqcn-nic", "ns3-rdma", "kmax", 1030 * K},
    {"dcqcn-nic", "ns3-rdma", "pmax", 1 * G},
    {"dcqcn-nic", "ns3-rdma", "timer", 60 * K},
    {"dcqcn-nic", "ns3-rdma", "byte_counter", 300 * M},
    {"dcqcn-nic", "ns3-rdma", "initial_alpha", 500 * M},
    {"dcqcn-nic", "ns3-rdma", "r_hai", 200 * M},
    {"dcqcn-nic", "ns3-rdma", "r_min", 100 * M},
    /* mlxconfig of a card as it is shipped; Barre, USENIX ATC'25, table 2 */
    {"dcqcn-nic", "nic-default", "timer", 300 * K},
    {"dcqcn-nic", "nic-default", "byte_counter", 32767},
    {"dcqcn-nic", "nic-default", "f", 1},
    {"dcqcn-nic", "nic-default", "r_ai", 5 * M},
    {"dcqcn-nic", "nic-default", "r_hai", 50 * M},
    {"dcqcn-nic", "nic-default", "g", 4882812},
    {"dcqcn-nic", "nic-default", "alpha_timer", 1 * K},
    {"dcqcn-nic", "nic-default", "min_dec_fac", 500 * M},
    {"dcqcn-nic", "nic-default", "rate_reduce_period", 4 * K},
    {"dcqcn-nic", "nic-default", "clamp_target", 0},
    {"dcqcn-nic", "nic-default", "cnp_interval", 0},
    {"dcqcn-nic", "nic-default", "cnp_generation", 4 * K},
    {"dcqcn-nic", "nic-default", "cnp_busy", 1},
    /* doc/dcqcn-plus.md: a public implementation */
    {"dcqcn-plus", "paraleon-plus", "pmax", 10 * M},
    {"dcqcn-plus", "paraleon-plus", "period_floor", 0},
    {"dcqcn-plus", "paraleon-plus", "list_timeout", 200 * K},
    {"dcqcn-plus", "paraleon-plus", "early_check", 0},
    {"dcqcn-plus", "paraleon-plus", "idle_wake", 1},
    {"dcqcn-plus", "paraleon-plus", "timer", 50 * K},
    {"dcqcn-plus", "paraleon-plus", "alpha_timer", 50 * K},
    {"dcqcn-plus", "paraleon-plus", "timer_update", 1},
    {"dcqcn-plus", "paraleon-plus", "alpha_order", 1},
    {"dcqcn-plus", "paraleon-plus", "f", 1},
    {"dcqcn-plus", "paraleon-plus", "hi_after", 1},
    {"dcqcn-plus", "paraleon-plus", "ai_levels", 0},
    {"dcqcn-plus", "paraleon-plus", "r_min", 25 * K},
    /* ICNP'18 eq. 19 */
    /* NetFPGA section 3 */
    {"qcn", "netfpga-1g", "timer", 25 * M},
    {"qcn", "netfpga-1g", "r_ai", 500 * K},
    {"qcn", "netfpga-1g", "r_hai", 5 * M},
    {"qcn", "netfpga-1g", "r_min", 500 * K},
    /* RZ 3880 table I */
    {"qcn", "ibm-10g", "q_eq", 60 * K},
    {"qcn", "ibm-10g", "timer", 10 * M},
    /* RZ 3880 section V */
    {"qcn", "ibm-100g", "q_eq", 60 * K},
    {"qcn", "ibm-100g", "timer", 2 * M},
    {"qcn", "ibm-100g", "r_ai", 15 * M},
    {"qcn", "ibm-100g", "r_hai", 250 * M},
    /* the values beside the code of TIMELY's authors */
    {"timely", "snippet", "ewma", 20 * M},
    {"timely", "snippet", "t_high", 1 * M},
    /* the simulator of the HPCC paper, CC_MODE 7 */
    {"timely", "hpcc", "delta", 50 * M},
    {"timely", "hpcc", "update_scaling", 0},
    {"timely", "hpcc", "r_min", 100 * M},
    {"timely", "hpcc", "pacing", 1},
    {"timely", "hpcc", "hai_after", 6},
    {"timely", "hpcc", "hai", 2},
    {"timely", "hpcc", "max_cut", 1 * G},
    {"timely", "hpcc", "rules", 1},
    /* SIGCOMM 2010, section 3.1, and Linux */
    {"dctcp", "window", "mark_at", 1},
    {"dctcp", "window", "form", 1},
    {"dctcp", "window", "r_ai", 0},
    {"dctcp", "window", "window_rule", 0},
    {"dctcp", "window", "pacing", 0},
    /* the simulator of the HPCC paper, CC_MODE 3, and the results page of its authors */
    {"hpcc", "simulator", "max_stage", 0},
    {"hpcc", "simulator", "r_ai", 50 * M},
    {"hpcc", "simulator", "r_min", 1 * G},
    {"hpcc", "simulator", "int_form", 1},
    {"hpcc", "simulator", "pacing", 2},
    {"hpcc", "pint", "max_stage", 0},
    {"hpcc", "pint", "r_ai", 50 * M},
    {"hpcc", "pint", "r_min", 1 * G},
    {"hpcc", "pint", "int_form", 2},
    {"hpcc", "pint", "pacing", 2},
    {"hpcc", "high-load", "eta", 990 * M},
    {"hpcc", "high-load", "max_stage", 0},
    /* ns3-datacenter, rdma-hw.cc */
    {"powertcp", "ns3-datacenter", "target", 950 * M},
    {"powertcp", "ns3-datacenter", "keeps", 1},
    {"powertcp", "ns3-datacenter", "int_form", 1},
    {"powertcp", "ns3-datacenter", "window_rule", 1},
    {"powertcp", "ns3-datacenter", "pacing", 2},
    {"theta-powertcp", "ns3-datacenter", "gamma", 700 * M},
    {"theta-powertcp", "ns3-datacenter", "target", 1050 * M},
    {"theta-powertcp", "ns3-datacenter", "keeps", 1},
    {"theta-powertcp", "ns3-datacenter", "window_rule", 1},
    {"theta-powertcp", "ns3-datacenter", "pacing", 2},
    {"theta-powertcp", "ns3-datacenter", "update", 1},
    {"theta-powertcp", "ns3-datacenter", "tau", 1},
    /* htsim's swift.cpp */
    {"swift", "htsim", "base_target", 20 * K},
    {"swift", "htsim", "hop_delay", 3053},
    {"swift", "htsim", "ai", 1 * G},
    {"swift", "htsim", "max_cwnd", 1 * K},
    {"swift", "htsim", "endpoint", 0},
    {"swift", "htsim", "rtt_ewma", 125 * M},
    {"swift", "htsim", "pacing", 1},
    /* a fabric without trimming */
    {"nscc", "uec-no-trimming", "trimming", 0},
};

/* dcqcn-plus-share has the fields of dcqcn-plus, these with other defaults, and two of its own. */
static const struct expected_field share_fields[] = {
    {"dcqcn-plus-share", "pmax", RCC_CP, RCC_UNIT_RATIO, 0, 1 * G, 1 * G},
    {"dcqcn-plus-share", "period_floor", RCC_NP, RCC_UNIT_NS, 0, 1 * G, 0},
    {"dcqcn-plus-share", "idle_wake", RCC_NP, RCC_UNIT_CHOICE, 0, 1, 0},
    {"dcqcn-plus-share", "lambda", RCC_RP, RCC_UNIT_RATIO, 1, 1000 * G, 1400 * M},
    {"dcqcn-plus-share", "lambda_alpha", RCC_RP, RCC_UNIT_RATIO, 1, 1000 * G, 1500 * M},
    {"dcqcn-plus-share", "initial_alpha", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 1 * G},
    {"dcqcn-plus-share", "ai_share", RCC_RP, RCC_UNIT_RATIO, 0, 1 * G, 50 * M},
    {"dcqcn-plus-share", "target_floor", RCC_RP, RCC_UNIT_CHOICE, 0, 1, 0},
};

#define N_SHARE_FIELDS (sizeof share_fields / sizeof share_fields[0])
#define N_EXPECTED_FIELDS (sizeof expected_fields / sizeof expected_fields[0])
#define N_EXPECTED_VALUES (sizeof expected_values / sizeof expected_values[0])

static void field_is(const char *algorithm, const struct expected_field *e)
{
    const struct rcc_algorithm *alg = rcc_find(algorithm);
    int at = rcc_field_find(alg, e->name);
    const struct rcc_field *f;
    CHECK(at >= 0, "%s has no %s", algorithm, e->name);
    f = &alg->fields[at];
    CHECK(f->role == e->role && f->unit == e->unit, "%s.%s: role %d, unit %d", algorithm, e->name, (int)f->role,
          (int)f->unit);
    CHECK(f->min == e->min && f->max == e->max, "%s.%s: %lld to %lld", algorithm, e->name, (long long)f->min,
          (long long)f->max);
    CHECK(f->def == e->def, "%s.%s: default %lld", algorithm, e->name, (long long)f->def);
}

START_TEST(fields_are_as_published)
{
    size_t n = 0;
    for (size_t k = 0; k < algorithm_count(); k++)
        if (is_shipped(rcc_algorithm_at(k)) && strcmp(rcc_algorithm_at(k)->name, "dcqcn-plus-share") != 0)
            n += rcc_algorithm_at(k)->n_fields;
    ck_assert_uint_eq(n, N_EXPECTED_FIELDS);
    for (size_t i = 0; i < N_EXPECTED_FIELDS; i++)
        field_is(expected_fields[i].algorithm, &expected_fields[i]);
}
END_TEST

START_TEST(share_has_the_fields_of_dcqcn_plus)
{
    size_t n = 0;
    for (size_t i = 0; i < N_EXPECTED_FIELDS; i++)
    {
        bool changed = false;
        if (strcmp(expected_fields[i].algorithm, "dcqcn-plus") != 0)
            continue;
        n++;
        for (size_t k = 0; k < N_SHARE_FIELDS; k++)
            changed = changed || strcmp(share_fields[k].name, expected_fields[i].name) == 0;
        if (!changed)
            field_is("dcqcn-plus-share", &expected_fields[i]);
    }
    for (size_t k = 0; k < N_SHARE_FIELDS; k++)
        field_is("dcqcn-plus-share", &share_fields[k]);
    ck_assert_uint_eq(rcc_find("dcqcn-plus-share")->n_fields, n + 2);
}
END_TEST

/* Return the documented value of a field in a preset: the preset's own, or otherwise the default. */
static int64_t expected(const char *algorithm, const char *preset, const struct rcc_field *field)
{
    for (size_t i = 0; i < N_EXPECTED_VALUES; i++)
        if (strcmp(expected_values[i].algorithm, algorithm) == 0 && strcmp(expected_values[i].preset, preset) == 0 &&
            strcmp(expected_values[i].field, field->name) == 0)
            return expected_values[i].value;
    return field->def;
}

START_TEST(presets_are_as_published)
{
    size_t changes = 0;
    for (size_t k = 0; k < algorithm_count(); k++)
    {
        const struct rcc_algorithm *alg = rcc_algorithm_at(k);
        ck_assert_str_eq(alg->presets[0].name, strcmp(alg->name, "dctcp") == 0        ? "simulator"
                                               : strcmp(alg->name, "dcqcn-hpcc") == 0 ? "hpcc"
                                               : strcmp(alg->name, "nscc") == 0       ? "uec"
                                               : strcmp(alg->name, "barre") == 0      ? "atc25"
                                                                                      : "paper");
        for (const struct rcc_preset *p = alg->presets; p->name != NULL; p++)
        {
            int64_t params[RCC_MAX_FIELDS];
            ck_assert(rcc_params_init(alg, p->name, params));
            ck_assert(in_range(alg, params));
            for (size_t i = 0; i < alg->n_fields && is_shipped(alg); i++)
            {
                CHECK(params[i] == expected(alg->name, p->name, &alg->fields[i]), "%s:%s %s: %lld", alg->name, p->name,
                      alg->fields[i].name, (long long)params[i]);
                changes += params[i] != alg->fields[i].def;
            }
        }
    }
    for (size_t i = 0; i < N_EXPECTED_VALUES; i++) /* a value may be the default again */
    {
        const struct rcc_algorithm *alg = rcc_find(expected_values[i].algorithm);
        const struct rcc_field *f = &alg->fields[rcc_field_find(alg, expected_values[i].field)];
        changes += expected_values[i].value == f->def;
    }
    ck_assert_uint_eq(changes, N_EXPECTED_VALUES); /* no preset of the documents is missing */
}
END_TEST

/* Which frames a port shows to an algorithm, and what a host keeps for it. */
START_TEST(what_an_algorithm_asks_of_its_host)
{
    for (size_t k = 0; k < algorithm_count(); k++)
    {
        const struct rcc_algorithm *alg = rcc_algorithm_at(k);
        if (!is_shipped(alg))
            continue;
        bool ecn = strncmp(alg->name, "dcqcn", 5) == 0 || strcmp(alg->name, "dctcp") == 0 ||
                   strcmp(alg->name, "nscc") == 0 || strcmp(alg->name, "barre") == 0;
        bool qcn = strcmp(alg->name, "qcn") == 0, telemetry = (alg->needs.wants & RCC_WANT_INT) != 0;
        ck_assert_int_eq(rcc_cp_watches(alg), ecn         ? RCC_CP_ECN_CAPABLE
                                              : qcn       ? RCC_CP_CN_TAGGED
                                              : telemetry ? RCC_CP_TELEMETRY
                                                          : RCC_CP_NONE);
        ck_assert_int_eq(rcc_rp_reads_pauses(alg), strncmp(alg->name, "dcqcn-plus", 10) == 0);
    }
}
END_TEST

Suite *suite_parameters(void)
{
    Suite *s = suite_create("parameters");
    TCase *tc = long_tcase("parameters");
    tcase_add_test(tc, fields_are_as_published);
    tcase_add_test(tc, share_has_the_fields_of_dcqcn_plus);
    tcase_add_test(tc, presets_are_as_published);
    tcase_add_test(tc, what_an_algorithm_asks_of_its_host);
    suite_add_tcase(s, tc);
    return s;
}
