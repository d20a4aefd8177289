"""Examination: what a cascade decides in many positions, against what was observed there and against the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.move_parts.listing import Moves, broken_rules, legal_moves, parts_of, phases
from spielwerk.learn.imitation.data.observed import Best, Observed
from spielwerk.learn.imitation.legality import marks, of_slot
from spielwerk.learn.imitation.measures.accuracy import MANY
from spielwerk.learn.imitation.measures.cascade import decided
from spielwerk.learn.imitation.measures.reliability import LEVELS, counted, precisions
from spielwerk.learn.imitation.networks.network import ImitationNetwork
from spielwerk.learn.imitation.slots import MOVE
from spielwerk.learn.imitation.tensors import bits_of

PIECE, SMALL_PIECE = 1 << 16, 1 << 10  # positions that are looked at together, few of whole moves
ILLEGAL = "illegal"  # where the game does not tell rules apart


@dataclass
class Examined:
    """Sums over positions; `facts` are shares of them."""

    game: Game
    names: tuple[str, ...]  # of the slots
    positions: int = 0
    legal: int = 0
    alone: np.ndarray = field(default_factory=lambda: np.zeros(0))  # [parts]: the part occurs in a legal move
    after: np.ndarray = field(default_factory=lambda: np.zeros(0))  # [slots]: legal after the slots before it
    rules: dict[str, int] = field(default_factory=dict)  # illegal moves by the first rule that they break
    phases: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))  # [phases, 2]: positions, right ones
    right: int | None = None  # whole moves as observed; None where there are no moves
    best: int | None = None  # whole moves among the best ones, where those are known
    precision: np.ndarray = field(default_factory=lambda: np.zeros((0, LEVELS)))  # [slots, levels]: sums
    judged: np.ndarray = field(default_factory=lambda: np.zeros(0))  # [slots]: positions behind these sums

    def facts(self) -> dict[str, Any]:
        """Shares, as JSON holds them."""
        parts, n = self.game.move_parts, max(self.positions, 1)
        found: dict[str, Any] = {
            "positions": self.positions,
            "legality": self.legal / n,
            "legality_of_parts": dict(zip(parts.names, (self.alone / n).tolist(), strict=True)),
            "legality_after": dict(zip(self.names, (self.after / n).tolist(), strict=True)),
            "broken": self.rules,
            "reliability": {
                name: {
                    "positions": int(self.judged[i]),
                    "precision": (self.precision[i] / max(self.judged[i], 1)).tolist(),
                }
                for i, name in enumerate(self.names)
            },
        }
        if self.right is not None:
            names = parts.phases or ("all",)
            shares = {names[i]: right / all_ for i, (all_, right) in enumerate(self.phases.tolist()) if all_}
            counts = {names[i]: int(all_) for i, (all_, _) in enumerate(self.phases.tolist()) if all_}
            found |= {"accuracy": self.right / n, "accuracy_by_phase": shares, "positions_by_phase": counts}
        return found | ({} if self.best is None else {"best": self.best / n})


def examine(
    network: ImitationNetwork,
    given: Observed,
    device: str,
    threads: int = 1,
    callback: Callable[[float], None] = lambda share: None,
) -> Examined:
    """Lets the networks decide in all positions; `callback` receives the share that is done."""
    slots, parts = network.slots, given.game.move_parts
    found = Examined(given.game, slots.names)
    found.alone, found.after = np.zeros(len(parts.sizes)), np.zeros(len(slots.sizes))
    found.phases = np.zeros((max(len(parts.phases), 1), 2))
    found.precision, found.judged = np.zeros((len(slots.sizes), LEVELS)), np.zeros(len(slots.sizes))
    found.right = None if given.played is None else 0
    found.best = None if given.best is None else 0
    piece = SMALL_PIECE if max(slots.sizes) >= MANY else PIECE
    for first in range(0, len(given), piece):
        _look(network, given.rows(np.arange(first, min(first + piece, len(given)))), device, threads, found)
        callback(min(1.0, (first + piece) / len(given)))
    return found


def _look(network: ImitationNetwork, given: Observed, device: str, threads: int, found: Examined) -> None:
    """Some positions."""
    slots, batch = network.slots, Batch(given.game, given.states, threads=threads)
    listed = legal_moves(batch)
    with torch.no_grad():
        values, logits = decided(network, torch.from_numpy(bits_of(given.game, given.states)).to(device))
    own = values.cpu().numpy()
    moves, legal = slots.moves(own), marks(listed, slots, own)
    good = _listed(listed, moves)
    found.positions += len(own)
    found.legal += int(good.sum())
    found.alone += _alone(listed, moves)
    for slot in range(len(slots.sizes)):
        may = of_slot(legal, slots, slot)
        found.after[slot] += may[np.arange(len(own)), own[:, slot]].sum()
        _rely(found, slot, logits[slot], torch.from_numpy(np.ascontiguousarray(may)).to(device))
    _blame(found, batch, moves, ~good)
    if given.played is not None:
        _compare(found, batch, moves, given.parts(), given.best)


def _listed(listed: Moves, moves: np.ndarray) -> np.ndarray:
    """Whether the move of each position is among its legal ones; [positions]."""
    found = np.zeros(len(moves), bool)
    found[listed.owners[(listed.parts == moves[listed.owners]).all(axis=1)]] = True
    return found


def _alone(listed: Moves, moves: np.ndarray) -> np.ndarray:
    """How often each part of a move occurs in any legal move of its position; [parts]."""
    found = np.zeros(moves.shape, bool)
    for part in range(moves.shape[1]):
        same = listed.parts[:, part] == moves[listed.owners, part]
        found[listed.owners[same], part] = True
    return found.sum(axis=0)


def _rely(found: Examined, slot: int, logits: torch.Tensor, legal: torch.Tensor) -> None:
    """Adds the precision of a slot; a part that may be none is left out where that comes first."""
    parts, name = found.game.move_parts, found.names[slot]
    none = None if name == MOVE or name in parts.always else logits.shape[1] - 1
    some = counted(logits, legal, none)
    if bool(some.any()):
        found.precision[slot] += precisions(logits[some], legal[some]).double().sum(0).cpu().numpy()
        found.judged[slot] += int(some.sum())


def _blame(found: Examined, batch: Batch, moves: np.ndarray, illegal: np.ndarray) -> None:
    """Counts illegal moves by the rule that they break."""
    chosen = np.flatnonzero(illegal)
    if not len(chosen):
        return
    parts = found.game.move_parts
    if parts.broken is None:
        found.rules[ILLEGAL] = found.rules.get(ILLEGAL, 0) + len(chosen)
        return
    broken = broken_rules(Batch(batch.game, batch.states[chosen]), np.ascontiguousarray(moves[chosen]))
    for rule, count in zip(*np.unique(broken, return_counts=True), strict=True):
        found.rules[parts.rules[rule]] = found.rules.get(parts.rules[rule], 0) + int(count)


def _compare(found: Examined, batch: Batch, moves: np.ndarray, wanted: np.ndarray, best: Best | None) -> None:
    """Counts moves that are those observed, by phase, and those among the best."""
    right, now = (moves == wanted).all(axis=1), phases(batch)
    found.right = (found.right or 0) + int(right.sum())
    np.add.at(found.phases, now, np.stack([np.ones(len(right)), right], axis=1))
    if best is not None:
        parts = parts_of(Batch(batch.game, batch.states[best.owners]), best.played)
        same = (parts == moves[best.owners]).all(axis=1)
        found.best = (found.best or 0) + len(np.unique(best.owners[same]))
