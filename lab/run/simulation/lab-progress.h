/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#include <cstdint>
#include <functional>

namespace ns3
{

/// The run as its user sees it: wall-clock time, progress lines, and SIGINT and SIGTERM, which end it early.
class LabProgress
{
  public:
    /// The clock starts. \param print whether to print progress lines
    explicit LabProgress(bool print);

    /// Be killed when the process ends, in whatever way, that has started this one and has put its number into
    /// RCC_PARENT; to be called first.
    static void EndWithParent();

    /// Install handlers for SIGINT and SIGTERM.
    static void CatchSignals();

    /// \return whether a signal has arrived
    static bool IsInterrupted();

    /// \return whether a progress line is due
    bool IsDue() const;

    /// Print a progress line. \param part of the run that is done, 0 to 1 \param packets delivered
    void Print(double part, uint64_t packets);

    /// \return whether files had better show how far the run has come: after a second, and then such that writing them
    /// takes a small part of the time
    bool MustShow() const;

    /// Files are written now, see MustShow. \param write does it
    void Show(const std::function<void()>& write);

    /// \return wall-clock time since the constructor, s
    double GetSeconds() const;

  private:
    bool m_print;
    double m_started;
    double m_last{0}; //!< wall-clock time of the last line, s
    double m_show;    //!< wall-clock time from which on files are written, s
};

} // namespace ns3

#endif /* LAB_PROGRESS_H */
