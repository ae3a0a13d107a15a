/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "lab-names.h"

#include "lab-options.h"

#include "ns3/lab-text.h"

#include <algorithm>

namespace ns3
{

namespace
{

const size_t NUMBER_MAX = 100000; // in names
const size_t PAIRS_MAX = 1000000; // of a pattern
const char SEPARATORS[] = "-=~";
const char EXPECTED_PAIR[] = "A-B, A=B or A~B, such as h[1-4]-t1";

/// Where the separator is that stands outside of brackets.
size_t
FindOutside(const std::string& text, const std::string& separators)
{
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++)
    {
        depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
        if (depth == 0 && separators.find(text[i]) != std::string::npos)
        {
            return i;
        }
    }
    return std::string::npos;
}

/// Add all names of a pattern.
void
AddNames(const std::string& option, const std::string& pattern, std::vector<std::string>& names)
{
    const size_t open = pattern.find('[');
    const size_t close = pattern.find(']');
    const std::string what = "--" + option + " has '" + pattern + "', expected ";
    LabOptions::FailIf(names.size() < PAIRS_MAX ? "" : what + "at most " + std::to_string(PAIRS_MAX) + " names");
    if (open == std::string::npos && close == std::string::npos)
    {
        LabOptions::FailIf(pattern.empty() || pattern.find_first_of("-=~:*> \t") != std::string::npos
                               ? what + "the name of a node"
                               : "");
        names.push_back(pattern);
        return;
    }
    const size_t dash = pattern.find('-', open == std::string::npos ? 0 : open);
    const size_t slash = std::min(pattern.find('/', open == std::string::npos ? 0 : open), close);
    uint64_t first = 0;
    uint64_t last = 0;
    uint64_t step = 1;
    if (open == std::string::npos || close == std::string::npos || dash > close || slash < dash ||
        !RccParseWhole(pattern.substr(open + 1, dash - open - 1), NUMBER_MAX, &first) ||
        !RccParseWhole(pattern.substr(dash + 1, slash - dash - 1), NUMBER_MAX, &last) || first > last ||
        (slash < close && !RccParseWhole(pattern.substr(slash + 1, close - slash - 1), NUMBER_MAX, &step)) || step == 0)
    {
        LabOptions::Fail(what + "ranges such as h[1-4] or h[0-90/10]");
    }
    for (uint64_t i = first; i <= last; i += step)
    {
        AddNames(option, pattern.substr(0, open) + std::to_string(i) + pattern.substr(close + 1), names);
    }
}

/// \return the least number that both divide
size_t
LeastMultiple(size_t a, size_t b)
{
    size_t x = a;
    size_t y = b;
    while (y)
    {
        const size_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

} // namespace

std::vector<std::string>
LabExpandNames(const std::string& option, const std::string& pattern)
{
    std::vector<std::string> names;
    AddNames(option, pattern, names);
    return names;
}

std::vector<LabPair>
LabExpandPairs(const std::string& option, const std::string& text, size_t most)
{
    const size_t at = FindOutside(text, SEPARATORS);
    LabOptions::FailItemIf(at == std::string::npos, option, text, EXPECTED_PAIR);
    const std::vector<std::string> a = LabExpandNames(option, text.substr(0, at));
    const std::vector<std::string> b = LabExpandNames(option, text.substr(at + 1));
    LabOptions::FailItemIf(text[at] == '=' && b.size() > 1 && a.size() % b.size() != 0, option, text,
                           "as many names left of = as right of it, or a multiple");
    const size_t n = text[at] == '-'   ? a.size() * b.size()
                     : text[at] == '=' ? a.size()
                                       : std::min(LeastMultiple(a.size(), b.size()), most);
    LabOptions::FailItemIf(n > PAIRS_MAX, option, text, "at most " + std::to_string(PAIRS_MAX) + " pairs");
    std::vector<LabPair> pairs;
    pairs.reserve(n);
    for (size_t i = 0; i < n; i++)
    {
        const size_t left = text[at] == '-' ? i / b.size() : text[at] == '=' ? i : i % a.size();
        const size_t right = text[at] == '=' ? i * b.size() / a.size() : i % b.size();
        pairs.emplace_back(a[left], b[right]);
    }
    return pairs;
}

std::vector<LabPair>
LabExpandFlows(const std::string& option, const std::string& text, size_t most)
{
    std::vector<LabPair> pairs = LabExpandPairs(option, text, most);
    const auto same = [](const LabPair& pair) { return pair.first == pair.second; };
    const auto others = std::remove_if(pairs.begin(), pairs.end(), same);
    // a host beside the others of a pattern is what "all to all" means; alone it is a mistake
    LabOptions::FailItemIf(others == pairs.begin() ||
                               (others != pairs.end() && text[FindOutside(text, SEPARATORS)] != '-'),
                           option, text, "two different hosts");
    pairs.erase(others, pairs.end());
    return pairs;
}

} // namespace ns3
