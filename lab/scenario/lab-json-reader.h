/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_JSON_READER_H
#define LAB_JSON_READER_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A value of a JSON file, and the line where it begins.
struct LabJsonValue
{
    enum class Kind
    {
        NOTHING, //!< null
        FLAG,    //!< true or false
        NUMBER,
        TEXT,
        LIST,
        OBJECT
    };

    /// A key of an object.
    struct Key
    {
        std::string name;
        uint32_t line; //!< from 1
    };

    Kind kind{Kind::NOTHING};
    uint32_t line{0};
    std::string text;                //!< of a text without its quotes; of a number or a flag as it is written
    std::vector<LabJsonValue> items; //!< of a list or an object
    std::vector<Key> keys;           //!< of an object, one for each item

    /// \return whether a text can stand for it: a text, a number, a flag
    bool IsPlain() const
    {
        return kind == Kind::TEXT || kind == Kind::NUMBER || kind == Kind::FLAG;
    }

    /// \return what a message may show of it
    std::string Show() const;
};

/**
 * Read a file of JSON (RFC 8259). An object has a key once; 64 levels at most.
 * \param path of the file, as the user wrote it
 * \return the value; throws LabFileError with file and line where there is none
 */
LabJsonValue LabReadJson(const std::string& path);

} // namespace ns3

#endif /* LAB_JSON_READER_H */
