"""Trained agents that come with the package: one file for each variant, made by `spielwerk runs export`."""

from __future__ import annotations

import re
from pathlib import Path

from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint, read
from spielwerk.names import BadInput

FOLDER = Path(__file__).parent
SUFFIX = ".safetensors"


def file_for(kind: str, game: str) -> Path:
    """Where the agent for a variant lies, such as td-einstein-board4.safetensors."""
    return FOLDER / f"{kind}-{re.sub('[^A-Za-z0-9.]+', '-', game.replace('=', ''))}{SUFFIX}"


def shipped_network(kind: str, game: Game) -> Path | None:
    """The ONNX file of a kind that comes with the package for exactly this variant, if there is one."""
    path = file_for(kind, game.name).with_suffix(".onnx")
    return path if path.exists() else None


def shipped(kind: str, game: Game) -> Checkpoint:
    """The agent of a kind that comes with the package for exactly this variant."""
    path = file_for(kind, game.name)
    if path.exists():
        return read(path)
    there = "; ".join(one.metadata["game"] for one in all_shipped(kind)) or "nothing yet"
    raise BadInput(
        f"No {kind} agent for {game.name} comes with the package, only for: {there}. "
        f"To train one and play with it: spielwerk train {kind} {game.name} --name NAME, then {kind}:NAME."
    )


def all_shipped(kind: str = "*") -> list[Checkpoint]:
    """All agents that come with the package, perhaps of one kind only."""
    return [read(path) for path in sorted(FOLDER.glob(f"{kind}-*{SUFFIX}"))]
