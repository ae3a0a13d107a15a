# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The committed pictures, made again: python3 lab/tools/gallery.py [NAME...]. Each is a figure that a command writes, made smaller;
lab/doc/gallery.md and the pages that show them name the commands. Takes half an hour. A test compares the numbers of each picture with a
run of its command."""
import os
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDTH, OF_TALL = 900, 600     # pixels; of figures of several panels below one another
COLOURS = 64    # a plot needs no more: half of them its most frequent ones, as they are, so that thin lines keep their hues


class Picture(NamedTuple):
    """A committed picture: the command, the figure that it writes, and the options in place of the command's with which a run of few
    seconds has the same numbers in titles and legend."""
    command: str
    figure: str
    shorter: str = ""

    def words(self) -> list:
        """Return the words of the shorter run."""
        own = shlex.split(self.shorter)
        names = [word.split("=")[0] for word in own]
        return [word for word in shlex.split(self.command) if word.split("=")[0] not in names] + own


SIZES = ("./rcc sweep workload --topology=fat-tree --rate=100Gbps --delay=1us --sizes=web-search,fb-hadoop --load=0.3,0.5,0.7 --time=300us "
         "--drain=20ms --seed=1-10 --cc=dcqcn,dcqcn-plus,timely,dctcp,hpcc:simulator,powertcp,theta-powertcp,swift,nscc,barre")
PICTURES = {
    "lab/doc/images/incast.png": Picture("./rcc run incast", "queue.png"),
    "lab/doc/images/clos.png": Picture("./rcc run clos", "queue.png", "--time=1ms"),
    "lab/doc/images/slowdown.png": Picture("./rcc run workload --topology=fat-tree --rate=100Gbps --load=0.5 --time=1ms "
                                           "--cc=dcqcn:hpcc,hpcc:simulator --kmin=400KB --kmax=1600KB --pmax=0.2", "slowdown.png"),
    "lab/doc/images/fan-in.png": Picture("./rcc reproduce ib-fig6", "ib-fig6.png"),
    "lab/doc/images/fixed-point.png": Picture("./rcc reproduce eod-fp", "eod-fp.png"),
    "lab/doc/images/convergence.png": Picture("./rcc run convergence --time=0.6s", "flow_rates.png"),
    "lab/evidence/doc/images/equilibrium.png": Picture("python3 lab/evidence/studies/equilibrium_figure.py", "equilibrium.png",
                                                           "--time=1ms"),
    **{f"lab/doc/images/slowdown-{load}.png": Picture(SIZES, f"sweep-slowdown-by-size-0.{load // 10}.png",
                                                 "--sizes=web-search --cc=dcqcn --seed=1 --time=20us --drain=1ms")
       for load in (30, 50, 70)},
}

SHRINK = """
import sys
import numpy as np
from PIL import Image, PngImagePlugin
figure = Image.open(sys.argv[1])
told = PngImagePlugin.PngInfo()
told.add_text("Description", figure.text["Description"])
picture = figure.convert("RGB")
width = int(sys.argv[3 if picture.height < 2 * picture.width else 5])
width = picture.width if picture.width > 2 * picture.height else width      # small letters stay as they are
picture = picture.resize((width, round(picture.height * width / picture.width)), Image.LANCZOS)
count = int(sys.argv[4])
kept = []
for _, colour in sorted(picture.getcolors(picture.width * picture.height), reverse=True):
    if all(max(abs(a - b) for a, b in zip(colour, other)) > 8 for other in kept):
        kept.append(colour)
    if len(kept) == count // 2:
        break
others = picture.quantize(count - len(kept), method=Image.FASTOCTREE, dither=Image.NONE).getpalette()[:3 * (count - len(kept))]
palette = np.concatenate([np.array(kept), np.array(others).reshape(-1, 3)])
colours, where = np.unique(np.asarray(picture).reshape(-1, 3), axis=0, return_inverse=True)
nearest = np.array([((palette - colour) ** 2).sum(axis=1).argmin() for colour in colours.astype(int)], dtype=np.uint8)
small = Image.fromarray(nearest[where.reshape(picture.height, picture.width)], "P")     # Pillow's own choice is not the nearest one
small.putpalette(palette.astype(np.uint8).tobytes())
small.save(sys.argv[2], optimize=True, pnginfo=told)
"""


def group_by_command(names: list) -> dict:
    """Return {command: {path of a picture: the picture}} of the pictures that are named, or of all."""
    found: dict = {}
    for path, picture in PICTURES.items():
        if not names or os.path.basename(path) in names:
            found.setdefault(picture.command, {})[path] = picture
    return found


def main(names: list) -> int:
    sys.path.insert(0, os.path.join(ROOT, "lab"))
    from command.system import packages  # matplotlib brings Pillow
    python = packages.plotting_python()
    if not python:
        sys.exit("matplotlib is missing (./rcc doctor)")
    for command, pictures in group_by_command(names).items():
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([*shlex.split(command), f"--out={out}"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            for path, picture in pictures.items():
                target = os.path.join(ROOT, path)
                sizes = [str(WIDTH), str(COLOURS), str(OF_TALL)]
                subprocess.run([python, "-c", SHRINK, os.path.join(out, picture.figure), target, *sizes], check=True)
                print(f"{target}: {os.path.getsize(target)} bytes, {command}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
