"""Portions: what is left of a match, cut into parts of about so many seconds each."""

from __future__ import annotations


class Portions:
    """Cuts what is to be played into parts of about so many seconds, the first of `size` games."""

    def __init__(self, missing: list[range], most: int, seconds: float, size: int = 1) -> None:
        self.missing = [games for games in missing if games]
        self.size, self.most, self.seconds = size, most, seconds

    def learn(self, games: float, seconds: float) -> None:
        """From how long games took; the first parts grow step by step, since they may have compiled something."""
        fitting = int(games * self.seconds / max(seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * self.size, self.most))

    def next(self, most: int | None = None) -> tuple[int, int]:
        """The first game and the number of games of the next part, or of one of `most` games."""
        size = self.size if most is None else most
        games = self.missing.pop(0)
        if len(games) > size:
            self.missing.insert(0, games[size:])
            games = games[:size]
        return games[0], len(games)

    @property
    def left(self) -> int:
        """How many games nobody plays yet."""
        return sum(map(len, self.missing))
