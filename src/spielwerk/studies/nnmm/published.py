"""Reads the published figures."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Any


@functools.cache
def published() -> dict[str, Any]:
    """Everything that the source prints, by table."""
    return tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))
