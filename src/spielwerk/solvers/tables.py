"""Tables on disk: one file each, memory-mapped, with a header and checksums, under `tables` in the data folder.

A file is a line of JSON, zeros up to a whole page, and the array as it is. It appears under its name only when it is
whole. The line ends with a checksum of itself; that of each piece of the array is looked at when the piece is first
read, so that opening a table costs nothing. Files of the first version have no checksum of the line.
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from spielwerk import folders
from spielwerk.data import check_plain, is_whole, parsed
from spielwerk.files import clear_left, whole
from spielwerk.names import BadInput

MAGIC, FIRST_MAGIC = "spielwerk table 2", "spielwerk table 1"
DTYPES = ("|i1", "|u1", "<i2", "<i4", "<i8", "<u2", "<u4", "<u8", "<f4", "<f8")
MOST_HEADER = 1 << 24  # bytes
MOST_ENTRIES = 1 << 50
PAGE = 4096
PIECE = 1 << 20  # bytes under one checksum


def folder(game: str) -> Path:
    """Where the tables of a game lie; its name, without what file systems do not like."""
    return folders.home() / "tables" / game.replace(":", "_").replace(",", "_")


class Table:
    """A table that was opened: its header, and its array, which is not read before it is asked for."""

    def __init__(self, path: Path, header: dict[str, Any], array: np.ndarray) -> None:
        self.path, self.header, self.array = path, header, array
        self._sums: list[int] = header["sums"]
        self._checked = np.zeros(len(self._sums), bool)

    def __getitem__(self, index: int) -> Any:
        """One element, from a piece that was checked."""
        piece = index * self.array.itemsize // PIECE
        if not 0 <= index < len(self.array):
            raise BadInput(
                f"{self.path} is damaged (it has no entry {index}); delete it, and it will be computed again."
            )
        if not self._checked[piece]:
            self._check(piece)
        return self.array[index]

    def whole(self) -> np.ndarray:
        """The array for kernels, all of it checked."""
        for piece in np.flatnonzero(~self._checked):
            self._check(int(piece))
        return self.array

    def _check(self, piece: int) -> None:
        data = self.array.view(np.uint8)[piece * PIECE : (piece + 1) * PIECE]
        if zlib.crc32(data.data) != self._sums[piece]:
            raise BadInput(f"{self.path} is damaged (piece {piece}); delete it, and it will be computed again.")
        self._checked[piece] = True


def write(path: Path, array: np.ndarray, about: dict[str, Any], facts: dict[str, Any] | None = None) -> Table:
    """Writes a table; `about` says what it is, and is compared when it is opened. `facts` are what else is known."""
    flat = np.ascontiguousarray(array).reshape(-1)
    data = flat.view(np.uint8)
    sums = [zlib.crc32(data[start : start + PIECE].data) for start in range(0, len(data), PIECE)]
    header = {"magic": MAGIC, "about": about, "facts": facts or {}}
    header |= {"dtype": flat.dtype.str, "count": len(flat), "sums": sums}
    line = json.dumps(header | {"seal": _seal(header)}).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_left(path)
    with whole(path) as part, part.open("wb") as file:
        file.write(line + bytes(-len(line) % PAGE))
        file.write(data.data)
    return open_table(path, about)


def open_table(path: Path, about: dict[str, Any], count: int | None = None, dtype: Any = None) -> Table:
    """The table in a file that `write` wrote with the same `about`; BadInput says what is wrong with another.

    `count` is the number of elements that it must have and `dtype` their type, where the caller knows.
    """
    line, header = _header(path)
    kind, length, found = np.dtype(header["dtype"]), header["count"], header["about"]
    if found != about:
        raise BadInput(f"{path} is a table of something else: {found}, not {about}.")
    offset = -(-len(line) // PAGE) * PAGE
    size = path.stat().st_size
    if size != offset + length * kind.itemsize or len(header["sums"]) != _pieces(length, kind):
        raise BadInput(f"{path} is truncated: {size:,} bytes of {offset + length * kind.itemsize:,}.")
    if count is not None and length != count:
        raise BadInput(f"{path} has {length:,} entries instead of {count:,}.")
    if dtype is not None and kind != np.dtype(dtype):
        raise BadInput(f"{path} holds {kind.name} instead of {np.dtype(dtype).name}.")
    return Table(path, header, np.memmap(path, kind, "r", offset, (length,)) if length else np.zeros(0, kind))


def opened_or_made(
    path: Path, about: dict[str, Any], make: Callable[[], np.ndarray], count: int | None = None, dtype: Any = None
) -> Table:
    """The table if it is there, or made and written; a damaged or foreign file is refused, never replaced."""
    return open_table(path, about, count, dtype) if path.exists() else write(path, make(), about)


def _header(path: Path) -> tuple[bytes, dict[str, Any]]:
    """The first line of a table and what it says, all of which was looked at."""
    try:
        check_plain(path)
        with path.open("rb") as file:
            line = file.readline(MOST_HEADER)
        header = parsed(line)
        if not _sound(header):
            raise ValueError
    except FileNotFoundError:
        raise BadInput(f"There is no table {path}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{path} is not a Spielwerk table.") from None
    seal = header.pop("seal", None)
    if header["magic"] != FIRST_MAGIC and seal != _seal(header):
        raise BadInput(f"{path} is damaged (its header); delete it, and it will be computed again.")
    return line, header


def _sound(header: dict[str, Any]) -> bool:
    """Whether a header has all its parts, each of its own kind."""
    known = header["magic"] in (MAGIC, FIRST_MAGIC) and header["dtype"] in DTYPES
    whole = is_whole(header["count"], 0, MOST_ENTRIES) and isinstance(header["facts"], dict)
    sums = header["sums"]
    return known and whole and isinstance(sums, list) and all(is_whole(one, 0, 2**32 - 1) for one in sums)


def _seal(header: dict[str, Any]) -> int:
    """The checksum of a header."""
    return zlib.crc32(json.dumps(header, sort_keys=True).encode())


def _pieces(length: int, dtype: np.dtype) -> int:
    return -(-length * dtype.itemsize // PIECE)


def need(path: Path, disk: int = 0, memory: int = 0) -> None:
    """Refuses work for which the disk or the memory does not suffice, in bytes, before it begins."""
    folders.made(path)
    free = shutil.disk_usage(path).free
    if disk > free:
        raise BadInput(f"This needs {size_text(disk)} of disk in {path}; {size_text(free)} are free.")
    available = available_memory()
    if available is not None and memory > available:
        raise BadInput(f"This needs {size_text(memory)} of memory; {size_text(available)} are available.")


def size_text(number: int) -> str:
    """Bytes for people, such as 1.2 GB."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if number >= unit:
            return f"{number / unit:,.1f} {name}"
    return f"{number / 1e3:,.0f} kB"


def available_memory() -> int | None:
    """Bytes that can still be had; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    sizes = {key: int(rest.split()[0]) * 1024 for key, _, rest in (line.partition(":") for line in lines)}
    return sizes.get("MemAvailable")
