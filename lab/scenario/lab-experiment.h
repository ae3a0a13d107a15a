/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_EXPERIMENT_H
#define LAB_EXPERIMENT_H

#include "lab-names.h"
#include "lab-options.h"

#include "ns3/qbb-dscp-map.h"
#include "ns3/rcc-frame.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * A run as data: nodes, links, and flows with what each waits for. All of it is read, and judged, before any of it is
 * built (LabNetwork, LabFlows). The keys are options, in a file or on the command line; lab/doc/testbed.md has them.
 */
struct LabExperiment
{
    /// Links that have everything but their ends in common.
    struct Links
    {
        std::vector<LabPair> pairs;
        uint64_t parallel{1}; //!< links of each pair
        int64_t rate, delay;  //!< bit/s, ns
    };

    /// What flows wait for.
    struct After
    {
        size_t item;   //!< flows that must end first, by index; SIZE_MAX for the beginning of the run
        bool received; //!< their last bytes have arrived; false: they are acknowledged
        int64_t later; //!< how long after that each counts, ns
    };

    /// Flows that have everything but their hosts in common.
    struct Flows
    {
        std::string hosts; //!< the pattern of the pairs
        std::vector<LabPair> pairs;
        int64_t size{0}, start{0}, stop{0}; //!< bytes of a message, 0 = without end; ns, stop 0 = never
        int64_t within{0};                  //!< of which it starts at random after `start`, ns
        int64_t count{0};                   //!< flows in all, over the pairs in turn; 0: one for each pair
        int64_t qps{1};                     //!< queue pairs that a flow is spread over
        int64_t rate{0}, window{0};    //!< offered by each queue pair, bit/s, 0 = all; its bytes in flight, 0 = any
        int64_t messages{1}, think{0}; //!< one after the other, 0 = until the end; ns
        int64_t depth{1};              //!< messages that are posted at a time
        int64_t repeat{1}, every{0};   //!< flows of their own, ns apart
        int64_t cls{-1};               //!< -1: not given
        int64_t dscp{RCC_DSCPS};       //!< RdmaClient::Dscp
        uint64_t ecn{4};               //!< RdmaClient::Ecn
        std::string cc;                //!< empty: the run's
        std::string name;              //!< by which others wait for them; empty: none
        std::vector<After> after;      //!< empty: they start at `start`
        int64_t needs{0};              //!< how many of those must end; 0: all
        int64_t delay{0};              //!< from there to the start, ns

        /// \return how many flows of a run these are
        uint64_t Count() const
        {
            return (count ? static_cast<uint64_t>(count) : pairs.size() * static_cast<uint64_t>(repeat)) *
                   static_cast<uint64_t>(qps);
        }
    };

    std::vector<std::string> nodes; //!< in the order in which they are made
    std::vector<Links> links;
    std::vector<Flows> flows;

    /// Exits with status 2 if something is wrong with it. \param options of the run \return what they say
    static LabExperiment Read(const LabOptions& options);

    /// \param options of the run \return the map of --dscp-map; exits with status 2 if it is none
    static rcc_dscp_map GetDscpMap(const LabOptions& options);

  private:
    void ReadLinks(const LabOptions& options, const std::string& item, std::map<std::string, uint64_t>& ports);
    void ReadNodes(const LabOptions& options);
    void ReadFlows(const LabOptions& options);
    void ReadWaits(const std::vector<std::string>& items, const std::vector<std::string>& after);
    uint64_t ReadAfter(size_t i, const std::string& item, const std::string& text,
                       const std::unordered_map<std::string, size_t>& byName);
};

} // namespace ns3

#endif /* LAB_EXPERIMENT_H */
