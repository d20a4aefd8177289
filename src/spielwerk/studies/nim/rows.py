"""The rows and the sentences that several reports share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spielwerk.arena.matches.statistics import Interval
from spielwerk.studies.nim.arms import SEEDS, Runs
from spielwerk.studies.nim.recorded import STEADY
from spielwerk.studies.nim.training import GAMES, LATE, SOURCES, SOURCES_PERFECT
from spielwerk.studies.report import NUMBER, VALUE, Row

LESS = f"{SEEDS[1]} populations instead of {SEEDS[0]}"
NUMBERED = (
    "Generations are numbered from 0, as in the source: generation 0 is the initial, random one. Plots show the "
    "number of generations so far, so it is at 1."
)
COURSE = ("generations evolved", "right decisions of the champion")  # the axes of a plot
BEST_COURSE = ("generations evolved", "right decisions of the best champion so far")
MEDIANS = (
    "Generations are medians; populations that never become perfect count as slower than all others, and the "
    "interval is that of the median, from order statistics."
)


def perfect_row(runs: Runs, published: float | None = None, note: str = "", name: str = "") -> Row:
    """The generations until the champion is perfect."""
    return _generations(runs, "perfect", f"{name or runs.arm.label}: generations until perfect", published, note)


def steady_row(runs: Runs, published: float | None = None, note: str = "", name: str = "") -> Row:
    """The generations until it stays so for a while."""
    text = f"{name or runs.arm.label}: until perfect {STEADY} generations in a row"
    return _generations(runs, "steady", text, published, note)


def genomes_rows(runs: Runs) -> list[Row]:
    """The genomes that were graded until then; nothing if half of the populations do not get there."""
    median = runs.median()
    if median is None:
        return []
    name = f"{runs.arm.label}: genomes graded until perfect"
    return [Row(name, None, runs.population * (median + 1), note="median", unit=NUMBER)]


def anew(patience: int) -> str:
    """What populations do that lose their patience."""
    return (
        f"patience={patience}: a population that gets no better for {patience} generations starts over. The plot shows "
        "the best champion so far, which is kept."
    )


def _generations(runs: Runs, what: str, name: str, published: float | None, note: str) -> Row:
    never = f"half need more than {runs.arm.generations:,}; " if runs.median(what) is None else ""
    said = f"{f'{note}; ' if note else ''}{never}quartiles {runs.quartiles(what)}"
    return Row(name, published, runs.median(what), runs.median_interval(what), note=said, unit=NUMBER)


def share_row(runs: Runs, published: float | None = None, note: str = "", name: str = "") -> Row:
    """How many populations have a perfect champion at some time."""
    said = f"{runs.count()}{f'; {note}' if note else ''}"
    text = f"{name or runs.arm.label}: populations that get there"
    return Row(text, published, runs.share(), runs.share_interval(), note=said)


def held_row(runs: Runs, name: str = "") -> Row:
    """How many champions of the last generations are perfect."""
    text = f"{name or runs.arm.label}: perfect champions in the last {LATE} generations"
    return Row.of(text, None, runs.figure("held"))


def size_row(runs: Runs, name: str = "", layers: Sequence[int] = ()) -> Row:
    """How large the champion is in the end; the published one has `layers`."""
    hidden, edges = runs.figure("champion_hidden"), runs.figure("champion_edges")
    text = f"{name or runs.arm.label}: hidden nodes of the last champion"
    theirs = f"; published: layers {'-'.join(map(str, layers))}" if layers else ""
    note = f"median; {edges.median:,.0f} edges{theirs}"
    return Row(
        text,
        float(sum(layers[1:-1])) if layers else None,
        hidden.median,
        (min(hidden.values), max(hidden.values)),
        note=note,
        unit=NUMBER,
    )


def points_rows(runs: Runs, published: float | None = None, note: str = "", name: str = "") -> list[Row]:
    """The source's grade, in its two readings: in games against earlier champions, and against perfect play.

    Populations that are perfect at once have met no earlier champion.
    """
    text = f"{name or runs.arm.label}: points a move against {{}}, last {LATE} generations"
    said = "; ".join(filter(None, ("the source's grade", note)))
    alike, perfect = runs.late(SOURCES), runs.late(SOURCES_PERFECT)
    rows = [
        (text.format("earlier champions"), published, alike, said),
        (text.format("perfect play"), None, perfect, ""),
    ]
    return [Row.of(name, theirs, sample, note=note) for name, theirs, sample, note in rows if sample.values]


SPIKES = {GAMES: "right decisions", SOURCES_PERFECT: "points a move"}  # against perfect play: what rows call them


def spike_rows(runs: Runs, published: float | None = None, depth: float | None = None) -> Iterator[Row]:
    """How often champions of a population that was steady fall again, by our grade and by the source's."""
    for name, called in SPIKES.items():
        falls, halved = (runs.spikes(name, what) for what in ("falls", "halved"))
        text = f"{runs.arm.label}: falls of {called} once steady"
        if not falls.values:
            yield Row(text, None, None, note="no population was steady", unit=VALUE)
            continue
        fallen = runs.spikes(name, "fallen").mean
        note = f"a population; {halved.mean:.1f} of them to 50 % or less; {100 * fallen:.1f} % of generations"
        theirs = f"; published: down to {100 * depth:.0f} %" if depth is not None and name == SOURCES_PERFECT else ""
        shown = published if name == SOURCES_PERFECT else None
        yield Row(text, shown, falls.mean, positive(falls.spread_interval), note=note + theirs, unit=VALUE)


def positive(interval: Interval) -> Interval:
    """An interval of numbers that cannot be below 0."""
    return max(0.0, interval[0]), interval[1]
