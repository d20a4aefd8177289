"""What comes from outside: files, other programs and packages. Read within bounds, and made fit for a terminal.

JSON here is what the standard calls JSON: no NaN, no infinity, and no number that 64 bits or a float do not hold.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import tomllib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from spielwerk.names import BadInput, printable

MOST_WORD = 2**64  # no whole number in a file is as large
LONGEST_LINE = 1 << 24  # letters of a line, which may be a whole game
MOST_TEXT = 64_000_000  # bytes of a file that is read at once
PLUGIN_FAULTS = (Exception, SystemExit)  # whatever the code of another package does while it is imported


def parsed(text: str | bytes) -> Any:
    """The value that JSON writes; ValueError says what is wrong with another text."""
    try:
        return json.loads(text, parse_constant=_refused, parse_float=_finite, parse_int=_whole)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parsed_toml(text: str) -> dict[str, Any]:
    """The table that TOML writes; ValueError says what is wrong with another text."""
    try:
        found = tomllib.loads(text, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    for value in _leaves(found):
        if isinstance(value, int) and abs(value) >= MOST_WORD:
            raise ValueError("a number is too large")
    return found


def json_text(value: Any, **options: Any) -> str:
    """The value as JSON; what is not a finite number becomes null, since JSON has no word for it."""
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_without_nan(value), allow_nan=False, **options)


def cleaned(value: Any) -> Any:
    """The same with all texts in it, the keys too, made printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {cleaned(key): cleaned(one) for key, one in value.items()}
    return [cleaned(one) for one in value] if isinstance(value, list) else value


def read_bytes(path: Path, most: int = MOST_TEXT) -> bytes:
    """What a plain file holds; OSError where it cannot be read, ValueError where it is too large."""
    check_plain(path)
    with path.open("rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise ValueError(f"more than {most:,} bytes")
    return found


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """The same as text in UTF-8."""
    return read_bytes(path, most).decode("utf-8")


def check_plain(path: Path) -> None:
    """OSError where a path is no file with a beginning and an end, but a folder, a pipe or a device."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "It is not a regular file", str(path))


def lines_of(file: TextIO, longest: int = LONGEST_LINE) -> Iterator[str]:
    """The lines of a text; BadInput at one that is longer than any can be."""
    number = 0
    while line := file.readline(longest):
        number += 1
        if len(line) == longest and not line.endswith("\n"):
            raise BadInput(f"Line {number} has more than {longest:,} characters.")
        yield line


def is_number(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Whether a value is a finite number within these limits; true and false are none."""
    return type(value) in (int, float) and math.isfinite(value) and least <= value <= most


def is_whole(value: Any, least: int, most: int) -> bool:
    """Whether a value is a whole number within these limits."""
    return type(value) is int and least <= value <= most


@contextmanager
def left_out() -> Iterator[None]:
    """What is refused in here is said on the side, and the rest goes on."""
    try:
        yield
    except BadInput as problem:
        warnings.warn(f"{problem} It is left out.", stacklevel=3)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not a finite number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is not a finite number")
    return value


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > len(str(MOST_WORD)) or abs(int(text)) >= MOST_WORD:
        raise ValueError("a number is too large")
    return int(text)


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (leaf for one in value.values() for leaf in _leaves(one))
    return (leaf for one in value for leaf in _leaves(one)) if isinstance(value, list) else (value,)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _without_nan(one) for key, one in value.items()}
    return [_without_nan(one) for one in value] if isinstance(value, list | tuple) else value
