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

__extension__ typedef unsigned __int128 Wide;

const size_t BLOCK = 65536;
const uint32_t BLANK_MAX = 1000000; // blank lines in a row

// Not those of <cctype>: they ask the locale.
bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

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
RccTextFile::NextWords(std::vector<std::string>* words)
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
        RccSplitWords(m_row, words);
    }
    return true;
}

std::string
RccTextFile::Wrong(const std::string& message) const
{
    std::string path = m_path;
    std::replace_if(
        path.begin(), path.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
    return path + ":" + std::to_string(std::max<uint32_t>(m_line, 1)) + ": " + message;
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

bool
RccParseDecimal(const std::string& text, unsigned places, uint64_t max, uint64_t* value)
{
    Wide sum = 0;
    Wide limit = max;
    for (unsigned i = 0; i < places; i++)
    {
        limit *= 10;
    }
    size_t digits = 0;
    bool point = false;
    unsigned after = 0;
    bool up = false;
    for (char c : text)
    {
        if (c == '.' && !point)
        {
            point = true;
            continue;
        }
        if (!IsDigit(c))
        {
            return false;
        }
        digits++;
        if (point && after == places)
        {
            continue; // `up` knows the first of these digits
        }
        sum = sum * 10 + static_cast<unsigned>(c - '0');
        after += point ? 1 : 0;
        if (sum > limit)
        {
            return false;
        }
    }
    size_t dot = text.find('.');
    up = point && text.size() > dot + 1 + places && text[dot + 1 + places] >= '5';
    for (; after < places; after++)
    {
        sum *= 10;
    }
    sum += up ? 1 : 0;
    *value = static_cast<uint64_t>(sum);
    return digits > 0 && sum <= limit;
}

bool
RccParseNumber(const std::string& text, unsigned places, uint64_t max, uint64_t* value)
{
    const size_t first = !text.empty() && text[0] == '+' ? 1 : 0;
    const size_t e = text.find_first_of("eE");
    if (e == std::string::npos)
    {
        return RccParseDecimal(first ? text.substr(1) : text, places, max, value);
    }
    std::string mantissa = text.substr(first, e - first);
    const bool negative = e + 1 < text.size() && text[e + 1] == '-';
    const size_t from = e + 1 + (negative || (e + 1 < text.size() && text[e + 1] == '+') ? 1 : 0);
    uint64_t exponent = 0;
    if (text.size() > 200 || mantissa.find_first_not_of("0123456789.") != std::string::npos ||
        text.find('.', from) != std::string::npos || !RccParseDecimal(text.substr(from), 0, 60, &exponent))
    {
        return false;
    }
    // Move the point in the text, so that nothing is rounded twice.
    const size_t dot = std::min(mantissa.find('.'), mantissa.size());
    std::string whole = mantissa.substr(0, dot);
    std::string part = dot < mantissa.size() ? mantissa.substr(dot + 1) : "";
    if (whole.empty() && part.empty())
    {
        return false;
    }
    for (; exponent > 0; exponent--)
    {
        std::string& source = negative ? whole : part;
        char moved = '0';
        if (!source.empty())
        {
            moved = negative ? source.back() : source.front();
            source.erase(negative ? source.size() - 1 : 0, 1);
        }
        negative ? part.insert(part.begin(), moved) : whole.insert(whole.end(), moved);
    }
    return RccParseDecimal(whole + "." + part, places, max, value);
}

bool
RccParseDataRate(const std::string& text, uint64_t max, uint64_t* bps)
{
    const size_t unit = std::min(text.find_first_not_of("+.0123456789"), text.size());
    size_t at = unit;
    uint64_t scale = 1;
    bool exponent = false;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) // 1e11, bare
    {
        exponent = true;
        at = text.size();
    }
    if (at < text.size())
    {
        const std::string prefixes = "kMGT";
        const size_t power = prefixes.find(text[at] == 'K' ? 'k' : text[at]);
        if (power != std::string::npos)
        {
            at++;
            const bool binary = at < text.size() && text[at] == 'i';
            at += binary ? 1 : 0;
            for (size_t i = 0; i <= power; i++)
            {
                scale *= binary ? 1024 : 1000;
            }
        }
        const bool bytes = at < text.size() && text[at] == 'B';
        if (!bytes && (at == text.size() || text[at] != 'b'))
        {
            return false;
        }
        scale *= bytes ? 8 : 1;
        if (text.compare(at + 1, std::string::npos, "ps") != 0 && text.compare(at + 1, std::string::npos, "/s") != 0)
        {
            return false;
        }
    }
    // six places, so that 0.1Gbps is exact
    uint64_t micro = 0;
    if (max / scale > UINT64_MAX / 2000000 ||
        !RccParseNumber(exponent ? text : text.substr(0, unit), 6, max / scale + 1, &micro))
    {
        return false;
    }
    const Wide rate = (static_cast<Wide>(micro) * scale + 500000) / 1000000;
    *bps = static_cast<uint64_t>(rate);
    return rate <= max;
}

bool
RccParseTime(const std::string& text, int64_t max, int64_t* ns)
{
    struct Unit
    {
        const char* name;
        unsigned places;
        int64_t ns;
    };
    size_t unit = text.size();
    while (unit > 0 && text[unit - 1] >= 'a' && text[unit - 1] <= 'z')
    {
        unit--;
    }
    for (const Unit& u : {Unit{"", 9, 1000000000}, Unit{"s", 9, 1000000000}, Unit{"ms", 6, 1000000},
                          Unit{"us", 3, 1000}, Unit{"ns", 0, 1}})
    {
        uint64_t value = 0;
        if (text.compare(unit, std::string::npos, u.name) == 0)
        {
            const auto most = static_cast<uint64_t>(max / u.ns + 1);
            const bool fine = RccParseNumber(text.substr(0, unit), u.places, most, &value);
            *ns = static_cast<int64_t>(value);
            return fine && value <= static_cast<uint64_t>(max);
        }
    }
    return false;
}

} // namespace ns3
