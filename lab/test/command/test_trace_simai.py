# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Workloads of SimAI in ./rcc run trace: who takes part in what, what waits for what, and what is refused and where."""
import unittest

from test_trace_formats import HEADER, LAYERS, SIMAI, Files

from command.traces.schedule import CALC


class Workloads(Files):
    def test_simai(self):
        trace = self.trace(self.write("w.txt", SIMAI))
        s = trace.schedule
        found = [(one.name, one.kind, one.size, one.ranks) for one in s.collectives]
        self.assertEqual(s.ranks, 8)
        self.assertIn(("first forward TP", "all-reduce", 80000, (0, 1)), found)
        self.assertIn(("first weight gradient DP", "all-reduce", 16000, (1, 3, 5, 7)), found)
        self.assertIn(("second forward EP", "all-to-all", 8000, (4, 6)), found)
        self.assertIn(("second weight gradient DP_EP", "reduce-scatter", 6000, (0, 4)), found)
        computing = [(s.label[i], s.size[i]) for i in range(len(s)) if s.kind[i] == CALC and s.rank[i] == 0 and s.part[i] < 0 and s.size[i]]
        self.assertEqual(computing, [("first forward", 1000), ("first update", 100), ("second forward", 500), ("second update", 100),
                                     ("second input gradient", 600), ("second weight gradient", 700), ("second update", 100),
                                     ("first input gradient", 2000), ("first update", 100), ("first weight gradient", 3000),
                                     ("first update", 100)])
        self.assertEqual(self.trace(self.path("w.txt"), compute="2x").schedule.size[0], 2000)
        self.assertEqual(self.trace(self.path("w.txt"), gpus="16").schedule.ranks, 16)

    def test_simai_waits(self):
        """Weight gradients' collectives go on beside what follows, on one communicator one after the other."""
        text = HEADER.format(tp=1, ep=1, all=2) + \
            "2\na -1 0 NONE 0 0 NONE 0 1000 ALLREDUCE 80 0\nb -1 0 NONE 0 0 NONE 0 1000 ALLREDUCE 80 0\n"
        trace = self.trace(self.write("w.txt", text))
        self.assertEqual([(f.after, f.begin) for f in list(trace.flows)[:2]], [({}, 1000), ({}, 1000)])
        self.assertTrue(all(f.begin in (-1, 2000) and f.after for f in list(trace.flows)[4:6]))

    def rows(self, trace):
        """Return the work of ranks if each message takes 1 us."""
        ends = {}

        def end_of(k, start):
            ends[k] = start + 1000
            return ends[k]

        return trace.rows(trace.times(end_of, ends.__getitem__))

    def test_updates_of_simai(self):
        """As in ASTRA-sim's Layer::call: a layer's update follows each of its collectives, and what waits for that waits for it too."""
        for line, factor, end, compute in (
                ("1\nl -1 1000 ALLREDUCE 80 10 NONE 0 20 NONE 0 500\n", "1x", 1000 + 2000 + 500 + 10 + 20, 1530),
                ("1\nl -1 1000 ALLREDUCE 80 10 NONE 0 20 NONE 0 500\n", "0x", 2000, 0),
                ("1\nl -1 1000 NONE 0 10 ALLREDUCE 80 20 NONE 0 500\n", "1x", 1000 + 10 + 2000 + 500 + 20, 1530)):
            trace = self.trace(self.write("w.txt", HEADER.format(tp=2, ep=1, all=2) + line), compute=factor)
            self.assertEqual([(row["end"], row["compute"]) for row in self.rows(trace)], [(end, compute)] * 2)
        text = HEADER.format(tp=1, ep=1, all=2) + "2\n" + "l -1 0 NONE 0 0 NONE 0 20 ALLREDUCE 80 500\n" * 2
        row = self.rows(self.trace(self.write("w.txt", text)))[0]     # the second collective follows the first, beside the update
        self.assertEqual((row["end"], row["compute"]), (20 + 4000 + 500, 20 + 20 + 500 + 500))

    def test_simai_is_refused(self):
        head = HEADER.format(tp=2, ep=2, all=8)
        for text, expected in (
                (head, ":1: found the end of the file"), (head + "x\n", ":2: found 'x', expected a number of layers"),
                (head + "1 2\na", ":2: found 2 words, expected the number of layers alone"),
                (head + "3" + LAYERS[1:], ":2: found 3, expected the number of the layers that follow, 2"),
                (head + "1\na -1 5 ALLREDUCE\n", ":3: found 4 words, expected 12 of a layer"),
                (SIMAI.replace("ALLGATHER", "ALLSHARE"), ":3: found 'ALLSHARE', expected NONE or one of ALLREDUCE"),
                (SIMAI.replace("\t80000", "\t-5"), ":3: found '-5', expected a number of bytes"),
                (SIMAI.replace("\t2000", "\t2us"), ":3: found '2us', expected a time in ns"),
                (SIMAI.replace("checkpoints: 0", "checkpoints: 1 2"), ":1: found checkpoints: 1, expected 0"),
                (SIMAI.replace("ep: 2", "ep: 2 ep: 2"), ":1: found ep again, expected it once"),
                (SIMAI.replace("ep: 2", "ep: 0"), ":1: found '0', expected ep of 1 to"),
                (SIMAI.replace("DP_EP 6000 100", "DP_EP 6000 100 5"), ":4: found 13 words, expected 12 of a layer"),
                (SIMAI.replace("second -1", "second junk"), ":4: found 'junk', expected -1 or the number of a layer"),
                (SIMAI.replace("all_gpus: 8", "all_gpus: 6"), ":1: found 6 ranks, expected a multiple of 4"),
                (SIMAI.replace("all_gpus: 8", "all_gpus:"), ":1: found 'checkpoints:', expected all_gpus of 1 to"),
                (SIMAI.replace("all_gpus: 8", "a\x0fl_gpus: 1.5"), ":1: found '1.5', expected a\\x0fl_gpus of 0 to"),
                (SIMAI.replace("all_gpus: 8", "a" * 5000 + ": -1"), ":1: found '-1', expected " + "a" * 40 + " of 0 to"),
                ("MICRO" + SIMAI[SIMAI.index("\n"):], ":1: found 'MICRO' without a number of ranks, expected --gpus=N"),
                (SIMAI.replace("all_gpus: 8", "all_gpus: 64000"), "w.txt: found 2 layers on 64000 ranks, which")):
            with self.subTest(expected):
                self.refused(self.write("w.txt", text), expected)
        self.refused(self.path("w.txt"), "--gpus is 'x', expected 1 to 65536", gpus="x")

    def test_policies_of_simai(self):
        """As ASTRA-sim's decode_involved_dimensions: who takes part in the collectives of a layer's three phases."""
        line = "1\nl -1 10 ALLREDUCE 4000 10 ALLREDUCE 2000 10 ALLREDUCE 1000 0\n"
        every, beside, apart = [(0, 1, 2, 3)], [(0, 1), (2, 3)], [(0, 2), (1, 3)]
        for policy, passes, gradients in (("MODEL", every, []), ("DATA", [], every), ("MICRO", [], every),
                                          ("HYBRID_TRANSFORMER model_parallel_NPU_group: 2", beside, apart),
                                          ("HYBRID_DATA_MODEL model_parallel_NPU_group: 2", beside, apart),
                                          ("HYBRID_MODEL_DATA model_parallel_NPU_group: 2", apart, beside)):
            s = self.trace(self.write("w.txt", f"{policy}\n{line}"), gpus="4").schedule
            self.assertEqual([[one.ranks for one in s.collectives if one.size == size] for size in (4000, 2000, 1000)],
                             [passes, passes, gradients], policy)
            alone = 1 if policy == "MODEL" else 2
            self.assertEqual([note.partition(": ")[2] for note in s.notes], [
                f"{alone} collective{'s are' if alone > 1 else ' is'} in groups of one rank, which send nothing"]
                if not passes or not gradients else [])
        for policy, expected in (("MODEL model_parallel_NPU_group: 2", "MODEL with model_parallel_NPU_group: 2, expected none"),
                                 ("DATA ep: 2", "DATA with ep: 2, expected none"),
                                 ("HYBRID_MODEL_DATA", "HYBRID_MODEL_DATA alone, expected model_parallel_NPU_group: N beside it")):
            self.refused(self.write("w.txt", f"{policy}\n{line}"), f"w.txt:1: found {expected}", gpus="4")

    def test_stages_of_simai(self):
        text = SIMAI.replace("pp: 1", "pp: 2")
        trace = self.trace(self.write("w.txt", text))
        self.assertIn("messages between stages are not simulated", trace.schedule.notes[0])


if __name__ == "__main__":
    unittest.main()
