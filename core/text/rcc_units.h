/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Conversion between quantities and text, for parameters: exact, without floating point.
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

/** Size of the longest text of rcc_format, including its terminating 0. */
#define RCC_QUANTITY_MAX 32u

    /**
     * Description of the texts that rcc_parse accepts, for error messages.
     * \param unit the kind of quantity
     * \return a static text, e.g. "a time such as 55us or 0.4s"
     */
    const char *rcc_expected(enum rcc_unit unit);

    /**
     * Parse a quantity exactly: a decimal number and a unit, with or without blanks between them. Sizes are decimal
     * (1 KB = 1000 B, 1 KiB = 1024 B). A time or a rate other than 0 must have a unit.
     *
     * \param unit the kind of quantity: a time "10us" "0.4s"; a rate "40Gbps" "40 Gb/s" "25G" "5mbit/s"; a size "5KB"
     * "9M" "1000"; a ratio "0.01" "1%" "1/256"; a count "5"; a choice by its number "2"
     * \param text the text
     * \param value output: the quantity in the core's unit (ns, bit/s, bytes, parts per billion, 1), rounded to
     * nearest; unchanged on error
     * \return NULL on success, rcc_expected(unit), or for 5.5B the multiple that it is not, to one part in 1000
     */
    const char *rcc_parse(enum rcc_unit unit, const char *text, int64_t *value);

    /**
     * Format a quantity in the largest unit that is exact: "55us", "40Gbps", "200KB", "0.01". rcc_parse is the inverse.
     * \param unit the kind of quantity
     * \param value in the core's unit; a negative value gets a minus sign, which rcc_parse does not accept
     * \param text output
     */
    void rcc_format(enum rcc_unit unit, int64_t value, char text[RCC_QUANTITY_MAX]);

    /**
     * Parse a whole number at the start of a longer text: decimal digits.
     * \param at start of the number; moved to the text after its digits
     * \param max largest number that is allowed
     * \param number output; undefined on error
     * \return true if there are digits, of a number of at most `max`
     */
    bool rcc_read_digits(const char **at, uint32_t max, uint32_t *number);

    /**
     * Parse a decimal number without a unit: an optional plus sign, digits, a point, an exponent ("2e-05").
     * \param text the complete text
     * \param places the value is the number times 10^places, rounded to nearest; at most 19
     * \param max largest number that is allowed
     * \param value output; undefined on error
     * \return true if the text is such a number, at most `max`, fits 64 bits, and is rounded by at most a thousandth
     */
    bool rcc_parse_number(const char *text, unsigned places, uint64_t max, uint64_t *value);

    /**
     * Parse a rate in the syntax of ns-3's DataRate: "100Gbps", "40Gb/s", "1GB/s", "10Mibps", "25000000000.0".
     * \param text the complete text
     * \param max largest rate that is allowed, bit/s
     * \param rate output: the rate, bit/s, rounded to nearest; undefined on error
     * \return true if the text is such a rate, at most `max`, and rounded by at most a thousandth
     */
    bool rcc_parse_rate(const char *text, uint64_t max, uint64_t *rate);

    /**
     * Parse a time in the syntax of ns-3's Time: "0.001ms", "1000ns"; seconds without a unit.
     * \param text the complete text
     * \param max largest time that is allowed, ns
     * \param ns output: the time, ns, rounded to nearest; undefined on error
     * \return true if the text is such a time, at most `max`, and rounded by at most a thousandth
     */
    bool rcc_parse_time(const char *text, int64_t max, int64_t *ns);

    /**
     * Name of a choice of a field.
     * \param field a field with unit RCC_UNIT_CHOICE
     * \param index index of the choice, from 0
     * \param length output: length of the name
     * \return the name, not terminated by 0; NULL if there is no such choice
     */
    const char *rcc_choice(const struct rcc_field *field, int64_t index, size_t *length);

    /**
     * Parse the value of a field: a quantity, or the name of a choice. The range is not checked.
     * \param field the field
     * \param text the text
     * \param value output: the value in the field's unit, or the index of the choice; unchanged on error
     * \return NULL on success; on error, as rcc_parse, or field->choices
     */
    const char *rcc_field_parse(const struct rcc_field *field, const char *text, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif /* RCC_UNITS_H */
