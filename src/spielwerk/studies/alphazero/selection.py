"""Gumbel's selection against PUCT with few and many simulations: to learn by, and to play by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from spielwerk.search.trees.selection import GUMBEL, PUCT
from spielwerk.studies.alphazero.arms import AZ, DECISIONS, EINSTEIN, PLAIN, job_of, learned
from spielwerk.studies.job import Job, Result
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Draw, Report
from spielwerk.studies.results import Results
from spielwerk.studies.trainings import plots
from spielwerk.studies.trainings.measures import GRADE, RAW, Measure
from spielwerk.studies.trainings.rows import apart, blind, figure_of, last, row
from spielwerk.studies.trainings.training import Arm

RULES, COUNTS = (GUMBEL, PUCT), (2, 8, 32, 128)
SECONDS = (20.0, 8.0, 60.0)  # of each training: on a GPU, quick, on two cores
PLAYING = (30.0, 12.0, 60.0)  # of the training of the network that both rules search with
BOARDS = (4096, 64, 128)  # few, so that windows of long searches do not take longer than the time that there is
MEASURED = "measured"
MORE = ((3.0, 1.0, 2.0), (30.0, 6.0, 20.0))  # seconds of measuring: the raw policy, and all searches


def learning_arm(rule: str, count: int, form: Form) -> Arm:
    """A training by searches of so many simulations; the raw policy is graded."""
    settings = learned(EINSTEIN, PLAIN, form, select=rule, simulations=count, boards=BOARDS[form.scale])
    measure = Measure(RAW, GRADE, DECISIONS[EINSTEIN][form.scale])
    return Arm(EINSTEIN, AZ, settings, SECONDS[form.scale], [measure], more=MORE[0][form.scale])


def playing_arm(form: Form) -> Arm:
    """One training, after which both rules search with the same network."""
    count = DECISIONS[EINSTEIN][form.scale]
    searches = [Measure(_label(rule, n), GRADE, count, n, rule) for rule in RULES for n in COUNTS]
    settings = learned(EINSTEIN, PLAIN, form)
    measures = [Measure(RAW, GRADE, count), *searches]
    return Arm(EINSTEIN, AZ, settings, PLAYING[form.scale], measures, more=MORE[1][form.scale])


def jobs(form: Form) -> list[Job]:
    """A training of each rule and number, and the one to search with."""
    learning = [job_of(learning_arm(rule, count, form), form) for rule in RULES for count in COUNTS]
    return [*learning, job_of(playing_arm(form), form)]


def report(form: Form, results: Results) -> Report:
    """Regrets of what was learned by each rule, then of playing by each."""
    learned_by = {
        _label(rule, count): last(results[job_of(learning_arm(rule, count, form), form)])
        for rule in RULES
        for count in COUNTS
    }
    played = last(results[job_of(playing_arm(form), form)])
    rows = [row(f"learned by {label}, raw", point, RAW) for label, point in learned_by.items()]
    rows.append(row("the network of all searches, raw", played, RAW))
    rows += [row(f"played by {_label(rule, n)}", played, _label(rule, n)) for rule in RULES for n in COUNTS]
    notes = [
        f"Regret a decision on {EINSTEIN}, whose truth is known. Learned: each training has {SECONDS[form.scale]:.0f} "
        "s, so that more simulations mean fewer games; the raw policy is graded. Played: the same network, searched "
        "by both rules.",
        f"Both rules are asked the same decisions. What puct loses more than gumbel: {_more(played[MEASURED])}.",
        blind([*learned_by.values(), played]),
        "Learning by puct needs noise and temperature, which it has by default; playing has neither.",
    ]
    found = {
        "learned": _lines(
            "Raw policy, learned by searches of so many simulations", lambda label: learned_by[label][MEASURED][RAW]
        ),
        "played": _lines("The same network, played with so many simulations", lambda label: played[MEASURED][label]),
    }
    return Report(rows, notes, found)


def _label(rule: str, count: int) -> str:
    return f"{rule} {count}"


def _more(measured: Mapping[str, Result]) -> str:
    """What the second rule loses more than the first with each number of simulations."""
    both = {count: [measured[_label(rule, count)] for rule in RULES] for count in COUNTS}
    return ", ".join(f"with {count} {apart(*those)}" for count, those in both.items())


def _lines(title: str, find: Callable[[str], Result]) -> Draw:
    """Both rules over the number of simulations."""
    those = [_line(rule, [figure_of(find(_label(rule, count))) for count in COUNTS]) for rule in RULES]
    return partial(plots.lines, f"{title}: {EINSTEIN}", those, ("simulations", "regret a decision"), False, True)


def _line(rule: str, figures: list[tuple[str, float, tuple[float, float], str]]) -> plots.Line:
    return plots.Line(rule, COUNTS, [one[1] for one in figures], [one[2] for one in figures])


RECIPES = (
    Recipe(
        "alphazero/selection",
        f"Gumbel against PUCT with {', '.join(map(str, COUNTS))} simulations, to learn by and to play by: regret on "
        f"{EINSTEIN}",
        jobs,
        report,
        f"{SECONDS[1]:.0f} s of each training on the CPU instead of {SECONDS[0]:.0f} s on a GPU, a smaller network, "
        f"{DECISIONS[EINSTEIN][1]} decisions instead of {DECISIONS[EINSTEIN][0]:,}",
        without_gpu=f"{SECONDS[2]:.0f} s of each training on two cores instead of {SECONDS[0]:.0f} to {PLAYING[0]:.0f} "
        "s on a GPU, a smaller network",
    ),
)
