/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
#ifndef LAB_TIMELINE_H
#define LAB_TIMELINE_H

#include "lab-file.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/// The row that two rows of a series become when its interval doubles.
enum class LabMerge
{
    MEAN,
    MAX,
    LAST //!< the later one
};

/// A number in a row of a series.
struct LabColumn
{
    const char* name; //!< in the first line of the file
    int digits;       //!< digits of LabAppendNumber
    LabMerge merge;
};

/**
 * A CSV file with rows at the ticks of an LabTimeline: time_s, a label if there is one, and numbers. Every tick has the
 * same labels, unless all columns merge to LAST. Rows are held until the file is closed, or written at once.
 */
class LabTable
{
  public:
    /// \param file is open \param label name of the label's column; empty: there is none \param columns of numbers
    /// \param every how many intervals it has rows \param stream write rows at once, so that they never merge
    LabTable(LabFile file, const std::string& label, const std::vector<LabColumn>& columns, int64_t every, bool stream);

    /// Add a row. \param at ns, not before that of the last one \param label of this row \param values one for each
    /// column, at most COLUMNS
    void Add(int64_t at, const std::string& label, std::initializer_list<double> values);

    static const uint64_t AFTER = uint64_t(1) << 63; //!< an order behind the rows of a tick that are written at once

    /// Add a row that is kept when others merge. \param at ns, not before that of the last one \param label of this row
    /// \param values as Add \param order among such rows of the same time
    void AddKept(int64_t at, const std::string& label, std::initializer_list<double> values, uint64_t order);

    /// Make one tick of each two. \param origin of the ticks, ns \param interval ns, which will be twice as long
    void Merge(int64_t origin, int64_t interval);

    /// Write the rows until now, for who reads the file while the run goes on. Those that may merge are written anew.
    void WriteUntilNow();

    /// Write the rows that are held, and close the file.
    void Close();

  private:
    static const size_t COLUMNS = 3;

    /// Small and without memory of its own: a run has thousands.
    struct Row
    {
        int64_t at;   //!< ns
        size_t label; //!< index in m_labels
        double values[COLUMNS];
    };

    /// A row that is kept, and its place among those of its time.
    struct Kept
    {
        uint64_t order;
        Row row;
    };

    void WriteHeld();
    void WriteKept(int64_t at, uint64_t order);
    Row Make(int64_t at, const std::string& label, std::initializer_list<double> values);
    size_t FindLabel(const std::string& label);
    void Append(const Row& row);
    void WriteText();

    LabFile m_file;
    bool m_labelled, m_stream;
    bool m_shown{false}; //!< rows that may merge are in the file
    int64_t m_every;
    std::vector<LabColumn> m_columns;
    std::string m_header;
    std::vector<Row> m_rows;  //!< rows that are held, by time
    std::vector<Kept> m_kept; //!< kept rows of the last time, if rows are written at once
    std::vector<std::string> m_labels;
    std::map<std::string, size_t> m_labelIndex; //!< in m_labels
    size_t m_nextLabel{0};                      //!< the likely one: every tick has the same
    std::string m_text;                         //!< text to be written
    int64_t m_timeAt{-1};                       //!< ns, of m_time
    std::string m_time;                         //!< time of the last row, as text
};

/**
 * When the series of a run have rows: 1000 to 4000 of them from the first flow's start to the run's end. Of a run whose
 * end is known the interval is 1, 2 or 5 times a power of ten. Otherwise it begins at FINEST and doubles, and rows
 * merge, whenever there are MOST.
 */
class LabTimeline
{
  public:
    static const int64_t FINEST = 10; //!< ns
    static const int64_t MOST = 4000;

    /// Called at every tick, in the order in which they were added. \param now ns \param interval since the last, ns;
    /// 0: the first one begins now
    using Sampler = std::function<void(int64_t now, int64_t interval)>;

    /// \param interval that the user wants, ns; 0: choose one
    explicit LabTimeline(int64_t interval) : m_interval(interval), m_fixed(interval > 0)
    {
    }

    /// \param path of a new file; exits with status 2 if that does not work \param label and \param columns as LabTable
    /// \param every how many intervals it has rows, a divisor of MOST / 2 \return the table, valid until Close
    LabTable& AddTable(const std::string& path, const std::string& label, const std::vector<LabColumn>& columns,
                       int64_t every = 1);

    /// \param sampler adds rows to tables
    void AddSampler(const Sampler& sampler)
    {
        m_samplers.push_back(sampler);
    }

    /// Begin; nothing happens without a sampler. \param first start of a flow, ns \param end of the run if it is known,
    /// else -1 \param stop when it ends at the latest
    void Begin(int64_t first, int64_t end, int64_t stop);

    /// \return intervals from the first one's begin to the present tick
    int64_t GetTicks() const
    {
        return m_ticks;
    }

    /// \return whether all tables will merge their rows when the present tick is over
    bool IsAboutToMerge() const
    {
        return m_mayDouble && m_ticks == MOST;
    }

    /// Make one tick of each two in all tables. \param interval until now, ns
    void MergeTables(int64_t interval);

    /// Write the rows of all tables until now.
    void WriteUntilNow();

    /// The run is over: add a row that is due now.
    void End();

    /// End, write what is held, and close all files.
    void Close();

    /// \param span ns \return the interval of 1600 to 4000 rows, at least 1 ns
    static int64_t ChooseInterval(int64_t span);

  private:
    void Sample(int64_t interval);
    void Tick();

    int64_t m_interval; //!< ns
    bool m_fixed;       //!< the interval is the user's
    bool m_mayDouble{false};
    int64_t m_origin{0}, m_stop{0};
    int64_t m_next{-1}; //!< tick to come, ns
    int64_t m_ticks{0};
    std::vector<std::unique_ptr<LabTable>> m_tables;
    std::vector<Sampler> m_samplers;
};

} // namespace ns3

#endif /* LAB_TIMELINE_H */
