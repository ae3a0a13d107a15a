/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Checks parameters and computes profiles from them. All errors of a configuration are reported here. */
#include "roles.h"

/* The common part of the functions of the three roles. */
struct role
{
    size_t profile_size; /* 0: the algorithm has no such role */
    rcc_check_fn check;
    rcc_derive_fn derive;
};

static struct role role_of(const struct rcc_algorithm *alg, enum rcc_role role)
{
    struct role none = {0, NULL, NULL};
    if (role == RCC_CP && alg->cp != NULL)
        return (struct role){alg->cp->profile_size, alg->cp->check, alg->cp->derive};
    if (role == RCC_NP && alg->np != NULL)
        return (struct role){alg->np->profile_size, alg->np->check, alg->np->derive};
    if (role == RCC_RP)
        return (struct role){alg->rp->profile_size, alg->rp->check, alg->rp->derive};
    return none;
}

static bool refuse_argument(struct rcc_error *error, const char *name, const char *message)
{
    *error = (struct rcc_error){.name = name, .message = message};
    return false;
}

static bool refuse_field(struct rcc_error *error, const struct rcc_field *field, int64_t value, int64_t max,
                         const char *message)
{
    *error = (struct rcc_error){
        .name = field->name, .field = field, .value = value, .min = field->min, .max = max, .message = message};
    return false;
}

bool rcc_require_at_most(const struct rcc_field *fields, const int64_t *params, size_t index, int64_t most,
                         const char *message, struct rcc_error *error)
{
    return params[index] <= most || refuse_field(error, &fields[index], params[index], most, message);
}

/* The checks that do not depend on a role: arguments, line rate, ranges. */
static bool check_values(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
                         struct rcc_error *error)
{
    if (alg == NULL)
        return refuse_argument(error, "alg", "there is no algorithm");
    if (params == NULL && alg->n_fields != 0)
        return refuse_argument(error, "params", "there are no parameters");
    if (env == NULL)
        return refuse_argument(error, "env", "there is no environment");
    if (env->line_rate < RCC_LINE_RATE_MIN || env->line_rate > RCC_LINE_RATE_MAX)
    {
        *error = (struct rcc_error){.name = "line_rate",
                                    .value = env->line_rate < INT64_MAX ? (int64_t)env->line_rate : INT64_MAX,
                                    .min = (int64_t)RCC_LINE_RATE_MIN,
                                    .max = (int64_t)RCC_LINE_RATE_MAX,
                                    .message = "the line rate is out of range"};
        return false;
    }
    for (size_t i = 0; i < alg->n_fields; i++)
        if (params[i] < alg->fields[i].min || params[i] > alg->fields[i].max)
            return refuse_field(error, &alg->fields[i], params[i], alg->fields[i].max, "the parameter is out of range");
    return true;
}

size_t rcc_profile_size(const struct rcc_algorithm *alg, enum rcc_role role)
{
    return role_of(alg, role).profile_size;
}

const struct rcc_profile *rcc_configure(const struct rcc_algorithm *alg, enum rcc_role role, const int64_t *params,
                                        const struct rcc_env *env, void *memory, struct rcc_error *error)
{
    struct rcc_profile *profile = (struct rcc_profile *)memory;
    struct rcc_error ignored;
    struct role r;
    error = error != NULL ? error : &ignored;
    if (!check_values(alg, params, env, error))
        return NULL;
    r = role_of(alg, role);
    if (r.profile_size == 0)
        refuse_argument(error, "role", "the algorithm has no such role");
    else if (memory == NULL || (uintptr_t)memory % 8 != 0)
        refuse_argument(error, "memory", "the memory is NULL or not 8-byte aligned");
    else if (r.check == NULL || r.check(params, env, error))
    {
        rcc_clear(memory, r.profile_size);
        profile->alg = alg;
        profile->role = role;
        profile->needs = alg->needs;
        r.derive(params, env, memory);
        return profile;
    }
    return NULL;
}

bool rcc_check(const struct rcc_algorithm *alg, const int64_t *params, const struct rcc_env *env,
               struct rcc_error *error)
{
    static const enum rcc_role roles[] = {RCC_RP, RCC_NP, RCC_CP};
    struct rcc_error ignored;
    error = error != NULL ? error : &ignored;
    if (!check_values(alg, params, env, error))
        return false;
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
    {
        rcc_check_fn check = role_of(alg, roles[i]).check;
        if (check != NULL && !check(params, env, error))
            return false;
    }
    return true;
}
