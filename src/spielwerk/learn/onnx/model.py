"""An ONNX file that plays: opened only if all that it holds is known, and run by ONNX Runtime on the CPU.

Its metadata say what it is: `format`, `game`, `inputs` (the form of observation), `outputs` (what its outputs mean, in
their order, separated by spaces), `version` (of Spielwerk, for which it was made), and for people `kind`, `command` and
`grade`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk.data import check_plain, cleaned
from spielwerk.games.batch import Batch
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.learn.onnx.contents import Contents, Damaged, contents
from spielwerk.learn.onnx.session import Session
from spielwerk.names import BadInput
from spielwerk.version import __version__

FORMAT = "spielwerk network 1"
VALUE, POLICY = "value", "policy"  # outputs: what to expect, and logits of the actions
SCORE = "score"  # of the position as the end of a turn, in the place of a policy
CHANCES = "chances"  # in the place of a value, of networks that tell kinds of wins apart
MEGABYTE = 1 << 20
LARGEST = 64  # megabytes
DTYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64}
NEEDED = ("format", "game", "inputs", "outputs", "version")  # in the metadata; all exports ever written have them
MOST_ROWS = 4096  # positions at a time


def described(game: Game, inputs: str, outputs: Sequence[str]) -> dict[str, str]:
    """The metadata without which a network cannot be played."""
    about = {"format": FORMAT, "game": game.name, "inputs": inputs, "outputs": " ".join(outputs)}
    return {**about, "version": __version__}


class OnnxModel:
    """A network that was opened; `run` may be called from several threads."""

    def __init__(self, path: Path, game: Game, data: bytes | None = None) -> None:
        self.path, self.game = path, game
        data = _read(path) if data is None else data  # as if they had been read there
        self.metadata: dict[str, str] = cleaned(_checked(path, data).metadata)
        _check_metadata(path, self.metadata, game)
        self.inputs, self.outputs = self.metadata["inputs"], self.metadata["outputs"].split()
        self._session = _session(path, data)
        self.shape, self._dtype = self._given()
        self.widths = self._made()  # of each output
        self._trial()

    def run(self, rows: np.ndarray) -> list[np.ndarray]:
        """What the network makes of each row of inputs; an array [rows, width] for each output, in its own type."""
        made = self._run(rows)
        for name, values in zip(self.outputs, made, strict=True):
            if not np.isfinite(values).all():
                raise BadInput(f'{self.path}: its output "{name}" is not a finite number everywhere.')
        return made

    def need_inputs(self, *shape: int) -> None:
        """Refuses a network whose inputs have neither this shape nor as many numbers in a row."""
        flat = (math.prod(shape),)
        if self.shape not in (shape, flat):
            wanted = str(list(shape)) if shape == flat else f"{list(shape)}, or {list(flat)}"
            given = f"{self.path} takes inputs of shape {list(self.shape)}"
            raise BadInput(f'{given}; "{self.inputs}" of {self.game.name} has {wanted}.')

    def need_inputs_of(self, size: int) -> None:
        """Refuses a network whose inputs are not so many numbers in a row."""
        if self.shape != (size,):
            raise BadInput(f"{self.path} takes inputs of shape {list(self.shape)}, not {[size]}.")

    def need_output(self, name: str, *widths: int) -> int:
        """The place of an output, which must be there and have one of these widths."""
        if name not in self.outputs:
            raise BadInput(f'{self.path} has no output "{name}"; its outputs: {", ".join(self.outputs)}.')
        place = self.outputs.index(name)
        if self.widths[place] not in widths:
            possible = " or ".join(map(str, widths))
            raise BadInput(f'{self.path}: its output "{name}" has {self.widths[place]} numbers, not {possible}.')
        return place

    def _run(self, rows: np.ndarray) -> list[np.ndarray]:
        """The same, without a look at the numbers."""
        n = len(rows)
        try:
            made = self._session.run(np.asarray(rows, self._dtype).reshape(n, *self.shape))
        except Exception as problem:  # ONNX Runtime has a class of its own for every fault
            raise BadInput(f"{self.path} cannot be computed: {_said(problem)}") from None
        for name, values in zip(self.outputs, made, strict=True):
            if values.ndim != 2 or len(values) != self._session.size(n):
                raise BadInput(f'{self.path}: its output "{name}" does not have one row for each position.')
        return [values[:n] for values in made]

    def _given(self) -> tuple[tuple[int, ...], type]:
        """The shape of the inputs of one position, and their type."""
        given = self._session.inputs
        if len(given) != 1:
            raise BadInput(f"{self.path} has {len(given)} inputs; a network to play with has one.")
        return self._sizes("input", given[0]), DTYPES[given[0].type]

    def _made(self) -> list[int]:
        """The width of each output."""
        made = self._session.outputs
        if len(made) != len(self.outputs):
            named = ", ".join(self.outputs)
            raise BadInput(f"{self.path} has {len(made)} outputs, but its metadata name {len(self.outputs)}: {named}.")
        return [math.prod(self._sizes(f'output "{name}"', one)) for name, one in zip(self.outputs, made, strict=True)]

    def _sizes(self, what: str, tensor: Any) -> tuple[int, ...]:
        """The sizes behind the number of positions, which must be open, as those must be fixed."""
        if tensor.type not in DTYPES:
            raise BadInput(f"{self.path}: its {what} is a {tensor.type}, not one of float or double.")
        first, *sizes = tensor.shape or [1]
        if isinstance(first, int):
            raise BadInput(
                f"{self.path}: its {what} has a fixed number of positions; its first dimension must be dynamic."
            )
        if not sizes or not all(isinstance(size, int) and size > 0 for size in sizes):
            raise BadInput(f"{self.path}: only the first dimension of its {what} may be dynamic.")
        return tuple(sizes)

    def _trial(self) -> None:
        """One run shows what else may be wrong; then few rows are tried."""
        self._run(np.zeros((1, *self.shape), self._dtype))
        self._session.try_few(self.shape, self._dtype)


def _read(path: Path) -> bytes:
    try:
        check_plain(path)
        with path.open("rb") as file:
            data = file.read(LARGEST * MEGABYTE + 1)
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None
    if len(data) > LARGEST * MEGABYTE:
        raise BadInput(f"{path} has more than {LARGEST} MB, the limit for a network to play with.")
    return data


def _checked(path: Path, data: bytes) -> Contents:
    """What is in the file; refuses all that could reach beyond it."""
    try:
        found = contents(data)
    except Damaged:
        raise _damaged(path) from None
    if found.external:
        raise BadInput(f"{path} keeps data in other files; a network to play with is one file.")
    if found.custom:
        raise BadInput(f"{path} uses the operator {found.custom}; a network to play with has only those of ai.onnx.")
    return found


def _check_metadata(path: Path, metadata: Mapping[str, str], game: Game) -> None:
    if metadata.get("format", FORMAT) != FORMAT:
        raise BadInput(f"{path} is a network of another version of Spielwerk: {metadata['format']}.")
    missing = [key for key in NEEDED if not metadata.get(key)]
    if missing:
        raise BadInput(f'{path} does not say what it is: its metadata lack "{missing[0]}".')
    outputs = metadata["outputs"].split()
    if metadata["game"] != game.name and not (CHANCES in outputs and _only_scored_otherwise(metadata["game"], game)):
        raise BadInput(f"{path} plays {metadata['game']}, not {game.name}.")
    twice = [name for name in outputs if outputs.count(name) > 1]
    if twice:
        raise BadInput(f'{path}: its metadata name the output "{twice[0]}" more than once.')


def _only_scored_otherwise(name: str, game: Game) -> bool:
    """Whether a variant differs from `game` at most in what results are worth, which chances do not depend on."""
    try:
        return game_of(name).unscored == game.unscored
    except BadInput:
        return False


def metadata_of(path: Path) -> dict[str, str]:
    """What a file says of itself."""
    return cleaned(_checked(path, _read(path)).metadata)


def _session(path: Path, data: bytes) -> Session:
    try:
        return Session(data)
    except Exception as problem:  # ONNX Runtime has a class of its own for every fault
        raise BadInput(f"{path} cannot be loaded: {_said(problem)}") from None


def parts(batch: Batch) -> Iterator[tuple[int, Batch]]:
    """The batch in parts whose inputs take little memory, each with the number of its first board; at least one."""
    if len(batch) <= MOST_ROWS:
        yield 0, batch
        return
    for first in range(0, len(batch), MOST_ROWS):
        yield first, batch.sibling(batch.states[first : first + MOST_ROWS])


def _said(problem: Exception) -> str:
    """The first line of what ONNX Runtime says, as a sentence."""
    said = (str(problem).strip().splitlines() or [repr(problem)])[0]
    return f"{said.rstrip('.')}."


def _damaged(path: Path) -> BadInput:
    return BadInput(f"{path} is damaged, truncated, or not an ONNX file.")
