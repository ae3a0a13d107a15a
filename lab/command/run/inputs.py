# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
"""The hashes of the files that a run was given by name. They go into its results, as a file may change later."""
from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from typing import Dict, Optional

from .. import below

EXPERIMENT = "experiment.json"
OF_FILES = ("faults", "arrivals")   # keys of an experiment that may name a file, the second one before its load
OPTIONS = ("config", "topology", "flows", "choices", "faults")    # options of ./rcc ns3-rdma
KEYS = {"TOPOLOGY_FILE": "topology", "FLOW_FILE": "flows", "TCP_FLOW_FILE": "tcp-flows", "TRACE_FILE": "trace"}   # keys of its config
OUTPUTS = ("_OUTPUT_FILE", "_MON_FILE")    # Keys of its config that end so name files which are written.
CHUNK = 1 << 20


def of_words(words: list) -> dict:
    """Hash the files of ./rcc ns3-rdma and those that its config names, before it runs: {option: {"name", "sha256"}}."""
    paths: Dict[str, str] = {}
    for word in words:
        name, _, path = word[2:].partition("=")
        if name in OPTIONS:
            paths[name] = path
    return _hashes({**_named(paths["config"]), **paths} if "config" in paths else {})


def chosen(words: list) -> list:
    """List the names that the config of ./rcc ns3-rdma may give to files of a run; [] without a config."""
    found = _text(next((word.partition("=")[2] for word in words if word.startswith("--config=")), "")).split()
    return [os.path.basename(path) for key, path in zip(found, found[1:]) if key.upper().endswith(OUTPUTS)]


def of_experiment(place: str, begun: float) -> dict:
    """Hash the files that a run's experiment.json names, except one that has changed since the run has begun."""
    experiment = below.read_json(*below.split_run(os.path.join(place, EXPERIMENT)))
    paths = {key: _path_of(key, experiment.get(key)) for key in OF_FILES}
    return _hashes({key: path for key, path in paths.items() if path}, begun)


def _path_of(key: str, value: object) -> str:
    """Return the file that a key of an experiment names, "" for none: they have whole paths there."""
    text = value.rpartition(":")[0] if isinstance(value, str) and key == "arrivals" else value
    return text if isinstance(text, str) and text.startswith("/") else ""


def noted(run: dict, found: dict) -> dict:
    """Return the run with its files, if there are any."""
    return {**run, "inputs": found} if found else run


def _named(config: str) -> dict:
    """Return the files that a config names: at their paths, or beside the config."""
    found: Dict[str, str] = {}
    beside = os.path.dirname(config)
    lines = [line.split() for line in _text(config).splitlines()]
    for key, path in (line[:2] for line in lines if len(line) > 1 and line[0] in KEYS):
        places = (path, os.path.join(beside, path), os.path.join(beside, os.path.basename(path)))
        found[KEYS[key]] = next(filter(os.path.isfile, places), path)
    return found


def _text(config: str) -> str:
    """Read a config; "" if it is no regular file."""
    with contextlib.suppress(OSError):
        if os.path.isfile(config):
            with open(config, encoding="utf-8-sig", errors="surrogateescape") as f:
                return f.read()
    return ""


def _hashes(paths: dict, begun: Optional[float] = None) -> dict:
    return {key: {"name": os.path.basename(path), "sha256": digest} for key, path in paths.items()
            for digest in [_hash(path, begun)] if digest}


def _hash(path: str, begun: Optional[float]) -> str:
    """Hash a file; "" if it is no regular file, or has changed since `begun`."""
    with contextlib.suppress(OSError):
        found = os.stat(path)
        if stat.S_ISREG(found.st_mode) and (begun is None or max(found.st_mtime, found.st_ctime) < begun):
            digest = hashlib.sha256()
            with open(path, "rb") as f:
                for part in iter(lambda: f.read(CHUNK), b""):
                    digest.update(part)
            return digest.hexdigest()
    return ""
