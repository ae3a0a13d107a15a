/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_ATTRIBUTES_H
#define LAB_ATTRIBUTES_H

#include "lab-json.h"

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{

/// What `--attr TYPE.NAME=VALUE` asks for: defaults of attributes of any registered TypeId, checked by ns-3's checkers.
class LabAttributes
{
  public:
    /// One attribute that is asked for.
    struct Item
    {
        std::string text;        //!< as it is given
        TypeId tid;              //!< that declares the attribute: a parent, where it is inherited
        std::string name;        //!< of the attribute
        std::string value, type; //!< as text, and the type that ns-3 reads it as
        std::string option;      //!< that sets it in place of the default; empty: none

        /// \return "QbbSwitch.EgressAlpha", as messages and tables name it
        std::string GetShort() const;
    };

    /**
     * Read a list, whose items are separated by commas; what has no TYPE.NAME= belongs to the value before it.
     * \param text of the option
     * \return what is wrong, without the option's name, or empty
     */
    std::string Read(const std::string& text);

    /// \return what is asked for, in the order of the command line
    const std::vector<Item>& GetItems() const
    {
        return m_items;
    }

    /// \param name "QbbSwitch.EgressAlpha" \return what is asked for it; null: nothing
    const Item* Find(const std::string& name) const;

    /// \param type without ns3:: \param name of its attribute, a whole number \return its default, as it is set now
    static uint64_t GetDefault(const std::string& type, const std::string& name);

    /**
     * Judge a type, attribute and value by what ns-3 has registered.
     * \param type without ns3::
     * \param item with name and value; gets the type that declares the attribute
     * \param hint gets the nearest name, or what is expected as value
     * \return empty, or what is wrong: type, parameter, of-flows, attribute, no-text or value
     */
    static std::string Judge(const std::string& type, Item& item, std::string* hint);

    /// Leave an item to the option that stands for it. \param i index \param option its name
    void Forward(size_t i, const std::string& option)
    {
        m_items[i].option = option;
    }

    /// Make the defaults, and have helpers keep them. After a program's own Config::SetDefault it is called again.
    void Apply() const;

    /// \param item one attribute \return the options that set it, as far as a program has them
    static std::vector<std::string> GetOptions(const Item& item);

    /// \param item one attribute \return its value as an option of that quantity has it
    static std::string GetQuantity(const Item& item);

    /// \return every registered type with attributes of its own: type, group, and name, default, value, help of each
    static LabJson Describe();

  private:
    std::string ReadItem(const std::string& text);

    std::vector<Item> m_items;
};

} // namespace ns3

#endif /* LAB_ATTRIBUTES_H */
