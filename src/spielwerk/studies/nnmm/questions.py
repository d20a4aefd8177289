"""The open questions: other teachers, less and more data, other networks, other encodings, other games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from spielwerk.studies import plots
from spielwerk.studies.job import Job
from spielwerk.studies.nnmm.arms import MORRIS, POSITIONS, SECONDS, SIZES, Arm
from spielwerk.studies.nnmm.rows import broken_rows, summary_rows
from spielwerk.studies.recipe import ON_GPU, QUICK, TWO_CORES, Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

Arms = Callable[[Form], Sequence[Arm]]
SHARES = (0.01, 0.03, 0.1, 0.3, 1.0)
DEEP = {"units": 4}  # so that it matters how units are joined
NIM = {"epochs": 300, "batch": 64}  # of a game with few positions
GAMES = (8000, 150, 3000)  # that teachers of our own play
SMALL = "einstein:board=4", "mcts:iterations=100", 10_000  # a game that two cores solve, a teacher, and its games
OPENING = 6  # random turns before, since the same game again would teach nothing
STATES = (50_000, 2000, 20_000)  # further positions without moves
# Where games begin, and which share of their moves is learned from: about as many of each kind, since some are longer.
STARTS = {
    "drawn, reachable or not": ("random", 1.0),
    "reachable": ("reachable", 0.72),
    "from the start": ("start", 0.54),
}
NAMED_TEACHER = ("alphabeta:depth=4", "alphabeta:depth=2", "alphabeta:depth=2")


def _played(form: Form, game: str, teacher: str, **more: Any) -> dict[str, Any]:
    """Moves of a teacher of our own."""
    usual = {"games": GAMES[form.scale], "states": STATES[form.scale], "opening": OPENING, "seed": form.seed}
    return {"from": "played", "game": game, "teacher": teacher, **usual, **more}


def teachers(form: Form) -> list[Arm]:
    """The observed player and the oracle on the same positions; without a solved morris, of a smaller game."""
    if form.scale == ON_GPU:
        labelled = {"from": "oracle", "game": "morris", "of": dict(MORRIS)}
        return [Arm("observed player"), Arm("oracle", source=labelled)]
    if form.scale == QUICK:
        game, teacher = "nim:stacks=5-6-7", "random"
        return _both(game, teacher, NIM, _played(form, game, teacher, states=100, opening=0))
    game, teacher, played = SMALL
    return _both(game, teacher, {}, _played(form, game, teacher, games=played, opening=0))


def _both(game: str, teacher: str, settings: Mapping[str, Any], observed: Mapping[str, Any]) -> list[Arm]:
    """A teacher of a game, and its oracle on the same positions."""
    labelled = {"from": "oracle", "game": game, "of": observed}
    name = game.partition(":")[0]
    return [
        Arm(f"{teacher.partition(':')[0]} player of {name}", settings, game, observed),
        Arm(f"oracle of {name}", settings, game, labelled),
    ]


def amounts(form: Form) -> list[Arm]:
    """Shares of the observed moves, and more moves by a teacher of our own."""
    full = SIZES[form.scale].get("share", 1.0)
    found = [Arm(f"{100 * share:g} % of the data", {"share": share * full}) for share in SHARES]
    own = _played(form, "morris", NAMED_TEACHER[form.scale], starts="random", random=0.5)
    twice = own | {"games": 2 * GAMES[form.scale]}
    return [*found, Arm("moves of alphabeta", source=own), Arm("twice as many of them", source=twice)]


def structures(form: Form) -> list[Arm]:
    """Cascade, one network with three heads, independent ones, one output for each move."""
    return [Arm(name, {"structure": name}) for name in ("cascade", "heads", "independent", "whole")]


def networks(form: Form) -> list[Arm]:
    """Residual, plain, dense, recurrent, and with stochastic depth."""
    kinds = ("residual", "plain", "dense", "recurrent", "stochastic")
    return [Arm(name, {"net": name, **DEEP}) for name in kinds]


def encodings(form: Form) -> list[Arm]:
    """The board in a row, on a grid, as a cube."""
    titles = {"row": "a row of points", "grid": "a grid (2-D)", "cube": "rings on top (3-D)"}
    return [Arm(title, {"encoding": name}) for name, title in titles.items()]


def starts(form: Form) -> list[Arm]:
    """Games from positions that may be unreachable, from reachable ones, and from the start; each is asked all."""
    teacher = NAMED_TEACHER[form.scale]
    kinds = {title: _played(form, "morris", teacher, starts=name) for title, (name, _) in STARTS.items()}
    found = []
    for title, (_, share) in STARTS.items():
        others = {other: source for other, source in kinds.items() if other != title}
        found.append(Arm(title, {"share": share}, source=kinds[title], asked=others))
    return found


def negatives(form: Form) -> list[Arm]:
    """Only what was observed, and illegal moves beside it."""
    return [Arm(f"weight {weight:g}", {"negatives": weight}) for weight in (0.0, 0.1, 1.0)]


def games(form: Form) -> list[Arm]:
    """Games whose rules nobody has tried to learn from watching."""
    known = {"einstein": "alphabeta:depth=1", "othello": "alphabeta:depth=2", "backgammon": "pubeval"}
    known |= {"einstein": "mcts:iterations=100" if not form.quick else "random"}
    found = [Arm("morris")]
    for game, teacher in known.items():
        found.append(Arm(f"{game}, {teacher}", game=game, source=_played(form, game, teacher), graded=False))
    return found


def _recipe(name: str, about: str, arms: Arms, notes: Sequence[str], less: str = "", played: str = "") -> Recipe:
    """A recipe that compares configurations; `played` says what teachers of our own play without a GPU."""

    def jobs(form: Form) -> list[Job]:
        return [arm.job(form) for arm in arms(form)]

    def report(form: Form, results: Results) -> Report:
        rows: list[Row] = []
        for arm in arms(form):
            result = arm.result(form, results)
            rows += [*summary_rows(arm.name, result), *broken_rows(arm.name, result["test"])]
        shown = [row for row in rows if row.name.startswith("legality")]
        return Report(rows, notes, {"legality": partial(plots.beside, about, shown, "legal whole moves")})

    small = f"small networks, {SIZES[QUICK]['epochs']} epochs, {SECONDS[QUICK]:.0f} s at most"
    shorter = f"1/16 of the data or few games, {small}"
    slower = (
        f"{SECONDS[TWO_CORES]:.0f} s of each training on one core instead of {SECONDS[ON_GPU]:.0f} s on a GPU, "
        f"steps of {SIZES[TWO_CORES]['batch']:,} moves, {POSITIONS[TWO_CORES]:,} positions of each set"
    )
    return Recipe(name, about, jobs, report, less or shorter, without_gpu=", ".join(filter(None, (slower, played))))


ORDER = "Moves of morris are told in the order FTR, in the form of the published code; the split is the source's."
OWN = (
    "The test is of each one's own kind; further states are drawn, reachable or not, and the same for all. Each "
    "network is also asked the moves of the other kinds."
)
WEAKER = f"{GAMES[TWO_CORES]:,} games of a weaker teacher of our own"
RECIPES = (
    _recipe(
        "nnmm/teacher",
        "a perfect teacher against the observed player",
        teachers,
        [ORDER, "Among the best moves: the choice is one of those that the oracle holds best."],
        "nim instead of morris, which cannot be solved on two cores",
        "EinStein on 4×4 instead of morris",
    ),
    _recipe("nnmm/amount", "1 to 100 % of the data, and more of them", amounts, [ORDER], played=WEAKER),
    _recipe("nnmm/structure", "a cascade, one network with three heads, three apart, one output", structures, [ORDER]),
    _recipe("nnmm/networks", "residual, plain, dense, recurrent and stochastic-depth networks", networks, [ORDER]),
    _recipe("nnmm/encodings", "the board in one, two and three dimensions", encodings, [ORDER]),
    _recipe("nnmm/starts", "with and without unreachable positions in the data", starts, [ORDER, OWN], played=WEAKER),
    _recipe("nnmm/negatives", "illegal moves as negative examples beside the observed ones", negatives, [ORDER]),
    _recipe(
        "nnmm/games",
        "which games' rules can be learned from watching: EinStein, Othello, backgammon",
        games,
        ["Moves have the parts that each game names: stone and direction, column and row, two origins and a die."],
        played=f"{GAMES[TWO_CORES]:,} games of each teacher of our own",
    ),
)
