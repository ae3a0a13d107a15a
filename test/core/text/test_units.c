/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Quantities as text: tables, and numbers that are written in many ways against the number that was written. */
#include "helpers.h"
#include "rcc_units.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ tables */

struct row
{
    enum rcc_unit unit;
    const char *text;
    int64_t value;
};

static const struct row good[] = {
    {RCC_UNIT_NS, "0.4s", 400000000},
    {RCC_UNIT_NS, "1.5us", 1500},
    {RCC_UNIT_NS, "55us", 55000},
    {RCC_UNIT_NS, "55 us", 55000},
    {RCC_UNIT_NS, "55  us", 55000},
    {RCC_UNIT_NS, "0.000000001s", 1},
    {RCC_UNIT_NS, "123456789.123456789s", 123456789123456789},
    {RCC_UNIT_NS, "1e-3s", 1000000},
    {RCC_UNIT_NS, "1E2ms", 100000000},
    {RCC_UNIT_NS, "2e+1ns", 20},
    {RCC_UNIT_NS, "1.000000000000000000000000000000000000000000001s", 1000000000},
    {RCC_UNIT_NS, ".5us", 500},
    {RCC_UNIT_NS, "5.us", 5000},
    {RCC_UNIT_NS, "0s", 0},
    {RCC_UNIT_NS, "0e400s", 0},
    {RCC_UNIT_NS, "000000000000000000000000000000000001s", 1000000000},
    {RCC_UNIT_NS, "9223372036854775807ns", INT64_MAX},
    {RCC_UNIT_NS, "9223372036854775807.49ns", INT64_MAX},
    {RCC_UNIT_NS, "9.223372036854775807s", 9223372037},
    {RCC_UNIT_NS, "922337203685477580700000000000e-11ns", INT64_MAX},
    {RCC_UNIT_NS, "0", 0},
    {RCC_UNIT_NS, "0.0", 0},
    {RCC_UNIT_NS, "1\xC2\xB5s", 1000},
    {RCC_UNIT_NS, "2.5 \xCE\xBCs", 2500},
    {RCC_UNIT_BPS, "0", 0},
    {RCC_UNIT_BPS, "1e9bps", 1000000000},
    {RCC_UNIT_BPS, "25G", 25000000000},
    {RCC_UNIT_BPS, "100g", 100000000000},
    {RCC_UNIT_BPS, "40gbps", 40000000000},
    {RCC_UNIT_BPS, "40 Gbps", 40000000000},
    {RCC_UNIT_BPS, "5 Mbit/s", 5000000},
    {RCC_UNIT_BPS, "5mbit/s", 5000000},
    {RCC_UNIT_BPS, "7bit/s", 7},
    {RCC_UNIT_BPS, "2T", 2000000000000},
    {RCC_UNIT_BPS, "40Gbps", 40000000000},
    {RCC_UNIT_BPS, "40Gb/s", 40000000000},
    {RCC_UNIT_BPS, "2.5Gbps", 2500000000},
    {RCC_UNIT_BPS, "1.6Tbps", 1600000000000},
    {RCC_UNIT_BPS, "1.6Tb/s", 1600000000000},
    {RCC_UNIT_BPS, "5000kbps", 5000000},
    {RCC_UNIT_BPS, "5000kb/s", 5000000},
    {RCC_UNIT_BPS, "5000Kbps", 5000000},
    {RCC_UNIT_BPS, "5000Kb/s", 5000000},
    {RCC_UNIT_BPS, "5Mbps", 5000000},
    {RCC_UNIT_BPS, "5Mb/s", 5000000},
    {RCC_UNIT_BPS, "7bps", 7},
    {RCC_UNIT_BPS, "7b/s", 7},
    {RCC_UNIT_BYTES, "5KB", 5000},
    {RCC_UNIT_BYTES, "5K", 5000},
    {RCC_UNIT_BYTES, "5k", 5000},
    {RCC_UNIT_BYTES, "5M", 5000000},
    {RCC_UNIT_BYTES, "5G", 5000000000},
    {RCC_UNIT_BYTES, "5T", 5000000000000},
    {RCC_UNIT_BYTES, "5TB", 5000000000000},
    {RCC_UNIT_BYTES, "5B", 5},
    {RCC_UNIT_BYTES, "9MB", 9000000},
    {RCC_UNIT_BYTES, "9GB", 9000000000},
    {RCC_UNIT_BYTES, "1KiB", 1024},
    {RCC_UNIT_BYTES, "1.5MiB", 1572864},
    {RCC_UNIT_BYTES, "3GiB", 3221225472},
    {RCC_UNIT_BYTES, "200kB", 200000},
    {RCC_UNIT_BYTES, "1000", 1000},
    {RCC_UNIT_BYTES, "200k", 200000},
    {RCC_UNIT_BYTES, "9M", 9000000},
    {RCC_UNIT_BYTES, "2TB", 2000000000000},
    {RCC_UNIT_RATIO, "1/256", 3906250},
    {RCC_UNIT_RATIO, "1/3", 333333333},
    {RCC_UNIT_RATIO, "2/3", 666666667},
    {RCC_UNIT_RATIO, "1000000000/1", 1000000000000000000},
    {RCC_UNIT_RATIO, "1/1000000000", 1},
    {RCC_UNIT_RATIO, "1000000000/8589934592", 116415322}, /* 2^33 */
    {RCC_UNIT_RATIO, "1%", 10000000},
    {RCC_UNIT_RATIO, "0.01", 10000000},
    {RCC_UNIT_RATIO, "1e-9", 1},
    {RCC_UNIT_RATIO, "12.5%", 125000000},
    {RCC_UNIT_COUNT, "5", 5},
    {RCC_UNIT_COUNT, "1e3", 1000},
    {RCC_UNIT_COUNT, "999999999999999999", 999999999999999999},
};

START_TEST(test_parse)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    {
        int64_t value = -1;
        CHECK(rcc_parse(good[i].unit, good[i].text, &value) == NULL, "%s is refused", good[i].text);
        CHECK(value == good[i].value, "%s gives %lld", good[i].text, (long long)value);
    }
}
END_TEST

static const struct
{
    enum rcc_unit unit;
    const char *texts[32];
} bad[] = {{RCC_UNIT_NS,
            {"",
             " ",
             "x",
             "--",
             "-1s",
             "+1s",
             "1..2s",
             "1.2.3s",
             "nan",
             "inf",
             "1e99s",
             "5",
             "5S",
             "5 m s",
             "5sec",
             "s",
             ".s",
             "1e",
             "1es",
             "1e+s",
             "0x10s",
             "1,5s",
             "5s ",
             "5s5",
             "1e400s",
             "99999999999999999999s",
             "1000000000000000000s",
             "1/2s",
             "9223372036854775807.5ns"}},
           {RCC_UNIT_BPS,
            {"", "Gbps", "G", "40GBps", "40GBPS", "-40Gbps", "40 Gbps x", "1e99", "5", "1e9", "40Gb", "40GG", "1/2"}},
           {RCC_UNIT_BYTES,
            {"", "5 KBs", "5kb", "5m", "5 K B", "-5KB", "1e99", "5Kb", "1/2", "73786976294838206464GiB"}}, /* 2^96 */
           {RCC_UNIT_RATIO,
            {"", "1/0", "1/", "/2", "1/2/3", "1%%", "x", "-1", "1 / 2", "1/-2", "1/2%", "0.5/2", "1/0.5",
             "1000000001/1", "18446744073709551617/1", "1e20"}},
           {RCC_UNIT_COUNT, {"", "1.5", "5.0", "five", "-1", "5B", "1e99", "1e-1", "0x5"}}};

START_TEST(test_refuse)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (size_t k = 0; bad[i].texts[k] != NULL; k++)
        {
            int64_t value = -7;
            const char *why = rcc_parse(bad[i].unit, bad[i].texts[k], &value);
            CHECK(why != NULL && strcmp(why, rcc_expected(bad[i].unit)) == 0, "'%s'", bad[i].texts[k]);
            CHECK(value == -7, "'%s' gave %lld", bad[i].texts[k], (long long)value);
        }
    ck_assert_str_eq(rcc_expected(RCC_UNIT_NS), "a time such as 55us or 0.4s");
    ck_assert_str_eq(rcc_expected(RCC_UNIT_BPS), "a rate such as 40Gbps or 5Mbps");
    ck_assert_str_eq(rcc_expected(RCC_UNIT_BYTES), "a size such as 200KB or 9MB");
    ck_assert_str_eq(rcc_expected(RCC_UNIT_RATIO), "a fraction such as 0.01, 1% or 1/256");
    ck_assert_str_eq(rcc_expected(RCC_UNIT_COUNT), "a whole number such as 5");
}
END_TEST

/* Texts are refused that rounding would make another number. */
START_TEST(test_rounding)
{
    static const struct
    {
        enum rcc_unit unit;
        const char *text, *expected;
    } rows[] = {{RCC_UNIT_RATIO, "1e-10", "a multiple of 1e-9, to one part in 1000"},
                {RCC_UNIT_RATIO, "1.5e-9", "a multiple of 1e-9, to one part in 1000"},
                {RCC_UNIT_RATIO, "1/2000000000", "a multiple of 1e-9, to one part in 1000"},
                {RCC_UNIT_RATIO, "1/2000000001", "a multiple of 1e-9, to one part in 1000"},
                {RCC_UNIT_RATIO, "1000000000/4611686018427387905", "a multiple of 1e-9, to one part in 1000"},
                {RCC_UNIT_RATIO, "1/99999999999999999999999", "a multiple of 1e-9, to one part in 1000"},
                {RCC_UNIT_BYTES, "5.5B", "a multiple of 1B, to one part in 1000"},
                {RCC_UNIT_BYTES, "499.5", "a multiple of 1B, to one part in 1000"},
                {RCC_UNIT_BYTES, "1e-400", "a multiple of 1B, to one part in 1000"},
                {RCC_UNIT_NS, "0.5ns", "a multiple of 1ns, to one part in 1000"},
                {RCC_UNIT_NS, "0.499999999999999999999999999ns", "a multiple of 1ns, to one part in 1000"},
                {RCC_UNIT_NS, "1e-99999999999999999999s", "a multiple of 1ns, to one part in 1000"},
                {RCC_UNIT_NS, "0.4ns", "a multiple of 1ns, to one part in 1000"},
                {RCC_UNIT_BPS, "1.4bps", "a multiple of 1bps, to one part in 1000"},
                {RCC_UNIT_COUNT, "0.4", "a whole number such as 5"},
                {RCC_UNIT_COUNT, "1e-3", "a whole number such as 5"},
                {RCC_UNIT_CHOICE, "0.4", "a whole number such as 5"},
                {RCC_UNIT_CHOICE, "1.0", "a whole number such as 5"},
                {RCC_UNIT_CHOICE, "1e-3", "a whole number such as 5"}};
    int64_t value = -7;
    uint64_t number;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
        const char *why = rcc_parse(rows[i].unit, rows[i].text, &value);
        CHECK(why != NULL && strcmp(why, rows[i].expected) == 0 && value == -7, "'%s'", rows[i].text);
    }
    ck_assert(rcc_parse(RCC_UNIT_BYTES, "500.5", &value) == NULL && value == 501);
    ck_assert(rcc_parse(RCC_UNIT_BYTES, "500.0000001", &value) == NULL && value == 500);
    ck_assert(rcc_parse(RCC_UNIT_BYTES, "1.001", &value) == NULL && value == 1);
    ck_assert(rcc_parse(RCC_UNIT_BYTES, "1.002", &value) != NULL);
    ck_assert(!rcc_parse_number("1e-10", 9, 1, &number) && !rcc_parse_number("5.5", 0, 9, &number));
    ck_assert(rcc_parse_number("0.0", 9, 1, &number) && number == 0);
    ck_assert(!rcc_parse_rate("0.4bps", 9, &number) && !rcc_parse_rate("1.5", 9, &number));
    ck_assert(!rcc_parse_time("0.4ns", 9, &value) && !rcc_parse_time("1e-10", 9, &value));
}
END_TEST

static const struct row written[] = {{RCC_UNIT_NS, "55us", 55000},
                                     {RCC_UNIT_NS, "1500ns", 1500},
                                     {RCC_UNIT_NS, "0s", 0},
                                     {RCC_UNIT_NS, "400ms", 400000000},
                                     {RCC_UNIT_NS, "-2us", -2000},
                                     {RCC_UNIT_NS, "-9223372036854775808ns", INT64_MIN},
                                     {RCC_UNIT_NS, "7s", 7000000000},
                                     {RCC_UNIT_BPS, "40Gbps", 40000000000},
                                     {RCC_UNIT_BPS, "7bps", 7},
                                     {RCC_UNIT_BPS, "0bps", 0},
                                     {RCC_UNIT_BPS, "5Kbps", 5000},
                                     {RCC_UNIT_BPS, "5Mbps", 5000000},
                                     {RCC_UNIT_BPS, "3Tbps", 3000000000000},
                                     {RCC_UNIT_BYTES, "200KB", 200000},
                                     {RCC_UNIT_BYTES, "0B", 0},
                                     {RCC_UNIT_BYTES, "1023B", 1023},
                                     {RCC_UNIT_BYTES, "1024B", 1024},
                                     {RCC_UNIT_BYTES, "9MB", 9000000},
                                     {RCC_UNIT_BYTES, "2GB", 2000000000},
                                     {RCC_UNIT_BYTES, "2TB", 2000000000000},
                                     {RCC_UNIT_RATIO, "0.00390625", 3906250},
                                     {RCC_UNIT_RATIO, "0.01", 10000000},
                                     {RCC_UNIT_RATIO, "0", 0},
                                     {RCC_UNIT_RATIO, "2", 2000000000},
                                     {RCC_UNIT_RATIO, "-0.5", -500000000},
                                     {RCC_UNIT_RATIO, "10.000000001", 10000000001},
                                     {RCC_UNIT_COUNT, "5", 5},
                                     {RCC_UNIT_COUNT, "0", 0},
                                     {RCC_UNIT_COUNT, "1000", 1000},
                                     {RCC_UNIT_CHOICE, "2", 2}};

START_TEST(test_format)
{
    char text[RCC_QUANTITY_MAX];
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
    {
        rcc_format(written[i].unit, written[i].value, text);
        ck_assert_str_eq(text, written[i].text);
    }
}
END_TEST

/* ------------------------------------------------------------------ what was written */

/* rcc_parse reads back exactly what rcc_format writes. */
START_TEST(test_round_trip)
{
    struct rng rng = {2};
    for (uint64_t i = 0; i < rounds(20000); i++)
    {
        const enum rcc_unit unit = (enum rcc_unit)(i % 5);
        const int64_t value = rng_log_range(&rng, 0, INT64_MAX / 1000) * (i % 3 == 0 ? 1000 : 1);
        char text[RCC_QUANTITY_MAX];
        int64_t again = -1;
        rcc_format(unit, value, text);
        CHECK(rcc_parse(unit, text, &again) == NULL && again == value, "%s", text);
    }
}
END_TEST

/* A number as digits with a point `places` from its end and an exponent that undoes it. */
static void write_number(char *text, size_t size, uint64_t value, unsigned places, int shift)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%0*llu", (int)places + 1, (unsigned long long)value);
    int e = (int)places + shift;
    snprintf(text, size, "%.*s%s%se%+d", n - (int)places, digits, places != 0 ? "." : "", digits + n - places, e);
}

START_TEST(test_numbers)
{
    struct rng rng = {3};
    for (uint64_t i = 0; i < rounds(20000); i++)
    {
        const uint64_t value = (uint64_t)rng_log_range(&rng, 0, INT64_MAX);
        const unsigned places = (unsigned)rng_range(&rng, 0, 18), digits = (unsigned)rng_range(&rng, 0, 9);
        uint64_t got = 0;
        char text[64];
        write_number(text, sizeof text, value, places, -(int)digits);
        CHECK(rcc_parse_number(text, digits, INT64_MAX, &got) && got == value, "%s", text);
        CHECK(rcc_parse_number(text, digits, value, &got) && got == value, "%s", text);
        write_number(text, sizeof text, value, places, 0);
        CHECK(rcc_parse_number(text, 0, value, &got) && got == value, "%s", text);
        CHECK(value == 0 || !rcc_parse_number(text, 0, value - 1, &got), "%s is above %llu", text,
              (unsigned long long)value - 1);
    }
}
END_TEST

START_TEST(test_number_table)
{
    uint64_t value;
    ck_assert(rcc_parse_number("+2e-05", 9, 1, &value) && value == 20000);
    ck_assert(rcc_parse_number("18446744073709551615", 0, UINT64_MAX, &value) && value == UINT64_MAX);
    ck_assert(!rcc_parse_number("18446744073709551616", 0, UINT64_MAX, &value));
    ck_assert(!rcc_parse_number("18446744074", 9, UINT64_MAX, &value));
    ck_assert(rcc_parse_number("18446744073", 9, UINT64_MAX, &value) && value == 18446744073000000000u);
    ck_assert(!rcc_parse_number("3", 1, 2, &value));
    ck_assert(!rcc_parse_number("2.1", 1, 2, &value));
    ck_assert(!rcc_parse_number("2.04", 1, 2, &value)); /* 20.4 tenths are not 20 */
    ck_assert(rcc_parse_number("2.0", 1, 2, &value) && value == 20);
    for (const char *const *text = (const char *const[]){"", "+", "-1", "1s", "1 ", " 1", "++1", ".", "1.2.3", NULL};
         *text != NULL; text++)
        CHECK(!rcc_parse_number(*text, 0, UINT64_MAX, &value), "'%s'", *text);
    ck_assert(!rcc_parse_number("18446744073.709551615", 9, 18446744073, &value)); /* 2^64 - 1 of a unit of 1e-9 */
}
END_TEST

/* ------------------------------------------------------------------ as ns-3 writes rates and times */

START_TEST(test_rates)
{
    static const struct
    {
        const char *text;
        uint64_t rate;
    } rows[] = {{"25000000000.0", 25000000000},
                {"100Gbps", 100000000000},
                {"40Gb/s", 40000000000},
                {"1GB/s", 8000000000},
                {"1Bps", 8},
                {"10Mibps", 10485760},
                {"10KiB/s", 81920},
                {"2kb/s", 2000},
                {"2Kbps", 2000},
                {"1Tibps", 1099511627776},
                {"3Tbps", 3000000000000},
                {"1Gibps", 1073741824},
                {"0.5MBps", 4000000},
                {"+7bps", 7},
                {"7b/s", 7},
                {"7", 7}};
    uint64_t rate;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(rcc_parse_rate(rows[i].text, UINT64_MAX, &rate) && rate == rows[i].rate, "%s", rows[i].text);
    ck_assert(rcc_parse_rate("5bps", 5, &rate) && !rcc_parse_rate("5bps", 4, &rate));
    for (const char *const *text = (const char *const[]){"", "bps", "-1bps", "5G", "5 Gbps", "5Gib", "5ibps", "5kGbps",
                                                         "5gbps", "5xbps", "++5", "18446744073709551616", NULL};
         *text != NULL; text++)
        CHECK(!rcc_parse_rate(*text, UINT64_MAX, &rate), "'%s'", *text);
}
END_TEST

START_TEST(test_times)
{
    static const struct row rows[] = {{RCC_UNIT_NS, "0.001ms", 1000}, {RCC_UNIT_NS, "1000ns", 1000},
                                      {RCC_UNIT_NS, "2", 2000000000}, {RCC_UNIT_NS, "+2.5", 2500000000},
                                      {RCC_UNIT_NS, "1e-3", 1000000}, {RCC_UNIT_NS, "+3us", 3000},
                                      {RCC_UNIT_NS, "0", 0}};
    int64_t ns;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(rcc_parse_time(rows[i].text, INT64_MAX, &ns) && ns == rows[i].value, "%s", rows[i].text);
    ck_assert(rcc_parse_time("5", 5000000000, &ns) && !rcc_parse_time("5", 4999999999, &ns));
    ck_assert(rcc_parse_time("5us", 5000, &ns) && !rcc_parse_time("5us", 4999, &ns));
    for (const char *const *text =
             (const char *const[]){"", "+", "++5s", "++5", "-1", "5x", "5E", "9300000000", "18446744073.8", NULL};
         *text != NULL; text++)
        CHECK(!rcc_parse_time(*text, INT64_MAX, &ns), "'%s'", *text);
}
END_TEST

/* ------------------------------------------------------------------ fields */

START_TEST(test_fields)
{
    const struct rcc_field choice = {.name = "c", .unit = RCC_UNIT_CHOICE, .max = 2, .choices = "on|off|offered"};
    const struct rcc_field letters = {.name = "l", .unit = RCC_UNIT_CHOICE, .max = 1, .choices = "a|b"};
    const struct rcc_field time = {.name = "t", .unit = RCC_UNIT_NS, .max = INT64_MAX};
    int64_t value = -7;
    size_t length = 0;
    ck_assert_str_eq(rcc_field_parse(&choice, "o", &value), choice.choices);
    ck_assert_str_eq(rcc_field_parse(&choice, "in", &value), choice.choices);
    ck_assert_str_eq(rcc_field_parse(&choice, "", &value), choice.choices);
    ck_assert_str_eq(rcc_field_parse(&choice, "offe", &value), choice.choices);
    ck_assert_str_eq(rcc_field_parse(&choice, "on|off", &value), choice.choices);
    ck_assert_str_eq(rcc_field_parse(&choice, "offereds", &value), choice.choices);
    ck_assert_int_eq(value, -7);
    ck_assert_ptr_null(rcc_field_parse(&choice, "on", &value));
    ck_assert_int_eq(value, 0);
    ck_assert_ptr_null(rcc_field_parse(&choice, "off", &value));
    ck_assert_int_eq(value, 1);
    ck_assert_ptr_null(rcc_field_parse(&choice, "offered", &value));
    ck_assert_int_eq(value, 2);
    ck_assert_ptr_null(rcc_field_parse(&time, "5us", &value));
    ck_assert_int_eq(value, 5000);
    ck_assert_str_eq(rcc_field_parse(&time, "on", &value), rcc_expected(RCC_UNIT_NS));
    ck_assert_ptr_eq(rcc_choice(&choice, 1, &length), choice.choices + 3);
    ck_assert_uint_eq(length, 3);
    ck_assert_ptr_eq(rcc_choice(&choice, 2, &length), choice.choices + 7);
    ck_assert_uint_eq(length, 7);
    ck_assert_ptr_null(rcc_choice(&choice, 3, &length));
    ck_assert_ptr_null(rcc_choice(&choice, -1, &length));
    ck_assert_ptr_eq(rcc_choice(&letters, 1, &length), letters.choices + 2);
    ck_assert_uint_eq(length, 1);
    ck_assert_ptr_null(rcc_choice(&letters, 2, &length));
    ck_assert_uint_eq(length, 0);
}
END_TEST

START_TEST(test_digits)
{
    static const struct
    {
        const char *text;
        uint32_t max;
        bool ok;
        uint32_t number;
        size_t behind;
    } cases[] = {{"0", 0, true, 0, 1},
                 {"007:", 7, true, 7, 3},
                 {"8", 7, false, 8, 1},
                 {"", 7, false, 0, 0},
                 {":1", 7, false, 0, 0},
                 {"/", 7, false, 0, 0},
                 {"-1", 7, false, 0, 0},
                 {"+1", 7, false, 0, 0},
                 {"4294967295x", UINT32_MAX, true, UINT32_MAX, 10},
                 {"4294967296", UINT32_MAX, false, 0, 10},
                 {"42949672950", UINT32_MAX, false, 0, 11},
                 {"184467440737095516160000000000000001", UINT32_MAX, false, 0, 36}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        const char *at = cases[i].text;
        uint32_t number = 0;
        CHECK(rcc_read_digits(&at, cases[i].max, &number) == cases[i].ok, "'%s'", cases[i].text);
        CHECK(at == cases[i].text + cases[i].behind, "'%s'", cases[i].text);
        CHECK(!cases[i].ok || number == cases[i].number, "'%s'", cases[i].text);
    }
}
END_TEST

Suite *suite_units(void)
{
    Suite *s = suite_create("units");
    TCase *t = long_tcase("units");
    tcase_add_test(t, test_parse);
    tcase_add_test(t, test_refuse);
    tcase_add_test(t, test_rounding);
    tcase_add_test(t, test_format);
    tcase_add_test(t, test_round_trip);
    tcase_add_test(t, test_numbers);
    tcase_add_test(t, test_number_table);
    tcase_add_test(t, test_rates);
    tcase_add_test(t, test_times);
    tcase_add_test(t, test_fields);
    tcase_add_test(t, test_digits);
    suite_add_tcase(s, t);
    return s;
}
