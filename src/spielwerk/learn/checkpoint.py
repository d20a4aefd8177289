"""Checkpoints: the arrays of a learner and what they are, in one safetensors file with checksums.

The file depends on nothing but what is in it: the same arrays and metadata give the same bytes.
"""

from __future__ import annotations

import errno
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from spielwerk.learn.whole import whole
from spielwerk.names import BadInput

FORMAT = "spielwerk checkpoint 1"
DTYPES = {"BOOL": "?", "F64": "<f8", "F32": "<f4", "F16": "<f2"}  # as safetensors calls them
DTYPES |= {f"{sign}{8 * size}": f"<{sign.lower()}{size}" for sign in "IU" for size in (1, 2, 4, 8)}
KEY = "spielwerk"  # the only entry of the file's metadata, since several would be written in any order


class Checkpoint(Mapping[str, np.ndarray]):
    """A checkpoint that was opened: its metadata, and its arrays, which stay on the disk until they are looked at.

    What an array holds is checked when it is first asked for. Writing to it does not change the file.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path = path
        self.metadata: dict[str, str] = dict(about["metadata"])
        self._sums: dict[str, int] = dict(about["sums"])
        self._arrays: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            expected = self._sums[name]
            array = _mapped(self.path, name)
            if _sum(array) != expected:
                raise _damaged(self.path)
            self._arrays[name] = array
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sums)

    def __len__(self) -> int:
        return len(self._sums)

    @property
    def episode(self) -> int:
        """How many episodes had been learned."""
        return int(self.metadata.get("episode", 0))

    def need(self, key: str, wanted: str) -> None:
        """Refuses a checkpoint that is not one of `wanted`, such as a game or a coding."""
        found = self.metadata.get(key, "nothing")
        if found != wanted:
            raise BadInput(f"{self.path} is a checkpoint of the {key} {found}, not {wanted}.")


def write(path: Path, arrays: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Writes a checkpoint in the place of the one before; there is always a whole one."""
    flat = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    sums = {name: _sum(array) for name, array in flat.items()}
    about = {"format": FORMAT, "metadata": dict(metadata), "sums": sums}
    try:
        with whole(path) as part:
            save_file(flat, part, {KEY: json.dumps(about, sort_keys=True)})
    except SafetensorError as problem:  # such as a full disk
        raise OSError(errno.EIO, f"{path} cannot be written ({problem}); the checkpoint before is kept") from problem


def read(path: Path) -> Checkpoint:
    """The checkpoint in a file; BadInput says what is wrong with another."""
    try:
        with safe_open(path, "numpy") as file:
            names, metadata = list(file.keys()), file.metadata() or {}
        about = json.loads(metadata.get(KEY, "{}"))
    except FileNotFoundError:
        raise BadInput(f"There is no checkpoint {path}.") from None
    except (OSError, SafetensorError, ValueError):
        raise _damaged(path) from None
    if about.get("format") != FORMAT or set(about["sums"]) != set(names):
        raise BadInput(f"{path} is no checkpoint of Spielwerk, or one of another version.")
    return Checkpoint(path, about)


def _mapped(path: Path, name: str) -> np.ndarray:
    """An array as it lies in the file, after eight bytes with the length of a header in JSON, and that header."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(length))[name]
    (start, end), dtype = entry["data_offsets"], np.dtype(DTYPES[entry["dtype"]])
    if start == end:
        return np.zeros(entry["shape"], dtype)
    flat = np.memmap(path, dtype, "c", 8 + length + start, ((end - start) // dtype.itemsize,))
    return np.asarray(flat).reshape(entry["shape"])


def _sum(array: np.ndarray) -> int:
    return zlib.crc32(array.reshape(-1).view(np.uint8).data)


def _damaged(path: Path) -> BadInput:
    return BadInput(f"{path} is damaged, cut short, or no checkpoint at all.")
