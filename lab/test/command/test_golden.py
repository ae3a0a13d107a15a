# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The golden runs: sums tell numbers from words, and the cases cover every scenario, algorithm, fault and format of traces."""
import os
import re
import sys
import unittest

from support import ROOT, RccTest

from command.experiment import declared
from command.run.scenarios import SCENARIOS

sys.path.append(os.path.join(ROOT, "lab", "test", "golden"))
import golden  # noqa: E402

RUN = '{"title": "A", "wall_s": 1.5, "queue": {"mean_bytes": 1.50, "max_bytes": 3}, "port": "switch port b>h3", "cc": "dcqcn", ' \
      '"warnings": []}'


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


class Golden(RccTest):
    def changed(self, before, after):
        """Return what differs between the sums of RUN and of RUN with a text replaced: (numbers, words)."""
        self.assertIn(before, RUN)
        sums = []
        for text in (RUN, RUN.replace(before, after)):
            self.put("run.json", text)
            sums.append(golden.sum_json(self.path("run.json")))
        return tuple(a != b for a, b in zip(*sums))

    def test_numbers_apart_from_words(self):
        for before, after, numbers, words in (
                ('"A"', '"B"', False, True), ("switch", "the switch", False, True), ("b>h3", "b>h4", True, True),
                ('"warnings": []', '"warnings": ["late"]', False, True),
                ("1.50", "1.51", True, False), ("1.50", "1.5", True, False), ("3}", "4}", True, False), ('"dcqcn"', '"qcn"', True, False),
                ('"mean_bytes": 1.50, "max_bytes": 3', '"max_bytes": 3, "mean_bytes": 1.50', True, False),
                ('"wall_s": 1.5', '"wall_s": 2.5', False, False)):
            with self.subTest(after=after):
                self.assertEqual(self.changed(before, after), (numbers, words))

    def test_every_kind_has_a_case(self):
        commands = " ".join(case.words for case in golden.ALL_CASES.values())
        for scenario in SCENARIOS:
            self.assertRegex(commands, rf"\brun {scenario} ")
        algorithms = re.findall(r"^RCC_ALGORITHM\((\w+)\)", read("core/cc/algorithms.def"), re.MULTILINE)
        self.assertGreater(len(algorithms), 10)
        known = declared.algorithms()
        for name in algorithms:
            name = name.replace("_", "-")
            asked = [name, *(f"{owner}:{preset}" for owner, one in known.items() if name in one.variants
                             for preset in set(known[name].presets) - set(one.presets))]
            self.assertRegex(commands, rf"--cc=([\w:,+-]*,)?({'|'.join(asked)})[ ,:+]")
        kinds = re.search(r"RUN_FAULT_WORDS = \{(.*?)\};", read("lab/run/files/run-file-fields.h"), re.DOTALL)
        faults = "\n".join(text for name, text in golden.more_cases.FILES.items() if name.endswith(".faults"))
        self.assertEqual(set(re.findall('"([a-z-]+)"', kinds.group(1))) - set(re.findall("^[a-z-]+", faults, re.MULTILINE)), set())


if __name__ == "__main__":
    unittest.main()
