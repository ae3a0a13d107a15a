/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include "lab-attributes.h"

#include "ns3/rcc-algorithm.h"
#include "ns3/rcc-units.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

struct LabJsonValue;

/**
 * The table of a program's command-line options, with units, ranges and help, on top of ns3::CommandLine.
 *
 * Every value is checked before anything runs: the first error is printed as one line, "rcc: error: ...", and the
 * program exits with status 2. The options of `./rcc run` and `./rcc ns3-rdma` are declared once, in Python:
 * lab/command/run/options.py, of which lab-option-table.inc is the copy that programs have.
 *
 * Where AcceptFile is called, the first word may be a file of JSON that has the options as keys (lab/doc/testbed.md);
 * options beside it come in their place, and errors about what it says begin with its name and the line.
 */
class LabOptions
{
  public:
    LabOptions() = default;
    ~LabOptions();

    /// \param name of a table of lab/command/run/options.py, all of whose options the program has: "experiment",
    /// "ns3-rdma", "run" (what every run has) or "capture"
    void AddTable(const std::string& name);

    /// Declare options of the table "run" that are no words of the command line: they keep their defaults, or what
    /// SetDefault gives them.
    void AddHidden(const std::vector<std::string>& names);

    /**
     * Declare a quantity that no table has.
     * \param name without dashes
     * \param unit decides how its text is read
     * \param text default as a user would write it; empty: not set, see IsSet
     * \param low least allowed value, in the unit of the core
     * \param high largest allowed value, in the unit of the core
     * \param help one phrase
     */
    void Add(const std::string& name, rcc_unit unit, const std::string& text, int64_t low, int64_t high,
             const std::string& help);

    /// Declare a text. \param name without dashes \param text default \param help one phrase
    void AddText(const std::string& name, const std::string& text, const std::string& help)
    {
        Declare(Kind::TEXT, name, text, help);
    }

    /// Declare a text that lists values, separated by commas or by giving the option again.
    void AddList(const std::string& name, const std::string& text, const std::string& help)
    {
        Declare(Kind::LIST, name, text, help);
    }

    /// Let the first word of the command line be a file that holds the options.
    void AcceptFile()
    {
        m_acceptsFile = true;
    }

    /// \return whether AcceptFile was called
    bool AcceptsFile() const
    {
        return m_acceptsFile;
    }

    /// \return the options that are not as their defaults, and the main ones, as a file that AcceptFile reads
    std::string GetFileText() const;

    /// Declare a choice among words. \param text the default, one of them
    void AddChoice(const std::string& name, const std::vector<std::string>& words, const std::string& text,
                   const std::string& help);

    /// Declare a switch, which is false unless it is given.
    void AddFlag(const std::string& name, const std::string& help)
    {
        Declare(Kind::FLAG, name, "", help);
    }

    /// \return what --attr asks for
    const LabAttributes& GetAttributes() const
    {
        return m_attributes;
    }

    /// \return what --base asks for
    const LabAttributes& GetBase() const
    {
        return m_base;
    }

    /// Make what --base and --attr ask for the defaults; a program that sets defaults itself calls it after.
    void ApplyAttributes() const
    {
        m_base.Apply();
        m_attributes.Apply();
    }

    /**
     * Give a declared option another default; after Parse, another value.
     * \param name of the option
     * \param text empty: not set, see IsSet
     */
    void SetDefault(const std::string& name, const std::string& text);

    /// Give a declared quantity another default, in the unit of the core; after Parse, another value. Exits with status
    /// 2 if it is out of range.
    void SetDefaultValue(const std::string& name, int64_t value);

    /**
     * Give a parameter a default that CreateAlgorithm sets before those of --set.
     * \param algorithm whose it is
     * \param field name of the parameter
     * \param value in the field's unit
     */
    void SetDefaultParameter(const std::string& algorithm, const std::string& field, int64_t value)
    {
        m_parameters.push_back({algorithm, field, value});
    }

    /// Give another algorithm than that of --cc a preset for CreateAlgorithm. \param algorithm its name \param preset
    /// its name; empty: the first
    void SetDefaultPreset(const std::string& algorithm, const std::string& preset)
    {
        m_presets[algorithm] = preset;
    }

    /**
     * Read the command line and check every value. Exits with status 2 on the first error, and with 0 after printing
     * the help for --help.
     * \param argc of main
     * \param argv of main
     * \param usage one sentence on the program
     */
    void Parse(int argc, char* argv[], const std::string& usage);

    /// \return a quantity in the unit of the core
    template <class T = int64_t> T Get(const std::string& name) const
    {
        return static_cast<T>(Find(name).value);
    }

    /// \return a ratio, of which the unit of the core is 1e-9
    double GetRatio(const std::string& name) const
    {
        return Get<double>(name) / RCC_RATIO_ONE;
    }

    /// \return a time in seconds
    double GetSeconds(const std::string& name) const
    {
        return RccSeconds(Get(name));
    }

    /// \return the value as text
    const std::string& GetText(const std::string& name) const
    {
        return Find(name).text;
    }

    /// \return whether a switch is given
    bool GetFlag(const std::string& name) const
    {
        return Find(name).flag;
    }

    /// \return whether the option has a value
    bool IsSet(const std::string& name) const
    {
        return !GetText(name).empty();
    }

    /// \return whether the value differs from the default
    bool IsChanged(const std::string& name) const
    {
        return GetText(name) != Find(name).initial;
    }

    /// \return whether it is on the command line or in the file, also where it has the default
    bool IsGiven(const std::string& name) const
    {
        return Find(name).given;
    }

    /// \return the largest value of a quantity, in the unit of the core
    int64_t GetMost(const std::string& name) const
    {
        return Find(name).high;
    }

    /// \return the values of a list
    std::vector<std::string> GetList(const std::string& name) const;
    /// \return whether the option is declared
    bool Has(const std::string& name) const;

    /**
     * Create the algorithm that --cc and --preset name, with --kmin, --kmax, --pmax and --set applied as far as those
     * options are declared. Exits with status 2 on an error.
     * \param other an algorithm in place of that of --cc, with its first preset, or that of SetDefaultPreset, and what
     *        --set says of it
     * \return the algorithm
     */
    Ptr<RccAlgorithm> CreateAlgorithm(const std::string& other = "") const;

    /// A key of an item such as "0-1:size=1MB:cc=qcn": a quantity, or a word
    struct Key
    {
        const char* name;  //!< without "="
        rcc_unit unit;     //!< of a quantity
        int64_t low, high; //!< least and largest allowed value, in the unit of the core
        int64_t* value;    //!< where the quantity goes; null: a word
        std::string* word; //!< where the word goes
    };

    /**
     * Read the KEY=VALUE parts of a list's item, or fail with the names of option and item.
     * \param name of the option
     * \param item its parts are separated by ":"; the first one is no key and is not read
     * \param keys that are allowed; what is not given keeps its value
     * \param form what is expected, where a part is no such key or has no value
     */
    static void ParseKeys(const std::string& name, const std::string& item, const std::vector<Key>& keys,
                          const std::string& form);

    /**
     * Read one field of a list's item, or fail with the names of option, item and field.
     * \param name of the option
     * \param item of the list
     * \param field text of the field
     * \param unit decides how it is read
     * \param low least allowed value, in the unit of the core
     * \param high largest allowed value, in the unit of the core
     * \return the value in the unit of the core
     */
    template <class T = int64_t>
    static T ParseField(const std::string& name, const std::string& item, const std::string& field, rcc_unit unit,
                        int64_t low, int64_t high)
    {
        return static_cast<T>(ReadField(name, item, field, unit, low, high));
    }

    /// Print "rcc: error: <message>" and exit with status 2.
    [[noreturn]] static void Fail(const std::string& message);

    /// Exit with status 2 if an error message is not empty.
    static void FailIf(const std::string& message);

    /// Tell the user what a default became: print "rcc: note: <message>" on stderr.
    static void Note(const std::string& message);

    /// Fail if something is wrong with an option's value: "--NAME is 'VALUE', expected <expected>".
    void FailValueIf(bool wrong, const std::string& name, const std::string& expected) const;

    /// Fail if something is wrong with an item of a list: "--NAME has 'ITEM', expected <expected>".
    static void FailItemIf(bool wrong, const std::string& name, const std::string& item, const std::string& expected);

  private:
    enum class Kind
    {
        QUANTITY,
        TEXT,
        LIST,
        CHOICE,
        FLAG
    };

    struct Option
    {
        Kind kind{Kind::TEXT};
        std::string name, text, initial, help;
        std::string declared;           //!< the first default
        std::vector<std::string> words; //!< of a choice
        rcc_unit unit{RCC_UNIT_COUNT};
        int64_t low{0}, high{0}, value{0};
        bool flag{false}, hidden{false};
        bool given{false};              //!< on the command line or in the file
        bool forwarded{false};          //!< --attr has set it
        std::string head;               //!< in a file {"HEAD": "h1-h2", "size": "1MB"} is the item h1-h2:size=1MB
        std::vector<std::string> keys;  //!< the others of such an item
        uint32_t line{0};               //!< in the file; 0: its value is not from there
        std::vector<uint32_t> lines;    //!< of the items of a list
        std::vector<std::string> items; //!< of a list of the file
    };

    /// An option of the table.
    struct Row
    {
        const char* tables; //!< names, separated by blanks
        Kind kind;
        rcc_unit unit; //!< of a quantity
        const char *name, *text;
        int64_t low, high; //!< of a quantity
        const char* help;
        std::vector<std::string> words; //!< of a choice; of a list head and keys of its items
    };

    struct Parameter
    {
        std::string algorithm, field;
        int64_t value;
    };

    static int64_t ReadField(const std::string& name, const std::string& item, const std::string& field, rcc_unit unit,
                             int64_t low, int64_t high);
    void CheckValue(Option& option) const;
    static const std::vector<Row>& GetTable();
    static std::string GetRetired(const std::string& name);
    Option& Declare(const Row& row);
    void ReadDefaults();
    void ReadAttributes();
    std::string GiveToOption(const LabAttributes::Item& item);
    Option& Declare(Kind kind, const std::string& name, const std::string& text, const std::string& help);
    std::vector<char*> TakeTexts(int argc, char* argv[]);
    Option& Find(const std::string& name) const;

    // The file, in lab-options-file.cc
    void ReadFile(const std::string& path);
    void ReadKey(Option& option, const LabJsonValue& value, uint32_t line);
    std::vector<std::string> ReadItems(const Option& option, const LabJsonValue& value);
    std::string ReadItem(const Option& option, const LabJsonValue& value) const;
    [[noreturn]] void FailAt(uint32_t line, const std::string& key, const std::string& found,
                             const std::string& expected) const;
    std::string PutPlace(const std::string& message) const;

    static const LabOptions* s_read; //!< that have a file

    std::vector<std::unique_ptr<Option>> m_options;
    std::vector<Parameter> m_parameters;          //!< of SetDefaultParameter
    std::map<std::string, std::string> m_presets; //!< of SetDefaultPreset, by algorithm
    LabAttributes m_attributes, m_base;
    bool m_acceptsFile{false};
    std::string m_file; //!< its path; empty: there is none
    uint32_t m_line{0}; //!< where its object begins, which lacks what is not there
};

} // namespace ns3

#endif /* LAB_OPTIONS_H */
