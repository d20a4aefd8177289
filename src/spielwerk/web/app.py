"""The application: tables, searches, storage and reviews put together, with the page."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from spielwerk.arena.records.schema import StoreProblem
from spielwerk.names import BadInput, printable
from spielwerk.version import __version__
from spielwerk.web import catalogue, limits, routes
from spielwerk.web.laboratory.follower import FollowingLine
from spielwerk.web.laboratory.following import Following
from spielwerk.web.laboratory.job_routes import router as laboratory_jobs
from spielwerk.web.laboratory.jobs import Jobs
from spielwerk.web.laboratory.routes import router as laboratory
from spielwerk.web.line import Line
from spielwerk.web.pages import missing
from spielwerk.web.pages import router as pages
from spielwerk.web.play.connection import Connection
from spielwerk.web.play.tables import Tables
from spielwerk.web.play.watch_routes import router as watching
from spielwerk.web.reviews import Reviews
from spielwerk.web.searches import Searches
from spielwerk.web.security import Guard
from spielwerk.web.storage import Storage

PATIENCE = 1.5  # seconds to load all games before the first request; where they must be compiled, that goes on beside
ABOUT = "Board games against people and agents, with the truth beside the board. Live games speak by WebSocket."


def make_app(host: str = "127.0.0.1", token: str = "", ready: bool = False) -> Any:
    """The server as an ASGI application; browsers must know the `token`, if any; `ready` loads all games at once."""
    app = FastAPI(title="Spielwerk", description=ABOUT, version=__version__, docs_url=None, redoc_url=None)
    app.router.lifespan_context = _life
    app.state.ready, app.state.host, app.state.token = ready, host, token
    app.include_router(routes.router)
    app.include_router(watching)
    app.include_router(laboratory)
    app.include_router(laboratory_jobs)
    app.include_router(pages)
    app.add_exception_handler(404, missing)
    app.add_exception_handler(BadInput, _refused)
    app.add_exception_handler(RequestValidationError, _misread)
    app.add_exception_handler(StoreProblem, _broken_store)
    app.add_api_websocket_route("/ws/tables/{key}", _table)
    app.add_api_websocket_route("/ws/lab", _laboratory)
    app.add_middleware(Guard, host=host, token=token)
    return app


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    """What lives as long as the server does."""
    state = app.state
    state.searches, state.storage, state.reviews = Searches(max(4, 2 * (os.cpu_count() or 1))), Storage(), Reviews()
    state.tables, state.connections = Tables(state.searches, state.storage), 0
    state.jobs = Jobs()
    state.following = Following(state.jobs)
    sweeping = asyncio.create_task(state.tables.sweep())
    if state.ready:
        warming = threading.Thread(target=catalogue.warm, name="warm", daemon=True)
        warming.start()
        await asyncio.to_thread(warming.join, PATIENCE)
    try:
        yield
    finally:
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        await state.following.close()
        for one in (state.tables, state.searches, state.reviews, state.storage, state.jobs):
            one.close()


async def _table(socket: WebSocket, key: str) -> None:
    """A browser at a table."""
    await _served(socket, Connection(socket, socket.app.state.tables, key[: limits.MOST_NAME]))


async def _laboratory(socket: WebSocket) -> None:
    """A browser that follows jobs and runs."""
    await _served(socket, FollowingLine(socket, socket.app.state.following))


async def _served(socket: WebSocket, line: Line) -> None:
    state = socket.app.state
    if state.connections >= limits.MOST_CONNECTIONS:
        await socket.close(1013, "The server is full.")
        return
    state.connections += 1
    try:
        await line.serve()
    finally:
        state.connections -= 1


async def _refused(_: Request, problem: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(problem)}, 400)


async def _misread(_: Request, problem: Exception) -> JSONResponse:
    first = problem.errors()[0] if isinstance(problem, RequestValidationError) else {"loc": (), "msg": "it is wrong"}
    where = " ".join(str(part) for part in first["loc"][1:])
    return JSONResponse({"detail": printable(f"The request cannot be read: {where}: {first['msg']}.")}, 422)


async def _broken_store(_: Request, problem: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(problem)}, 503)
