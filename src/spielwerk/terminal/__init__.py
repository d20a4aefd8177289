"""What a terminal shows of a position, and while one waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from spielwerk.games.position import Position, listed

LISTED = 40
PATIENCE = 1.0  # seconds that nobody minds
CHANGED = "bold reverse"


def described(position: Position) -> str:
    """A position for people: the board, whose turn it is, what can be played, and the text."""
    return "\n".join([position.board(), "", status(position), str(position)])


def status(position: Position) -> str:
    """Whose turn it is and what can be played, or how the game ended."""
    names = position.game.player_names
    if position.scores:
        best = max(position.scores)
        winners = [name for name, score in zip(names, position.scores, strict=True) if score == best]
        scores = ", ".join(f"{name} {score:+g}" for name, score in zip(names, position.scores, strict=True))
        draw = len(set(position.scores)) == 1
        return f"A draw ({scores})." if draw else f"{' and '.join(winners)} won ({scores})."
    if position.chance:
        return f"{names[position.roller]} rolls: {', '.join(position.rolls())}"
    return f"{names[position.mover]} to move: {listed(position.moves(), LISTED)}"


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Says at the terminal what one waits for, once it takes longer than a moment."""
    status = Console(stderr=True).status(what)
    later = threading.Timer(PATIENCE, status.start)
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()
        status.stop()


def marked(board: str, before: str) -> Text:
    """A board in which everything that differs from the one before stands out: the last move, in any game."""
    text, old = Text(), before.split("\n")
    for number, line in enumerate(board.split("\n")):
        other = old[number] if number < len(old) else ""
        for place, letter in enumerate(line):
            new = letter != (other[place] if place < len(other) else " ")
            text.append(letter, CHANGED if new and letter != " " and len(old) > 1 else "")
        text.append("\n")
    text.rstrip()
    return text
