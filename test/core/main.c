/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Runs every suite of the core. Environment: CK_FORK, CK_RUN_SUITE, CK_VERBOSITY (libcheck), RCC_TEST_VERBOSE=1. */
#include "helpers.h"

#include <stdlib.h>

int main(void)
{
    Suite *(*const suites[])(void) = {suite_configure,
                                      suite_fixed,
                                      suite_red,
                                      suite_rp,
                                      suite_pacer,
                                      suite_dcqcn,
                                      suite_dcqcn_plus,
                                      suite_dcqcn_plus_timers,
                                      suite_dcqcn_plus_share,
                                      suite_qcn,
                                      suite_timely,
                                      suite_swift,
                                      suite_nscc,
                                      suite_nscc_reference,
                                      suite_barre,
                                      suite_np,
                                      suite_np_plus,
                                      suite_conformance,
                                      suite_extremes,
                                      suite_fastest,
                                      suite_wire,
                                      suite_wire_decode,
                                      suite_parameters,
                                      suite_sender,
                                      suite_transfer,
                                      suite_placement,
                                      suite_repeat,
                                      suite_selective_transfer,
                                      suite_port,
                                      suite_qp,
                                      suite_qp_rules,
                                      suite_qp_transfer,
                                      suite_qp_liveness,
                                      suite_mmu,
                                      suite_pfc,
                                      suite_cioq,
                                      suite_switch_rules,
                                      suite_path,
                                      suite_spray,
                                      suite_trim,
                                      suite_pick,
                                      suite_arrival,
                                      suite_units,
                                      suite_link,
                                      suite_turns,
                                      suite_wire_ip,
                                      suite_wire_sack,
                                      suite_wire_int,
                                      suite_qp_window,
                                      suite_qp_selective,
                                      suite_policer,
                                      suite_dscp,
                                      suite_dcqcn_timer,
                                      suite_dcqcn_hpcc,
                                      suite_qcn_cp,
                                      suite_dctcp,
                                      suite_hpcc,
                                      suite_windowed,
                                      suite_pint,
                                      suite_powertcp};
    SRunner *runner = srunner_create(suite_registry());
    int failed;
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        srunner_add_suite(runner, suites[i]());
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
