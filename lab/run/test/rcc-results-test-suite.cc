/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Queue statistics, fairness, JSON, numbers, and that a run is a function of its run file. */
#include "lab-test-run.h"
#include "rcc-test-net.h"

#include "lab-number.h"
#include "lab-results.h"
#include "lab-timeline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>
#include <unistd.h>

using namespace ns3;

namespace
{

/// Mean, percentiles and maximum against the list of all nanoseconds.
void
QueueStatsAgainstList()
{
    for (uint64_t seed = 0; seed < 20; seed++)
    {
        RccTestRandom random(seed);
        const uint64_t threshold = 50000;
        LabQueueStats stats(threshold);
        std::vector<uint64_t> list; // length in each ns of the window
        int64_t now = 0;
        int64_t lastAbove = -1;
        const uint64_t scale = seed % 4 == 0 ? 2000 : 200000;
        for (int i = 0; i < 2000; i++)
        {
            uint64_t bytes = random.Below(5) == 0 ? 0 : random.Below(scale);
            int64_t dt = static_cast<int64_t>(random.Below(20));
            now += dt;
            if (i == 500)
            {
                stats.BeginWindow(bytes, now);
                list.clear();
            }
            else
            {
                stats.QueueWas(bytes, now);
                list.insert(list.end(), static_cast<size_t>(dt), bytes);
            }
            lastAbove = bytes >= threshold && dt > 0 ? now : lastAbove;
        }
        double sum = 0;
        for (uint64_t b : list)
        {
            sum += static_cast<double>(b);
        }
        std::sort(list.begin(), list.end());
        RCC_CHECK_NEAR(stats.GetMean(), sum / static_cast<double>(list.size()), 1e-6, "seed " << seed);
        RCC_CHECK_EQ(stats.GetMax(), list.back(), "seed " << seed);
        RCC_CHECK_EQ(stats.GetLastAbove(), lastAbove, "seed " << seed);
        for (double q : {0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0})
        {
            auto rank = static_cast<size_t>(std::ceil(q * static_cast<double>(list.size())));
            double want = static_cast<double>(list[std::max<size_t>(rank, 1) - 1]);
            auto got = static_cast<double>(stats.GetPercentile(q));
            RCC_CHECK(got >= want && got <= want + LabQueueStats::BIN,
                      "seed " << seed << " q " << q << ": " << got << " for " << want);
        }
    }
}

void
QueueStatsCorners()
{
    LabQueueStats none(100);
    RCC_CHECK_EQ(none.GetMean(), 0, "");
    RCC_CHECK_EQ(none.GetPercentile(0.99), 0, "");
    RCC_CHECK_EQ(none.GetLastAbove(), -1, "");

    LabQueueStats empty(100);
    empty.QueueWas(0, 1000);
    RCC_CHECK_EQ(empty.GetPercentile(0.5), 0, "");

    LabQueueStats mostlyEmpty(100);
    mostlyEmpty.QueueWas(0, 1000);
    mostlyEmpty.QueueWas(5000, 1100);
    RCC_CHECK_EQ(mostlyEmpty.GetPercentile(0.5), 0, "an empty queue is exactly empty");
    RCC_CHECK_EQ(mostlyEmpty.GetPercentile(0.99), 5000, "");
    RCC_CHECK_EQ(mostlyEmpty.GetLastAbove(), 1100, "");

    LabQueueStats huge(100);
    huge.QueueWas(uint64_t(1) << 40, 10);
    RCC_CHECK_EQ(huge.GetMax(), int64_t(1) << 40, "");
    RCC_CHECK_NEAR(huge.GetMean(), 1099511627776.0, 1, "");

    for (uint64_t mean : {uint64_t(1) << 23, uint64_t(1) << 24, uint64_t(100) << 20, uint64_t(3) << 40})
    {
        LabQueueStats deep(100);
        int64_t now = 0;
        for (uint64_t i = 0; i < 101; i++) // as long at each of 101 lengths
        {
            deep.QueueWas(mean - mean / 2 + mean / 100 * i, now += 10);
        }
        for (uint64_t percent : {5, 50, 95, 100})
        {
            const auto want = static_cast<double>(mean - mean / 2 + mean / 100 * percent);
            const auto got = static_cast<double>(deep.GetPercentile(static_cast<double>(percent) / 100));
            RCC_CHECK(got >= want && got <= want + LabQueueStats::BIN + want / 32768,
                      mean << " bytes, " << percent << " %: " << got << " for " << want);
        }
    }

    LabQueueStats sampled(100);
    sampled.QueueWas(1000, 100);
    LabQueueStats::Interval i = sampled.Sample(3000, 200);
    RCC_CHECK_NEAR(i.mean, 2000, 1e-9, "");
    RCC_CHECK_EQ(i.max, 3000, "");
    i = sampled.Sample(500, 300);
    RCC_CHECK_NEAR(i.mean, 500, 1e-9, "a sample forgets the one before");
    RCC_CHECK_EQ(i.max, 500, "");
    i = sampled.Sample(500, 300);
    RCC_CHECK_NEAR(i.mean, 0, 1e-9, "no time went by");
}

void
Jain()
{
    RCC_CHECK_NEAR(LabJain({}), 0, 0, "");
    RCC_CHECK_NEAR(LabJain({0, 0}), 0, 0, "");
    RCC_CHECK_NEAR(LabJain({5}), 1, 1e-15, "");
    RCC_CHECK_NEAR(LabJain({3, 3, 3}), 1, 1e-15, "");
    RCC_CHECK_NEAR(LabJain({1, 0, 0, 0}), 0.25, 1e-15, "");
    RCC_CHECK_NEAR(LabJain({1, 2, 3}), 36.0 / (3 * 14), 1e-15, "");
    RCC_CHECK_NEAR(LabJain({1e12, 1e12}), 1, 1e-9, "");
}

void
Json()
{
    RCC_CHECK_EQ(LabJson::Quote("a\"b\\c\n\t\x01"), "\"a\\\"b\\\\c\\u000a\\u0009\\u0001\"", "");
    RCC_CHECK_EQ(LabJson::Quote("\xc3\xbc"), "\"\xc3\xbc\"", "UTF-8 passes");
    RCC_CHECK_EQ(LabJson::Number(0.1), "0.1", "");
    RCC_CHECK_EQ(LabJson::Number(1e300), "1e+300", "");
    RCC_CHECK_EQ(LabJson::Number(std::numeric_limits<double>::quiet_NaN()), "null", "");
    RCC_CHECK_EQ(LabJson::Number(-std::numeric_limits<double>::infinity()), "null", "");
    LabJson list('[');
    list.Add("", 1.5).Add("", uint64_t(2));
    LabJson json;
    json.Add("a", std::string("x"))
        .Add("n", UINT64_MAX)
        .AddBool("t", true)
        .AddNull("z")
        .Add("l", list)
        .Add("e", LabJson());
    RCC_CHECK_EQ(json.Str(),
                 "{\"a\": \"x\", \"n\": 18446744073709551615, \"t\": true, \"z\": null, \"l\": [1.5, 2], \"e\": {}}",
                 "");
}

// ---------------------------------------------------------------- runs

/// An incast of three hosts to a fourth one.
struct Incast
{
    std::string algorithm{"dcqcn"};
    uint64_t seed{1};
    int64_t time{5000000}; //!< ns
    uint64_t rate{40000000000};
    uint32_t flows{12};
    uint64_t size{0};    //!< bytes of a flow; 0: it has no end
    std::string records; //!< more of them, in front of the network

    /// \return the run file
    std::string Text() const
    {
        std::ostringstream text;
        text << "rcc-run 1\nrun incast " << seed << " " << time << " 0 " << rate << "\n"
             << records << "algorithm 0 " << algorithm << "\n"
             << LabTestStar(4, "switch", rate) << "marker all 3 0\nwatch 4 3 port\ngroup -\nflows " << flows
             << " 0 1 3 3 0 1 1 3 - " << size << " 0 0 100000 - 1 1 0 - - - -\n";
        return text.str();
    }
};

/// The lines of a summary without those that depend on wall-clock time.
std::string
Summary(const std::string& folder)
{
    std::string text = RccTestFolder::Read(folder + "/run.json");
    for (const char* key : {"\"wall_s\": ", "\"peak_rss_bytes\": "})
    {
        size_t at = text.find(key);
        RCC_CHECK(at != std::string::npos, key);
        text.erase(at, text.find(',', at) - at);
    }
    return text;
}

/// Two runs in one process give the same bytes; another seed gives others.
void
Determinism()
{
    for (const char* cc : {"dcqcn", "dcqcn-plus", "qcn"})
    {
        RccTestFolder scratch;
        Incast incast;
        incast.algorithm = cc;
        incast.rate = 10000000000;
        incast.flows = 40;
        const char* const names[] = {"a", "b", "c"};
        for (int i = 0; i < 3; i++)
        {
            incast.seed = i == 2 ? 2 : 1;
            RCC_CHECK_EQ(LabTestRun(incast.Text(), scratch.Name(names[i])), 0, cc);
        }
        for (const char* file : {"/queue.csv", "/rate.csv", "/flow_rates.csv", "/flows.csv"})
        {
            const std::string a = RccTestFolder::Read(scratch.Name("a") + file);
            RCC_CHECK_GE(std::count(a.begin(), a.end(), '\n'), 20, cc << file);
            RCC_CHECK(a == RccTestFolder::Read(scratch.Name("b") + file), cc << file << " differs with the same seed");
            RCC_CHECK(a != RccTestFolder::Read(scratch.Name("c") + file),
                      cc << file << " is the same with another seed");
        }
        RCC_CHECK_EQ(Summary(scratch.Name("a")), Summary(scratch.Name("b")), cc);
        RCC_CHECK(Summary(scratch.Name("a")) != Summary(scratch.Name("c")), cc);
    }
}

/// A number of a summary.
double
Value(const std::string& json, const std::string& key)
{
    size_t at = json.find("\"" + key + "\": ");
    RCC_CHECK(at != std::string::npos, key);
    return at == std::string::npos ? -1 : std::atof(json.c_str() + at + key.size() + 4);
}

/// Finite flows end the run and have completion times; the summary adds up.
void
FiniteFlows()
{
    RccTestFolder scratch;
    Incast incast;
    incast.size = 100000;
    incast.flows = 9;
    incast.time = 1000000000;
    RCC_CHECK_EQ(LabTestRun(incast.Text(), scratch.GetPath()), 0, "");
    const std::string json = RccTestFolder::Read(scratch.Name("run.json"));
    RCC_CHECK_EQ(Value(json, "count"), 9, json);
    RCC_CHECK_EQ(Value(json, "packets_delivered"), 900, "");
    RCC_CHECK_EQ(Value(json, "bytes_delivered"), 900 * 1062, "");
    RCC_CHECK_EQ(Value(json, "packets_dropped"), 0, "");
    const double least = 100 * 1062 * 8 / 40e9; // a flow alone
    RCC_CHECK_GE(Value(json, "mean_s"), least, "");
    RCC_CHECK_GE(Value(json, "max_s"), 9 * least - 100e-6, "all of them through one port, started within 100 us");
    RCC_CHECK_LE(Value(json, "sim_s"), 0.1, "the run ends with the last flow");
    double latest = 0;
    std::istringstream flows(RccTestFolder::Read(scratch.Name("flows.csv")));
    std::string line;
    std::getline(flows, line);
    RCC_CHECK_EQ(line, "flow,src,dst,start_s,size_bytes,delivered_bytes,goodput_bps,fct_s", "");
    int n = 0;
    for (; std::getline(flows, line); n++)
    {
        double flow, src, dst, start, size, delivered, goodput, fct;
        RCC_CHECK_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &flow, &src, &dst, &start, &size,
                                 &delivered, &goodput, &fct),
                     8, line);
        RCC_CHECK_EQ(delivered, 100000, line);
        latest = std::max(latest, start + fct);
    }
    RCC_CHECK_EQ(n, 9, "");
    RCC_CHECK_NEAR(latest + 1e-6, Value(json, "sim_s"), 1e-8, "a link's delay after the last flow");
}

/// A window or a row shorter than a frame has no more bytes than its port can send.
void
ShortIntervals()
{
    RccTestFolder scratch;
    const std::string mtu = "default ns3::RdmaNic Mtu 9000\n";
    Incast incast;
    incast.rate = 1000000000;
    incast.time = 1000000;
    for (const char* window : {"500000 510000", "510000 520000", "600000 601000"})
    {
        incast.records = std::string("window ") + window + "\n" + mtu;
        const LabTestOutput o = LabTestRunApart(incast.Text());
        RCC_CHECK_NEAR(Value(o.out, "utilization"), 1, 1e-3, window);
        RCC_CHECK_LE(Value(o.out, "send_utilization"), 3.001, window);
    }
    incast.records = mtu;
    RCC_CHECK_EQ(LabTestRun(incast.Text(), scratch.GetPath()), 0, "");
    std::istringstream rows(RccTestFolder::Read(scratch.Name("rate.csv")));
    std::string line;
    std::getline(rows, line);
    while (std::getline(rows, line))
    {
        double time, sent, delivered;
        RCC_CHECK_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf", &time, &sent, &delivered), 3, line);
        RCC_CHECK_LE(delivered, 1e9 + 8 / 500e-9, line); // to the byte
        RCC_CHECK_LE(sent, 3e9 + 8 * 3 / 500e-9, line);
    }
}

/// Every number has printf's bytes: those of any size, near powers of ten, near halves of the last digit, and others.
void
NumbersAsPrintf()
{
    auto check = [](double value, int digits) {
        char want[512];
        std::snprintf(want, sizeof want, digits ? "%.*g" : "%.*f", digits, value);
        std::string got = "x";
        LabAppendNumber(got, value, digits);
        RCC_CHECK_EQ(got, "x" + std::string(want), digits << " digits");
    };
    RccTestRandom random(1);
    std::vector<double> values = {0,
                                  -0.0,
                                  -1.5,
                                  0.5,
                                  1.5,
                                  2.5,
                                  8999999999999999.0,
                                  9e15,
                                  1e300,
                                  5e-324,
                                  std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::quiet_NaN()};
    for (int exponent = -12; exponent < 25; exponent++)
    {
        const double power = std::pow(10, exponent);
        for (int i = 0; i < 100; i++)
        {
            const double digits = static_cast<double>(random.Below(1000000000));
            values.push_back(power * (1 + digits / 1e9 * 9));
            values.push_back(power * (digits + 0.5) / 1e8); // a tie of the ninth digit
            values.push_back(std::nextafter(values.back(), i % 2 ? 0 : 1e30));
            values.push_back(power * static_cast<double>(random.Below(1000)) / 100);
        }
        values.push_back(power);
        values.push_back(std::nextafter(power, 0));
        values.push_back(std::nextafter(power, 1e30));
        values.push_back(power * (1 - 1e-10));
    }
    for (const double value : values)
    {
        for (const int digits : {0, 1, 6, 9})
        {
            check(value, digits);
        }
    }
}

/// Read a file; one without a name takes no place of its own.
std::string
ReadAll(std::FILE* file)
{
    std::string text;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    {
        text += static_cast<char>(c);
    }
    return text;
}

/// A table that is written again and again while rows come and merge ends as one that is written once, and has all rows
/// whenever it is read.
void
TablesUntilNow()
{
    const std::vector<LabColumn> columns = {{"mean", 9, LabMerge::MEAN}, {"max", 0, LabMerge::MAX}};
    RccTestRandom random(1);
    for (const bool shown : {false, true})
    {
        static std::string once;
        std::FILE* const end = std::tmpfile();
        std::FILE* const both = fdopen(dup(fileno(end)), "w+"); // the table closes its own
        LabTable table(LabFile(both), "flow", columns, 1, false);
        RccTestRandom values(7);
        size_t rows = 0;
        for (int64_t tick = 1; tick <= 200; tick++)
        {
            const int64_t at = tick * 10;
            if (values.Below(4) == 0)
            {
                table.AddKept(at, "7", {1.5, 2}, values.Below(3));
                rows++;
            }
            table.Add(at, "1", {static_cast<double>(values.Below(1000)), static_cast<double>(values.Below(1000))});
            rows++;
            if (tick == 100)
            {
                table.Merge(0, 10);
                rows -= 50;
            }
            if (shown && random.Below(3) == 0)
            {
                table.WriteUntilNow();
                const std::string text = ReadAll(end);
                RCC_CHECK_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), rows + 1, tick);
            }
        }
        table.Close();
        const std::string text = ReadAll(end);
        RCC_CHECK_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), rows + 1, "");
        RCC_CHECK(!shown || text == once, "bytes");
        once = text;
        std::fclose(end);
    }
}

RccTestSuite g_resultsSuite("rcc-results", {{"queue-stats-against-list", QueueStatsAgainstList},
                                            {"queue-stats-corners", QueueStatsCorners},
                                            {"jain", Jain},
                                            {"json", Json},
                                            {"determinism", Determinism},
                                            {"finite-flows", FiniteFlows},
                                            {"short-intervals", ShortIntervals},
                                            {"numbers-as-printf", NumbersAsPrintf},
                                            {"tables-until-now", TablesUntilNow}});

} // namespace
