"""Where observed moves come from: the published files, or games that a teacher plays for the study."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spielwerk.agents.registry import agent
from spielwerk.games.registry import game as game_of
from spielwerk.learn.imitation.data.folder import PAIRS, dataset
from spielwerk.learn.imitation.data.generator import Generator
from spielwerk.learn.imitation.data.labelling import label
from spielwerk.learn.imitation.data.plan import DatasetPlan
from spielwerk.learn.imitation.data.shards import shards
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import oracle
from spielwerk.studies.results import folder

VARIABLE = "SPIELWERK_REFS"
PUBLISHED = "published"


def published_folder() -> Path:
    """The folder of the published files, which nobody may copy; BadInput where it is not named."""
    named = os.environ.get(VARIABLE, "")
    found = Path(named).expanduser() / "nnmm"
    if not named or not found.is_dir():
        raise BadInput(
            f"This study reads the published games of the NNMM paper: set {VARIABLE} to a folder in which nnmm/ holds "
            "DATASET.complete.txt.gz and STATES.complete.txt.gz."
        )
    return found


def data_of(source: Mapping[str, Any]) -> Path:
    """The folder of a job's moves: published, played by a teacher, or labelled by the oracle; made where it is not."""
    if source["from"] == PUBLISHED:
        return published_folder()
    return _labelled(source) if source["from"] == "oracle" else _played(source)


def _played(source: Mapping[str, Any]) -> Path:
    """Games of a teacher; what was played before is not played again."""
    given = {name: value for name, value in source.items() if name != "from"}
    plan = DatasetPlan(**{**given, "opponents": tuple(given.get("opponents", ("self",)))})
    told = (plan.game, plan.teacher, plan.games, plan.starts, plan.random, plan.states, plan.opening, plan.seed)
    where = folder() / "data" / _plain("-".join(map(str, told)))
    generator = Generator(plan, where, agent)
    generator.begin()
    generator.go(lambda *_: None, lambda *_: None)
    return where


def _plain(name: str) -> str:
    """A name for a folder."""
    return "".join(letter if letter.isalnum() else "-" for letter in name)


def _labelled(source: Mapping[str, Any]) -> Path:
    """The same positions with the best moves of the oracle; of morris they need tables of all sectors."""
    game, base = game_of(source["game"]), source["of"]
    name = game.name if base["from"] == PUBLISHED else data_of(base).name
    where = folder() / "data" / f"oracle-{_plain(name)}"
    known = oracle(game)
    if game.kind == "morris" and known.limits() != "every position" and not shards(where, PAIRS):
        raise BadInput(
            "The oracle's moves are not here. On a machine with a GPU: spielwerk solve morris, then spielwerk dataset "
            f"morris --teacher oracle --label FOLDER --out {where}"
        )
    if game.kind != "morris" or known.limits() == "every position":
        known.ready()
        label(dataset(str(data_of(base)), game, "none").pairs, known, where, "jsonl", lambda *_: None)
    return where
