"""The ladder: the players that are compared, from the weakest to the strongest."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spielwerk import names
from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent
from spielwerk.games.registry import game
from spielwerk.learn import checkpoint
from spielwerk.learn.evolution.champion_files import trained
from spielwerk.learn.evolution.player import EvolutionPlayer
from spielwerk.studies.job import Job, JobProgress
from spielwerk.studies.nim.settings import BACKGAMMON
from spielwerk.studies.nim.training import learn, made
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import folder

GAME = "backgammon:scoring=full"
EVOLVED, GNUBG = "evolved", "gnubg"
GENERATIONS = (300, 10)  # of the evolved player, full and quick
GENERATION = 1.3  # seconds
BREEDING = threading.Lock()  # jobs that need the evolved player wait for the one that breeds it


@dataclass(frozen=True)
class Rung:
    """A player: its title, and what it is written as."""

    title: str
    player: str
    decision: float  # seconds, about
    quick: bool = True  # whether the quick form asks it too
    before: float = 0.0  # seconds until it is ready

    @property
    def installed(self) -> bool:
        """Whether it can play here."""
        return not self.player.startswith(GNUBG) or importlib.util.find_spec(GNUBG) is not None

    @property
    def one_game(self) -> float:
        """Seconds for its side of a game."""
        return DECISIONS * self.decision


DECISIONS = 27  # of one side in a game, about
RANDOM = Rung("random", "random", 0.0001)
PUBEVAL = Rung("pubeval", "pubeval", 0.0002)
TD = Rung("td", "td", 0.001)
TD_2 = Rung("td, depth 2", "td:depth=2,candidates=8", 0.04)
TD_3 = Rung("td, depth 3", "td:depth=3,candidates=3", 1.3, quick=False)
GNU_0 = Rung("GNU 0-ply", "gnubg:plies=0", 0.003)
GNU_1 = Rung("GNU 1-ply", "gnubg:plies=1", 0.04)
GNU_2 = Rung("GNU 2-ply", "gnubg:plies=2", 0.5)


def evolved(form: Form) -> Rung:
    """The evolved player of a form."""
    generations, seed = GENERATIONS[form.quick], form.seeds(1)[0]
    player = f"{EVOLVED}:generations={generations},seed={seed}"
    return Rung("evolved", player, 0.0005, before=GENERATION * generations)


def all_rungs(form: Form) -> list[Rung]:
    """Every rung of a form, in order."""
    whole = [RANDOM, evolved(form), PUBEVAL, TD, TD_2, TD_3, GNU_0, GNU_1, GNU_2]
    return [rung for rung in whole if rung.quick or not form.quick]


def portions(count: int, size: int) -> list[dict[str, int]]:
    """So many decisions in parts, each for a job of its own."""
    return [{"first": first, "last": min(first + size, count)} for first in range(0, count, size)]


def asking(work: str, rung: Rung, given: Mapping[str, Any], count: int, size: int) -> list[Job]:
    """The jobs that ask a rung so many decisions, the first of which gets the rung ready."""
    found = []
    for part in portions(count, size):
        seconds = 3 + (part["last"] - part["first"]) * rung.decision + (0.0 if part["first"] else rung.before)
        found.append(Job(work, {"player": rung.player, **given, **part}, seconds))
    return found


def rungs(form: Form) -> list[Rung]:
    """Those that can play here."""
    return [rung for rung in all_rungs(form) if rung.installed]


def left_out(form: Form) -> list[str]:
    """A sentence about those that cannot, where there are any."""
    absent = [rung.title for rung in all_rungs(form) if not rung.installed]
    said = "the package gnubg is not installed (pip install 'spielwerk[peers]')"
    return [f"Left out, since {said}: {', '.join(absent)}."] if absent else []


def player_of(text: str, callback: JobProgress) -> Agent:
    """The agent of a rung, ready to play; the evolved one is bred where nobody has done it yet."""
    kind, values = names.split(text)
    found = (
        _evolved(int(values["generations"]), int(values["seed"]), callback) if kind == EVOLVED else agent(text, GAME)
    )
    found.ready()
    return found


def _evolved(generations: int, seed: int, callback: JobProgress) -> Agent:
    path = folder() / "agents" / f"backgammon-evolved-{generations}-{seed}.safetensors"
    with BREEDING:
        if not path.exists():
            _breed(path, generations, seed, callback)
    return EvolutionPlayer(game(GAME), *trained(game(GAME), str(path)))


def _breed(path: Path, generations: int, seed: int, callback: JobProgress) -> None:
    """Evolves a player as the study of nim does, and keeps its champion."""
    learner = made({"game": GAME, "settings": BACKGAMMON | {"generations": generations}, "seed": seed})
    learn(learner, lambda share: callback(0.0))
    path.parent.mkdir(parents=True, exist_ok=True)
    checkpoint.write(path, learner.weights(), learner.metadata())
