"""The laws of `rules.py`, checked along random games: what every game keeps, and yours must too.

`spielwerk laws GAME` checks them from the command line.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from spielwerk.games.game import Game
from spielwerk.games.rules import CHANCE, OVER
from spielwerk.kernel.random import stream

LONG = 100_000  # actions after which a game without a bound is given up
GARBAGE = -77  # stands where a rule ought to write


class BrokenLaw(AssertionError):
    """A law that does not hold, and the position in which it does not."""


def check(game: Game, seed: int, looked_at: int = 8) -> None:
    """Plays the random game of `seed` and checks the laws at its start, its end and some positions between."""
    states = list(random_walk(game, seed))
    laws = Laws(game)
    acted = sum(game.rule("mover")(state) >= 0 for state in states)
    longest = game.constants["LONGEST"]
    laws.hold(game.rule("mover")(states[0]) != OVER, "a start is not over", states[0])
    laws.hold(game.rule("mover")(states[-1]) == OVER, "a random game ends", states[-1])
    laws.hold(longest == 0 or acted <= longest, f"no game has more than LONGEST = {longest} actions", states[-1])
    between = np.random.default_rng(seed).integers(0, len(states), looked_at).tolist()
    for number in sorted({0, len(states) - 1, *between}):
        laws.check(states[number])


def random_walk(game: Game, seed: int) -> Iterator[np.ndarray]:
    """The states of a random game, from the start to the end, each a copy."""
    chance = random.Random(seed)
    state = game.blank() + GARBAGE
    game.rule("start")(state, stream(seed, "walk"))
    laws = Laws(game)
    yield state.copy()
    for _ in range(LONG):
        who = game.rule("mover")(state)
        if who == OVER:
            return
        if who == CHANCE:
            outcomes, weights = zip(*laws.outcomes(state), strict=True)
            game.rule("roll")(state, chance.choices(outcomes, weights)[0])
        else:
            game.rule("play")(state, chance.choice(laws.moves(state)))
        yield state.copy()


class Laws:
    """The laws at one state of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rule = game.rule
        self.constant = game.constants
        self.players = range(game.players)
        self.capacity = max(self.constant["MOST_MOVES"], self.constant["MOST_OUTCOMES"], 1)

    def hold(self, holds: object, law: str, state: np.ndarray) -> None:
        """Raises BrokenLaw, naming the law and the position, unless it holds."""
        if not holds:
            raise BrokenLaw(f"{self.game.name} breaks a law: {law} (state {state.tolist()})")

    def moves(self, state: np.ndarray) -> list[int]:
        """The legal actions."""
        out, most = np.zeros(self.capacity, np.int64), self.constant["MOST_MOVES"]
        n = self.rule("moves")(state, out)
        self.hold(1 <= n <= most, f"there are 1 to MOST_MOVES = {most} moves", state)
        return out[:n].tolist()

    def outcomes(self, state: np.ndarray) -> list[tuple[int, int]]:
        """The outcomes of chance and their weights."""
        out, weights = np.zeros(self.capacity, np.int64), np.zeros(self.capacity, np.int64)
        n, most = self.rule("outcomes")(state, out, weights), self.constant["MOST_OUTCOMES"]
        self.hold(1 <= n <= most, f"there are 1 to MOST_OUTCOMES = {most} outcomes", state)
        self.hold(weights[:n].min() >= 1, "every weight is at least 1", state)
        self.hold(not self.constant["FAIR"] or weights[:n].max() == 1, "the weights of a FAIR game are 1", state)
        return list(zip(out[:n].tolist(), weights[:n].tolist(), strict=True))

    def after(self, rule: str, state: np.ndarray, number: int) -> np.ndarray:
        """The state after `play` or `roll`."""
        copy = state.copy()
        self.rule(rule)(copy, number)
        return copy

    def turned(self, k: int, state: np.ndarray) -> np.ndarray:
        """The state on the turned board."""
        out = np.full_like(state, GARBAGE)
        self.rule("turned_state")(k, state, out)
        return out

    def scores(self, state: np.ndarray) -> list[float]:
        """Each player's score."""
        out = np.full(self.game.players, np.nan)
        self.rule("scores")(state, out)
        return out.tolist()

    def seen(self, state: np.ndarray, player: int) -> np.ndarray:
        """The numbers that a player observes."""
        out = np.full(int(np.prod(self.constant["OBSERVATION"])), np.nan, np.float32)
        self.rule("observe")(state, player, out)
        return out

    def check(self, state: np.ndarray) -> None:
        """All laws at one state."""
        before = state.copy()
        who = self.rule("mover")(state)
        self.hold(who in (OVER, CHANCE, *self.players), "the mover is a player, CHANCE or OVER", state)
        {OVER: self.check_end, CHANCE: self.check_chance}.get(who, self.check_turn)(state)
        for player in self.players:
            self.hold(np.isfinite(self.seen(state, player)).all(), "every number of an observation is written", state)
        for k in range(self.constant["SYMMETRIES"]):
            self.check_turned(k, state, who)
        self.hold((self.turned(0, state) == state).all(), "symmetry 0 is the identity", state)
        self.hold((state == before).all(), "only start, play and roll change a position", state)

    def check_end(self, state: np.ndarray) -> None:
        """Scores."""
        scores, teams = self.scores(state), self.constant["TEAM"]
        by_team = {team: {score for score, t in zip(scores, teams, strict=True) if t == team} for team in teams}
        self.hold(all(len(values) == 1 for values in by_team.values()), "members of a team score the same", state)
        self.hold(abs(sum(min(values) for values in by_team.values())) < 1e-9, "the teams' scores sum to 0", state)
        self.hold(max(map(abs, scores)) <= self.constant["BEST"], "no score is above BEST", state)

    def check_chance(self, state: np.ndarray) -> None:
        """Outcomes and rolling."""
        outcomes = self.outcomes(state)
        self.hold(len(dict(outcomes)) == len(outcomes), "no outcome is listed twice", state)
        for outcome, weight in outcomes:
            self.hold(weight >= 1, "every weight is at least 1", state)
            rolled = self.after("roll", state, outcome)
            self.hold(self.rule("mover")(rolled) == self.rule("roller")(state), "the roller acts after a roll", state)

    def check_turn(self, state: np.ndarray) -> None:
        """Moves and playing."""
        moves = self.moves(state)
        self.hold(moves == sorted(set(moves)), "moves are ascending, each once", state)
        self.hold(0 <= moves[0] <= moves[-1] < self.constant["ACTIONS"], "actions are numbers below ACTIONS", state)
        ends = {self.after("play", state, action).tobytes() for action in moves}
        self.hold(len(ends) == len(moves), "different actions lead to different positions", state)

    def check_turned(self, k: int, state: np.ndarray, who: int) -> None:
        """One symmetry: turning and then acting is acting and then turning."""
        image = self.turned(k, state)
        seats = [self.rule("seat")(k, player) for player in self.players]
        self.hold(sorted(seats) == list(self.players), f"symmetry {k} permutes the seats", state)
        same = self.rule("mover")(image) == (who if who < 0 else seats[who])
        self.hold(same, f"symmetry {k} turns the mover", state)
        for player, seat in zip(self.players, seats, strict=True):
            same = (np.sort(self.seen(state, player)) == np.sort(self.seen(image, seat))).all()
            self.hold(same, f"symmetry {k} only rearranges an observation", state)
        if who == OVER:
            scores, turned = self.scores(state), self.scores(image)
            self.hold(all(turned[seats[p]] == scores[p] for p in self.players), f"scores follow symmetry {k}", state)
        elif who == CHANCE:
            self.check_turned_rolls(k, state, image, seats)
        else:
            self.check_turned_moves(k, state, image)

    def check_turned_rolls(self, k: int, state: np.ndarray, image: np.ndarray, seats: list[int]) -> None:
        """Chance on the turned board."""
        outcomes = self.outcomes(state)
        self.hold(outcomes == self.outcomes(image), f"symmetry {k} keeps the outcomes", state)
        same = self.rule("roller")(image) == seats[self.rule("roller")(state)]
        self.hold(same, f"symmetry {k} turns the roller", state)
        for outcome, _ in outcomes:
            turned = self.turned(k, self.after("roll", state, outcome))
            same = (turned == self.after("roll", image, outcome)).all()
            self.hold(same, f"symmetry {k}: turning and rolling is rolling and turning", state)

    def check_turned_moves(self, k: int, state: np.ndarray, image: np.ndarray) -> None:
        """A turn on the turned board."""
        images = {action: self.rule("turned")(k, action) for action in self.moves(state)}
        self.hold(sorted(images.values()) == self.moves(image), f"symmetry {k} turns the moves", state)
        for action, turned in images.items():
            same = (self.turned(k, self.after("play", state, action)) == self.after("play", image, turned)).all()
            self.hold(same, f"symmetry {k}: turning and playing is playing and turning", state)
