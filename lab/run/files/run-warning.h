/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RUN_WARNING_H
#define RUN_WARNING_H

#include "run-file.h"

#include <cstdio>
#include <iostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3
{

/// A doubt about the numbers of a run: a code with values, of which the writer of the run file makes a sentence
/// (lab/run/run-file.md).
struct RunWarning
{
    std::string code;                //!< one word
    std::vector<std::string> values; //!< whole numbers, nine digits of others, and names of the run file

    /// \param itsCode one word
    explicit RunWarning(const std::string& itsCode) : code(itsCode)
    {
    }

    /// \param number any whole number \return this warning with one more value
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type> RunWarning&& With(T number) &&
    {
        values.push_back(std::to_string(number));
        return std::move(*this);
    }

    RunWarning&& With(const std::string& text) &&
    {
        values.push_back(text);
        return std::move(*this);
    }

    RunWarning&& With(const char* text) &&
    {
        values.emplace_back(text);
        return std::move(*this);
    }

    RunWarning&& With(bool flag) &&
    {
        values.emplace_back(flag ? "1" : "0");
        return std::move(*this);
    }

    RunWarning&& With(double number) &&
    {
        char text[32];
        std::snprintf(text, sizeof text, "%.17g", number);
        values.emplace_back(text);
        return std::move(*this);
    }

    /// Print it on stderr. \param kind "warning" or "error"
    void Print(const char* kind) const
    {
        std::cerr << "rcc-run: " << kind << " " << Line() << std::endl;
    }

    /// \return code and values, each as one field of a record
    std::string Line() const
    {
        std::string line = code;
        for (const auto& value : values)
        {
            line += " " + RunEscape(value);
        }
        return line;
    }
};

} // namespace ns3

#endif /* RUN_WARNING_H */
