/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Which port of a NIC a flow uses. */
#include "helpers.h"
#include "rcc_port.h"

/* Against a list of the ports that are allowed and up. */
START_TEST(test_pick)
{
    struct rng rng = {31};
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        const uint32_t n = (uint32_t)rng_range(&rng, 1, 5), hash = (uint32_t)rng_next(&rng);
        uint32_t ports[6], allowed[5], count = 0;
        struct rcc_port_list list = {ports, (uint32_t)rng_range(&rng, 0, 6)};
        const struct rcc_port_list *const route = rng_chance(&rng, 50) ? &list : NULL;
        uint8_t down[5], up = 0;
        const uint8_t *const downs = rng_chance(&rng, 70) ? down : NULL;
        for (uint32_t j = 0; j < list.n; j++)
            ports[j] = (uint32_t)rng_range(&rng, 0, n - 1);
        for (uint32_t p = 0; p < n; p++)
        {
            bool may = route == NULL;
            down[p] = rng_chance(&rng, 40) ? (uint8_t)rng_range(&rng, 1, 255) : 0;
            up = downs == NULL ? 1 : down[p] == 0;
            for (uint32_t j = 0; route != NULL && j < list.n; j++)
                may = may || ports[j] == p;
            if (may && up)
                allowed[count++] = p;
        }
        CHECK(rcc_port_pick(hash, n, downs, route) == (count != 0 ? allowed[hash % count] : hash % n),
              "%u ports, hash %u", n, hash);
    }
}
END_TEST

/* By turns, each of n flows has a port of its own, whatever its hash; the other bits of the hash stay. */
START_TEST(test_turns_of_ports)
{
    struct rng rng = {32};
    for (uint64_t i = 0; i < rounds(100000); i++)
    {
        const uint32_t n = (uint32_t)rng_range(&rng, 1, 9), turn = (uint32_t)rng_next(&rng);
        const uint32_t hash =
            rng_chance(&rng, 50) ? (uint32_t)rng_next(&rng) : UINT32_MAX - (uint32_t)rng_range(&rng, 0, 20);
        const uint32_t found = rcc_port_hash_of_turn(hash, turn, n);
        CHECK(rcc_port_pick(found, n, NULL, NULL) == turn % n, "%u ports, turn %u", n, turn);
        CHECK(found / n == hash / n || (found / n == hash / n - 1 && hash > UINT32_MAX - n), "%u ports, hash %u", n,
              hash);
    }
}
END_TEST

Suite *suite_pick(void)
{
    Suite *s = suite_create("pick");
    TCase *t = long_tcase("pick");
    tcase_add_test(t, test_pick);
    tcase_add_test(t, test_turns_of_ports);
    suite_add_tcase(s, t);
    return s;
}
