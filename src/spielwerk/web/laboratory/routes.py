"""The documents of the laboratory: runs, curves, ratings, matches, studies, and jobs to start, stop and resume."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from spielwerk.names import BadInput
from spielwerk.web.laboratory import asked, forms, orders, runs, standings, studies
from spielwerk.web.laboratory.curves import curve_facts
from spielwerk.web.laboratory.job import RUNNING, Job, Order
from spielwerk.web.laboratory.progress import job_facts
from spielwerk.web.protocol import Name

router = APIRouter(prefix="/api/lab")
MOST_NUMBER = 10**12
LISTED = 30  # jobs
RunName = Annotated[str, Field(max_length=100)]
Several = Annotated[str, Query(max_length=1000, description="Names of runs, separated by commas.")]
Facts = dict[str, Any]


@router.get("/runs", tags=["runs"])
async def run_list() -> list[Facts]:
    """The training runs, the newest first."""
    return await asyncio.to_thread(runs.listed)


@router.get("/runs/{name}", tags=["runs"])
async def run_shown(name: RunName) -> Facts:
    """A run with its figures and settings."""
    return await asyncio.to_thread(runs.shown, name)


@router.post("/runs/{name}/resume", tags=["jobs"])
async def run_resumed(name: RunName, wanted: asked.ResumeAsked, request: Request) -> Facts:
    """Goes on with a run in a job, perhaps for longer than it was planned."""
    return await _started(request, lambda: orders.resume_order(name, wanted, _taken(request)))


@router.get("/curves", tags=["runs"])
async def curves(names: Several) -> Facts:
    """The learning curves of runs of one game; runs that differ only by their seeds are one curve."""
    return await asyncio.to_thread(curve_facts, [name for name in names.split(",") if name])


@router.get("/last", tags=["runs"])
async def last_run() -> Facts:
    """The run that began last, with the curve of its strength; nothing where there is none."""
    return await asyncio.to_thread(runs.last) or {}


@router.get("/games", tags=["ratings and matches"])
async def games_played() -> list[str]:
    """The games of which matches are stored."""
    return await asyncio.to_thread(standings.games_played)


@router.get("/ladder", tags=["ratings and matches"])
async def ladder(game: Name) -> Facts:
    """The ratings of all agents that have played a game, with 95 % intervals."""
    return await asyncio.to_thread(standings.ladder_facts, game)


@router.get("/matches", tags=["ratings and matches"])
async def matches() -> list[Facts]:
    """The last matches, the newest first."""
    return await asyncio.to_thread(standings.matches)


@router.post("/matches/{number}/resume", tags=["jobs"])
async def match_resumed(number: int, request: Request) -> Facts:
    """Goes on with a stored match that was stopped."""
    return await _started(request, lambda: orders.stored_match_order(_number(number)))


@router.post("/tournaments/{number}/resume", tags=["jobs"])
async def tournament_resumed(number: int, request: Request) -> Facts:
    """Goes on with a stored tournament that was stopped."""
    return await _started(request, lambda: orders.stored_tournament_order(_number(number)))


@router.get("/tournaments", tags=["ratings and matches"])
async def tournaments() -> list[Facts]:
    """The tournaments, the newest first."""
    return await asyncio.to_thread(standings.tournaments)


@router.get("/tournaments/{number}", tags=["ratings and matches"])
async def tournament(number: int) -> Facts:
    """A tournament with its ratings and its cross table."""
    return await asyncio.to_thread(standings.tournament_facts, _number(number))


@router.get("/studies", tags=["studies"])
async def study_list() -> Facts:
    """The published experiments that can be carried out again, and which have a report."""
    return await asyncio.to_thread(studies.listed)


@router.get("/studies/{study}/{table}", tags=["studies"])
async def study(study: Name, table: Name, quick: bool = False) -> Facts:
    """The report of a study: published figures beside ours."""
    return await asyncio.to_thread(studies.shown, f"{study}/{table}", quick)


@router.get("/studies/{study}/{table}/figures/{number}", tags=["studies"], response_class=Response)
async def study_figure(study: Name, table: Name, number: int, quick: bool = False) -> Response:
    """A figure of a report."""
    found = await asyncio.to_thread(studies.drawn, f"{study}/{table}", quick, number)
    return Response(found, media_type="image/png")


@router.get("/learners", tags=["jobs"])
async def learners() -> Facts:
    """The learners with the settings that they describe."""
    return await asyncio.to_thread(forms.learners)


@router.get("/solvers", tags=["jobs"])
async def solvers(game: Name) -> list[Facts]:
    """The settings of the solver of a game."""
    return await asyncio.to_thread(forms.solver_settings, game)


@router.get("/jobs", tags=["jobs"])
async def job_list(request: Request) -> list[Facts]:
    """The last jobs, the newest first."""
    return await asyncio.to_thread(lambda: [job_facts(job) for job in request.app.state.jobs.all()[:LISTED]])


@router.get("/jobs/{number}", tags=["jobs"])
async def job(number: int, request: Request) -> Facts:
    """How far a job is, and what it printed at its end."""

    def found() -> Facts:
        one: Job = request.app.state.jobs.job(_number(number))
        return job_facts(one) | {"result": one.result()}

    return await asyncio.to_thread(found)


@router.post("/jobs/{number}/stop", tags=["jobs"])
async def stop_job(number: int, request: Request) -> Facts:
    """Stops a job as Ctrl-C does; what is finished is kept."""
    return await asyncio.to_thread(lambda: job_facts(request.app.state.jobs.stop(_number(number))))


@router.post("/jobs/{number}/resume", tags=["jobs"])
async def resume_job(number: int, request: Request) -> Facts:
    """Goes on with a job that was stopped."""
    return await asyncio.to_thread(lambda: job_facts(request.app.state.jobs.resume(_number(number))))


@router.delete("/jobs/{number}", tags=["jobs"])
async def forget_job(number: int, request: Request) -> Facts:
    """Takes a job that has ended off the list; what it made stays."""
    await asyncio.to_thread(request.app.state.jobs.forget, _number(number))
    return {"forgotten": number}


@router.post("/train", tags=["jobs"])
async def train(wanted: asked.TrainAsked, request: Request) -> Facts:
    """Starts a training run."""
    return await _started(request, lambda: orders.train_order(wanted, _taken(request)))


@router.post("/match", tags=["jobs"])
async def match(wanted: asked.MatchAsked, request: Request) -> Facts:
    """Starts a match."""
    return await _started(request, lambda: orders.match_order(wanted))


@router.post("/tournament", tags=["jobs"])
async def new_tournament(wanted: asked.TournamentAsked, request: Request) -> Facts:
    """Starts a tournament."""
    return await _started(request, lambda: orders.tournament_order(wanted))


@router.post("/solve", tags=["jobs"])
async def solve(wanted: asked.SolveAsked, request: Request) -> Facts:
    """Starts to solve a game."""
    return await _started(request, lambda: orders.solve_order(wanted))


@router.post("/study", tags=["jobs"])
async def new_study(wanted: asked.StudyAsked, request: Request) -> Facts:
    """Starts a study."""
    return await _started(request, lambda: orders.study_order(wanted))


async def _started(request: Request, order: Callable[[], Order]) -> Facts:
    """A new job; one that there is no room for is not begun in the store either."""

    def started() -> Facts:
        request.app.state.jobs.check_room()
        return job_facts(request.app.state.jobs.start(order()))

    return await asyncio.to_thread(started)


def _taken(request: Request) -> set[str]:
    """Names of runs that jobs train, or are about to make."""
    return {job.order.about.get("run", "") for job in request.app.state.jobs.all() if job.state == RUNNING}


def _number(number: int) -> int:
    if not 0 <= number <= MOST_NUMBER:
        raise BadInput(f"There is no number {number}.")
    return number
