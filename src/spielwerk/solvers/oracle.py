"""Oracle: what is known for certain about a game, or about a part of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from spielwerk import names
from spielwerk.games.game import Game
from spielwerk.games.parts import check_settings, named, part
from spielwerk.games.position import Position
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch

SolveProgress = Callable[[int, int], None]  # called with how much is done, and of how much
Solve = Callable[[Game, Any, SolveProgress], dict[str, Any]]  # the facts it found


@dataclass(frozen=True)
class Truth:
    """A position under perfect play of both sides.

    `value` is the score that the player to act (before a roll: who rolls) can expect. `distance` is the number of turns
    to the end where both sides choose by it (who wins, soon; who loses, late); None for draws and where chance decides.
    With more than two sides, `scores` is what each player can expect.
    """

    value: float
    distance: int | None = None
    scores: tuple[float, ...] | None = None


class Oracle:
    """Knows the truth about positions of one game; where it does not know, it says so by None."""

    Settings: ClassVar[type]  # what `spielwerk solve` and the agent can choose, such as the size of tables
    complete: bool = False  # whether it knows every position

    def __init__(self, game: Game, settings: Any = None) -> None:
        self.game = game
        self.settings = settings

    def truth(self, position: Position) -> Truth | None:
        """The truth about a position that is not over, before a roll or after it; None if it is not known."""
        raise NotImplementedError

    def truths(self, positions: Sequence[Position], threads: int = 1) -> list[Truth | None]:
        """The truth about many positions, on several threads if the oracle can; similar ones should be neighbours."""
        return [self.truth(position) for position in positions]

    def endings(self, batch: Batch) -> np.ndarray | None:
        """What player 0 can expect on each board, NaN where that is not known: [n]; None if it cannot say at once.

        Only of boards on which nothing but winning and losing is left, in games of two sides.
        """
        return None

    def ready(self) -> None:
        """Reads or computes what it needs; BadInput where that cannot be."""

    @property
    def needs(self) -> str:
        """The command that has to come first where it knows nothing at all yet; "" otherwise."""
        return ""

    def rate_against_random(self) -> float | None:
        """How often perfect play beats the random mover, with balanced seats; None where the oracle cannot say."""
        return None

    def limits(self) -> str:
        """What it knows, in words: "every position", or "positions with at most 4 stones"."""
        raise NotImplementedError


def truth_after(oracle: Oracle, end: Position, player: int) -> Truth | None:
    """The truth about the end of a turn as `player`, who took it, sees it: the turn itself counts for the distance."""
    teams = oracle.game.constants["TEAM"]
    if end.scores is not None:
        return Truth(end.scores[player], 1 if end.scores[player] else None)
    found = oracle.truth(end)
    if found is None:
        return None
    if found.scores is not None:
        return Truth(found.scores[player], None, found.scores)
    acting = end.roller if end.chance else end.mover
    value = found.value if teams[acting] == teams[player] else -found.value
    return Truth(value, None if found.distance is None else found.distance + 1)


def better_truth(a: Truth | None, b: Truth | None) -> Truth | None:
    """The one that the player would choose: more value, and then a sooner win or a later loss; None if one is open."""
    return None if a is None or b is None else max(a, b, key=preference)


def preference(truth: Truth) -> tuple[float, float]:
    """The higher, the better for the player who acts."""
    distance = truth.distance or 0
    return truth.value, -distance if truth.value > 0 else distance


def oracle(game: Game, **settings: Any) -> Oracle:
    """The oracle of a game: its own, or the general one."""
    cls = oracle_class(game)
    return cls(game, names.settings(cls.Settings, "oracle", settings))


def oracle_class(game: Game) -> type[Oracle]:
    """What the oracle of a game is, which may still refuse this variant."""
    cls, where = named(game.kind, "oracle", game.oracle), f'The oracle of "{game.kind}", {game.oracle},'
    if not (isinstance(cls, type) and issubclass(cls, Oracle)):
        raise BadInput(f"{where} is not a subclass of spielwerk.solvers.oracle.Oracle.")
    if not hasattr(cls, "Settings"):
        raise BadInput(f'{where} does not define "Settings".')
    check_settings(where, cls.Settings)
    return cls


def no_progress(done: int, total: int) -> None:
    """A callback that does nothing."""


def solver(game: Game) -> tuple[Solve, type]:
    """What solves a game, `solve(game, settings, callback)`, and the settings that it takes."""
    own, settings = (part(game.kind, "solver", game.solver, name) for name in ("solve", "Settings"))
    where = f'The solver of "{game.kind}", {game.solver},'
    check_settings(where, settings)

    def solve(game: Game, settings: Any, callback: SolveProgress) -> dict[str, Any]:
        began = time.perf_counter()
        facts = own(game, settings, callback)
        if not isinstance(facts, dict):
            raise BadInput(f"{where} returns {type(facts).__name__}, not a dictionary of facts.")
        return {"game": game.name, **facts, "seconds": facts.get("seconds", time.perf_counter() - began)}

    return solve, settings
