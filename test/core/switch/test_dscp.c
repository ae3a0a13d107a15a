/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The map from DSCP to class: valid and malformed texts. */
#include "helpers.h"
#include "rcc_dscp.h"

START_TEST(test_lists)
{
    struct rcc_dscp_map map;
    ck_assert_ptr_null(rcc_dscp_map_read(&map, ""));
    for (uint8_t d = 0; d < RCC_DSCPS; d++)
        for (uint8_t c = 0; c < 8; c++)
            ck_assert_uint_eq(rcc_dscp_class(&map, d, c), c);
    ck_assert_ptr_null(rcc_dscp_map_read(&map, "26:3,48:6,0-7:0,63:7,24-25:3,26:3"));
    for (uint8_t d = 0; d < RCC_DSCPS; d++)
    {
        const unsigned want = d <= 7 ? 0 : d >= 24 && d <= 26 ? 3 : d == 48 ? 6 : d == 63 ? 7 : 5;
        CHECK(rcc_dscp_class(&map, d, 5) == want, "DSCP %u", d);
    }
    ck_assert_ptr_null(rcc_dscp_map_read(&map, "9:1,19:2,62-63:4"));
    ck_assert_uint_eq(rcc_dscp_class(&map, 9, 5), 1);
    ck_assert_uint_eq(rcc_dscp_class(&map, 19, 5), 2);
    ck_assert_uint_eq(rcc_dscp_class(&map, 63, 5), 4);
    ck_assert_ptr_null(rcc_dscp_map_read(&map, "5:1"));
    ck_assert_uint_eq(rcc_dscp_class(&map, 26, 5), 5); /* the map of the earlier text is gone */
}
END_TEST

START_TEST(test_refused)
{
    static const struct
    {
        const char *text;
        size_t at;
    } wrong[] = {
        {"26", 0},    {"26:", 0},          {":3", 0},    {"64:3", 0},         {"26:8", 0},          {"26:3,", 0},
        {",26:3", 0}, {"26:3,,1:1", 5},    {"26:3 ", 0}, {"26:3,27:x", 5},    {"7-0:3", 0},         {"0-64:3", 0},
        {"0-:3", 0},  {"26:3,20-30:4", 5}, {"-1:3", 0},  {"4294967322:3", 0}, {"26:4294967299", 0}, {"0-64", 0},
        {"0-", 0}};
    struct
    {
        struct rcc_dscp_map map;
        uint8_t behind[RCC_DSCPS];
    } read = {{{0}}, {0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        CHECK(rcc_dscp_map_read(&read.map, wrong[i].text) == wrong[i].text + wrong[i].at, "'%s'", wrong[i].text);
        for (size_t k = 0; k < sizeof read.behind; k++)
            CHECK(read.behind[k] == 0, "'%s' was written behind the map", wrong[i].text);
    }
}
END_TEST

Suite *suite_dscp(void)
{
    Suite *s = suite_create("dscp");
    TCase *t = long_tcase("dscp");
    tcase_add_test(t, test_lists);
    tcase_add_test(t, test_refused);
    suite_add_tcase(s, t);
    return s;
}
