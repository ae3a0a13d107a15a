/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_READER_H
#define NS3_RDMA_READER_H

#include "ns3-rdma-files.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// All that a configuration file and the files it names say.
struct Ns3RdmaInput
{
    Ns3RdmaConfig config;
    Ns3RdmaTopology topology;
    std::vector<Ns3RdmaFlow> flows;    //!< in the file's order
    std::vector<Ns3RdmaFlow> tcpFlows; //!< of TCP_FLOW_FILE
    std::vector<uint32_t> traced;      //!< nodes of TRACE_FILE, ascending
};

/// What a user says over the configuration, before its files are checked against each other.
struct Ns3RdmaOverrides
{
    const Ns3RdmaDialect* dialect{nullptr}; //!< null: the keys tell
    std::string topology, flows;            //!< in place of TOPOLOGY_FILE and FLOW_FILE; empty: those
    bool thresholds{false};                 //!< kmin, kmax and pmax are given elsewhere: the maps need not be complete
};

/**
 * Reads the files of ns3-rdma and of the HPCC simulator (doc/ns3-rdma-keys.md),
 * unchanged. Every function returns "" or what is wrong, in one line:
 * "FILE:LINE: KEY OR COLUMN: found '...', expected ...". Nothing aborts, no file
 * takes memory beyond what its rows are, and what a file says does not depend on
 * the locale: numbers are decimal text that is read exactly.
 *
 *     Ns3RdmaInput input;
 *     const std::string error = Ns3RdmaReader::ReadAll("config.txt", input);
 */
class Ns3RdmaReader
{
  public:
    using Parameters = std::vector<std::pair<std::string, std::string>>;

    static const uint32_t NODES_MAX = 65536; //!< an address and a trace record have 16 bits for a node
    static const uint32_t LINKS_MAX = 10000000;
    static const uint32_t FLOWS_MAX = 10000000;
    static const uint64_t FLOW_BYTES_MAX = 1000000000000000000;
    static const int64_t TIME_MAX = 1000000000000000; //!< ns: 10^6 s

    /// "ns3-rdma" or "hpcc".
    static std::string DialectName(Ns3RdmaDialect dialect);
    /// DialectName's inverse; "original" and "b" are the first, "h" the second.
    static std::string ParseDialect(const std::string& text, Ns3RdmaDialect& dialect);

    /**
     * config.txt alone: the paths in it stay as they are written.
     * \param dialect null: the keys tell
     */
    static std::string ReadConfig(const std::string& path, Ns3RdmaConfig& config,
                                  const Ns3RdmaDialect* dialect = nullptr);

    static std::string ReadTopology(const std::string& path, Ns3RdmaTopology& topology);

    /**
     * Rows of `src dst pg PACKETS start stop` (ns3-rdma), or of `src dst pg dport BYTES start` or
     * `src dst pg BYTES start` (hpcc). Rows after the counted ones are ignored.
     * \param payload bytes of a packet, for PACKETS
     */
    static std::string ReadFlows(const std::string& path, const Ns3RdmaTopology& topology, Ns3RdmaDialect dialect,
                                 uint32_t payload, std::vector<Ns3RdmaFlow>& flows);

    /// Rows of `src dst pg PACKETS start stop`; 0 packets: all that TCP can send until the stop time.
    static std::string ReadTcpFlows(const std::string& path, const Ns3RdmaTopology& topology, uint32_t payload,
                                    std::vector<Ns3RdmaFlow>& flows);

    /// Node ids, ascending, each once; those that the topology does not have are left out with a warning.
    static std::string ReadTrace(const std::string& path, const Ns3RdmaTopology& topology, std::vector<uint32_t>& ids,
                                 std::vector<std::string>& warnings);

    /**
     * Which algorithm a flow has, a file of our own; `#` begins a comment. Lines
     *
     *     default CC      every flow
     *     node N CC       flows whose source is node N, or N-M
     *     flow N CC       the N-th row of the flow file, from 1, or N-M
     *
     * A flow line counts more than a node line, that more than the default; among equals the last.
     */
    static std::string ReadChoices(const std::string& path, const Ns3RdmaTopology& topology,
                                   std::vector<Ns3RdmaFlow>& flows);

    /**
     * What a ConnectX NIC says of its DCQCN: lines `name value`, `name=value` or `name: value`, with the
     * names of sysfs, debugfs (rp_...) or mlxconfig (..._P1).
     * \param[out] parameters of dcqcn, by name, as text that RccParse reads
     */
    static std::string ReadNicParams(const std::string& path, Parameters& parameters, std::vector<std::string>& notes,
                                     std::vector<std::string>& warnings);

    /// Is there a path through switches for every flow? O(nodes + links + flows). \param path of the flow file
    static std::string CheckReachable(const Ns3RdmaTopology& topology, const std::vector<Ns3RdmaFlow>& flows,
                                      const std::string& path);

    /// Do the maps have an entry for every rate at a switch, and kmin <= kmax?
    static std::string CheckThresholds(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology);

    /**
     * The configuration and all files it names, checked against each other. A path is looked up from the
     * working directory, as those simulators do, else from the configuration's folder, else by its base
     * name in that folder; config then has it as found.
     */
    static std::string ReadAll(const std::string& path, Ns3RdmaInput& input,
                               const Ns3RdmaOverrides& over = Ns3RdmaOverrides());

    /// The keys of config.txt as a Markdown table: what doc/ns3-rdma-keys.md has.
    static std::string GetKeyTable();
    /// The same for a NIC's parameters.
    static std::string GetNicTable();

    /// \return empty, or what a core parameter's value should have been
    static std::string CheckParameter(const std::string& algorithm, const std::string& name, const std::string& text);
};

} // namespace ns3

#endif /* NS3_RDMA_READER_H */
