"""The documents of the server: requests and what they answer. What lives is said by WebSocket: see `line.py`."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response

from spielwerk.arena.records.formats import format_of
from spielwerk.games.position import Position
from spielwerk.games.scenes import Hop
from spielwerk.games.scenes.editing import brushes, composed, loose_scene, puts_of
from spielwerk.games.scenes.showing import partial_turn, stage_of
from spielwerk.names import BadInput
from spielwerk.web import catalogue, limits, protocol, stored
from spielwerk.web.play.table import Table
from spielwerk.web.play.watched import WatchedTable
from spielwerk.web.reviews import Job, answered, learn, solution
from spielwerk.web.sharing import sharing_facts
from spielwerk.web.views import drawn_scene, partial_facts, scene_facts, stage_facts, status

router = APIRouter(prefix="/api")
MOST_NUMBER, MOST_LISTED = 10**15, 200
Number = Annotated[int, Query(ge=0, le=MOST_NUMBER)]


@router.get("/games", tags=["catalogue"])
async def games() -> list[dict[str, Any]]:
    """The games and their variants."""
    return await asyncio.to_thread(catalogue.games)


@router.get("/agents", tags=["catalogue"])
async def agents(game: protocol.Name) -> list[dict[str, str]]:
    """Who can play a game."""
    return await asyncio.to_thread(lambda: catalogue.agents_of(limits.bounded_game(game)))


@router.get("/sharing", tags=["catalogue"])
async def sharing(request: Request) -> dict[str, Any]:
    """What a link needs that is sent to other people: an origin, a token, and whether only this machine gets here."""
    state = request.app.state
    return sharing_facts(str(request.base_url), state.host, state.token)


@router.get("/picture", tags=["catalogue"], response_class=Response)
async def picture(game: protocol.Name, theme: protocol.Name = "auto", at: protocol.PositionText = "") -> Response:
    """A position, by default an example, as an SVG picture."""

    def drawn() -> str:
        variant = limits.bounded_game(game)
        return (variant.parse(at) if at else catalogue.example(variant)).svg(theme)

    return Response(await asyncio.to_thread(drawn), media_type="image/svg+xml")


@router.post("/position", tags=["positions"])
async def position(asked: protocol.PositionAsked) -> dict[str, Any]:
    """A position to be looked at: its stage, its scene, its text in all formats."""
    return await asyncio.to_thread(_shown, asked.game, asked.position)


@router.post("/edit", tags=["positions"])
async def edit(asked: protocol.EditAsked) -> dict[str, Any]:
    """A position made of pieces on places; `problem` says why it cannot be one."""
    return await asyncio.to_thread(_edited, asked)


@router.post("/touch", tags=["positions"])
async def touch(asked: protocol.TouchAsked) -> dict[str, Any]:
    """A turn by hand in any position, as far as it was shown."""

    def shown() -> dict[str, Any]:
        here = limits.bounded_game(asked.game).parse(asked.position)
        if here.mover < 0:
            raise BadInput("Nobody is to move in this position.")
        partial = partial_turn(here, tuple(Hop(*hop) for hop in asked.hops))
        move = partial.turn.text if partial.turn else ""
        return partial_facts(partial) | {"move": move, "scene": scene_facts(partial.shown, partial.spent)}

    return await asyncio.to_thread(shown)


@router.post("/tables", tags=["tables"])
async def new_table(asked: protocol.NewTable, request: Request) -> dict[str, Any]:
    """A new game, with the keys of its seats for people."""
    return _opened(await request.app.state.tables.create(asked))


@router.get("/tables/{key}/record", tags=["tables"], response_class=PlainTextResponse)
async def table_record(key: protocol.Key, request: Request, form: protocol.Name = "text") -> Response:
    """The game of a table so far, as text, as JSON, or in a format of its game."""
    table: Table = await request.app.state.tables.find(key)
    return await asyncio.to_thread(_record, table.sitting.record(), form)


@router.get("/stored", tags=["stored games"])
async def stored_games(
    request: Request, before: Number | None = None, most: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 100
) -> list[dict[str, Any]]:
    """The games that were played here, the newest first; `before` a number are those that are older."""
    return await request.app.state.storage.games(lambda games: stored.listed(games, before, most))


@router.get("/stored/{number}", tags=["stored games"])
async def stored_game(number: int, request: Request) -> dict[str, Any]:
    """A game with every position."""
    kept = await request.app.state.storage.game(_number(number))
    return await asyncio.to_thread(stored.frames, kept)


@router.get("/stored/{number}/record", tags=["stored games"], response_class=PlainTextResponse)
async def stored_record(number: int, request: Request, form: protocol.Name = "text") -> Response:
    """A game as text, as JSON, or in a format of its game."""
    kept = await request.app.state.storage.game(_number(number))
    return await asyncio.to_thread(_record, kept.record, form)


@router.post("/stored/{number}/open", tags=["stored games"])
async def open_game(number: int, request: Request) -> dict[str, Any]:
    """Goes on with a game; the keys of its seats are given unless it is shared with others."""
    return _opened(await request.app.state.tables.open(_number(number)))


@router.post("/stored/{number}/review", tags=["review"])
async def new_review(number: int, asked: protocol.ReviewAsked, request: Request) -> dict[str, Any]:
    """Begins to review a game."""
    kept = await request.app.state.storage.game(_number(number))
    reviews = request.app.state.reviews
    job = await asyncio.to_thread(reviews.begin, kept.number, kept.record, asked.judge, asked.luck)
    return await _told(job, request)


@router.get("/reviews/{number}", tags=["review"])
async def review(number: int, request: Request) -> dict[str, Any]:
    """How far a review has come, and what it found; its mistakes become lessons."""
    return await _told(request.app.state.reviews.job(number), request)


@router.delete("/reviews/{number}", tags=["review"])
async def stop_review(number: int, request: Request) -> dict[str, Any]:
    """Stops a review."""
    job = request.app.state.reviews.job(number)
    job.stop.set()
    return job.facts()


@router.post("/import", tags=["stored games"])
async def imported(asked: protocol.Imported, request: Request) -> dict[str, Any]:
    """Reads a record, a transcript, a .mat match or a position: the numbers of the games, or the position."""
    found = await asyncio.to_thread(stored.read_import, asked.text)
    if isinstance(found, tuple):
        return {"game": found[0], "position": found[1], "numbers": []}
    numbers = await request.app.state.storage.games(lambda games: stored.store_imported(games, found))
    return {"game": found[0].game, "position": None, "numbers": numbers}


@router.get("/lessons", tags=["lessons"])
async def lessons(request: Request, due: bool = True) -> list[dict[str, Any]]:
    """Mistakes to be learned from, those that are due, or all."""
    found = await request.app.state.storage.lessons(lambda lessons: lessons.lessons(due))
    return [{"number": one.number, "game": one.game, "due": one.due, "box": one.box} for one in found]


@router.get("/lessons/{number}", tags=["lessons"])
async def lesson(number: int, request: Request) -> dict[str, Any]:
    """A position to be played better."""
    one = await request.app.state.storage.lessons(lambda lessons: lessons.lesson(_number(number)))
    shown = await asyncio.to_thread(_shown, one.game, one.position)
    about = {"number": one.number, "played": one.played, "box": one.box}
    return shown | about | {"judge": one.judge, "regret": one.regret}


@router.post("/lessons/{number}/answer", tags=["lessons"])
async def answer(number: int, asked: protocol.Answered, request: Request) -> dict[str, Any]:
    """Whether a move is better than the one that was played; what is not known yet comes again soon."""
    storage = request.app.state.storage
    one = await storage.lessons(lambda lessons: lessons.lesson(_number(number)))
    well, verdict = await answered(request.app.state.searches, one, asked.move)
    after = await storage.lessons(lambda lessons: lessons.answered(one.number, well))
    found = {"well": well, "verdict": verdict, "better": one.better, "judge": one.judge, "due": after.due}
    return found | {"moves": await asyncio.to_thread(solution, one)}


async def _told(job: Job, request: Request) -> dict[str, Any]:
    """A review as far as it has come; once it is done, the lessons are learned before it is told."""
    found, storage = job.result, request.app.state.storage
    if found is None:
        return job.facts() | {"result": None}  # it may be done just now
    if not job.learned:
        kept = await storage.game(job.game)
        job.lessons = await storage.lessons(lambda lessons: learn(lessons, kept.record, found))
        job.learned = True
    return job.facts()


def _opened(table: Table) -> dict[str, Any]:
    keys = [] if table.about["shared"] else table.about["seat_keys"]
    about = {"key": table.key, "seat_keys": keys, "game": table.sitting.position.game.name}
    return about | {"watched": isinstance(table, WatchedTable)}


def _shown(name: str, text: str) -> dict[str, Any]:
    game = limits.bounded_game(name)
    here = game.parse(text) if text.strip() else game.start()
    facts = {"stage": stage_facts(game), "over": here.over} | _written(here)
    return facts | {"brushes": brushes(game), "pieces": puts_of(here), "stacked": stage_of(game).confirmed}


def _edited(asked: protocol.EditAsked) -> dict[str, Any]:
    game = limits.bounded_game(asked.game)
    try:
        here = game.parse(composed(game, asked.pieces, asked.mover))
        return {"problem": ""} | _written(here)
    except BadInput as problem:
        return {"problem": str(problem), "scene": drawn_scene(loose_scene(game, asked.pieces))}


def _written(here: Position) -> dict[str, Any]:
    """A position drawn, in words, and as text in every form of its game."""
    forms = {form: here.written(form) for form in here.game.face.formats(here.game)}
    facts = {"scene": scene_facts(here), "position": str(here), "status": status(here), "forms": forms}
    return facts | {"mover": here.roller if here.chance else here.mover}


def _record(record: Any, form: str) -> Response:
    if form == "text":
        text = record.text()
    elif form == "json":
        text = record.json() + "\n"
    else:
        text = "".join(format_of(limits.bounded_game(record.game), form).write([record]))
    return PlainTextResponse(text, headers={"Content-Disposition": 'attachment; filename="game.txt"'})


def _number(number: int) -> int:
    if not 0 <= number <= MOST_NUMBER:
        raise BadInput(f"There is no number {number}.")
    return number
