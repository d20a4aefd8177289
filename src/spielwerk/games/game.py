"""Game: one variant of one game, for people and programs."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from spielwerk import names
from spielwerk.games import defaults, rules
from spielwerk.games.parts import named
from spielwerk.games.position import Position, Turn
from spielwerk.kernel.random import stream
from spielwerk.kernel.rows import Scratch, over_rows, workspace
from spielwerk.kernel.specialise import specialise
from spielwerk.kernel.tiles import over_tiles
from spielwerk.names import BadInput, printable

if TYPE_CHECKING:
    from spielwerk.games.batch import Batch
    from spielwerk.games.graphs import Graph
    from spielwerk.games.groups import Groups
    from spielwerk.games.move_parts import MoveParts
    from spielwerk.games.shaping import Shaping

PLAIN = "spielwerk.games.scenes.plain"  # how a game is shown that has no scenes of its own
GENERAL = "spielwerk.solvers.general.oracle:GeneralOracle"  # the oracle of a game that has none of its own


def default_target() -> str:
    """Compiled for the CPU, or plain guarded Python with `SPIELWERK_DEBUG=1`."""
    return "python" if os.environ.get("SPIELWERK_DEBUG", "0") not in ("", "0") else "cpu"


class Game:
    """A game's rules with the constants of one variant, and its face (notation, text, drawing).

    `module` holds the rules, a `Settings` class, `constants(settings)` and the name of its `FACE`.
    """

    def __init__(self, kind: str, module: ModuleType, face: Any, settings: Any, target: str | None = None) -> None:
        self.kind = kind
        self.name = names.write(kind, settings)
        self.title = printable(str(module.title(settings) if hasattr(module, "title") else module.TITLE))
        self.settings = settings
        scoring = getattr(module, "SCORING", ())  # settings that only say what results are worth
        usual = {field.name: field.default for field in dataclasses.fields(settings) if field.name in scoring}
        self.unscored: str = names.write(kind, dataclasses.replace(settings, **usual))  # its name without these
        self.face = face
        self.target = target or default_target()
        self.constants: Mapping[str, Any] = defaults.CONSTANTS | module.constants(settings)
        functions = {name: getattr(module, name, getattr(defaults, name, None)) for name in rules.FUNCTIONS}
        self.bindings: Mapping[str, Any] = {**functions, **self.constants}
        for name in (*rules.CONSTANTS, *rules.FUNCTIONS):
            if self.bindings.get(name) is None:
                raise BadInput(f'The game "{kind}" of {module.__name__} does not define "{name}".')
        self.observations: Mapping[str, Any] = getattr(module, "OBSERVATIONS", {})
        self.inputs: str = getattr(module, "INPUTS", "")  # the observation that networks learn best from
        self._input_classes: Mapping[str, int] = getattr(module, "INPUT_CLASSES", {})
        self.evaluations: Mapping[str, str] = getattr(module, "EVALUATIONS", {})
        self.layout: str = getattr(module, "LAYOUT", "")
        self.outputs: str = getattr(module, "OUTPUTS", "")
        self.chances: str = getattr(module, "CHANCES", "")
        self._starts: Callable[[Any], Iterator[tuple[int, ...]]] = getattr(module, "starts", lambda _: iter(()))
        self.oracle: str = getattr(module, "ORACLE", GENERAL)
        self.solver: str = getattr(module, "SOLVER", self.oracle.partition(":")[0])
        self.phases: str = getattr(module, "PHASES", "")
        self.judged: str = getattr(module, "JUDGED", "")
        self.formats: Mapping[str, str] = getattr(module, "FORMATS", {})
        self.equities: bool = getattr(module, "EQUITIES", False)
        self.public_set: tuple[str, Mapping[str, Any]] = getattr(module, "PUBLIC_SET", ("", {}))
        self._graph: str = getattr(module, "GRAPH", "")
        self.scene: str = getattr(module, "SCENE", PLAIN)
        self._groups: str = getattr(module, "GROUPS", "")
        self.shaping_module: str = getattr(module, "SHAPING", "")
        self.move_parts_module: str = getattr(module, "MOVE_PARTS", "")
        self.random_positions: str = getattr(module, "RANDOM_POSITIONS", "")
        self.states: int = module.states(settings)
        self._kernels: dict[tuple[Any, ...], Any] = {}
        self.last_turns: tuple[Position | None, tuple[Turn, ...]] = (None, ())  # of whom was asked last: often again

    def __repr__(self) -> str:
        return f'game("{self.name}")'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def players(self) -> int:
        """How many play."""
        return self.constants["PLAYERS"]

    @property
    def sides(self) -> int:
        """How many teams play."""
        return max(self.constants["TEAM"]) + 1

    @functools.cached_property
    def graph(self) -> Graph | None:
        """The points of the board and what joins them; None where a game does not say."""
        return named(self.kind, "graph", self._graph)(self) if self._graph else None

    @functools.cached_property
    def shaping(self) -> Shaping | None:
        """What a shaped reward can be made of; None where a game does not say."""
        from spielwerk.games.shaping import shaping

        return shaping(self)

    @functools.cached_property
    def move_parts(self) -> MoveParts:
        """The parts that a move is told in; one, the action, where a game does not say."""
        from spielwerk.games.move_parts import move_parts

        return move_parts(self)

    @property
    def player_names(self) -> tuple[str, ...]:
        """What the players are called, in seat order."""
        return self.face.player_names(self)

    def start(self, seed: int = 0) -> Position:
        """A starting position; `seed` matters only where set-ups are random."""
        state = self.blank()
        self.rule("start")(state, stream(seed, "start"))
        return Position(self, state)

    def starts(self) -> Iterator[Position]:
        """All starting positions, where the game lists them because they cannot be found by drawing; otherwise none."""
        return (Position(self, np.array(words, np.int64)) for words in self._starts(self.settings))

    def parse(self, text: str) -> Position:
        """The position that one line of text writes; raises BadInput for an impossible one."""
        return Position(self, np.array(self.face.read(self, text.strip()), np.int64))

    def blank(self) -> np.ndarray:
        """A position's words, all 0."""
        return np.zeros(self.constants["WORDS"], np.int64)

    def workspace(self) -> Scratch:
        """Scratch for a kernel: a position, actions or outcomes, their weights, each player's score."""
        return workspace(self.bindings)

    def rule(self, name: str) -> Callable[..., Any]:
        """One function of the rules, ready to be called with arrays."""
        return self.kernel(getattr(rules, name))

    def observation(self, inputs: str = "") -> tuple[tuple[int, ...], Callable[..., Any]]:
        """The shape of a network's input and the function that writes it, in the form named `inputs`."""
        shape, function = self.input_form(inputs)
        return shape, self.kernel(function)

    def input_form(self, inputs: str = "") -> tuple[tuple[int, ...], Callable[..., Any]]:
        """The same with the plain function, to be bound as `observe` in a kernel."""
        if not inputs:
            return self.constants["OBSERVATION"], self.bindings["observe"]
        if inputs not in self.observations:
            raise names.unknown(f"{self.kind} has no inputs", inputs, self.observations, "Inputs")
        shape, function = self.observations[inputs]
        return shape if isinstance(shape, tuple) else shape(self.constants), function

    def input_classes(self, inputs: str) -> int:
        """How many classes of positions the first inputs of a form tell apart, by a single 1; 0: none."""
        return self._input_classes.get(inputs, 0)

    def groups(self, inputs: str = "") -> Groups:
        """Which numbers of an observation belong together; no groups where a game does not say."""
        from spielwerk.games.groups import Groups

        return named(self.kind, "groups", self._groups)(self, inputs) if self._groups else Groups()

    def kernel(self, function: Callable[..., Any], **more: Any) -> Callable[..., Any]:
        """A function that uses the rules' names, specialised to this game; `more` binds further names."""
        key = (function, _keyed(more))
        if key not in self._kernels:
            self._kernels[key] = specialise(function, {**self.bindings, **more}, self.target)
        return self._kernels[key]

    def rows(
        self, function: Callable[..., Any], target: str | None = None, threads: int = 1, **more: Any
    ) -> Callable[..., None]:
        """A row kernel (see `kernel/rows.py`) specialised to this game; `more` binds further names."""
        target = target or self.target
        key = (function, target, threads, _keyed(more))
        if key not in self._kernels:
            self._kernels[key] = over_rows(function, {**self.bindings, **more}, target, threads)
        return self._kernels[key]

    def tiles(
        self, function: Callable[..., Any], size: int, cleared: int = 0, target: str = "", threads: int = 1, **more: Any
    ) -> Callable[..., None]:
        """A kernel that writes `size` numbers a row (see `kernel/tiles.py`), specialised to this game."""
        key = (function, size, cleared, target, threads, _keyed(more))
        if key not in self._kernels:
            bindings = {**self.bindings, **more}
            self._kernels[key] = over_tiles(function, bindings, size, cleared, target or self.target, threads)
        return self._kernels[key]

    def batch(self, positions: Any, device: str = "cpu", seed: int = 0, threads: int = 0) -> Batch:
        """Many positions at once: so many starting positions, given positions, or their words as int64 [n, WORDS].

        Board i has the random stream i of `seed`. On "cuda" all arrays are tensors of torch; on the CPU they are
        arrays of numpy, and kernels run in `threads` threads (0: one a core).
        """
        from spielwerk.games.batch import make_batch

        return make_batch(self, positions, device, seed, threads)


def _keyed(more: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """What is bound, as a key; arrays by what they hold."""
    return tuple(
        (name, (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value)
        for name, value in sorted(more.items())
    )
