/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Conversion between text and quantities. Numbers are digits x 10^exponent in 128 bits; only the last step rounds. */
#include "rcc_units.h"

#define DIGITS_MAX 24 /* significant digits: times the largest factor they are below 2^127 */
#define EXPONENT_MAX 1000
#define LIMBS 4
#define RATIO_PLACES 9
#define NEAR_PLACES 6   /* places in which a value is compared with its rounding */
#define NEAR_SHARE 1000 /* rounding removes at most this part of the value */

/* ------------------------------------------------------------------ numbers of 128 bits */

struct wide
{
    uint32_t limb[LIMBS]; /* the least significant first */
};

/* n * factor + add, modulo 2^128 */
static void multiply_add(struct wide *n, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (unsigned i = 0; i < LIMBS; i++)
    {
        carry += (uint64_t)n->limb[i] * factor;
        n->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void divide_by_10(struct wide *n)
{
    uint64_t rest = 0;
    for (unsigned i = LIMBS; i-- > 0;)
    {
        rest = rest << 32 | n->limb[i];
        n->limb[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
}

static bool fits(const struct wide *n, uint64_t most)
{
    return n->limb[2] == 0 && n->limb[3] == 0 && ((uint64_t)n->limb[1] << 32 | n->limb[0]) <= most;
}

static bool is_zero(const struct wide *n)
{
    return fits(n, 0);
}

/* ------------------------------------------------------------------ decimal numbers */

struct decimal
{
    struct wide digits; /* without the point */
    int exponent;       /* the number is digits * 10^exponent */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parse [e[+-]digits]. Returns the text after it; `text` if there is no exponent. */
static const char *read_exponent(const char *text, int *exponent)
{
    const char *at = text + 1;
    const bool negative = *text != '\0' && *at == '-';
    int e = 0;
    if (*text != 'e' && *text != 'E')
        return text;
    at += *at == '-' || *at == '+';
    if (!is_digit(*at))
        return text;
    for (; is_digit(*at); at++)
        e = e < EXPONENT_MAX ? e * 10 + (*at - '0') : e;
    *exponent += negative ? -e : e;
    return at;
}

/* Parse digits[.digits][e[+-]digits]. Returns the text after it; NULL if there is no number. Digits after the 24th
 * count as 0. */
static const char *read_decimal(const char *text, struct decimal *out)
{
    bool point = false, seen = false;
    int kept = 0;
    *out = (struct decimal){{{0}}, 0};
    for (; is_digit(*text) || (*text == '.' && !point); text++)
    {
        if (*text == '.')
        {
            point = true;
            continue;
        }
        seen = true;
        if (kept == DIGITS_MAX)
        {
            out->exponent += !point;
            continue;
        }
        multiply_add(&out->digits, 10, (uint32_t)(*text - '0'));
        out->exponent -= point;
        kept += !is_zero(&out->digits);
    }
    return seen ? read_exponent(text, &out->exponent) : NULL;
}

/* *value = d * factor * 10^places, rounded to nearest; false if that is above `most`. */
static bool scale(const struct decimal *d, uint32_t factor, int places, uint64_t most, uint64_t *value)
{
    struct wide v = d->digits;
    int e = d->exponent + places;
    multiply_add(&v, factor, 0);
    for (; e > 0 && !is_zero(&v) && fits(&v, most); e--)
        multiply_add(&v, 10, 0);
    for (; e < 0 && !is_zero(&v); e++)
    {
        if (e == -1)
            multiply_add(&v, 1, 5);
        divide_by_10(&v);
    }
    *value = (uint64_t)v.limb[1] << 32 | v.limb[0];
    return fits(&v, most);
}

/* Whether `value`, as scale() gives it, is what the text says, to one part in 1000: 1e-10 of a ratio is not 0. */
static bool is_near(const struct decimal *d, uint32_t factor, int places, uint64_t value)
{
    uint64_t fine, rounded = value * 1000000;
    if (value > NEAR_SHARE || is_zero(&d->digits))
        return true;
    return value != 0 && scale(d, factor, places + NEAR_PLACES, UINT64_MAX, &fine) &&
           (fine > rounded ? fine - rounded : rounded - fine) <= fine / NEAR_SHARE;
}

/* ------------------------------------------------------------------ units */

struct suffix
{
    const char *name;
    uint32_t factor;
    int places;   /* the unit is factor * 10^places of the core's unit */
    bool written; /* rcc_format uses the unit */
};

#define SUFFIXES_MAX 16

/* Rates have only the units that rcc_format uses; rate_suffix parses. */
static const struct suffix suffixes[][SUFFIXES_MAX] = {
    [RCC_UNIT_COUNT] = {{"", 1, 0, true}},
    [RCC_UNIT_NS] = {{"ns", 1, 0, true},
                     {"us", 1, 3, true},
                     {"\xC2\xB5s", 1, 3, false}, /* the micro sign, and the Greek letter */
                     {"\xCE\xBCs", 1, 3, false},
                     {"ms", 1, 6, true},
                     {"s", 1, 9, true}},
    [RCC_UNIT_BPS] =
        {{"bps", 1, 0, true}, {"Kbps", 1, 3, true}, {"Mbps", 1, 6, true}, {"Gbps", 1, 9, true}, {"Tbps", 1, 12, true}},
    [RCC_UNIT_BYTES] = {{"", 1, 0, false},
                        {"B", 1, 0, true},
                        {"KB", 1, 3, true},
                        {"kB", 1, 3, false},
                        {"K", 1, 3, false},
                        {"k", 1, 3, false},
                        {"MB", 1, 6, true},
                        {"M", 1, 6, false},
                        {"GB", 1, 9, true},
                        {"G", 1, 9, false},
                        {"TB", 1, 12, true},
                        {"T", 1, 12, false},
                        {"KiB", 1u << 10, 0, false},
                        {"MiB", 1u << 20, 0, false},
                        {"GiB", 1u << 30, 0, false}},
    [RCC_UNIT_RATIO] = {{"", 1, RATIO_PLACES, false}, {"%", 1, RATIO_PLACES - 2, false}},
    [RCC_UNIT_CHOICE] = {{"", 1, 0, true}},
};

static bool equals(const char *a, const char *b)
{
    for (; *a != '\0' && *a == *b; a++, b++)
        ;
    return *a == *b;
}

static uint64_t power_of_10(int places)
{
    uint64_t power = 1;
    for (; places > 0; places--)
        power *= 10;
    return power;
}

/* G, Gbps, Gb/s, Gbit/s and the same with a small letter: gigabit per second. */
static bool read_rate_suffix(const char *text, struct suffix *out)
{
    static const char prefixes[] = "kKmMgGtT";
    *out = (struct suffix){text, 1, 0, false};
    for (int i = 0; prefixes[i] != '\0'; i++)
        if (*text == prefixes[i])
            out->places = 3 * (i / 2 + 1);
    text += out->places != 0;
    return (out->places != 0 && *text == '\0') || equals(text, "bps") || equals(text, "b/s") || equals(text, "bit/s");
}

static bool read_suffix(enum rcc_unit unit, const char *text, struct suffix *out)
{
    if (unit == RCC_UNIT_BPS)
        return read_rate_suffix(text, out);
    for (const struct suffix *s = suffixes[unit]; s->name != NULL; s++)
        if (equals(s->name, text))
        {
            *out = *s;
            return true;
        }
    return false;
}

const char *rcc_expected(enum rcc_unit unit)
{
    switch (unit)
    {
    case RCC_UNIT_NS:
        return "a time such as 55us or 0.4s";
    case RCC_UNIT_BPS:
        return "a rate such as 40Gbps or 5Mbps";
    case RCC_UNIT_BYTES:
        return "a size such as 200KB or 9MB";
    case RCC_UNIT_RATIO:
        return "a fraction such as 0.01, 1% or 1/256";
    default:
        return "a whole number such as 5";
    }
}

/* Say what is expected in place of a quantity that is no whole number of the core's unit. */
static const char *multiple(enum rcc_unit unit)
{
    static const char *const of[] = {[RCC_UNIT_COUNT] = "a whole number such as 5",
                                     [RCC_UNIT_NS] = "a multiple of 1ns, to one part in 1000",
                                     [RCC_UNIT_BPS] = "a multiple of 1bps, to one part in 1000",
                                     [RCC_UNIT_BYTES] = "a multiple of 1B, to one part in 1000",
                                     [RCC_UNIT_RATIO] = "a multiple of 1e-9, to one part in 1000"};
    return of[unit];
}

/* Parse the rest of "a/b": whole numbers, a at most 10^9. Returns what is expected, or NULL. */
static const char *divide(const struct decimal *a, const char *text, int64_t *value)
{
    uint64_t parts, times, lost;
    struct decimal b;
    uint64_t divisor;
    const char *end = read_decimal(text, &b);
    if (end == NULL || *end != '\0' || is_zero(&b.digits) || b.exponent != 0 || a->exponent != 0 ||
        !fits(&a->digits, RCC_RATIO_ONE))
        return rcc_expected(RCC_UNIT_RATIO);
    /* a divisor beyond 2^62 gives 0, as 2^62 does */
    divisor =
        fits(&b.digits, (uint64_t)1 << 62) ? (uint64_t)b.digits.limb[1] << 32 | b.digits.limb[0] : (uint64_t)1 << 62;
    parts = a->digits.limb[0] * (uint64_t)RCC_RATIO_ONE;
    times = (parts + divisor / 2) / divisor;
    lost = times * divisor > parts ? times * divisor - parts : parts - times * divisor;
    if (lost > parts / NEAR_SHARE)
        return multiple(RCC_UNIT_RATIO);
    *value = (int64_t)times;
    return NULL;
}

const char *rcc_parse(enum rcc_unit unit, const char *text, int64_t *value)
{
    struct decimal number;
    struct suffix suffix;
    uint64_t scaled;
    text = read_decimal(text, &number);
    if (text == NULL)
        return rcc_expected(unit);
    if (unit == RCC_UNIT_RATIO && *text == '/')
        return divide(&number, text + 1, value);
    while (*text == ' ')
        text++;
    if (*text == '\0' && is_zero(&number.digits) && (unit == RCC_UNIT_NS || unit == RCC_UNIT_BPS))
    {
        *value = 0; /* 0 is the only time or rate that needs no unit */
        return NULL;
    }
    if (!read_suffix(unit, text, &suffix) ||
        ((unit == RCC_UNIT_COUNT || unit == RCC_UNIT_CHOICE) && number.exponent < 0) ||
        !scale(&number, suffix.factor, suffix.places, INT64_MAX, &scaled))
        return rcc_expected(unit);
    if (!is_near(&number, suffix.factor, suffix.places, scaled))
        return multiple(unit);
    *value = (int64_t)scaled;
    return NULL;
}

/* Write the digits of `value`, at least `least` of them. Returns the position after them. */
static char *put_digits(char *to, uint64_t value, unsigned least)
{
    unsigned digits = 1;
    for (uint64_t rest = value; rest >= 10; rest /= 10)
        digits++;
    digits = digits > least ? digits : least;
    for (unsigned i = digits; i-- > 0; value /= 10)
        to[i] = (char)('0' + value % 10);
    return to + digits;
}

void rcc_format(enum rcc_unit unit, int64_t value, char text[RCC_QUANTITY_MAX])
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    const struct suffix *best = NULL;
    const char *name = unit == RCC_UNIT_NS ? "s" : "";
    if (value < 0)
        *text++ = '-';
    if (unit == RCC_UNIT_RATIO)
    {
        const uint64_t fraction = rest % RCC_RATIO_ONE;
        text = put_digits(text, rest / RCC_RATIO_ONE, 1);
        if (fraction != 0)
        {
            *text++ = '.';
            text = put_digits(text, fraction, RATIO_PLACES);
            while (text[-1] == '0')
                text--;
        }
        *text = '\0';
        return;
    }
    for (const struct suffix *s = suffixes[unit]; s->name != NULL; s++)
        if (s->written && (rest % power_of_10(s->places) == 0) && (best == NULL || rest != 0))
            best = s;
    if (best != NULL)
    {
        rest /= power_of_10(best->places);
        name = unit == RCC_UNIT_NS && rest == 0 ? name : best->name;
    }
    text = put_digits(text, rest, 1);
    while ((*text++ = *name++) != '\0')
        ;
}

/* ------------------------------------------------------------------ numbers in the syntax of other programs */

bool rcc_read_digits(const char **at, uint32_t max, uint32_t *number)
{
    const char *const begin = *at;
    uint64_t value = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        value = value <= UINT32_MAX ? value * 10 + (uint64_t)(**at - '0') : value;
    *number = (uint32_t)value;
    return *at != begin && value <= max;
}

bool rcc_parse_number(const char *text, unsigned places, uint64_t max, uint64_t *value)
{
    const uint64_t unit = power_of_10((int)places);
    const uint64_t most = max > UINT64_MAX / unit ? UINT64_MAX : max * unit;
    struct decimal number;
    const char *end = read_decimal(text + (*text == '+'), &number);
    return end != NULL && *end == '\0' && scale(&number, 1, (int)places, most, value) &&
           is_near(&number, 1, (int)places, *value);
}

bool rcc_parse_rate(const char *text, uint64_t max, uint64_t *rate)
{
    static const char prefixes[] = "kMGT";
    struct decimal number;
    int power = 0;
    uint32_t factor = 1;
    text = read_decimal(text + (*text == '+'), &number);
    if (text == NULL)
        return false;
    if (*text == '\0')
        return scale(&number, 1, 0, max, rate) && is_near(&number, 1, 0, *rate);
    for (int i = 0; prefixes[i] != '\0'; i++)
        if (*text == prefixes[i] || (*text == 'K' && i == 0))
            power = i + 1;
    text += power != 0;
    if (power != 0 && *text == 'i')
    {
        text++;
        for (; power > 0; power--)
            multiply_add(&number.digits, 1024, 0);
    }
    if (equals(text, "Bps") || equals(text, "B/s"))
        factor = 8;
    else if (!equals(text, "bps") && !equals(text, "b/s"))
        return false;
    return scale(&number, factor, 3 * power, max, rate) && is_near(&number, factor, 3 * power, *rate);
}

bool rcc_parse_time(const char *text, int64_t max, int64_t *ns)
{
    uint64_t bare;
    text += *text == '+';
    if (*text != '+' && rcc_parse_number(text, 9, INT64_MAX, &bare))
    {
        *ns = (int64_t)bare;
        return bare <= (uint64_t)max;
    }
    return rcc_parse(RCC_UNIT_NS, text, ns) == NULL && *ns <= max;
}

/* ------------------------------------------------------------------ fields */

const char *rcc_choice(const struct rcc_field *field, int64_t index, size_t *length)
{
    const char *name = field->choices;
    for (; index > 0 && *name != '\0'; name++)
        index -= *name == '|';
    for (*length = 0; name[*length] != '\0' && name[*length] != '|';)
        ++*length;
    return index == 0 && *length != 0 ? name : NULL;
}

const char *rcc_field_parse(const struct rcc_field *field, const char *text, int64_t *value)
{
    const char *name;
    size_t length, same_letters;
    if (field->unit != RCC_UNIT_CHOICE)
        return rcc_parse(field->unit, text, value);
    for (int64_t i = 0; (name = rcc_choice(field, i, &length)) != NULL; i++)
    {
        for (same_letters = 0; same_letters < length && text[same_letters] == name[same_letters];)
            same_letters++;
        if (same_letters == length && text[length] == '\0')
        {
            *value = i;
            return NULL;
        }
    }
    return field->choices;
}
