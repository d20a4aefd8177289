"""Progress in a log, where there is no terminal."""

from __future__ import annotations

import pytest

from spielwerk.commands.shared import progress_lines
from spielwerk.commands.shared.progress_lines import ProgressLines


def test_a_line_is_said_from_time_to_time_and_never_twice_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1.0, 3.0, 3.5, 6.0, 9.0])
    monkeypatch.setattr(progress_lines.time, "monotonic", lambda: next(clock))
    lines = ProgressLines("solving nim")
    for done in (10, 20, 30, 30, 40):
        lines(done, 100)
    assert capsys.readouterr().err.splitlines() == ["solving nim: 20 %", "solving nim: 30 %", "solving nim: 40 %"]
