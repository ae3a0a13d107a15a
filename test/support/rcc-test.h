/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* Short test cases on top of ns-3's: a case is a function, a check prints what it compared. */
#ifndef RCC_TEST_H
#define RCC_TEST_H

#include "ns3/nstime.h"
#include "ns3/rcc-event.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3
{

const uint64_t G = 1000000000; //!< one Gb/s in bit/s

/// One case: a function that runs with a fresh simulator.
class RccTestCase : public TestCase
{
  public:
    using Body = void (*)();

    /// The settings that test/run-suites.cc makes; ns-3's own test runner does not change them.
    struct Runner
    {
        std::string filter; //!< part of "suite/case"; the others do not run
        void (*finished)(const std::string& name, const std::string& failures){nullptr};
    };

    static Runner& GetRunner()
    {
        static Runner runner;
        return runner;
    }

    RccTestCase(const std::string& suite, const std::string& name, Body body)
        : TestCase(name),
          m_fullName(suite + "/" + name),
          m_body(body)
    {
    }

    /// Report that a check of the running case failed.
    static void Fail(const std::string& what, const std::string& values, const std::string& message, const char* file,
                     int line)
    {
        RccTestCase* self = Current();
        if (++self->m_nFailures > 8)
        {
            return; // the first ones tell enough
        }
        if (!GetRunner().finished) // ns-3 skips the other cases of a suite after a failure
        {
            self->ReportTestFailure(what, values, "", message, file, line);
        }
        std::ostringstream text;
        text << "  " << file << ":" << line << ": " << what << ": " << values
             << (message.empty() ? "" : " -- " + message) << "\n";
        self->m_failures += text.str();
    }

  private:
    static RccTestCase*& Current()
    {
        static RccTestCase* current = nullptr;
        return current;
    }

    void DoRun() override
    {
        Runner& runner = GetRunner();
        if (m_fullName.find(runner.filter) == std::string::npos)
        {
            return;
        }
        Current() = this;
        m_body();
        Simulator::Destroy();
        if (runner.finished)
        {
            runner.finished(m_fullName, m_failures);
        }
    }

    std::string m_fullName;
    Body m_body;
    std::string m_failures;
    unsigned m_nFailures{0};
};

/// A suite is a list of cases.
class RccTestSuite : public TestSuite
{
  public:
    struct Entry
    {
        const char* name;
        RccTestCase::Body body;
    };

    RccTestSuite(const std::string& name, const std::vector<Entry>& cases) : TestSuite(name, TestSuite::Type::UNIT)
    {
        for (const auto& c : cases)
        {
            AddTestCase(new RccTestCase(name, c.name, c.body));
        }
    }
};

/// Whole numbers compare as signed ones; the rest as it is.
template <class T>
typename std::enable_if<std::is_integral<T>::value || std::is_enum<T>::value, int64_t>::type
RccPlain(T value)
{
    return static_cast<int64_t>(value);
}

template <class T>
typename std::enable_if<!std::is_integral<T>::value && !std::is_enum<T>::value, T>::type
RccPlain(T value)
{
    return value;
}

inline std::string
RccPlain(const char* value)
{
    return value;
}

/// Text from a chain of <<; not inlined, because there are a thousand checks and none should fail.
class RccMessage
{
  public:
    __attribute__((noinline)) RccMessage()
    {
        m_out.precision(12);
    }

    __attribute__((noinline)) ~RccMessage()
    {
    }

    __attribute__((noinline)) RccMessage& operator<<(const char* value)
    {
        m_out << value;
        return *this;
    }

    template <class T> __attribute__((noinline)) RccMessage& operator<<(const T& value)
    {
        m_out << value;
        return *this;
    }

    __attribute__((noinline)) std::string Str() const
    {
        return m_out.str();
    }

  private:
    std::ostringstream m_out;
};

/// Report that a comparison failed.
template <class A, class B>
__attribute__((noinline)) void
RccCompareFailed(const char* what, const A& a, const B& b, const RccMessage& message, const char* file, int line)
{
    RccTestCase::Fail(what, (RccMessage() << a << " against " << b).Str(), message.Str(), file, line);
}

inline bool
RccIsNear(double a, double b, double tolerance)
{
    return a - b <= tolerance && b - a <= tolerance; // not, if one is not a number
}

#define RCC_CHECK_COMPARE(a, op, b, message)                                                                           \
    do                                                                                                                 \
    {                                                                                                                  \
        const auto rccA = ns3::RccPlain(a);                                                                            \
        const auto rccB = ns3::RccPlain(b);                                                                            \
        if (!(rccA op rccB))                                                                                           \
        {                                                                                                              \
            ns3::RccCompareFailed(#a " " #op " " #b, rccA, rccB, ns3::RccMessage() << message, __FILE__, __LINE__);    \
        }                                                                                                              \
    } while (false)

/// a == b; `message` may be a chain of <<.
#define RCC_CHECK_EQ(a, b, message) RCC_CHECK_COMPARE(a, ==, b, message)
#define RCC_CHECK_LE(a, b, message) RCC_CHECK_COMPARE(a, <=, b, message)
#define RCC_CHECK_GE(a, b, message) RCC_CHECK_COMPARE(a, >=, b, message)
#define RCC_CHECK(condition, message) RCC_CHECK_COMPARE(bool(condition), ==, true, message)

/// |a - b| <= tolerance
#define RCC_CHECK_NEAR(a, b, tolerance, message)                                                                       \
    do                                                                                                                 \
    {                                                                                                                  \
        const double rccX = static_cast<double>(a);                                                                    \
        const double rccY = static_cast<double>(b);                                                                    \
        const double rccT = static_cast<double>(tolerance);                                                            \
        if (!ns3::RccIsNear(rccX, rccY, rccT))                                                                         \
        {                                                                                                              \
            ns3::RccCompareFailed(#a " within " #tolerance " of " #b, rccX, rccY,                                      \
                                  ns3::RccMessage() << "+- " << rccT << " " << message, __FILE__, __LINE__);           \
        }                                                                                                              \
    } while (false)

/// Call a function at `ns`; a plain function carries it because ns-3.31 schedules no lambdas.
inline void
RccCall(std::function<void()> f)
{
    f();
}

inline void
RccAt(int64_t ns, std::function<void()> f)
{
    Simulator::Schedule(NanoSeconds(ns - RccNow()), &RccCall, f);
}

/// Run to `ns`, with everything that happens at that time.
inline void
RccRunTo(int64_t ns)
{
    Simulator::Stop(NanoSeconds(ns - RccNow()));
    Simulator::Run();
}

} // namespace ns3

#endif /* RCC_TEST_H */
