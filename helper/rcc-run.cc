/* SPDX-License-Identifier: GPL-2.0-only */
#include "rcc-run.h"

#include "ns3/rcc.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/rcc-random.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
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
    o.Add("seed", RCC_UNIT_COUNT, "1", 0, 999999999999999999, "of everything random");
    o.AddText("out", "", "folder for the results; empty: print the summary");
    o.AddFlag("pcap", "write what passes the congested port, the receiver and the first sender to pcap files");
    o.AddFlag("check", "check the options and stop");
    o.AddFlag("progress", "print progress lines");
}

RccRun::RccRun(const std::string& scenario, const RccOptions& options)
    : m_scenario(scenario),
      m_options(options),
      m_algorithm(options.CreateAlgorithm()),
      m_seed(static_cast<uint64_t>(options.Get("seed"))),
      m_rate(static_cast<uint64_t>(options.Get("rate"))),
      m_stop(options.Get("time")),
      m_tick(std::max<int64_t>(10000, m_stop / 2000)),
      m_started(WallClock())
{
    const std::string why = m_algorithm->Check(m_rate);
    if (!why.empty())
    {
        RccOptions::Fail(why + " (--rate=" + RccFormat(RCC_UNIT_BPS, options.Get("rate")) + ")");
    }
    if (options.GetFlag("pcap") && options.GetText("out").empty())
    {
        RccOptions::Fail("--pcap needs --out");
    }
    // The fastest scheduler for the few thousand events that a run has pending.
    ObjectFactory scheduler;
    scheduler.SetTypeId("ns3::PriorityQueueScheduler");
    Simulator::SetScheduler(scheduler);

    auto mtu = static_cast<uint32_t>(options.Get("mtu"));
    m_helper.SetSeed(m_seed);
    m_helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(m_rate)));
    m_helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(options.Get("delay"))));
    m_helper.SetSwitchAttribute("BufferSize", UintegerValue(static_cast<uint64_t>(options.Get("buffer"))));
    m_helper.SetSwitchAttribute("MaxFrame", UintegerValue(mtu + ROCE_OVERHEAD + CN_TAG_BYTES));
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

Ptr<RdmaClient>
RccRun::AddFlow(Ptr<RdmaNic> from, Ptr<Node> fromNode, Ptr<RdmaNic> to, Ptr<Node> toNode, int64_t start,
                uint64_t bytes)
{
    Flow f;
    f.client = CreateObject<RdmaClient>();
    f.client->SetAttribute("Remote", PointerValue(to));
    f.client->SetAttribute("Algorithm", PointerValue(m_algorithm));
    f.client->SetAttribute("MessageSize", UintegerValue(bytes));
    f.client->SetStartTime(NanoSeconds(start));
    f.client->TraceConnectWithoutContext("Completed", MakeCallback(&RccRun::FlowDone, this));
    fromNode->AddApplication(f.client);
    f.from = from;
    f.to = to;
    f.src = fromNode->GetId();
    f.dst = toNode->GetId();
    f.start = start;
    for (const auto& nic : {from, to})
    {
        if (std::find(m_nics.begin(), m_nics.end(), nic) == m_nics.end())
        {
            m_nics.push_back(nic);
        }
    }
    m_endless = m_endless || bytes == 0;
    m_unfinished += bytes ? 1 : 0;
    m_lastStart = std::max(m_lastStart, start);
    m_flows.push_back(f);
    return f.client;
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
    m_kmax = m_algorithm->HasParameter("kmax") ? static_cast<uint64_t>(m_algorithm->GetParameter("kmax"))
                                               : DEFAULT_KMAX;
    m_queue.reset(new RccQueueStats(m_kmax));
    m_watched->SetQueueMonitor(m_queue.get());
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

/// A least rate that all flows together cannot go below the link's: say what will happen.
void
RccRun::CheckLeastRate()
{
    if (!m_algorithm->HasParameter("r_min"))
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
        std::snprintf(text,
                      sizeof text,
                      "%s: r_min x flows = %.3g bit/s x %zu = %.3g bit/s is not below the bottleneck's %.3g bit/s: "
                      "the senders cannot slow down enough and the queue will stay at the PFC limit",
                      core->name,
                      least,
                      m_flows.size(),
                      sum,
                      capacity);
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
    std::fprintf(m_flowRatesCsv.get(), "time_s,flow,rate_bps\n");
    size_t n = std::min(SAMPLED_FLOWS, m_flows.size());
    for (size_t i = 0; i < n; i++)
    {
        m_sampled.push_back(i * m_flows.size() / n);
    }
}

/// The first flow's hosts stand for the others; captures change nothing.
void
RccRun::OpenPcap()
{
    if (!m_options.GetFlag("pcap"))
    {
        return;
    }
    const Flow& first = m_flows.front();
    for (const std::string& why : {m_pcap.EnablePcap(m_watched, m_out + "/switch-port.pcap"),
                                   m_pcap.EnablePcap(first.to->GetPort(0), m_out + "/receiver.pcap"),
                                   m_pcap.EnablePcap(first.from->GetPort(0), m_out + "/sender-0.pcap")})
    {
        if (!why.empty())
        {
            RccOptions::Fail(why);
        }
    }
}

uint64_t
RccRun::Flow::Delivered() const
{
    return client->IsConnected() ? to->GetRecvQp(from->GetSendQp(client->GetQp()).dstQp).bytes : 0;
}

RccRun::Totals
RccRun::Count() const
{
    Totals t;
    int64_t now = RccNow();
    for (const auto& nic : m_nics)
    {
        const RdmaNicCounters& c = nic->GetCounters();
        t.sentBytes += c.bytesSent;
        t.sentPackets += c.packetsSent;
        t.deliveredPackets += c.packetsDelivered;
        t.deliveredBytes += c.bytesDelivered;
        t.cnps += c.cnpsSent;
        t.naks += c.naksSent;
        t.timeouts += c.timeouts;
        t.marked += c.packetsMarked;
        t.pausedNs += nic->GetPort(0)->GetPausedTime(now);
    }
    for (const auto& sw : m_switches)
    {
        t.dropped += sw->GetDroppedPackets();
        t.cnms += sw->GetCnmsSent();
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            t.pauses += sw->GetPort(p)->GetCounters().pausesSent;
        }
    }
    for (const auto& sw : m_cioqSwitches)
    {
        t.dropped += sw->GetDroppedPackets();
        t.cnms += sw->GetCnmsSent();
        for (uint32_t p = 0; p < sw->GetNPorts(); p++)
        {
            t.pauses += sw->GetPort(p)->GetCounters().pausesSent;
        }
    }
    return t;
}

void
RccRun::BeginWindow()
{
    int64_t now = RccNow();
    m_windowStart = now;
    m_queue->BeginWindow(m_watched->GetQueueBytesTotal(), now);
    m_windowTx = BottleneckTx();
    m_windowSent = Count().sentBytes;
    for (auto& f : m_flows)
    {
        f.atWindow = f.Delivered();
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
        std::fprintf(m_queueCsv.get(),
                     "%.9g,%.9g,%llu\n",
                     seconds,
                     queue.mean,
                     static_cast<unsigned long long>(queue.max));
        std::fprintf(m_rateCsv.get(),
                     "%.9g,%.9g,%.9g\n",
                     seconds,
                     static_cast<double>(sent - m_lastSent) * 8 / interval,
                     static_cast<double>(tx - m_lastTx) * 8 / interval);
        m_lastSent = sent;
        m_lastTx = tx;
        for (size_t i : m_sampled)
        {
            const Flow& f = m_flows[i];
            if (m_ticks % FLOW_TICKS == 0 && f.client->IsConnected() && f.client->GetCompletionTime() < 0)
            {
                std::fprintf(m_flowRatesCsv.get(),
                             "%.9g,%zu,%llu\n",
                             seconds,
                             i,
                             static_cast<unsigned long long>(f.from->GetRate(f.client->GetQp())));
            }
        }
    }
    if (m_options.GetFlag("progress"))
    {
        double wall = WallClock(); // decides what is printed, never what is computed
        if (wall - m_lastProgress > 0.15)
        {
            m_lastProgress = wall;
            std::printf("progress %.4f %llu\n",
                        static_cast<double>(now) / static_cast<double>(m_stop),
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
RccRun::FlowDone(Ptr<RdmaClient>, int64_t)
{
    if (--m_unfinished == 0 && !m_endless)
    {
        Simulator::Stop();
    }
}

RccJson
RccRun::FctSummary() const
{
    std::vector<double> fct;
    double sum = 0;
    for (const auto& f : m_flows)
    {
        if (f.client->GetCompletionTime() >= 0)
        {
            fct.push_back(static_cast<double>(f.client->GetCompletionTime()) / 1e9);
            sum += fct.back();
        }
    }
    std::sort(fct.begin(), fct.end());
    RccJson json;
    json.Add("count", static_cast<uint64_t>(fct.size()));
    if (fct.empty())
    {
        return json.AddNull("mean_s").AddNull("p50_s").AddNull("p99_s").AddNull("max_s");
    }
    auto at = [&](double q) { return fct[static_cast<size_t>(q * static_cast<double>(fct.size() - 1) + 0.5)]; };
    return json.Add("mean_s", sum / static_cast<double>(fct.size()))
        .Add("p50_s", at(0.5))
        .Add("p99_s", at(0.99))
        .Add("max_s", fct.back());
}

RccJson
RccRun::Summary(double wall) const
{
    Totals t = Count();
    double window = static_cast<double>(m_windowEnd - m_windowStart) / 1e9;
    double capacity = static_cast<double>(BottleneckRate()) / 8 * window; // bytes
    auto part = [&](uint64_t bytes) { return capacity > 0 ? static_cast<double>(bytes) / capacity : 0; };
    std::vector<double> goodput;
    for (const auto& f : m_flows)
    {
        goodput.push_back(static_cast<double>(f.Delivered() - f.atWindow));
    }
    int64_t last = m_queue->GetLastAbove();
    bool drained = m_watched->GetQueueBytesTotal() < m_kmax && !m_partial;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);

    RccJson queue;
    queue.Add("mean_bytes", m_queue->GetMean())
        .Add("p50_bytes", m_queue->GetPercentile(0.5))
        .Add("p95_bytes", m_queue->GetPercentile(0.95))
        .Add("p99_bytes", m_queue->GetPercentile(0.99))
        .Add("max_bytes", m_queue->GetMax());
    RccJson pfc;
    pfc.Add("pauses", t.pauses).Add("paused_s", static_cast<double>(t.pausedNs) / 1e9);
    RccJson windowJson('[');
    windowJson.Add("", static_cast<double>(m_windowStart) / 1e9).Add("", static_cast<double>(m_windowEnd) / 1e9);
    RccJson parameters;
    const rcc_algorithm* core = m_algorithm->GetCore();
    for (size_t i = 0; i < core->n_fields; i++)
    {
        parameters.Add(core->fields[i].name, m_algorithm->FormatParameter(i));
    }
    RccJson warnings('[');
    for (const auto& w : m_warnings)
    {
        warnings.Add("", w);
    }
    const std::string preset = m_options.GetText("preset");
    std::vector<uint32_t> senders;
    for (const auto& f : m_flows)
    {
        senders.push_back(f.src);
    }
    std::sort(senders.begin(), senders.end());
    auto nSenders = std::unique(senders.begin(), senders.end()) - senders.begin();

    RccJson json;
    json.Add("scenario", m_scenario)
        .Add("cc", std::string(core->name))
        .Add("title", std::string(core->title))
        .Add("source", std::string(core->source))
        .Add("preset", preset.empty() ? std::string(core->presets[0].name) : preset)
        .Add("ns3_version", std::string(RCC_NS3_VERSION))
        .Add("rcc_version", std::string(RCC_VERSION))
        .Add("seed", m_seed)
        .Add("flows", static_cast<uint64_t>(m_flows.size()))
        .Add("hosts", static_cast<uint64_t>(m_nics.size()))
        .Add("senders", static_cast<uint64_t>(nSenders))
        .Add("rate_bps", m_rate)
        .Add("sim_s", static_cast<double>(RccNow()) / 1e9)
        .Add("wall_s", wall)
        .Add("events", static_cast<uint64_t>(Simulator::GetEventCount()))
        .Add("packets_sent", t.sentPackets)
        .Add("packets_delivered", t.deliveredPackets)
        .Add("bytes_delivered", t.deliveredBytes)
        .Add("packets_dropped", t.dropped)
        .Add("packets_marked", t.marked)
        .Add("naks", t.naks)
        .Add("timeouts", t.timeouts)
        .Add("congested_port", m_watchedName)
        .Add("bottleneck_bps", BottleneckRate())
        .Add("window_s", windowJson)
        .Add("queue", queue)
        .Add("utilization", part(BottleneckTx() - m_windowTx))
        .Add("send_utilization", part(t.sentBytes - m_windowSent))
        .Add("jain", RccJain(goodput))
        .Add("pfc", pfc)
        .Add("cnps", t.cnps)
        .Add("cnms", t.cnms);
    if (m_endless)
    {
        json.AddNull("fct");
    }
    else
    {
        json.Add("fct", FctSummary());
    }
    if (drained)
    {
        json.Add("drain_s", std::max(0.0, static_cast<double>(last - m_lastStart) / 1e9));
    }
    else
    {
        json.AddNull("drain_s");
    }
    json.Add("kmax_bytes", m_kmax);
    if (m_watchedSwitch)
    {
        json.Add("pfc_limit_bytes", m_watchedSwitch->GetMmu().LimitOf(static_cast<uint32_t>(nSenders)));
    }
    else
    {
        json.AddNull("pfc_limit_bytes");
    }
    if (m_extra)
    {
        m_extra->AddResults(json);
    }
    return json.Add("peak_rss_bytes", static_cast<uint64_t>(usage.ru_maxrss) * 1024)
        .AddBool("partial", m_partial)
        .Add("parameters", parameters)
        .Add("warnings", warnings);
}

void
RccRun::WriteFlows() const
{
    File file = Open("flows.csv");
    double window = static_cast<double>(m_windowEnd - m_windowStart) / 1e9;
    std::fprintf(file.get(), "flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s\n");
    for (size_t i = 0; i < m_flows.size(); i++)
    {
        const Flow& f = m_flows[i];
        uint64_t delivered = f.Delivered();
        std::fprintf(file.get(),
                     "%zu,%u,%u,%.9f,%llu,%llu,%.9g,",
                     i,
                     f.src,
                     f.dst,
                     static_cast<double>(f.start) / 1e9,
                     static_cast<unsigned long long>(f.client->GetSize()),
                     static_cast<unsigned long long>(delivered),
                     window > 0 ? static_cast<double>(delivered - f.atWindow) * 8 / window : 0);
        if (f.client->GetCompletionTime() >= 0)
        {
            std::fprintf(file.get(), "%.9f", static_cast<double>(f.client->GetCompletionTime()) / 1e9);
        }
        std::fprintf(file.get(), "\n");
    }
}

int
RccRun::Execute()
{
    if (m_bottlenecks.empty())
    {
        m_bottlenecks.push_back(m_watched);
    }
    CheckLeastRate();
    if (m_options.GetFlag("check"))
    {
        Simulator::Destroy();
        return 0;
    }
    OpenOutput();
    OpenPcap();
    if (m_extra)
    {
        m_extra->Begin(m_out);
    }
    std::signal(SIGINT, Interrupt);
    std::signal(SIGTERM, Interrupt);

    Simulator::Schedule(NanoSeconds(m_tick), &RccRun::Tick, this);
    if (m_endless)
    {
        Simulator::Schedule(NanoSeconds(m_stop / 2), &RccRun::BeginWindow, this);
    }
    Simulator::Stop(NanoSeconds(m_stop));
    Simulator::Run();
    const std::string why = m_pcap.Close();
    if (!why.empty())
    {
        Warn(why);
    }

    m_windowEnd = RccNow();
    m_queue->QueueWas(m_watched->GetQueueBytesTotal(), m_windowEnd);
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
        WriteFlows();
        std::fprintf(Open("run.json").get(), "%s\n", summary.Str().c_str());
    }
    m_watched->SetQueueMonitor(nullptr);
    Simulator::Destroy();
    return m_partial ? 130 : 0;
}

} // namespace ns3
