"""What `spielwerk info` tells: versions, devices, folders, the cache."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import spielwerk
from spielwerk import folders

PACKAGES = ("numpy", "numba", "numba-cuda", "open_spiel")


def facts() -> dict[str, Any]:
    """All of it, by name."""
    from spielwerk.games.game import default_target
    from spielwerk.kernel.cache import folder

    kernels = list(folder().glob("*.nbc"))
    return {
        "spielwerk": spielwerk.__version__,
        "python": platform.python_version(),
        **{package: _version(package) for package in PACKAGES},
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "gpu": _gpu(),
        "target": {"cpu": "cpu", "python": "python (SPIELWERK_DEBUG)"}[default_target()],
        "home": str(folders.home()),
        "cache": str(folders.cache()),
        "kernels": len(kernels),
        "kernel_bytes": sum(path.stat().st_size for path in kernels),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _gpu() -> str:
    try:
        from spielwerk.kernel import cuda
    except ImportError:
        return "none (numba-cuda is not installed)"
    if cuda.simulated():
        return "simulated (NUMBA_ENABLE_CUDASIM)"
    return cuda.device_name() if cuda.available() else "none"
