/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Files that are written, and what a full disk leaves of them, for ns3-rdma and scenario: no ns-3 helper. */
#ifndef LAB_FILE_H
#define LAB_FILE_H

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// Closes a C stream; remembers the name of a file that could not be written.
struct LabFileCloser
{
    std::string name; //!< the path of a file that is written; empty: errors are not looked for

    /// \param file to close. What a full disk leaves of a text file ends with its last whole line
    void operator()(std::FILE* file) const;
};

/// A C stream that is closed at the end of its scope.
using LabFile = std::unique_ptr<std::FILE, LabFileCloser>;

/**
 * Create a file, or empty one that is there.
 * \param name of the file
 * \param error why it cannot be opened; unchanged if it can
 * \return the file, whose write errors LabTakeFileErrors tells once it is closed; null if it cannot be opened
 */
LabFile LabCreateFile(const std::string& name, std::string* error);

/// \return "cannot write NAME: reason" for each file of LabCreateFile that was closed since the last call and is not
/// whole
std::vector<std::string> LabTakeFileErrors();

} // namespace ns3

#endif /* LAB_FILE_H */
