# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The committed pictures are today's: each has the command of its page and the numbers that a run of it shows now."""
import os
import re
import struct
import subprocess
import sys
import unittest

from support import ROOT, RccTest, needs_programs

sys.path.insert(0, os.path.join(ROOT, "lab", "tools"))
import gallery  # noqa: E402  (the path comes first)
from command.system import install, packages  # noqa: E402

PAGES = ("README.md", "lab/doc/gallery.md", "lab/doc/workload.md", "lab/evidence/doc/identification.md")


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def read_description(path: str) -> list:
    """Return the lines of text that a PNG says it shows."""
    with open(os.path.join(ROOT, path), "rb") as f:
        data = f.read()
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        key, _, text = data[at + 8:at + 8 + length].partition(b"\0")
        if key == b"Description" and kind in (b"tEXt", b"iTXt"):    # The second kind has four empty fields first.
            return (text.decode("latin-1") if kind == b"tEXt" else text[4:].decode("utf-8")).splitlines()
        at += 12 + length
    return []


def find_foot(lines: list) -> str:
    """Return the line that names the command, "" without one."""
    return next((line for line in lines if " | rcc " in line), "")


def read_texts(path: str) -> list:
    """Return the lines of a picture without that of its command."""
    lines = read_description(path)
    return [line for line in lines if line != find_foot(lines)]


def list_numbers(lines: list) -> list:
    """Return the numbers of each line that has any."""
    return [found for found in (re.findall(r"\d[\d.]*", line) for line in lines) if found]


class Pages(unittest.TestCase):
    def test_every_picture_has_its_command(self):
        """Every committed picture is one of gallery.py, and a page shows it and names its command; so does the picture itself."""
        pictures = sorted(path for path in install.files() if path.endswith(".png"))
        self.assertEqual(pictures, sorted(gallery.PICTURES))
        self.assertLess(sum(os.path.getsize(os.path.join(ROOT, path)) for path in pictures), 600_000)
        for path, picture in gallery.PICTURES.items():
            page = next(page for page in PAGES[1:] if f"({os.path.relpath(path, os.path.dirname(page))})" in read(page))
            joined = re.sub(r"\s*\\\n\s*", " ", read(page))
            if page.endswith("gallery.md"):     # below the picture
                joined = joined[joined.index(f"({os.path.relpath(path, 'lab/doc')})"):].splitlines()[1]
            self.assertIn(picture.command, joined, path)
            told = find_foot(read_description(path))
            self.assertTrue(not told and picture.command.startswith("python3 ") or f"{picture.command} | rcc " in told, f"{path}: {told}")

    def test_front_page(self):
        """README.md shows one picture, and its command."""
        text, shown = read("README.md"), ["lab/doc/images/slowdown.png"]
        self.assertEqual(re.findall(r"!\[[^]]*\]\((.*?)\)", text), shown)
        self.assertIn(f"\n    {gallery.PICTURES[shown[0]].command}\n", re.sub(r"\\\n\s*", "", text))


@needs_programs
@unittest.skipUnless(packages.plotting_python(), "matplotlib is not installed")
class Numbers(RccTest):
    def test_letters_of_any_script(self):
        """The text of a PNG has letters of any script; a byte of a file's name that is no letter is a question mark."""
        draw = ("import os, sys; from command.results.draw import sheet; figure = sheet.Sheet().figure; "
                "figure.text(0, 0, 'Kmax 5 KB\\n\u03b1 1'); figure.legend(figure.add_subplot().plot([1]), ['a\\udc80b']); "
                "sheet.set_style(); sheet.save(figure, *os.path.split(sys.argv[1]), 'png')")
        path = self.path("a.png")
        subprocess.run([packages.plotting_python(), "-W", "ignore", "-c", draw, path], cwd=os.path.join(ROOT, "lab"), check=True)
        self.assertEqual(read_description(path), ["Kmax 5 KB \u03b1 1", "a?b"])

    def test_pictures_are_of_today(self):
        """A run of each picture's command shows the text that the committed picture has. A shorter run may differ in words, as it has
        not settled; each of its numbers is in the picture."""
        for at, pictures in enumerate(gallery.group_by_command([]).values()):
            words = next(iter(pictures.values())).words()
            done = subprocess.run([*words, f"--out={self.path(str(at))}"], cwd=ROOT, text=True, env=self.environment(),
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            for path, picture in pictures.items():
                with self.subTest(path, again="python3 lab/tools/gallery.py " + os.path.basename(path)):
                    committed, fresh = read_texts(path), read_texts(self.path(str(at), picture.figure))
                    self.assertTrue(list_numbers(fresh) or not picture.shorter)
                    if picture.shorter:
                        self.assertEqual([found for found in list_numbers(fresh) if found not in list_numbers(committed)], [])
                    else:
                        self.assertEqual(committed, fresh)


if __name__ == "__main__":
    unittest.main()
