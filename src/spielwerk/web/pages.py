"""The files of the page: read once, sent by their own names; no name from a browser is ever a path."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from spielwerk.games.face.svg import page_style
from spielwerk.web.security import API

KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
PLAYING = ("/", "/play/{game}", "/table/{key}", "/review/{number}", "/edit/{game}", "/lessons", "/games")
WATCHING = ("/watch", "/watch/{game}", "/watched/{key}")
LABORATORY = ("/lab", "/lab/{place:path}")
router = APIRouter(include_in_schema=False)


class File(NamedTuple):
    """A file of the page."""

    data: bytes
    kind: str
    tag: str  # by which a browser knows whether it has it


@cache
def page_files() -> dict[str, File]:
    """All files of the page, by name; the colours of boards come from where pictures have them."""
    found = {"board.css": _file("board.css", page_style().encode())}
    for entry in files("spielwerk.web").joinpath("page").iterdir():
        if any(entry.name.endswith(ending) for ending in KINDS):
            found[entry.name] = _file(entry.name, entry.read_bytes())
    return found


@router.get("/page/{name}")
async def page_file(name: str, request: Request) -> Response:
    """A script, a style or a picture."""
    return _sent(name, request)


async def index(request: Request) -> Response:
    """Every address of the page is the same document, which looks at its address."""
    return _sent("index.html", request)


async def missing(request: Request, _: Exception) -> Response:
    """An address that nothing has: the page says so in its own words, to scripts it is said in JSON."""
    if request.url.path.startswith(API):
        return JSONResponse({"detail": "There is no such document."}, 404)
    page = page_files()["index.html"]
    return Response(page.data, 404, media_type=page.kind)


for address in (*PLAYING, *WATCHING, *LABORATORY):
    router.add_api_route(address, index, methods=["GET"])


def _file(name: str, data: bytes) -> File:
    kind = KINDS["." + name.rpartition(".")[2]]
    return File(data, f"{kind}; charset=utf-8", f'"{hashlib.sha256(data).hexdigest()[:20]}"')


def _sent(name: str, request: Request) -> Response:
    file = page_files().get(name)
    if file is None:
        return Response("There is no such page.", 404, media_type="text/plain")
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers={"ETag": file.tag})
    return Response(file.data, media_type=file.kind, headers={"ETag": file.tag})
