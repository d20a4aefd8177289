"""Error rates on fresh decisions that our own rollouts judge, and how far GNU Backgammon agrees with the judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from spielwerk.arena.grading.grade import MILLI
from spielwerk.kernel.random import stream
from spielwerk.studies.backgammon.errors import drawn, error_row, phase_rows
from spielwerk.studies.backgammon.fresh_play import decisions
from spielwerk.studies.backgammon.judging import MARGIN, MOST, Judge, Verdict
from spielwerk.studies.backgammon.ladder import (
    GNU_2,
    Rung,
    asking,
    left_out,
    player_of,
    portions,
    rungs,
)
from spielwerk.studies.backgammon.phases import phase
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import SHARE, VALUE, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

COUNT = (2000, 20)  # decisions, full and quick
GAMES, TURNS = (324, 24), (10, 4)  # of a rollout
CHECKED = (500, 20)  # decisions that GNU Backgammon judges too
JUDGED_AT_ONCE, ASKED_AT_ONCE = (25, 10), 250  # decisions of one job
A_VERDICT = (12.0, 2.5)  # seconds, with the game that the decision is from


def judge_name(form: Form) -> str:
    """How the judge is called beside its error rates."""
    return f"our rollouts ({GAMES[form.quick]} games of {TURNS[form.quick]} turns)"


def judge_jobs(form: Form) -> list[Job]:
    """The verdicts, portion by portion."""
    given = {"games": GAMES[form.quick], "turns": TURNS[form.quick], "seed": form.seed}
    return [
        Job("backgammon.fresh:judge", given | part, (part["last"] - part["first"]) * A_VERDICT[form.quick])
        for part in portions(COUNT[form.quick], JUDGED_AT_ONCE[form.quick])
    ]


def ask_jobs(rung: Rung, form: Form) -> list[Job]:
    """What a rung chooses, portion by portion."""
    return asking("backgammon.fresh:ask", rung, {"seed": form.seed}, COUNT[form.quick], ASKED_AT_ONCE)


def check_jobs(form: Form) -> list[Job]:
    """What GNU Backgammon says of the first decisions, where it is installed."""
    if not GNU_2.installed:
        return []
    return [
        Job("backgammon.fresh:check", {"seed": form.seed} | part, (part["last"] - part["first"]) * GNU_2.decision)
        for part in portions(CHECKED[form.quick], ASKED_AT_ONCE)
    ]


def jobs(form: Form) -> list[Job]:
    """Verdicts, choices and the check."""
    asked = [job for rung in rungs(form) for job in ask_jobs(rung, form)]
    return [*judge_jobs(form), *asked, *check_jobs(form)]


def judge(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The positions, their phases, and the verdict on each."""
    positions = decisions(given["seed"], given["first"], given["last"])

    def watch() -> bool:
        callback(0.0)
        return False

    found = Judge(given["games"], given["turns"], given["seed"]).verdicts(positions, given["first"], watch)
    return {
        "positions": [str(position) for position in positions],
        "phases": [phase(position) for position in positions],
        "halves": [one.halves.round(6).tolist() for one in found],
        "rolled": [list(one.rolled) for one in found],
    }


def ask(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The number of the play that a player chooses in each decision."""
    player, chosen = player_of(given["player"], callback), list[int]()
    positions = decisions(given["seed"], given["first"], given["last"])
    for number, position in enumerate(positions, given["first"]):
        end = player.turn(position, stream(given["seed"], f"fresh {number}")).end
        chosen.append([turn.end for turn in position.turns()].index(end))
        callback(len(chosen) / len(positions))
    return {"plays": chosen}


def check(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """What GNU Backgammon 2-ply says of every play."""
    player, worths = player_of(GNU_2.player, callback), list[list[float]]()
    positions = decisions(given["seed"], given["first"], given["last"])
    for position in positions:
        said = {one.move: one.value for one in player.analyse(position).moves}
        worths.append([float(said[turn.text] or 0.0) for turn in position.turns()])
        callback(len(worths) / len(positions))
    return {"worths": worths}


def verdicts(form: Form, results: Results) -> list[tuple[str, Verdict]]:
    """The phase of each decision, and the verdict on it."""
    found = []
    for part in (results[job] for job in judge_jobs(form)):
        for name, halves, rolled in zip(part["phases"], part["halves"], part["rolled"], strict=True):
            found.append((name, Verdict(np.array(halves), tuple(rolled))))
    return found


def report(form: Form, results: Results) -> Report:
    """The ladder by our judge, by phase, and how far the judges agree."""
    judged, name = verdicts(form, results), judge_name(form)
    whole, parts = [], list[Row]()
    for rung in rungs(form):
        plays = [play for job in ask_jobs(rung, form) for play in results[job]["plays"]]
        pairs = [(where, MILLI * one.cost(play)) for (where, one), play in zip(judged, plays, strict=True)]
        split = float(np.mean([MILLI * one.split_cost(play) for (_, one), play in zip(judged, plays, strict=True)]))
        row = error_row(rung.title, "", [cost for _, cost in pairs], name, split=split)
        whole.append(_with_note(row, f"{split:.1f} by halves"))
        parts += phase_rows(rung.title, pairs, name)
    notes = [
        f"Error rates in mEMG. Judge: {name} with td, of the plays within {MARGIN} of the best two turns ahead, at "
        f"most {MOST}; on average {np.mean([len(one.rolled) for _, one in judged]):.1f} plays a decision.",
        "The best of several noisy values looks better than it is, so error rates are rather too high; by halves, the "
        "best play is chosen by half of the games and valued by the others, which is rather too low.",
        "Each decision is from a game of its own, in which td plays three turns of four and pubeval the others. The "
        "judge is td's own network: it may share its mistakes, which is what the check by GNU Backgammon is for.",
        *left_out(form),
    ]
    return Report([*whole, *agreement(form, results, judged), *parts], notes, drawn(whole, parts, name))


def _with_note(row: Row, note: str) -> Row:
    return Row(row.name, None, row.ours, row.interval, note=f"{row.note}; {note}", unit=row.unit, more=row.more)


def agreement(form: Form, results: Results, judged: list[tuple[str, Verdict]]) -> list[Row]:
    """How often both judges choose the same play, and what the choice of each costs by the other."""
    gnu = [np.array(worths) for job in check_jobs(form) for worths in results[job]["worths"]]
    if not gnu:
        return []
    ours = [one for _, one in judged[: len(gnu)]]
    worths = [one.halves.mean(axis=0) for one in ours]
    best = [int(own.argmax()) for own in worths]
    same = Sample(tuple(float(theirs[play] == theirs.max()) for theirs, play in zip(gnu, best, strict=True)))
    lost = [MILLI * float(theirs.max() - theirs[play]) for theirs, play in zip(gnu, best, strict=True)]
    by_us = [MILLI * one.split_cost(int(theirs.argmax())) for one, theirs in zip(ours, gnu, strict=True)]
    apart = [abs(own[play] - theirs[play]) for own, theirs, play in zip(worths, gnu, best, strict=True)]
    count = f"{len(gnu)} decisions"
    own_judge = f"{count}, judge {judge_name(form)}"
    return [
        Row.of("both judges choose the same play", None, same, note=count, unit=SHARE),
        error_row("choice of our rollouts", "", lost, "GNU Backgammon 2-ply"),
        Row("choice of GNU 2-ply, by halves", None, float(np.mean(by_us)), note=own_judge, unit=VALUE),
        Row("equities of that play differ by", None, MILLI * float(np.mean(apart)), note=count, unit=VALUE),
    ]


RECIPES = (
    Recipe(
        "backgammon/fresh",
        "error rates of the ladder in mEMG on fresh decisions, by phase (judge: our rollouts)",
        jobs,
        report,
        f"{COUNT[1]} decisions instead of {COUNT[0]:,}, rollouts of {GAMES[1]} games of {TURNS[1]} turns instead of "
        f"{GAMES[0]} of {TURNS[0]}, without depth 3",
    ),
)
