"""`spielwerk bench solve`: positions a second of each solver, on all cores, into tables that are thrown away."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import Any

from spielwerk import names
from spielwerk.bench.row import Row
from spielwerk.games.registry import game
from spielwerk.solvers.oracle import solver

SOLVED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("nim", {}),
    ("morris", {"up_to": "4-4"}),
    ("morris", {"up_to": "5-5"}),
    ("einstein:board=4", {}),
    ("backgammon", {}),
    ("othello:size=4", {}),
)


def rows() -> Iterator[Row]:
    """The figures, as they are measured; each solver once, its kernels compiled before."""
    for name, settings in SOLVED:
        what = ", ".join([name, *(f"up to {value}" for value in settings.values())])
        _solved(name, {"up_to": "3-3"} if settings else {})
        facts = _solved(name, settings)
        yield Row(what, facts["states"] / facts["seconds"], "states/s")
        yield Row(what, facts["seconds"], "s")


def _solved(name: str, settings: dict[str, Any]) -> dict[str, Any]:
    variant = game(name)
    solve, settings_class = solver(variant)
    before = os.environ.get("SPIELWERK_HOME")
    with tempfile.TemporaryDirectory() as home:
        os.environ["SPIELWERK_HOME"] = home
        try:
            return solve(variant, names.settings(settings_class, "solve", settings), lambda done, total: None)
        finally:
            os.environ.pop("SPIELWERK_HOME")
            if before is not None:
                os.environ["SPIELWERK_HOME"] = before
