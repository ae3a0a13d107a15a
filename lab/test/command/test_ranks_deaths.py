# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""--ranks: a rank that dies, and what is left of the results. Most of the time of these tests is spent waiting."""
import json
import os
import shutil
import unittest

from support import BUILD, RccTest

TREE = "--k=4 --cores=4 --senders=12 --receivers=2 --flows=24 --start=50us"
needs_ranks = unittest.skipUnless(shutil.which("mpirun") and os.access(os.path.join(BUILD, "rcc-run-ranks"), os.X_OK),
                                  "clos-ranks is not built, or there is no mpirun")


@needs_ranks
class Deaths(RccTest):
    def setUp(self):
        super().setUp()
        os.symlink(os.path.join(BUILD, "rcc-run-ranks"), os.path.join(self.bin, "rcc-run-ranks"))

    def test_a_rank_that_dies(self):
        self.wrap("rcc-run-ranks", '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && kill -9 $$')
        done = self.rcc("run", "clos", *(TREE + " --time=200us --cc=dcqcn").split(), "--no-plots", "--ranks=2")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rank 1 exited on signal 9", done.stderr)

    def test_what_the_others_had_is_kept(self):
        self.wrap("rcc-run-ranks", '[ "$OMPI_COMM_WORLD_RANK" = 2 ] && (sleep 4; kill -9 $$) &')
        done = self.rcc("run", "clos", *(TREE + " --time=1000s --cc=dcqcn").split(), "--no-plots", "--ranks=3", "--out=out")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, "rcc: error: rank 2 has died: the results are partial, without its nodes, and end at [0-9.]+[mun]?s")
        self.assertEqual(done.stderr.count("rank 2"), 1)   # mpirun and the shells are silent
        run = json.loads(self.read("out", "dcqcn", "run.json"))
        self.assertTrue(run["partial"])
        self.assertGreater(run["packets_delivered"], 0)
        self.assertEqual(len(self.read("out", "dcqcn", "flows.csv").splitlines()), 25)
        self.assertTrue(json.loads(self.read("out", "summary.json"))["runs"][0]["partial"])

    def test_the_first_rank_dies_while_it_keeps_the_results(self):
        # rank 1 is stopped, so that rank 0 waits for what it has
        self.wrap("rcc-run-ranks", """case "$OMPI_COMM_WORLD_RANK" in
0) (until [ -e "$RCC_RANKS_FOLDER/keeping" ]; do sleep 0.1; done; sleep 0.5; kill -9 $$) & ;;
1) (sleep 3; kill -STOP $$) & ;;
2) (sleep 4; kill -9 $$) & ;;
esac""")
        done = self.rcc("run", "clos", *(TREE + " --time=1000s --cc=dcqcn").split(), "--no-plots", "--ranks=3")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("rcc: error: dcqcn: rank 2 exited on signal 9\nrcc: error: no algorithm gave a result", done.stderr)


if __name__ == "__main__":
    unittest.main()
