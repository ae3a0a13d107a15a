/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Experiments as files: what is refused with its place, the arithmetic of a transfer, flows that wait for others. */
#include "lab-json-reader.h"
#include "lab-names.h"
#include "lab-test-experiment.h"

#include "ns3/lab-text.h"
#include "ns3/rcc-frame.h"

#include <cmath>
#include <sstream>

using namespace ns3;

namespace
{

const std::string PAIR =
    "{\"links\": [\"h[1-3]-s1\"],\n\"cc\": \"none\", \"rate\": \"1Gbps\", \"mtu\": 1000, \"time\": \"50ms\",\n";

/// Run an experiment from a file. \param text of the file \param arguments beside it
LabTestOutput
RunFile(const RccTestFolder& folder, const std::string& text, std::vector<std::string> arguments = {})
{
    const std::string path = folder.Write("an experiment.json", text); // a blank is nothing special
    arguments.insert(arguments.begin(), path);
    return LabTestExperiment(arguments);
}

/// Every mistake is one line that says where it is, and status 2.
void
Refused()
{
    const std::string deep(100, '[');
    const std::vector<std::vector<std::string>> rows{
        {"", ":1: found the end, expected a value"},
        {"{", ": found the end, expected a key in quotes"},
        {"[]", ":1: found a list, expected an object with the keys of an experiment"},
        {deep, "expected at most 64 levels"},
        {"{\"rate\": \"1Gbps\",\n \"rate\": \"2Gbps\"}",
         ":2: found the key 'rate' again, expected it once, as in line 1"},
        {"{\"rate\": 1Gbps}", ":1: found '1Gbps}', expected a value: texts have quotes"},
        {"{\"rate\": \"1Gbps}\n", ":1: found '?', expected a quote at the end of the text"},
        {"{\"rate\": \"1Gbps\"} x", ":1: found 'x', expected the end of the file"},
        {"{\"time\": 01}", "expected a value: texts have quotes"},
        {"{\n\n\"rte\": \"1Gbps\"}",
         ":3: found the key 'rte', expected one of lab/doc/testbed.md; the nearest is 'rate'"},
        {"{\"out\": \"x\"}", ":1: found the key 'out', expected one of"},
        {"{\"rate\":\n [\"1Gbps\"]}", ":2: rate: found a list, expected a text or a number"},
        {"{\"rate\": null}", ":1: rate: found null, expected"},
        {"{\"lossy\": \"yes\"}", ":1: lossy: found 'yes', expected true or false"},
        {"{\n\"rate\": \"17Tbps\"}", ":2: rate: found '17Tbps', expected 1Mbps to 16Tbps"},
        {"{\n\"time\": 5}", ":2: time: found '5', expected a time such as 55us or 0.4s"},
        {"{\"links\": {\"a\": 1}}", ":1: links: found an object, expected a list"},
        {"{\"links\": [\"h1-s1\",\n{\"nods\": \"h2-s1\"}]}", ":2: found the key 'nods', expected one of links: nodes"},
        {"{\"links\": [{\"rate\": \"1Gbps\"}]}", ":1: links: found an object without 'nodes'"},
        {"{\"links\": [{\"nodes\": \"h1-s1\", \"rate\": [1]}]}", ":1: rate: found a list, expected a text without"},
        {"{\"links\": [\"h1-s1,h2-s1\"]}", ":1: links: found 'h1-s1,h2-s1', expected texts without commas, or objects"},
        {"{\"links\": [\"h1-s1\",\n\"h2 x-s1\"]}", ":2: links: found 'h2 x', expected the name of a node"},
        {"{\"links\": [\"h1-s1\",\n\"h2-h2\"]}", ":2: links: found 'h2-h2': a link of h2 to itself"},
        {"{\"links\": [\"h1-h2\"], \"flows\": [\"h1-h2\"]}", "links has no switch"},
        {"{\"flows\": [\"h1-h2\"]}", ":1: links is empty, expected A-B"},
        {PAIR.substr(0, PAIR.rfind(',')) + "}", ":1: flows is empty, expected A-B"},
        {"{\"links\": [\"h1-s1\"],\n\"nodes\": [\"h1\"]}", ":1: links: found 's1', expected a node of nodes"},
        {"{\"links\": [\"h1-s1\"],\n\"nodes\": [\"h1\", \"s1\", \"h1\"]}",
         ":2: nodes: found 'h1', expected each node once"},
        {PAIR + "\"flows\": [\"h1-h2\",\n\"h1-h9\"]}", ":4: flows: found 'h9', expected a host of links"},
        {PAIR + "\"flows\": [\"h1-s1\"]}", ":3: flows: found 's1', expected a host of links"},
        {PAIR + "\"flows\": [\"h1=h1\"]}", ":3: flows: found 'h1=h1', expected two different hosts"},
        {PAIR + "\"flows\": [{\"hosts\": \"h1-h2\", \"sise\": 1}]}",
         ":3: found the key 'sise', expected one of flows: hosts"},
        {PAIR + "\"flows\": [{\"hosts\": \"h1-h2\",\n\"size\": \"x\"}]}", ":3: flows: found 'h1-h2:size=x': 'x'"},
        {PAIR + "\"flows\": [{\"hosts\": \"h1-h2\", \"size\": \"1KB\", \"after\": \"a\"}]}",
         "expected after names of other flows"},
        {PAIR + "\"flows\": [{\"hosts\": \"h1-h2\", \"name\": \"a\"}, {\"hosts\": \"h1-h3\", \"after\": \"a\"}]}",
         "expected after flows that end, which have a size"},
        {PAIR + "\"flows\": [\"h1-h2:size=1KB:name=a:after=b\",\n\"h1-h3:size=1KB:name=b:after=a\"]}",
         ":3: flows: found 'h1-h2:size=1KB:name=a:after=b', expected no flows that wait for one another in a circle"},
        {PAIR + "\"flows\": [\"h1-h2:size=1KB:name=a\", \"h1-h3:size=1KB:after=a:needs=2\"]}",
         "expected needs of at most the 1 flow that"},
        {PAIR + "\"flows\": [\"h1-h2:size=1KB:name=a\",\n\"h1-h3:size=1KB:after=a@5\"]}",
         ":4: flows: found 'h1-h3:size=1KB:after=a@5': '5', expected a time"},
        {PAIR + "\"flows\": [\"h1-h2:size=1KB:name=a@b\"]}", "expected a name without + and @"},
        {PAIR + "\"flows\": [\"h1-h2:size=1KB:name=a.received\"]}", "and without .received at its end"},
        {PAIR + "\"received\": true, \"collective\": \"all-reduce\"}", "received needs flows"},
        {PAIR + "\"flows\": [\"h1-h2:delay=1us\"]}", "expected after beside needs and delay"},
        {PAIR + "\"flows\": [\"h1-h2:size=1KB:name=a\", \"h1-h3:after=a:start=1us\"]}", "expected after, or start"},
        {PAIR + "\"flows\": [\"h1-h2:name=a\",\n\"h1-h3:name=a\"]}",
         ":4: flows: found 'h1-h3:name=a', expected a name of its own"},
        {PAIR + "\"flows\": [\"h1-h2\"],\n\"attr\": {\"QbbSwitch.EgresAlpha\": 2}}",
         ":4: attr: found 'QbbSwitch.EgresAlpha=2', expected an attribute"},
        {PAIR + "\"flows\": [\"h1-h2\"], \"set\": {\"dcqcn.g\": [1]}}",
         ":3: dcqcn.g: found a list, expected a text or a number"},
        {PAIR + "\"flows\": [\"h1-h2\"],\n\"cc\": \"dcqn\"}", "found the key 'cc' again"},
        {"{\"links\": [\"h1-s1\"],\n\"cc\": \"dcqn\"}", ":2: cc: "},
        {PAIR + "\"flows\": [\"h1-h2\"],\n\"watch\": \"s1>h8\"}",
         ":4: watch: found 's1>h8', expected a switch and a neighbour"},
    };
    for (const auto& row : rows)
    {
        RccTestFolder folder;
        const LabTestOutput o = RunFile(folder, row[0]);
        RCC_CHECK_EQ(o.status, 2, row[0] << ": " << o.err);
        RCC_CHECK_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1, row[0] << ": " << o.err);
        RCC_CHECK_EQ(o.err.find("rcc: error: "), 0, o.err);
        RCC_CHECK(o.err.find(row[1]) != std::string::npos, row[0] << ": " << o.err << " should say " << row[1]);
    }
    RCC_CHECK(LabTestExperiment({"no such file.json"}).err.find("'no such file.json': No such file") !=
                  std::string::npos,
              "");
}

/// Values of JSON, as the reader takes them.
void
Json()
{
    RccTestFolder folder;
    const LabJsonValue value = LabReadJson(folder.Write(
        "a.json",
        "\xef\xbb\xbf{\"a\": [1, -2.5e+3, true, null, []],\r\n \"b\": {\"\\u00e9\\ud83d\\ude00\\n\": \"\\\"\"}}"));
    RCC_CHECK_EQ(value.items.size(), 2, "");
    RCC_CHECK_EQ(value.items[0].items.size(), 5, "");
    RCC_CHECK_EQ(value.items[0].items[1].text, "-2.5e+3", "");
    RCC_CHECK(value.items[0].items[2].kind == LabJsonValue::Kind::FLAG, "");
    RCC_CHECK_EQ(value.keys[1].line, 2, "");
    RCC_CHECK_EQ(value.items[1].keys[0].name, "\xc3\xa9\xf0\x9f\x98\x80\n", "");
    RCC_CHECK_EQ(value.items[1].items[0].text, "\"", "");
    for (const char* wrong : {"{\"a\": 1,}", "[1,]", "[+1]", "[.5]", "[1.]", "[1e]", "[nul]", "[\"\\x\"]",
                              "[\"\\ud800\"]", "[\"\\u12\"]", "{1: 2}", "[1 2]", "[\"\t\"]"})
    {
        const std::string path = folder.Write("b.json", wrong);
        RCC_CHECK(!LabErrorOf([&] { LabReadJson(path); }).empty(), wrong);
    }
}

/// Each side in turn, and ranges in steps.
void
Names()
{
    const auto pairs = LabExpandFlows("flows", "h[0-3]~h[10-30/10]");
    RCC_CHECK_EQ(pairs.size(), 12, "until they repeat");
    RCC_CHECK(pairs[3] == LabPair("h3", "h10") && pairs[4] == LabPair("h0", "h20"), "");
    RCC_CHECK_EQ(LabExpandFlows("flows", "h[0-3]~h[10-30/10]", 5).size(), 5, "");
}

/// A row of flows.csv.
struct Row
{
    double start{0}, fct{-1}, received{-1};
};

std::vector<Row>
ReadFlows(const std::string& folder)
{
    std::vector<Row> rows;
    std::istringstream in(RccTestFolder::Read(folder + "/flows.csv"));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line))
    {
        const std::vector<std::string> part = LabSplit(line, ',');
        Row row;
        row.start = std::stod(part[3]);
        row.fct = part.size() > 7 ? std::stod(part[7]) : -1;
        row.received = part.size() > 8 ? std::stod(part[8]) : -1;
        rows.push_back(row);
    }
    return rows;
}

/// \return the rows of flows.csv of an experiment of PAIR
std::vector<Row>
Flows(const std::string& rest)
{
    RccTestFolder folder;
    const LabTestOutput o = RunFile(folder, PAIR + rest + "}", {"--out=" + folder.Name("out put")});
    RCC_CHECK_EQ(o.status, 0, o.err);
    return ReadFlows(folder.Name("out put"));
}

/// A transfer between two hosts takes, for each packet, its bytes on the wire, and four times the delay of a link.
void
Transfer()
{
    const auto time = [](const std::string& more) { return Flows("\"flows\": [\"h1-h2:size=" + more).at(0).fct; };
    const double packet = (1000 + ROCE_OVERHEAD) * 8e-9;
    RCC_CHECK_NEAR(time("20KB\"]") - time("10KB\"]"), 10 * packet, 1e-12, "");
    RCC_CHECK_NEAR(time("10KB\"], \"delay\": \"5us\"") - time("10KB\"], \"delay\": \"1us\""), 4 * 4e-6, 1e-12, "");
}

/// A flow starts after the later one of two others, or after the first one, and a delay.
void
Waits()
{
    const auto rows =
        Flows("\"flows\": [{\"hosts\": \"h1-h2\", \"size\": \"100KB\", \"name\": \"long\"},\n"
              "{\"hosts\": \"h3-h2\", \"size\": \"20KB\", \"start\": \"50us\", \"name\": \"short\"},\n"
              "{\"hosts\": \"h2-h1\", \"size\": \"10KB\", \"after\": \"long+short\", \"delay\": \"10us\"},\n"
              "{\"hosts\": \"h2-h3\", \"size\": \"10KB\", \"after\": \"short+long\", \"needs\": 1}]");
    RCC_CHECK_EQ(rows.size(), 4, "");
    const double longEnd = rows[0].start + rows[0].fct;
    const double shortEnd = rows[1].start + rows[1].fct;
    RCC_CHECK(shortEnd < longEnd, "they share the link to h2");
    RCC_CHECK_NEAR(rows[2].start, longEnd + 10e-6, 1e-12, "");
    RCC_CHECK_NEAR(rows[3].start, shortEnd, 1e-12, "");
    RCC_CHECK(rows[2].fct > 0 && rows[3].fct > 0, "");
}

/// The receiver knows of a flow when its last byte is there, the sender when the acknowledgement has come back.
void
WaitsForArrival()
{
    const auto rows = Flows("\"flows\": [{\"hosts\": \"h1-h2\", \"size\": \"10KB\", \"name\": \"a\"},\n"
                            "{\"hosts\": \"h2-h3\", \"size\": \"1KB\", \"after\": \"a.received\"},\n"
                            "{\"hosts\": \"h2-h3\", \"size\": \"1KB\", \"after\": \"a.received@1ms\"},\n"
                            "{\"hosts\": \"h1-h3\", \"size\": \"1KB\", \"after\": \"a\"}]");
    RCC_CHECK_EQ(rows.size(), 4, "");
    const double back = 2 * (ROCE_ACK_BYTES * 8e-9 + 1e-6); // of the acknowledgement, over two links
    RCC_CHECK_NEAR(rows[1].start, rows[0].fct - back, 1e-12, "");
    RCC_CHECK_NEAR(rows[2].start, rows[0].fct - back + 1e-3, 1e-12, "");
    RCC_CHECK_NEAR(rows[3].start, rows[0].fct, 1e-12, "");
    RCC_CHECK_NEAR(rows[0].received, rows[0].fct - back, 1e-12, "");
    RCC_CHECK(rows[1].fct > 0 && rows[2].fct > 0 && rows[3].fct > 0, "");
}

/// Each flow that is waited for counts after a time of its own; a time alone is one of the run.
void
WaitsWithTimes()
{
    const auto rows =
        Flows("\"flows\": [{\"hosts\": \"h1-h2\", \"size\": \"10KB\", \"name\": \"a\"},\n"
              "{\"hosts\": \"h3-h2\", \"size\": \"20KB\", \"start\": \"400us\", \"name\": \"b\"},\n"
              "{\"hosts\": \"h2-h1\", \"size\": \"1KB\", \"after\": \"a@9ms+b@1us\", \"delay\": \"2us\"},\n"
              "{\"hosts\": \"h2-h1\", \"size\": \"1KB\", \"after\": \"a@1us+b\"},\n"
              "{\"hosts\": \"h2-h1\", \"size\": \"1KB\", \"after\": \"a+@12ms\"},\n"
              "{\"hosts\": \"h2-h1\", \"size\": \"1KB\", \"after\": \"b+@1us\"}]");
    RCC_CHECK_EQ(rows.size(), 6, "");
    const double firstEnd = rows[0].start + rows[0].fct;
    const double secondEnd = rows[1].start + rows[1].fct;
    RCC_CHECK(firstEnd < secondEnd, "");
    RCC_CHECK_NEAR(rows[2].start, firstEnd + 9002e-6, 1e-12, "");
    RCC_CHECK_NEAR(rows[3].start, secondEnd, 1e-12, "");
    RCC_CHECK_NEAR(rows[4].start, 12e-3, 1e-12, "");
    RCC_CHECK_NEAR(rows[5].start, secondEnd, 1e-12, "");
}

/// Ten thousand flows, each of its own, in one file; what the run leaves repeats it.
void
ManyAndAgain()
{
    std::string text = PAIR + "\"plain\": true, \"flows\": [";
    for (int i = 0; i < 10000; i++)
    {
        text += (i ? ",\n" : "") + std::string("{\"hosts\": \"h1-h") + (i % 2 ? "2" : "3") +
                "\", \"size\": 100, \"start\": \"" + std::to_string(i) + "us\"}";
    }
    RccTestFolder folder;
    const std::string first = folder.Name("first");
    RCC_CHECK_EQ(RunFile(folder, text + "]}", {"--out=" + first}).status, 0, "");
    const std::vector<Row> rows = ReadFlows(first);
    RCC_CHECK_EQ(rows.size(), 10000, "");
    RCC_CHECK_EQ(std::count_if(rows.begin(), rows.end(), [](const Row& r) { return r.fct > 0; }), 10000, "all end");
    const std::string second = folder.Name("second");
    RCC_CHECK_EQ(LabTestExperiment({first + "/experiment.json", "--out=" + second}).status, 0, "");
    for (const char* file : {"/experiment.json", "/flows.csv", "/queue.csv"})
    {
        RCC_CHECK(RccTestFolder::Read(first + file) == RccTestFolder::Read(second + file), file);
    }
}

RccTestSuite g_experimentSuite("lab-experiment", {{"refused", Refused},
                                                  {"json", Json},
                                                  {"names", Names},
                                                  {"transfer", Transfer},
                                                  {"waits", Waits},
                                                  {"waits-with-times", WaitsWithTimes},
                                                  {"waits-for-arrival", WaitsForArrival},
                                                  {"many-and-again", ManyAndAgain}});

} // namespace
