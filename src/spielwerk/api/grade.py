"""`sw.grade`: an agent against the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from spielwerk import names
from spielwerk.api.arguments import Player, as_agent, as_game
from spielwerk.arena.agent import Agent
from spielwerk.arena.figures import percent, percent_interval
from spielwerk.arena.grading.examination import (
    SOURCES,
    Examination,
    ExamProgress,
    ExamReport,
    examination,
    judged_examination,
)
from spielwerk.arena.grading.grade import Grade
from spielwerk.arena.grading.grade_plot import grade_figure
from spielwerk.arena.grading.judged import questions
from spielwerk.arena.plots import drawn
from spielwerk.arena.result import Result, Rows
from spielwerk.games.game import Game
from spielwerk.names import BadInput
from spielwerk.solvers.oracle import oracle

ALL = "all"
DECISIONS = 2000
HEADS = ("", ">decisions", ">best class", ">perfect", ">regret a decision", ">mEMG", ">by chance")


@dataclass(frozen=True)
class GradeResult(Result):
    """How an agent has chosen where the truth is known."""

    game: Game
    agent: str
    seed: int
    report: ExamReport
    asked: int | None  # decisions asked for; None: all of a file
    illegal: float | None = None  # of an agent that does not know the rules: the share of choices that broke them

    @property
    def regret(self) -> float:
        """The score that a decision cost on average."""
        return self.report.whole.regret

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        more = {} if self.illegal is None else {"illegal": self.illegal}
        return {"game": self.game.name, "agent": self.agent, "seed": self.seed, **self.report.facts(), **more}

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for all decisions, and for each phase and source where there are several."""
        return HEADS, [_cells(label, part) for group in self.report.groups() for label, part in group]

    def plot(self) -> Any:
        """Shares of good choices and the regret, with intervals."""
        with drawn():
            return grade_figure(self.report, f"{self.agent} in {self.game.name}")


def grade(
    game: str | Game,
    agent: Player,
    *,
    positions: str = ALL,
    decisions: int | None = None,
    knows: str = "",
    judged: Path | None = None,
    seed: int = 1,
    found: ExamProgress = lambda count: None,
    callback: ExamProgress = lambda count: None,
) -> GradeResult:
    """Grades an agent by decisions whose truth the game's oracle knows, or by those of a file of `judged` positions.

    `positions` come from "own" games, "random" play, the "public" set, or "all" of them; `knows` are settings of the
    oracle, such as "stones=5". `found` receives how many positions there are so far, `callback` how many were answered.
    """
    if decisions is not None and decisions < 1:
        raise BadInput(f"A grade needs at least one decision, not {decisions}.")
    variant = as_game(game)
    chooser = as_agent(agent, variant)
    try:
        chooser.ready()
        if judged:
            exam = _from_file(variant, judged, decisions or 0, found)
        else:
            exam = _from_oracle(chooser, positions, decisions or DECISIONS, knows, seed, found)
        before = replace(chooser.choices) if chooser.choices else None
        report = exam.examine(chooser, seed, callback)
        illegal = chooser.choices.since(before).share if chooser.choices and before else None
    finally:
        chooser.close()
    return GradeResult(variant, chooser.name, seed, report, None if judged else decisions or DECISIONS, illegal)


def _from_file(game: Game, path: Path, limit: int, found: ExamProgress) -> Examination:
    """The positions of a file."""
    asked = []
    for read in questions(game, path, limit):
        asked.append(read())
        found(len(asked))
    return judged_examination(asked)


def _from_oracle(
    agent: Agent, positions: str, decisions: int, knows: str, seed: int, found: ExamProgress
) -> Examination:
    """Positions whose truth the game's oracle knows."""
    if positions not in (*SOURCES, ALL):
        raise names.unknown("There is no source of positions", positions, (*SOURCES, ALL), "Sources")
    known = oracle(agent.game, **names.split(f"oracle:{knows}")[1])
    sources = list(SOURCES) if positions == ALL else [positions]
    return examination(known, sources, decisions, seed, agent, found)


def _cells(label: str, part: Grade) -> list[str]:
    low, high = part.regret_interval
    return [
        label,
        f"{part.decisions:,}",
        "" if part.best_class is None else percent_interval(part.best_class, part.best_class_interval),
        percent_interval(part.perfect, part.perfect_interval),
        f"{part.regret:.4f} ({low:.4f} to {high:.4f})",
        "" if part.memg is None else f"{part.memg:.1f}",
        percent(part.chance),
    ]
