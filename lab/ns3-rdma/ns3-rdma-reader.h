/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_READER_H
#define NS3_RDMA_READER_H

#include "ns3-rdma-files.h"

#include "ns3/rcc.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A configuration file and the files that it names, as read.
struct Ns3RdmaInput
{
    Ns3RdmaConfig config;              //!< config.txt
    Ns3RdmaTopology topology;          //!< TOPOLOGY_FILE
    std::vector<Ns3RdmaFlow> flows;    //!< in the file's order
    std::vector<Ns3RdmaFlow> tcpFlows; //!< of TCP_FLOW_FILE
    std::vector<uint32_t> traced;      //!< nodes of TRACE_FILE, ascending
};

/// What replaces parts of the configuration before its files are checked against each other.
struct Ns3RdmaOverrides
{
    const Ns3RdmaDialect* dialect{nullptr}; //!< null: detected from the keys present in config.txt
    std::string topology;                   //!< in place of TOPOLOGY_FILE; empty: that
    std::string flows;                      //!< in place of FLOW_FILE; empty: that
    bool thresholds{false};                 //!< kmin, kmax and pmax are given elsewhere: the maps need not be complete
    std::set<std::string> keys;             //!< whose values are given elsewhere: what the file has is not looked at
    int64_t stop{-1};                       //!< ns, in place of SIMULATOR_STOP_TIME; -1: that
};

/**
 * Reads the files of ns3-rdma and of the HPCC simulator (lab/doc/ns3-rdma-keys.md),
 * unchanged. Every function returns "" or what is wrong, in one line:
 * "FILE:LINE: KEY OR COLUMN: found '...', expected ...". Nothing aborts, no file
 * takes memory beyond that of its rows, and the result does not depend on the
 * locale: numbers are decimal text that is read exactly.
 *
 *     Ns3RdmaInput input;
 *     const std::string error = Ns3RdmaReader::ReadAll("config.txt", input);
 */
class Ns3RdmaReader
{
  public:
    static const uint32_t NODES_MAX = 65536;    //!< an address and a trace record have 16 bits for a node
    static const uint32_t LINKS_MAX = 10000000; //!< links of a topology
    static const uint32_t FLOWS_MAX = 10000000; //!< rows of a flow file
    static const uint64_t FLOW_BYTES_MAX = 1000000000000000000; //!< payload of a flow
    static const int64_t TIME_MAX = 1000000000000000;           //!< ns: 10^6 s
    static const uint64_t SECONDS_MAX = TIME_MAX / 1000000000;  //!< s

    /// \param dialect a simulator \return "ns3-rdma" or "hpcc"
    static std::string DialectName(Ns3RdmaDialect dialect);
    /**
     * The reverse of DialectName.
     * \param text "ns3-rdma", "original" or "b"; "hpcc" or "h"
     * \param[out] dialect the simulator
     * \return empty, or what is wrong
     */
    static std::string ParseDialect(const std::string& text, Ns3RdmaDialect& dialect);

    /**
     * Read config.txt alone: the paths in it stay as they are written.
     * \param path of the file
     * \param[out] config what the file says
     * \param dialect null: detected from the keys present
     * \param given keys whose values are given elsewhere: those of the file are not looked at
     * \return empty, or what is wrong
     */
    static std::string ReadConfig(const std::string& path, Ns3RdmaConfig& config,
                                  const Ns3RdmaDialect* dialect = nullptr,
                                  const std::set<std::string>& given = std::set<std::string>());

    /**
     * Note the keys that are parameters of algorithms, but of none that runs, and in one note those of which something
     * else was asked for; with what else goes by the algorithms that run, of thresholds and of TIMELY. Call it once,
     * when the algorithms are known. \param[in,out] config as read \param algorithms that flows have \param asked by
     * algorithm: what was asked for in place of its keys, for the note
     */
    static void NoteKeys(Ns3RdmaConfig& config, const std::set<std::string>& algorithms,
                         const std::map<std::string, std::string>& asked = std::map<std::string, std::string>());

    /// \param path of the file \param[out] topology what it says \return empty, or what is wrong
    static std::string ReadTopology(const std::string& path, Ns3RdmaTopology& topology);

    /**
     * Rows of `src dst pg PACKETS start stop` (ns3-rdma), or of `src dst pg dport BYTES start` or
     * `src dst pg BYTES start` (hpcc). Rows after the counted ones are ignored. TCP_FLOW_FILE is of the first form; 0
     * packets are without end until the stop time.
     * \param path of the file
     * \param topology has the nodes
     * \param dialect the simulator whose rows they are
     * \param payload bytes of a packet, for PACKETS
     * \param[out] flows the rows
     * \return empty, or what is wrong
     */
    static std::string ReadFlows(const std::string& path, const Ns3RdmaTopology& topology, Ns3RdmaDialect dialect,
                                 uint32_t payload, std::vector<Ns3RdmaFlow>& flows);

    /**
     * Read TRACE_FILE.
     * \param path of the file
     * \param topology has the nodes; others are left out with a warning
     * \param[out] ids ascending, each once
     * \param[out] warnings gets one, if there is one
     * \return empty, or what is wrong
     */
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
     * \param path of the file
     * \param topology has the nodes
     * \param[in,out] flows get their algorithms
     * \return empty, or what is wrong
     */
    static std::string ReadChoices(const std::string& path, const Ns3RdmaTopology& topology,
                                   std::vector<Ns3RdmaFlow>& flows);

    /**
     * The DCQCN parameters of a ConnectX NIC as its tools print them: lines `name value`, `name=value` or
     * `name: value`, with the names of sysfs, debugfs (rp_...), mlxconfig (..._P1) or Windows (DcQcn...); or its QCN
     * parameters, as mlnx_qcn lists them.
     * \param path of the file
     * \param[out] parameters of dcqcn, or of qcn
     * \param[out] notes gets a line for each parameter without effect
     * \param[out] warnings gets a line for each unknown or repeated parameter
     * \param[out] algorithm "dcqcn" or "qcn"; null: only dcqcn is wanted
     * \param[out] places "FILE:LINE: NAME" that set each parameter; may be null
     * \return empty, or what is wrong
     */
    static std::string ReadNicParams(const std::string& path, Ns3RdmaParameters& parameters,
                                     std::vector<std::string>& notes, std::vector<std::string>& warnings,
                                     std::string* algorithm = nullptr,
                                     std::map<std::string, std::string>* places = nullptr);

    /**
     * Check that there is a path through switches for every flow, in O(nodes + links + flows).
     * \param topology of the nodes
     * \param flows between them
     * \param path of the flow file, for messages
     * \return empty, or what is wrong
     */
    static std::string CheckReachable(const Ns3RdmaTopology& topology, const std::vector<Ns3RdmaFlow>& flows,
                                      const std::string& path);

    /**
     * Check that KMIN_MAP, KMAX_MAP and PMAX_MAP, where they are given, have every rate at a switch, and kmin <= kmax.
     * \param config has the maps
     * \param topology has the rates
     * \return empty, or what is wrong
     */
    static std::string CheckThresholds(const Ns3RdmaConfig& config, const Ns3RdmaTopology& topology);

    /**
     * Check the names of the files that a configuration has written: each ends in a name, and no two files have the
     * same.
     * \param config as read
     * \param others names of other files in their folder
     * \param oneFolder whether all go to one folder, under their base names; else where the configuration says
     * \return empty, or what is wrong
     */
    static std::string CheckOutputNames(const Ns3RdmaConfig& config, const std::set<std::string>& others,
                                        bool oneFolder = true);

    /**
     * The configuration and all files it names, checked against each other. A path is looked up from the
     * working directory, as those simulators do, else from the configuration's folder, else by its base
     * name in that folder; config then has it as found.
     * \param path of config.txt
     * \param[out] input what the files say
     * \param over what replaces parts of the configuration
     * \return empty, or what is wrong
     */
    static std::string ReadAll(const std::string& path, Ns3RdmaInput& input,
                               const Ns3RdmaOverrides& over = Ns3RdmaOverrides());

    /// \return the keys of config.txt as a Markdown table: that of lab/doc/ns3-rdma-keys.md
    static std::string GetKeyTable();
    /// \param qcn of a NIC that speaks QCN, in place of DCQCN \return the same for a NIC's parameters
    static std::string GetNicTable(bool qcn = false);

    /// \param algorithm of the core \param parameter of it \return its field; aborts if there is none
    static const rcc_field& FieldOf(const std::string& algorithm, const std::string& parameter);
};

} // namespace ns3

#endif /* NS3_RDMA_READER_H */
