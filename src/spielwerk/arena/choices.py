"""Choices: what an agent chose that does not know the rules, and how much of it was not legal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Choices:
    """How many moves were chosen, and how many of them broke the rules and had to be replaced."""

    made: int = 0
    illegal: int = 0

    def add(self, made: int, illegal: int) -> None:
        """More of them."""
        self.made += made
        self.illegal += illegal

    def since(self, before: Choices) -> Choices:
        """What came after an earlier count."""
        return Choices(self.made - before.made, self.illegal - before.illegal)

    @property
    def share(self) -> float:
        """The share of illegal ones."""
        return self.illegal / self.made if self.made else 0.0
