"""The source's pairing in both readings of "50 opponents", and its "old best agents" in both; and the spikes it saw."""

from __future__ import annotations

from functools import partial

from spielwerk.learn.evolution.settings import CHAMPIONS
from spielwerk.studies import plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.rows import LESS, MEDIANS, NUMBERED, held_row, perfect_row, share_row, spike_rows, steady_row
from spielwerk.studies.nim.settings import LAST, Chosen
from spielwerk.studies.nim.source.experiments import ARMS, TWO_MEASURES
from spielwerk.studies.nim.training import GAMES
from spielwerk.studies.ranks import mann_whitney
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

KEY = "stack-8-3"
LENGTHS = (1000, 300)  # generations, full and quick
ROBIN, OPPONENTS, RETURNED = "50 distances", "50 opponents: 25 distances", "old champions return"
CHANGES: dict[str, Chosen] = {
    ROBIN: {},
    OPPONENTS: {"opponents": 25},
    "10 distances": {"opponents": 10},
    "5 distances": {"opponents": 5},
    RETURNED: {"best_from": CHAMPIONS},
    "25 distances, old champions return": {"opponents": 25, "best_from": CHAMPIONS},
}


def arms(form: Form) -> list[Arm]:
    """One for each reading, and two with fewer opponents."""
    length = LENGTHS[form.quick]
    return [
        Arm(label, ARMS[KEY].game, LAST | changes, length, measure=GAMES, stop=False)
        for label, changes in CHANGES.items()
    ]


def jobs(form: Form) -> list[Job]:
    """The populations of all of them."""
    return [job for arm in arms(form) for job in arm.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """When each is perfect, whether it stays so, and how often it falls."""
    source, found = published(KEY), {arm.label: arm.runs(form, results) for arm in arms(form)}
    rows = [row for runs in found.values() for row in _rows(runs, source["spikes"], source["spike"])]
    notes = [
        "With a population of 100, 50 distances round the circle are a full round robin, and a fixed stack draws "
        "nothing: everybody meets everybody, so no champion owes its place to the luck of pairing.",
        _luck(found),
        *(_beside(found[ROBIN], found[label]) for label in (OPPONENTS, RETURNED)),
        "Old champions return: the share of 15 % is not the best of the last generation but champions spread over all "
        "generations so far, which is what the source means by “old best agents” where it evaluates.",
        "Its further check, that no distance is a multiple of an earlier one, would forbid every distance after a 1; "
        "what it is there for, that nobody meets anybody twice, holds here.",
        *(TWO_MEASURES[GAMES], NUMBERED, MEDIANS),
    ]
    return Report(rows, notes, {"fallen": partial(_boxes, list(found.values()))})


def _rows(runs: Runs, spikes: float, depth: float) -> list[Row]:
    steadily = [perfect_row(runs), steady_row(runs), share_row(runs), held_row(runs)]
    return [*steadily, *spike_rows(runs, spikes, depth)]


def _luck(found: dict[str, Runs]) -> str:
    """Whether champions fall where pairing leaves nothing to luck."""
    parts = []
    for label in (ROBIN, OPPONENTS):
        falls = found[label].spikes(GAMES, "falls")
        parts.append(f"{falls.mean:.1f} falls a population with {label}" if falls.values else f"{label}: never steady")
    robin = found[ROBIN].spikes(GAMES, "falls")
    verdict = (
        "luck of pairing cannot be the whole cause" if robin.values and robin.mean > 0 else "they do not come back"
    )
    return f"The spikes that the source blames on the luck of pairing: {'; '.join(parts)}: {verdict}."


def _beside(base: Runs, other: Runs) -> str:
    """Both readings by when populations are perfect, when steady, and how many generations fall."""
    said = [
        f"{text} p = {mann_whitney(other.needed(what), base.needed(what)):.2g}"
        for what, text in (("perfect", "until perfect"), ("steady", "until steady"))
    ]
    mine, theirs = (runs.spikes(GAMES, "fallen").values for runs in (other, base))
    said += [f"share of generations that fall p = {mann_whitney(mine, theirs):.2g}"] if mine and theirs else []
    return f"{other.arm.label} beside {base.arm.label} (Mann–Whitney, two-sided): {', '.join(said)}."


def _boxes(several: list[Runs]) -> object:
    found = [(runs.arm.label, runs.spikes(GAMES, "fallen")) for runs in several]
    rows = [
        plots.Box(label.replace(", ", ",\n").replace(": ", ":\n"), [("ours", one)])
        for label, one in found
        if one.values
    ]
    return plots.boxes("Stack 8, test 3: generations that fall once steady", rows, "share of generations")


RECIPES = (
    Recipe(
        "nim/pairing",
        "50 opponents as 50 or 25 distances, the best from one or from all generations, and the spikes",
        jobs,
        report,
        f"{LESS}, {LENGTHS[1]} generations instead of {LENGTHS[0]:,}",
    ),
)
