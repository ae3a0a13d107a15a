/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RCC_OPTIONS_H
#define RCC_OPTIONS_H

#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * Command-line options with units and ranges, on top of ns-3's CommandLine.
 * Everything is checked before anything runs: the first thing that is wrong is
 * printed as one line, "rcc: error: ...", and the program exits with status 2.
 */
class RccOptions
{
  public:
    /**
     * A quantity.
     * \param name without dashes
     * \param unit how its text is read
     * \param text default, as a user would write it; empty = unset, see IsSet
     * \param low, high allowed range, in the unit of the core
     * \param help one sentence
     */
    void Add(const std::string& name, rcc_unit unit, const std::string& text, int64_t low, int64_t high,
             const std::string& help);
    /// A word.
    void AddText(const std::string& name, const std::string& text, const std::string& help);
    /// Another default for an option that was added before; after Parse, its value. Empty = unset, see IsSet.
    void SetDefault(const std::string& name, const std::string& text);
    /// A switch, false by default.
    void AddFlag(const std::string& name, const std::string& help);

    /// Read argv, check every value; exits with 2 on the first error.
    void Parse(int argc, char* argv[], const std::string& usage);

    int64_t Get(const std::string& name) const;
    double GetSeconds(const std::string& name) const;
    const std::string& GetText(const std::string& name) const;
    bool GetFlag(const std::string& name) const;
    bool IsSet(const std::string& name) const;
    /// \return whether the value is another one than the default
    bool IsChanged(const std::string& name) const;

    /// \return whether there is such an option
    bool Has(const std::string& name) const
    {
        return Search(name) != nullptr;
    }

    /**
     * The algorithm that --cc and --preset name, with --kmin, --kmax, --pmax and
     * --set applied as far as those options exist. Exits with 2 on an error.
     * \param other another algorithm than that of --cc, with its first preset and what --set says of it
     */
    Ptr<RccAlgorithm> CreateAlgorithm(const std::string& other = "") const;

    /// Print "rcc: error: <message>" and exit with status 2.
    [[noreturn]] static void Fail(const std::string& message);

  private:
    struct Option
    {
        std::string name, text, initial, help;
        rcc_unit unit{RCC_UNIT_COUNT};
        int64_t low{0}, high{0}, value{0};
        bool isText{false}, isFlag{false}, flag{false};
    };

    static void Read(Option& option);
    Option& NewOption(const std::string& name, const std::string& text, const std::string& help);
    const Option& Find(const std::string& name) const;
    Option* Search(const std::string& name) const;

    std::vector<std::unique_ptr<Option>> m_options;
};

} // namespace ns3

#endif /* RCC_OPTIONS_H */
