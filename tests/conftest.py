"""What tests share: the folder of reference data, and a data folder of their own."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from page_server import DESKTOP, Server, chromium, served
from spielwerk.cli import main

Run = Callable[..., tuple[int, str, str]]
FOLDER = Path(os.environ.get("SPIELWERK_REFS") or Path(__file__).parents[2] / "shared" / "refs")


@pytest.fixture(scope="session")
def refs() -> Path:
    """The reference data; tests that need it are skipped only where it does not exist."""
    if not FOLDER.is_dir():
        pytest.skip("the reference data (../shared/refs, or SPIELWERK_REFS) is not here")
    return FOLDER


@pytest.fixture(scope="session")
def records(refs: Path) -> Callable[[str], Iterator[Any]]:
    """Reads a gzip'd file of JSON lines under the reference data, without its header."""

    def read(name: str) -> Iterator[Any]:
        with gzip.open(refs / name, "rt") as lines:
            yield from (record for record in map(json.loads, lines) if "header" not in record)

    return read


@pytest.fixture(scope="session", autouse=True)
def _not_the_users_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes what the user has; what tests may share lies in one folder of this session."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPIELWERK_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, in place of the user's."""
    monkeypatch.setenv("SPIELWERK_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page's server, in a process of its own."""
    with served(tmp_path_factory.mktemp("page")) as found:
        yield found


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A page whose own faults fail the test."""
    clipboard = ["clipboard-read", "clipboard-write"]
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce", permissions=clipboard)
    found, faults = context.new_page(), []
    found.on("pageerror", lambda error: faults.append(str(error)))
    yield found
    context.close()
    assert faults == []


@pytest.fixture
def spielwerk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command with some arguments and input: (exit code, output, errors)."""

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spielwerk", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        shown = capsys.readouterr()
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return run
