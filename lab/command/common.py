# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Helpers of all parts of the command: places, messages, children that end with it, files that are never half written, numbers
for people."""
from __future__ import annotations

import codecs
import csv
import errno
import json
import math
import os
import re
import shutil
import signal
import stat
import sys
import textwrap
from typing import Any, Callable, Iterable, Optional

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

EXIT_FAILED = 1       # something went wrong on our side or in the environment
EXIT_USAGE = 2        # the user asked for something that cannot be
EXIT_DEADLOCK = 3     # a simulated network ended in a PFC deadlock
EXIT_INTERRUPTED = 130

LONGEST_WORD = 64      # letters of a misspelt word that is compared with others
DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
PR_SET_PDEATHSIG = 1
PARENT = "RCC_PARENT"  # in the environment of a program that ends by itself when the process of this number has ended


class RccError(Exception):
    """Ends the command with one line `rcc: error: MESSAGE` and an exit status."""

    def __init__(self, message: str, status: int = EXIT_USAGE):
        super().__init__(message)
        self.status = status


def refuse_twice(what: str, values: list) -> list:
    """Return the values, or raise RccError if one is there twice: the second one is likely meant to be another."""
    if len(set(values)) < len(values):
        raise RccError(f"{what}: {next(value for number, value in enumerate(values) if value in values[:number])} is listed twice")
    return values


def unique_names(path: str) -> Callable:
    """Return the object_pairs_hook of a JSON decoder that raises RccError if an object of the file has a name twice."""
    def check(pairs: list) -> dict:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for k, name in enumerate(names) if name in names[:k])
            raise RccError(f"{path}: found '{one_line(twice[:40])}' twice in an object, expected it once")
        return found
    return check


def say(text: str) -> None:
    """Tell the user what is going on. Messages go to stderr, results to stdout."""
    echo(f"rcc: {text}")


def echo(text: str) -> None:
    """Print a line on stderr; on a terminal broken between words."""
    text = visible(text)
    if sys.stderr.isatty():
        text = wrapped(text, max(60, shutil.get_terminal_size().columns))
    print(text, file=sys.stderr, flush=True)


def warn(text: str) -> None:
    say(f"warning: {text}")


def nearest(word: str, known: list) -> str:
    """Return the known words that the user may have meant, as the end of an error message."""
    from difflib import get_close_matches   # here, as ctypes below: commands start more quickly
    close = get_close_matches(word, list(dict.fromkeys(known)), n=2, cutoff=0.6)
    return f", did you mean {' or '.join(close)}?" if close else ""


def show_nearest(word: str, known: Iterable) -> str:
    """Return "; the nearest is '..'" as the end of a message, or nothing if no known word is near."""
    from difflib import get_close_matches
    close = get_close_matches(word, list(known), n=1) if len(word) <= LONGEST_WORD else []
    return f"; the nearest is '{close[0]}'" if close else ""


def end_with_parent() -> Optional[Callable]:
    """Return a function that a child calls before it becomes another program, so that it is killed when this process ends. As preexec_fn
    it makes Python copy itself to start the child, which takes ten times as long: programs of rcc find PARENT in their environment."""
    import ctypes
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):  # not Linux
        return None
    parent = os.getpid()

    def prepare() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended already
            os.kill(os.getpid(), signal.SIGKILL)

    return prepare


def version() -> str:
    """Return the version that core/cc/rcc.h defines."""
    try:
        with open(os.path.join(ROOT, "core", "cc", "rcc.h"), encoding="utf-8") as f:
            found = re.search(r'#define\s+RCC_VERSION\s+"([^"]+)"', f.read())
    except OSError:
        found = None
    return found.group(1) if found else "unknown"


def build_dir(variant: str = "") -> str:
    """Return build/ or one of its variants (sanitize, coverage, fuzz). RCC_BUILD_DIR moves all of them."""
    base = os.environ.get("RCC_BUILD_DIR") or os.path.join(ROOT, "build")
    return os.path.join(os.path.abspath(base), variant) if variant else os.path.abspath(base)


# ------------------------------------------------------------------------------------------------ files

def refuse_device(path: str, mode: int) -> None:
    """Raise if a file to be read is a device, which may have no end. `mode`: its st_mode."""
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise RccError(f"{path}: found a device, expected a file")


def without_mark(content: bytes) -> bytes:
    """Remove the byte order mark that some editors put at the beginning of a file."""
    return content[len(codecs.BOM_UTF8):] if content.startswith(codecs.BOM_UTF8) else content


def refuse_endless(path: str, shown: str = "") -> None:
    """Raise if a file to be read is a device, a directory, or a FIFO, which may have no writer. Pipes of a shell have one: /dev/stdin and
    the files of <() are read. `shown`: the name of the file in a message. Raises OSError if there is no file."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise RccError(f"{shown or path}: found a directory, expected a file")
    refuse_device(shown or path, mode)
    if stat.S_ISFIFO(mode) and not os.path.abspath(path).startswith(("/dev/fd/", "/dev/stdin", "/proc/")):
        raise RccError(f"{shown or path}: found a FIFO, expected a file")


def open_regular(path: str, limit: int) -> Any:
    """Open a file that the user names for reading its bytes behind a byte order mark; below.open_file() opens those of results. Raises
    RccError if it is no regular file, which may have no end, or holds more than `limit` bytes; OSError if it cannot be opened."""
    # Without O_NONBLOCK the call waits for the writer of a FIFO.
    return regular(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), path, limit)


def read_endless(path: str, option: str, limit: int, expected: str) -> bytes:
    """Read a file that may be a pipe of a shell, without a byte order mark. Raises RccError with the option if that is not possible."""
    try:
        refuse_endless(path, f"{option}={path}")
        with open(path, "rb") as f:
            content = f.read(limit + 1)
    except OSError as error:
        raise RccError(f"{option}={path}: {error.strerror or error}") from error
    if len(content) > limit:
        raise RccError(f"{path}: found more than {limit} bytes, expected {expected}")
    return without_mark(content)


def regular(handle: int, path: str, limit: int) -> Any:
    """Turn the handle of a file at `path` into what open_regular() returns, or close it. Raises RccError, OSError."""
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            kind = "a directory" if stat.S_ISDIR(about.st_mode) else "a FIFO" if stat.S_ISFIFO(about.st_mode) else "a device"
            raise RccError(f"{path}: found {kind}, expected a regular file")
        if about.st_size > limit:
            raise RccError(f"{path}: found {about.st_size} bytes, expected at most {limit}")
        f = os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
    f.seek(len(codecs.BOM_UTF8) if f.peek(len(codecs.BOM_UTF8)).startswith(codecs.BOM_UTF8) else 0)
    return f


CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Escape the control characters of a text, which a terminal would obey. Tab and line feed stay."""
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}" if ord(found[0]) < 256 else f"\\u{ord(found[0]):04x}", text)


def one_line(text: str) -> str:
    """Escape all control characters, tab and line feed too, so that a name cannot begin a line."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def all_visible(value: Any) -> Any:
    """Escape all control characters in the texts and names of a value of JSON."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, list):
        return [all_visible(one) for one in value]
    return {one_line(key): all_visible(one) for key, one in value.items()} if isinstance(value, dict) else value


def cannot_write(option: str, error: OSError) -> RccError:
    """Return the error for results that cannot be written to the place that an option names: a failure if the disk is at fault, else a
    mistake of the user."""
    status = EXIT_FAILED if error.errno in DISK_ERRORS else EXIT_USAGE
    return RccError(f"{option}: cannot write there: {error.strerror or error}", status)


# ------------------------------------------------------------------------------------------------ numbers for people

def number(value: Any) -> Optional[float]:
    """Return the value as a finite float, or None: results may hold null, and an interrupted run may lack fields."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:   # a whole number of more than 308 digits
        return None


def get(run: dict, path: str) -> Optional[float]:
    """Return a number from nested results, as get(run, "queue.mean_bytes"), or None."""
    node: Any = run
    for key in path.split("."):
        if not isinstance(node, dict):
            return None
        node = node.get(key)
    return number(node)


def digits(value: float, significant: int = 3) -> str:
    """Format with three digits: 1234 -> 1230, 12.34 -> 12.3, 0.01234 -> 0.0123; never an exponent for the sizes that we print."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return str(value)
    places = significant - 1 - math.floor(math.log10(abs(value)))
    try:
        rounded = round(value, places)
    except OverflowError:  # within a digit of the largest number
        rounded = value
    if rounded != 0:  # 9.996 rounds to 10.0: one place fewer
        places = significant - 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:.{max(0, min(places, 12))}f}"


def scaled(value: Optional[float], unit: str, steps: list) -> str:
    """Format with three digits and a prefix; "40 G" if the value is exactly that, "40.0 G" if it is rounded; "-" for None."""
    if value is None:
        return "-"
    try:
        value = float(value)
    except OverflowError:  # an integer of a JSON file, beyond 1e308
        value = math.inf
    if not math.isfinite(value):
        return f"{value} {unit}"
    # 999.7 K would print as "1000 K": compare what is printed
    factor, prefix = next((s for s in steps if abs(float(digits(value / s[0]))) >= 1), steps[-1])
    part = value / factor
    shown = str(round(part)) if abs(part - round(part)) < 1e-9 and abs(part) < 1000 else digits(part)
    return f"{shown} {prefix}{unit}".rstrip()


WIDEST = 10_000     # columns of what goes to a file or a pipe
DECIMAL = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")]


def si_bytes(value: Optional[float]) -> str:
    """Format bytes in decimal units, as in --kmax=200KB."""
    return scaled(value, "B", [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "K"), (1, "")])


def si_rate(value: Optional[float]) -> str:
    return scaled(value, "b/s", DECIMAL)


def si_count(value: Optional[float]) -> str:
    """Format a count: exact below a hundred thousand, three digits and a prefix above."""
    if value is not None and abs(value) < 100_000 and value == int(value):
        return str(int(value))
    return scaled(value, "", DECIMAL)


def counted(count: float, noun: str) -> str:
    """Return "1 flow" or "2000 flows", with all digits."""
    return f"{count:.0f} {noun}{'' if count == 1 else 's'}"


def plural(count: float, noun: str) -> str:
    """Return "1 flow" or "123 k flows", with three digits of a large number."""
    return f"{si_count(count)} {noun}{'' if count == 1 else 's'}"


def si_time(value: Optional[float]) -> str:
    return scaled(value, "s", [(1, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n")])


LADDERS = (("ns", "us", "ms", "s"), ("B", "KB", "MB", "GB"), ("bps", "kbps", "Mbps", "Gbps", "Tbps"))


def readable(text: str) -> str:
    """Format the value of a parameter in the unit that people use: 833333ns as 833.333us."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z]+)", text)
    ladder = next((units for units in LADDERS if found and found[2] in units), None)
    if not found or not ladder or float(found[1]) < 1000:
        return text
    value, at = float(found[1]), ladder.index(found[2])
    while value >= 1000 and at + 1 < len(ladder):
        value, at = value / 1000, at + 1
    return f"{value:.6g}{ladder[at]}"


def duration(seconds: float) -> str:
    """Format a wall-clock time: 4 s, 1 min 20 s, 2 h 05 min."""
    seconds = max(0, int(round(seconds)))
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds // 60 % 60:02d} min"


def ratio(value: Optional[float]) -> str:
    """Format a utilisation or Jain index with three places."""
    return "-" if value is None else f"{value:.3f}"


def align(rows: list, left: int = 1, gap: str = "  ") -> str:
    """Align rows of cells as text: the first `left` columns to the left, the others to the right."""
    columns = max(len(row) for row in rows)
    width = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(columns)]
    lines = []
    for row in rows:
        cells = [c.ljust(width[i]) if i < left else c.rjust(width[i]) for i, c in enumerate(row)]
        lines.append(gap.join(cells).rstrip())
    return "\n".join(lines)


def terminal_width(most: int) -> int:
    """Return how many columns a table may have: those of the terminal, at least 60 and at most `most`; `most` for files and pipes."""
    if sys.stdout is not None and sys.stdout.isatty() or os.environ.get("COLUMNS"):
        return max(60, min(most, shutil.get_terminal_size().columns))
    return most


def fit(rows: list, head: int, left: int, width: int) -> str:
    """Format rows of cells as a table of at most `width` columns, with a line under the first `head` rows: where they do not fit beside
    each other, the later columns follow below, each time with the first `left` ones."""
    columns = max(len(row) for row in rows)
    wide = [max(len(row[i]) if i < len(row) else 0 for row in rows) for i in range(columns)]
    parts, at = [], left
    while at < columns or not parts:
        for gap in ("  ", " "):
            used, end = sum(wide[:left]) + len(gap) * (left - 1), at
            while end < columns and (end == at or used + len(gap) + wide[end] <= width):
                used += len(gap) + wide[end]
                end += 1
            if end == columns:
                break
        lines = align([row[:left] + row[at:end] for row in rows], left, gap).splitlines()
        lines.insert(head, "-" * max(map(len, lines)))
        parts.append("\n".join(lines))
        at = end
    return "\n\n".join(parts)


def aligned(rows: list, left: int = 1, head: int = 1, indent: str = "") -> str:
    """Align rows of cells as text; on a terminal that is too narrow for them, columns follow below, each time with the first ones."""
    text = align(rows, left)
    width = terminal_width(WIDEST) - len(indent)
    if max(map(len, text.splitlines()), default=0) > width:
        text = fit(rows, head, 1, width)
    return "\n".join(indent + line if line else "" for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    """Wrap a text to lines of at most `width` columns, broken between words only; a word with a hyphen stays in one piece."""
    return "\n".join(textwrap.fill(line, width, break_on_hyphens=False, break_long_words=False) if line else ""
                     for line in text.split("\n"))


JSON_LIMIT = 1 << 28              # bytes of a file of numbers


def read_json(path: str) -> dict:
    """Read an object of JSON from a file of the user; {} if there is none. Raises RccError if it is not regular, or too large."""
    try:
        with open_regular(path, JSON_LIMIT) as f:
            return as_object(f.read())
    except OSError:
        return {}


def read_table(module: str, name: str) -> list:
    """Read a file of tab-separated columns beside a module, whose path is `module`: a dict of each row."""
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as f:
        return list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))


def as_object(content: bytes) -> dict:
    """Return the JSON object that bytes hold, its texts visible; {} of anything else."""
    try:
        value = json.loads(content.decode("utf-8"))
        return all_visible(value) if isinstance(value, dict) else {}
    except (ValueError, RecursionError):
        return {}
