/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Quantities as text: what a user writes for a parameter, to the last digit and without floating point.
 *
 *     const char *expected = rcc_field_parse(&alg->fields[i], "55us", &params[i]);
 *     if (expected != NULL)
 *         ... "timer is '55 parsecs', expected a time such as 55us or 0.4s"
 */
#ifndef RCC_UNITS_H
#define RCC_UNITS_H

#include "rcc.h"

#ifdef __cplusplus
extern "C"
{
#endif

/** Longest text of rcc_format, with its 0 at the end. */
#define RCC_QUANTITY_MAX 32u

    /**
     * What rcc_parse expects.
     * \param unit the quantity
     * \return a static text, e.g. "a time such as 55us or 0.4s"
     */
    const char *rcc_expected(enum rcc_unit unit);

    /**
     * Read a quantity, exactly: a decimal number and a unit, with or without blanks between them. Sizes are decimal
     * (1 KB = 1000 B, 1 KiB = 1024 B).
     * A time or a rate other than 0 has a unit: 5 alone could be many.
     * \param unit the quantity: a time "10us" "0.4s"; a rate "40Gbps" "40 Gb/s" "25G" "5mbit/s"; a size "5KB" "9M"
     * "1000"; a ratio "0.01" "1%" "1/256"; a count "5"
     * \param text the text
     * \param value gets the quantity in the core's unit (ns, bit/s, bytes, parts per billion, 1), to the nearest;
     * unchanged on error
     * \return NULL, or rcc_expected
     */
    const char *rcc_parse(enum rcc_unit unit, const char *text, int64_t *value);

    /**
     * The reverse of rcc_parse, in the largest unit that is exact: "55us", "40Gbps", "200KB", "0.01".
     * \param unit the quantity
     * \param value in the core's unit
     * \param text gets what rcc_parse reads as `value`; of one below 0, which it does not read, the same with a minus
     */
    void rcc_format(enum rcc_unit unit, int64_t value, char text[RCC_QUANTITY_MAX]);

    /**
     * Read a whole number where a text goes on behind it: digits.
     * \param at where it begins; moves behind its digits
     * \param max largest number that is allowed
     * \param number gets it; undefined on error
     * \return whether there are digits, of a number of at most `max`
     */
    bool rcc_read_digits(const char **at, uint32_t max, uint32_t *number);

    /**
     * Read a decimal number without a unit: digits, a point, an exponent ("2e-05"), a plus sign or none.
     * \param text the whole of it
     * \param places the value is the number times 10^places, to the nearest; at most 19
     * \param max largest number that is allowed
     * \param value gets that; undefined on error
     * \return whether the text is such a number, at most `max`, whose value fits 64 bits
     */
    bool rcc_parse_number(const char *text, unsigned places, uint64_t max, uint64_t *value);

    /**
     * Read a rate as ns-3's DataRate does: "100Gbps", "40Gb/s", "1GB/s", "10Mibps", "25000000000.0".
     * \param text the whole of it
     * \param max largest rate that is allowed, bit/s
     * \param rate gets the rate, bit/s, to the nearest; undefined on error
     * \return whether the text is such a rate, at most `max`
     */
    bool rcc_parse_rate(const char *text, uint64_t max, uint64_t *rate);

    /**
     * Read a time as ns-3's Time does: "0.001ms", "1000ns", seconds if bare.
     * \param text the whole of it
     * \param max largest time that is allowed, ns
     * \param ns gets the time, ns, to the nearest; undefined on error
     * \return whether the text is such a time, at most `max`
     */
    bool rcc_parse_time(const char *text, int64_t max, int64_t *ns);

    /**
     * A choice of a field.
     * \param field with unit RCC_UNIT_CHOICE
     * \param index of the choice
     * \param length gets the characters of its name
     * \return its name, which no 0 ends; NULL if there is no such choice
     */
    const char *rcc_choice(const struct rcc_field *field, int64_t index, size_t *length);

    /**
     * Read the value of a field: a quantity, or the name of a choice. The range is not checked.
     * \param field the field
     * \param text the text
     * \param value gets the value in the field's unit, of a choice its index; unchanged on error
     * \return NULL, or what was expected; of a choice all of them, field->choices
     */
    const char *rcc_field_parse(const struct rcc_field *field, const char *text, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif /* RCC_UNITS_H */
