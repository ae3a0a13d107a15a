/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_NODISCARD_H
#define RCC_NODISCARD_H

/// Before a function whose result says what went wrong: the compiler warns of a caller that ignores it, from C++17 on.
#if __cplusplus >= 201703L
#define RCC_NODISCARD [[nodiscard]]
#else
#define RCC_NODISCARD
#endif

#endif /* RCC_NODISCARD_H */
