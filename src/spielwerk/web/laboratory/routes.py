"""The documents of the laboratory: runs and their curves, ratings, matches, studies."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response

from spielwerk.web.laboratory import runs, standings, studies
from spielwerk.web.laboratory.asked import RunName, number_of
from spielwerk.web.laboratory.curves import curve_facts
from spielwerk.web.protocol import Name

router = APIRouter(prefix="/api/lab")
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


@router.get("/tournaments", tags=["ratings and matches"])
async def tournaments() -> list[Facts]:
    """The tournaments, the newest first."""
    return await asyncio.to_thread(standings.tournaments)


@router.get("/tournaments/{number}", tags=["ratings and matches"])
async def tournament(number: int) -> Facts:
    """A tournament with its ratings and its cross table."""
    return await asyncio.to_thread(standings.tournament_facts, number_of(number))


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
