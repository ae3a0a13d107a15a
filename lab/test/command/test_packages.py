# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A command installs its packages: apt-get replaced by a script."""
import os
import re
import subprocess
import unittest
from unittest import mock

import support
from command import common
from command.system import packages
from support import RccTest


class Packages(RccTest):
    """apt-get replaced by a script that writes down how it was called."""

    def setUp(self):
        super().setUp()
        patch = mock.patch.dict(os.environ, {packages.NO_INSTALL: ""})
        patch.start()
        self.addCleanup(patch.stop)

    def tools(self, status, known="exit 100"):
        folder = self.path("tools")
        os.makedirs(folder, exist_ok=True)
        scripts = {"apt-get": f'echo "$@" >> "{self.path("calls")}"\nenv | grep DEBIAN_FRONTEND >> "{self.path("calls")}"\n'
                              f'case "$*" in *install*) echo "E: Unable to locate package"; exit {status};; esac',
                   "apt-cache": known, "sudo": 'exec "$@"'}
        for name, text in scripts.items():
            self.put_script(f"tools/{name}", text)
        old = os.environ["PATH"]
        os.environ["PATH"] = folder + os.pathsep + old
        self.addCleanup(os.environ.__setitem__, "PATH", old)
        packages.update.cache_clear()

    def test_update_comes_first(self):
        self.tools(0)
        _, _, err = support.captured(packages.install, ["cmake", "make"])
        self.assertEqual(err, "rcc: installing with apt-get: cmake make\n")
        self.assertEqual(self.read("calls"), "-q update\nDEBIAN_FRONTEND=noninteractive\n"
                         "-q install -y --no-install-recommends cmake make\nDEBIAN_FRONTEND=noninteractive\n")

    def test_matplotlib_without_scipy(self):
        for known, expected in (("echo Package: $2", "python3-matplotlib cmake python3-munkres\n"),
                                ("exit 100", "python3-matplotlib cmake\n")):
            self.tools(0, known)
            support.captured(packages.install, ["python3-matplotlib", "cmake"])
            self.assertIn("install -y --no-install-recommends " + expected, self.read("calls"))

    @unittest.skipUnless(os.access("/usr/bin/dpkg-query", os.X_OK) and os.access("/usr/bin/python3", os.X_OK), "this is no Debian")
    def test_the_interpreter_that_has_packages(self):
        """The python3 of Debian comes before others in PATH, that of a virtual environment before it."""
        self.tools(0)
        with open(self.path("tools", "python3"), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\necho another\n")
        os.chmod(self.path("tools", "python3"), 0o755)
        plain = {key: value for key, value in os.environ.items() if key not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
        for given, expected in (({}, "rcc"), ({"VIRTUAL_ENV": "/venv"}, "another"), ({"CONDA_PREFIX": "/conda"}, "another")):
            said = subprocess.check_output([os.path.join(support.ROOT, "rcc"), "--version"], env={**plain, **given}, text=True)
            self.assertEqual(said.split()[0], expected)

    def test_no_second_update_after_python_was_installed(self):
        self.tools(0)
        os.environ["RCC_APT_UPDATED"] = "1"
        support.captured(packages.install, ["cmake"])
        self.assertEqual(self.read("calls").count("update\n"), 0)
        packages.update.cache_clear()
        support.captured(packages.install, ["cmake"])
        self.assertEqual(self.read("calls").count("update\n"), 1)

    def test_failure_is_one_clear_message(self):
        self.tools(100)
        with self.assertRaises(common.RccError) as caught:
            support.captured(packages.install, ["cmake"])
        self.assertEqual(caught.exception.status, 1)
        self.assertIn("Unable to locate package", str(caught.exception))
        self.assertIn("sudo apt-get update && sudo apt-get install -y --no-install-recommends cmake", str(caught.exception))

    def test_waits_for_another_package_manager(self):
        """A lock of the lists, then one of dpkg; `free`: after how many calls there is none any more."""
        lock = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (unattended-upgr)"
        for free, status in ((3, None), (99, 1)):
            self.tools(0)
            calls = self.path(f"calls{free}")
            self.put_script("tools/apt-get", f'echo "$3" >> "{calls}"\n'
                            f'[ $(wc -l < "{calls}") -gt {free} ] || {{ echo "{lock}"; exit 100; }}')
            with mock.patch.object(packages, "LOCKED_S", 4), mock.patch.object(packages.time, "sleep"):
                result, _, err = support.captured(self.outcome, ["cmake"])
            self.assertEqual(getattr(result, "status", None), status)
            self.assertIn(f"rcc: waiting until apt-get can be used: {lock[3:]}\n", err)
            if status:
                self.assertIn("It is held by process 7 (unattended-upgr)", str(result))
                self.assertEqual(len(self.read(f"calls{free}").splitlines()), 10)

    @staticmethod
    def outcome(names):
        try:
            return packages.install(names)
        except common.RccError as error:
            return error

    def test_nothing_missing_means_nothing_called(self):
        self.tools(0)
        packages.ensure([packages.Need("x", "x", lambda: "here", "all")])
        self.assertFalse(os.path.exists(self.path("calls")))

    @unittest.skipUnless(os.geteuid() == 0, "without root apt-get may ask for a password, and comes first")
    @unittest.skipUnless(packages.is_debian(), "not a Debian machine")
    def test_installs_while_something_else_goes_on(self):
        self.tools(0)
        there, begun = self.path("there"), self.path("begun")
        # installs once the other work has begun
        self.put_script("tools/apt-get", 'for i in $(seq 100); do\n'
                        f'[ -e "{begun}" ] && printf "%s\\nnice %s\\n" "$*" "$(nice)" >> "{there}" && exit 0\nsleep 0.1; done; exit 100')

        def found(name):
            return "here" if os.path.exists(there) and f" {name}\n" in self.read("there") else ""

        def work():
            with packages.ensured_meanwhile([packages.Need("x", "a thing", lambda: found("x"), "all")],
                                            groups={"more": [packages.Need("y", "another", lambda: found("y"), "all")]}):
                during.append(os.getpriority(os.PRIO_PROCESS, 0))
                open(begun, "w", encoding="utf-8").close()
        during, usual = [], os.getpriority(os.PRIO_PROCESS, 0)
        support.captured(work)
        self.assertEqual((found("x"), found("y")), ("here", "here"))
        # a user who may not raise a priority could not undo a lower one, and all later programs of a command would keep it
        self.assertEqual((during, os.getpriority(os.PRIO_PROCESS, 0)), ([usual], usual))
        ahead = {int(text) for text in re.findall(r"^nice (-?\d+)$", self.read("there"), re.MULTILINE)}
        self.assertTrue(ahead and ahead <= {usual, max(usual - 10, -20)}, ahead)

    def test_only_the_tests_do_without_waiting_for_the_disk(self):
        self.tools(0)
        self.addCleanup(packages.APT_OPTIONS.clear)
        support.captured(packages.install, ["cmake"])
        self.assertNotIn("unsafe", self.read("calls"))
        packages.hasty()
        support.captured(packages.install, ["make"])
        self.assertIn("-q -o Dpkg::Options::=--force-unsafe-io install -y --no-install-recommends make\n", self.read("calls"))

    def test_still_missing_after_the_install(self):
        self.tools(0)
        with self.assertRaisesRegex(common.RccError, "still not found: a thing"):
            support.captured(packages.ensure, [packages.Need("x", "a thing", lambda: "", "all")])


if __name__ == "__main__":
    unittest.main()
