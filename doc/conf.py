# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""Sphinx: the manual on its own, as `./rcc manual` builds it. In an ns-3 tree doc/rcc.rst is a chapter of ns-3's manual."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "lab"))

from command.common import version as rcc_version  # noqa: E402
from command.reference import manual_tables  # noqa: E402

project = "rcc"
copyright = "the authors of rcc, GPL-2.0-only"  # pylint: disable=redefined-builtin
version = release = rcc_version()
extensions = []
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {"description": "RDMA congestion control for ns-3", "page_width": "1200px", "sidebar_width": "230px",
                      "fixed_sidebar": True}
html_sidebars = {"**": ["about.html", "globaltoc.html", "searchbox.html"]}
html_show_sourcelink = False
# no font, script or picture from elsewhere: the manual is read offline
html_css_files = ["rcc.css"]
html_static_path = ["static"]
latex_documents = [("index", "rcc.tex", "rcc: RDMA congestion control for ns-3", "", "manual")]


def append_tables(_app, name, source):
    """The page of parameters is what the programs say of themselves: RCC_MANUAL_DATA is what ./rcc manual asked them."""
    if name != "parameters":
        return
    try:
        with open(os.environ["RCC_MANUAL_DATA"], encoding="utf-8") as f:
            data = json.load(f)
    except (KeyError, OSError, ValueError):
        source[0] += "\nThey are not in this copy of the manual: ``./rcc manual`` builds one that has them.\n"
        return
    source[0] += manual_tables.page(data)


def setup(app):
    app.connect("source-read", append_tables)
