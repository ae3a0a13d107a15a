/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_JSON_H
#define LAB_JSON_H

#include <cstdint>
#include <string>
#include <type_traits>

namespace ns3
{

/// A JSON object or array, written in the order of the calls. Keys of an array's elements are empty.
class LabJson
{
  public:
    /// \param open '{' for an object, '[' for an array
    explicit LabJson(char open = '{') : m_open(open)
    {
    }

    LabJson& Add(const std::string& key, double value)
    {
        return AddRaw(key, Number(value));
    }

    /// Add a whole number of any type.
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type>
    LabJson& Add(const std::string& key, T value)
    {
        static_assert(!std::is_same<T, bool>::value, "AddBool");
        return AddRaw(key, std::to_string(value));
    }

    /// Add a time in seconds. \param ns negative: there is none, null
    LabJson& AddSeconds(const std::string& key, int64_t ns)
    {
        return ns < 0 ? AddNull(key) : Add(key, static_cast<double>(ns) / 1e9);
    }

    LabJson& Add(const std::string& key, const std::string& value)
    {
        return AddRaw(key, Quote(value));
    }

    LabJson& Add(const std::string& key, const LabJson& value)
    {
        return AddRaw(key, value.Str());
    }

    LabJson& AddBool(const std::string& key, bool value)
    {
        return AddRaw(key, value ? "true" : "false");
    }

    LabJson& AddNull(const std::string& key)
    {
        return AddRaw(key, "null");
    }

    /// Add an array. \param values of any type that Add takes
    template <class Values> LabJson& AddList(const std::string& key, const Values& values)
    {
        LabJson list('[');
        for (const auto& value : values)
        {
            list.Add("", value);
        }
        return Add(key, list);
    }

    /// \return whether nothing was added
    bool IsEmpty() const
    {
        return m_out.empty();
    }

    /// \return the text, in one line
    std::string Str() const
    {
        return m_open + m_out + (m_open == '{' ? "}" : "]");
    }

    /// \return a string with quotes and escapes
    static std::string Quote(const std::string& text);
    /// \return nine digits, the same on every platform; null for what is not finite
    static std::string Number(double value);

  private:
    LabJson& AddRaw(const std::string& key, const std::string& value);

    std::string m_out;
    char m_open;
};

} // namespace ns3

#endif /* LAB_JSON_H */
