# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""./rcc build FILE.cc: what it asks of cmake, of which a script stands in the place. Copies of a project that ccache compiles."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

from support import BUILD, ROOT, RccTest, captured

from command.common import RccError
from command.reference import algorithms
from command.system import build, packages, probe

# Configures as cmake does, into a cache that says for which folders it is; --build makes the programs that it is asked for. FAIL names the
# step that fails.
CMAKE = """if [ "$1" = -S ]; then
    echo "$@" >> "$SAID"
    [ "$FAIL" = configure ] && { echo "CMake Error: no"; exit 1; }
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$2" > "$4/CMakeCache.txt"
    echo "CMAKE_CACHEFILE_DIR:INTERNAL=$4" >> "$4/CMakeCache.txt"
    echo CMAKE_PROJECT_NAME:STATIC=rcc >> "$4/CMakeCache.txt"
    touch "$4/build.ninja"
    exit 0
fi
echo "$@" >> "$SAID"
folder=$2
while [ $# -gt 0 ] && [ "$1" != --target ]; do shift; done
[ "$FAIL" = build ] && { echo "[1/2] error: no"; exit 1; }
for name; do [ "$name" = --target ] || { touch "$folder/$name"; chmod +x "$folder/$name"; }; done
exit 0
"""


class Faked(RccTest):
    """A cmake of the test's own, and a build folder that is empty at first."""

    def setUp(self):
        super().setUp()
        self.put_script("bin/cmake", CMAKE)
        environment = {"RCC_BUILD_DIR": self.path("made"), "SAID": self.path("said"), "FAIL": "",
                       "PATH": self.path("bin") + os.pathsep + os.environ["PATH"]}
        for patch in (mock.patch.dict(os.environ, environment), mock.patch.object(packages, "ensure")):
            patch.start()
            self.addCleanup(patch.stop)
        self.put("mine.cc", "int main() {}\n")

    def take_calls(self):
        """Return the words of each call of cmake since the last time."""
        said = self.read("said") if os.path.exists(self.path("said")) else ""
        self.put("said", "")
        return [line.split() for line in said.splitlines()]

    def mains(self, words):
        """The files of RCC_MAINS that a cmake was told of."""
        given, = [word for word in words if word.startswith("-DRCC_MAINS=")]
        return [os.path.basename(path) for path in given.partition("=")[2].split(";") if path]

    def failing(self, step, *call):
        with mock.patch.dict(os.environ, {"FAIL": step}), self.assertRaises(RccError) as raised:
            captured(*call)
        return str(raised.exception)


class BuildFile(Faked):
    def built(self, *names):
        return captured(build.command, argparse.Namespace(what=[self.path(name) for name in names]))

    def test_a_file_that_was_gone(self):
        """A file was gone when cmake configured for something else: cmake is called again, to find it."""
        for _ in range(2):
            status, out, err = self.built("mine.cc")
            self.assertEqual((status, out), (0, os.path.relpath(self.path("made", "mine")) + "\n"), err)
        asked = [words for words in self.take_calls() if words[0] == "-S"]
        self.assertEqual(len(asked), 2)
        for words in asked:
            self.assertIn(f"-DRCC_MAINS={os.path.realpath(self.path('mine.cc'))}", words)

    def test_a_main_that_does_not_build_is_not_part_of_later_builds(self):
        self.put("bad.cc", "no C++\n")
        self.built("mine.cc")
        for step in ("configure", "build"):
            error = self.failing(step, build.command, argparse.Namespace(what=[self.path("bad.cc")]))
            self.assertIn(f"the {step} of the programs failed", error)
            self.take_calls()
            self.put("good.cc", "int main() {}\n")
            self.built("good.cc")
            self.assertEqual(self.mains(self.take_calls()[0]), ["mine.cc", "good.cc"], step)

    def test_names_that_cmake_keeps(self):
        self.put("test.cc", "int main() {}\n")
        with self.assertRaises(RccError) as raised:
            self.built("test.cc")
        self.assertIn("test is a name that cmake or rcc keeps for itself; give the file another name", str(raised.exception))


class Waiting(Faked):
    """Two commands that build into one folder."""

    HOLD = ("import sys\nfrom command.system import build\n"
            "with build.locked(sys.argv[1]):\n    print('held', flush=True)\n    sys.stdin.read()\n")

    def test_who_is_waited_for(self):
        path = os.path.join(ROOT, "lab")
        with subprocess.Popen([sys.executable, "-c", self.HOLD, self.path("made")], env={**os.environ, "PYTHONPATH": path}, text=True,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
            self.assertEqual(first.stdout.readline(), "held\n")
            code = "import sys\nfrom command.system import build\nbuild.program('incast')\n"
            with subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, text=True,
                                  stderr=subprocess.PIPE) as second:
                said = second.stderr.readline()
                first.stdin.close()
                rest = second.stderr.read()
        self.assertRegex(said, f"^rcc: waiting for process {first.pid}, which builds in .*made: .*-c")
        self.assertEqual((second.returncode, rest), (0, ""))

    def test_nobody_is_waited_for(self):
        for _ in range(2):
            self.assertEqual(captured(build.program, "incast")[2], "")


class FirstTime(Faked):
    """A build that takes longer than QUIET_SECONDS says how long it may take, where nothing is built yet."""

    # a build goes on until something is said about it, or for a minute
    SLOW = CMAKE.replace("folder=$2\n", "folder=$2\nn=0\n"
                         "while [ ! -e \"$SAID.told\" ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done\n")

    def build_slowly(self, name):
        """Build a program, and return what is said about it."""
        found = []

        def say(text):
            found.append(text)
            self.put("said.told", "")

        with mock.patch.object(build, "QUIET_SECONDS", 0.01), mock.patch.object(build, "say", say):
            build.program(name)
        os.unlink(self.path("said.told"))
        return found[0]

    def test_it_is_said_once(self):
        self.put_script("bin/cmake", self.SLOW)
        self.assertRegex(self.build_slowly("rcc-run"), r"^building, a minute or two the first time \(log: .*\)$")
        for name in ("rcc-bench", "incast"):
            self.assertRegex(self.build_slowly(name), r"^building \(log: .*\)$")


class Current(Faked):
    """cmake is started only if something has changed on which the programs depend."""

    def setUp(self):
        super().setUp()
        patch = mock.patch.object(build, "ROOT", self.path("tree"))
        patch.start()
        self.addCleanup(patch.stop)
        for name in ("core/cc/rcc.c", "lab/run/rcc-run.cc", "CMakeLists.txt", "cmake/rcc-ns3.cmake", "installed/include/ns3/core.h"):
            self.put(os.path.join("tree", name), "before")
        self.put("made/CMakeCache.txt", f"CMAKE_PROJECT_NAME:STATIC=rcc\nNS3_INCLUDE:PATH={self.path('tree', 'installed', 'include')}\n")
        self.put("made/build.ninja", "")
        build.program("rcc-run")
        self.take_calls()

    def starts(self, name="rcc-run"):
        """Return how often a command for a program starts cmake."""
        build.program(name)
        return len(self.take_calls())

    def test_nothing_has_changed(self):
        self.assertEqual([self.starts(), self.starts("rcc-catalog"), self.starts("rcc-bench"), self.starts("rcc-bench"), self.starts()],
                         [0, 0, 1, 0, 0])

    def test_a_change_is_built_once(self):
        changes = {name: lambda name=name: self.put(name, (self.read(name) if os.path.exists(self.path(name)) else "") + "# more\n")
                   for name in ("tree/core/cc/rcc.c", "tree/CMakeLists.txt", "tree/cmake/rcc-ns3.cmake", "tree/model/new.cc",
                                "made/CMakeCache.txt", "made/build.ninja", "made/rcc-run", "tree/installed/include/ns3/core.h")}
        changes["a file that is gone"] = lambda: os.unlink(self.path("tree", "model", "new.cc"))
        changes["a program that is gone"] = lambda: os.unlink(self.path("made", "rcc-catalog"))
        changes["a variable"] = lambda: os.environ.update(CXX="another")    # mock.patch.dict restores it
        changes["packages"] = self.change_packages
        for name, change in changes.items():
            with self.subTest(name):
                change()
                self.assertEqual([self.starts(), self.starts()], [1, 0])

    def test_files_of_the_folder_that_are_not_what_was_written(self):
        for text in ("[]", "null", "5", '"text"', "{}", "{"):
            for name in (".rcc-current.json", ".rcc-options.json", ".rcc-tried.json"):
                with self.subTest(name, text=text):
                    self.put(os.path.join("made", name), text)
                    build.program("rcc-run")
                    self.take_calls()
                    self.assertEqual(self.starts(), 0)

    def test_a_link_to_a_folder_around_it(self):
        os.symlink(".", self.path("tree", "core", "again"))
        self.assertEqual([self.starts(), self.starts()], [1, 0])

    def change_packages(self):
        patch = mock.patch.object(probe, "packages_time", return_value=1)
        patch.start()
        self.addCleanup(patch.stop)

    def test_packages_that_cannot_be_seen(self):
        with mock.patch.object(probe, "packages_time", return_value=0):
            self.assertEqual([self.starts(), self.starts()], [1, 1])

    def test_a_change_during_a_build_is_built_next(self):
        self.put("tree/core/cc/rcc.c", "first")
        with mock.patch.object(build.Build, "make", lambda *_: self.put("tree/core/cc/rcc.c", "second one")):
            build.program("rcc-run")
        self.assertEqual([self.starts(), self.starts()], [1, 0])


class Catalogue(Faked):
    """The build folder keeps the output of rcc-catalog."""

    def test_a_file_that_is_not_what_was_written(self):
        program = self.put("made/rcc-catalog", "#!/bin/sh\necho '{\"algorithms\": []}'\n")
        os.chmod(program, 0o755)
        for text in ("[]", "5", json.dumps({"of": build.identify(program)}), json.dumps({"of": build.identify(program), "said": 5})):
            with self.subTest(text):
                self.put("made/.rcc-catalog.json", text)
                self.assertEqual(algorithms.read(), {"algorithms": []})


class Program(Faked):
    def test_a_failed_configuration_is_asked_for_again(self):
        build.program("incast")
        self.take_calls()
        error = self.failing("configure", build.program, "clos", None, {"RCC_MPI": "ON"})
        self.assertIn("the configure of the programs failed", error)
        self.take_calls()
        build.program("clos")
        self.assertEqual(self.take_calls()[0][:2], ["-S", ROOT])
        build.program("clos", None, {"RCC_MPI": "ON"})
        self.assertIn("-DRCC_MPI=ON", self.take_calls()[0])

    def test_an_option_that_cannot_be_is_forgotten(self):
        build.program("incast")
        self.failing("configure", build.program, "clos", None, {"RCC_MPI": "ON"})
        self.take_calls()
        build.program("incast")
        words = self.take_calls()[0]
        self.assertIn("-URCC_MPI", words)
        self.assertNotIn("-DRCC_MPI=ON", words)

    def test_another_ns3(self):
        """Another NS3_DIR makes cmake forget the previous ns-3, whose libraries it would link."""
        build.program("incast")
        self.take_calls()
        for name in ("first", "second"):
            with mock.patch.dict(os.environ, {"NS3_DIR": self.path(name)}):
                build.program("incast")
                words = self.take_calls()[0]
                self.assertLess(words.index("-UNS3_*"), words.index(f"-DNS3_DIR={self.path(name)}"))
                self.put("made/CMakeCache.txt", self.read("made", "CMakeCache.txt") + f"NS3_DIR:UNINITIALIZED={self.path(name)}\n")
                build.program("incast", None, {"RCC_ARCH": name})
                words = self.take_calls()[0]
                self.assertIn(f"-DRCC_ARCH={name}", words)
                self.assertNotIn("-UNS3_*", words)

    def test_a_failed_build_ends_the_run(self):
        error = self.failing("build", build.program, "incast")
        self.assertIn("the build of the programs failed", error)
        self.assertIn("[1/2] error: no", error)

    def cache(self, home, folder, more=""):
        self.put("made/CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\nCMAKE_CACHEFILE_DIR:INTERNAL={folder}\n"
                                          f"CMAKE_PROJECT_NAME:STATIC=rcc\n{more}")

    def test_a_folder_of_another_checkout(self):
        """cp -a, mv and COPY bring a build folder along whose files name the place that it was made for."""
        self.put("elsewhere/CMakeLists.txt", "")
        for home, folder in ((self.path("elsewhere"), self.path("made")), (ROOT, self.path("elsewhere", "build")),
                             (self.path("gone"), self.path("gone", "build"))):
            with self.subTest(home=home, folder=folder):
                build.program("incast")
                self.take_calls()
                self.put("made/lab/CMakeFiles/old.o", "old")
                self.put("made/.ninja_log", "old")
                self.cache(home, folder, "RCC_LTO:BOOL=ON\n")
                _, _, err = captured(build.program, "incast")
                self.assertEqual(err, f"rcc: {os.path.relpath(self.path('made'))} was made for {home if home != ROOT else folder}: "
                                      "it is configured and built anew\n")
                self.assertEqual(self.take_calls()[0][:4], ["-S", ROOT, "-B", self.path("made")])
                for left in ("lab/CMakeFiles/old.o", ".ninja_log"):
                    self.assertFalse(os.path.exists(self.path("made", left)), left)
                self.assertEqual(captured(build.program, "incast")[2], "", "once only")

    def test_what_was_set_by_hand_stays(self):
        """Options that nobody but the user can have given, in a folder that ./rcc has not configured."""
        self.put("made/build.ninja", "")
        self.cache(self.path("gone"), self.path("gone", "build"),
                   "RCC_LTO:BOOL=ON\nCMAKE_BUILD_TYPE:STRING=Debug\nRCC_MAINS:UNINITIALIZED=\n")
        captured(build.program, "incast")
        words = self.take_calls()[0]
        self.assertIn("-DRCC_LTO=ON", words)
        self.assertIn("-DCMAKE_BUILD_TYPE=Debug", words)

    def test_ns3_that_was_set_by_hand_stays(self):
        self.put("made/build.ninja", "")
        self.cache(ROOT, self.path("made"), "NS3_DIR:PATH=/opt/ns3\n")
        build.program("incast", None, {"RCC_MPI": "ON"})
        words = self.take_calls()[0]
        self.assertIn("-DRCC_MPI=ON", words)
        self.assertNotIn("-UNS3_*", words)

    def test_a_folder_of_another_project(self):
        self.put("made/CMakeCache.txt", f"CMAKE_HOME_DIRECTORY:INTERNAL={self.path('other')}\nCMAKE_PROJECT_NAME:STATIC=other\n")
        error = self.failing("", build.program, "incast")
        self.assertIn(f"{self.path('made')} is a build folder of {self.path('other')}, which is not rcc; name another one", error)
        self.assertTrue(os.path.exists(self.path("made", "CMakeCache.txt")))

    def test_the_doctor_says_it(self):
        build.program("incast")
        self.cache(self.path("gone"), self.path("gone", "build"))
        done = self.rcc("doctor", RCC_BUILD_DIR=self.path("made"), PATH=self.path("tools"), CXX="")
        self.assertIn(f"built in {self.path('made')}, which was made for {self.path('gone')}: the next command configures and builds it "
                      "anew", done.stdout)

    def test_ready_programs_that_are_older_than_their_sources(self):
        """Programs of another user, or of a folder without a build system, cannot be built anew."""
        self.put("made/incast", "")
        os.chmod(self.path("made", "incast"), 0o755)
        self.assertEqual(captured(build.program, "incast")[0], self.path("made", "incast"))
        newest = max(build.sources_of("incast"), key=os.path.getmtime)
        os.utime(self.path("made", "incast"), (0, os.path.getmtime(newest) - 1))
        error = self.failing("", build.program, "incast")
        self.assertIn(f"{self.path('made', 'incast')} is older than {os.path.relpath(newest, ROOT)}", error)
        self.assertIn("there is no build system in that folder", error)

    def test_progress(self):
        self.put_script("bin/cmake", CMAKE.replace("folder=$2", 'folder=$2; echo "[1/85] Building"; echo "[12/85] Building"'))
        with mock.patch.object(build, "QUIET_SECONDS", 0), mock.patch.object(build, "PROGRESS_SECONDS", 0.02):
            _, _, err = captured(build.program, "incast")
        self.assertRegex(err, r"^rcc: building, [^\n]*\(log: .*log.txt\)\n")
        self.assertRegex(err, r"rcc: built in \d+ s\n$")
        self.assertEqual(build.progress("[1/85] Building\n[12/85] Building\n"), "[12/85]")
        self.assertEqual(build.progress("[  4%] Building\n[ 45%] Building\n"), "[45 %]")
        self.assertEqual(build.progress("a line\n"), "")


class NoInstall(RccTest):
    """RCC_NO_INSTALL=1 and --no-install: what is missing is listed, and the status is 2."""

    def test_packages(self):
        need = packages.Need("no-such-tool", "a tool that is not there", lambda: "", "everything")
        other = packages.Need("no-other-tool", "another one", lambda: "", "everything")
        for value, fails in (("1", True), ("yes", True)):
            with mock.patch.dict(os.environ, {"RCC_NO_INSTALL": value}), mock.patch.object(packages, "apt") as apt, \
                    self.assertRaises(RccError) as raised:
                packages.ensure([need, other])
            self.assertEqual(raised.exception.status, 2)
            self.assertFalse(apt.called)
            for text in ("no-such-tool", "no-other-tool", "RCC_NO_INSTALL"):
                self.assertIn(text, str(raised.exception))
        with mock.patch.dict(os.environ, {"RCC_NO_INSTALL": "1"}), mock.patch.object(packages, "apt") as apt:
            _, _, err = captured(packages.ensure, [need], {"no-such-tool"})   # an optional tool may be missing
            self.assertFalse(apt.called)
            self.assertIn("not installed", err)

    def test_the_option(self):
        """As a word of any command that may install; and before Python is there, in the shell's lines of ./rcc."""
        os.mkdir(self.path("tools"))
        for words in (["run", "incast", "--no-install"], ["test", "--no-install", "--only=lint"], ["bench", "--no-install"],
                      ["build", "example-incast", "--no-install"]):
            done = self.rcc(*words, PATH=self.path("tools"), RCC_BUILD_DIR=self.path("made"), CXX="")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("missing", done.stderr)
            self.assertIn("cmake", done.stderr)
        shell = {"PATH": self.path("tools"), "RCC_BUILD_DIR": self.path("made")}
        self.put_script("tools/apt-get", 'echo "apt-get $*" >> "$0.said"')
        for words, extra in ((["run", "incast", "--no-install"], {}), (["run", "incast"], {"RCC_NO_INSTALL": "1"})):
            done = subprocess.run(["/bin/sh", os.path.join(ROOT, "rcc"), *words], env={**shell, **extra}, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("python3", done.stderr)
            self.assertFalse(os.path.exists(self.path("tools", "apt-get.said")))


PROJECT = """cmake_minimum_required(VERSION 3.13)
project(small C)
include("{}/cmake/rcc-ccache.cmake")
include_directories(inc)
add_executable(small src/small.c)
"""


@unittest.skipUnless(all(shutil.which(tool) for tool in ("cmake", "ninja", "ccache", "gcc")), "cmake, ninja, ccache or gcc is missing")
class Copies(RccTest):
    def compiled(self, folder, cache):
        """Build a small program of the folder and return its output."""
        for words in (["cmake", "-S", folder, "-B", os.path.join(folder, "build"), "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc",
                       f"-DRCC_CCACHE={cache}"], ["cmake", "--build", os.path.join(folder, "build")]):
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([os.path.join(folder, "build", "small")], check=True, stdout=subprocess.PIPE, text=True).stdout

    def small(self, folder):
        """A project of one program in the folder."""
        for file, text in (("CMakeLists.txt", PROJECT.format(ROOT)), ("inc/small.h", '#define WORD "old"\n'),
                           ("src/small.c", '#include <stdio.h>\n#include "small.h"\nint main(void) { return puts(WORD) < 0; }\n')):
            os.makedirs(os.path.dirname(os.path.join(folder, file)), exist_ok=True)
            with open(os.path.join(folder, file), "w", encoding="utf-8") as f:
                f.write(text)

    def test_no_precompiled_header_of_before(self):
        """gcc would make the next one of it, which no copy has: everything would be compiled again there."""
        old = self.path("plain", "build", "CMakeFiles", "rcc.dir", "cmake_pch.hxx.gch")
        self.small(self.path("plain"))
        for cache, there in (("", True), (self.path("cache"), False), (self.path("cache"), True)):
            os.makedirs(os.path.dirname(old), exist_ok=True)
            with open(old, "w", encoding="utf-8") as f:
                f.write("of before\n")
            self.compiled(self.path("plain"), cache)
            self.assertEqual(os.path.exists(old), there, cache)

    def test_no_precompiled_header_is_made_of_that_of_before(self):
        """After a change too a copy finds it in the cache."""
        first, copy, cache = self.path("plain"), self.path("plain", "build", "copy"), self.path("plain", "build", "cache")
        for word in ("old", "new"):
            made = []
            for folder in (first, copy):
                self.small(folder)
                with open(os.path.join(folder, "CMakeLists.txt"), "a", encoding="utf-8") as f:
                    f.write("target_precompile_headers(small PRIVATE <small.h>)\n")
                with open(os.path.join(folder, "inc", "small.h"), "w", encoding="utf-8") as f:
                    f.write(f'#include <stdio.h>\n#define WORD "{word}"\n')
                self.assertEqual(self.compiled(folder, cache), word + "\n")
                place = os.path.join(folder, "build", "CMakeFiles", "small.dir")
                with open(os.path.join(place, next(name for name in os.listdir(place) if name.endswith(".gch"))), "rb") as f:
                    made.append(f.read())
            self.assertEqual(made[0] == made[1], True, word)

    def test_a_copy_notices_its_own_changes(self):
        """In every path: the objects of the first folder are taken for the copy, and what they depend on is the copy's."""
        for name in ("plain", "with blank", "with#sign"):
            first, copy, cache = self.path(name), self.path(name, "build", "copy"), self.path(name, "build", "cache")
            self.small(first)
            self.small(copy)
            self.assertEqual([self.compiled(first, cache), self.compiled(copy, cache)], ["old\n", "old\n"], name)
            with open(os.path.join(copy, "inc", "small.h"), "w", encoding="utf-8") as f:
                f.write('#define WORD "new"\n')
            self.assertEqual(self.compiled(copy, cache), "new\n", name)


MAINS = """cmake_minimum_required(VERSION 3.10)
project(small CXX)
set(CMAKE_CXX_STANDARD {RCC_CXX_STANDARD})
set(NS3_INCLUDE {NS3_INCLUDE})
set(NS3_core {NS3_core})
add_library(rcc INTERFACE)
target_include_directories(rcc INTERFACE {NS3_INCLUDE})
target_link_libraries(rcc INTERFACE {NS3_core} {NS3_network})
include("{ROOT}/cmake/rcc-mains.cmake")
rcc_own_main(${{CMAKE_SOURCE_DIR}}/my-tcp.cc)
"""
TCP = """#include "parts/more.h"
int main() {
    ns3::ObjectFactory factory;
    factory.SetTypeId("ns3::OnOffApplication"); // by name alone
    ns3::BulkSendHelper sender("ns3::TcpSocketFactory", ns3::Address());
    return factory.Create() ? 0 : 1;
}
"""


@unittest.skipUnless(build.cached(BUILD).get("NS3_core") and shutil.which("cmake"), "no build folder with an ns-3")
class Mains(RccTest):
    def test_ns3_modules_that_a_main_needs(self):
        """A program needs the modules whose headers it includes, also through a file of its own; the module does not need applications."""
        cache = build.cached(BUILD)
        if not os.path.exists(cache["NS3_core"].replace("-core", "-applications")):
            self.skipTest("this ns-3 has no module applications")
        os.mkdir(self.path("parts"))
        for name, text in (("CMakeLists.txt", MAINS.format(ROOT=ROOT, **cache)), ("my-tcp.cc", TCP),
                           ("parts/more.h", '#include "ns3/core-module.h"\n#include <ns3/bulk-send-helper.h>\n')):
            self.put(name, text)
        for words in (["-S", self.scratch, "-B", self.path("made")], ["--build", self.path("made"), "--target", "my-tcp"]):
            done = subprocess.run(["cmake", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(subprocess.run([self.path("made", "my-tcp")], check=False).returncode, 0)
        needed = subprocess.run(["readelf", "-d", self.path("made", "my-tcp")], stdout=subprocess.PIPE, text=True, check=False).stdout
        self.assertIn("applications", needed)
        self.assertNotIn("wifi", needed)

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "include", "ns3")), "not configured")
    def test_the_header_of_a_module(self):
        """ns3/rcc-module.h has every public header of the module, also where no ns-3 tree makes it."""
        with open(os.path.join(BUILD, "include", "ns3", "rcc-module.h"), encoding="utf-8") as f:
            text = f.read()
        with open(os.path.join(ROOT, "cmake", "public-headers.txt"), encoding="utf-8") as f:
            public = [os.path.basename(line) for line in f.read().splitlines() if line and not line.startswith("#")]
        self.assertEqual([line.split("ns3/")[1][:-1] for line in text.splitlines() if line.startswith("#include")], public)
        self.assertEqual(set(public) - set(os.listdir(os.path.join(BUILD, "include", "ns3"))), set())


if __name__ == "__main__":
    unittest.main()
