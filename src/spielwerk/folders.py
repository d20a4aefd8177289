"""Where Spielwerk keeps its files: `SPIELWERK_HOME` for data, `SPIELWERK_CACHE` for compiled code."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def home() -> Path:
    """Runs, tables and the arena's store."""
    return _chosen("SPIELWERK_HOME", ("XDG_DATA_HOME", ".local/share"), "Application Support")


def cache() -> Path:
    """Compiled kernels; deleting it costs only time."""
    return _chosen("SPIELWERK_CACHE", ("XDG_CACHE_HOME", ".cache"), "Caches")


def _chosen(own: str, xdg: tuple[str, str], mac: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own]).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / mac / "spielwerk"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "spielwerk" / xdg[1].strip(".")
    return Path(os.environ.get(xdg[0]) or Path.home() / xdg[1]) / "spielwerk"
