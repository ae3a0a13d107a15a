/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_RUN_MARKS_H
#define LAB_RUN_MARKS_H

#include "ns3/rcc-algorithm.h"

namespace ns3
{

/// The queues between which a congestion point marks, whatever its parameters leave to be derived.
struct LabMarks
{
    int64_t none; //!< up to here it marks no frame, bytes; negative if it does not go by the queue
    int64_t all;  //!< above this it marks every frame, bytes; negative likewise
};

/// Ask the congestion point of a port. \param lineRate of the port, bit/s \return between which queues it marks
LabMarks LabMarksAt(const RccAlgorithm& algorithm, uint64_t lineRate);

} // namespace ns3

#endif /* LAB_RUN_MARKS_H */
