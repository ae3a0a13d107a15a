/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Options of the testbed at their limits, and the window of the means of a run that ends before it. */
#include "cioq-recorder.h"
#include "lab-names.h"
#include "lab-run.h"
#include "lab-test-experiment.h"
#include "lab-test-program.h"
#include "rcc-test-net.h"

using namespace ns3;

namespace
{

LabTestOutput
TestbedApart(std::vector<std::string> arguments)
{
    const auto lacks = [&](const std::string& option) {
        return std::none_of(arguments.begin(), arguments.end(),
                            [&](const std::string& a) { return a.compare(0, option.size(), option) == 0; });
    };
    for (const char* usual : {"--links=h[1-5]-s1", "--flows=h[1-4]-h5", "--time=100us"})
    {
        const std::string word = usual;
        const bool arrive = word.compare(0, 7, "--flows") == 0 && !lacks("--incasts=");
        if (!arrive && lacks(word.substr(0, word.find('=') + 1)))
        {
            arguments.push_back(word);
        }
    }
    return LabTestExperiment(arguments);
}

/// What is wrong, or more than a computer has room for, ends with status 2 and one line that says what is expected.
void
Refused()
{
    const std::vector<std::vector<std::string>> rows{
        {"--police=,", "expected SWITCH>NODE:RATE"},
        {"--lossless=4,4", "has '4', expected each class once"},
        {"--links=h1-s1*0,h[2-5]-s1", "expected a number of parallel links after *"},
        {"--links=h[1-100000]-s[1-100000]", "expected at most 1000000 pairs"},
        {"--links=h[1-1000]x[1-100000]-s1", "expected at most 1000000 names"},
        {"--links=h[1-100000]=s[1-99999]", "expected as many names"},
        {"--flows=h[1-4]-h5:repeat=1000000:qps=100000", "expected at most 10000000 in all"},
        {"--flows=h1-h5:repeat=1000000:qps=9,h2-h5:repeat=1000001", "1 to 1000000"},
        {"--flows=h1-h5:repeat=1000000:qps=10,h2-h5", "expected at most 10000000 in all"},
        {"--tcp=h[1-300]-h[1-300]:cc=dctcp", "expected at most 60534 pairs of hosts in all"},
        {"--incasts=4:1TB:0.0001", "no flow arrives"},
        {"--incasts=4:1TB:0.00001:100000", "no flow arrives"},
    };
    for (const auto& row : rows)
    {
        const LabTestOutput o = TestbedApart({row[0]});
        RCC_CHECK_EQ(o.status, 2, row[0]);
        RCC_CHECK_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1, row[0] << ": " << o.err);
        RCC_CHECK(o.err.find(row[1]) != std::string::npos, row[0] << ": " << o.err);
    }
}

/// Pairs of A=B take no longer than their number; so many links would not end within a test.
void
PairsOneByOne()
{
    const auto pairs = LabExpandPairs("links", "a[1-100000]=b[1-50000]");
    RCC_CHECK_EQ(pairs.size(), 100000, "");
    RCC_CHECK(pairs[0] == std::make_pair(std::string("a1"), std::string("b1")), "");
    RCC_CHECK(pairs[1] == std::make_pair(std::string("a2"), std::string("b1")), "");
    RCC_CHECK(pairs[99999] == std::make_pair(std::string("a100000"), std::string("b50000")), "");
    RCC_CHECK_EQ(LabExpandPairs("links", "a[1-3]=b").size(), 3, "");
    RCC_CHECK_EQ(LabExpandPairs("links", "a[1-1000]-b[1-1000]").size(), 1000000, "");
}

/// A port that --record names, beside being the watched one or twice, is recorded once.
void
PortsOnce()
{
    const LabTestOutput o = TestbedApart({"--record=s1>h5,s1>h1,s1>h1"});
    RCC_CHECK_EQ(o.status, 0, o.err);
    const std::string ports = o.out.substr(o.out.find("\"ports\""));
    for (const char* name : {"\"s1>h5\"", "\"s1>h1\""})
    {
        RCC_CHECK(ports.find(name) != std::string::npos, name);
        RCC_CHECK_EQ(ports.find(name), ports.rfind(name), name);
    }
}

/// Three hosts on the ports of one CioqSwitch, of which two send to the third.
int
FanIn()
{
    LabOptions options;
    options.AddTable("run");
    LabTestParse(options, {"--cc=qcn", "--preset=ibm-10g", "--rate=10Gbps"});
    LabFront front(options);
    front.file.name = "fan-in";
    front.ReadRun();
    LabRun run(front.file, front.asked, front.words);
    NodeContainer hosts(3);
    Ptr<Node> node = CreateObject<Node>();
    Ptr<CioqSwitch> sw = run.GetHelper().InstallCioqSwitch(node);
    std::vector<Ptr<RdmaNic>> nics;
    for (uint32_t i = 0; i < 3; i++)
    {
        nics.push_back(run.GetHelper().InstallHost(hosts.Get(i)));
        run.GetHelper().Connect(hosts.Get(i), node);
        sw->SetRoute(hosts.Get(i)->GetId(), i);
    }
    run.AddSwitch(sw);
    for (uint32_t i = 0; i < 2; i++)
    {
        run.GetFlows().Add(nics[i], nics[2], 0, 0);
    }
    CioqRecorder recorder(run, sw, options.Get("time"));
    run.Watch(sw->GetPort(2), "port");
    run.SetExtra(&recorder);
    return run.Execute();
}

/// A run that is cut short before its window has the means of flows until then, as those of queues are.
void
CutShort()
{
    setenv("RCC_MAX_EVENTS", "3000", 1);
    const LabTestOutput o = LabTestProgram(FanIn);
    unsetenv("RCC_MAX_EVENTS");
    RCC_CHECK_EQ(o.status, 0, o.err);
    RCC_CHECK(o.out.find("\"partial\": true") != std::string::npos, o.out);
    RCC_CHECK(o.out.find("\"per_flow_window_s\": [0, ") != std::string::npos, o.out);
    RCC_CHECK(o.out.find("\"mean_bps\": 0,") == std::string::npos, o.out);
}

RccTestSuite g_testbedSuite("rcc-testbed", {{"refused", Refused},
                                            {"pairs-one-by-one", PairsOneByOne},
                                            {"ports-once", PortsOnce},
                                            {"cut-short", CutShort}});

} // namespace
