"""Tables on disk: whatever a file holds, it is either what was written or refused in a sentence."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import CAREFUL, damaged
from spielwerk.names import BadInput
from spielwerk.solvers import tables

ABOUT = {"game": "nim", "holds": "squares"}
ARRAY = np.linspace(-1, 1, 1000)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("table") / "a.table"
    tables.write(path, ARRAY, ABOUT, {"wins": 3})
    return path.read_bytes()


def _former(**other: Any) -> bytes:
    """A table as the first version wrote it."""
    data = ARRAY.tobytes()
    header = {"magic": "spielwerk table 1", "about": ABOUT, "facts": {}, "dtype": "<f8", "count": len(ARRAY)}
    line = json.dumps({**header, "sums": [zlib.crc32(data)], **other}).encode() + b"\n"
    return line + bytes(-len(line) % tables.PAGE) + data


def test_one_bit_of_the_header_that_changed_is_noticed(good: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    line = good[: good.index(b"\n")]
    for at in range(len(line)):
        for bit in (1, 2, 4):
            path.write_bytes(good[:at] + bytes([good[at] ^ bit]) + good[at + 1 :])
            with pytest.raises(BadInput, match=r"a\.table"):
                tables.open_table(path, ABOUT)


def test_a_table_of_the_first_version_is_still_read(tmp_path: Path) -> None:
    path = tmp_path / "old.table"
    path.write_bytes(_former())
    assert (tables.open_table(path, ABOUT, len(ARRAY), np.float64).whole() == ARRAY).all()


@pytest.mark.parametrize(
    "other",
    [
        *({"dtype": ">f8"}, {"dtype": "O"}, {"dtype": "<i8"}, {"dtype": "<m8"}, {"count": 999}, {"count": 10**30}),
        *({"count": -1}, {"sums": []}, {"sums": [0]}, {"sums": ["x"]}, {"facts": 1}, {"dtype": ["<f8"]}),
    ],
)
def test_a_header_of_the_first_version_that_cannot_be_right_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    path = tmp_path / "old.table"
    path.write_bytes(_former(**other))
    with pytest.raises(BadInput, match=r"old\.table"):
        tables.open_table(path, ABOUT, len(ARRAY), np.float64).whole()


def test_a_table_of_something_else_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    tables.write(path, ARRAY, ABOUT)
    with pytest.raises(BadInput, match="is a table of something else"):
        tables.open_table(path, {"game": "morris"})
    with pytest.raises(BadInput, match="holds float64 instead of int16"):
        tables.open_table(path, ABOUT, dtype=np.int16)
    with pytest.raises(BadInput, match="has 1,000 entries instead of 10"):
        tables.opened_or_made(path, ABOUT, lambda: ARRAY, 10)
    with pytest.raises(BadInput, match="it has no entry 1000"):
        tables.open_table(path, ABOUT)[1000]


def test_a_pipe_is_no_table_and_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe.table"
    os.mkfifo(path)
    with pytest.raises(BadInput, match=r"pipe\.table cannot be read: It is not a regular file"):
        tables.open_table(path, ABOUT)


@CAREFUL
@given(data=st.data())
def test_a_damaged_table_is_refused_or_what_it_was(good: bytes, tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "a.table"
    path.write_bytes(data.draw(damaged(good)))
    found, said = ARRAY, str(path)
    try:
        found = tables.open_table(path, ABOUT).whole()
    except BadInput as problem:
        said = str(problem)
    assert str(path) in said
    assert (found == ARRAY).all()
