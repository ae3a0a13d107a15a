/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "qbb-spray.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/// Names of the rules.
const struct
{
    const char* name;
    QbbSpray::Rule rule;
} RULES[] = {{"ecmp", {RCC_SPRAY_FLOW, false}},
             {"weighted", {RCC_SPRAY_FLOW, true}},
             {"round-robin", {RCC_SPRAY_ROUND, false}},
             {"random", {RCC_SPRAY_RANDOM, false}},
             {"weighted-random", {RCC_SPRAY_RANDOM, true}},
             {"least-queue", {RCC_SPRAY_LEAST, false}},
             {"flowlet", {RCC_SPRAY_FLOWLETS, false}},
             {"weighted-flowlet", {RCC_SPRAY_FLOWLETS, true}},
             {"first", {RCC_SPRAY_FIRST, false}}};

} // namespace

bool
QbbSpray::Read(const std::string& text, Rules* rules)
{
    rules->fill(Rule{RCC_SPRAY_FLOW, false});
    std::istringstream items(text + ",");
    std::string item;
    while (std::getline(items, item, ','))
    {
        const bool one = item.size() > 2 && item[1] == ':';
        if (one && (item[0] < '0' || item[0] > '7'))
        {
            return false;
        }
        const std::string name = one ? item.substr(2) : item;
        const auto found =
            std::find_if(std::begin(RULES), std::end(RULES), [&](decltype(RULES[0]) r) { return name == r.name; });
        if (found == std::end(RULES))
        {
            return false;
        }
        const size_t first = one ? static_cast<size_t>(item[0] - '0') : 0;
        std::fill(rules->begin() + first, one ? rules->begin() + first + 1 : rules->end(), found->rule);
    }
    return true;
}

bool
QbbSpray::Sprays(const Rules& rules)
{
    return std::any_of(rules.begin(), rules.end(),
                       [](const Rule& r) { return r.rule != RCC_SPRAY_FLOW && r.rule != RCC_SPRAY_FIRST; });
}

bool
QbbSpray::IsEcmp(const Rules& rules)
{
    return std::none_of(rules.begin(), rules.end(),
                        [](const Rule& r) { return r.rule != RCC_SPRAY_FLOW || r.weighted; });
}

QbbSpray::QbbSpray(const QbbRoutes& routes, const Rules& rules, const rcc_spray_settings& settings, uint64_t salt,
                   std::function<uint64_t(uint8_t)> streams)
    : m_routes(routes),
      m_rules(rules),
      m_settings(settings),
      m_salt(salt),
      m_streams(std::move(streams)),
      m_changes(routes.GetChanges())
{
}

std::string
QbbSpray::Check() const
{
    for (const Rule& rule : m_rules)
    {
        rcc_spray_settings settings = m_settings;
        settings.rule = rule.rule;
        const char* wrong = rcc_spray_check(&settings);
        if (wrong)
        {
            return wrong;
        }
    }
    return "";
}

QbbSpray::Class&
QbbSpray::GetChoice(uint8_t cls)
{
    std::unique_ptr<Class>& choice = m_classes[cls];
    if (!choice)
    {
        choice.reset(new Class);
        choice->settings = m_settings;
        choice->settings.rule = m_rules[cls].rule;
        choice->table.resize(m_rules[cls].rule == RCC_SPRAY_FLOWLETS ? m_settings.flowlets : 0);
        rcc_spray_init(&choice->spray, &choice->settings, m_salt, m_streams(cls), choice->table.data());
    }
    return *choice;
}

/// Return the memory of a class for a route.
QbbSpray::Paths&
QbbSpray::GetPaths(Class& choice, uint8_t cls, const Route& route)
{
    const size_t index = m_routes.GetIndex(route);
    if (choice.paths.size() <= index)
    {
        choice.paths.resize(index + 1);
    }
    std::unique_ptr<Paths>& paths = choice.paths[index];
    if (!paths)
    {
        paths.reset(new Paths{{route.count, nullptr, 0, {}}, {}});
        uint64_t most = 0;
        for (uint32_t i = 0; m_rules[cls].weighted && i < route.count; i++)
        {
            most = std::max(most, m_rates[m_routes.GetPort(route, i)]);
        }
        for (uint32_t i = 0; m_rules[cls].weighted && i < route.count; i++)
        {
            paths->weights.push_back(rcc_spray_weight(m_rates[m_routes.GetPort(route, i)], most));
        }
        paths->route.weights = paths->weights.empty() ? nullptr : paths->weights.data();
    }
    return *paths;
}

uint32_t
QbbSpray::Pick(const Route& route, uint8_t cls, const rcc_spray_frame& frame, int64_t now)
{
    if (m_changes != m_routes.GetChanges())
    {
        for (auto& choice : m_classes)
        {
            if (choice)
            {
                choice->paths.clear();
            }
        }
        m_changes = m_routes.GetChanges();
    }
    m_last = &GetChoice(cls);
    m_lastRoute = &GetPaths(*m_last, cls, route).route;
    rcc_spray_pick(&m_last->spray, m_lastRoute, &frame, now, &m_choice);
    return m_choice.path;
}

} // namespace ns3
