"""How far a job is: a training by its log, matches by the store, other commands by the last percentage they said."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from typing import Any

from spielwerk.arena.matches.stored_tournament import stored_tournament
from spielwerk.arena.records.store import Store
from spielwerk.games.game import Game
from spielwerk.learn.runs import open_run
from spielwerk.names import BadInput
from spielwerk.web.laboratory import runs, standings
from spielwerk.web.laboratory.job import FAILED, FINISHED, RUNNING, STOPPED, Job, superseded
from spielwerk.web.laboratory.jobs import Jobs

PERCENT = re.compile(r"(\d{1,3}) %$")
SAID = 6  # last lines that are shown
LISTED = 30  # jobs
KILLED = "The system ended it, perhaps for want of memory; it can be resumed."


def listed(jobs: Jobs) -> list[dict[str, Any]]:
    """The last jobs, the newest first."""
    found = jobs.all()
    gone_on = superseded(found)
    return [_job_facts(job, job.number in gone_on) for job in found[:LISTED]]


def shown(job: Job, jobs: Jobs) -> dict[str, Any]:
    """A job with what it printed at its end."""
    return _job_facts(job, job.number in superseded(jobs.all())) | {"result": job.result()}


def _job_facts(job: Job, gone_on: bool) -> dict[str, Any]:
    """A job for the page; `gone_on` if a later one went on with what it did."""
    state, order, lines = job.state, job.order, job.lines()
    facts = _facts(job, state, lines) | {"resumable": state in (STOPPED, FAILED) and not gone_on}
    with suppress(BadInput):
        done, total = (1, 1) if state == FINISHED and "match" not in order.about else _done(job, lines)
        return facts | {"done": done, "total": total, "now": _now(job)}
    return facts | {"done": 0, "total": 0, "now": ""}


def _facts(job: Job, state: str, lines: list[str]) -> dict[str, Any]:
    return {
        "job": job.number,
        "kind": job.order.kind,
        "title": job.order.title,
        "about": job.order.about,
        "state": state,
        "started": job.started,
        "said": lines[-SAID:],
        "problem": KILLED if job.killed else lines[-1] if state == FAILED and lines else "",
        "command": shlex.join(["spielwerk", *job.order.words]),
    }


def _done(job: Job, lines: list[str]) -> tuple[int, int]:
    """How much is done, of how much; (0, 0) where nobody knows."""
    about = job.order.about
    if job.order.kind == "train":
        run = open_run(about["run"])
        return sum(runs.progress(run, seed) for seed in run.config.seeds), run.config.episodes * len(run.config.seeds)
    if job.order.kind == "match":
        with Store() as store:
            return store.match(about["match"]).played, about["games"]
    if job.order.kind == "tournament":
        return _tournament(about["tournament"])
    said = [PERCENT.search(line) for line in lines]
    last = next((one for one in reversed(said) if one), None)
    return (min(int(last[1]), 100), 100) if last else (0, 0)


def _tournament(number: int) -> tuple[int, int]:
    with Store() as store:
        played = sum(match.played for match in store.matches(tournament=number))
        return played, stored_tournament(store, number, _nobody).games


def _nobody(name: str, game: Game) -> Any:
    raise BadInput(f"{name} does not play {game.name} here.")


def _now(job: Job) -> str:
    """What stands so far: the rate of a match."""
    if job.order.kind != "match" or job.state not in (RUNNING, FINISHED):
        return ""
    with Store() as store:
        facts = standings.match_facts(store, store.match(job.order.about["match"]))
    if facts["rate"] is None:
        return ""
    low, high = (100 * end for end in facts["interval"])
    return f"rate of {facts['agents'][0]}: {100 * facts['rate']:.1f} % ({low:.1f} to {high:.1f})"
