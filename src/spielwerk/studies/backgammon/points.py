"""Points a game: the rungs of the ladder against each other; and what a decision of each costs in time."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from spielwerk.arena.matches.match import play_match
from spielwerk.arena.playing.plan import Plan
from spielwerk.games.game import Game
from spielwerk.studies.backgammon.errors import chosen, public
from spielwerk.studies.backgammon.ladder import (
    GAME,
    GNU_0,
    GNU_1,
    PUBEVAL,
    RANDOM,
    TD,
    TD_2,
    Rung,
    evolved,
    left_out,
    player_of,
    rungs,
)
from spielwerk.studies.backgammon.published import published
from spielwerk.studies.job import Job, JobProgress, Result
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
from spielwerk.studies.results import Results

MANY, FEWER = (20_000, 100), (5_000, 10)  # games of a match, full and quick: up to GNU 0-ply, and at 1-ply
PIECE = 500  # games of one job
TIMED = (100, 20)  # decisions


@dataclass(frozen=True)
class Pairing:
    """Two rungs that meet."""

    first: Rung
    second: Rung
    games: tuple[int, int] = MANY

    @property
    def title(self) -> str:
        """Such as td – pubeval."""
        return f"{self.first.title} – {self.second.title}"

    def jobs(self, form: Form) -> list[Job]:
        """Its games in pieces, each with dice of its own."""
        games = self.games[form.quick]
        given = {"first": self.first.player, "second": self.second.player, "games": min(PIECE, games)}
        seconds = 3 + given["games"] * (self.first.one_game + self.second.one_game)
        seeds = form.seeds(-(-games // PIECE))
        return [Job("backgammon.points:play", given | {"seed": seed}, seconds) for seed in seeds]


def pairings(form: Form) -> list[Pairing]:
    """The matches whose players are here; GNU Backgammon 2-ply is known by its error rate only."""
    whole = [
        Pairing(PUBEVAL, RANDOM),
        Pairing(GNU_0, RANDOM),
        Pairing(evolved(form), RANDOM),
        Pairing(evolved(form), PUBEVAL),
        Pairing(TD, PUBEVAL),
        Pairing(GNU_0, PUBEVAL),
        Pairing(TD, GNU_0),
        Pairing(TD, GNU_1, FEWER),
        Pairing(TD_2, GNU_1, FEWER),
    ]
    return [one for one in whole if one.first.installed and one.second.installed]


def time_job(rung: Rung, form: Form) -> Job:
    """The time of a rung's decisions."""
    given = {"player": rung.player, "decisions": TIMED[form.quick]}
    return Job("backgammon.points:clock", given, 3 + given["decisions"] * rung.decision + rung.before)


def jobs(form: Form) -> list[Job]:
    """Times, and all pieces of all matches."""
    matches = [job for pairing in pairings(form) for job in pairing.jobs(form)]
    return [*(time_job(rung, form) for rung in rungs(form)), *matches]


def play(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The mean score of the first player, and half its interval."""
    games = given["games"]

    def made(text: str, game: Game) -> Any:
        return player_of(text, callback)

    plan = Plan(GAME, (given["first"], given["second"]), games, given["seed"])
    found = play_match(plan, made, callback=lambda count, _: callback(count / games)).summary
    low, high = found.score_interval
    return {"games": found.games, "score": found.score, "half": (high - low) / 2, "rate": found.rate}


def clock(given: Mapping[str, Any], callback: JobProgress) -> Result:
    """The milliseconds of each of some public decisions, asked one by one."""
    player, spent = player_of(given["player"], callback), list[float]()
    asked = public(chosen(given["decisions"]))
    player.turn(asked[0].position)  # compiles what is left to compile
    for question in asked:
        begun = time.perf_counter()
        player.turn(question.position)
        spent.append(1000 * (time.perf_counter() - begun))
        callback(len(spent) / len(asked))
    return {"milliseconds": spent}


def report(form: Form, results: Results) -> Report:
    """Points a game, then milliseconds a decision."""
    rows = [_points(pairing, form, results) for pairing in pairings(form)]
    rows += [_time(rung, form, results) for rung in rungs(form)]
    notes = [
        "Points a game of the first against the second, cubeless, gammons 2 and backgammons 3; both sides of the same "
        "dice are played. One game has a standard deviation of about 1.3 points.",
        "A decision is timed alone, on one core; the median of public decisions. Other jobs of the study may run "
        "beside it.",
        *left_out(form),
    ]
    return Report(rows, notes)


def _points(pairing: Pairing, form: Form, results: Results) -> Row:
    """The mean over all pieces; their intervals are independent of each other."""
    pieces = [results[job] for job in pairing.jobs(form)]
    score, rate = (float(np.mean([piece[key] for piece in pieces])) for key in ("score", "rate"))
    half = math.hypot(*(piece["half"] for piece in pieces)) / len(pieces)
    games = sum(piece["games"] for piece in pieces)
    note = f"points a game; {games:,} games, {100 * rate:.1f} % won"
    more = {"games": games, "rate": rate}
    known = published("points", pairing.title)
    return Row(pairing.title, known, score, (score - half, score + half), note=note, unit=VALUE, more=more)


def _time(rung: Rung, form: Form, results: Results) -> Row:
    spent = results[time_job(rung, form)]["milliseconds"]
    note = f"milliseconds a decision; 95 % take at most {np.quantile(spent, 0.95):.3g}"
    return Row(f"time of {rung.title}", None, float(np.median(spent)), note=note, unit=VALUE)


RECIPES = (
    Recipe(
        "backgammon/points",
        "points a game between rungs of the ladder, and milliseconds a decision",
        jobs,
        report,
        f"{MANY[1]} games instead of {MANY[0]:,}, {FEWER[1]} instead of {FEWER[0]:,} against GNU 1-ply",
    ),
)
