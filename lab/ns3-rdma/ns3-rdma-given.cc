/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* config.txt as words: which are keys, and which their values. */
#include "ns3-rdma-given.h"

#include "ns3-rdma-keys.h"
#include "ns3-rdma-reader.h"
#include "ns3/lab-text.h"

#include <algorithm>

namespace ns3
{

namespace
{

using Kind = Ns3RdmaKind;

const size_t MAP_MAX = 1000;
const char CAPITALS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

bool
LooksLikeKey(const std::string& word)
{
    return word.size() >= 3 && word.find_first_not_of(CAPITALS) == std::string::npos &&
           word.find_first_not_of("0123456789_") != std::string::npos;
}

std::string
Upper(std::string word)
{
    std::transform(word.begin(), word.end(), word.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return word;
}

/// Splits config.txt, which is a stream of words in both simulators, into keys and their values.
class KeyReader
{
  public:
    /// \param dialect null: that of the keys
    /// \param warnings gets what is ignored, unknown keys first
    /// \param notes gets what is ignored because it is meant to be
    KeyReader(const std::string& path, const Ns3RdmaDialect* dialect, std::vector<std::string>* warnings,
              std::vector<std::string>* notes)
        : m_path(path),
          m_dialect(dialect),
          m_list(*warnings),
          m_warnings(&m_others),
          m_notes(*notes)
    {
    }

    Ns3RdmaGivenKeys Read()
    {
        LabTextFile file(m_path, "a configuration file with lines of KEY value", RCC_SMALL_FILE);
        for (std::vector<std::string> words; file.NextWords(&words);)
        {
            AddLine(words, file.GetLine());
        }
        Ns3RdmaGivenKeys given;
        for (size_t at = 0; at < m_words.size(); at++)
        {
            const Word& word = m_words[at];
            const Ns3RdmaKey* key = Ns3RdmaFindKey(word.text);
            if (!key)
            {
                SkipUnknown(word);
                continue;
            }
            if (!word.first && m_state == PROSE)
            {
                Warn(word.line,
                     word.text +
                         ": ignored, because its line does not begin with a key; those simulators would read it");
                continue;
            }
            const Ns3RdmaGiven value = ReadValues(*key, &at);
            m_state = KNOWN;
            m_last = key->name + (key->ofNode ? " " + value.words[0] : "");
            const auto old = given.find(m_last);
            if (old != given.end())
            {
                Warn(value.line, m_last + ": given again, line " + std::to_string(old->second.line) + " is ignored");
            }
            given[m_last] = value;
        }
        AddWarnings(given);
        if (given.empty())
        {
            throw LabFileError(m_path +
                               ":1: found no key, expected lines of KEY value such as 'TOPOLOGY_FILE topology.txt'");
        }
        return given;
    }

  private:
    struct Word
    {
        std::string text;
        uint32_t line;
        bool first; //!< of its line
    };

    /// What the words of a line before the present one were.
    enum State
    {
        BLANK,
        KNOWN,
        UNKNOWN,
        PROSE
    };

    /// The words of a line, without what is a comment: in braces, or from # or // behind a word on.
    void AddLine(const std::vector<std::string>& words, uint32_t line)
    {
        bool braces = false;
        for (size_t i = 0; i < words.size(); i++)
        {
            std::string word = words[i];
            const size_t open = braces ? 0 : word.find('{');
            if (open != std::string::npos)
            {
                m_comments += braces ? 0 : 1;
                m_firstComment = m_firstComment ? m_firstComment : line;
                braces = word.find('}', open) == std::string::npos;
                word.resize(open);
            }
            else if (i > 0 && (word[0] == '#' || word.compare(0, 2, "//") == 0))
            {
                m_comments++;
                m_firstComment = m_firstComment ? m_firstComment : line;
                return;
            }
            if (!word.empty())
            {
                m_words.push_back({word, line, i == 0});
            }
        }
    }

    /// What has been ignored: unknown keys, then all else; one note for all comments.
    void AddWarnings(const Ns3RdmaGivenKeys& given)
    {
        std::vector<std::string> original, hpcc;
        const Ns3RdmaDialect detected = Ns3RdmaDialectOf(given, &original, &hpcc);
        const Ns3RdmaDialect dialect = m_dialect ? *m_dialect : detected;
        std::vector<std::string> missing; // what a word may be meant to be
        for (const auto& k : Ns3RdmaKeys())
        {
            if (k.GetDefault(dialect) && !Ns3RdmaGives(given, k.name))
            {
                missing.emplace_back(k.name);
            }
        }
        LabWarnings unknown(&m_list);
        for (const Word& word : m_unknown)
        {
            const char* fork = Ns3RdmaForkKey(word.text);
            const Ns3RdmaKey* key = Ns3RdmaFindKey(Upper(word.text)); // in other letters
            const bool known = key && key->GetDefault(dialect);
            unknown.Add(LabAt(m_path, word.line,
                              fork    ? word.text + ": ignored, a key of forks: " + fork
                              : known ? "ignored the unknown key " + LabShown(word.text) + "; the nearest is '" +
                                            Upper(word.text) + "'"
                                      : "ignored the unknown key " + LabShown(word.text) +
                                            (unknown.HasRoom() ? RccSuggest(Upper(word.text), missing) : "")));
        }
        unknown.Finish(m_path);
        m_warnings.Finish(m_path);
        m_list.insert(m_list.end(), m_others.begin(), m_others.end());
        if (m_comments)
        {
            m_notes.push_back(
                LabAt(m_path, m_firstComment,
                      LabPlural(m_comments, "comment") + " in braces or behind values ignored, here the first"));
        }
    }

    void Warn(uint32_t line, const std::string& text)
    {
        m_warnings.Add(LabAt(m_path, line, text));
    }

    /// A word that is no key and no value of one.
    void SkipUnknown(const Word& word)
    {
        if (!word.first)
        {
            if (m_state == KNOWN)
            {
                m_state = UNKNOWN;
                if (word.text.find_first_of("0123456789") == 0)
                {
                    Warn(word.line, m_last + ": ignored " + LabShown(word.text) + " after the value");
                    return;
                }
                m_comments++;
                m_firstComment = m_firstComment ? m_firstComment : word.line;
            }
            return;
        }
        const bool similar = word.text.size() <= 64 && Ns3RdmaFindKey(Upper(word.text));
        if (LooksLikeKey(word.text) || similar || word.text.compare(0, 5, "ns3::") == 0)
        {
            m_state = UNKNOWN;
            m_unknown.push_back(word);
            return;
        }
        m_state = PROSE;
        if (!m_prose && word.text[0] != '#')
        {
            Warn(word.line, "ignored text that does not begin with a key: " + LabShown(word.text));
            m_prose = true;
        }
    }

    /// The values of a key whose word is at `at`; in the end that of its last value.
    Ns3RdmaGiven ReadValues(const Ns3RdmaKey& key, size_t* at) const
    {
        Ns3RdmaGiven given;
        given.line = m_words[*at].line;
        auto fail = [&](const std::string& found) {
            throw LabFileError(LabAt(m_path, given.line, LabFound(key.name, found, key.GetExpected())));
        };
        const bool pairs = key.kind == Kind::MAP_BYTES || key.kind == Kind::MAP_SHARE || key.kind == Kind::SCHEDULE;
        const size_t first = key.ofNode ? 2 : 1; // values up to the first one that is not the node
        size_t wanted = key.kind == Kind::LINK_DOWN ? 3 : first;
        while (given.words.size() < wanted)
        {
            ++*at;
            const bool end = *at >= m_words.size();
            if (end || Ns3RdmaFindKey(m_words[*at].text))
            {
                const std::string which = wanted > 1 ? " instead of value " + std::to_string(given.words.size() + 1) +
                                                           " of " + std::to_string(wanted)
                                                     : "";
                fail((end ? "the end of the file" : "the key '" + m_words[*at].text + "'") + which);
            }
            given.words.push_back(m_words[*at].text);
            if (given.words.size() == first && pairs)
            {
                uint64_t n = 0;
                if (!RccParseDecimal(given.words.back(), 0, MAP_MAX, &n))
                {
                    fail(LabShown(given.words.back()));
                }
                wanted = first + 2 * n;
            }
        }
        return given;
    }

    std::string m_path, m_last;
    const Ns3RdmaDialect* m_dialect;   //!< null: that of the keys
    std::vector<std::string>& m_list;  //!< gets all warnings in the end
    std::vector<std::string> m_others; //!< that are not about unknown keys
    LabWarnings m_warnings;            //!< of these
    std::vector<std::string>& m_notes;
    std::vector<Word> m_words, m_unknown;
    State m_state{BLANK};
    bool m_prose{false};        //!< has been warned of
    uint64_t m_comments{0};     //!< in braces or behind values
    uint32_t m_firstComment{0}; //!< line of the first; 0: none
};

} // namespace

bool
Ns3RdmaGives(const Ns3RdmaGivenKeys& given, const std::string& name)
{
    const auto it = given.lower_bound(name);
    return it != given.end() && (it->first == name || it->first.compare(0, name.size() + 1, name + " ") == 0);
}

Ns3RdmaDialect
Ns3RdmaDialectOf(const Ns3RdmaGivenKeys& given, std::vector<std::string>* original, std::vector<std::string>* hpcc)
{
    for (const auto& k : Ns3RdmaKeys())
    {
        if (Ns3RdmaGives(given, k.name) && !(k.original && k.hpcc))
        {
            (k.hpcc ? hpcc : original)->emplace_back(k.name);
        }
    }
    return original->size() > hpcc->size() ? Ns3RdmaDialect::ORIGINAL : Ns3RdmaDialect::HPCC;
}

Ns3RdmaGivenKeys
Ns3RdmaReadKeys(const std::string& path, const Ns3RdmaDialect* dialect, std::vector<std::string>* warnings,
                std::vector<std::string>* notes)
{
    return KeyReader(path, dialect, warnings, notes).Read();
}

} // namespace ns3
