/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TEST_FOLDER_H
#define RCC_TEST_FOLDER_H

#include "rcc-test.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <ftw.h>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace ns3
{

/// A new folder in $TMPDIR or /tmp that goes away with all that is in it.
class RccTestFolder
{
  public:
    RccTestFolder()
    {
        const char* const parent = std::getenv("TMPDIR");
        std::string name = std::string(parent && *parent ? parent : "/tmp") + "/rcc-test-" + std::string(6, 'X');
        RCC_CHECK(mkdtemp(&name[0]), "a folder like " << name);
        m_path = name;
    }

    RccTestFolder(const RccTestFolder&) = delete;
    RccTestFolder& operator=(const RccTestFolder&) = delete;

    ~RccTestFolder()
    {
        nftw(m_path.c_str(), Remove, 8, FTW_DEPTH | FTW_PHYS);
    }

    const std::string& GetPath() const
    {
        return m_path;
    }

    /// \return the path of a file in the folder, which need not exist
    std::string Name(const std::string& name) const
    {
        return m_path + "/" + name;
    }

    /// Write a file, and the folder that its name has. \return its path
    std::string Write(const std::string& name, const std::string& text) const
    {
        if (name.find('/') != std::string::npos)
        {
            mkdir(Name(name.substr(0, name.find('/'))).c_str(), 0755);
        }
        std::ofstream(Name(name), std::ios::binary) << text;
        return Name(name);
    }

    /// \return the bytes of the file at a path
    static std::string Read(const std::string& path)
    {
        std::ifstream in(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }

    /// \return the lines of the file at a path
    static std::vector<std::string> Lines(const std::string& path)
    {
        std::istringstream in(Read(path));
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);)
        {
            lines.push_back(line);
        }
        return lines;
    }

    /// A message without the folder's name.
    std::string Short(std::string text) const
    {
        for (size_t at; (at = text.find(m_path + "/")) != std::string::npos;)
        {
            text.erase(at, m_path.size() + 1);
        }
        return text;
    }

  private:
    static int Remove(const char* path, const struct stat*, int, struct FTW*)
    {
        return std::remove(path);
    }

    std::string m_path;
};

} // namespace ns3

#endif /* RCC_TEST_FOLDER_H */
