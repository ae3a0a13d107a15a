/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/* The message of a program that ends by an abort, for tests of misuse. */
#ifndef RCC_TEST_ABORT_H
#define RCC_TEST_ABORT_H

#include <csignal>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3
{

/**
 * Call a function in a process of its own.
 * \param f the function
 * \return what it wrote to stderr, if it ended by abort(), or how the process ended
 */
inline std::string
RccTestAbort(const std::function<void()>& f)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return "no pipe";
    }
    const pid_t child = fork();
    if (child == 0)
    {
        const rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        f();
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    char part[1024];
    for (ssize_t n = read(ends[0], part, sizeof part); n > 0; n = read(ends[0], part, sizeof part))
    {
        text.append(part, static_cast<size_t>(n));
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
    {
        return text;
    }
    return WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                               : "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// A function aborts with a message that contains `words`.
#define RCC_CHECK_ABORTS(f, words)                                                                                     \
    do                                                                                                                 \
    {                                                                                                                  \
        const std::string rccSaid = ns3::RccTestAbort(f);                                                              \
        RCC_CHECK(rccSaid.find(words) != std::string::npos, "expected '" << (words) << "', found: " << rccSaid);       \
    } while (false)

} // namespace ns3

#endif /* RCC_TEST_ABORT_H */
