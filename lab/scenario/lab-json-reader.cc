/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-json-reader.h"

#include "ns3/lab-text.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

namespace
{

const uint64_t FILE_BYTES_MAX = 1 << 28; // ten million flows in short form
const uint32_t DEPTH_MAX = 64;

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The digits of a hexadecimal number. \return its value, -1 if a character is none
int
HexOf(const std::string& digits)
{
    int value = 0;
    for (char c : digits)
    {
        const char* const known = "0123456789abcdef";
        const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
        const char* const at = lower ? std::strchr(known, lower) : nullptr;
        if (!at)
        {
            return -1;
        }
        value = value * 16 + static_cast<int>(at - known);
    }
    return digits.size() == 4 ? value : -1;
}

/// A character in UTF-8. \param code below 0x110000
std::string
Utf8Of(uint32_t code)
{
    if (code < 0x80)
    {
        return std::string(1, static_cast<char>(code));
    }
    std::string rest;
    uint32_t limit = 0x40; // what the first byte has room for
    while (code >= limit)
    {
        rest.insert(rest.begin(), static_cast<char>(0x80 | (code & 0x3f)));
        code >>= 6;
        limit = limit == 0x40 ? 0x20 : limit / 2;
    }
    return static_cast<char>(0xff & (~(2 * limit - 1) | code)) + rest;
}

/// Reads the text of one file.
class Parser
{
  public:
    explicit Parser(const std::string& path) : m_path(path)
    {
        LabTextFile file(path, "a file of JSON", FILE_BYTES_MAX);
        for (std::string line; file.NextLine(&line);)
        {
            m_text += line + '\n';
        }
    }

    LabJsonValue ReadAll()
    {
        LabJsonValue value = ReadValue(0);
        FailIf(Peek() != '\0', "the end of the file");
        return value;
    }

  private:
    [[noreturn]] void Fail(const std::string& found, const std::string& expected) const
    {
        throw LabFileError(LabAt(m_path, m_line, "found " + found + ", expected " + expected));
    }

    void FailIf(bool wrong, const std::string& expected) const
    {
        if (wrong)
        {
            const size_t end = std::min(m_text.find_first_of("\n", m_at), m_at + 20);
            Fail(m_at < m_text.size() ? LabShown(m_text.substr(m_at, std::max<size_t>(end - m_at, 1))) : "the end",
                 expected);
        }
    }

    /// \return the next character that is no blank, 0 at the end
    char Peek()
    {
        for (; m_at < m_text.size() && std::strchr(" \t\r\n", m_text[m_at]); m_at++)
        {
            m_line += m_text[m_at] == '\n' ? 1 : 0;
        }
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    LabJsonValue ReadValue(uint32_t depth)
    {
        FailIf(depth > DEPTH_MAX, "at most " + std::to_string(DEPTH_MAX) + " levels");
        const char first = Peek();
        LabJsonValue value;
        value.line = m_line;
        if (first == '{' || first == '[')
        {
            ReadItems(value, depth, first == '{');
            return value;
        }
        if (first == '"')
        {
            value.kind = LabJsonValue::Kind::TEXT;
            value.text = ReadText();
            return value;
        }
        FailIf(first != '-' && !IsDigit(first) && (first < 'a' || first > 'z'),
               "a value: text, number, list or object");
        const size_t end = m_text.find_first_of(" \t\r\n,:]}", m_at);
        value.text = m_text.substr(m_at, end - m_at);
        const bool flag = value.text == "true" || value.text == "false";
        value.kind = flag ? LabJsonValue::Kind::FLAG : LabJsonValue::Kind::NUMBER;
        if (value.text == "null")
        {
            value.kind = LabJsonValue::Kind::NOTHING;
        }
        else
        {
            FailIf(!flag && !IsNumber(value.text), "a value: texts have quotes");
        }
        m_at = end;
        return value;
    }

    /// As JSON has numbers: no sign +, no leading zero, no point at an end.
    static bool IsNumber(const std::string& text)
    {
        size_t at = text[0] == '-' ? 1 : 0;
        const auto digits = [&] {
            const size_t from = at;
            for (; at < text.size() && IsDigit(text[at]); at++)
            {
            }
            return at > from;
        };
        const bool zero = at < text.size() && text[at] == '0';
        bool good = digits() && !(zero && at > (text[0] == '-' ? 2u : 1u));
        if (good && at < text.size() && text[at] == '.')
        {
            at++;
            good = digits();
        }
        if (good && at < text.size() && (text[at] == 'e' || text[at] == 'E'))
        {
            at += at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 2 : 1;
            good = digits();
        }
        return good && at == text.size();
    }

    void ReadItems(LabJsonValue& value, uint32_t depth, bool object)
    {
        value.kind = object ? LabJsonValue::Kind::OBJECT : LabJsonValue::Kind::LIST;
        const char close = object ? '}' : ']';
        m_at++;
        while (Peek() != close || !value.items.empty())
        {
            if (object)
            {
                ReadKey(value);
            }
            value.items.push_back(ReadValue(depth + 1));
            if (Peek() == close)
            {
                break;
            }
            FailIf(Peek() != ',', std::string("a comma or ") + close);
            m_at++;
        }
        m_at++;
    }

    void ReadKey(LabJsonValue& value)
    {
        FailIf(Peek() != '"', "a key in quotes");
        const uint32_t line = m_line;
        const std::string name = ReadText();
        for (const auto& key : value.keys)
        {
            if (key.name == name)
            {
                Fail("the key " + LabShown(name) + " again", "it once, as in line " + std::to_string(key.line));
            }
        }
        value.keys.push_back({name, line});
        FailIf(Peek() != ':', "a colon after a key");
        m_at++;
    }

    std::string ReadText()
    {
        std::string text;
        for (m_at++; m_text[m_at] != '"'; m_at++)
        {
            const size_t from = m_at; // of what stands for itself, most of a file
            while (static_cast<unsigned char>(m_text[m_at]) >= ' ' && m_text[m_at] != '"' && m_text[m_at] != '\\')
            {
                m_at++;
            }
            text.append(m_text, from, m_at - from);
            if (m_text[m_at] == '"')
            {
                break;
            }
            FailIf(m_text[m_at] != '\\', "a quote at the end of the text");
            text += ReadEscape();
        }
        m_at++;
        return text;
    }

    /// One escape of a text; m_at becomes its last character.
    std::string ReadEscape()
    {
        const char name = m_text[m_at + 1];
        const char* const names = "\"\\/bfnrt";
        const char* const known = name ? std::strchr(names, name) : nullptr;
        if (known)
        {
            m_at++;
            return std::string(1, "\"\\/\b\f\n\r\t"[known - names]);
        }
        int code = name == 'u' ? HexOf(m_text.substr(m_at + 2, 4)) : -1;
        FailIf(code <= 0, "an escape of JSON");
        m_at += 5;
        if (code >= 0xd800 && code < 0xdc00) // the first half of a character of UTF-16
        {
            const bool pair = m_text.compare(m_at + 1, 2, "\\u") == 0;
            const int low = pair ? HexOf(m_text.substr(m_at + 3, 4)) : -1;
            FailIf(low < 0xdc00 || low > 0xdfff, "the second half of a character");
            m_at += 6;
            return Utf8Of(0x10000 + (static_cast<uint32_t>(code - 0xd800) << 10) + static_cast<uint32_t>(low - 0xdc00));
        }
        if (code >= 0xdc80 && code <= 0xdcff) // a byte of a name that is no UTF-8, as LabJson::Quote writes it
        {
            return std::string(1, static_cast<char>(code - 0xdc00));
        }
        return Utf8Of(static_cast<uint32_t>(code));
    }

    std::string m_path, m_text;
    size_t m_at{0};
    uint32_t m_line{1};
};

} // namespace

std::string
LabJsonValue::Show() const
{
    switch (kind)
    {
    case Kind::NOTHING:
        return "null";
    case Kind::LIST:
        return "a list";
    case Kind::OBJECT:
        return "an object";
    default:
        return LabShown(text);
    }
}

LabJsonValue
LabReadJson(const std::string& path)
{
    return Parser(path).ReadAll();
}

} // namespace ns3
