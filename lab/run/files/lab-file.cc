/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ns3
{

namespace
{

std::vector<std::string>&
Errors()
{
    static std::vector<std::string> errors;
    return errors;
}

/// Cut off the line that could not be written whole. Files of records have lines of a chance length and stay as they
/// are.
void
CutHalfLine(const std::string& name)
{
    const int file = open(name.c_str(), O_RDWR | O_CLOEXEC);
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
    {
        if (file >= 0)
        {
            close(file);
        }
        return;
    }
    char block[4096];
    const off_t from =
        info.st_size > static_cast<off_t>(sizeof block) ? info.st_size - static_cast<off_t>(sizeof block) : 0;
    const ssize_t n = pread(file, block, sizeof block, from);
    for (ssize_t i = n; i > 0 && std::memchr(block, 0, static_cast<size_t>(n)) == nullptr; i--)
    {
        if (block[i - 1] == '\n')
        {
            const int failed = ftruncate(file, from + i); // the file stays as it is then
            static_cast<void>(failed);
            break;
        }
    }
    close(file);
}

} // namespace

void
LabFileCloser::operator()(std::FILE* file) const
{
    errno = 0;
    const bool earlier = std::ferror(file) != 0;
    const bool bad = std::fflush(file) != 0 || earlier;
    int why = errno;
    if ((std::fclose(file) == 0 && !bad) || name.empty())
    {
        return;
    }
    why = why ? why : errno;
    Errors().push_back("cannot write " + name + ": " + (why ? std::strerror(why) : "an earlier write has failed"));
    CutHalfLine(name);
}

LabFile
LabCreateFile(const std::string& name, std::string* error)
{
    LabFile file(std::fopen(name.c_str(), "w"), LabFileCloser{name});
    if (!file)
    {
        *error = "cannot write " + name + ": " + std::strerror(errno);
    }
    return file;
}

std::vector<std::string>
LabTakeFileErrors()
{
    std::vector<std::string> taken;
    taken.swap(Errors());
    return taken;
}

} // namespace ns3
