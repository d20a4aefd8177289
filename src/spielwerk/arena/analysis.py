"""What an agent thinks of a position: its value, and what it thinks of each move."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Judged:
    """One move as an agent sees it; what the agent does not know is None."""

    move: str
    value: float | None = None  # the score that the mover expects
    visits: int | None = None  # of a tree search
    probability: float | None = None  # that the agent plays it
    score: float | None = None  # where the agent ranks moves without expecting anything: the higher the better

    def facts(self) -> dict[str, Any]:
        """What is printed of it; few agents have a score."""
        return {key: one for key, one in asdict(self).items() if key != "score" or one is not None}


@dataclass(frozen=True)
class Analysis:
    """A position as an agent sees it, the best move first."""

    position: str
    value: float | None  # the score that the mover expects
    moves: tuple[Judged, ...]
    note: str = ""  # what else a reader should know, in a sentence

    def facts(self) -> dict[str, Any]:
        """What `--json` and the engine protocol print."""
        facts = {"position": self.position, "value": self.value, "moves": [move.facts() for move in self.moves]}
        return facts | ({"note": self.note} if self.note else {})
