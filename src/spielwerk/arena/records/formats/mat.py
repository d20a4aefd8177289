"""Matches of backgammon in the format `.mat`, which Jellyfish began and most programs write.

    7 point match

    Game 1
    Ann : 0                              Ben : 0
     1) 31: 8/5 6/5                      52: 13/8 24/22
     2)  Doubles => 2                     Takes
     3) 64: 24/14                        ...
        Wins 2 points

Each player counts points from its own side; 25 or `bar` is the bar, 0 or `off` is off. Who rolls first is X here. The
rules know neither cube nor match: what is done with the cube becomes the comment of the next turn, the score a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from spielwerk.arena.records import formats
from spielwerk.arena.records.record import Line, Record
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

GAME = "backgammon:scoring=full"
MATCH = re.compile(r"(\d+) point match", re.I)
NEW = re.compile(r"Game (\d+)", re.I)
NAMES = re.compile(r"\s*(\S.*?) : (\d+)\s\s+(\S.*?) : (\d+)\s*")
ROW = re.compile(r"\s*\d+\)")
CELL = re.compile(r"(?<!\S)(?:[1-6]{2}:|Doubles|Takes|Drops|Beavers|Resigns|Wins)", re.I)
ABOUT = re.compile(r';\s*\[(.+?) "(.*)"\]')
LONGEST, MOST_ROWS = 1000, 100_000  # letters of a line, and lines of a game
SCORE = re.compile(r"(.+) (\d+), (.+) (\d+)")  # the header
POINTS = re.compile(r"wins (\d+) point")
DROPS = "drops the cube"
WIDTH = 34  # of the left column


def recognised(line: str) -> bool:
    """Its first line is a comment, or says how long the match is."""
    return line.startswith(";") or MATCH.fullmatch(line) is not None or NEW.fullmatch(line) is not None


def read(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """Each game with the number of its first line; BadInput names the line of what is wrong."""
    about: dict[str, str] = {}
    sheet: _Sheet | None = None
    for number, text in ((number, line.rstrip()) for number, line in enumerate(lines, 1)):
        line = text.strip()
        if len(text) > LONGEST:
            raise BadInput(f"Line {number} has more than {LONGEST:,} characters.")
        if NEW.fullmatch(line):
            if sheet:
                yield sheet.line, sheet.record()
            sheet = _Sheet(number, {**about, "Number": line.split()[1]})
        elif sheet:
            sheet.add(number, text)
        elif found := MATCH.fullmatch(line):
            about["Length"] = found[1]
        elif found := ABOUT.fullmatch(line):
            about[re.sub(r"\W", "", found[1]) or "Comment"] = found[2]
        elif line and not line.startswith(";"):
            raise BadInput(f'Line {number}: "{line}" comes before the first game.')
    if sheet:
        yield sheet.line, sheet.record()


class _Sheet:
    """One game, as far as it has been read; column 0 is the left one."""

    def __init__(self, line: int, headers: dict[str, str]) -> None:
        self.line, self.headers = line, headers
        self.names: tuple[str, str] | None = None
        self.middle = WIDTH // 2
        self.turns: list[tuple[int, str, str, str]] = []  # the column, the dice, the move, the comment
        self.said: list[str] = []  # about the cube, before the next roll
        self.lost: tuple[int, str] | None = None  # the column that gave up, and how

    def add(self, number: int, text: str) -> None:
        """Takes one line."""
        line = text.strip()
        if number > self.line + MOST_ROWS:
            raise BadInput(f"Line {self.line}: this game has more than {MOST_ROWS:,} lines.")
        if self.names is None:
            self._add_names(number, text)
        elif line.startswith(";"):
            self.said += [_quoted(line[1:].strip())]
        elif line:
            row = ROW.match(text)
            begin = row.end() if row else 0
            starts = [found.start() for found in CELL.finditer(text, begin)]
            if not 1 <= len(starts) <= 2 or text[begin : starts[0]].strip():
                raise BadInput(f'Line {number}: "{line}" is not a row of a match.')
            columns = [0, 1] if len(starts) == 2 else [int(starts[0] >= self.middle)]
            for column, start, end in zip(columns, starts, [*starts[1:], len(text)], strict=True):
                self._add_cell(column, text[start:end].strip())

    def record(self) -> Record:
        """The whole game."""
        try:
            return self._record()
        except BadInput as problem:
            raise BadInput(f"Line {self.line}: {problem}") from None

    def _record(self) -> Record:
        if not self.names:
            raise BadInput("This game does not name its players.")
        first = self.turns[0][0] if self.turns else 0
        turns = [Line(column ^ first, f"{dice[0]}-{dice[1]}", move, said) for column, dice, move, said in self.turns]
        fault = (self.lost[0] ^ first, ", ".join([*self.said, self.lost[1]])) if self.lost else None
        agents = (self.names[first], self.names[1 - first])
        return formats.completed(game_of(GAME), agents, turns, self.headers, fault)

    def _add_names(self, number: int, text: str) -> None:
        found = NAMES.fullmatch(text)
        if text.strip() and not found:
            raise BadInput(f'Line {number}: "{text.strip()}" does not name two players and their scores.')
        if found:
            self.names = (_quoted(found[1]), _quoted(found[3]))
            self.middle = found.start(3) // 2
            self.headers["Score"] = f"{self.names[0]} {found[2]}, {self.names[1]} {found[4]}"

    def _add_cell(self, column: int, cell: str) -> None:
        assert self.names
        word = cell.lower()
        if cell[0].isdigit():
            self.turns.append((column, cell[:2], _move(cell[3:]), ", ".join(self.said)))
            self.said = []
        elif word.startswith("wins"):
            self.headers["Outcome"] = f"{self.names[column]} {_quoted(word)}"
            self.lost = self.lost or (1 - column, "resigns")
        elif word.startswith(("drops", "resigns")):
            self.lost = (column, DROPS if word.startswith("drops") else "resigns")
        else:
            self.said.append(f"{self.names[column]} {_quoted(word.replace('=>', 'to'))}")


def _move(text: str) -> str:
    """A move in the notation of Spielwerk: `bar` and `off` by name, nothing at all as a pass."""
    parts = [re.sub(r"^25/", "bar/", re.sub(r"/0(?=\*|/|\(|$)", "/off", part)) for part in text.lower().split()]
    move = " ".join(parts)
    return "pass" if move in ("", "cannot move", "-") else move


def _quoted(text: str) -> str:
    """A text of somebody else's as it may stand in a comment: in one line, without braces."""
    return " ".join("".join(c if c.isprintable() and c not in "{}" else " " for c in text).split())


def write(records: Iterable[Record]) -> Iterator[str]:
    """A match, piece by piece: what the headers say of it, otherwise games for money."""
    for number, record in enumerate(records, 1):
        game = game_of(record.game)
        if game.kind != "backgammon" or game.constants["CHECKERS"] != 15 or record.start is not None:
            raise BadInput("A .mat file holds games of backgammon from the starting position.")
        if number == 1:
            yield f" {record.headers.get('Length', '0')} point match\n"
        left, scores = _columns(record)
        first, second = (f" {record.agents[seat]} : {scores[seat]}" for seat in (left, 1 - left))
        yield f"\n Game {number}\n{first:{WIDTH + 4}}{second}\n"
        yield from _rows(record, left)
        yield from _ending(record, left)


def _columns(record: Record) -> tuple[int, tuple[str, str]]:
    """The seat of the left column, and the score of each seat before the game."""
    found = SCORE.fullmatch(record.headers.get("Score", ""))
    if not found or {found[1], found[3]} != set(record.agents):
        return 0, ("0", "0")
    left = int(found[1] != record.agents[0])
    return left, (found[4], found[2]) if left else (found[2], found[4])


def _rows(record: Record, left: int) -> Iterator[str]:
    """Two turns a row; before one with a comment a new row begins, so that the comment can stand above it."""
    row, number = "", 0
    for line in record.turns:
        column = line.player ^ left
        if row and (column == 0 or line.comment):
            yield f"{row.rstrip()}\n"
            row = ""
        if line.comment:
            yield f"; {line.comment}\n"
        number += column == 0 or number == 0
        row = f"{row or f'{number:3}) ':{5 + column * WIDTH}}{_cell(line)}"
    if row:
        yield f"{row}\n"


def _ending(record: Record, left: int) -> Iterator[str]:
    """Who gave up, and who won how much."""
    if record.scores is None or record.cut:
        return
    said, _, how = record.fault[1].rpartition(", ") if record.fault else ("", "", "")
    if record.fault and how == DROPS:
        yield from [f"; {said}\n"] if said else []
        yield f"{'':{5 + (record.fault[0] ^ left) * WIDTH}} Drops\n"
    winner = int(record.scores[1] > 0)
    points = POINTS.search(record.headers.get("Outcome", ""))
    won = points[1] if points else f"{record.scores[winner]:g}"
    yield f"{'':{5 + (winner ^ left) * WIDTH}} Wins {won} point{'s' if won != '1' else ''}\n"


def _cell(line: Line) -> str:
    dice = (line.roll or "").replace("-", "")
    return f"{dice}: {'Cannot Move' if line.move == 'pass' else line.move}"
