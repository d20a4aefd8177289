"""The documentation is true: its Python examples run and print what they say."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from spielwerk.games import registry
from spielwerk.games.shaping.rows import terms_of

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
        ("own-agents.md", 14),
        ("matches.md", 5),
        ("grade.md", 5),
        ("training.md", 6),
        ("td-networks.md", 7),
        ("alphazero.md", 5),
        ("rollouts.md", 6),
        ("evolution.md", 8),
        ("first-fifteen-minutes.md", 6),
        ("review.md", 14),
        ("experiment.md", 6),
        ("notebook.md", 9),
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


def test_the_game_that_own_games_builds_keeps_the_laws_and_is_known_right(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, face, proof, shaping, *_ = BLOCK.findall((ROOT / "docs" / "own-games.md").read_text())
    head = rules.replace("import setting", "import BadInput, setting").replace("from data", "import re\nfrom data", 1)
    (home / "race.py").write_text(f"{head}\n\n{face}\n\n{shaping}")
    (home / "race-0.1.0.dist-info").mkdir()
    (home / "race-0.1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: race\nVersion: 0.1.0\n")
    (home / "race-0.1.0.dist-info" / "entry_points.txt").write_text("[spielwerk.games]\nrace = race\n")
    monkeypatch.syspath_prepend(home)
    registry._added.cache_clear()
    registry._game.cache_clear()
    try:
        exec(proof, {})
        assert registry.game("race:goal=6").parse("3 B").moves() == ["+1", "+2", "+3"]
        left = [registry.game("race:goal=6").parse(text) for text in ("2 B", "3 B")]
        assert terms_of(left[0].game.batch(left * 2), [0, 0, 1, 1]).tolist() == [[1], [0], [0], [0]]
    finally:
        registry._added.cache_clear()
        registry._game.cache_clear()


def test_every_page_is_in_the_index() -> None:
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r"\]\(([\w-]+\.md)\)", (ROOT / "docs" / "README.md").read_text()))


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
