"""The notebooks of the examples run from top to bottom, and the outputs stored in them are true."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import matplotlib
import pytest

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def run_cell(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs a cell as Jupyter does, and returns what it prints and shows."""
    *body, last = ast.parse(source).body
    shown, printed = None, io.StringIO()
    with contextlib.redirect_stdout(printed):
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(body, []), "cell", "exec"), namespace)
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
        else:
            exec(compile(ast.Module([*body, last], []), "cell", "exec"), namespace)
    stream = {"name": "stdout", "output_type": "stream", "text": lines_of(printed.getvalue())}
    result = {"data": data_of(shown), "execution_count": None, "metadata": {}, "output_type": "execute_result"}
    return [stream] * bool(printed.getvalue()) + [result] * (shown is not None)


def data_of(shown: Any) -> dict[str, list[str]]:
    """An object as a table, else as a picture, else as text."""
    for kind, method in (("text/html", "_repr_html_"), ("image/svg+xml", "_repr_svg_")):
        text = getattr(shown, method, lambda: None)()
        if text is not None:
            return {kind: lines_of(text)}
    return {"text/plain": lines_of(repr(shown))}


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def joined(outputs: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """What outputs say, each with its kind."""
    said = [("stdout", "".join(output["text"])) for output in outputs if output["output_type"] == "stream"]
    for output in outputs:
        said += [(kind, "".join(lines)) for kind, lines in output.get("data", {}).items()]
    return said


def test_there_are_two_notebooks() -> None:
    assert len(NOTEBOOKS) == 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_stored(path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    matplotlib.use("agg")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5
    for cell in cells:
        source = "".join(cell["source"])
        found = joined(run_cell(source, namespace))
        for kind, text in joined(cell["outputs"]):
            assert (kind, text) in found, source
