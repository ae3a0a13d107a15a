/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* What people write as options becomes a run file, and what is wrong with it a sentence. */
#ifndef LAB_FRONT_H
#define LAB_FRONT_H

#include "lab-experiment.h"
#include "lab-options.h"
#include "lab-words.h"
#include "run-file.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The ports of a run file's nodes by the names of both ends.
class LabFrontPorts
{
  public:
    /// \param file with all nodes and links; outlives this
    explicit LabFrontPorts(const RunFile& file);

    /// \param name of a node \return its number; RUN_NONE: there is none
    uint32_t FindNode(const std::string& name) const;

    /// \param option for messages \param name of a host; exits with status 2 if there is none \return its number
    uint32_t GetHost(const std::string& option, const std::string& name) const;

    /// \param option for messages \param from name of a switch \param to name of its neighbour
    /// \return its ports towards it, in the links' order; exits with status 2 if there are none
    std::vector<RunNamedPort> GetPorts(const std::string& option, const std::string& from, const std::string& to) const;

    /// \param option for messages \param item SWITCH>NODE \return the ports that it means
    std::vector<RunNamedPort> Find(const std::string& option, const std::string& item) const;

    /// \param host number of a host \return name of the node on its first port; empty: it has no link
    std::string GetNeighbour(uint32_t host) const;

    /// \param node number of a node \return how many ports it has
    uint32_t CountPorts(uint32_t node) const
    {
        return static_cast<uint32_t>(m_links[node].size());
    }

    /// \return rate at which a host can send, over all its ports, on average, bit/s
    uint64_t GetHostRate() const;

    /// \return numbers of the hosts
    const std::vector<uint32_t>& GetHosts() const
    {
        return m_hosts;
    }

  private:
    const RunFile& m_file;
    std::vector<std::vector<uint32_t>> m_links;           //!< by node: its ports' links
    std::vector<std::pair<uint32_t, uint32_t>> m_portsOf; //!< by link: the ports at its ends
    std::vector<uint32_t> m_byName;                       //!< the nodes in the order of their names
    std::vector<uint32_t> m_hosts;
};

/// Reads the options of a run into a run file.
class LabFront
{
  public:
    /// \param options that were parsed; outlive this
    explicit LabFront(const LabOptions& options) : m_options(options)
    {
    }

    /// What every run has, but for captures and attributes. Exits with status 2 if something is wrong.
    void ReadRun();

    /// The attributes of --rto and --retry-limit, and those of --nic.
    void ReadTimeouts();
    void ReadNic();

    /// Add a default. \param type without ns3:: \param attribute of it \param value as ns-3 reads it
    void AddDefault(const std::string& type, const std::string& attribute, const std::string& value);

    /// The ports to capture, once nodes and links are there.
    void ReadCaptures();

    /// The attributes of --base and --attr, which come last.
    void ReadAttributes();

    /// Everything, of an experiment. \param experiment read from the options
    void ReadExperiment(const LabExperiment& experiment);

    /// \param option that lists classes \return them; exits with status 2 if one is no class
    static std::vector<uint8_t> GetClasses(const LabOptions& options, const std::string& option);

    /// \param algorithm any \return its record
    static RunAlgorithm RecordOf(const RccAlgorithm& algorithm);

    /// Say what a RunError means in the words of the options, and exit with status 2.
    [[noreturn]] void Fail(const RunError& error) const;

    /// Run the file. \return exit status of the program
    int Run();

    /// Write the file. \param path of it \return exit status of the program
    int Write(const std::string& path) const;

    /// Take --write-run=FILE out of the words. \return FILE; empty: there is none
    static std::string TakeWriteRun(int* argc, char* argv[]);

    RunFile file;
    LabWords words;
    LabAsked asked;

  private:
    void ReadWords();
    void ReadWindow();
    void ReadGuard();
    void ReadFaults();
    [[noreturn]] void FailRanks(const RunError& error) const;

    // Of an experiment
    void RefuseIdle(bool plain) const;
    void ReadNetwork(const LabExperiment& experiment);
    void ReadNetworkAttributes();
    void ReadTcpAttributes();
    void ReadMarkers();
    void ScaleThresholds();
    void ReadPolicers(const LabFrontPorts& ports);
    void ReadFlows(const LabExperiment& experiment, const LabFrontPorts& ports, bool groups);
    void ReadWaits(const LabExperiment& experiment, const std::vector<std::pair<uint32_t, uint32_t>>& numbers);
    void ReadArrivals(const LabFrontPorts& ports);
    void ReadIncasts(const LabFrontPorts& ports);
    uint64_t ReadLoad(const std::string& option, const std::string& item, const std::string& text) const;
    void ReadCollective(const LabFrontPorts& ports);
    void ReadWatch(const std::string& receiver, const LabFrontPorts& ports, bool recorder);
    void ReadSteps(const LabFrontPorts& ports);
    uint64_t ReadRate(const std::string& option, const std::string& item, const std::string& text) const;
    void ReadEndPoints(const LabFrontPorts& ports);
    void ReadTcp(const LabFrontPorts& ports);

    const LabOptions& m_options;
};

/// \param argc of main \param argv of main \return exit status of the program `experiment`
int LabRunExperiment(int argc, char* argv[]);

} // namespace ns3

#endif /* LAB_FRONT_H */
