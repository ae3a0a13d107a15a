/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#include "rcc-run.h"

#include "ns3/rcc.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rcc-random.h"
#include "ns3/rcc-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <iostream>
#include <sys/resource.h>
#include <sys/stat.h>

namespace ns3
{

namespace
{

volatile std::sig_atomic_t g_interrupted = 0;

void
Interrupt(int)
{
    g_interrupted = 1;
}

double
WallClock()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Create a folder and its parents. \return false, errno set
bool
MakeFolder(const std::string& path)
{
    for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1))
    {
        const std::string part = path.substr(0, slash);
        struct stat info;
        if (mkdir(part.c_str(), 0777) != 0 && (stat(part.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)))
        {
            return false;
        }
        if (slash == std::string::npos)
        {
            return true;
        }
    }
}

/// What counts as a long queue for drain_s if the algorithm has no Kmax.
const uint64_t DEFAULT_KMAX = 200000;
const size_t SAMPLED_FLOWS = 16;
const uint64_t FLOW_TICKS = 5; // rows of the series per row of the flow rates

} // namespace

void
RccRun::AddOptions(RccOptions& o)
{
    const int64_t second = 1000000000;
    o.AddText("cc", "dcqcn", "congestion control algorithm");
    o.AddText("preset", "", "preset of its parameters; empty: the first");
    o.AddText("set", "", "ALGORITHM.PARAMETER=VALUE, several separated by commas");
    o.Add("kmin", RCC_UNIT_BYTES, "", 0, 1000 * second, "queue where marking begins, for algorithms that mark");
    o.Add("kmax", RCC_UNIT_BYTES, "", 0, 1000 * second, "queue where everything is marked");
    o.Add("pmax", RCC_UNIT_RATIO, "", 0, RCC_RATIO_ONE, "marking probability at kmax");
    o.Add("rate", RCC_UNIT_BPS, "40Gbps", RCC_LINE_RATE_MIN, RCC_LINE_RATE_MAX, "rate of the links");
    o.Add("delay", RCC_UNIT_NS, "1us", 0, second, "propagation delay of a link");
    o.Add("buffer", RCC_UNIT_BYTES, "9MB", 1, 1000 * second, "packet memory of a switch");
    o.Add("mtu", RCC_UNIT_BYTES, "1000", 64, 9000, "payload of a full packet");
    o.Add("ack-every", RCC_UNIT_COUNT, "64", 1, 1000000, "acknowledge every n-th packet");
    o.Add("time", RCC_UNIT_NS, "0.4s", 1000, 1000 * second, "simulated time");
    o.AddText("window", "", "FROM-TO, what averages cover; empty: the second half, or all if every flow ends");
    o.Add("seed", RCC_UNIT_COUNT, "1", 0, 999999999999999999, "of everything random");
    o.AddText("out", "", "folder for the results; empty: print the summary");
    RccCapture::AddOptions(o);
    o.AddFlag("check", "check the options and stop");
    o.AddFlag("progress", "print progress lines");
}

RccRun::RccRun(const std::string& scenario, const RccOptions& options)
    : m_scenario(scenario),
      m_options(options),
      m_algorithm(options.CreateAlgorithm()),
      m_seed(static_cast<uint64_t>(options.Get("seed"))),
      m_rate(static_cast<uint64_t>(options.Get("rate"))),
      m_time(options.Get("time")),
      m_stop(m_time),
      m_tick(std::max<int64_t>(10000, m_time / 2000)),
      m_started(WallClock())
{
    const std::string why = m_algorithm->Check(m_rate);
    if (!why.empty())
    {
        RccOptions::Fail(why + " (--rate=" + RccFormat(RCC_UNIT_BPS, options.Get("rate")) + ")");
    }
    if (options.Has("start") && options.Get("start") >= m_stop)
    {
        RccOptions::Fail("--start is '" + options.GetText("start") + "', expected less than --time, '" +
                         options.GetText("time") + "'");
    }
    ReadWindow();
    RccCapture::Configure(options);
    RccScheduler::Use();

    auto mtu = static_cast<uint32_t>(options.Get("mtu"));
    m_helper.SetSeed(m_seed);
    m_helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(m_rate)));
    m_helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(options.Get("delay"))));
    m_helper.SetSwitchAttribute("BufferSize", UintegerValue(static_cast<uint64_t>(options.Get("buffer"))));
    m_helper.SetSwitchAttribute("MaxFrame", UintegerValue(mtu + RccCapture::GetMaxOverhead()));
    m_helper.SetCioqSwitchAttribute("MaxFrame", UintegerValue(mtu + RccCapture::GetMaxOverhead()));
    m_helper.SetNicAttribute("Mtu", UintegerValue(mtu));
    m_helper.SetNicAttribute("AckEvery", UintegerValue(static_cast<uint64_t>(options.Get("ack-every"))));
}

RccRun::~RccRun() = default;

void
RccRun::Warn(const std::string& message)
{
    m_warnings.push_back(message);
    std::cerr << "rcc: warning: " << message << std::endl;
}

void
RccRun::AddSwitch(Ptr<QbbSwitch> sw)
{
    sw->AddMarker(3, m_algorithm);
    const std::string why = sw->Start();
    if (!why.empty())
    {
        RccOptions::Fail(why);
    }
    m_switches.push_back(sw);
}

void
RccRun::AddStartedSwitch(Ptr<QbbSwitch> sw)
{
    m_switches.push_back(sw);
}

void
RccRun::AddSwitch(Ptr<CioqSwitch> sw)
{
    sw->SetAlgorithm(m_algorithm);
    const std::string why = sw->Start();
    if (!why.empty())
    {
        RccOptions::Fail(why);
    }
    m_cioqSwitches.push_back(sw);
}

RccRun::Flow
RccRun::NewFlow(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start, uint64_t bytes)
{
    Flow f;
    f.from = from;
    f.to = to;
    f.fromNode = fromNode;
    f.src = fromNode->GetId();
    f.dst = toNode->GetId();
    f.start = start;
    f.bytes = bytes;
    for (const auto& nic : {from, to})
    {
        if (m_nicsKnown.insert(PeekPointer(nic)).second)
        {
            m_nics.push_back(nic);
        }
    }
    m_unfinished += bytes ? 1 : 0;
    m_lastStart = std::max(m_lastStart, start);
    return f;
}

Ptr<RdmaClient>
RccRun::NewClient(size_t flow)
{
    const Flow& f = m_flows[flow];
    auto client = CreateObject<RdmaClient>();
    client->SetAttribute("Remote", PointerValue(f.to));
    client->SetAttribute("Algorithm", PointerValue(f.own.algorithm ? f.own.algorithm : m_algorithm));
    client->SetAttribute("TrafficClass", UintegerValue(f.own.cls));
    client->SetAttribute("Window", UintegerValue(f.own.window));
    client->SetAttribute("VariableWindow", BooleanValue(f.own.variableWindow));
    client->SetAttribute("MessageSize", UintegerValue(f.bytes));
    client->TraceConnectWithoutContext("Completed", MakeBoundCallback(&RccRun::FlowDone, this, flow));
    return client;
}

Ptr<RdmaClient>
RccRun::AddFlow(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start, uint64_t bytes)
{
    m_flows.push_back(NewFlow(from, fromNode, to, toNode, start, bytes));
    Flow& f = m_flows.back();
    f.client = NewClient(m_flows.size() - 1);
    f.client->SetStartTime(NanoSeconds(start));
    fromNode->AddApplication(f.client);
    m_endless = m_endless || bytes == 0;
    return f.client;
}

uint32_t
RccRun::AddPath(const std::vector<RccHop>& path)
{
    m_paths.push_back(path);
    return static_cast<uint32_t>(m_paths.size() - 1);
}

void
RccRun::AddArrival(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start,
                   uint64_t bytes, uint32_t path, const RccFlowOptions& own)
{
    m_flows.push_back(NewFlow(from, fromNode, to, toNode, start, bytes));
    m_flows.back().path = path;
    m_flows.back().own = own;
    m_unfinished += bytes == 0 && own.stop >= 0 ? 1 : 0;
    m_endless = m_endless || (bytes == 0 && own.stop < 0);
}

/// Open the flows that start now, and give back those that have ended since.
void
RccRun::Arrive()
{
    for (size_t i : m_giveBack)
    {
        Flow& f = m_flows[i];
        f.delivered = f.Delivered();
        f.from->Forget(f.client->GetQp());
        f.client = nullptr;
    }
    m_giveBack.clear();
    for (; m_arrived < m_flows.size() && m_flows[m_arrived].start <= RccNow(); m_arrived++)
    {
        Flow& f = m_flows[m_arrived];
        f.client = NewClient(m_arrived);
        f.client->SetNode(f.fromNode); // not added to it: a node keeps its applications to the end
        f.client->Initialize();
        if (f.own.stop >= 0)
        {
            const int64_t left = std::max<int64_t>(f.own.stop - RccNow(), 0);
            Simulator::Schedule(NanoSeconds(left), &RccRun::FlowStops, this, m_arrived);
        }
    }
    if (m_arrived < m_flows.size())
    {
        Simulator::Schedule(NanoSeconds(m_flows[m_arrived].start - RccNow()), &RccRun::Arrive, this);
    }
}

void
RccRun::SetDrain(int64_t ns)
{
    m_stop = m_time + ns;
}

void
RccRun::Note(const std::string& key, double value)
{
    m_notes.emplace_back(key, value);
}

void
RccRun::Watch(Ptr<QbbSwitch> sw, uint32_t port, const std::string& name)
{
    m_watchedSwitch = sw;
    Watch(sw->GetPort(port), name);
}

void
RccRun::Watch(Ptr<QbbNetDevice> port, const std::string& name)
{
    m_watched = port;
    m_watchedName = name;
    m_kmax = DEFAULT_KMAX;
    if (m_algorithm->HasParameter("kmax"))
    {
        m_kmax = static_cast<uint64_t>(m_algorithm->GetParameterAt(port->GetRate(), "kmax"));
    }
    m_queue.reset(new RccQueueStats(m_kmax));
    m_watched->SetQueueMonitor(m_queue.get());
}

void
RccRun::SetLossy()
{
    m_lossy = true;
    m_helper.SetSwitchAttribute("LosslessClasses", UintegerValue(0));
    m_helper.SetSwitchAttribute("Alpha", DoubleValue(1024)); // beyond what one port could take of the buffer
}

void
RccRun::SetCapacity(const std::vector<RccPhases::Step>& steps)
{
    m_phases.reset(new RccPhases(m_watched, *m_queue, steps, m_stop));
}

void
RccRun::AddBottleneck(Ptr<QbbSwitch> sw, uint32_t port)
{
    m_bottlenecks.push_back(sw->GetPort(port));
}

/// Bytes on the wire.
uint64_t
RccRun::BottleneckTx() const
{
    uint64_t bytes = 0;
    for (const auto& d : m_bottlenecks)
    {
        bytes += d->GetCounters().txBytes;
    }
    return bytes;
}

uint64_t
RccRun::BottleneckRate() const
{
    uint64_t rate = 0;
    for (const auto& d : m_bottlenecks)
    {
        rate += d->GetRate();
    }
    return rate;
}

/// Bytes that they could have sent until now.
double
RccRun::BottleneckCapacity() const
{
    double bytes = 0;
    for (const auto& d : m_bottlenecks)
    {
        bytes += d->GetCapacityBytes(RccNow());
    }
    return bytes;
}

/// A least rate that all flows together cannot go below the link's: say what will happen.
void
RccRun::CheckLeastRate()
{
    if (!m_algorithm->HasParameter("r_min") || !m_paths.empty()) // of those that arrive, few are there at once
    {
        return;
    }
    const rcc_algorithm* core = m_algorithm->GetCore();
    bool ratio = core->fields[rcc_field_find(core, "r_min")].unit == RCC_UNIT_RATIO;
    auto least = static_cast<double>(m_algorithm->GetParameter("r_min"));
    least = ratio ? least / RCC_RATIO_ONE * static_cast<double>(m_rate) : least;
    double sum = least * static_cast<double>(m_flows.size());
    auto capacity = static_cast<double>(BottleneckRate());
    if (sum >= capacity)
    {
        char text[256];
        std::snprintf(text, sizeof text,
                      "%s: r_min x flows = %.3g bit/s x %zu = %.3g bit/s is not below the bottleneck's %.3g bit/s: "
                      "the senders cannot slow down enough and the queue will stay at the PFC limit",
                      core->name, least, m_flows.size(), sum, capacity);
        Warn(text);
    }
}

std::FILE*
RccRun::OpenFile(const std::string& path)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file)
    {
        RccOptions::Fail("cannot write " + path + ": " + std::strerror(errno));
    }
    return file;
}

RccRun::File
RccRun::Open(const std::string& name) const
{
    return File(OpenFile(m_out + "/" + name));
}

void
RccRun::OpenOutput()
{
    m_out = m_options.GetText("out");
    if (m_out.empty())
    {
        return;
    }
    if (!MakeFolder(m_out))
    {
        RccOptions::Fail("cannot create the folder " + m_out + ": " + std::strerror(errno));
    }
    m_queueCsv = Open("queue.csv");
    m_rateCsv = Open("rate.csv");
    m_flowRatesCsv = Open("flow_rates.csv");
    std::fprintf(m_queueCsv.get(), "time_s,mean_bytes,max_bytes\n");
    std::fprintf(m_rateCsv.get(), "time_s,sent_bps,delivered_bps\n");
    std::fprintf(m_flowRatesCsv.get(), "time_s,flow,rate_bps,target_bps,alpha\n");
    if (m_phases)
    {
        m_utilizationCsv = Open("utilization.csv");
        std::fprintf(m_utilizationCsv.get(), "time_s,capacity_bps,utilization\n");
    }
    size_t n = m_paths.empty() || m_flows.size() <= SAMPLED_FLOWS ? std::min(SAMPLED_FLOWS, m_flows.size())
                                                                  : 0; // arrivals come and go
    for (size_t i = 0; i < n; i++)
    {
        m_sampled.push_back(i * m_flows.size() / n);
    }
}

/// The first flow's hosts stand for the others; captures change nothing.
void
RccRun::ChoosePorts()
{
    const Flow& first = m_flows.front();
    const RccCapture::Port to{first.to->GetPort(0), "receiver"};
    const RccCapture::Port from{first.from->GetPort(0), "sender-0"};
    m_capture.Choose(m_options, {{m_watched, "switch-port"}, to, from});
}

void
RccRun::ReadWindow()
{
    const std::string& text = m_options.GetText("window");
    const size_t dash = text.find('-');
    if (text.empty())
    {
        return;
    }
    if (dash == std::string::npos || !RccParse(RCC_UNIT_NS, text.substr(0, dash), &m_windowFrom).empty() ||
        !RccParse(RCC_UNIT_NS, text.substr(dash + 1), &m_windowTo).empty())
    {
        RccOptions::Fail("--window is '" + text + "', expected FROM-TO such as 50ms-100ms");
    }
    if (m_windowFrom >= m_windowTo || m_windowTo > m_stop)
    {
        RccOptions::Fail("--window is '" + text + "', expected FROM before TO and TO at most --time, '" +
                         m_options.GetText("time") + "'");
    }
}

/// Running totals become differences in EndWindow.
void
RccRun::BeginWindow()
{
    int64_t now = RccNow();
    m_windowStart = now;
    m_queue->BeginWindow(m_watched->GetQueueBytesTotal(), now);
    m_windowTx = BottleneckTx();
    m_windowCapacity = BottleneckCapacity();
    m_windowSent = Count().sentBytes;
    for (auto& f : m_flows)
    {
        f.atWindow = f.Delivered();
    }
}

void
RccRun::EndWindow()
{
    m_windowEnd = RccNow();
    m_queue->QueueWas(m_watched->GetQueueBytesTotal(), m_windowEnd);
    m_windowQueue.reset(new RccQueueStats(*m_queue));
    m_windowTx = BottleneckTx() - m_windowTx;
    m_windowCapacity = BottleneckCapacity() - m_windowCapacity;
    m_windowSent = Count().sentBytes - m_windowSent;
    for (auto& f : m_flows)
    {
        f.inWindow = f.Delivered() - f.atWindow;
    }
}

void
RccRun::Tick()
{
    int64_t now = RccNow();
    m_ticks++;
    if (m_queueCsv)
    {
        double seconds = static_cast<double>(now) / 1e9;
        double interval = static_cast<double>(m_tick) / 1e9;
        auto queue = m_queue->Sample(m_watched->GetQueueBytesTotal(), now);
        uint64_t sent = 0;
        for (const auto& nic : m_nics)
        {
            sent += nic->GetCounters().bytesSent;
        }
        uint64_t tx = BottleneckTx();
        std::fprintf(m_queueCsv.get(), "%.9g,%.9g,%llu\n", seconds, queue.mean,
                     static_cast<unsigned long long>(queue.max));
        std::fprintf(m_rateCsv.get(), "%.9g,%.9g,%.9g\n", seconds,
                     static_cast<double>(sent - m_lastSent) * 8 / interval,
                     static_cast<double>(tx - m_lastTx) * 8 / interval);
        if (m_utilizationCsv)
        {
            double capacity = BottleneckCapacity();
            double part = capacity - m_lastCapacity;
            std::fprintf(m_utilizationCsv.get(), "%.9g,%.9g,%.9g\n", seconds, part * 8 / interval,
                         static_cast<double>(tx - m_lastTx) / part);
            m_lastCapacity = capacity;
        }
        m_lastSent = sent;
        m_lastTx = tx;
        for (size_t i : m_sampled)
        {
            const Flow& f = m_flows[i];
            if (m_ticks % FLOW_TICKS == 0 && f.client && f.client->IsConnected() && f.fct < 0)
            {
                const RdmaRpState rp = f.from->GetRpState(f.client->GetQp());
                std::fprintf(m_flowRatesCsv.get(), "%.9g,%zu,%llu,%llu,%.6g\n", seconds, i,
                             static_cast<unsigned long long>(rp.rate), static_cast<unsigned long long>(rp.target),
                             rp.alpha);
            }
        }
    }
    if (m_options.GetFlag("progress"))
    {
        double wall = WallClock(); // decides what is printed, never what is computed
        if (wall - m_lastProgress > 0.15)
        {
            m_lastProgress = wall;
            std::printf("progress %.4f %llu\n", std::min(1.0, static_cast<double>(now) / static_cast<double>(m_time)),
                        static_cast<unsigned long long>(Count().deliveredPackets));
            std::fflush(stdout);
        }
    }
    if (g_interrupted)
    {
        m_partial = true;
        Simulator::Stop();
        return;
    }
    if (now + m_tick <= m_stop)
    {
        Simulator::Schedule(NanoSeconds(m_tick), &RccRun::Tick, this);
    }
}

void
RccRun::FlowDone(RccRun* run, size_t flow, Ptr<RdmaClient>, int64_t ns)
{
    run->m_flows[flow].fct = ns;
    if (run->m_flows[flow].path != NO_PATH)
    {
        run->m_giveBack.push_back(flow);
    }
    if (run->m_extra)
    {
        run->m_extra->FlowEnded(flow, ns);
    }
    run->OneFewer();
}

void
RccRun::OneFewer()
{
    if (--m_unfinished == 0 && !m_endless)
    {
        Simulator::Stop();
    }
}

void
RccRun::FlowStops(RccRun* run, size_t flow)
{
    Flow& f = run->m_flows[flow];
    if (f.fct >= 0)
    {
        return;
    }
    f.delivered = f.Delivered();
    f.from->Close(f.client->GetQp());
    run->m_giveBack.push_back(flow);
    run->m_cutShort += f.bytes ? 1 : 0;
    run->OneFewer();
}

int
RccRun::Execute()
{
    if (m_bottlenecks.empty())
    {
        m_bottlenecks.push_back(m_watched);
    }
    CheckLeastRate();
    ChoosePorts();
    if (m_options.GetFlag("check"))
    {
        Simulator::Destroy();
        return 0;
    }
    OpenOutput();
    m_capture.Open(m_out);
    if (m_extra)
    {
        m_extra->Begin(m_out);
    }
    std::signal(SIGINT, Interrupt);
    std::signal(SIGTERM, Interrupt);

    if (m_phases)
    {
        m_phases->Start();
    }
    Simulator::Schedule(NanoSeconds(m_tick), &RccRun::Tick, this);
    if (m_windowFrom >= 0 || m_endless)
    {
        Simulator::Schedule(NanoSeconds(GetWindowFrom()), &RccRun::BeginWindow, this);
    }
    if (m_windowTo >= 0)
    {
        Simulator::Schedule(NanoSeconds(m_windowTo), &RccRun::EndWindow, this);
    }
    else if (m_stop > m_time)
    {
        Simulator::Schedule(NanoSeconds(m_time), &RccRun::EndWindow, this);
    }
    if (!m_paths.empty())
    {
        Simulator::Schedule(NanoSeconds(m_flows.front().start), &RccRun::Arrive, this);
    }
    Simulator::Stop(NanoSeconds(m_stop));
    Simulator::Run();
    const std::string why = m_capture.Close();
    if (!why.empty())
    {
        Warn(why);
    }

    if (m_windowEnd < 0)
    {
        if (RccNow() < m_windowFrom)
        {
            Warn("the run ended before the window of --window=" + m_options.GetText("window") +
                 ": averages cover all of it");
        }
        EndWindow();
    }
    m_queue->QueueWas(m_watched->GetQueueBytesTotal(), RccNow());
    RccJson summary = Summary(WallClock() - m_started);
    if (m_out.empty())
    {
        std::printf("%s\n", summary.Str().c_str());
    }
    else
    {
        m_queueCsv.reset();
        m_rateCsv.reset();
        m_flowRatesCsv.reset();
        m_utilizationCsv.reset();
        WriteFlows();
        std::fprintf(Open("run.json").get(), "%s\n", summary.Str().c_str());
    }
    m_watched->SetQueueMonitor(nullptr);
    Simulator::Destroy();
    return m_partial ? 130 : 0;
}

} // namespace ns3
