"""Jobs over HTTP: what can be started, and jobs to start, follow, stop, resume and forget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request

from spielwerk.web.laboratory import asked, forms, orders
from spielwerk.web.laboratory.asked import RunName, number_of
from spielwerk.web.laboratory.job import RUNNING, Job, Order
from spielwerk.web.laboratory.jobs import Jobs
from spielwerk.web.laboratory.progress import listed, shown
from spielwerk.web.protocol import Name

router = APIRouter(prefix="/api/lab")
Facts = dict[str, Any]


@router.post("/runs/{name}/resume", tags=["jobs"])
async def run_resumed(name: RunName, wanted: asked.ResumeAsked, request: Request) -> Facts:
    """Goes on with a run in a job, perhaps for longer than it was planned."""
    return await _started(request, lambda: orders.resume_order(name, wanted, _taken(request)))


@router.post("/matches/{number}/resume", tags=["jobs"])
async def match_resumed(number: int, request: Request) -> Facts:
    """Goes on with a stored match that was stopped."""
    return await _started(request, lambda: orders.stored_match_order(number_of(number)))


@router.post("/tournaments/{number}/resume", tags=["jobs"])
async def tournament_resumed(number: int, request: Request) -> Facts:
    """Goes on with a stored tournament that was stopped."""
    return await _started(request, lambda: orders.stored_tournament_order(number_of(number)))


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
    return await asyncio.to_thread(listed, request.app.state.jobs)


@router.get("/jobs/{number}", tags=["jobs"])
async def job(number: int, request: Request) -> Facts:
    """How far a job is, and what it printed at its end."""
    return await asyncio.to_thread(_shown, request, lambda jobs: jobs.job(number_of(number)))


@router.post("/jobs/{number}/stop", tags=["jobs"])
async def stop_job(number: int, request: Request) -> Facts:
    """Stops a job as Ctrl-C does; what is finished is kept."""
    return await asyncio.to_thread(_shown, request, lambda jobs: jobs.stop(number_of(number)))


@router.post("/jobs/{number}/resume", tags=["jobs"])
async def resume_job(number: int, request: Request) -> Facts:
    """Goes on with a job that was stopped."""
    return await asyncio.to_thread(_shown, request, lambda jobs: jobs.resume(number_of(number)))


@router.delete("/jobs/{number}", tags=["jobs"])
async def forget_job(number: int, request: Request) -> Facts:
    """Takes a job that has ended off the list; what it made stays."""
    await asyncio.to_thread(request.app.state.jobs.forget, number_of(number))
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

    def started(jobs: Jobs) -> Job:
        jobs.check_room()
        return jobs.start(order())

    return await asyncio.to_thread(_shown, request, started)


def _shown(request: Request, of: Callable[[Jobs], Job]) -> Facts:
    jobs = request.app.state.jobs
    return shown(of(jobs), jobs)


def _taken(request: Request) -> set[str]:
    """Names of runs that jobs train, or are about to make."""
    return {job.order.about.get("run", "") for job in request.app.state.jobs.all() if job.state == RUNNING}
