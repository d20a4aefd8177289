"""Where Spielwerk keeps its files: `SPIELWERK_HOME` for data, `SPIELWERK_CACHE` for compiled code."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from spielwerk.names import BadInput


def home() -> Path:
    """Runs, tables and the arena's store."""
    return _chosen("SPIELWERK_HOME", ("XDG_DATA_HOME", ".local/share"), "Application Support")


def cache() -> Path:
    """Compiled kernels; deleting it costs only time."""
    return _chosen("SPIELWERK_CACHE", ("XDG_CACHE_HOME", ".cache"), "Caches")


def made(folder: Path) -> Path:
    """The folder, which is made where it does not exist; BadInput where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = (problem.strerror or "").lower()
        raise BadInput(f"The folder {folder} cannot be created: {reason}; set SPIELWERK_HOME to another one.") from None
    return folder


def left_by_nobody(pid: str) -> bool:
    """Whether the process that a file is named after is no more; False where the system does not say."""
    return pid.isdecimal() and Path("/proc/self").exists() and not Path(f"/proc/{pid}").exists()


def _chosen(own: str, xdg: tuple[str, str], mac: str) -> Path:
    try:
        return _found(own, xdg, mac)
    except RuntimeError:  # Python says it so of a user, or a home, that there is not
        raise BadInput(f"The folder {os.environ.get(own) or '~'} does not exist; set {own} to another one.") from None


def _found(own: str, xdg: tuple[str, str], mac: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own]).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / mac / "spielwerk"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home()))) / "spielwerk" / xdg[1].strip(".")
    return Path(os.environ.get(xdg[0]) or Path.home() / xdg[1]) / "spielwerk"
