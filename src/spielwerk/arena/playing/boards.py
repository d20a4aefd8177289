"""Boards: many games in progress at once, as arrays, with a trace of every action and roll."""

from __future__ import annotations

import copy

import numpy as np

from spielwerk.arena.playing import kernels as playing
from spielwerk.arena.playing.step_kernels import play_rows, wait_rows
from spielwerk.games.batch_rows import start_rows
from spielwerk.games.chance import random_outcome
from spielwerk.games.game import Game
from spielwerk.games.position import Position
from spielwerk.games.rules import CHANCE
from spielwerk.names import BadInput

CAPACITY = 64  # actions and rolls that a trace holds at first
ONE_TURN = 256  # actions of one player in a row, and the rolls before them
BY_BOARD = ("seats", "dice", "rngs", "states", "stopped", "trace", "lengths")  # arrays with a row for each board


class Boards:
    """Games in progress. Agents are numbers here; `seats[i, player]` is the agent that plays on board `i`."""

    def __init__(
        self, game: Game, seats: np.ndarray, dice: np.ndarray, rngs: np.ndarray, most: int, keep: bool = True
    ) -> None:
        n = len(seats)
        self.game = game
        self.seats = seats  # [n, players]
        self.dice = dice  # [n, 1]: the streams of set-ups and rolls
        self.rngs = rngs  # [n, 1]: the streams of agents
        self.most = most  # actions and rolls after which a game is cut
        self.states = np.zeros((n, game.constants["WORDS"]), np.int64)
        self.stopped = np.zeros(n, np.int64)  # 1: cut or forfeited
        self.trace = np.zeros((n, min(CAPACITY, most) if keep else 0), np.int32)  # empty if nothing is to be kept
        self.capacity = np.array([self.trace.shape[1] if keep else most])  # actions and rolls before `grow` is due
        self.lengths = np.zeros(n, np.int64)
        self.faults: dict[int, tuple[int, str]] = {}  # board → the player who forfeited, and why
        game.rows(start_rows)(n, self.states, dice)

    def __len__(self) -> int:
        return len(self.states)

    @property
    def arrays(self) -> playing.BoardArrays:
        """What the compiled agents' kernel works on."""
        games = (self.states, self.dice, self.rngs, self.seats)
        return playing.BoardArrays(*games, self.stopped, self.trace, self.lengths, self.capacity)

    def position(self, i: int) -> Position:
        """Where board `i` stands."""
        return Position(self.game, self.states[i])

    def waits_for(self, i: int, me: int) -> bool:
        """Whether agent `me` is to act on board `i`, after the rolls that are due."""
        while (who := self._mover(i)) == CHANCE and not self._full(i):
            out, weights = np.zeros((2, self.game.constants["MOST_OUTCOMES"]), np.int64)
            self._apply(i, "roll", self.game.kernel(random_outcome)(self.states[i], self.dice[i], out, weights))
        return who >= 0 and self.seats[i, who] == me and not self._full(i)

    def play(self, i: int, move: str | int) -> None:
        """Plays a move or an action on board `i`; an illegal one forfeits the game."""
        try:
            actions = self.position(i).spelled(move)
        except BadInput as problem:
            self.forfeit(i, f'played "{move}". {problem}')
            return
        for action in actions:
            if self._full(i):
                self.grow()
            if self.stopped[i]:
                return
            self._apply(i, "play", action)

    def waiting(self, me: int) -> np.ndarray:
        """The boards on which agent `me` is to act, after the rolls that are due."""
        waits = np.zeros(len(self), np.int64)
        self.game.rows(wait_rows)(len(self), np.array([me]), waits, self.arrays)
        return np.flatnonzero(waits)

    def play_many(self, numbers: np.ndarray, actions: np.ndarray) -> None:
        """Plays an action on each of these boards; an illegal one forfeits the game."""
        legal = np.zeros(len(numbers), np.int64)
        self.game.rows(play_rows)(len(numbers), numbers, actions, legal, self.arrays)
        for k in np.flatnonzero(legal == 0).tolist():
            self.play(int(numbers[k]), int(actions[k]))  # which says what is wrong

    def forfeit(self, i: int, reason: str) -> None:
        """Ends board `i` with a loss for the player to act."""
        self.faults[i] = (self._mover(i), reason)
        self.stopped[i] = 1

    def open_up(self, turns: int, rngs: np.ndarray) -> None:
        """Plays so many random turns on every board, drawn from `rngs` [n, 1]; fewer where the game would end."""
        for _ in range(turns):
            if self.trace.shape[1]:
                self._extend(int(self.lengths.max(initial=0)) + ONE_TURN)
            self.game.rows(playing.random_turn)(len(self), rngs, self.arrays)

    def grow(self) -> None:
        """Makes room in the traces; games that have filled all they may have are cut."""
        self.stopped[self.lengths >= self.most] = 1
        if self.trace.shape[1] and self.lengths.max(initial=0) >= self.capacity[0]:
            self._extend(min(2 * self.trace.shape[1], self.most))

    def of(self, rows: np.ndarray) -> Boards:
        """Some of the boards, by their numbers here."""
        found = copy.copy(self)
        for name in BY_BOARD:
            setattr(found, name, getattr(self, name)[rows])
        found.capacity = self.capacity.copy()
        found.faults = {new: self.faults[old] for new, old in enumerate(rows.tolist()) if old in self.faults}
        return found

    def joined(self, others: Boards) -> Boards:
        """These boards, and behind them others of the same match."""
        found, widest = copy.copy(self), max(self.trace.shape[1], others.trace.shape[1])
        for boards in (self, others):
            if boards.trace.shape[1] < widest:
                boards._extend(widest)
        for name in BY_BOARD:
            setattr(found, name, np.concatenate([getattr(self, name), getattr(others, name)]))
        found.capacity = self.capacity.copy()
        found.faults = self.faults | {len(self) + i: fault for i, fault in others.faults.items()}
        return found

    def traces(self) -> tuple[tuple[int, ...], ...]:
        """Every action and roll of each game, in order."""
        return tuple(tuple(self.trace[i, : self.lengths[i]].tolist()) for i in range(len(self)))

    def results(self) -> tuple[np.ndarray, np.ndarray]:
        """Which games have ended [n], and each player's score [n, players]: forfeiting loses 1, a cut game is even."""
        over, scores = np.zeros(len(self), np.int64), np.zeros((len(self), self.game.players))
        self.game.rows(playing.tally)(len(self), self.states, over, scores)
        for i, (player, _) in self.faults.items():
            scores[i] = forfeited(self.game, player)
        return (over | self.stopped).astype(bool), scores

    def _extend(self, numbers: int) -> None:
        """For so many actions and rolls in each trace."""
        self.trace = np.pad(self.trace, ((0, 0), (0, max(0, numbers - self.trace.shape[1]))))
        self.capacity[0] = self.trace.shape[1]

    def _mover(self, i: int) -> int:
        return int(self.game.rule("mover")(self.states[i]))

    def _full(self, i: int) -> bool:
        return bool(self.stopped[i]) or self.lengths[i] >= self.capacity[0]

    def _apply(self, i: int, rule: str, number: int) -> None:
        self.game.rule(rule)(self.states[i], number)
        if self.trace.shape[1]:
            self.trace[i, self.lengths[i]] = number
        self.lengths[i] += 1


def forfeited(game: Game, player: int) -> np.ndarray:
    """Each player's score after `player` has forfeited: its team loses 1, the others share it; [players]."""
    teams = np.array(game.constants["TEAM"])
    return np.where(teams == teams[player], -1.0, 1.0 / teams.max())
