"""A folder of observed moves: the published files, or what `spielwerk dataset` has written."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk.data import parsed, read_text
from spielwerk.games.game import Game
from spielwerk.learn.imitation.data import expansion, published
from spielwerk.learn.imitation.data.bad_lines import BadLines
from spielwerk.learn.imitation.data.observed import Observed, joined
from spielwerk.learn.imitation.data.rows import read_rows
from spielwerk.learn.imitation.data.shards import shards
from spielwerk.names import BadInput, unknown

ABOUT = "dataset.json"
PAIRS, STATES = "pairs", "states"  # of moves; and further positions without moves
_ALONE = threading.Lock()  # of several seeds that ask for the same data, one reads it


@dataclass(frozen=True)
class Dataset:
    """What a folder holds, as it is or expanded by symmetries."""

    pairs: Observed
    states: Observed | None
    notes: tuple[str, ...]  # what could not be read


def dataset(folder: str, game: Game, expand: str = expansion.SYMMETRIES) -> Dataset:
    """The moves of a folder; read once, however many ask for them."""
    if expand not in expansion.WAYS:
        raise unknown("There is no expansion", expand, expansion.WAYS, "Expansions")
    if not folder:
        raise BadInput("Imitation learns from observed moves: name their folder, such as data=FOLDER.")
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise BadInput(f"There is no folder {path}.")
    stamp = tuple(sorted((file.name, file.stat().st_mtime_ns) for file in path.iterdir() if file.is_file()))
    with _ALONE:
        return _expanded(path, game, expand, stamp)


@functools.lru_cache(maxsize=2)
def _expanded(path: Path, game: Game, expand: str, stamp: tuple[Any, ...]) -> Dataset:
    pairs, states, notes = _read(path, game, stamp)
    return Dataset(
        expansion.expanded(pairs, expand), expansion.expanded(states, expand) if states is not None else None, notes
    )


@functools.lru_cache(maxsize=2)
def _read(path: Path, game: Game, stamp: tuple[Any, ...]) -> tuple[Observed, Observed | None, tuple[str, ...]]:
    """Pairs, states, and what is wrong with some lines."""
    file, more = _published(path, published.PAIRS), _published(path, published.STATES)
    if file is not None:
        found = [published.read(file, game, True), *([published.read(more, game, False)] if more is not None else [])]
        notes = tuple(said for _, bad in found for said in bad.report())
        return found[0][0], found[1][0] if more is not None else None, notes
    check_game(path, game)
    pairs, notes = _all(path, PAIRS, game)
    if pairs is None:
        raise BadInput(
            f"{path} holds no observed moves: neither {published.PAIRS} nor what `spielwerk dataset` writes."
        )
    states, also = _all(path, STATES, game)
    return pairs, states, (*notes, *also)


def _published(path: Path, name: str) -> Path | None:
    """The published file of this name, compressed or not."""
    return next((file for file in (path / f"{name}.gz", path / name) if file.is_file()), None)


def about(path: Path) -> dict[str, Any] | None:
    """What a folder that `spielwerk dataset` has written says of itself; None where it says nothing."""
    file = path / ABOUT
    if not file.is_file():
        return None
    try:
        found = parsed(read_text(file))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise BadInput(f"{file} is damaged.")
    return found


def check_game(path: Path, game: Game) -> None:
    """Refuses moves of another game."""
    said = (about(path) or {}).get("game", game.name)
    if said != game.name:
        raise BadInput(f"{path} holds moves of {said}, not of {game.name}.")


def _all(path: Path, what: str, game: Game) -> tuple[Observed | None, tuple[str, ...]]:
    """All shards together."""
    found: list[tuple[Observed, BadLines]] = [read_rows(file, game, what == PAIRS) for file in shards(path, what)]
    if not found:
        return None, ()
    some = [one for one, _ in found if len(one)] or [found[0][0]]  # a shard may have brought nothing new
    return joined(some), tuple(said for _, bad in found for said in bad.report())
