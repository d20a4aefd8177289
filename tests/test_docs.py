"""The documentation is true: its Python examples run and print what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("python.md", 30),
        ("batch.md", 15),
        ("library.md", 15),
        ("kernels.md", 30),
        ("agents.md", 6),
        ("own-agents.md", 10),
        ("matches.md", 5),
        ("grade.md", 5),
        ("training.md", 6),
        ("evolution.md", 8),
    ],
)
def test_the_examples_of_a_page_print_what_it_says(
    page: str, least: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / page).read_text()
    for block in BLOCK.findall(text):
        if "def branching(" in block:
            (home / "branching.py").write_text(block)
    monkeypatch.chdir(home)
    monkeypatch.syspath_prepend(home)
    examples = re.sub(r"^```.*$", "", text, flags=re.M)
    test = doctest.DocTestParser().get_doctest(examples, {"__name__": "__main__"}, page, page, 0)
    assert len(test.examples) >= least
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    assert found.failed == 0


def test_the_readmes_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = BLOCK.findall((ROOT / "README.md").read_text())
    assert len(block.strip().splitlines()) <= 12
    exec(block, {})
    assert "'8/5 6/5'" in capsys.readouterr().out
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert link.startswith("http") or (page.parent / link).exists(), f"{page.name}: {link}"
