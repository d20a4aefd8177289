"""JSON, TOML and text from outside: read within bounds, and written so that others can read it."""

from __future__ import annotations

import io
import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damage import CAREFUL, damaged
from spielwerk.arena.agent import Forfeit
from spielwerk.data import cleaned, json_text, lines_of, parsed, parsed_toml, read_bytes
from spielwerk.names import LONGEST, BadInput

GOOD = json.dumps({"a": [1, 2.5, None, True], "b": {"c": "text"}, "d": -(2**63)}).encode()
TOML = b'episodes = 40\nrate = 1e-05\non = true\n[run]\nseeds = [1, 2]\ntext = "a"\n'


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "9" * 400, "[" * 100_000, '{"a": ' * 50_000, str(2**64)])
def test_json_that_no_program_can_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|deep"):
        parsed(text)


@pytest.mark.parametrize(
    "text", ["a = nan", "a = 1e999", "a = " + "9" * 5000, "a = " + "9" * 30, "a = " + "[" * 50_000]
)
def test_so_is_toml(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|deep|digits"):
        parsed_toml(text)


@given(st.recursive(st.floats() | st.integers() | st.text() | st.none(), lambda one: st.lists(one), max_leaves=20))
def test_what_is_written_as_json_is_json(value: Any) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(json_text({"value": value}), parse_constant=refuse)


def test_what_is_no_number_is_written_as_null() -> None:
    assert json_text({"a": (math.nan, 1.0), "b": [-math.inf]}) == '{"a": [null, 1.0], "b": [null]}'


def test_texts_of_others_are_made_printable_wherever_they_stand() -> None:
    assert cleaned({"\x1b": ["\x1b[2J", {"a": "b\n"}], "n": 1}) == {r"\x1b": [r"\x1b[2J", {"a": r"b\n"}], "n": 1}
    assert str(Forfeit("said \x1b[2J")) == r"said \x1b[2J"
    assert len(str(BadInput("x" * 10**6))) < LONGEST + 10


def test_a_line_without_end_is_refused_before_it_fills_the_memory() -> None:
    assert list(lines_of(io.StringIO("a\nbc"), 3)) == ["a\n", "bc"]
    with pytest.raises(BadInput, match="Line 2 has more than 3 characters"):
        list(lines_of(io.StringIO("a\nbcdefgh"), 3))


def test_only_plain_files_of_some_size_are_read_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError, match=r"regular file|directory"):
            read_bytes(path)
    (tmp_path / "large").write_bytes(bytes(11))
    with pytest.raises(ValueError, match="more than 10 bytes"):
        read_bytes(tmp_path / "large", 10)


@CAREFUL
@given(data=st.data())
def test_damaged_text_is_a_value_or_a_value_error(data: st.DataObject) -> None:
    for read, good in ((parsed, GOOD), (lambda text: parsed_toml(text.decode()), TOML)):
        try:
            json_text(cleaned(read(data.draw(damaged(good)))), default=str)
        except ValueError:
            pass
