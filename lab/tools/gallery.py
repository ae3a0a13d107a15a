# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The pictures of lab/doc/gallery.md, made again: python3 lab/tools/gallery.py [NAME...]. Each is a figure that the command below it
writes, made smaller. Takes some minutes; a test compares the commands with what the page says."""
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "lab", "doc", "images")
WIDTH, OF_TALL = 900, 640     # pixels; of figures of several panels
COLOURS = 64    # a plot needs no more: half of them its most frequent ones, as they are, so that thin lines keep their hues

# file in doc/images: (command, figure that it writes)
PICTURES = {
    "incast.png": ("./rcc run incast", "queue.png"),
    "clos.png": ("./rcc run clos", "queue.png"),
    "slowdown.png": ("./rcc run workload --time=0.2s", "slowdown.png"),
    "fan-in.png": ("./rcc reproduce ib-fig6", "ib-fig6.png"),
    "fixed-point.png": ("./rcc reproduce eod-fp", "eod-fp.png"),
    "sweep.png": ("./rcc sweep incast --cc=dcqcn,dcqcn-plus --flows=8,80,480,2000 --metric=queue.p99_bytes",
                  "sweep-queue.p99_bytes.png"),
    "convergence.png": ("./rcc run convergence --time=0.6s", "flow_rates.png"),
}

SHRINK = """
import sys
import numpy as np
from PIL import Image
picture = Image.open(sys.argv[1]).convert("RGB")
width = int(sys.argv[3 if picture.height < 2 * picture.width else 5])
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
small.save(sys.argv[2], optimize=True)
"""


def main(names: list) -> int:
    sys.path.insert(0, os.path.join(ROOT, "lab"))
    from command.system import packages  # matplotlib brings Pillow
    python = packages.plotting_python()
    if not python:
        sys.exit("matplotlib is missing (./rcc doctor)")
    os.makedirs(FOLDER, exist_ok=True)
    for name, (command, figure) in PICTURES.items():
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([*shlex.split(command), f"--out={out}"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
            target = os.path.join(FOLDER, name)
            subprocess.run([python, "-c", SHRINK, os.path.join(out, figure), target, str(WIDTH), str(COLOURS), str(OF_TALL)], check=True)
        print(f"{target}: {os.path.getsize(target)} bytes, {command}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
