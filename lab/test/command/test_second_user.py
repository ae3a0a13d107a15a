# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""A clone that one user has built is used by another, who may read it and no more."""
import os
import shutil
import stat
import subprocess
import sys
import unittest

from support import BUILD, ROOT, RccTest, needs_programs

NOBODY = 65534


@needs_programs
class SecondUser(RccTest):
    def test_programs_are_used_as_they_are(self):
        build, place = self.path("build"), self.path("theirs")
        for folder in (build, place):
            os.mkdir(folder)
        for name in ("rcc-run", "rcc-catalog"):
            shutil.copy(os.path.join(BUILD, name), build)
        for name in ("CMakeCache.txt", ".rcc-lock", "log.txt"):
            with open(os.path.join(build, name), "w", encoding="utf-8"):
                pass
        os.chmod(self.scratch, 0o755)
        os.chmod(build, 0o555)
        self.addCleanup(os.chmod, build, stat.S_IRWXU)
        who = {}
        if os.geteuid() == 0:
            os.chown(place, NOBODY, NOBODY)
            who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        python = shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable
        clone = self.path("clone")   # the folder of this one may be closed to others, as /root is
        left_out = (".git", "out", "__pycache__")
        shutil.copytree(ROOT, clone, ignore=lambda at, names: [name for name in names if name in left_out or
                                                               (at == ROOT and name.startswith("build"))])
        words = ["run", "incast", "--time=2ms", "--start=1ms", "--flows=4", "--cc=qcn", "--no-plots"]
        done = subprocess.run([python, os.path.join(clone, "rcc"), *words], cwd=place,
                              env={**os.environ, "RCC_BUILD_DIR": build, "PYTHONDONTWRITEBYTECODE": "1"},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **who)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("cannot build", done.stderr)


if __name__ == "__main__":
    unittest.main()
