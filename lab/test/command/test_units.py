# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Quantities with units: the command and the programs read every text with one result, each in its own code."""
import ctypes
import math
import os
import random
import shutil
import subprocess
import unittest
from fractions import Fraction

from support import ROOT, RccTest, needs_programs, scenario

from command import units
from command.common import RccError
from command.run import scenario_options, scenarios

CORE_UNITS = {"count": 0, "time": 1, "rate": 2, "size": 3, "ratio": 4}   # enum rcc_unit
NUMBERS = ["0", "0.0", "5", "0.4", "25", "40", "1e3", "1e9", "2e-3", "1.5", ".5", "5.", "9223372036854775807", "9223372036854775808",
           "1e18", "1e400", "0e400", "1e-400", "123456789012345678901234", "1/256", "1/0", "1/3", "1000000001/1", "-1", "+1", "x", "",
           "1..2", "1.2.3", "0x10", "1,5", "\u0665", "9" * 5000, "1/" + "9" * 5000, "1e" + "9" * 5000]
SUFFIXES = ["", " ", "s", "ms", "us", " us", "  us", "\u00b5s", "\u03bcs", "ns", "S", "sec", "bps", "b/s", "bit/s", "k", "K", "m", "M", "g",
            "G", "t", "T", "gbps", " Gbps", "Gb/s", "gbit/s", "Gb", "GBps", "GBPS", "GG", "B", "kB", "KB", "kb", "MB", "mb", "GB", "TB",
            "KiB", "MiB", "GiB", "Ki", "%", "%%", "e", "e+", "s ", " s x", "/2"]


class Core:
    """rcc_parse and its unit numbers, out of the core's source."""

    def __init__(self, folder):
        library = os.path.join(folder, "libunits.so")
        source = os.path.join(ROOT, "core", "text", "units.c")
        subprocess.run([shutil.which("cc") or "gcc", "-std=c11", "-shared", "-fPIC", "-O1", "-I" + os.path.join(ROOT, "core", "cc"),
                        source, "-o", library], check=True)
        self.parse = ctypes.CDLL(library).rcc_parse
        self.parse.restype = ctypes.c_char_p
        self.parse.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.POINTER(ctypes.c_int64)]

    def read(self, unit, text):
        """(value in the core's unit, None) or (None, what was expected)."""
        value = ctypes.c_int64()
        expected = self.parse(CORE_UNITS[unit], text.encode(), ctypes.byref(value))
        return (None, expected.decode()) if expected else (value.value, None)


def of_command(unit, text):
    """Read the text with the command's code: (value in the core's unit, None) or (None, what was expected)."""
    try:
        value = units.exact(unit, text, "--x")
    except RccError as error:
        return None, str(error).rsplit("expected ", 1)[1]
    return math.floor(value * units.PER_SMALLEST[unit] + Fraction(1, 2)), None


class Units(RccTest):
    def test_alike(self):
        core = Core(self.scratch)
        texts = [number + suffix for number in NUMBERS for suffix in SUFFIXES]
        rng = random.Random(1)
        letters = "0123456789..eE+-/ kKmMgGtTbBpsinu%\u00b5"
        texts += ["".join(rng.choice(letters) for _ in range(rng.randrange(1, 8))) for _ in range(20000)]
        understood = dict.fromkeys(CORE_UNITS, 0)
        for unit in CORE_UNITS:
            for text in texts:
                with self.subTest(unit=unit, text=text):
                    here, there = of_command(unit, text), core.read(unit, text)
                    self.assertEqual(here, there)
                    understood[unit] += there[1] is None
        self.assertGreater(min(understood.values()), 20, understood)

    @needs_programs
    def test_programs_quote(self):
        """Every option that takes a rate or a time refuses a bare number with the same words."""
        for words, message in ((["--set=dcqcn.r_ai=5"], "--set: dcqcn.r_ai is '5', expected a rate such as 40Gbps or 5Mbps"),
                               (["--rate=40000000000"], "--rate is '40000000000', expected a rate such as 40Gbps or 5Mbps"),
                               (["--time=0.4"], "--time is '0.4', expected a time such as 55us or 0.4s"),
                               (["--set=dcqcn.timer=55"], "--set: dcqcn.timer is '55', expected a time such as 55us or 0.4s")):
            self.assertEqual(self.check(*words), (2, "rcc: error: " + message))
        fine = ["--rate=25G", "--time=400000 \u00b5s", "--set=dcqcn.r_ai=5 mbit/s", "--buffer=9M", "--delay=0"]
        self.assertEqual(self.check(*fine), (0, ""))

    def check(self, *words):
        run = subprocess.run(scenario("incast", "--check", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60,
                             check=False)
        return run.returncode, run.stderr.strip()


class Rounding(RccTest):
    """A number that would change is refused, not rounded in silence."""
    FINE = {"ratio": ["0", "0%", "1/3", "1/256", "0.00390625", "1e-9", "0.1%", "0/7"], "time": ["5.4us", "0.4s", "0", "1999.9ns"],
            "size": ["5.5KB", "123456789.4B", "0.001KB", "5"], "rate": ["40Gbps", "0.4Gbps", "0", "1000.4bps"], "count": ["5", "0"]}
    REFUSED = {"ratio": ["1e-10", "1.5e-9", "1e-400", "1/2000000001", "3e-10", "2/3000000000", "0.00000001%"],
               "time": ["0.5ns", "1.4ns", "0.0001us", "99.5ns"], "size": ["5.5B", "0.4", "0.0001KB"],
               "rate": ["0.4bps", "1.5bps", "0.0014k"]}

    def test_here_and_there(self):
        """By arithmetic of its own: rounding takes at most a thousandth away."""
        core = Core(self.scratch)
        for unit, texts in self.FINE.items():
            for text in texts:
                self.assertIsNone(of_command(unit, text)[1], text)
                self.assertIsNone(core.read(unit, text)[1], text)
        for unit, texts in self.REFUSED.items():
            expected = f"a multiple of {units.SMALLEST[unit]}, to one part in 1000"
            for text in texts:
                self.assertEqual(of_command(unit, text), (None, expected), text)
                self.assertEqual(core.read(unit, text), (None, expected), text)
        for tenths in range(1, 20000, 7):    # tenths of a byte
            value = Fraction(tenths, 10)
            near = abs(math.floor(value + Fraction(1, 2)) - value) * 1000 <= value
            text = f"{tenths / 10}B"
            self.assertEqual((core.read("size", text)[1] is None, of_command("size", text)[1] is None), (near, near), text)

    def test_times_for_people(self):
        """In the unit that people use, and what is pasted from a message is the same time to the ns."""
        for ns, text in ((0, "0s"), (1, "1ns"), (999, "999ns"), (1749, "1.749us"), (833_333, "833.333us"), (2_500_000, "2.5ms"),
                         (3_333_333, "3.333333ms"), (133_333_333, "133.333333ms"), (10**9, "1s"), (10**9 + 1, "1.000000001s"),
                         (2**63 - 1, "9223372036.854775807s")):
            self.assertEqual(scenario_options.for_people(ns), text)
            self.assertEqual(units.exact("time", text, "") * 10**9, ns)
        core = Core(self.scratch)
        for text in ("3.333333ms", "1.000000001s", "9223372036.854775807s"):
            self.assertEqual(core.read("time", text), (round(units.exact("time", text, "") * 10**9), None))
        for words, fragment in ((("fan-in", "--time=7ms"), "--window=3.5ms-4.666666ms here"),
                                (("fan-in", "--time=7ms"), "--flows is 0:5,1:5,2:5,3:5,4:5::2.333333ms:4.666666ms here"),
                                (("convergence", "--time=7ms"), "--start is 0s,1.166666ms,3.5ms here")):
            found = scenarios.SCENARIOS[words[0]]
            self.assertIn(f"rcc: note: {fragment}", " ".join(found.notes(list(words[1:]))))
        for words, fragment in ((("convergence", "--start=0s,20ms", "--time=7ms"), "--start has '20ms', expected 0s to 6.999999ms"),
                                (("fan-in", "--flows=0:5::6ms", "--time=5ms"), "expected 0s to 4.999999ms"),
                                (("fan-in", "--flows=0:5::1500us:2us", "--time=5ms"), "expected 1.500001ms to 1000s")):
            self.assert_refused(self.rcc("run", *words), fragment)

    @needs_programs
    def test_options(self):
        """Options of the command, parameters, and a scenario's own options refuse such numbers."""
        for words, fragment in ((["--set=dcqcn.g=1e-10"], "dcqcn.g is '1e-10', expected a multiple of 1e-9"),
                                (["--kmin=5.5B"], "--kmin is '5.5B', expected a multiple of 1B, to one part in 1000"),
                                (["--cc=dcqcn+g=1e-10"], "dcqcn.g is '1e-10', expected a multiple of 1e-9"),
                                (["--size=5.5B"], "5.5B"), (["--time=0.5ns"], "--time is '0.5ns', expected a multiple of 1ns")):
            self.assert_refused(self.rcc("run", "incast", *words), fragment)

    @needs_programs
    def test_files(self):
        """A key of ns3-rdma's files, and of an experiment."""
        self.put("x.json", '{"links": ["h[1-3]-s1"],\n"flows": ["h1-h3:size=5.5B"]}')
        self.assert_refused(self.rcc("run", "x.json"), "'5.5B'")
        self.put("x.json", '{"links": ["h[1-3]-s1"],\n"flows": ["h1-h3"], "set": {"dcqcn.g": "1e-10"}}')
        self.assert_refused(self.rcc("run", "x.json"), "'1e-10'")


if __name__ == "__main__":
    unittest.main()
