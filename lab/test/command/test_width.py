# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The output of commands fits a terminal of 60 columns, but for single words that are longer, such as commands to copy."""
import unittest

from support import RccTest, needs_programs

WIDTH = 60


@needs_programs
class Width(RccTest):
    def narrow(self, *words):
        done = self.succeed(*words, COLUMNS=str(WIDTH))
        self.assertTrue(done.stdout.strip())
        # a word that is longer than the space for it stands alone, behind an indent or a label
        long = [line for line in done.stdout.splitlines() if len(line) > WIDTH and max(map(len, line.split())) < WIDTH - 20]
        self.assertEqual(long, [], " ".join(words))

    def test_what_needs_no_run(self):
        for words in (["algorithms"], ["algorithms", "dcqcn-plus"], ["model", "fixed-point"], ["model", "approx", "--flows=10"],
                      ["reproduce", "--list"], ["reproduce", "dp-fig8", "--list", "--details"]):
            self.narrow(*words)

    def test_results(self):
        algorithms = "--cc=dcqcn,dcqcn-plus,dcqcn-plus-share,timely-patched,dcqcn:cx4+g=0.01"
        for kmax in ("100KB", "200KB", "400KB"):
            self.narrow("run", "incast", algorithms, "--flows=8", "--time=1ms", f"--kmax={kmax}", "--no-plots", "--pcap", f"--out={kmax}")
        self.narrow("compare", "100KB", "200KB", "400KB", "--no-plots")
        self.narrow("pcap", "100KB/dcqcn/switch-port.pcap", "--over", "200KB/dcqcn-plus/switch-port.pcap", "--no-plots")
        self.narrow("sweep", "incast", "--cc=dcqcn,dcqcn-plus-share", "--flows=4,8", "--rate=10Gbps,40Gbps", "--seed=1-2", "--time=1ms",
                    "--no-plots")
        self.narrow("run", "workload", "--cc=dcqcn,dcqcn-plus-share", "--time=1ms", "--seed=1-2", "--no-plots")


if __name__ == "__main__":
    unittest.main()
