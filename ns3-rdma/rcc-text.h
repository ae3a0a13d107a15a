/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_TEXT_H
#define RCC_TEXT_H

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * A text file of a user, line by line, that can be anything: a directory, a
 * pipe, a gigabyte of zeros. Memory is bounded by the longest line allowed, and
 * what is wrong is one sentence. LF or CRLF, with a byte order mark or without.
 */
class RccTextFile
{
  public:
    static const size_t LINE_MAX_BYTES = 1 << 20;

    /**
     * \param path as the user wrote it; messages show it so
     * \param expected what should be there, for messages: "a file with two columns"
     * \param most bytes that the file may have
     * \return empty, or what is wrong
     */
    std::string Open(const std::string& path, const std::string& expected, uint64_t most);

    /// The next line without its end. \return false at the end of the file or at an error, see GetError
    bool NextLine(std::string* line);

    /// The next line that has words in it. \return as NextLine
    bool NextWords(std::vector<std::string>* words);

    /// \return why NextLine stopped, as a whole message with file and line; empty at the end of the file
    const std::string& GetError() const
    {
        return m_error;
    }

    /// \return number of the last line, from 1; 0 before the first
    uint32_t GetLine() const
    {
        return m_line;
    }

    /// "FILE:LINE: " and a message, LINE being the last line's.
    std::string Wrong(const std::string& message) const;

  private:
    bool Fill();

    std::string m_path, m_error, m_row;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> m_file{nullptr, &std::fclose};
    std::vector<char> m_block;
    size_t m_at{0}, m_end{0};
    uint32_t m_line{0};
};

/// What a message may show of a user's text: printable, at most `most` bytes, in quotes.
std::string RccShown(const std::string& text, size_t most = 40);

/// The same for a path.
inline std::string
RccShownPath(const std::string& path)
{
    return RccShown(path, 4096);
}

/// What stands between separators; nothing after the last one counts as nothing.
std::vector<std::string> RccSplit(const std::string& text, char separator);

/// Split at blanks, tabs and the like.
void RccSplitWords(const std::string& line, std::vector<std::string>* words);

/**
 * A plain decimal number, x 10^places, rounded to nearest; no sign, no exponent.
 * \return false if it is none, or above `max` x 10^places
 */
bool RccParseDecimal(const std::string& text, unsigned places, uint64_t max, uint64_t* value);

/// The same with an exponent (2e-05) and a plus sign allowed: what programs print.
bool RccParseNumber(const std::string& text, unsigned places, uint64_t max, uint64_t* value);

/// A rate as ns-3's DataRate reads it ("100Gbps", "40Gb/s", "1GB/s", "25000000000.0"), bit/s, at most `max`,
/// which is below 2^43.
bool RccParseDataRate(const std::string& text, uint64_t max, uint64_t* bps);

/// A time as ns-3's Time reads it ("0.001ms", "1000ns", seconds if bare), to the nearest ns, at most `max` ns,
/// which is at most 2^62.
bool RccParseTime(const std::string& text, int64_t max, int64_t* ns);

} // namespace ns3

#endif /* RCC_TEXT_H */
