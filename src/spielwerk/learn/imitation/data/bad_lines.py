"""BadLines: what cannot be read of a file, line by line; a file with more bad lines than good ones is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from spielwerk.arena.figures import counted
from spielwerk.names import BadInput, printable

SHOWN = 10  # lines that are named
LONGEST = 60  # letters of a line that are quoted


@dataclass
class BadLines:
    """The bad lines of one file."""

    path: Path
    found: list[tuple[int, str]] = field(default_factory=list)  # number, from 1, and what is wrong
    good: int = 0

    def add(self, number: int, reason: str) -> None:
        """One more."""
        self.found.append((number, reason))

    def check(self) -> None:
        """Refuses a file that holds something else."""
        if len(self.found) > self.good:
            number, reason = self.found[0]
            raise BadInput(
                f"{self.path} has {counted(len(self.found), 'bad line')} and only {self.good:,} good ones; "
                f"the first of them, line {number}: {reason}"
            )

    def report(self) -> list[str]:
        """A sentence for each of the first bad lines, then how many there are."""
        if not self.found:
            return []
        said = [f"{self.path}, line {number}: {reason}" for number, reason in self.found[:SHOWN]]
        return [*said, f"{self.path}: {counted(len(self.found), 'bad line')} skipped, {self.good:,} read."]


def quoted(line: str) -> str:
    """A line for people, cut where it is too long."""
    return printable(line if len(line) <= LONGEST else f"{line[:LONGEST]}…")
