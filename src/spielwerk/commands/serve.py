"""`spielwerk serve`: the page."""

from __future__ import annotations

import secrets
import socket
import sys
from typing import Annotated

import typer

from spielwerk.commands.shared import completion, panels
from spielwerk.commands.shared.stopping import if_stopped
from spielwerk.names import BadInput

app = typer.Typer()
PORT = 8420


@app.command(rich_help_panel=panels.PLAY)
def serve(
    name: Annotated[
        str, typer.Argument(metavar="[GAME]", autocompletion=completion.games, help="A game to open at once.")
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="AGENT", autocompletion=completion.opponents, help="Opponent in that game.")
    ] = "",
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Listen there; other machines then need the token that is printed.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port; 0: any. Default: 8420, or the next free one.")
    ] = PORT,
    browser: Annotated[bool, typer.Option(help="Open a browser, where there is one.")] = True,
) -> None:
    """Play, see the truth and learn from mistakes in the browser."""
    import uvicorn

    from spielwerk.web.app import make_app
    from spielwerk.web.limits import MOST_MESSAGE
    from spielwerk.web.security import is_local

    path = _path(name, against)
    token = "" if is_local(host) else secrets.token_urlsafe(16)
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    address = _address(host, port, path, token)
    if_stopped("Every game is kept; spielwerk serve goes on with them.")
    print(f"Spielwerk is at {address}\nCtrl-C ends it; every game is kept.", flush=True)
    if browser and sys.stdout.isatty():
        _open(address)
    server = make_app(host, token, ready=True)
    config = uvicorn.Config(server, log_level="warning", ws_max_size=MOST_MESSAGE, ws="websockets-sansio")
    uvicorn.Server(config).run([listening])


def _listening(host: str, port: int) -> socket.socket:
    """A socket at the port; where that is the usual one and it is taken, at one of the next."""
    reason = ""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for attempt in range(port, port + (20 if port == PORT else 1)):
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, attempt))
            found.listen(128)
            return found
        except OSError as problem:
            found.close()
            reason = (problem.strerror or str(problem)).lower()
    raise BadInput(f"The server cannot listen at {host}:{port}: {reason}.")


def _path(name: str, against: str) -> str:
    """Where the page is opened; BadInput where there is no such game or opponent."""
    from urllib.parse import quote

    from spielwerk.agents.registry import understood
    from spielwerk.arena.sitting import HUMAN
    from spielwerk.games.registry import game

    if against and against != HUMAN:
        understood(against)
    if not name:
        return "/"
    seats = ";".join(["you", *[against] * (game(name).players - 1)])
    return f"/play/{quote(name, safe=':,=')}" + (f"?seats={quote(seats, safe=':;,=')}" if against else "")


def _address(host: str, port: int, path: str, token: str) -> str:
    from spielwerk.web.sharing import name_for_others

    asked = f"{'&' if '?' in path else '?'}token={token}" if token else ""
    return f"http://{name_for_others(host)}:{port}{path}{asked}"


def _open(address: str) -> None:
    """Opens a browser a moment later, when the server is up."""
    import threading
    import webbrowser

    threading.Timer(0.5, lambda: webbrowser.open(address)).start()
