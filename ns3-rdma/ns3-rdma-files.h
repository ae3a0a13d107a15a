/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_FILES_H
#define NS3_RDMA_FILES_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * What the input files of the two public RDMA simulators say, in our units:
 * bytes, ns, bit/s. ORIGINAL is ns3-rdma (SIGCOMM 2015), HPCC the simulator of
 * that paper and its forks. Ns3RdmaReader fills these, Ns3RdmaNetwork runs them.
 */
enum class Ns3RdmaDialect
{
    ORIGINAL,
    HPCC
};

/// A row of topology.txt.
struct Ns3RdmaLink
{
    uint32_t a{0}, b{0}; //!< node ids
    uint64_t rate{0};    //!< bit/s
    int64_t delay{0};    //!< ns
    double error{0};     //!< probability that a data frame is lost; 0 without the column
    uint32_t line{0};    //!< in the file, for messages
};

struct Ns3RdmaTopology
{
    std::string path;
    std::vector<bool> isSwitch;     //!< by node id; its size is the number of nodes
    std::vector<Ns3RdmaLink> links; //!< in the file's order, which numbers the interfaces from 1
};

/// A row of flow.txt or of the TCP flow file.
struct Ns3RdmaFlow
{
    uint32_t src{0}, dst{0};
    uint8_t pg{3}; //!< priority group: traffic class
    uint16_t dport{100};
    uint64_t bytes{0}; //!< payload; 0 = without end (ORIGINAL's stop time ends it)
    int64_t start{0};  //!< ns
    int64_t stop{-1};  //!< ns; -1 = none
    std::string cc;    //!< algorithm of this flow (sidecar file); empty = the run's
    uint32_t line{0};
};

/// A marking threshold by link rate: KMIN_MAP and KMAX_MAP in bytes, PMAX_MAP as a probability in ppb.
using Ns3RdmaRateMap = std::vector<std::pair<uint64_t, int64_t>>;

/// config.txt. A member is what its key means, in our units; keys without effect are reported by the reader only.
struct Ns3RdmaConfig
{
    Ns3RdmaDialect dialect{Ns3RdmaDialect::HPCC};
    std::string path;
    std::string topologyFile, flowFile, tcpFlowFile, traceFile; //!< as found; empty = none
    std::string traceOutput, fctOutput, pfcOutput, qlenOutput;  //!< as written in the file; empty = not written

    bool ecn{true};                  //!< ENABLE_QCN
    bool dynamicPfc{true};           //!< USE_DYNAMIC_PFC_THRESHOLD
    uint32_t payload{1000};          //!< PACKET_PAYLOAD_SIZE, bytes
    int64_t pauseTime{5000};         //!< PAUSE_TIME, ns
    int64_t stop{3010000000};        //!< SIMULATOR_STOP_TIME, ns
    double errorRate{0};             //!< ERROR_RATE_PER_LINK: of links whose own rate is 0
    uint32_t ackInterval{1};         //!< L2_ACK_INTERVAL as packets
    uint64_t chunk{0};               //!< L2_CHUNK_SIZE, bytes
    bool backToZero{false};          //!< L2_BACK_TO_ZERO
    bool packetEcmp{false};          //!< PACKET_LEVEL_ECMP
    uint64_t bufferSize{0};          //!< BUFFER_SIZE, bytes; 0 = the default
    Ns3RdmaRateMap kmin, kmax, pmax; //!< one entry with rate 0 = for every rate
    bool ackHighPriority{false};
    bool enableTrace{true};           //!< ENABLE_TRACE
    int64_t qlenStart{0}, qlenEnd{0}; //!< ns
    bool linkDown{false};
    int64_t linkDownAt{0}; //!< ns of simulated time
    uint32_t linkDownA{0}, linkDownB{0};
    bool hasWindow{false};            //!< HAS_WIN
    bool globalWindow{true};          //!< GLOBAL_T: the largest BDP for all pairs
    bool variableWindow{false};       //!< VAR_WIN: the window shrinks with the rate
    int64_t appStart{0}, appStop{-1}; //!< ns

    std::string cc;     //!< algorithm that CC_MODE means: dcqcn, timely
    std::string preset; //!< ns3-rdma, hpcc, ...
    /// Core parameters that the keys set, by name, as text that RccParse reads: {"timer", "900us"}.
    std::vector<std::pair<std::string, std::string>> parameters;

    std::vector<std::string> notes;        //!< accepted keys without effect, and why; one line each
    std::vector<std::string> warnings;     //!< unknown keys and the like
    std::map<std::string, uint32_t> lines; //!< the keys that the file gives, and where, for messages
};

} // namespace ns3

#endif /* NS3_RDMA_FILES_H */
