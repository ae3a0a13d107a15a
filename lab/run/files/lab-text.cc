/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <sys/stat.h>

namespace ns3
{

namespace
{

const uint32_t BLANK_MAX = 1000000; // blank lines in a row

// Not that of <cctype>, which asks the locale.
bool
IsBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

std::string
LabKindOfFile(mode_t mode)
{
    return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

LabTextFile::LabTextFile(const std::string& path, const std::string& expected, uint64_t most)
    : m_path(path),
      m_block(new char[BLOCK_BYTES])
{
    const std::string shown = LabShownPath(path);
    struct stat info;
    if (stat(path.c_str(), &info) == 0)
    {
        if (!S_ISREG(info.st_mode)) // before it is opened: opening a pipe may wait for ever
        {
            throw LabFileError(shown + ": found " + LabKindOfFile(info.st_mode) + ", expected " + expected);
        }
        if (static_cast<uint64_t>(info.st_size) > most)
        {
            throw LabFileError(shown + " has " + std::to_string(info.st_size) + " bytes, expected at most " +
                               std::to_string(most));
        }
        m_file.open(path, std::ios::binary);
    }
    if (!m_file.is_open())
    {
        throw LabFileError(shown + ": " + std::strerror(errno) + ", expected " + expected);
    }
}

bool
LabTextFile::NextLine(std::string* line)
{
    line->clear();
    for (bool more = true; more && line->size() <= LINE_MAX_BYTES;)
    {
        m_file.getline(m_block.get(), static_cast<std::streamsize>(BLOCK_BYTES));
        if (m_file.bad())
        {
            throw LabFileError(LabShownPath(m_path) + ": " + std::strerror(errno));
        }
        const bool whole = !m_file.fail() && !m_file.eof(); // the newline is counted, but not in the block
        line->append(m_block.get(), static_cast<size_t>(m_file.gcount()) - (whole ? 1 : 0));
        more = m_file.fail() && !m_file.eof(); // the block is full
        if (more)
        {
            m_file.clear();
        }
    }
    if (m_file.eof() && line->empty())
    {
        return false;
    }
    m_line++;
    if (line->find('\0') != std::string::npos)
    {
        throw LabFileError(At("found a byte of value 0, expected text"));
    }
    if (line->size() > LINE_MAX_BYTES)
    {
        throw LabFileError(At("found a line of more than " + std::to_string(LINE_MAX_BYTES) + " bytes, expected text"));
    }
    if (!line->empty() && line->back() == '\r')
    {
        line->pop_back();
    }
    if (m_line == 1 && line->compare(0, 3, "\xef\xbb\xbf") == 0)
    {
        line->erase(0, 3);
    }
    return true;
}

bool
LabTextFile::NextWords(std::vector<std::string>* words, char comment)
{
    words->clear();
    for (uint32_t blank = 0; words->empty(); blank++)
    {
        if (!NextLine(&m_row))
        {
            return false;
        }
        if (blank == BLANK_MAX)
        {
            throw LabFileError(At("found " + std::to_string(BLANK_MAX) + " blank lines, expected text"));
        }
        if (comment)
        {
            m_row.resize(std::min(m_row.find(comment), m_row.size()));
        }
        LabSplitWords(m_row, words);
    }
    return true;
}

std::string
LabAt(const std::string& path, uint32_t line, const std::string& message)
{
    std::string shown = path;
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
    return shown + ":" + std::to_string(std::max<uint32_t>(line, 1)) + ": " + message;
}

std::string
LabFound(const std::string& what, const std::string& found, const std::string& expected)
{
    return what + ": found " + found + ", expected " + expected;
}

std::string
LabPlural(uint64_t n, const std::string& what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string
LabShown(const std::string& text, size_t most)
{
    std::string shown;
    for (char c : text.substr(0, most))
    {
        shown += c >= ' ' && c <= '~' ? c : '?';
    }
    return "'" + shown + (text.size() > most ? "..." : "") + "'";
}

std::vector<std::string>
LabSplit(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

void
LabSplitWords(const std::string& line, std::vector<std::string>* words)
{
    words->clear();
    for (auto at = line.begin(); at != line.end();)
    {
        const auto from = std::find_if_not(at, line.end(), IsBlank);
        at = std::find_if(from, line.end(), IsBlank);
        if (from != at)
        {
            words->emplace_back(from, at);
        }
    }
}

void
LabWarnings::Add(const std::string& warning)
{
    if (HasRoom())
    {
        m_list.push_back(warning);
    }
    m_count++;
}

void
LabWarnings::Finish(const std::string& path)
{
    if (m_count > MOST)
    {
        m_list.push_back(path + ": and " + std::to_string(m_count - MOST) + " more of these");
    }
}

} // namespace ns3
