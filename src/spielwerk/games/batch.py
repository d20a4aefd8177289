"""Batch: many positions of one game at once, each with a random stream of its own."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

from spielwerk.games import batch_rows as kernels
from spielwerk.games.batch_input import check_ends, check_views, chosen_boards, one_each, states_of
from spielwerk.games.expansion import Afterstates, children, expand
from spielwerk.games.expansion_rows import move_rows
from spielwerk.games.position import Position
from spielwerk.kernel.arrays import Array, Arrays, arrays_of
from spielwerk.kernel.random import streams
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.games.game import Game

FEW = 256  # boards that one thread does sooner than several


class Ragged(NamedTuple):
    """A different number of values for each board: those of board i are `values[offsets[i]:offsets[i + 1]]`."""

    values: Array  # [m] int64
    offsets: Array  # [n + 1] int64
    owners: Array  # [m] int64: the board of each value
    weights: Array | None = None  # [m] int64: of outcomes


class Views(NamedTuple):
    """What `random_step` writes: for each board, what its mover may do and sees."""

    mask: Array  # [n, ACTIONS] bool
    observation: Array  # [n, *shape] float32
    bytes: Array  # the mask as uint8
    words: Array  # its memory as int64
    rows: Array  # [n, size]: the observation, flat
    inputs: str


class Batch:
    """Many positions of one game; `play`, `roll`, `restart` and `take` change them in place.

    Arrays are numpy's on the CPU and tensors of torch on a GPU, which share their memory with the kernels.
    """

    def __init__(
        self,
        game: Game,
        states: Array,
        rngs: Array | None = None,
        device: str = "cpu",
        seed: int = 0,
        threads: int = 1,
        purpose: str = "",
    ) -> None:
        self.game = game
        self.device = device
        self.seed = seed
        self.threads = threads
        self.purpose = purpose or game.name  # what the random streams are for, the other half of their key
        self._siblings = 0
        self.arrays: Arrays = arrays_of(device)
        self.states = states  # [n, WORDS] int64
        self._rngs = rngs

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<{len(self):,} positions of {self.game.name} on {self.device}>"

    @property
    def rngs(self) -> Array:
        """The random stream of each board: [n, 1] uint64."""
        if self._rngs is None:  # of afterstates, which are many and seldom need any
            self._rngs = self.arrays.array(streams(self.seed, self.purpose, len(self)), "uint64")
        return self._rngs

    @property
    def movers(self) -> Array:
        """The player to act on each board, CHANCE before a roll, OVER at the end: [n] int64."""
        return self._who()[0]

    @property
    def actors(self) -> Array:
        """Who acts next on each board, perhaps after a roll; OVER at the end: [n] int64."""
        return self._who()[1]

    def unfinished(self) -> Array:
        """The boards whose mover has something to play: [n] uint8, for kernels."""
        return self.arrays.view(self.movers >= 0, "uint8")

    def _who(self) -> tuple[Array, Array]:
        movers, actors = self._empty("int64"), self._empty("int64")
        self.run(kernels.who_rows, self.states, movers, actors)
        return movers, actors

    def actions(self) -> Ragged:
        """The legal actions of each board, ascending; none before a roll and at the end."""
        offsets, owners, actions = children(self, self.states, self.unfinished())
        return Ragged(actions, offsets, owners)

    def mask(self) -> Array:
        """Which actions are legal on each board: [n, ACTIONS] bool."""
        mask = self.arrays.full((len(self), self.game.constants["ACTIONS"]), 0, "uint8")
        self.run(kernels.mask_rows, self.states, mask)
        return self.arrays.view(mask, "bool")

    def outcomes(self) -> Ragged:
        """The outcomes of each board's roll with their weights; none where no roll is due."""
        counts = self._empty("int64")
        self.run(kernels.count_outcome_rows, self.states, counts)
        found = self._ragged(counts)
        weights = self.arrays.empty(tuple(found.values.shape), "int64")
        self.run(kernels.outcome_rows, self.states, found.offsets, found.values, weights)
        return found._replace(weights=weights)

    def observe(self, inputs: str = "", viewers: Any = None) -> Array:
        """What the player who acts next sees on each board, in the form named `inputs`: [n, *shape] float32.

        Where the game is over, it is what one of the `viewers` [n] sees, by default player 0.
        """
        shape, function = self.game.input_form(inputs)
        out = self.arrays.empty((len(self), math.prod(shape)), "float32")
        if viewers is None:
            kernel, given = kernels.observe_rows, (self.states,)
        else:
            kernel, given = kernels.observe_as_rows, (self.states, self._one_each(viewers, "viewers"))
        self._write(kernel, out, 0, (out, out.reshape(-1)), given, observe=function)
        return out.reshape(len(self), *shape)

    def play(self, actions: Any, check: bool = True) -> None:
        """Plays an action on each board, or none where it is below 0; `check` refuses one that is not legal."""
        actions = self._one_each(actions, "actions")
        if check:
            self._refuse(actions, self._among(actions, self.actions()), "action {} is not legal there")
        self.run(kernels.play_rows, self.states, actions)

    def roll(self, outcomes: Any = None, check: bool = True) -> None:
        """Rolls on every board where a roll is due, at random or as given; an outcome below 0 rolls nothing."""
        if outcomes is None:
            self.run(kernels.random_roll_rows, self.states, self.rngs)
            return
        outcomes = self._one_each(outcomes, "outcomes")
        if check:
            self._refuse(outcomes, self._among(outcomes, self.outcomes()), "{} cannot be rolled there")
        self.run(kernels.roll_rows, self.states, outcomes)

    def scores(self) -> Array:
        """Each player's score on the boards that are over, 0 on the others: [n, PLAYERS] float64."""
        out = self.arrays.full((len(self), self.game.players), 0, "float64")
        self.run(kernels.score_rows, self.states, out)
        return out

    def restart(self) -> Array:
        """Puts a new starting position on every board that is over, and says on which: [n] bool."""
        restarted = self._empty("uint8")
        self.run(kernels.restart_rows, self.states, self.rngs, restarted)
        return self.arrays.view(restarted, "bool")

    def turned(self, k: Any) -> Batch:
        """A new batch, each board turned by symmetry `k`: one number, or one a board."""
        out = self.arrays.empty(tuple(self.states.shape), "int64")
        self.run(kernels.turned_rows, self.states, self._symmetries(k), out)
        rngs = None if self._rngs is None else self.arrays.copy(self._rngs)  # the same streams by the same key
        return Batch(self.game, out, rngs, self.device, self.seed, self.threads, self.purpose)

    def turned_actions(self, k: Any, actions: Any) -> Any:
        """The actions on the turned boards, one a board or ragged; an action below 0 stays as it is."""
        symmetries = self._symmetries(k)
        if isinstance(actions, Ragged):
            symmetries = self.arrays.rows(symmetries, actions.owners)
            return actions._replace(values=self._turned(actions.values, symmetries))
        return self._turned(self._one_each(actions, "actions"), symmetries)

    def _turned(self, actions: Array, symmetries: Array) -> Array:
        out = self.arrays.empty((len(actions),), "int64")
        self.run(kernels.turned_action_rows, actions, symmetries, out, rows=len(actions))
        return out

    def afterstates(self) -> Afterstates:
        """The ends of all whole turns of each board's mover, in the order of `Position.turns()`."""
        return expand(self)

    def take(self, afterstates: Afterstates, chosen: Any, check: bool = True) -> None:
        """Moves each board to the end `chosen`, an index into all ends of `afterstates`; below 0 it stays."""
        chosen = self._one_each(chosen, "ends")
        check_ends(self, afterstates)
        if check:
            own = (chosen >= afterstates.offsets[:-1]) & (chosen < afterstates.offsets[1:])
            self._refuse(chosen, own, "end {} is not one of its own")
        self.run(move_rows, self.states, afterstates.batch.states, chosen)

    def views(self, inputs: str = "") -> Views:
        """Memory for `random_step`, to be used again and again."""
        shape, _ = self.game.input_form(inputs)
        n, actions, size = len(self), self.game.constants["ACTIONS"], math.prod(shape)
        words = self.arrays.full((-(-n * actions // 8),), 0, "int64")
        bytes = self.arrays.view(words, "uint8")[: n * actions].reshape(n, actions)
        rows = self.arrays.empty((n, size), "float32")
        mask = self.arrays.view(bytes, "bool")
        return Views(mask, rows.reshape(n, *shape), bytes, words, rows, inputs)

    def random_step(self, views: Views) -> None:
        """A random action on every board, new games and rolls where due; then writes what each mover may do and sees.

        A board at a chance node is only rolled, one that is over only begun anew.
        """
        shape, function = self.game.input_form(views.inputs)
        check_views(self, views, math.prod(shape))
        actions = self.game.constants["ACTIONS"]
        memory, arrays = (views.bytes, views.words), (self.states, self.rngs, views.bytes)
        self._write(kernels.random_step_rows, views.rows, actions, memory, arrays, observe=function)

    def select(self, indices: Any) -> Batch:
        """A new batch of some boards, by number or by a mask, with their random streams as they are now."""
        indices = chosen_boards(self.arrays, indices, len(self))
        return self.sibling(self.arrays.rows(self.states, indices), self.arrays.rows(self.rngs, indices))

    def copy(self) -> Batch:
        """A batch of the same positions and random streams that goes its own way."""
        return self.sibling(self.arrays.copy(self.states), self.arrays.copy(self.rngs))

    def positions(self) -> list[Position]:
        """The boards as positions for people."""
        return [Position(self.game, state) for state in self.arrays.host(self.states)]

    def run(self, kernel: Callable[..., Any], *arrays: Array, rows: int | None = None, **more: Any) -> None:
        """Runs a row kernel of the rules over all boards, or over so many rows; `more` binds further names."""
        rows = len(self) if rows is None else rows
        if rows:
            compiled = self.game.rows(kernel, self._target, self._threads(rows), **more)
            compiled(rows, *map(self.arrays.argument, arrays))

    def _write(
        self,
        kernel: Callable[..., Any],
        out: Array,
        cleared: int,
        memory: tuple[Array, Array],
        arrays: tuple[Array, ...],
        **more: Any,
    ) -> None:
        if len(self):
            threads = self._threads(len(self))
            compiled = self.game.tiles(kernel, out.shape[1], cleared, self._target, threads, **more)
            compiled(len(self), *map(self.arrays.argument, (out, *memory, *arrays)))

    @property
    def _target(self) -> str:
        return "cuda" if self.device == "cuda" else self.game.target

    def _threads(self, rows: int) -> int:
        return 1 if rows < FEW else self.threads

    def _empty(self, dtype: str) -> Array:
        return self.arrays.empty((len(self),), dtype)

    def sibling(self, states: Array, rngs: Array | None = None) -> Batch:
        """A batch of other positions of the same game in the same place, by default with new random streams."""
        self._siblings += 1
        purpose = f"{self.purpose}/{self._siblings}"
        return Batch(self.game, states, rngs, self.device, self.seed, self.threads, purpose)

    def _ragged(self, counts: Array) -> Ragged:
        offsets = self.arrays.offsets(counts)
        total = int(offsets[-1])
        return Ragged(self.arrays.empty((total,), "int64"), offsets, self.arrays.owners(offsets, total))

    def _one_each(self, values: Any, what: str) -> Array:
        return one_each(self.arrays, values, len(self), what)

    def _symmetries(self, k: Any) -> Array:
        count = self.game.constants["SYMMETRIES"]
        given = self.arrays.full((len(self),), int(k), "int64") if isinstance(k, Integral) else k
        symmetries = self._one_each(given, "symmetries")
        if bool(((symmetries < 0) | (symmetries >= count)).any()):
            raise BadInput(f"{self.game.name} has only symmetries 0 to {count - 1}.")
        return symmetries

    def _among(self, chosen: Array, possible: Ragged) -> Array:
        """Whether what was chosen for each board is one of its values: [n] bool."""
        found = self.arrays.full((len(self),), 0, "bool")
        found[possible.owners[possible.values == chosen[possible.owners]]] = True
        return found

    def _refuse(self, chosen: Array, possible: Array, sentence: str) -> None:
        """Raises BadInput for the first board for which something impossible was chosen."""
        wrong = self.arrays.nonzero((chosen >= 0) & ~possible)
        if len(wrong):
            board = int(wrong[0])
            raise BadInput(f"Board {board}: {sentence.format(int(chosen[board]))}.")


def make_batch(game: Game, given: Any, device: str, seed: int, threads: int) -> Batch:
    """What `Game.batch` returns."""
    arrays = arrays_of(device)
    if threads < 0:
        raise BadInput(f"A batch cannot use {threads} threads; 0 means one per core.")
    threads = threads or os.cpu_count() or 1
    if isinstance(given, Integral) and int(given) < 0:
        raise BadInput(f"A batch cannot have {given} boards.")
    if isinstance(given, Integral):
        states = arrays.empty((int(given), game.constants["WORDS"]), "int64")
    else:
        states = arrays.copy(arrays.array(states_of(game, given), "int64"))
    batch = Batch(game, states, None, device, seed, threads)
    if isinstance(given, Integral):
        batch.run(kernels.start_rows, states, batch.rngs)
    return batch
