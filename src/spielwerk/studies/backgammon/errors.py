"""Error rates on the public set: decisions whose every play GNU Backgammon has judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from spielwerk.arena.grading.examination import public_file
from spielwerk.arena.grading.grade import MILLI, answers
from spielwerk.arena.grading.judged import Question, questions
from spielwerk.games.registry import game
from spielwerk.studies.backgammon import plots
from spielwerk.studies.backgammon.ladder import (
    EVOLVED,
    GAME,
    GENERATIONS,
    Rung,
    asking,
    left_out,
    player_of,
    rungs,
)
from spielwerk.studies.backgammon.phases import NAMES, phase
from spielwerk.studies.backgammon.published import published, remark
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.nim.settings import BACKGAMMON
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Draw, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

JUDGE = "GNU Backgammon 2-ply"
PUBLIC = 2000  # decisions in the set
DECISIONS = (PUBLIC, 100)  # full and quick
PORTION = 250  # decisions of one job
BRED_ON = PUBLIC // BACKGAMMON["decisions"]  # the evolved player was bred on every so many-th decision
FEW = 20  # decisions of a phase, below which it gets no row


def jobs_of(rung: Rung, form: Form) -> list[Job]:
    """The jobs of one rung, portion by portion."""
    count = DECISIONS[form.quick]
    given = {"decisions": count, "seed": form.seed}
    return asking("backgammon.errors:ask", rung, given, count, PORTION)


def jobs(form: Form) -> list[Job]:
    """Those of all rungs."""
    return [job for rung in rungs(form) for job in jobs_of(rung, form)]


def chosen(decisions: int) -> list[int]:
    """The numbers of so many public decisions, evenly spread: each from the middle of its part of the set."""
    return [(2 * i + 1) * PUBLIC // (2 * decisions) for i in range(decisions)]


def public(numbers: Sequence[int]) -> list[Question]:
    """The public decisions of those numbers."""
    variant = game(GAME)
    path = public_file(variant)
    assert path is not None
    every = questions(variant, path)
    return [every[number]() for number in numbers]


def ask(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What each of some public decisions costs a player, and in which phase it is."""
    player = player_of(given["player"], callback)
    numbers = chosen(given["decisions"])[given["first"] : given["last"]]
    if given["player"].startswith(EVOLVED):
        numbers = [number for number in numbers if number % BRED_ON]
    asked = public(numbers)
    ends = answers(player, asked, given["seed"], lambda done: callback(done / len(asked)))
    costs = [cost(question, end) for question, end in zip(asked, ends, strict=True)]
    return {"costs": costs, "phases": [phase(question.position) for question in asked]}


def cost(question: Question, end: tuple[int, ...]) -> float:
    """What a choice loses, in thousandths of a point."""
    return MILLI * (max(worth.score for worth in question.worths.values()) - question.worths[end].score)


def costs_of(rung: Rung, form: Form, results: Results) -> list[tuple[str, float]]:
    """The phase of each decision, and what it cost."""
    parts = [results[job] for job in jobs_of(rung, form)]
    return [pair for part in parts for pair in zip(part["phases"], part["costs"], strict=True)]


def report(form: Form, results: Results) -> Report:
    """The whole ladder, then each rung by phase."""
    found = {rung.title: costs_of(rung, form, results) for rung in rungs(form)}
    whole = [error_row(title, title, [cost for _, cost in pairs], JUDGE) for title, pairs in found.items()]
    elsewhere = Row("wildbg", published("errors", "wildbg"), None, note="not played here", unit=VALUE)
    parts = [row for title, pairs in found.items() for row in phase_rows(title, pairs, JUDGE)]
    notes = [
        f"Error rates in mEMG, thousandths of a point a decision. Judge: {JUDGE}, cubeless, for the best eight plays; "
        "1-ply for plays that are far behind. GNU 2-ply itself is measured by its own words: 0 by definition, but for "
        "plays outside these eight.",
        "Published figures are of other positions of mixed play.",
        f"The evolved player was bred on every {BRED_ON}th decision of the set; it is asked only the others.",
        *left_out(form),
    ]
    return Report([*whole, elsewhere, *parts], notes, drawn(whole, parts, JUDGE))


def drawn(whole: Sequence[Row], parts: Sequence[Row], judge: str) -> dict[str, Draw]:
    """The plots of a ladder; that of the phases only where they have rows."""
    found: dict[str, Draw] = {"ladder": partial(plots.ladder, f"Error rate in mEMG; judge: {judge}", whole)}
    if parts:
        found["phases"] = partial(plots.by_phase, f"Error rate by phase in mEMG; judge: {judge}", parts)
    return found


def error_row(name: str, known_as: str, costs: Sequence[float], judge: str, **more: Any) -> Row:
    """The mean cost of some decisions, with its interval, and the judge beside it."""
    sample = Sample(tuple(costs))
    low, high = sample.spread_interval
    note = "; ".join(filter(None, (f"{len(costs):,} decisions, judge {judge}", remark("errors", known_as))))
    facts = {"decisions": len(costs), "judge": judge, **more}
    value = published("errors", known_as)
    return Row(name, value, sample.mean, (max(0.0, low), high), note=note, unit=VALUE, more=facts)


def phase_rows(title: str, pairs: Sequence[tuple[str, float]], judge: str) -> Iterator[Row]:
    """A row for each phase that has enough decisions."""
    for name in NAMES:
        costs = [cost for found, cost in pairs if found == name]
        if len(costs) >= FEW:
            yield error_row(f"{title}, {name}", "", costs, judge, rung=title, phase=name)


RECIPES = (
    Recipe(
        "backgammon/errors",
        f"error rates of the ladder in mEMG on public decisions, by phase (judge: {JUDGE})",
        jobs,
        report,
        f"{DECISIONS[1]} decisions instead of {DECISIONS[0]:,}, without depth 3, "
        f"{GENERATIONS[1]} generations of evolution instead of {GENERATIONS[0]}",
    ),
)
