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

Suite *suite_pick(void)
{
    Suite *s = suite_create("pick");
    TCase *t = long_tcase("pick");
    tcase_add_test(t, test_pick);
    suite_add_tcase(s, t);
    return s;
}
