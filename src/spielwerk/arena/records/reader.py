"""Reading records: text and JSON lines, one game after the other, from files of any size."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from spielwerk.arena.records.record import NO_RESULT, Line, Record
from spielwerk.data import parsed
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

STRING = r'"(?:[^"\\]|\\.)*"'
HEADER = re.compile(rf"\[\s*(\w+)((?:\s*{STRING})+)\s*\]")
TURN = re.compile(r"(\d{1,9})\s*\.\s*([^{}]*?)\s*(?:\{([^{}]*)\})?")
MOST_SCORE = 1e30  # which also the store's floats hold
MOST_TURNS, MOST_HEADERS, LONGEST_TURN = 100_000, 1000, 10_000  # the last in letters
SEVERAL = ("Agents", "Fault")  # headers of more than one value
OWN = ("Game", "Agents", "Start", "Result", "Fault", "Cut")  # headers that are fields of a record


def parse(text: str) -> Record:
    """The one game that a text holds, in either form."""
    found = list(read(text.split("\n")))
    if len(found) != 1:
        raise BadInput(f"The text holds {len(found)} games, not one.")
    return found[0][1]


def read(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """Each game of a file with the number of its first line; BadInput names the line of what is wrong."""
    draft: Draft | None = None
    gap = False  # whether a blank line came before
    for number, text in ((number, line.strip()) for number, line in enumerate(lines, 1)):
        if draft and text and (text[0] == "{" or (text[0] == "[" and (gap or draft.turns))):
            yield draft.line, _at(draft.line, draft.record)
            draft = None
        if text.startswith("{"):
            yield number, _at(number, lambda text=text: from_json(text))
        elif text:
            draft = draft or Draft(number)
            _at(number, lambda text=text, draft=draft: draft.add(text))
        gap = not text
    if draft:
        yield draft.line, _at(draft.line, draft.record)


class Draft:
    """A game in text form, as far as it has been read."""

    def __init__(self, line: int) -> None:
        self.line = line  # of the file, from 1
        self.headers: dict[str, list[str]] = {}
        self.turns: list[Line] = []
        self.game: Game | None = None

    def add(self, text: str) -> None:
        """Takes one line: a header or a turn."""
        if text.startswith("["):
            self._add_header(text)
        else:
            self._add_turn(text)

    def record(self) -> Record:
        """The whole game."""
        game = self._known()
        values = self.headers
        for key in ("Agents", "Result"):
            if key not in values:
                raise BadInput(f'The game has no header "{key}".')
        fault = None
        if "Fault" in values:
            if len(values["Fault"]) != 2 or values["Fault"][0] not in game.player_names:
                raise BadInput('The header "Fault" is a player and a reason, such as [Fault "X" "time is up"].')
            fault = {"player": game.player_names.index(values["Fault"][0]), "reason": values["Fault"][1]}
        facts = {"game": game.name, "agents": values["Agents"], "turns": [turn.facts() for turn in self.turns]}
        facts |= {"scores": _scores(values["Result"][0]), "fault": fault, "cut": "Cut" in values}
        facts |= {"start": values.get("Start", [None])[0]}
        return from_facts(facts | {"headers": {key: value[0] for key, value in values.items() if key not in OWN}})

    def _known(self) -> Game:
        if self.game is None:
            raise BadInput('A game begins with the header "Game", such as [Game "morris"].')
        return self.game

    def _add_header(self, text: str) -> None:
        match = HEADER.fullmatch(text)
        if not match:
            raise BadInput(f'{text} is not a header; write a name and a text in quotes, such as [Game "morris"].')
        key, values = match[1], [_string(value) for value in re.findall(STRING, match[2])]
        if len(self.headers) == MOST_HEADERS:
            raise BadInput(f"A game has at most {MOST_HEADERS:,} headers.")
        if key in self.headers:
            raise BadInput(f'The header "{key}" appears twice.')
        if len(values) > 1 and key not in SEVERAL:
            raise BadInput(f'The header "{key}" has one value, not {len(values)}.')
        self.game = game_of(values[0]) if key == "Game" else self._known()
        self.headers[key] = values

    def _add_turn(self, text: str) -> None:
        game = self._known()
        match = TURN.fullmatch(text) if len(text) <= LONGEST_TURN else None
        if not match or int(match[1]) != len(self.turns) + 1:
            raise BadInput(f'"{text}" is not turn {len(self.turns) + 1}; {_form(game)}')
        rest = match[2]
        names = [name for name in game.player_names if f"{rest} ".lower().startswith(f"{name} ".lower())]
        if not names:
            raise BadInput(f'"{text}" does not name a player ({", ".join(game.player_names)}); {_form(game)}')
        name = max(names, key=len)
        roll, move = _roll_and_move(game, rest[len(name) :].strip())
        if len(self.turns) == MOST_TURNS:
            raise BadInput(f"A game has at most {MOST_TURNS:,} turns.")
        self.turns.append(Line(game.player_names.index(name), roll, move, (match[3] or "").strip()))


def from_json(text: str) -> Record:
    """The game that a line of JSON writes."""
    try:
        facts = parsed(text)
    except ValueError as problem:
        raise BadInput(f"This is not JSON: {problem}.") from None
    return from_facts(facts)


def from_facts(facts: Any) -> Record:
    """The game that a dictionary in the form of `Record.facts` describes."""
    if not isinstance(facts, dict):
        raise BadInput("A game is an object, in braces.")
    game = game_of(_text(facts.get("game"), "game"))
    agents = _list(facts.get("agents"), "agents", game.players)
    headers = facts.get("headers") or {}
    if not isinstance(headers, dict):
        _refuse("headers", "an object of texts")
    for key in headers:
        if not re.fullmatch(r"\w+", key) or key in OWN:
            raise BadInput(f'"{key}" cannot be in "headers": it has a key of its own or is not a word.')
    start = facts.get("start")
    fault = facts.get("fault")
    return Record(
        game=game.name,
        agents=tuple(_text(agent, "agents") for agent in agents),
        turns=tuple(_line(game, turn) for turn in _list(facts.get("turns"), "turns")),
        scores=_result(game, facts.get("scores", [])),
        start=None if start is None else _text(start, "start"),
        fault=None if fault is None else (_player(game, fault, "fault"), _text(fault.get("reason"), "reason")),
        cut=facts.get("cut") is True,
        headers={key: _text(value, key) for key, value in headers.items()},
    )


def _line(game: Game, turn: Any) -> Line:
    player, roll = _player(game, turn, "turns"), turn.get("roll")
    roll = None if roll is None else _text(roll, "roll")
    comment = _text(turn.get("comment", ""), "comment")
    if "{" in comment or "}" in comment:
        _refuse("comment", "text without braces")
    return Line(player, roll, _text(turn.get("move"), "move"), comment)


def _result(game: Game, scores: Any) -> tuple[float, ...] | None:
    """A number for each player, or null where the game was left before its end."""
    if scores is None:
        return None
    numbers = _list(scores, "scores", game.players)
    if not all(type(score) in (int, float) and abs(score) <= MOST_SCORE for score in numbers):
        _refuse("scores", "a number for each player")
    return tuple(map(float, numbers))


def _player(game: Game, facts: Any, what: str) -> int:
    player = facts.get("player") if isinstance(facts, dict) else None
    if type(player) is not int or not 0 <= player < game.players:
        _refuse(what, f'objects with a "player" from 0 to {game.players - 1}')
    return player


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str) or not value.isprintable():
        _refuse(what, "text in one line")
    return value


def _list(value: Any, what: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        _refuse(what, "a list" if length is None else f"a list of {length}, one for each player")
    return value


def _refuse(what: str, wanted: str) -> NoReturn:
    raise BadInput(f'"{what}" must be {wanted}.')


def _string(quoted: str) -> str:
    try:
        return json.loads(quoted)
    except (ValueError, RecursionError):
        raise BadInput(f"{quoted} is not a text in quotes; a quote inside is written as in JSON.") from None


def _scores(text: str) -> list[float] | None:
    if text.strip() == NO_RESULT:
        return None
    try:
        return [float(score) for score in text.split()]  # which may be no number: `from_facts` looks
    except ValueError:
        raise BadInput(f'"{text}" is not a result; write a score for each player, such as "+1 -1", or "*".') from None


def _roll_and_move(game: Game, text: str) -> tuple[str | None, str]:
    """What stands before the colon and after it; without chance a colon belongs to the move."""
    if not game.constants["MOST_OUTCOMES"] or ":" not in text:
        return None, " ".join(text.split())
    roll, _, move = text.partition(": ") if ": " in text else text.partition(":")
    return roll.strip() or None, " ".join(move.split())


def _form(game: Game) -> str:
    roll = "ROLL: " if game.constants["MOST_OUTCOMES"] else ""
    return f'a turn is written "1. {game.player_names[0]} {roll}MOVE".'


def _at(line: int, work: Callable[[], Any]) -> Any:
    """Does some work; what it refuses is said with the line."""
    try:
        return work()
    except BadInput as problem:
        raise BadInput(f"Line {line}: {problem}") from None
