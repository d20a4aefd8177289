"""Trained agents that come with the package: one file for each variant, made by `spielwerk runs export`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint, read
from spielwerk.learn.kind import ONNX, SAFETENSORS
from spielwerk.learn.onnx.model import metadata_of
from spielwerk.names import BadInput

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ShippedAgent:
    """A file, and what it says of itself."""

    path: Path
    metadata: Mapping[str, str]


def file_for(kind: str, game: str, suffix: str = SAFETENSORS) -> Path:
    """Where the agent for a variant lies, such as td-einstein-board4.safetensors."""
    return FOLDER / f"{kind}-{re.sub('[^A-Za-z0-9.]+', '-', game.replace('=', ''))}{suffix}"


def shipped_network(kind: str, game: Game) -> Path | None:
    """The ONNX file of a kind that comes with the package for this variant, however results are scored; or None."""
    paths = [file_for(kind, name, ONNX) for name in (game.name, game.unscored)]
    return next((path for path in paths if path.exists()), None)


def shipped_file(kind: str, game: Game) -> Path:
    """The same; BadInput where there is none."""
    path = shipped_network(kind, game)
    if path is None:
        raise _not_shipped(kind, game)
    return path


def shipped(kind: str, game: Game) -> Checkpoint:
    """The agent of a kind that comes with the package for exactly this variant."""
    path = file_for(kind, game.name)
    if path.exists():
        return read(path)
    raise _not_shipped(kind, game)


def _not_shipped(kind: str, game: Game) -> BadInput:
    there = "; ".join(one.metadata["game"] for one in all_shipped(kind))
    others = f", only for: {there}" if there else ""
    return BadInput(
        f"No {kind} agent for {game.name} comes with the package{others}. "
        f"To train one and play with it: spielwerk train {kind} {game.name} --name NAME, then {kind}:NAME."
    )


def all_shipped(kind: str = "*") -> list[ShippedAgent]:
    """All agents that come with the package, perhaps of one kind only."""
    paths = sorted(path for suffix in (ONNX, SAFETENSORS) for path in FOLDER.glob(f"{kind}-*{suffix}"))
    return [ShippedAgent(path, metadata_of(path) if path.suffix == ONNX else read(path).metadata) for path in paths]
