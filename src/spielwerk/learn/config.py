"""RunConfig: everything that is needed to make a training run again, and the TOML that it is written in."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk import names
from spielwerk.data import cleaned, is_whole, parsed_toml, read_text
from spielwerk.learn.registry import length_name, settings_of
from spielwerk.names import BadInput, choice, printable, setting

if TYPE_CHECKING:
    from spielwerk.games.game import Game

MOST_SEED = 2**31 - 1
MOST_SEEDS = 1000
MOST_GAMES = 10_000_000
MOST_KEPT = 1000
MOST_EPISODES = 10**15  # the digits that names of earlier checkpoints have
MOST_CONFIG = 1_000_000  # bytes
FIXED, RANDOM, MIXED = "fixed", "random", "mixed"
ABOUT = ("kind", "game", "seeds", "keep", "version", "started", "extended")  # what the table `run` of a file may say
DEFAULT_SAVE = 60.0  # seconds between checkpoints, besides those at evaluations
TIMES = 10  # evaluations of a run, unless something else is said
EARLY = 3  # more of them before the first of those


@dataclass(frozen=True)
class OwnGames:
    """What an opponent's name may say besides the agent's own settings."""

    games: int = setting(1000, "games against this opponent", 1, MOST_GAMES)


@dataclass(frozen=True)
class EvaluationConfig:
    """How a learner is measured while it learns."""

    opponents: tuple[str, ...] = setting(("random",), "agents, such as random and mc:iterations=100,games=50")
    games: int = setting(1000, "games against each opponent without games=…", 1, MOST_GAMES)
    every: int = setting(0, "episodes, or generations, between two evaluations; 0: a tenth of all", 0)
    early: int = setting(
        EARLY, "extra evaluations before the first, each after half as long, and one before training; 0: none", 0, 30
    )
    starts: str = setting(FIXED, "fixed: the game's start; random:N: positions after N random turns")
    seating: str = choice("teams", MIXED, help="with more than two players: whole teams, or one seat")
    grade: str = choice(
        "auto",
        "yes",
        "no",
        help="grade by the oracle; auto: if it knows every position, or there is a public set of judged positions",
    )
    decisions: int = setting(500, "decisions that the oracle grades", 1, 1_000_000)
    seed: int = setting(1, "seed of the games and decisions", 0, MOST_SEED)

    def __post_init__(self) -> None:
        found = [opponent for opponent, _ in self.matches()]
        if len(set(found)) < len(found):
            raise BadInput(f"evaluation: an opponent is named twice: {', '.join(found)}.")
        if not re.fullmatch(rf"{FIXED}|{RANDOM}:\d{{1,6}}", self.starts):
            raise BadInput(f'evaluation: starts cannot be "{self.starts}"; possible: {FIXED}, {RANDOM}:N.')

    def check(self, game: Game, length: int, counted: str) -> None:
        """Refuses what says nothing in a training of this game and of this length, such as 1000 "episodes"."""
        if self.seating == MIXED and game.players == 2:
            raise BadInput(f"evaluation: seating={MIXED} is for games of more than two players, not for {game.name}.")
        if self.every > length:
            raise BadInput(f"evaluation: every={self.every:,} is more than the whole training of {length:,} {counted}.")

    def matches(self) -> list[tuple[str, int]]:
        """Each opponent and the number of games against it."""
        found = []
        for text in self.opponents:
            kind, values = names.split(text)
            own = {"games": values.pop("games")} if "games" in values else {"games": self.games}
            found.append((names.join(kind, values), names.settings(OwnGames, kind, own).games))
        return found

    @property
    def opening(self) -> int:
        """How many random turns games begin with."""
        return int(self.starts.partition(":")[2] or 0)

    def due(self, episode: int, ends: Sequence[int]) -> bool:
        """Whether there is an evaluation after `episode` of a training with these `ends` (see `RunConfig`)."""
        return episode == self.next(episode - 1, ends) if episode else self.early > 0

    def next(self, episode: int, ends: Sequence[int]) -> int:
        """The first episode after this one that is followed by an evaluation."""
        every = self.every or -(-ends[0] // TIMES)
        points = [(episode // every + 1) * every, *(every >> times for times in range(1, self.early + 1)), *ends]
        return min(min(point for point in points if point > episode), ends[-1])


@dataclass(frozen=True)
class RunConfig:
    """What a run is made from. `settings` are the learner's, all of them, as its TOML file writes them."""

    kind: str
    game: str
    settings: dict[str, Any]
    seeds: tuple[int, ...]
    evaluation: EvaluationConfig
    version: str
    started: str  # ISO time, UTC
    keep: int = 0  # earlier checkpoints
    extended: tuple[int, ...] = ()  # to which lengths it was extended, one after the other

    @property
    def counted(self) -> str:
        """What the training is counted in, such as "episodes"."""
        return length_name(self.kind)

    @property
    def planned(self) -> int:
        """The length that the learner's schedules are planned for; what follows it is learned at their final rates."""
        return self.settings[self.counted]

    @property
    def ends(self) -> tuple[int, ...]:
        """The planned length, and each to which the training was extended."""
        return self.planned, *self.extended

    @property
    def episodes(self) -> int:
        """The length of the training, in whatever it is counted."""
        return self.ends[-1]

    @property
    def kept_at(self) -> list[int]:
        """After how many episodes a checkpoint is kept besides the last one: evenly spread over the training.

        They are known before it begins, so that a resumed run keeps the same, none is ever deleted again, and what they
        take on the disk is known as well. An extension goes on at the same intervals.
        """
        count = -(-self.episodes * (self.keep + 1) // self.planned) if self.keep else 0
        points = {self.planned * number // (self.keep + 1) for number in range(1, count)}
        return sorted(point for point in points if 0 < point < self.episodes)

    def longer(self, length: int) -> RunConfig:
        """The same with more to learn, until `length`; BadInput where that is not more, or more than is possible."""
        if length <= self.episodes:
            raise BadInput(f"The run has {self.episodes:,} {self.counted} already; give a larger number.")
        settings_of(self.kind, {**self.settings, self.counted: length})
        return replace(self, extended=(*self.extended, length))

    def toml(self) -> str:
        """The file `run.toml`, which can also be given as --settings."""
        about = {"kind": self.kind, "game": self.game, "seeds": self.seeds}
        about |= {"keep": self.keep, "version": self.version, "started": self.started}
        about |= {"extended": self.extended} if self.extended else {}
        tables = {"evaluation": asdict(self.evaluation), "run": about}
        return "\n".join([_lines(self.settings), *(f"[{name}]\n{_lines(table)}" for name, table in tables.items())])


def read_config(path: Path) -> RunConfig:
    """The config that `toml` wrote; BadInput where the file is not one."""
    values = read_toml(path)
    try:
        about, evaluation = cleaned(values.pop("run")), cleaned(values.pop("evaluation"))
        values = {printable(key): value for key, value in values.items()}  # texts are settings, and stay as they are
        about |= {"seeds": seeds_of(_seeds(about)), "keep": keep_of(about.get("keep", 0))}
        about |= {"extended": tuple(about.get("extended", []))}
        config = RunConfig(settings=values, evaluation=evaluation_of(evaluation), **about)
        texts = (config.kind, config.game, config.version, config.started)
        ends = config.ends
        if not all(isinstance(text, str) for text in texts) or not all(is_whole(end, 1, MOST_EPISODES) for end in ends):
            raise TypeError
        if list(ends) != sorted(set(ends)):
            raise TypeError
    except (KeyError, TypeError, AttributeError):
        raise BadInput(f"{path} does not describe a training run.") from None
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None
    return config


def _seeds(about: Mapping[str, Any]) -> list[int]:
    """The seeds in a config, which lists them."""
    if not isinstance(about["seeds"], list) or not all(is_whole(seed, 0, MOST_SEED) for seed in about["seeds"]):
        raise TypeError
    return about["seeds"]


def read_toml(path: Path) -> dict[str, Any]:
    """A file of settings: the learner's at its top, and perhaps the tables `evaluation` and `run`."""
    try:
        return parsed_toml(read_text(path, MOST_CONFIG))
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text.") from None
    except ValueError as problem:
        raise BadInput(f"{path} is not TOML: {problem}.") from None


def evaluation_of(values: Mapping[str, Any]) -> EvaluationConfig:
    """The evaluation that a table writes, checked as far as that can be done without a game."""
    opponents = values.get("opponents", EvaluationConfig().opponents)
    if not isinstance(opponents, list | tuple) or not opponents or not all(isinstance(one, str) for one in opponents):
        raise BadInput('evaluation: opponents must be a list of agents, such as ["random", "mc:games=100"].')
    return names.settings(EvaluationConfig, "evaluation", {**values, "opponents": tuple(opponents)})


def seeds_of(given: Any) -> tuple[int, ...]:
    """The seeds that are meant: 1-5 are five, 1,2,7, or a list of them, are these three; 5 alone is the first five."""
    text = "".join(f"{one}," for one in given) if isinstance(given, list | tuple) else str(given)
    part = r"\s*[0-9]{1,20}\s*(-\s*[0-9]{1,20}\s*)?"
    if not re.fullmatch(rf"{part}(,{part})*,?\s*", text):
        raise BadInput(f'Seeds cannot be "{text[:40]}"; write which, such as 1-5 or 1,2,7, or how many, such as 5.')
    parts = [[int(number) for number in one.split("-")] for one in text.split(",") if one.strip()]
    if not re.search("[,-]", text):
        parts = [[1, *parts[0]]]
    seeds = [seed for one in parts for seed in range(one[0], min(one[-1], one[0] + MOST_SEEDS) + 1)]
    if not 1 <= len(seeds) <= MOST_SEEDS or len(set(seeds)) < len(seeds) or max(seeds) > MOST_SEED:
        raise BadInput(f"Seeds are 1 to {MOST_SEEDS} different numbers up to {MOST_SEED}, not {text}.")
    return tuple(seeds)


def seed_of(given: Any) -> tuple[int, ...]:
    """The one seed that is meant."""
    if isinstance(given, bool) or not str(given).isdecimal() or int(given) > MOST_SEED:
        raise BadInput(f"A seed is a number from 0 to {MOST_SEED}, not {given}; several are --seeds 1-5.")
    return (int(given),)


def extended_of(given: Any, planned: int) -> tuple[int, ...]:
    """The lengths to which a training was extended, which must grow."""
    found = given if isinstance(given, list | tuple) else None
    if found is None or not all(type(one) is int for one in found):
        raise BadInput("extended must be a list of lengths, such as [200000].")
    if any(after <= before for before, after in itertools.pairwise((planned, *found))):
        raise BadInput(f"extended must increase from more than {planned}, unlike {', '.join(map(str, found))}.")
    return tuple(found)


def keep_of(given: Any) -> int:
    """How many earlier checkpoints are meant."""
    if not re.fullmatch("[0-9]{1,9}", str(given)) or int(given) > MOST_KEPT:
        raise BadInput(f"The number of earlier checkpoints to keep must be 0 to {MOST_KEPT}, not {given}.")
    return int(given)


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
