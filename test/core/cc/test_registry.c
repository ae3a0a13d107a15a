/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The registry, the parameter arrays and their checks. */
#include "helpers.h"

#include <string.h>

START_TEST(registry_lists_the_algorithms)
{
    size_t n = algorithm_count();
    ck_assert_uint_ge(n, 3);
    ck_assert_ptr_null(rcc_algorithm_at(n));
    ck_assert_ptr_null(rcc_algorithm_at(n + 1));
    ck_assert_ptr_null(rcc_algorithm_at(SIZE_MAX));
    for (size_t i = 0; i < n; i++)
    {
        ck_assert_ptr_eq(rcc_find(rcc_algorithm_at(i)->name), rcc_algorithm_at(i));
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(rcc_algorithm_at(i)->name, rcc_algorithm_at(j)->name);
    }
    ck_assert_ptr_nonnull(rcc_find("dcqcn"));
    ck_assert_ptr_nonnull(rcc_find("dcqcn-plus"));
    ck_assert_ptr_nonnull(rcc_find("qcn"));
}
END_TEST

START_TEST(unknown_names)
{
    ck_assert_ptr_null(rcc_find(""));
    ck_assert_ptr_null(rcc_find("dcqc"));
    ck_assert_ptr_null(rcc_find("dcqcn-"));
    ck_assert_ptr_null(rcc_find("DCQCN"));
    ck_assert_int_eq(rcc_field_find(rcc_find("dcqcn"), "timers"), -1);
    ck_assert_int_eq(rcc_field_find(rcc_find("dcqcn"), "time"), -1);
    ck_assert_int_eq(rcc_field_find(rcc_find("dcqcn"), ""), -1);
}
END_TEST

START_TEST(params_init)
{
    const struct rcc_algorithm *alg = rcc_find("dcqcn");
    int64_t a[RCC_MAX_FIELDS], b[RCC_MAX_FIELDS], cx4[RCC_MAX_FIELDS];
    ck_assert(rcc_params_init(alg, NULL, a));
    ck_assert(rcc_params_init(alg, "", b));
    ck_assert_mem_eq(a, b, alg->n_fields * sizeof a[0]);
    ck_assert(rcc_params_init(alg, "paper", b));
    ck_assert_mem_eq(a, b, alg->n_fields * sizeof a[0]);
    alg = rcc_find("dcqcn-nic");
    ck_assert(rcc_params_init(alg, "cx4", cx4)); /* ICNP'18 table I */
    ck_assert_int_eq(cx4[rcc_field_find(alg, "timer")], 300 * US);
    ck_assert_int_eq(cx4[rcc_field_find(alg, "byte_counter")], 2000000);
    ck_assert_int_eq(cx4[rcc_field_find(alg, "r_ai")], 5000000);
    ck_assert_int_eq(cx4[rcc_field_find(alg, "r_hai")], 40000000);
    ck_assert_int_eq(cx4[rcc_field_find(alg, "cnp_interval")], 0);
    ck_assert_int_eq(cx4[rcc_field_find(alg, "rate_reduce_period")], 4 * US);
    ck_assert_int_eq(cx4[rcc_field_find(alg, "kmax")], 200000);
    memset(b, 0x55, sizeof b);
    ck_assert(!rcc_params_init(alg, "cx5", b)); /* unknown: false, and the defaults */
    for (size_t i = 0; i < alg->n_fields; i++)
        ck_assert_int_eq(b[i], alg->fields[i].def);
}
END_TEST

/* A name has the presets of the algorithms beside it too: dcqcn:cx4 is a preset of dcqcn-nic. */
START_TEST(presets_of_variants)
{
    static const struct
    {
        const char *name, *preset, *owner;
    } cases[] = {{"dcqcn", NULL, "dcqcn"},
                 {"dcqcn", "", "dcqcn"},
                 {"dcqcn", "paper", "dcqcn"},
                 {"dcqcn", "paper-10g", "dcqcn"},
                 {"dcqcn", "cx4", "dcqcn-nic"},
                 {"dcqcn", "ns3-rdma", "dcqcn-nic"},
                 {"dcqcn", "nic-default", "dcqcn-nic"},
                 {"dcqcn", "hpcc", "dcqcn-hpcc"},
                 {"dcqcn-nic", "paper", "dcqcn-nic"},
                 {"dcqcn-nic", NULL, "dcqcn-nic"},
                 {"dcqcn", "cx5", NULL},
                 {"dcqcn-nic", "hpcc", NULL},
                 {"dcqcn-plus", "cx4", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    {
        const struct rcc_algorithm *found = rcc_find_preset(rcc_find(cases[i].name), cases[i].preset);
        CHECK(found == (cases[i].owner != NULL ? rcc_find(cases[i].owner) : NULL), "case %u", (unsigned)i);
    }
}
END_TEST

/* The two algorithms are the paper's with all else off: a preset of dcqcn has the same values in dcqcn-nic. */
START_TEST(a_nic_without_settings_is_the_paper)
{
    const struct rcc_algorithm *paper = rcc_find("dcqcn"), *nic = rcc_find("dcqcn-nic");
    for (const struct rcc_preset *p = paper->presets; p->name != NULL; p++)
    {
        int64_t a[RCC_MAX_FIELDS], b[RCC_MAX_FIELDS];
        ck_assert(rcc_params_init(paper, p->name, a) && rcc_params_init(nic, p->name, b));
        for (size_t i = 0; i < paper->n_fields; i++)
        {
            const int at = rcc_field_find(nic, paper->fields[i].name);
            CHECK(at >= 0 && a[i] == b[at], "%s: %s", p->name, paper->fields[i].name);
        }
    }
    ck_assert_uint_eq(paper->n_fields, 12);
}
END_TEST

/* A field's source begins with a document, a part of the algorithm's own paper, or a decision. */
START_TEST(sources_are_named)
{
    static const char *const names[] = {
        "ICNP'18",    "SIGCOMM'15", "CoNEXT'16", "Lumina",         "EoD ",   "802.1Qau",
        "NetFPGA",    "HPCC ",      "NVIDIA's",  "snippet",        "eq. ",   "table ",
        "section ",   "IV.",        "VI.",       "decision",       "doc/",   "identified from ",
        "simulator",  "both ",      "no NIC's",  "thesis ",        "Linux ", "SIGCOMM'10",
        "SIGCOMM'19", "NSDI'22",    "PowerTCP",  "ns3-datacenter", "ATC'25"};
    for (size_t i = 0; i < algorithm_count(); i++)
    {
        const struct rcc_algorithm *alg = rcc_algorithm_at(i);
        for (size_t k = 0; k < alg->n_fields && is_shipped(alg); k++)
        {
            const char *source = alg->fields[k].source;
            bool named = false;
            for (size_t j = 0; j < sizeof names / sizeof names[0]; j++)
                named = named || strncmp(source, names[j], strlen(names[j])) == 0;
            CHECK(named, "%s, %s: found the source '%s', expected one that begins with a known name", alg->name,
                  alg->fields[k].name, source);
        }
    }
}
END_TEST

/* Table I of ICNP'18 and section IV, the values that a user finds as defaults. */
START_TEST(published_defaults)
{
    static const struct
    {
        const char *algorithm, *field;
        int64_t value;
    } table[] = {{"dcqcn", "timer", 55000},
                 {"dcqcn", "byte_counter", 10000000},
                 {"dcqcn", "r_ai", 40000000},
                 {"dcqcn", "r_hai", 100000000},
                 {"dcqcn", "cnp_interval", 50000},
                 {"dcqcn", "f", 5},
                 {"dcqcn", "g", 1000000000 / 256},
                 {"dcqcn", "kmin", 5000},
                 {"dcqcn", "kmax", 200000},
                 {"dcqcn", "pmax", 10000000},
                 {"dcqcn-plus", "kmin", 20000},
                 {"dcqcn-plus", "kmax", 200000},
                 {"dcqcn-plus", "cnp_min_interval", 45000},
                 {"dcqcn-plus", "cnp_generation", 1000},
                 {"dcqcn-plus", "lambda", 2000000000},
                 {"dcqcn-plus", "lambda_alpha", 1000000000},
                 {"dcqcn-plus", "r_min", 100000},
                 {"dcqcn-plus", "f", 5},
                 {"dcqcn-plus", "hi_after", 4},
                 {"qcn", "w", 2},
                 {"qcn", "sample_base", 150000},
                 {"qcn", "byte_counter", 150000},
                 {"qcn", "timer", 15000000},
                 {"qcn", "r_ai", 5000000},
                 {"qcn", "r_hai", 50000000},
                 {"qcn", "gd", 1000000000 / 128},
                 {"qcn", "f", 5}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    {
        struct rig rig;
        rig_init(&rig, table[i].algorithm, NULL, 40 * GBPS);
        CHECK(rig_get(&rig, table[i].field) == table[i].value, "%s.%s", table[i].algorithm, table[i].field);
    }
}
END_TEST

Suite *suite_registry(void)
{
    Suite *s = suite_create("registry");
    TCase *tc = long_tcase("registry");
    tcase_add_test(tc, registry_lists_the_algorithms);
    tcase_add_test(tc, unknown_names);
    tcase_add_test(tc, params_init);
    tcase_add_test(tc, presets_of_variants);
    tcase_add_test(tc, a_nic_without_settings_is_the_paper);
    tcase_add_test(tc, sources_are_named);
    tcase_add_test(tc, published_defaults);
    suite_add_tcase(s, tc);
    return s;
}
