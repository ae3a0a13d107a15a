/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Options in a file of JSON: reading, places in messages, writing. */
#include "lab-json-reader.h"
#include "lab-json.h"
#include "lab-options.h"

#include "ns3/lab-text.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace ns3
{

namespace
{

/// What a file has even where it is as the default: what a reader wants to know first.
const std::vector<std::string> MAIN = {"scenario", "cc", "rate", "delay", "buffer", "mtu", "time", "seed"};
/// What belongs to one call and not to the experiment.
const std::vector<std::string> OF_CALL = {"out", "check", "print", "progress", "ranks", "defaults"};
bool
Contains(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// A value that names a file with its whole path, as the experiment may be read from another folder.
std::string
WithWholePath(const std::string& option, const std::string& text)
{
    const size_t end = option == "arrivals" ? text.rfind(':') : option == "faults" ? text.size() : 0;
    char whole[PATH_MAX];
    return end && end <= text.size() && realpath(text.substr(0, end).c_str(), whole) ? whole + text.substr(end) : text;
}

/// A value: a whole number as one, anything else as a text.
std::string
WriteValue(const std::string& text)
{
    const bool whole = !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos &&
                       (text == "0" || text[0] != '0');
    return whole ? text : LabJson::Quote(text);
}

/// An item in the form of SetItemKeys, or as it stands where it is no such form.
std::string
WriteItem(const std::string& item, const std::string& head)
{
    const std::vector<std::string> part = LabSplit(item, ':');
    const auto isKey = [](const std::string& p) { return p.find('=') != std::string::npos; };
    if (head.empty() || part.size() < 2 || !std::all_of(part.begin() + 1, part.end(), isKey))
    {
        return LabJson::Quote(item);
    }
    std::string text = "{" + LabJson::Quote(head) + ": " + LabJson::Quote(part[0]);
    for (size_t i = 1; i < part.size(); i++)
    {
        const size_t equal = part[i].find('=');
        text += ", " + LabJson::Quote(part[i].substr(0, equal)) + ": " + WriteValue(part[i].substr(equal + 1));
    }
    return text + "}";
}

/// Items in lines of their own.
std::string
WriteLines(const std::vector<std::string>& items, char open)
{
    const std::string close(1, open == '{' ? '}' : ']');
    return items.size() < 2 ? open + RccJoin(items, "") + close
                            : open + std::string("\n    ") + RccJoin(items, ",\n    ") + "\n  " + close;
}

} // namespace

const LabOptions* LabOptions::s_read = nullptr;

LabOptions::~LabOptions()
{
    s_read = s_read == this ? nullptr : s_read;
}

void
LabOptions::FailAt(uint32_t line, const std::string& key, const std::string& found, const std::string& expected) const
{
    throw LabFileError(LabAt(m_file, line, LabFound(key, found, expected)));
}

void
LabOptions::ReadFile(const std::string& path)
{
    const std::string error = LabErrorOf([&] {
        m_file = path;
        const LabJsonValue file = LabReadJson(path);
        m_line = file.line;
        std::vector<std::string> names;
        for (const auto& o : m_options)
        {
            if (!o->hidden && !Contains(OF_CALL, o->name))
            {
                names.push_back(o->name);
            }
        }
        if (file.kind != LabJsonValue::Kind::OBJECT)
        {
            throw LabFileError(
                LabAt(path, file.line, "found " + file.Show() + ", expected an object with the keys of an experiment"));
        }
        for (size_t i = 0; i < file.items.size(); i++)
        {
            const LabJsonValue::Key& key = file.keys[i];
            if (!Contains(names, key.name))
            {
                const std::string now = GetRetired(key.name);
                throw LabFileError(LabAt(path, key.line,
                                         "found the key " + LabShown(key.name) + ", expected " +
                                             (now.empty() ? "one of lab/doc/testbed.md" + RccSuggest(key.name, names)
                                                          : now + " in its place")));
            }
            ReadKey(Find(key.name), file.items[i], key.line);
        }
    });
    FailIf(error);
    s_read = this; // from here on errors may be about what it says
}

/// The value of one key.
void
LabOptions::ReadKey(Option& o, const LabJsonValue& value, uint32_t line)
{
    if (o.kind == Kind::FLAG)
    {
        if (value.kind != LabJsonValue::Kind::FLAG)
        {
            FailAt(value.line, o.name, value.Show(), "true or false");
        }
        o.flag = value.text == "true";
    }
    else if (o.kind == Kind::LIST)
    {
        o.items = ReadItems(o, value);
        o.text = RccJoin(o.items, ",");
        for (size_t i = 0; i < o.items.size(); i++)
        {
            o.lines.push_back(value.items.empty() ? value.line : value.items[i].line);
        }
    }
    else
    {
        if (!value.IsPlain())
        {
            FailAt(value.line, o.name, value.Show(), o.kind == Kind::TEXT ? "a text" : "a text or a number");
        }
        o.text = value.text;
    }
    o.line = line;
}

std::vector<std::string>
LabOptions::ReadItems(const Option& o, const LabJsonValue& value)
{
    std::vector<std::string> items;
    const bool pairs =
        value.kind == LabJsonValue::Kind::OBJECT && (o.name == "attr" || o.name == "base" || o.name == "set");
    if (!pairs && value.kind != LabJsonValue::Kind::LIST && !value.IsPlain())
    {
        FailAt(value.line, o.name, value.Show(), "a list");
    }
    for (size_t i = 0; i < value.items.size(); i++)
    {
        if (pairs && !value.items[i].IsPlain())
        {
            FailAt(value.items[i].line, value.keys[i].name, value.items[i].Show(), "a text or a number");
        }
        items.push_back(pairs ? value.keys[i].name + "=" + value.items[i].text : ReadItem(o, value.items[i]));
    }
    return value.IsPlain() ? std::vector<std::string>(1, value.text) : items;
}

/// One item of a list: a text, or an object of SetItemKeys.
std::string
LabOptions::ReadItem(const Option& o, const LabJsonValue& value) const
{
    if (value.IsPlain() && (o.name == "attr" || o.name == "base" || value.text.find(',') == std::string::npos) &&
        !value.text.empty())
    {
        return value.text;
    }
    if (value.kind != LabJsonValue::Kind::OBJECT || o.head.empty())
    {
        FailAt(value.line, o.name, value.Show(),
               o.head.empty() ? "texts without commas" : "texts without commas, or objects");
    }
    std::string first;
    std::string rest;
    for (size_t i = 0; i < value.items.size(); i++)
    {
        const LabJsonValue& item = value.items[i];
        const std::string& key = value.keys[i].name;
        if (key != o.head && !Contains(o.keys, key))
        {
            throw LabFileError(LabAt(m_file, value.keys[i].line,
                                     "found the key " + LabShown(key) + ", expected one of " + o.name + ": " + o.head +
                                         " " + RccJoin(o.keys, " ") + RccSuggest(key, o.keys)));
        }
        if (!item.IsPlain() || item.text.empty() || item.text.find_first_of(":,") != std::string::npos)
        {
            FailAt(item.line, key, item.Show(), "a text without commas and colons, or a number");
        }
        (key == o.head ? first : rest) += key == o.head ? item.text : ":" + key + "=" + item.text;
    }
    if (first.empty())
    {
        FailAt(value.line, o.name, "an object without " + LabShown(o.head), "that key in each");
    }
    return first + rest;
}

/// Put file and line before a message about a value of the file: "--rate is 'x', expected" becomes
/// "FILE:3: rate: found 'x', expected".
std::string
LabOptions::PutPlace(const std::string& message) const
{
    const size_t dashes = message.find("--");
    const size_t end = std::min(message.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", dashes), message.size());
    const std::string name = dashes == std::string::npos ? "" : message.substr(dashes + 2, end - dashes - 2);
    const size_t open = message.find('\'', Has(name) ? end : 0);
    const size_t close = open == std::string::npos ? open : message.find('\'', open + 1);
    const std::string quoted = close == std::string::npos ? "" : message.substr(open + 1, close - open - 1);
    if (!Has(name))
    {
        const auto said = std::find_if(m_options.begin(), m_options.end(), [&](const std::unique_ptr<Option>& o) {
            return o->line > 0 && !quoted.empty() && o->text == quoted;
        });
        return said == m_options.end() ? message : LabAt(m_file, (*said)->line, (*said)->name + ": " + message);
    }
    if (Find(name).line == 0) // neither there nor, perhaps, on the command line
    {
        return Find(name).given || dashes > 0 ? message : LabAt(m_file, m_line, message.substr(2));
    }
    const Option& o = Find(name);
    uint32_t line = o.line;
    for (size_t i = o.items.size(); i-- > 0 && !quoted.empty();) // the first item that has what the message quotes
    {
        line = o.items[i].find(quoted) != std::string::npos ? o.lines[i] : line;
    }
    std::string rest = message.substr(end);
    for (const char* verb : {" is '", " has '", " names '"})
    {
        rest = rest.compare(0, std::string(verb).size(), verb) == 0
                   ? ": found '" + rest.substr(std::string(verb).size())
                   : rest;
    }
    std::string before = message.substr(0, dashes);
    for (size_t at = rest.find("--"); at != std::string::npos; at = rest.find("--", at))
    {
        rest.erase(at, 2); // keys have no dashes
    }
    return LabAt(m_file, line, before + name + rest);
}

std::string
LabOptions::GetFileText() const
{
    std::vector<std::string> lines;
    for (const auto& o : m_options)
    {
        const bool changed = o->kind == Kind::FLAG ? o->flag : o->text != o->declared;
        if (o->hidden || Contains(OF_CALL, o->name) || o->forwarded || (!changed && !Contains(MAIN, o->name)))
        {
            continue;
        }
        std::string value = WriteValue(WithWholePath(o->name, o->text));
        std::vector<std::string> items;
        if (o->kind == Kind::FLAG)
        {
            value = "true";
        }
        else if (o->name == "attr" || o->name == "base")
        {
            for (const auto& item : (o->name == "attr" ? m_attributes : m_base).GetItems())
            {
                items.push_back(LabJson::Quote(item.GetShort()) + ": " + WriteValue(item.value));
            }
            value = WriteLines(items, '{');
        }
        else if (o->name == "set")
        {
            for (const auto& item : LabSplit(o->text, ','))
            {
                const size_t equal = std::min(item.find('='), item.size() - 1);
                items.push_back(LabJson::Quote(item.substr(0, equal)) + ": " + WriteValue(item.substr(equal + 1)));
            }
            value = WriteLines(items, '{');
        }
        else if (o->kind == Kind::LIST)
        {
            for (const auto& item : LabSplit(o->text, ','))
            {
                items.push_back(WriteItem(item, o->head));
            }
            value = WriteLines(items, '[');
        }
        lines.push_back("  " + LabJson::Quote(o->name) + ": " + value);
    }
    return "{\n" + RccJoin(lines, ",\n") + "\n}\n";
}

} // namespace ns3
