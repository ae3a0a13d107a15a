/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_SETUP_H
#define LAB_SETUP_H

#include "lab-options.h"

#include "ns3/lab-file.h"
#include "ns3/qbb-helper.h"

namespace ns3
{

/// What the options that every run has say, as values, and the helper that builds networks accordingly.
struct LabSetup
{
    /// Exits with status 2 if the options contradict each other. \param parsed outlives this
    explicit LabSetup(const LabOptions& parsed);

    /// \return the output folder with its parents created, or empty if there is none. Exits with status 2 on failure.
    std::string MakeOutputFolder() const;

    /// Open a file for writing. Exits with status 2 on failure. \param header first line of a table
    static LabFile OpenFile(const std::string& path, const char* header = "");

    const LabOptions& options;
    Ptr<RccAlgorithm> algorithm;
    QbbHelper helper;
    uint64_t seed;
    uint64_t rate;                        //!< of a link, bit/s
    int64_t time;                         //!< to simulate, ns
    uint32_t ackEvery;                    //!< packets per acknowledgement
    int64_t windowFrom{-1}, windowTo{-1}; //!< of --window, ns; -1: not given

  private:
    void ReadWindow();
    void SetAttributes();
    void SetRetransmission() const;
};

} // namespace ns3

#endif /* LAB_SETUP_H */
