/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef NS3_RDMA_FILES_H
#define NS3_RDMA_FILES_H

#include <cstdint>
#include <map>
#include <set>
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
    uint32_t a{0};    //!< node id of one end
    uint32_t b{0};    //!< node id of the other end
    uint64_t rate{0}; //!< bit/s
    int64_t delay{0}; //!< ns
    double error{0};  //!< probability that a data frame is lost; 0 without the column
    uint32_t line{0}; //!< in the file, for messages
};

/// topology.txt.
struct Ns3RdmaTopology
{
    std::string path;               //!< of the file
    std::vector<bool> isSwitch;     //!< by node id; its size is the number of nodes
    std::vector<Ns3RdmaLink> links; //!< in the file's order, which numbers the interfaces from 1
};

/// A row of flow.txt or of the TCP flow file.
struct Ns3RdmaFlow
{
    uint32_t src{0};     //!< node id of the sender
    uint32_t dst{0};     //!< node id of the receiver
    uint8_t pg{3};       //!< priority group: traffic class
    uint16_t dport{100}; //!< destination port, for the outputs
    uint64_t bytes{0};   //!< payload; 0 = without end (ORIGINAL's stop time ends it)
    int64_t start{0};    //!< ns
    int64_t stop{-1};    //!< ns; -1 = none
    std::string cc;      //!< algorithm of this flow (sidecar file); empty = the run's
    uint32_t line{0};    //!< in the file, for messages
};

/// A marking threshold by link rate, which is 0 for every rate: KMIN_MAP and KMAX_MAP in bytes, PMAX_MAP as a
/// probability in ppb.
using Ns3RdmaRateMap = std::vector<std::pair<uint64_t, int64_t>>;

/// \param map a threshold by link rate \param rate of a link, bit/s \return its entry; null if there is none
inline const int64_t*
Ns3RdmaFindRate(const Ns3RdmaRateMap& map, uint64_t rate)
{
    for (const auto& entry : map)
    {
        if (entry.first == rate || entry.first == 0)
        {
            return &entry.second;
        }
    }
    return nullptr;
}

/// \param flows in any order \return their indices in the order of the starts; equal starts keep their order
std::vector<size_t> Ns3RdmaOrderOfStarts(const std::vector<Ns3RdmaFlow>& flows);

/// Parameters of an algorithm by name, each in its field's unit (ns, bit/s, bytes, ppb, a count, a choice's index).
using Ns3RdmaParameters = std::vector<std::pair<std::string, int64_t>>;

/// A number of some nodes by id, in the unit of the number of all nodes.
using Ns3RdmaNodeMap = std::map<uint32_t, int64_t>;

/// config.txt. A member is what its key means, in our units; keys without effect are reported by the reader only.
struct Ns3RdmaConfig
{
    Ns3RdmaDialect dialect{Ns3RdmaDialect::HPCC}; //!< the simulator that it is for
    std::string path;                             //!< of config.txt
    std::string topologyFile;                     //!< TOPOLOGY_FILE as found
    std::string flowFile;                         //!< FLOW_FILE as found
    std::string tcpFlowFile;                      //!< TCP_FLOW_FILE as found; empty = none
    std::string traceFile;                        //!< TRACE_FILE as found; empty = none
    std::string traceOutput;                      //!< TRACE_OUTPUT_FILE as written in the file; empty = not written
    std::string fctOutput;                        //!< FCT_OUTPUT_FILE, the same
    std::string pfcOutput;                        //!< PFC_OUTPUT_FILE, the same
    std::string qlenOutput;                       //!< QLEN_MON_FILE, the same

    bool ecn{true};                   //!< ENABLE_QCN
    bool pfc{true};                   //!< ENABLE_PFC
    int64_t pullRate{1000000000};     //!< RX_PULL_RATE: part of the line rate, ppb
    bool pulls{true};                 //!< RX_PULL_MODE: RX_PULL_RATE counts
    uint32_t rxBuffer{8u << 20};      //!< RX_BUFFER_SIZE, bytes; 0: no limit
    int64_t rxBufferOfClass{-1};      //!< RX_BUFFER_PER_QUEUE, bytes; 0: no limit; below: an eighth of rxBuffer
    Ns3RdmaNodeMap pullRateOf;        //!< RX_PULL_RATE_NODE, ppb
    Ns3RdmaNodeMap pullsOf;           //!< RX_PULL_MODE_NODE
    Ns3RdmaNodeMap rxBufferOf;        //!< RX_BUFFER_SIZE_NODE
    Ns3RdmaNodeMap rxBufferOfClassOf; //!< RX_BUFFER_PER_QUEUE_NODE
    std::map<uint32_t, Ns3RdmaRateMap>
        pullSchedule;               //!< RX_PULL_RATE_SCHEDULE by node: ns, and RX_PULL_RATE from then on in ppb
    bool irn{false};                //!< ENABLE_IRN
    bool dynamicPfc{true};          //!< USE_DYNAMIC_PFC_THRESHOLD
    uint32_t payload{1000};         //!< PACKET_PAYLOAD_SIZE, bytes
    int64_t pauseTime{5000};        //!< PAUSE_TIME, ns
    int64_t stop{3010000000};       //!< SIMULATOR_STOP_TIME, ns
    double errorRate{0};            //!< ERROR_RATE_PER_LINK: of links whose own rate is 0
    uint32_t ackInterval{1};        //!< packets for an ACK: L2_ACK_INTERVAL of ORIGINAL
    uint64_t chunk{0};              //!< L2_CHUNK_SIZE, bytes
    bool backToZero{false};         //!< L2_BACK_TO_ZERO
    bool packetEcmp{false};         //!< PACKET_LEVEL_ECMP
    bool flowEcmp{true};            //!< FLOW_LEVEL_ECMP of ORIGINAL
    uint32_t loadBalancing{0};      //!< LB_MODE of forks: 0 ECMP, 2 DRILL, 6 LetFlow
    uint64_t bufferSize{0};         //!< BUFFER_SIZE, bytes; 0 = the default
    Ns3RdmaRateMap kmin;            //!< KMIN_MAP, bytes
    Ns3RdmaRateMap kmax;            //!< KMAX_MAP, bytes
    Ns3RdmaRateMap pmax;            //!< PMAX_MAP, ppb
    bool maps{false};               //!< the file has those three; what the command gives in their place removes them
    bool ackHighPriority{false};    //!< ACK_HIGH_PRIO
    bool ackPriorityAtHosts{false}; //!< ACK_HIGH_PRIO 1 holds at hosts only, as in the HPCC simulator; no key sets it
    bool enableTrace{true};         //!< ENABLE_TRACE
    int64_t qlenStart{0};           //!< QLEN_MON_START, ns
    int64_t qlenEnd{0};             //!< QLEN_MON_END, ns
    bool linkDown{false};           //!< LINK_DOWN has a time
    int64_t linkDownAt{0};          //!< ns of simulated time
    uint32_t linkDownA{0};          //!< node id of an end of the failing link
    uint32_t linkDownB{0};          //!< and of the other one
    bool hasWindow{false};          //!< HAS_WIN
    bool globalWindow{true};        //!< GLOBAL_T: the largest BDP for all pairs
    bool variableWindow{false};     //!< VAR_WIN: the window shrinks with the rate

    uint32_t mode{1};   //!< CC_MODE
    std::string cc;     //!< algorithm that CC_MODE means: dcqcn, hpcc, timely, dctcp; empty = one that is not here
    std::string preset; //!< ns3-rdma, hpcc, ...
    Ns3RdmaParameters parameters; //!< what keys set; of dcqcn, if cc is empty
    Ns3RdmaParameters dcqcn;      //!< what they set of dcqcn where cc is another algorithm, for who compares with it

    std::string uneven; //!< warning where TIMELY has another RATE_HAI than the file; empty: it has that of the file

    std::map<std::string, std::set<std::string>> taken; //!< by algorithm: keys of the file that are its parameters

    std::vector<std::string> notes;        //!< accepted keys without effect, and why; one line each
    std::vector<std::string> warnings;     //!< unknown keys and the like
    std::map<std::string, uint32_t> lines; //!< the keys that the file gives, and where, for messages

    /// \param key its name \return its line, for messages; 1 if the file does not give it
    uint32_t LineOf(const std::string& key) const
    {
        const auto it = lines.find(key);
        return it == lines.end() ? 1 : it->second;
    }

    /// \param key its name \param message about it \return "FILE:LINE: MESSAGE"
    std::string At(const std::string& key, const std::string& message) const;

    /// \param key its name \param found there \param expected there \return "FILE:LINE: KEY: found .., expected .."
    std::string Wrong(const std::string& key, const std::string& found, const std::string& expected) const;

    /// A marking threshold by link rate, the key that sets it, and the parameter of an algorithm that it is.
    struct RateMap
    {
        const char* key;           //!< of config.txt
        const char* parameter;     //!< of the algorithms that mark
        const Ns3RdmaRateMap* map; //!< the thresholds
    };

    /// \return KMIN_MAP, KMAX_MAP and PMAX_MAP, or KMIN, KMAX and PMAX, which belong to this configuration
    std::vector<RateMap> GetRateMaps() const
    {
        const bool original = dialect == Ns3RdmaDialect::ORIGINAL;
        return {{original ? "KMIN" : "KMIN_MAP", "kmin", &kmin},
                {original ? "KMAX" : "KMAX_MAP", "kmax", &kmax},
                {original ? "PMAX" : "PMAX_MAP", "pmax", &pmax}};
    }
};

} // namespace ns3

#endif /* NS3_RDMA_FILES_H */
