/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/**
 * \file
 * Random numbers as a function of stream and index. They are the same on every machine, and a draw changes no state.
 */
#ifndef RCC_MIX_H
#define RCC_MIX_H

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

    /**
     * The output function of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
     * OOPSLA 2014).
     * \param x any number
     * \return 64 well-mixed bits that depend on x alone
     */
    static inline uint64_t rcc_mix(uint64_t x)
    {
        x += UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        return x ^ (x >> 31);
    }

    /**
     * A random number; it may serve as rcc_env.draw.
     * \param stream the user of the number: any number, different for different users
     * \param index number of the draw within the stream
     * \return 32 uniform bits
     */
    static inline uint32_t rcc_random(uint64_t stream, uint64_t index)
    {
        return (uint32_t)(rcc_mix(stream ^ (index * UINT64_C(0xd1342543de82ef95))) >> 32);
    }

#ifdef __cplusplus
}
#endif

#endif /* RCC_MIX_H */
