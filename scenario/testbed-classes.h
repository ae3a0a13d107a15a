/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef TESTBED_CLASSES_H
#define TESTBED_CLASSES_H

#include "rcc-testbed.h"

namespace ns3
{

/// Counts, by traffic class, what hosts receive and what switches drop and pause; "classes" of run.json.
class TestbedClasses
{
  public:
    /// \param testbed whose nodes are watched from now on
    explicit TestbedClasses(const RccTestbed& testbed);

    /// \return one object per class in which something happened
    RccJson List() const;

  private:
    /// Frames of one class.
    struct Count
    {
        uint64_t data{0}, marked{0}, acks{0}, naks{0}, cnps{0}; //!< received by hosts; NAKs by the class of their data
        uint64_t drops{0};                                      //!< data dropped by switches
        uint64_t pauses{0};                                     //!< that switches have asked for
    };

    static void HandleReceive(TestbedClasses* self, const RccFrame& frame);
    static void HandleDrop(TestbedClasses* self, const RccFrame& frame);
    static void HandlePause(TestbedClasses* self, uint8_t cls, uint16_t quanta);

    Count m_counts[QBB_CLASSES];
};

} // namespace ns3

#endif /* TESTBED_CLASSES_H */
