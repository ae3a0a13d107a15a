/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef TESTBED_RECORDER_H
#define TESTBED_RECORDER_H

#include "lab-run.h"
#include "testbed-end-points.h"
#include "testbed-tcp.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// The results that a run of the testbed adds (lab/doc/testbed.md): groups.csv, ports.csv, and in run.json groups,
/// ports, first_mark_s, first_pause_s and the counters of both sides of marks and CNPs.
class TestbedRecorder : public LabRunExtra
{
  public:
    /// Install what end points and TCP connections do.
    /// \param file of the run \param run whose results these are \param testbed its network
    TestbedRecorder(const RunFile& file, LabRun& run, const LabNetwork& testbed);
    ~TestbedRecorder() override;

    /// Begin a group: flows of one item and pair. \param name of the group
    void AddGroup(const std::string& name);

    /// The flow that was added to the run last belongs to the last group.
    void AddFlow();

    /// Record a port's queue and counters. \param name of it \param port of the testbed
    void AddPort(const std::string& name, Ptr<QbbNetDevice> port);

    void Begin(const std::string& folder) override;
    void AddResults(LabJson& json) override;

  private:
    class Classes;

    struct Group
    {
        std::string name;
        size_t first, end; //!< flows of the run
        uint64_t last;     //!< payload delivered at the last row
    };

    /// A port that is recorded.
    struct Port
    {
        std::string name; //!< "t1>h4"
        Ptr<QbbNetDevice> device;
    };

    uint64_t CountDelivered(const Group& group) const;
    uint64_t GetRate(const Group& group) const;
    void WindowBegins();
    void WindowEnds();
    void Sample(int64_t now, int64_t interval);
    LabJson ListGroups() const;
    LabJson ListPorts() const;
    static void HandleMark(TestbedRecorder* self, uint32_t port, const RccFrame& frame);
    static void HandlePause(TestbedRecorder* self, uint8_t cls, uint16_t quanta);

    LabRun& m_run;
    const LabNetwork& m_testbed;
    TestbedEndPoints m_endPoints;
    TestbedTcp m_tcp;
    std::unique_ptr<Classes> m_classes; //!< null unless flows have classes of their own
    bool m_listsMarks;
    LabFile m_marks;                       //!< marks.csv
    uint64_t m_cnpsFrom{0}, m_cnpsTill{0}; //!< sent until the window's ends
    bool m_windowEnded{false};             //!< before the run
    int64_t m_firstMark{-1}, m_firstPause{-1};
    std::vector<Group> m_groups;
    std::vector<Port> m_ports;
    LabTable *m_groupTable{nullptr}, *m_portTable{nullptr};
};

} // namespace ns3

#endif /* TESTBED_RECORDER_H */
