/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* An experiment and its flows, from options to records. */
#include "lab-front.h"

#include "lab-workload.h"

#include "ns3/lab-text.h"
#include "ns3/rcc-units.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

const double ARRIVALS_EXPECTED_MAX = 1e7;
const char COLLECTIVE_FORM[] = "all-reduce or all-to-all, then :KEY=VALUE of sync size qps gap rounds placement";

/// Numbers that go up by a step, and again from the beginning after a cycle.
struct Steps
{
    uint32_t first;
    int32_t step;
    uint32_t cycle;
};

/// \param numbers that are taken in turn \param count how often \param[out] steps that they follow \return whether they
/// follow any
bool
FindSteps(const std::vector<uint32_t>& numbers, size_t count, Steps& steps)
{
    const auto at = [&](size_t i) { return static_cast<int64_t>(numbers[i % numbers.size()]); };
    const size_t n = numbers.size();
    const int64_t step = n > 1 && count > 1 ? at(1) - at(0) : 0;
    size_t cycle = 1;
    while (step && cycle < n && at(cycle) == at(0) + static_cast<int64_t>(cycle) * step)
    {
        cycle++;
    }
    steps = Steps{numbers[0], static_cast<int32_t>(step), static_cast<uint32_t>(cycle)};
    for (size_t i = 0; i < std::min(count, n * cycle); i++)
    {
        if (at(i) != at(0) + static_cast<int64_t>(i % cycle) * step)
        {
            return false;
        }
    }
    return true;
}

/// Add flows over pairs of hosts in turn: one record if they follow steps, else one for each.
void
AddInTurn(std::vector<RunFlows>& records, RunFlows one, size_t count, const std::vector<uint32_t>& from,
          const std::vector<uint32_t>& to)
{
    Steps a, b;
    one.startStep = 0;
    if (FindSteps(from, count, a) && FindSteps(to, count, b))
    {
        one.count = static_cast<uint32_t>(count);
        one.from = a.first;
        one.fromStep = a.step;
        one.fromCycle = a.cycle;
        one.to = b.first;
        one.toStep = b.step;
        one.toCycle = b.cycle;
        records.push_back(one);
        return;
    }
    for (size_t i = 0; i < count; i++)
    {
        one.from = from[i % from.size()];
        one.to = to[i % to.size()];
        records.push_back(one);
    }
}

/// The record of an item's flows, without their hosts and number.
RunFlows
RecordOfFlows(const LabExperiment::Flows& f)
{
    RunFlows r;
    r.qps = static_cast<uint32_t>(f.qps);
    r.size = static_cast<uint64_t>(f.size);
    r.start = f.start;
    r.startStep = f.every;
    r.within = f.within;
    r.stop = f.stop ? f.stop : RUN_UNSET;
    r.messages = static_cast<uint64_t>(f.messages);
    r.think = f.think;
    r.rate = f.rate ? f.rate : RUN_UNSET;
    r.window = f.window ? f.window : RUN_UNSET;
    r.depth = static_cast<uint32_t>(f.depth);
    r.cls = static_cast<uint8_t>(f.cls);
    r.dscp = static_cast<int8_t>(f.dscp < RCC_DSCPS ? f.dscp : -1);
    r.ecn = static_cast<int8_t>(f.ecn < 4 ? static_cast<int>(f.ecn) : -1);
    return r;
}

} // namespace

/// Options that do nothing beside others: who gives one takes its effect for granted. \param plain nothing of testbeds
void
LabFront::RefuseIdle(bool plain) const
{
    const LabOptions& o = m_options;
    for (const char* name : {"record", "tcp", "lose", "pause"})
    {
        o.FailValueIf(plain && o.IsSet(name), name, "none beside --plain, --collective and --cioq");
    }
    const bool marks = plain && o.GetFlag("marks");
    LabOptions::FailIf(marks ? "--marks is given, expected none beside --plain, --collective and --cioq" : "");
    const bool arrive = o.IsSet("arrivals") || o.IsSet("incasts");
    for (const char* name : {"drain", "load-counts"})
    {
        o.FailValueIf(!arrive && o.IsGiven(name), name,
                      o.IsSet("collective") ? "none beside --collective" : "none beside --flows");
    }
    const bool cioq = o.GetFlag("cioq"); // its switch has attributes; every file has a buffer
    o.FailValueIf(cioq && o.IsChanged("buffer"), "buffer", "none beside --cioq");
    for (const char* name : {"kmin", "kmax", "pmax", "deadlock", "storm-after", "storm-action"})
    {
        o.FailValueIf(cioq && o.IsGiven(name), name, "none beside --cioq");
    }
    for (const auto& item : o.GetAttributes().GetItems())
    {
        LabOptions::FailItemIf(cioq && item.tid.GetName() == "ns3::QbbSwitch", "attr", item.text, "none beside --cioq");
    }
    const bool lossy = o.GetFlag("lossy");
    LabOptions::FailIf(cioq && lossy ? "--lossy is given, expected none beside --cioq" : "");
    const bool scale = o.GetFlag("scale-thresholds") && !o.IsSet("kmin") && !o.IsSet("kmax");
    LabOptions::FailIf(scale ? "--scale-thresholds is given, expected --kmin or --kmax with it" : "");
    o.FailValueIf(lossy && o.IsGiven("lossless") && o.GetText("lossless") == "3", "lossless",
                  "none beside --lossy, or classes that are marked too");
    const bool paused = o.IsSet("faults") || o.IsSet("pause"); // by these all the same
    for (const char* name : {"deadlock", "storm-after", "storm-action"})
    {
        o.FailValueIf(lossy && o.IsGiven(name), name, "none beside --lossy: nothing is paused");
    }
    const LabAttributes::Item* form = o.GetAttributes().Find("QbbNetDevice.LinkPause");
    LabOptions::FailItemIf(lossy && form && !paused, "attr", form ? form->text : "",
                           "none beside --lossy: nothing is paused");
}

void
LabFront::ReadExperiment(const LabExperiment& experiment)
{
    const LabOptions& o = m_options;
    const bool collective = o.IsSet("collective");
    const bool arrive = o.IsSet("arrivals") || o.IsSet("incasts");
    const bool cioq = o.GetFlag("cioq");
    const bool plain = o.GetFlag("plain") || collective || cioq;
    file.name = o.GetText("scenario");
    RefuseIdle(plain);
    ReadNetwork(experiment);
    const LabFrontPorts ports(file);
    ReadNetworkAttributes();
    ReadTcpAttributes();
    ReadAttributes();
    ReadPolicers(ports);
    if (o.GetFlag("scale-thresholds"))
    {
        ScaleThresholds();
    }
    if (!cioq)
    {
        ReadMarkers();
    }
    file.drain = arrive ? o.Get("drain") : 0;
    file.recorded.testbed = !plain;
    file.recorded.marks = o.GetFlag("marks");
    file.recorded.received = o.GetFlag("received");
    file.recorded.cioq = cioq;
    const std::string& text = o.GetText("flows");
    file.recorded.classes =
        !plain && (text.find(":class=") != std::string::npos || text.find(":dscp=") != std::string::npos);
    if (!plain)
    {
        ReadEndPoints(ports);
        ReadTcp(ports);
    }
    LabOptions::FailIf((collective || arrive) && o.GetFlag("received") ? "--received needs --flows" : "");
    std::string receiver = ports.GetHosts().empty() ? "" : file.nodes[ports.GetHosts().front()].name;
    if (collective)
    {
        ReadCollective(ports);
    }
    else if (arrive)
    {
        ReadArrivals(ports);
    }
    else
    {
        LabOptions::FailIf(experiment.flows.empty() ? "--flows is empty, expected A-B[:KEY=VALUE...]" : "");
        ReadFlows(experiment, ports, !plain);
        receiver = experiment.flows.front().pairs.front().second;
    }
    ReadWatch(receiver, ports, !plain);
    ReadCaptures();
}

// ---------------------------------------------------------------- flows that are listed

void
LabFront::ReadFlows(const LabExperiment& experiment, const LabFrontPorts& ports, bool groups)
{
    std::map<std::string, uint32_t> algorithms; // by name
    std::vector<std::pair<uint32_t, uint32_t>> numbers;
    uint32_t queuePairs = 0;
    const auto group = [&](const std::string& name) {
        file.groups.emplace_back();
        file.groups.back().name = groups ? name : "";
        file.groups.back().first = static_cast<uint32_t>(file.flows.size());
    };
    for (const auto& f : experiment.flows)
    {
        RunFlows one = RecordOfFlows(f);
        if (!f.cc.empty())
        {
            const auto own = algorithms.emplace(f.cc, static_cast<uint32_t>(file.algorithms.size()));
            if (own.second)
            {
                file.algorithms.push_back(RecordOf(*m_options.CreateAlgorithm(f.cc)));
            }
            one.algorithm = own.first->second;
        }
        std::vector<uint32_t> from, to;
        for (const auto& pair : f.pairs)
        {
            from.push_back(ports.GetHost("flows", pair.first));
            to.push_back(ports.GetHost("flows", pair.second));
        }
        if (f.count)
        {
            group(f.hosts);
            AddInTurn(file.flows, one, static_cast<size_t>(f.count), from, to);
        }
        else
        {
            for (size_t i = 0; i < f.pairs.size(); i++)
            {
                group(f.pairs[i].first + "-" + f.pairs[i].second);
                one.from = from[i];
                one.to = to[i];
                one.count = static_cast<uint32_t>(f.repeat);
                file.flows.push_back(one);
            }
        }
        numbers.emplace_back(queuePairs, static_cast<uint32_t>(f.Count()));
        queuePairs += numbers.back().second;
    }
    ReadWaits(experiment, numbers);
}

/// \param numbers of the queue pairs of each item, the first and how many there are
void
LabFront::ReadWaits(const LabExperiment& experiment, const std::vector<std::pair<uint32_t, uint32_t>>& numbers)
{
    for (size_t i = 0; i < experiment.flows.size(); i++)
    {
        const LabExperiment::Flows& f = experiment.flows[i];
        if (f.after.empty())
        {
            continue;
        }
        RunWait wait;
        wait.first = numbers[i].first;
        wait.count = numbers[i].second;
        wait.needs = static_cast<uint32_t>(f.needs);
        wait.delay = f.delay;
        wait.after = static_cast<uint32_t>(file.afters.size());
        file.waits.push_back(wait);
        for (const auto& other : f.after)
        {
            RunAfter after;
            if (other.item != SIZE_MAX)
            {
                after.first = numbers[other.item].first;
                after.count = numbers[other.item].second;
            }
            after.received = other.received;
            file.recorded.received = file.recorded.received || other.received;
            after.later = other.later;
            file.afters.push_back(after);
        }
    }
}

// ---------------------------------------------------------------- flows that arrive at random

/// What of the hosts' links flows take on average.
uint64_t
LabFront::ReadLoad(const std::string& option, const std::string& item, const std::string& text) const
{
    return LabOptions::ParseField<uint64_t>(option, item, text, RCC_UNIT_RATIO, RCC_RATIO_ONE / 100000, RCC_RATIO_ONE);
}

void
LabFront::ReadArrivals(const LabFrontPorts& ports)
{
    const LabOptions& o = m_options;
    o.FailValueIf(o.IsChanged("flows"), "flows", "none beside --arrivals and --incasts");
    if (ports.GetHosts().size() < 2)
    {
        LabOptions::Fail("--arrivals and --incasts need two hosts in --links");
    }
    if (o.IsSet("arrivals"))
    {
        const std::string& item = o.GetText("arrivals");
        const size_t colon = item.rfind(':');
        o.FailValueIf(colon == std::string::npos, "arrivals", "SIZES:LOAD such as web-search:0.3");
        LabSizes sizes;
        const std::string why = sizes.Load(item.substr(0, colon));
        LabOptions::FailIf(why.empty() ? why : "--arrivals: " + why);
        const uint64_t load = ReadLoad("arrivals", item, item.substr(colon + 1));
        const auto hosts = static_cast<uint32_t>(ports.GetHosts().size());
        const auto mtu = o.Get<uint32_t>("mtu");
        uint64_t rate = ports.GetHostRate();
        if (o.GetText("load-counts") == "payload") // more arrive: the headers come on top
        {
            const double wire = static_cast<double>(sizes.GetMeanGap(rate, mtu)) / 65536;
            rate = static_cast<uint64_t>(wire * static_cast<double>(rate) * static_cast<double>(rate) /
                                         (sizes.GetMeanBytes() * 8e9));
        }
        file.random.load = load;
        file.random.gap = LabPoissonFlows::GapOf(sizes, hosts, rate, load, mtu);
        const double expected = o.Get<double>("time") / (static_cast<double>(file.random.gap) / 65536);
        if (expected > ARRIVALS_EXPECTED_MAX)
        {
            LabOptions::Fail("--time is '" + o.GetText("time") + "', in which some " +
                             std::to_string(static_cast<uint64_t>(expected)) +
                             " flows would arrive, expected at most " +
                             std::to_string(static_cast<uint64_t>(ARRIVALS_EXPECTED_MAX)));
        }
        for (const auto& point : sizes.GetPoints())
        {
            RunSize size;
            size.bytes = point.bytes;
            size.share = point.share;
            file.sizes.push_back(size);
        }
    }
    if (o.IsSet("incasts"))
    {
        ReadIncasts(ports);
    }
}

void
LabFront::ReadIncasts(const LabFrontPorts& ports)
{
    const LabOptions& o = m_options;
    const std::string& item = o.GetText("incasts");
    std::vector<std::string> part = LabSplit(item, ':');
    const auto hosts = static_cast<uint32_t>(ports.GetHosts().size());
    o.FailValueIf(part.size() != 3 && part.size() != 4, "incasts", "SENDERS:SIZE:LOAD[:QPS] such as 60:500KB:0.02");
    part.resize(4, "1");
    RunIncasts& r = file.incasts;
    r.senders = LabOptions::ParseField<uint32_t>("incasts", item, part[0], RCC_UNIT_COUNT, 1, int64_t{hosts} - 1);
    r.size = LabOptions::ParseField<uint64_t>("incasts", item, part[1], RCC_UNIT_BYTES, 1, 1000 * RCC_SECOND);
    const uint64_t load = ReadLoad("incasts", item, part[2]);
    r.qps = LabOptions::ParseField<uint32_t>("incasts", item, part[3], RCC_UNIT_COUNT, 1, 100000);
    const double payload = static_cast<double>(uint64_t{r.senders} * r.qps) * static_cast<double>(r.size);
    const auto mtu = o.Get<double>("mtu");
    const double counted = o.GetText("load-counts") == "payload" ? payload : payload * (mtu + ROCE_OVERHEAD) / mtu;
    const double rate = static_cast<double>(ports.GetHostRate() * hosts) * static_cast<double>(load) / RCC_RATIO_ONE;
    r.gap =
        static_cast<uint64_t>(std::min(counted * 8e9 / rate * 65536, static_cast<double>(LabPoissonTimes::GAP_MAX)));
    r.gap = std::max<uint64_t>(r.gap, 1);
}

// ---------------------------------------------------------------- a collective operation

void
LabFront::ReadCollective(const LabFrontPorts& ports)
{
    const std::string& text = m_options.GetText("collective");
    const std::string operation = text.substr(0, text.find(':'));
    int64_t size = 16000000;
    int64_t qps = 1;
    int64_t rounds = 1;
    std::string sync = "barrier";
    std::string placement = "across";
    RunCollective& c = file.collective;
    LabOptions::ParseKeys("collective", text,
                          {{"sync", RCC_UNIT_COUNT, 0, 0, nullptr, &sync},
                           {"size", RCC_UNIT_BYTES, 1, 1000 * RCC_SECOND, &size, nullptr},
                           {"qps", RCC_UNIT_COUNT, 1, 1024, &qps, nullptr},
                           {"gap", RCC_UNIT_NS, 0, RCC_SECOND, &c.gap, nullptr},
                           {"rounds", RCC_UNIT_COUNT, 1, 1000000, &rounds, nullptr},
                           {"placement", RCC_UNIT_COUNT, 0, 0, nullptr, &placement}},
                          COLLECTIVE_FORM);
    const auto failIf = [&text](bool wrong, const std::string& expected) {
        LabOptions::FailItemIf(wrong, "collective", text, expected);
    };
    failIf(operation != "all-reduce" && operation != "all-to-all", COLLECTIVE_FORM);
    failIf(sync != "barrier" && sync != "data", "sync=barrier or data");
    failIf(placement != "across" && placement != "within", "placement=across or within");
    LabOptions::FailIf(ports.GetHosts().size() < 2 ? "--collective needs two hosts in --links" : "");
    m_options.FailValueIf(m_options.IsChanged("flows"), "flows", "none beside --collective");
    c.exists = true;
    c.ring = operation == "all-reduce";
    c.barrier = sync == "barrier";
    c.size = static_cast<uint64_t>(size);
    c.qps = static_cast<uint32_t>(qps);
    c.rounds = static_cast<uint32_t>(rounds);
    std::vector<std::vector<uint32_t>> bySwitch; // one of each in turn, so that neighbours are on different switches
    std::map<std::string, size_t> numbers;
    for (uint32_t host : ports.GetHosts())
    {
        const std::string sw = placement == "across" ? ports.GetNeighbour(host) : "";
        if (numbers.emplace(sw, bySwitch.size()).second)
        {
            bySwitch.emplace_back();
        }
        bySwitch[numbers[sw]].push_back(host);
    }
    for (size_t turn = 0; file.ranks.size() < ports.GetHosts().size(); turn++)
    {
        for (const auto& hosts : bySwitch)
        {
            if (turn < hosts.size())
            {
                file.ranks.emplace_back();
                file.ranks.back().node = hosts[turn];
            }
        }
    }
}

} // namespace ns3
