/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_LEAF_SPINE_H
#define RCC_LEAF_SPINE_H

#include "rcc-options.h"

#include "ns3/qbb-leaf-spine.h"

namespace ns3
{

/// The options of a leaf-spine network.
struct RccLeafSpine
{
    /// Declare --racks, --hosts-per-rack, --spines, --core-rate, --oversubscription.
    static void AddOptions(RccOptions& options);

    /// \return the shape by those options and --rate. Exits with status 2 if they contradict each other.
    static QbbLeafSpineShape GetShape(const RccOptions& options);

    /// Exit with status 2 if an option of leaf-spine networks alone is given; --core-rate is left to the caller.
    static void FailIfGiven(const RccOptions& options);
};

} // namespace ns3

#endif /* RCC_LEAF_SPINE_H */
