/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_RUN_MARKS_H
#define RCC_RUN_MARKS_H

#include "ns3/rcc-algorithm.h"

namespace ns3
{

/// The queues between which a congestion point marks, whatever its parameters leave to be derived.
struct RccMarks
{
    int64_t none; //!< up to here it marks no frame, bytes; negative if it does not go by the queue
    int64_t all;  //!< above this it marks every frame, bytes; negative likewise
};

/// Ask the congestion point of a port. \param lineRate of the port, bit/s \return between which queues it marks
RccMarks RccMarksAt(const RccAlgorithm& algorithm, uint64_t lineRate);

} // namespace ns3

#endif /* RCC_RUN_MARKS_H */
