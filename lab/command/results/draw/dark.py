# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Makes a finished figure one on dark ground: greys are turned round, and colours become as light as they must to be seen."""
from __future__ import annotations

import colorsys

from matplotlib import collections, colors, lines, patches, text
from matplotlib.cm import viridis

GROUND, INK = (0x1d / 255, 0x21 / 255, 0x25 / 255), (0xe6 / 255, 0xe9 / 255, 0xec / 255)  # card and text of report.html, dark
CONTRAST = 4.5      # of a coloured line against the ground
GREY = 0.06         # spread of the channels up to which a colour is a grey
# of those that would come close to another colour
OWN = {"#882255": "#b79cff", "#cc3399": "#f04fd8", "#aa3377": "#ffb3e6", "#777777": "#777c81", "#4d4d4d": "#a1a5aa"}
# Flows are ordered by lightness, which ends where nothing is seen on dark ground: there their scale begins.
SCALE = {colors.to_hex(viridis(i)): i for i in range(viridis.N)}
FIRST = 110


def luminance(rgb: tuple) -> float:
    """Relative luminance of sRGB, as WCAG 2 defines it."""
    part = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]


def contrast(a: tuple, b: tuple) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def counterpart(colour) -> tuple:
    """The colour that stands for `colour` (anything that matplotlib knows as one) on dark ground, as RGBA."""
    *rgb, alpha = colors.to_rgba(colour)
    own = OWN.get(colors.to_hex(rgb))
    if own:
        return (*colors.to_rgb(own), alpha)
    at = SCALE.get(colors.to_hex(rgb))
    if at is not None:
        return (*viridis(FIRST + round(at * (viridis.N - 1 - FIRST) / (viridis.N - 1)))[:3], alpha)
    if max(rgb) - min(rgb) < GREY:
        share = 1 - sum(rgb) / 3
        return (*(g + (i - g) * share for g, i in zip(GROUND, INK)), alpha)
    hue, light, saturation = colorsys.rgb_to_hls(*rgb)
    while contrast(tuple(rgb), GROUND) < CONTRAST and light < 1:
        light = min(1.0, light + 0.02)
        rgb = list(colorsys.hls_to_rgb(hue, light, saturation))
    return (*rgb, alpha)


def recolour(figure) -> None:
    """Change every colour of a figure that has been drawn: ticks are made when they are."""
    for artist in figure.findobj():
        if isinstance(artist, lines.Line2D):
            parts = ("color", "markerfacecolor", "markeredgecolor")
            # read before any is changed: those of marks follow that of the line
            for part, found in [(part, getattr(artist, "get_" + part)()) for part in parts]:
                _set(artist, part, found)
        elif isinstance(artist, text.Text):
            _change(artist, "color")
            ground = artist.get_bbox_patch()    # which findobj() does not find
            if ground:
                _change(ground, "facecolor")
        elif isinstance(artist, patches.Patch):
            for part in ("facecolor", "edgecolor"):
                _change(artist, part)
        elif isinstance(artist, collections.Collection):
            for part in ("facecolor", "edgecolor"):
                found = getattr(artist, "get_" + part)()
                getattr(artist, "set_" + part)([counterpart(one) for one in found])


def _change(artist, part: str) -> None:
    _set(artist, part, getattr(artist, "get_" + part)())


def _set(artist, part: str, found) -> None:
    seen = found.lower() not in ("none", "auto") if isinstance(found, str) else colors.to_rgba(found)[3] > 0
    if seen:    # an opacity of the artist's own would show what has none
        getattr(artist, "set_" + part)(counterpart(found))
