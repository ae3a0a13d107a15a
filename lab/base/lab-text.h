/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Text files of users and messages about them, for the readers in scenario: no ns-3 helper. */
#ifndef LAB_TEXT_H
#define LAB_TEXT_H

#include "ns3/rcc-units.h"

#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3
{

/// \param path of a file \param line in it, 0 is shown as 1 \param message about it \return "PATH:LINE: MESSAGE"
std::string LabAt(const std::string& path, uint32_t line, const std::string& message);

/**
 * The form of all messages about a user's files.
 * \param what key or column
 * \param found what is there
 * \param expected what should be there
 * \return "WHAT: found FOUND, expected EXPECTED"
 */
std::string LabFound(const std::string& what, const std::string& found, const std::string& expected);

/// \param text of a user \param most bytes to show \return what a message may show of it: printable, in quotes
std::string LabShown(const std::string& text, size_t most = 40);

/// \param path of a user \return LabShown of it
inline std::string
LabShownPath(const std::string& path)
{
    return LabShown(path, 4096);
}

/// \param n their number \param what one of them \return "1 link", "2 links"
std::string LabPlural(uint64_t n, const std::string& what);

/// \param text with separators \param separator between parts; at the end it begins none \return the parts
std::vector<std::string> LabSplit(const std::string& text, char separator);

/// \param line a text \param[out] words what is between blanks, tabs and the like
void LabSplitWords(const std::string& line, std::vector<std::string>* words);

/// What is wrong with a user's file, as a whole message. Readers throw it from any depth; none lets it out, see
/// LabErrorOf.
class LabFileError : public std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// \param error whole message, thrown as LabFileError; empty: none
inline void
LabThrowIf(const std::string& error)
{
    if (!error.empty())
    {
        throw LabFileError(error);
    }
}

/// \param read a function without arguments \return empty, or the message of the LabFileError that it threw
template <class Function>
std::string
LabErrorOf(const Function& read)
{
    try
    {
        read();
    }
    catch (const LabFileError& error)
    {
        return error.what();
    }
    return "";
}

/// The most bytes of a file of settings or of a distribution: those in use have tens of lines.
const size_t RCC_SMALL_FILE = 1 << 20;

/// \param mode st_mode of what is no regular file \return "a directory", "a FIFO", "a socket" or "a device"
std::string LabKindOfFile(mode_t mode);

/**
 * A text file of a user, line by line, that can be anything: a directory, a
 * pipe, a gigabyte of zeros. Memory is bounded by the longest line allowed, and
 * what is wrong is one sentence, thrown as LabFileError. LF or CRLF, with a byte
 * order mark or without.
 */
class LabTextFile
{
  public:
    static const size_t LINE_MAX_BYTES = 1 << 20; //!< longest line allowed
    static const size_t BLOCK_BYTES = 4096;       //!< of a line that is read at once

    /**
     * Open a file.
     * \param path as the user wrote it; messages show it so
     * \param expected what should be there, for messages: "a file with two columns"
     * \param most bytes that the file may have
     */
    LabTextFile(const std::string& path, const std::string& expected, uint64_t most);

    /// \param[out] line the next line without its end \return false at the end of the file
    bool NextLine(std::string* line);

    /**
     * The next line that has words in it.
     * \param[out] words of the line
     * \param comment character with which a comment begins; 0 = there are no comments
     * \return false at the end of the file
     */
    bool NextWords(std::vector<std::string>* words, char comment = 0);

    /// \return number of the last line, from 1; 0 before the first
    uint32_t GetLine() const
    {
        return m_line;
    }

    /// \param message about the last line \return LabAt that line
    std::string At(const std::string& message) const
    {
        return LabAt(m_path, m_line, message);
    }

    /// Throw LabFound at the last line. \param what key or column \param found there \param expected there
    [[noreturn]] void Fail(const std::string& what, const std::string& found, const std::string& expected) const
    {
        throw LabFileError(At(LabFound(what, found, expected)));
    }

  private:
    std::string m_path, m_row;
    std::ifstream m_file;
    std::unique_ptr<char[]> m_block; //!< of a line
    uint32_t m_line{0};
};

/// Warnings about one file, of which only the first are kept: a file of another kind would give thousands.
class LabWarnings
{
  public:
    /// \param list gets the warnings; outlives this
    explicit LabWarnings(std::vector<std::string>* list) : m_list(*list)
    {
    }

    /// \param warning whole message
    void Add(const std::string& warning);

    /// \return whether the next warning is still kept
    bool HasRoom() const
    {
        return m_count < MOST;
    }

    /// Say how many were left out, if any were. \param path of the file
    void Finish(const std::string& path);

  private:
    static const size_t MOST = 50;

    std::vector<std::string>& m_list;
    size_t m_count{0};
};

} // namespace ns3

#endif /* LAB_TEXT_H */
