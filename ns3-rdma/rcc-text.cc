/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <sys/stat.h>

namespace ns3
{

namespace
{

const size_t BLOCK = 65536;
const uint32_t BLANK_MAX = 1000000; // blank lines in a row
const size_t WARNINGS_MAX = 50;

// Not that of <cctype>, which asks the locale.
bool
IsBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

std::string
RccTextFile::Open(const std::string& path, const std::string& expected, uint64_t most)
{
    m_path = path;
    struct stat info;
    if (stat(path.c_str(), &info) != 0)
    {
        return RccShownPath(path) + ": " + std::strerror(errno) + ", expected " + expected;
    }
    if (!S_ISREG(info.st_mode)) // before it is opened: opening a pipe may wait for ever
    {
        return RccShownPath(path) + (S_ISDIR(info.st_mode) ? " is a directory" : " is not a regular file") +
               ", expected " + expected;
    }
    if (static_cast<uint64_t>(info.st_size) > most)
    {
        return RccShownPath(path) + " has " + std::to_string(info.st_size) + " bytes, expected at most " +
               std::to_string(most);
    }
    m_file.reset(std::fopen(path.c_str(), "rb"));
    if (!m_file)
    {
        return RccShownPath(path) + ": " + std::strerror(errno) + ", expected " + expected;
    }
    m_block.resize(BLOCK);
    m_at = m_end = 0;
    m_line = 0;
    m_error.clear();
    return "";
}

bool
RccTextFile::Fill()
{
    m_at = 0;
    m_end = std::fread(m_block.data(), 1, m_block.size(), m_file.get());
    if (m_end == 0 && std::ferror(m_file.get()))
    {
        m_error = RccShownPath(m_path) + ": " + std::strerror(errno);
    }
    return m_end > 0;
}

bool
RccTextFile::NextLine(std::string* line)
{
    line->clear();
    if (!m_error.empty() || !m_file || (m_at == m_end && !Fill()))
    {
        return false;
    }
    m_line++;
    for (bool ended = false; !ended && (m_at < m_end || Fill());)
    {
        const char* from = m_block.data() + m_at;
        const void* newline = std::memchr(from, '\n', m_end - m_at);
        const size_t n = newline ? static_cast<size_t>(static_cast<const char*>(newline) - from) : m_end - m_at;
        if (std::memchr(from, 0, n))
        {
            m_error = Wrong("found a byte of value 0, expected text");
            return false;
        }
        if (line->size() + n > LINE_MAX_BYTES)
        {
            m_error = Wrong("found a line of more than " + std::to_string(LINE_MAX_BYTES) + " bytes, expected text");
            return false;
        }
        line->append(from, n);
        m_at += n + (newline ? 1 : 0);
        ended = newline != nullptr;
    }
    if (!line->empty() && line->back() == '\r')
    {
        line->pop_back();
    }
    if (m_line == 1 && line->compare(0, 3, "\xef\xbb\xbf") == 0)
    {
        line->erase(0, 3);
    }
    return m_error.empty();
}

bool
RccTextFile::NextWords(std::vector<std::string>* words, char comment)
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
            m_error = Wrong("found " + std::to_string(BLANK_MAX) + " blank lines, expected text");
            return false;
        }
        if (comment)
        {
            m_row.resize(std::min(m_row.find(comment), m_row.size()));
        }
        RccSplitWords(m_row, words);
    }
    return true;
}

std::string
RccAt(const std::string& path, uint32_t line, const std::string& message)
{
    std::string shown = path;
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
    return shown + ":" + std::to_string(std::max<uint32_t>(line, 1)) + ": " + message;
}

std::string
RccFound(const std::string& what, const std::string& found, const std::string& expected)
{
    return what + ": found " + found + ", expected " + expected;
}

std::string
RccPlural(uint64_t n, const std::string& what)
{
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string
RccShown(const std::string& text, size_t most)
{
    std::string shown;
    for (char c : text.substr(0, most))
    {
        shown += c >= ' ' && c <= '~' ? c : '?';
    }
    return "'" + shown + (text.size() > most ? "..." : "") + "'";
}

std::vector<std::string>
RccSplit(const std::string& text, char separator)
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
RccSplitWords(const std::string& line, std::vector<std::string>* words)
{
    words->clear();
    for (size_t at = 0; at < line.size();)
    {
        size_t end = at;
        while (end < line.size() && !IsBlank(line[end]))
        {
            end++;
        }
        if (end > at)
        {
            words->emplace_back(line, at, end - at);
        }
        at = end + 1;
    }
}

void
RccWarnings::Add(const std::string& warning)
{
    if (HasRoom())
    {
        m_list.push_back(warning);
    }
    m_count++;
}

bool
RccWarnings::HasRoom() const
{
    return m_count < WARNINGS_MAX;
}

void
RccWarnings::Finish(const std::string& path)
{
    if (m_count > WARNINGS_MAX)
    {
        m_list.push_back(path + ": and " + std::to_string(m_count - WARNINGS_MAX) + " more of these");
    }
}

} // namespace ns3
