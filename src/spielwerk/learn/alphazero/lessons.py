"""Lessons: positions with what the network should say of them, made of moves and kept for some windows."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import torch
from torch import Tensor

from spielwerk.games.rules import OVER
from spielwerk.learn.alphazero.selfplay import Moves
from spielwerk.learn.neural.heads import Head


class Lessons(NamedTuple):
    """Positions, their values as who acts next sees them, and the policies of some, one after the other."""

    states: Tensor  # [n, WORDS]
    wanted: Tensor  # [n, outputs]
    counts: Tensor  # [n]: actions of the policy; 0 where there is none to learn
    actions: Tensor  # [m]
    shares: Tensor  # [m]

    def of(self, rows: Tensor) -> Lessons:
        """Some of them."""
        offsets, counts = self.counts.cumsum(0) - self.counts, self.counts[rows]
        first = torch.repeat_interleave(offsets[rows] - (counts.cumsum(0) - counts), counts)
        places = first + torch.arange(len(first), device=first.device)
        return Lessons(self.states[rows], self.wanted[rows], counts, self.actions[places], self.shares[places])


def joined(parts: list[Lessons]) -> Lessons:
    """All of them."""
    return parts[0] if len(parts) == 1 else Lessons(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


def futures(moves: list[Moves], lam: float) -> list[Tensor]:
    """What the positions after all moves but the last are worth by what followed: [n, outputs] by seat each."""
    found: list[Tensor] = []
    for now, following in zip(reversed(moves[:-1]), reversed(moves[1:]), strict=True):
        future = following.kept
        if found:
            future = (1 - lam) * future + lam * before(following, found[-1])
        found.append(torch.where((now.actors == OVER)[:, None], now.results, future))
    return found[::-1]


def before(move: Moves, future: Tensor) -> Tensor:
    """What the positions before a move are worth: what it leads to, or what the search says if the move was random."""
    return torch.where(move.wandered[:, None], move.kept, future)


def lessons_of(moves: list[Moves], head: Head, lam: float) -> Lessons:
    """Of all moves but the last: the positions before them, and those after them in which a roll is due."""
    parts = list[Lessons]()
    for move, future in zip(moves[:-1], futures(moves, lam), strict=True):
        wanted = head.seen(before(move, future), move.movers)
        parts.append(Lessons(move.states, wanted, move.counts, move.actions, move.shares))
        rows = move.rolling.nonzero()[:, 0]
        if len(rows):
            after = head.seen(future[rows], move.actors[rows])
            parts.append(Lessons(move.after[rows], after, move.counts.new_zeros(len(rows)), *_nothing(move)))
    return joined(parts)


def _nothing(move: Moves) -> tuple[Tensor, Tensor]:
    return move.actions[:0], move.shares[:0]


class Replay:
    """The lessons of the last windows."""

    def __init__(self, windows: int) -> None:
        self.kept: deque[Lessons] = deque(maxlen=windows)

    def add(self, lessons: Lessons) -> None:
        """One window more; the oldest goes."""
        self.kept.append(lessons)

    def all(self) -> Lessons:
        """Those of all windows."""
        return joined(list(self.kept))
