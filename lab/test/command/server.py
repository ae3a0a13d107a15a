# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Runs ./rcc for tests, each time in a process of its own that is forked from one in which the interpreter has started and every
command's module is imported: that takes three quarters of the time of a short command. Nothing else happens in the process that
is forked, so a command finds what it finds in a fresh one."""
import array
import atexit
import ctypes
import gc
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
RCC = os.path.join(ROOT, "rcc")
# a process of its own for these: they decide how the interpreter starts
OF_INTERPRETER = ("PYTHON", "LC_", "LANG")
LONGEST = 1 << 20   # the size limit of a request, bytes
MADV_POPULATE_WRITE = 23


# ------------------------------------------------------------------------------------------------ the test's side

class Server:
    """The process that forks, from the test's side. It begins with the first command and ends with the test's process."""

    def __init__(self):
        self._lock = threading.Lock()
        self._socket = None

    def _connect(self) -> socket.socket:
        if self._socket is None:
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            process = subprocess.Popen([sys.executable, os.path.abspath(__file__), str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                       stdin=subprocess.DEVNULL)
            theirs.close()
            atexit.register(process.wait)
            atexit.register(self._socket.close)
        return self._socket

    def run(self, args, cwd, env, merge=False, timeout=300) -> subprocess.CompletedProcess:
        """./rcc with `args`, without input; stdout and stderr as text, together if `merge`."""
        words = [sys.executable, RCC, *args]
        if any(os.environ.get(name) != env.get(name) for name in {**os.environ, **env} if name.startswith(OF_INTERPRETER)):
            return subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT if merge else subprocess.PIPE, text=True, timeout=timeout, check=False)
        streams = [os.pipe() for _ in range(2 if merge else 3)]     # pipes for status, stdout, stderr
        given = [theirs for _, theirs in streams]
        request = json.dumps({"args": list(args), "cwd": os.fspath(cwd), "env": env}).encode()
        assert len(request) < LONGEST, len(request)
        with self._lock:
            connected = self._connect()
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
            connected.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", given))])
        for theirs in given:
            os.close(theirs)
        found = [bytearray() for _ in streams]

        def read(i: int) -> None:
            with os.fdopen(streams[i][0], "rb") as stream:
                for data in iter(lambda: stream.read1(65536), b""):
                    found[i] += data

        readers = [threading.Thread(target=read, args=(i,), daemon=True) for i in range(len(streams))]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(timeout)
            if reader.is_alive():
                if found[0]:
                    os.kill(int(found[0].split()[0]), signal.SIGKILL)
                raise subprocess.TimeoutExpired(words, timeout)
        texts = [data.decode(errors="surrogateescape").replace("\r\n", "\n") for data in found[1:]]
        return subprocess.CompletedProcess(words, int(found[0].split()[1]), texts[0], None if merge else texts[1])


# ------------------------------------------------------------------------------------------------ the side that forks

def memory() -> list:
    """(address, size) of what this process has written, and a forked one shares with it until it writes there."""
    try:
        with open("/proc/self/maps", encoding="ascii", errors="replace") as f:
            found = re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ 00:00 0 *(?:\[heap\])?$", f.read(), re.MULTILINE)
    except OSError:
        return []
    return [(int(start, 16), int(end, 16) - int(start, 16)) for start, end in found]


def populate_pages(places: list) -> None:
    """Copy memory at once that would be copied page by page, as a command writes a third of it: each page is a fault, which takes ten
    times as long as to copy it. Where the kernel cannot (before Linux 5.14), it is copied as it is written."""
    madvise = ctypes.CDLL(None).madvise
    for start, size in places:
        madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), MADV_POPULATE_WRITE)


def become(request: dict, given: list) -> None:
    """Be the process of the command: its words, streams, environment and folder."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(given[1], 1)
    os.dup2(given[-1], 2)
    os.closerange(3, 256)
    out, err = sys.stdout, sys.stderr
    sys.stdin = open(0, encoding=sys.stdin.encoding)
    sys.stdout = open(1, "w", encoding=out.encoding, errors=out.errors)
    sys.stderr = open(2, "w", buffering=1, encoding=err.encoding, errors=err.errors)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["cwd"])
    sys.argv = [RCC, *request["args"]]


def serve(number: int) -> list:
    """Fork for each request. Returns, in a forked process, the words of its command; in the first one when nobody asks any more."""
    asking = socket.socket(fileno=number)
    running: dict = {}
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    places = memory()
    before = signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    while True:
        ready, _, _ = select.select([asking, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        for pid in list(running):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                os.write(running[pid], f" {os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(running.pop(pid))
        if asking not in ready:
            continue
        data, ancillary, _, _ = asking.recvmsg(LONGEST, socket.CMSG_SPACE(3 * array.array("i").itemsize))
        if not data:
            return []
        given = array.array("i")
        given.frombytes(b"".join(content for _, _, content in ancillary))
        pid = os.fork()
        if not pid:
            populate_pages(places)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, before)
            become(json.loads(data), list(given))
            return sys.argv
        os.write(given[0], str(pid).encode())
        for theirs in given[1:]:
            os.close(theirs)
        running[pid] = given[0]


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(ROOT, "lab"))
    from command import main, registry
    for _module in registry.names().values():
        registry.load(_module)
    gc.collect()
    gc.freeze()  # the forked processes do not scan, and so do not copy, present objects
    if serve(int(sys.argv[1])):
        status = main.main(sys.argv[1:])
        # as sys.exit() does, but for taking down every module
        threading._shutdown()  # pylint: disable=protected-access
        atexit._run_exitfuncs()  # pylint: disable=protected-access
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # pylint: disable=protected-access
