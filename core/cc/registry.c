/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The registry of algorithms.def, and arrays of parameters. */
#include "roles.h"

#define RCC_ALGORITHM(id) extern const struct rcc_algorithm rcc_algorithm_##id; /* each is defined in its file */
#include "algorithms.def"
#undef RCC_ALGORITHM

#define RCC_ALGORITHM(id) &rcc_algorithm_##id,
static const struct rcc_algorithm *const registry[] = {
#include "algorithms.def"
    NULL};
#undef RCC_ALGORITHM

static bool equals(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
    {
        a++;
        b++;
    }
    return *a == *b;
}

const struct rcc_algorithm *rcc_algorithm_at(size_t index)
{
    return index < sizeof registry / sizeof registry[0] ? registry[index] : NULL;
}

const struct rcc_algorithm *rcc_find(const char *name)
{
    for (size_t i = 0; registry[i] != NULL; i++)
        if (equals(registry[i]->name, name))
            return registry[i];
    return NULL;
}

int rcc_field_find(const struct rcc_algorithm *alg, const char *name)
{
    for (size_t i = 0; i < alg->n_fields; i++)
        if (equals(alg->fields[i].name, name))
            return (int)i;
    return -1;
}

/* The preset of this name; NULL or "": the first one. The end of the presets if there is none. */
static const struct rcc_preset *preset_of(const struct rcc_algorithm *alg, const char *preset)
{
    const struct rcc_preset *p = alg->presets;
    if (preset != NULL && preset[0] != '\0')
        while (p->name != NULL && !equals(p->name, preset))
            p++;
    return p;
}

const struct rcc_algorithm *rcc_find_preset(const struct rcc_algorithm *alg, const char *preset)
{
    if (preset_of(alg, preset)->name != NULL)
        return alg;
    for (size_t i = 0; alg->variants != NULL && alg->variants[i] != NULL; i++)
        if (preset_of(alg->variants[i], preset)->name != NULL)
            return alg->variants[i];
    return NULL;
}

bool rcc_params_init(const struct rcc_algorithm *alg, const char *preset, int64_t *params)
{
    const struct rcc_preset *p = preset_of(alg, preset);
    for (size_t i = 0; i < alg->n_fields; i++)
        params[i] = alg->fields[i].def;
    if (p->name == NULL)
        return false;
    for (size_t i = 0; i < p->n_values; i++)
        params[p->values[i].field] = p->values[i].value;
    return true;
}
