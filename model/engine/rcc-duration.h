/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_DURATION_H
#define RCC_DURATION_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * A time as a member of an object of which there are many, for an attribute of ns-3's type Time. ns-3 keeps a list of
 * all Times that exist before the simulation runs, with an entry of its own for each.
 */
struct RccDuration
{
    RccDuration() = default;

    /// \param time whole nanoseconds count
    RccDuration(const Time& time) : ns(time.GetNanoSeconds())
    {
    }

    /// \return the same as ns-3 has it
    operator Time() const
    {
        return NanoSeconds(ns);
    }

    int64_t ns{0}; //!< nanoseconds
};

} // namespace ns3

#endif /* RCC_DURATION_H */
