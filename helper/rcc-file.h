/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_FILE_H
#define RCC_FILE_H

#include <cstdio>
#include <memory>

namespace ns3
{

/// Closes a C stream.
struct RccFileCloser
{
    /// \param file to close
    void operator()(std::FILE* file) const
    {
        std::fclose(file);
    }
};

/// A C stream that is closed at the end of its scope. Who needs to know of errors calls std::fclose(file.release()).
using RccFile = std::unique_ptr<std::FILE, RccFileCloser>;

} // namespace ns3

#endif /* RCC_FILE_H */
