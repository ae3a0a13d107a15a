/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef QBB_SPRAY_H
#define QBB_SPRAY_H

#include "ns3/qbb-net-device.h"
#include "ns3/rcc_spray.h"
#include "qbb-routes.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * The choice of a path for each frame in a QbbSwitch, by the rules of rcc_spray.h: a rule for each traffic class, and
 * what it remembers for each route. A switch with ECMP alone has none of this.
 */
class QbbSpray
{
  public:
    /// Rule of a traffic class.
    struct Rule
    {
        rcc_spray_rule rule; //!< the rule, see rcc_spray.h
        bool weighted;       //!< shares follow the rates of the ports
    };

    using Rules = std::array<Rule, QBB_CLASSES>; //!< by class
    using Route = QbbRoutes::Route;              //!< ports to a destination

    /**
     * Read the attribute LoadBalancing.
     * \param text RULE or CLASS:RULE, joined by commas; the last that names a class or none counts
     * \param[out] rules by class; undefined if false is returned
     * \return whether the text is such a list
     */
    static bool Read(const std::string& text, Rules* rules);

    /// \param rules of the classes \return data of some class leaves the path of its flow
    static bool Sprays(const Rules& rules);

    /// \param rules of the classes \return every class has ECMP by hash
    static bool IsEcmp(const Rules& rules);

    /**
     * \param routes of the switch
     * \param rules of the classes
     * \param settings of the rules, but for the rule itself
     * \param salt rcc_path_salt of the switch
     * \param streams stream of the draws of a class
     */
    QbbSpray(const QbbRoutes& routes, const Rules& rules, const rcc_spray_settings& settings, uint64_t salt,
             std::function<uint64_t(uint8_t)> streams);

    /// \return empty, or why the settings cannot be used
    std::string Check() const;

    /// Set where weights come from. \param rates of the ports, bit/s
    void SetRates(const std::vector<uint64_t>& rates)
    {
        m_rates = rates;
    }

    /**
     * Choose a path.
     * \param route to the destination
     * \param cls class of the frame
     * \param frame what the rule wants to know of it
     * \param now ns
     * \return number of the path
     */
    uint32_t Pick(const Route& route, uint8_t cls, const rcc_spray_frame& frame, int64_t now);

    /// The frame of the last Pick took its path. \param now ns
    void Taken(int64_t now)
    {
        rcc_spray_taken(&m_last->spray, m_lastRoute, &m_choice, now);
    }

    /// Begin the choice of every class anew, with the stream that it has now.
    void Forget()
    {
        for (auto& choice : m_classes)
        {
            choice.reset();
        }
    }

  private:
    /// A route with the memory of its weights.
    struct Paths
    {
        rcc_spray_route route;
        std::vector<uint32_t> weights;
    };

    /// The choice of one class, made when its first frame comes.
    struct Class
    {
        rcc_spray_settings settings;
        rcc_spray spray;
        std::vector<rcc_flowlet> table;
        std::vector<std::unique_ptr<Paths>> paths; //!< by the route's index
    };

    Class& GetChoice(uint8_t cls);
    Paths& GetPaths(Class& choice, uint8_t cls, const Route& route);

    const QbbRoutes& m_routes;
    Rules m_rules;
    rcc_spray_settings m_settings;
    uint64_t m_salt;
    std::function<uint64_t(uint8_t)> m_streams;
    std::vector<uint64_t> m_rates;
    uint64_t m_changes; //!< QbbRoutes::GetChanges when the paths in m_classes were begun
    std::unique_ptr<Class> m_classes[QBB_CLASSES];
    Class* m_last{nullptr};                //!< the class of the last Pick
    rcc_spray_route* m_lastRoute{nullptr}; //!< the route of the last Pick
    rcc_spray_choice m_choice{};           //!< the result of the last Pick
};

} // namespace ns3

#endif /* QBB_SPRAY_H */
