"""What a page may ask for: sizes, numbers and searches are bounded; no name leads to a file or a program."""

from __future__ import annotations

import dataclasses
import re
import threading
from typing import Any

from spielwerk import names
from spielwerk.agents import registry as agents
from spielwerk.arena.sitting import HUMAN
from spielwerk.games.evaluation import NONE
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

MOST_BODY = 1 << 18  # bytes of a request
MOST_MESSAGE = 1 << 14  # bytes of a WebSocket message
MOST_NAME, MOST_MOVE, MOST_POSITION, MOST_LINE = 200, 200, 4000, 2000  # letters, and moves of a line
MOST_TABLES, MOST_AT_TABLE, MOST_CONNECTIONS = 1000, 16, 1000
MOST_WAITING = 256  # searches that wait or run
MOST_REVIEWS = 8
MOST_VARIANTS = 60  # of games that a server compiles
MOST_SECONDS = 20.0  # of one search
MESSAGES_PER_SECOND, BURST = 60, 200
FIRST_WORD = 20.0  # seconds in which a connection must say which table it means
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 30.0  # seconds for which a thought of a watched game is shown
IDLE = 900.0  # seconds after which a table without people leaves the memory; it stays in the store
REFUSED = ("engine",)  # they start programs
LIMITS = {"iterations": 100_000, "milliseconds": 10_000, "nodes": 2_000_000, "threads": 4, "depth": 8, "plies": 2}
NARROWER = {"mc": {"iterations": 5_000}}  # for each legal move
PLAIN = re.compile(r"[A-Za-z0-9_ -]{0,60}")

_variants: set[str] = set()
_lock = threading.Lock()


def bounded_game(name: str) -> Game:
    """The game of that name; a server compiles only so many variants."""
    if len(name) > MOST_NAME:
        raise BadInput(f"The name of a game has at most {MOST_NAME} letters.")
    found = game_of(name)
    with _lock:
        if found.name not in _variants and len(_variants) >= MOST_VARIANTS:
            raise BadInput(f"This server has {MOST_VARIANTS} variants in memory, and takes no more; start it again.")
        _variants.add(found.name)
    return found


def bounded_agent(name: str, game: Game) -> str:
    """The canonical name of an agent that the page may use; BadInput says what it may not."""
    if len(name) > MOST_NAME:
        raise BadInput(f"The name of an agent has at most {MOST_NAME} letters.")
    kind = names.split(name)[0]
    if kind in REFUSED:
        raise BadInput(f'"{kind}" starts a program, which the page must not do; use the command line.')
    _, kind, settings = agents.understood(name)
    for field in dataclasses.fields(settings):
        _check(kind, field, getattr(settings, field.name), game)
    return names.write(kind, settings)


def bounded_seat(name: str, game: Game) -> str:
    """Who may sit at a table: a person, or an agent."""
    return HUMAN if name.strip().lower() in (HUMAN, "you", "person") else bounded_agent(name, game)


def _check(kind: str, field: dataclasses.Field[Any], value: Any, game: Game) -> None:
    most = NARROWER.get(kind, {}).get(field.name, LIMITS.get(field.name))
    if most is not None and isinstance(value, int | float) and value > most:
        raise BadInput(f"On the page {field.name} is at most {most:,}, not {value:,}.")
    if not isinstance(value, str) or value == field.default or field.metadata.get("choices"):
        return
    if field.name == "otherwise":
        bounded_agent(value, game)
    elif field.name in (names.RUN, "value"):
        _check_learned(value, game)
    elif not PLAIN.fullmatch(value):
        raise BadInput(f'On the page {field.name} cannot be "{value}".')


def _check_learned(value: str, game: Game) -> None:
    """Only evaluations, what comes with the package and runs: never a file."""
    from spielwerk.learn.registry import BUILT_IN
    from spielwerk.learn.runs import names_of_runs

    run, _, seed = value.partition("/")
    known = [*game.evaluations, NONE, "oracle", *BUILT_IN]
    if value in known or (run in names_of_runs() and (not seed or seed.isdecimal())):
        return
    raise names.unknown("There is no run", value, [*names_of_runs(), *known], "Runs and evaluations")
