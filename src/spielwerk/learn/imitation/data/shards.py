"""Shards: the files of a data folder, a row for each position, as compressed JSON lines or as Parquet.

A row has a `position` as people write it, and where a teacher moved the `move`, its `actions` as numbers, and perhaps
the actions of all `best` moves. Files are written whole, so that one that is there is finished.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from spielwerk.data import json_text, lines_of, parsed
from spielwerk.files import whole
from spielwerk.names import BadInput

JSONL, PARQUET = FORMATS = ("jsonl", "parquet")
SUFFIXES = {JSONL: ".jsonl.gz", PARQUET: ".parquet"}
Row = dict[str, Any]


def shard_file(folder: Path, what: str, number: int, form: str) -> Path:
    """Where a shard lies, such as pairs-000012.jsonl.gz."""
    return folder / f"{what}-{number:06}{SUFFIXES[form]}"


def shards(folder: Path, what: str) -> list[Path]:
    """All that are there, in order."""
    return sorted(path for suffix in SUFFIXES.values() for path in folder.glob(f"{what}-*{suffix}"))


def check_format(form: str) -> None:
    """Refuses a format that there is not, or whose package is not installed."""
    if form not in FORMATS:
        raise BadInput(f'A dataset cannot be written as "{form}"; possible: {", ".join(FORMATS)}.')
    if form == PARQUET:
        _pyarrow()


def write_shard(path: Path, rows: Sequence[Row]) -> None:
    """Writes a file, whole or not at all."""
    with whole(path) as part:
        if path.suffix == ".parquet":
            arrow, parquet = _pyarrow()
            parquet.write_table(arrow.Table.from_pylist(list(rows)), part, compression="zstd")
        else:
            text = "".join(f"{json_text(row)}\n" for row in rows)
            part.write_bytes(gzip.compress(text.encode(), mtime=0))


def read_shard(path: Path) -> Iterator[tuple[int, Any]]:
    """Each row with its number, from 1; None for a line that is not JSON. BadInput where the file is damaged."""
    return _read_parquet(path) if path.suffix == ".parquet" else _read_lines(path)


def _read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(lines_of(file), 1):
                try:
                    yield number, parsed(line)
                except ValueError:
                    yield number, None
    except (EOFError, UnicodeDecodeError, zlib.error, gzip.BadGzipFile) as problem:
        raise BadInput(f"{path} is damaged: {problem}.") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}.") from None


def _read_parquet(path: Path) -> Iterator[tuple[int, Any]]:
    arrow, parquet = _pyarrow()
    try:
        rows = parquet.ParquetFile(path).read().to_pylist()
    except (OSError, arrow.ArrowException) as problem:
        raise BadInput(f"{path} cannot be read: {problem}.") from None
    yield from enumerate(rows, 1)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput(
            f"Parquet needs one more package: pip install 'spielwerk[parquet]'; format={JSONL} needs none."
        ) from None
    return pyarrow, pyarrow.parquet
