/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef RUN_FILE_H
#define RUN_FILE_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The value of a node, port, algorithm or class that a record does not name.
const uint32_t RUN_NONE = UINT32_MAX;

/// The value of a time, rate or size that a record leaves to the rule of the program.
const int64_t RUN_UNSET = -1;

/// One, as a cumulative probability.
const int64_t RUN_SHARE_ONE = 1000000000000;

/// One record of a file, of which the fields have the names that the page of the run file gives them.
struct RunRecord
{
    uint32_t record{0}; //!< number of its line, from 1; 0: no file has it
};

/// Sets a default of an attribute before anything is made.
struct RunDefault : RunRecord
{
    std::string type;      //!< a type of ns-3, with ns3::
    std::string attribute; //!< that this type declares
    std::string value;     //!< as ns-3 reads it
};

/// An algorithm of the core with its parameters.
struct RunAlgorithm : RunRecord
{
    std::string name;
    std::vector<std::pair<std::string, int64_t>> fields; //!< values in the fields' units
};

/// A parameter that an algorithm has at ports of one rate.
struct RunAlgorithmAt : RunRecord
{
    uint32_t algorithm{0};
    uint64_t rate{0}; //!< bit/s
    std::string field;
    int64_t value{0}; //!< in the field's unit
};

enum class RunNodeKind : uint8_t
{
    HOST,
    SWITCH,
    CIOQ,
    NVSWITCH
};

struct RunNode : RunRecord
{
    RunNodeKind kind{RunNodeKind::HOST};
    std::string name;
};

/// A host that gets the internet stack of ns-3.
struct RunInternet : RunRecord
{
    uint32_t node{0};
};

/// An attribute that one node has of its own.
struct RunNodeAttribute : RunRecord
{
    uint32_t node{0};
    std::string type, attribute, value;
    int64_t at{0}; //!< when it is set, ns; 0: when the node is made
};

struct RunLink : RunRecord
{
    uint32_t a{0}, b{0};
    uint64_t rate{0}; //!< bit/s
    int64_t delay{0}; //!< ns
    uint32_t loss{0}; //!< probability that a frame is lost, ppb
};

/// Which routes switches have.
enum class RunRoutes : uint8_t
{
    SHORTEST, //!< all shortest paths; each host has one to each other
    UP_DOWN,  //!< paths without cyclic buffer dependencies
    PARTIAL   //!< all shortest paths that exist
};

/// The buffer of switches that follows from the network.
struct RunPool : RunRecord
{
    uint64_t pool{0};     //!< least pool, bytes; 0: there is no such record
    uint64_t headroom{0}; //!< least headroom of a port and class, bytes
};

struct RunMarker : RunRecord
{
    uint32_t node{RUN_NONE}; //!< RUN_NONE: all switches
    uint32_t cls{0};
    uint32_t algorithm{0};
};

/// A port of a node. The ports of a node are numbered from 0 in the order of its links.
struct RunPort
{
    uint32_t node{RUN_NONE}, port{RUN_NONE};
};

struct RunPolicer : RunRecord
{
    RunPort port;
    uint64_t rate{0};  //!< bit/s
    uint64_t burst{0}; //!< bytes
};

/// The rate of a port from a time on.
struct RunRate : RunRecord
{
    RunPort port;
    int64_t at{0};    //!< ns
    uint64_t rate{0}; //!< bit/s
};

/// The rate of the watched port from a time on.
struct RunPhase : RunRecord
{
    int64_t at{0};    //!< ns
    uint64_t rate{0}; //!< bit/s
};

/// A port that the results name.
struct RunNamedPort : RunRecord
{
    RunPort port; //!< without a node: the one that the flows load most
    std::string name;
};

/// The flows from one record on, up to the next group's, are one row of groups.csv.
struct RunGroup : RunRecord
{
    std::string name;
    uint32_t first{0}; //!< index of the first record of its flows
};

/// Flows between nodes that follow a step, on queue pairs that exist from the beginning.
struct RunFlows : RunRecord
{
    uint32_t count{1};
    uint32_t from{0}, fromCycle{1}; //!< flow i is from node from + i % fromCycle * fromStep
    int32_t fromStep{0};
    uint32_t to{0}, toCycle{1};
    int32_t toStep{0};
    uint32_t qps{1};              //!< queue pairs that a flow is spread over
    uint32_t algorithm{RUN_NONE}; //!< RUN_NONE: that of the run
    uint64_t size{0};             //!< bytes of a message; 0: it has no end
    int64_t start{0};             //!< start of the first one, ns
    int64_t startStep{0};         //!< from one to the next, ns
    int64_t within{0};            //!< longest random time that is added to it, ns
    int64_t stop{RUN_UNSET};      //!< ns
    uint64_t messages{1};         //!< one after the other; 0: until the end
    int64_t think{0};             //!< between two messages, ns
    int64_t rate{RUN_UNSET};      //!< that each queue pair is offered, bit/s
    int64_t window{RUN_UNSET};    //!< bytes of each queue pair
    uint32_t depth{1};            //!< messages that are posted at a time
    uint8_t cls{3};
    int8_t dscp{-1};
    int8_t ecn{-1}; //!< code point, as on the wire
};

/// The window of an arrival.
enum class RunWindow : uint8_t
{
    NUMBER, //!< bytes, or none
    BDP,    //!< bandwidth-delay product of its pair of hosts
    MAX_BDP //!< the largest of all pairs
};

/// A flow whose queue pair exists from its start to its end.
struct RunArrival : RunRecord
{
    uint32_t from{0}, to{0};
    uint32_t algorithm{RUN_NONE};
    uint64_t size{0};          //!< bytes; 0: it has no end
    int64_t start{0};          //!< ns
    int64_t stop{RUN_UNSET};   //!< ns
    int64_t window{RUN_UNSET}; //!< bytes
    uint16_t dport{0};         //!< destination port in the outputs
    RunWindow rule{RunWindow::NUMBER};
    uint8_t cls{3};
    bool variable{false}; //!< the window shrinks with the rate
};

/// A point of a distribution of sizes.
struct RunSize : RunRecord
{
    uint64_t bytes{0};
    uint64_t share{0}; //!< cumulative probability, 1e-12
};

/// Single flows between random hosts that arrive at random times before the run's time.
struct RunArrivals : RunRecord
{
    uint64_t gap{0};  //!< mean time between two, 2^-16 ns
    uint64_t load{0}; //!< that the results name, ppb
};

/// Incasts of random hosts at random times before the run's time.
struct RunIncasts : RunRecord
{
    uint32_t senders{1};
    uint32_t qps{1};  //!< queue pairs of each sender
    uint64_t size{0}; //!< on each queue pair, bytes
    uint64_t gap{0};  //!< mean time between two, 2^-16 ns
};

/// Queue pairs that start when others are through.
struct RunWait : RunRecord
{
    uint32_t first{0}, count{1}; //!< queue pairs that wait
    uint32_t needs{0};           //!< how many of the others it takes; 0: all
    int64_t delay{0};            //!< ns
    uint32_t after{0};           //!< index of its first RunAfter; those of the next wait begin behind its last
};

/// A flow for which others wait.
struct RunAfter : RunRecord
{
    uint32_t first{RUN_NONE}, count{RUN_NONE}; //!< queue pairs; RUN_NONE: the begin of the run
    bool received{false};                      //!< the last byte has arrived; false: it is acknowledged
    int64_t later{0};                          //!< how long after that each counts, ns
};

/// A collective operation of all ranks, in place of flows.
struct RunCollective : RunRecord
{
    bool exists{false};
    bool ring{true};    //!< all-reduce; false: all-to-all
    bool barrier{true}; //!< between two steps; false: a rank goes on when it has its data
    uint64_t size{0};   //!< bytes of each rank, rounded up to whole bytes of each message
    uint32_t qps{1};    //!< that a message is spread over
    int64_t gap{0};     //!< between two steps, ns
    uint32_t rounds{1};
};

/// The next rank of the collective operation.
struct RunRank : RunRecord
{
    uint32_t node{0};
};

/// TCP connections of one pair of hosts.
struct RunTcp : RunRecord
{
    uint32_t from{0}, to{0};
    uint16_t port{0}; //!< that the receiver listens on
    uint32_t connections{1};
    uint64_t size{0};        //!< bytes of each connection; 0: it has no end
    int64_t start{0};        //!< ns
    int64_t stop{RUN_UNSET}; //!< ns
    bool awaited{false};     //!< the run does not end before
    std::string control;     //!< type of ns-3; empty: the default
    std::string name;
};

/// A data packet that is lost on the link that it leaves its host by.
struct RunLose : RunRecord
{
    uint32_t node{0};
    uint32_t packet{0}; //!< the packet's number in its queue pair
};

/// A host that emits PFC.
struct RunPause : RunRecord
{
    uint32_t node{0};
    uint32_t cls{3};
    uint32_t share{0}; //!< share of each period, ppb
    int64_t every{0};  //!< period, ns
    int64_t start{0};  //!< ns
    int64_t stop{RUN_UNSET};
};

/// All links between two nodes that fail for good, with routes that follow at once.
struct RunLinkDown : RunRecord
{
    int64_t at{RUN_UNSET}; //!< ns; below 0: there is no such record
    uint32_t a{0}, b{0};
};

/// The kind of a fault. Those from LOSE on to DUPLICATE pick frames on links.
enum class RunFaultKind : uint8_t
{
    LINK_DOWN,    //!< a link goes down, and up again; also several times
    RATE,         //!< a link has a lower rate
    LOSE,         //!< frames do not arrive
    CORRUPT,      //!< frames arrive with a wrong ICRC; PFC and IP frames do not arrive
    DELAY,        //!< frames arrive later, behind those that were sent after them
    DUPLICATE,    //!< frames arrive twice
    PAUSE,        //!< a host pauses a class of its link, and refreshes the pause
    STOP_READING, //!< a host reads no data; its NIC pauses the link when its memory is full
    RESTART,      //!< a switch loses all it holds and all its links, and starts again
    SLOW_NP,      //!< CNPs leave a host one by one, with a least time between them
    FORGE         //!< a host gets frames that nobody has sent
};

/// \param kind of a fault \return its word
const char* RunWordOf(RunFaultKind kind);

/// All kinds of frames but PFC, one bit each, as RunFault has them.
const uint32_t RUN_ALL_BUT_PFC = 0xffu & ~32u;

/// Something that goes wrong. Which fields a kind has is in run-file-fields.h; the others are as here.
struct RunFault : RunRecord
{
    RunFaultKind kind{RunFaultKind::LOSE};
    uint32_t node{RUN_NONE}; //!< host or switch; of a link, its first end; RUN_NONE: all
    uint32_t peer{RUN_NONE}; //!< other end of a link
    bool oneWay{false};      //!< from node to peer alone
    int64_t at{0};           //!< ns
    int64_t lasts{RUN_UNSET};
    int64_t time{0};                  //!< from one to the next, or delay, ns
    uint32_t probability{1000000000}; //!< that a frame is picked, on average, ppb
    uint32_t burst{1};                //!< mean number of picked frames in a row (Gilbert's two states); 1: independent
    uint32_t count{0};                //!< LINK_DOWN: times; FORGE: frames; others: frames at most; 0: no limit
    uint32_t frames{RUN_ALL_BUT_PFC}; //!< kinds of frames, one bit each; FORGE: the kind
    uint64_t rate{0};                 //!< bit/s
    uint64_t buffer{65536};           //!< STOP_READING: memory of the NIC, bytes
    uint32_t qp{0};                   //!< FORGE: queue pair
    uint64_t psn{1u << 20};           //!< FORGE: packet number
    uint32_t period{0};               //!< FORGE: period of a CNP, ns
    uint8_t cls{3};
};

struct RunGuard : RunRecord
{
    bool stops{true};              //!< at a deadlock
    int64_t stormAfter{RUN_UNSET}; //!< ns
    bool drops{false};             //!< frames that wait in a pause storm are dropped
    bool invariants{false};        //!< are checked
};

/// Which port a capture is of.
enum class RunCapturePlace : uint8_t
{
    PORT,
    WATCHED,  //!< the watched port
    RECEIVER, //!< port 0 of the first flow's receiver
    SENDER    //!< port 0 of the first flow's sender
};

struct RunCapture : RunRecord
{
    RunCapturePlace place{RunCapturePlace::PORT};
    RunPort port;
    std::string file; //!< without .pcap
};

/// The records beside the results that every run has.
struct RunRecorded
{
    bool testbed{false};  //!< groups, ports and counters of both sides
    bool classes{false};  //!< counters by traffic class
    bool marks{false};    //!< every packet that switches mark
    bool received{false}; //!< when the last byte of each flow arrives
    bool portLog{false};  //!< queue, rate and pauses of every port
    bool cioq{false};     //!< buffers and arrivals of the CIOQ switch
};

/// A file of the outputs that simulators of others have.
struct RunOutput : RunRecord
{
    std::string file;         //!< empty: it is not written
    int64_t start{0}, end{0}; //!< begin and end of qlen, ns
};

/// A node whose frames are in the trace of all frames.
struct RunTraced : RunRecord
{
    uint32_t node{0};
};

/// A run as data: everything that is built is built from it. RunReadFile fills it.
struct RunFile
{
    std::string name{"run"};
    uint64_t seed{1};
    int64_t time{0};                                    //!< ns
    int64_t drain{0};                                   //!< that flows may take after `time`, ns
    uint64_t rate{0};                                   //!< nominal rate of links, bit/s
    int64_t windowFrom{RUN_UNSET}, windowTo{RUN_UNSET}; //!< the window of the averages, ns
    int64_t interval{RUN_UNSET};                        //!< between two rows of the series, ns
    std::vector<RunDefault> defaults;
    std::vector<RunAlgorithm> algorithms; //!< the first one is that of the run
    std::vector<RunAlgorithmAt> algorithmsAt;

    std::vector<RunNode> nodes;
    std::vector<RunInternet> internet;
    std::vector<RunNodeAttribute> nodeAttributes;
    std::vector<RunLink> links;
    RunRoutes routes{RunRoutes::SHORTEST};
    RunPool pool;
    std::vector<RunMarker> markers;
    std::vector<RunPolicer> policers;
    std::vector<RunRate> rates;
    std::vector<RunPhase> phases;
    RunNamedPort watch;
    std::vector<RunNamedPort> bottlenecks; //!< without names

    std::vector<RunGroup> groups;
    std::vector<RunFlows> flows;
    std::vector<RunArrival> arrivals;
    RunArrivals random; //!< a gap of 0: there are none
    std::vector<RunSize> sizes;
    RunIncasts incasts; //!< a gap of 0: there are none
    std::vector<RunWait> waits;
    std::vector<RunAfter> afters;
    RunCollective collective;
    std::vector<RunRank> ranks;
    std::vector<RunTcp> tcp;
    std::vector<RunLose> losses;
    std::vector<RunPause> pauses;

    int64_t reroute{RUN_UNSET}; //!< when routes follow a link that failed, ns; below 0: the rule of the program
    bool reroutes{true};        //!< they do
    RunLinkDown linkDown;
    std::vector<RunFault> faults;
    RunGuard guard;
    std::vector<RunCapture> captures;
    uint32_t snaplen{262144}; //!< bytes
    RunRecorded recorded;
    std::vector<RunNamedPort> recordedPorts;
    RunOutput fct, pfc, qlen, mix;
    std::vector<RunTraced> traced;

    /// \return whether flows arrive, each with a queue pair of its own
    bool HasArrivals() const
    {
        return !arrivals.empty() || random.gap || incasts.gap;
    }
};

/// The exception for a wrong record. Its parts are data: the writer of the file makes a
/// sentence.
class RunError : public std::runtime_error
{
  public:
    /// \param of the record; 0: of no single one \param itsField name as in the page of the run file
    /// \param itsCode one word that says what kind of mistake it is \param what is there \param allowed what may be
    RunError(uint32_t of, const std::string& itsField, const std::string& itsCode, const std::string& what,
             const std::vector<std::string>& allowed = {})
        : std::runtime_error(itsCode),
          record(of),
          field(itsField),
          code(itsCode),
          found(what),
          expected(allowed)
    {
    }

    uint32_t record;
    std::string field, code, found;
    std::vector<std::string> expected;

    /// \param path of the run file \return "error FILE RECORD FIELD CODE FOUND EXPECTED...", each as an escaped text
    std::string Line(const std::string& path) const;
};

/// \param text any bytes \return it as one field of a record
std::string RunEscape(const std::string& text);

} // namespace ns3

#endif /* RUN_FILE_H */
