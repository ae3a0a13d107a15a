# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The pictures that a user sees: figures of every series, and the report in a browser, light and dark."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from support import ROOT, RccTest, needs_programs, sample_run

from command.results.draw import drawing
from command.results.html import page, report
from command.results.read import results
from command.system import packages

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def png_size(path):
    """(width, height) of a PNG."""
    with open(path, "rb") as f:
        return struct.unpack(">II", f.read(24)[16:24])


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Figures(RccTest):
    def test_every_series_has_its_figure(self):
        run = sample_run("qcn", 1e5, fct={"count": 2, "mean_s": 0.1}, parameters={"q_eq": "33KB"})
        run["slowdown"] = {"count": 2, "by_size": [{"from_bytes": 0, "to_bytes": 1000, "count": 2, "mean_slowdown": 2.0,
                                                    "p99_slowdown": 3.0}]}
        times = [i / 100 for i in range(1, 40)]
        series = {
            "queue.csv": ["time_s,mean_bytes,max_bytes"] + [f"{t},1000,2000" for t in times],
            "rate.csv": ["time_s,sent_bps,delivered_bps"] + [f"{t},1e9,1e9" for t in times],
            "flow_rates.csv": ["time_s,flow,rate_bps"] + [f"{t},0,1e9" for t in times],
            "windows.csv": ["time_s,flow,window_bytes,signal,rtt_s"] + [f"{t},0,50000,950,{3e-5 if t > 0.1 else 0}" for t in times],
            "flows.csv": ["flow,fct_s", "0,0.1", "1,0.2"],
            "groups.csv": ["time_s,group,goodput_bps,rate_bps"] + [f"{t},h{g}-h9,{g}e9,5e9" for t in times for g in (1, 2)],
            "steps.csv": ["round,step,start_s,end_s"] + [f"0,{i},{t},{t + 0.005}" for i, t in enumerate(times)],
            "utilization.csv": ["time_s,capacity_bps,utilization"] + [f"{t},1e9,0.9" for t in times],
            "buffers.csv": ["time_s,port,input_bytes,output_bytes,stopped"] + [f"{t},{p},{1000 * p},0,0" for t in times
                                                                               for p in range(12)]}
        os.makedirs(self.path("out", "qcn"))
        for name, lines in series.items():
            with open(self.path("out", "qcn", name), "w", encoding="utf-8") as f:
                f.write("\n".join(lines) + "\n")
        summary = {"schema": 1, "rcc_version": "1", "command": "./rcc run x", "partial": False, "runs": [run]}
        results.write_json(self.path("out"), "summary.json", summary)
        done = self.rcc("plot", "out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.split(), [f"out/{name}" for name in results.PLOTS + ["report.html"]])
        self.assertEqual(set(report.CAPTIONS), set(results.PLOTS))
        self.assertEqual(self.read("out", "report.html").count('<img alt="'), len(results.PLOTS))
        sizes = [png_size(self.path("out", name)) for name in results.PLOTS]
        self.assertEqual({width for width, _ in sizes}, {1000})
        self.assertEqual({height % 780 for _, height in sizes}, {0}, "heights are multiples of one height")
        self.assertEqual(sorted(name for name in os.listdir(self.path("out")) if name.startswith(".rcc-run-")), [])
        # other formats, on request; of two series, as drawing takes seconds
        for name in series.keys() - {"queue.csv", "buffers.csv"}:
            os.unlink(self.path("out", "qcn", name))
        done = self.rcc("plot", "out", "--format=svg,pdf")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, begin in (("queue.svg", b"<?xml"), ("queue.pdf", b"%PDF")):
            with open(self.path("out", name), "rb") as f:
                self.assertEqual(f.read(len(begin)), begin)
        done = self.rcc("plot", "out", "--format=gif")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--format=gif: expected png, svg, pdf", done.stderr)
        # which the next command does not leave behind; and without the series of a scenario, without its figure
        os.unlink(self.path("out", "qcn", "buffers.csv"))
        self.assertNotIn("buffers.png", self.rcc("plot", "out").stdout)
        for name in ("buffers.png", "buffers.svg", "queue.svg"):
            self.assertFalse(os.path.exists(self.path("out", name)), name)


@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Plotter(RccTest):
    WORDS = ["-c", "import sys; job = sys.stdin.read(); open(sys.argv[1], 'w').write(job + ' '.join(sys.argv[2:]))"]

    def test_it_waits_for_its_job(self):
        plotter = drawing.Plotter([*self.WORDS, self.path("f")], "svg")
        self.assertIsNone(plotter.process.poll())
        self.assertEqual(plotter.draw("job "), "")
        self.assertEqual(self.read("f"), "job --format=svg")
        self.assertIn("drawing failed: ", drawing.plotting_process([*self.WORDS, "/"]))

    def test_it_ends_without_a_job(self):
        plotter = drawing.Plotter([*self.WORDS, self.path("f")])
        process = plotter.process
        plotter.close()
        self.assertIsNotNone(process.poll())
        self.assertFalse(os.path.exists(self.path("f")))

    def test_what_draws_ends_with_it(self):
        """Each figure has a process, which ends when the one that it belongs to is killed."""
        draws = f"lambda: (print(os.getpid(), file=open({self.path('')!r} + str(os.getpid()), 'w')), time.sleep(600))"
        text = f"import os, time\nfrom command.results.draw import sheet\nsheet.each_in_a_process([{draws}, {draws}])"
        plotter = drawing.Plotter(["-c", "import os; os.cpu_count = lambda: 2\n" + text])
        if not plotter.process:
            self.skipTest(plotter.trouble)
        for _ in range(600):
            found = [name for name in os.listdir(self.scratch) if name.isdigit()]
            if len(found) == 2:
                break
            time.sleep(0.1)
        self.assertEqual(len(found), 2)
        plotter.process.kill()
        plotter.process.wait()
        for pipe in (plotter.process.stdin, plotter.process.stdout, plotter.process.stderr):
            pipe.close()
        for name in found:
            self.await_end(name)

    def await_end(self, pid):
        for _ in range(200):
            if not os.path.exists(os.path.join("/proc", pid)):
                return
            time.sleep(0.1)
        self.fail(f"process {pid} goes on")

    def test_it_ends_with_the_command(self):
        """A process that stayed would write figures into a folder that another command may have by then."""
        command = subprocess.Popen([sys.executable, "-c", "import time; from command.results.draw import drawing\n"
                                    "print(drawing.Plotter(['-c', 'import time; time.sleep(600)']).process.pid, flush=True)\n"
                                    "time.sleep(600)"],
                                   cwd=os.path.join(ROOT, "lab"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        pid = command.stdout.readline().strip()
        command.kill()
        command.wait()
        command.stdout.close()
        self.await_end(pid)

    @needs_programs
    def test_matplotlib_is_loaded_while_the_simulations_run(self):
        children = 'for p in $(cat /proc/$PPID/task/*/children); do tr "\\0" " " < /proc/$p/cmdline; done'
        self.wrap("rcc-run", f"{children} > {self.path('running')}")
        done = self.rcc("run", "incast", "--cc=dcqcn", "--flows=4", "--time=1ms", "--out=out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("command.results.draw.draw_run", self.read("running"))
        self.assertTrue(os.path.exists(self.path("out", "queue.png")))


LOOK = """
import sys
from matplotlib.image import imread
picture = (imread(sys.argv[1])[:, :, :3] * 255).round().astype(int)
print("".join(f"{c:02x}" for c in picture[0, 0]), (picture != picture[0, 0]).any(axis=2).sum())"""


@unittest.skipUnless(BROWSER and packages.plotting_python(), "chromium or matplotlib is not installed")
class Browser(RccTest):
    def look(self, scheme):
        """The colour of the page's corner, and how many of the pixels are of another."""
        picture = self.path(f"{scheme}.png")
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                                   f"--user-data-dir={profile}", "--window-size=500,400",
                                   f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={picture}",
                                   "file://" + self.path("report.html")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, timeout=120, check=False)
        self.assertTrue(os.path.exists(picture), done.stdout)
        return subprocess.check_output([packages.plotting_python(), "-c", LOOK, picture], text=True).split()

    def test_light_and_dark(self):
        run = sample_run("dcqcn", 1e6, parameters={"g": 0.1})
        page.write(self.scratch, report.page(self.scratch, {"schema": 1, "command": "./rcc run incast", "runs": [run]}))
        for scheme, colour in ((0, "14171a"), (1, "f6f7f9")):
            corner, other = self.look(scheme)
            self.assertEqual(corner, colour)
            self.assertGreater(int(other), 5000, "text and cards are seen")


if __name__ == "__main__":
    unittest.main()
