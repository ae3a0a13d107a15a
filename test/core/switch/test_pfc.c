/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Pauses: duration of quanta, expiry, requests of a port. */
#include "helpers.h"
#include "rcc_switch.h"

#include <string.h>

START_TEST(quanta_in_time)
{
    ck_assert_int_eq(rcc_pfc_quanta_ns(0, 40 * GBPS), 0);
    ck_assert_int_eq(rcc_pfc_quanta_ns(1, 40 * GBPS), 13); /* 12.8 ns, rounded up */
    ck_assert_int_eq(rcc_pfc_quanta_ns(5, 40 * GBPS), 64);
    ck_assert_int_eq(rcc_pfc_quanta_ns(1, 512 * GBPS - 1), 2); /* hardly more than 1 ns */
    ck_assert_int_eq(rcc_pfc_quanta_ns(65535, 40 * GBPS), 838848);
    ck_assert_int_eq(rcc_pfc_quanta_ns(65535, RCC_LINE_RATE_MIN), 33553920000);
    ck_assert_int_eq(rcc_pfc_quanta_ns(65535, 1600000000000), 20972);
    ck_assert_int_eq(rcc_pfc_quanta_ns(65535, 4000000000000), 8389);
    ck_assert_int_eq(rcc_pfc_quanta_ns(65535, RCC_LINE_RATE_MAX), 2098); /* 2097.12 */
}
END_TEST

/* The least quanta are those whose half covers a frame and two PFC frames. */
START_TEST(quanta_that_can_be_refreshed)
{
    for (uint32_t frame = 64; frame <= RCC_FRAME_MAX; frame += frame < 2000 ? 1 : 97)
    {
        const uint16_t least = rcc_pfc_least_quanta(frame);
        CHECK(rcc_pfc_can_refresh(least, frame), "frame of %u", frame);
        CHECK(!rcc_pfc_can_refresh((uint16_t)(least - 1), frame), "frame of %u", frame);
    }
    ck_assert_uint_eq(rcc_pfc_least_quanta(95), 7);
    ck_assert_uint_eq(rcc_pfc_least_quanta(96), 7);
    ck_assert_uint_eq(rcc_pfc_least_quanta(97), 8);
    ck_assert(rcc_pfc_can_refresh(6, 64));
    ck_assert(!rcc_pfc_can_refresh(5, 64));
}
END_TEST

START_TEST(one_class_pauses_and_resumes)
{
    static const uint16_t xoff[8] = {0, 0, 0, 100, 0, 0, 0, 0}, xon[8] = {0};
    struct rcc_pfc_state s;
    memset(&s, 0, sizeof s);
    ck_assert_int_eq(rcc_pfc_next_expiry(&s), RCC_NEVER);
    ck_assert_uint_eq(rcc_pfc_receive(&s, 1000, 40 * GBPS, 0x08, xoff), 0x08);
    ck_assert_uint_eq(s.paused, 0x08);
    ck_assert_int_eq(rcc_pfc_next_expiry(&s), 1000 + 1280);
    ck_assert_uint_eq(rcc_pfc_receive(&s, 2000, 40 * GBPS, 0x08, xoff), 0); /* a refresh */
    ck_assert_int_eq(rcc_pfc_next_expiry(&s), 2000 + 1280);
    ck_assert_uint_eq(rcc_pfc_expire(&s, 3279), 0);
    ck_assert_int_eq(rcc_pfc_paused_time(&s, 3279), 2279);
    ck_assert_uint_eq(rcc_pfc_expire(&s, 3280), 0x08);
    ck_assert_int_eq(rcc_pfc_paused_time(&s, 9999), 2280);
    ck_assert_uint_eq(rcc_pfc_receive(&s, 10000, 40 * GBPS, 0x08, xoff), 0x08);
    ck_assert_uint_eq(rcc_pfc_receive(&s, 10001, 40 * GBPS, 0x88, xon), 0x08); /* class 7 was running */
    ck_assert_int_eq(rcc_pfc_paused_time(&s, 20000), 2281);
    ck_assert_uint_eq(rcc_pfc_receive(&s, 20000, 40 * GBPS, 0x08, xoff), 0x08);
    ck_assert_uint_eq(rcc_pfc_clear(&s, 20010), 0x08);
    ck_assert_uint_eq(s.paused, 0);
    ck_assert_int_eq(rcc_pfc_paused_time(&s, 30000), 2291);
}
END_TEST

/* Eight classes, each on its own, counted nanosecond by nanosecond. */
START_TEST(against_a_naive_model)
{
    struct rng rng = {3};
    struct rcc_pfc_state s;
    rcc_time left[8] = {0}, total = 0; /* rest of the quanta of each class */
    memset(&s, 0, sizeof s);
    for (rcc_time now = 1; now < 300000; now++)
    {
        uint8_t paused = 0;
        total += s.paused != 0;
        for (unsigned c = 0; c < 8; c++)
            left[c] -= left[c] > 0;
        if (rcc_pfc_next_expiry(&s) <= now)
            rcc_pfc_expire(&s, now);
        if (rng_chance(&rng, 2))
        {
            const uint8_t classes = (uint8_t)(rng_next(&rng) & rng_next(&rng));
            uint16_t quanta[8];
            for (unsigned c = 0; c < 8; c++)
            {
                quanta[c] = rng_chance(&rng, 30) ? 0 : (uint16_t)rng_range(&rng, 1, 40);
                if ((classes >> c & 1u) != 0)
                    left[c] = 5 * (rcc_time)quanta[c]; /* 512 bits at 102.4 Gb/s */
            }
            const uint8_t before = s.paused;
            CHECK(rcc_pfc_receive(&s, now, 102400000000u, classes, quanta) == (before ^ s.paused), "at %d", (int)now);
        }
        for (unsigned c = 0; c < 8; c++)
            paused = (uint8_t)(paused | (left[c] > 0 ? 1u << c : 0u));
        CHECK(s.paused == paused, "%02x instead of %02x at %d", s.paused, paused, (int)now);
        CHECK(rcc_pfc_paused_time(&s, now) == total, "at %d", (int)now);
    }
    ck_assert_int_gt(total, 10000);
}
END_TEST

START_TEST(what_a_port_asks_for)
{
    struct rcc_pfc_request pfc = {0, false}, pause = {0, true};
    ck_assert_uint_eq(rcc_pfc_ask(&pfc, 0x08, true), 0x08);
    ck_assert_uint_eq(rcc_pfc_ask(&pfc, 0x10, true), 0x10);
    ck_assert_uint_eq(rcc_pfc_ask(&pfc, 0x08, false), 0x08);
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x08, true), 0xff);
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x10, true), 0xff);
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x08, false), 0); /* class 4 still wants it */
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x10, false), 0xff);
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x10, false), 0xff); /* an Xon too many does no harm */
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x07, true), 0xff);
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x01, false), 0); /* classes 1 and 2 */
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x02, false), 0); /* class 2 */
    ck_assert_uint_eq(rcc_pfc_ask(&pause, 0x04, false), 0xff);
}
END_TEST

Suite *suite_pfc(void)
{
    Suite *s = suite_create("pfc");
    TCase *t = long_tcase("pauses");
    tcase_add_test(t, quanta_in_time);
    tcase_add_test(t, quanta_that_can_be_refreshed);
    tcase_add_test(t, one_class_pauses_and_resumes);
    tcase_add_test(t, against_a_naive_model);
    tcase_add_test(t, what_a_port_asks_for);
    suite_add_tcase(s, t);
    return s;
}
