"""Review: what each turn of a game cost, what the dice gave, and how well each player chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from spielwerk.arena.figures import percent
from spielwerk.arena.result import Result, Rows

BEST, GOOD, SMALL, MISTAKE, BLUNDER = "best", "good", "inaccurate", "mistake", "blunder"
MISSED_WIN, LOSING_BLUNDER = "missed win", "losing blunder"
FORCED, UNKNOWN = "forced", "unknown"
WELL = (BEST, GOOD)
BAD = (MISTAKE, BLUNDER, MISSED_WIN, LOSING_BLUNDER)
HEADS = (">turn", "player", "roll", "move", ">value", ">regret", "verdict", "better", ">luck")


@dataclass(frozen=True)
class ReviewedTurn:
    """One turn and what a judge says of it; values are scores as the player who moved sees them."""

    number: int  # from 1
    player: int
    roll: str | None
    move: str
    by: str  # the judge
    value: float | None  # of the best turn
    regret: float | None  # what the turn cost; None where the judge does not value it
    error: float | None  # of the regret: what is less may be noise; 0 where the judge is exact
    verdict: str
    better: str  # the best turn, where the one that was played is worse for certain
    luck: float | None  # what the roll gave, above what rolls give on average; None where nothing was rolled


@dataclass(frozen=True)
class PlayerReview:
    """How one player chose, and what the dice gave."""

    player: int
    name: str  # of who sat there
    decisions: int  # turns with something to choose
    regret: float  # of all decisions
    accuracy: float | None  # the share of the decisions that cost next to nothing, as far as the judge can tell
    mistakes: int
    blunders: int  # that are neither of the next two
    missed_wins: int
    losing_blunders: int
    luck: float | None


@dataclass(frozen=True)
class Review(Result):
    """A game, turn by turn."""

    game: str
    agents: tuple[str, ...]
    scores: tuple[float, ...] | None  # None: the game was left before its end
    player_names: tuple[str, ...]
    turns: tuple[ReviewedTurn, ...]
    players: tuple[PlayerReview, ...]

    @property
    def judges(self) -> tuple[str, ...]:
        """Who has judged."""
        return tuple(dict.fromkeys(turn.by for turn in self.turns if turn.by))

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        facts = {"game": self.game, "agents": self.agents, "scores": self.scores, "judges": self.judges}
        parts = {"turns": self.turns, "players": self.players}
        return facts | {name: [asdict(one) for one in part] for name, part in parts.items()}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each turn; columns that stay empty are left out."""
        rows = [self._row(turn) for turn in self.turns]
        filled = [place for place in range(len(HEADS)) if any(row[place] for row in rows)]
        return [HEADS[place] for place in filled], [[row[place] for place in filled] for row in rows]

    def summary(self) -> tuple[Sequence[str], Rows]:
        """A row for each player."""
        heads = (
            "player",
            "who",
            ">decisions",
            ">accuracy",
            ">regret",
            ">mistakes",
            ">blunders",
            ">missed wins",
            ">losing",
            ">luck",
        )
        return heads, [self._summary(one) for one in self.players]

    def plot(self) -> Any:
        """The value over the game."""
        from spielwerk.arena.reviewing.review_plot import review_figure

        return review_figure(self)

    def _row(self, turn: ReviewedTurn) -> list[str]:
        value = "" if turn.value is None else f"{turn.value:+.3f}"
        regret = f"{turn.regret:.3f}" if turn.regret else ""
        luck = "" if turn.luck is None else f"{turn.luck:+.3f}"
        verdict = "" if turn.verdict in (*WELL, FORCED) else turn.verdict
        name = self.player_names[turn.player]
        return [str(turn.number), name, turn.roll or "", turn.move, value, regret, verdict, turn.better, luck]

    def _summary(self, one: PlayerReview) -> list[str]:
        accuracy = "" if one.accuracy is None else percent(one.accuracy)
        luck = "" if one.luck is None else f"{one.luck:+.3f}"
        counts = map(str, (one.mistakes, one.blunders, one.missed_wins, one.losing_blunders))
        row = [self.player_names[one.player], one.name, str(one.decisions), accuracy, f"{one.regret:.3f}"]
        return [*row, *counts, luck]
