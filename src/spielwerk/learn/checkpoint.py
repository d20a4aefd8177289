"""Checkpoints: the arrays of a learner and what they are, in one safetensors file with checksums.

The file depends on nothing but what is in it: the same arrays and metadata give the same bytes.
"""

from __future__ import annotations

import errno
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from spielwerk.data import check_plain, cleaned, parsed
from spielwerk.files import whole
from spielwerk.names import BadInput

FORMAT = "spielwerk checkpoint 1"
DTYPES = {"BOOL": "?", "F64": "<f8", "F32": "<f4", "F16": "<f2"}  # as safetensors calls them
DTYPES |= {f"{sign}{8 * size}": f"<{sign.lower()}{size}" for sign in "IU" for size in (1, 2, 4, 8)}
RECORDS = "history_"  # how arrays are called that are no weights but figures, in which NaN means that there is none
PIECE = 1 << 24  # numbers that are looked at together
KEY = "spielwerk"  # the only entry of the file's metadata, since several would be written in any order


class Checkpoint(Mapping[str, np.ndarray]):
    """A checkpoint that was opened: its metadata, and its arrays, which stay on the disk until they are looked at.

    What an array holds is checked when it is first asked for. Writing to it does not change the file.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path = path
        self.metadata: dict[str, str] = cleaned(about["metadata"])
        if not all(isinstance(text, str) for text in self.metadata.values()):
            raise TypeError
        self.episode = int(self.metadata.get("episode", 0))  # how many had been learned
        self._sums: dict[str, int] = dict(about["sums"])
        self._arrays: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            expected = self._sums[name]
            array = _mapped(self.path, name)
            if _sum(array) != expected:
                raise _damaged(self.path)
            if not sound({name: array}):
                raise BadInput(f'{self.path} cannot be used: "{name}" holds numbers that are not finite.')
            self._arrays[name] = array
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sums)

    def __len__(self) -> int:
        return len(self._sums)

    def with_arrays(self, arrays: Mapping[str, np.ndarray]) -> Checkpoint:
        """The same checkpoint with some arrays in the place of its own."""
        found = Checkpoint(self.path, {"metadata": self.metadata, "sums": self._sums})
        found._arrays.update(arrays)
        return found

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an array, without looking at what it holds."""
        return tuple(_header(self.path)[1][name]["shape"])

    def need(self, key: str, wanted: str) -> None:
        """Refuses a checkpoint that is not one of `wanted`, such as a game or a coding."""
        found = self.metadata.get(key, "nothing")
        if found != wanted:
            raise BadInput(f"{self.path} is a checkpoint of the {key} {found}, not {wanted}.")


def write(path: Path, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Writes a checkpoint in the place of the one before; there is always a whole one. OSError says what is wrong."""
    flat = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    about: dict[str, Any] = {"format": FORMAT, "metadata": dict(metadata)}
    about["sums"] = {name: _sum(array) for name, array in flat.items()}
    about["seal"] = _seal(about, {name: (array.dtype, array.shape) for name, array in flat.items()})
    try:
        with whole(path) as part:
            save_file(flat, part, {KEY: json.dumps(about, sort_keys=True)})
    except (OSError, SafetensorError) as problem:  # such as a full disk
        reason = getattr(problem, "strerror", None) or problem
        sentence = f"{path} cannot be written: {reason}; what was there before is kept"
        raise OSError(errno.EIO, sentence) from problem


def read(path: Path) -> Checkpoint:
    """The checkpoint in a file; BadInput says what is wrong with another."""
    _check_readable(path)
    try:
        with safe_open(path, "numpy") as file:
            about = parsed((file.metadata() or {}).get(KEY, "{}"))
        ours = about.get("format") == FORMAT
        found = Checkpoint(path, about) if ours and _intact(path, about) else None
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(path) from None
    if not ours:
        raise BadInput(f"{path} is not a Spielwerk checkpoint, or is from another version.")
    if found is None:
        raise _damaged(path)
    return found


def _check_readable(path: Path) -> None:
    try:
        check_plain(path)
        path.open("rb").close()
    except FileNotFoundError:
        raise BadInput(f"There is no checkpoint {path}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None


def _intact(path: Path, about: Mapping[str, Any]) -> bool:
    """Whether all but what the arrays hold is as it was written."""
    _, entries = _header(path)
    shapes = {name: (_dtype(entry), entry["shape"]) for name, entry in entries.items()}
    return about["seal"] == _seal(about, shapes) and set(about["sums"]) == set(entries)


def _header(path: Path) -> tuple[int, dict[str, Any]]:
    """Where the arrays begin, and the entry of each: after eight bytes with its length there is a header in JSON."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        entries = parsed(file.read(length))
    entries.pop("__metadata__", None)
    return 8 + length, entries


def _mapped(path: Path, name: str) -> np.ndarray:
    """An array as it lies in the file."""
    begin, entries = _header(path)
    entry = entries[name]
    (start, end), dtype = entry["data_offsets"], _dtype(entry)
    if start == end:
        return np.zeros(entry["shape"], dtype)
    flat = np.memmap(path, dtype, "c", begin + start, ((end - start) // dtype.itemsize,))
    return np.asarray(flat).reshape(entry["shape"])


def _dtype(entry: Mapping[str, Any]) -> np.dtype:
    return np.dtype(DTYPES[entry["dtype"]])


def _seal(about: Mapping[str, Any], shapes: Mapping[str, tuple[np.dtype, Sequence[int]]]) -> int:
    """A checksum of what is said about the arrays, and of what they are."""
    arrays = {name: (dtype.str, list(shape)) for name, (dtype, shape) in shapes.items()}
    return zlib.crc32(json.dumps([about["metadata"], about["sums"], arrays], sort_keys=True).encode())


def sound(arrays: Mapping[str, np.ndarray]) -> bool:
    """Whether weights and what else is needed hold numbers only."""
    return all(name.startswith(RECORDS) or _finite(array) for name, array in arrays.items())


def _finite(array: np.ndarray) -> bool:
    """Whether an array holds numbers only."""
    if array.dtype.kind != "f":
        return True
    flat = array.reshape(-1)
    return all(np.isfinite(flat[begin : begin + PIECE]).all() for begin in range(0, len(flat), PIECE))


def _sum(array: np.ndarray) -> int:
    return zlib.crc32(array.reshape(-1).view(np.uint8).data)


def _damaged(path: Path) -> BadInput:
    return BadInput(f"{path} is damaged, truncated, or not a checkpoint.")
