/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_WORDS_H
#define LAB_WORDS_H

#include "run-warning.h"

#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// What the command line of a run says beside its run file.
struct LabAsked
{
    std::string folder;   //!< of the results; empty: the summary is printed
    bool check{false};    //!< build, and stop
    bool build{false};    //!< build, and stop without a word
    uint32_t ranks{1};    //!< that `check` is asked about
    bool progress{false}; //!< print progress lines
};

/// Words of the results that no run file has: who reads options for people gives them. Without them the results name
/// records by their numbers.
struct LabWords
{
    std::string preset;                                          //!< of the algorithm
    std::vector<std::pair<std::string, std::string>> attributes; //!< that were asked for
    std::string experiment;                                      //!< text of experiment.json; empty: none is written
    std::string faults{"run file"};                              //!< name of the file of faults
    std::vector<std::string> pauses, tcp, rates;                 //!< by record, as they were given
    std::string linkDown{"link-down"};                           //!< the record of this name
    std::vector<std::string> warnings, notes;                    //!< about what the file was made of
    bool timeout{true}; //!< a timeout of retransmissions may have been asked for
    /// Makes a sentence of a warning; empty: it stays code and values.
    std::function<std::string(const RunWarning&)> sentence;

    /// \return a warning as the results have it
    std::string Say(const RunWarning& warning) const
    {
        return sentence ? sentence(warning) : warning.Line();
    }

    /// Print a warning on stderr. \param kind "warning" or "error" \param warning what it is
    void Print(const char* kind, const RunWarning& warning) const
    {
        std::cerr << (sentence ? std::string("rcc: ") + kind + ": " : std::string("rcc-run: ") + kind + " ")
                  << Say(warning) << std::endl;
    }

    /// \param list one of the above \param i index of a record \param name of its kind \return what to call it
    static std::string NameOf(const std::vector<std::string>& list, size_t i, const std::string& name)
    {
        return i < list.size() ? list[i] : name + " " + std::to_string(i);
    }
};

} // namespace ns3

#endif /* LAB_WORDS_H */
