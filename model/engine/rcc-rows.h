/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_ROWS_H
#define RCC_ROWS_H

#include "rcc-units.h"

#include <algorithm>
#include <cstdint>
#include <istream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/// A text that is read row by row. What is wrong with it is thrown as RccRows::Error, a whole message.
struct RccRows
{
    /// "NAME:LINE: KEY: found ..., expected ..."
    struct Error
    {
        std::string message; //!< all of it
    };

    /// \param text outlives this \param name of the text, outlives this
    RccRows(std::istream& text, const std::string& name) : text(text), name(name)
    {
    }

    std::istream& text;             //!< the text that is read
    const std::string& name;        //!< name of the text, for messages
    uint32_t line{0};               //!< number of the present row, from 1
    std::vector<std::string> words; //!< words of the present row

    /// Refuse the word in a column unless it is right; behind the last column: their number. \param right
    /// whether it is \param column from 0 \param key name of the column \param expected for the message
    void Check(bool right, size_t column, const std::string& key, const std::string& expected) const
    {
        if (right)
        {
            return;
        }
        std::string found = words.empty()            ? (text.eof() ? "the end of the file" : "no text file")
                            : column == words.size() ? std::to_string(column) + (column == 1 ? " column" : " columns")
                                                     : "'" + words[column].substr(0, 40) + "'";
        const auto hidden = [](char c) { return c < ' ' || c > '~'; };
        std::replace_if(found.begin(), found.end(), hidden, '?');
        throw Error{name + ":" + std::to_string(std::max(line, 1u)) + ": " + key + ": found " + found + ", expected " +
                    expected};
    }

    /// Read the next row with words in it, of which there has to be one. \param expected for the message
    void Next(const std::string& expected)
    {
        words.clear();
        for (std::string row, word; words.empty() && std::getline(text, row); line++)
        {
            for (std::istringstream in(row); in >> word;)
            {
                words.push_back(word);
            }
        }
        Check(!words.empty(), 0, "row", expected);
    }

    /// \param key name of the column \param column from 0 \param least of the range \param most of the range
    /// \return the whole number in a column
    uint64_t ReadWhole(const std::string& key, size_t column, uint64_t least, uint64_t most) const
    {
        uint64_t n = 0;
        const std::string range = std::to_string(least) + " to " + std::to_string(most);
        Check(RccParseWhole(words[column], most, &n) && n >= least, column, key, "a whole number from " + range);
        return n;
    }
};

} // namespace ns3

#endif /* RCC_ROWS_H */
