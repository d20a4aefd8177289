"""Tables 11 and 15: where the source's search for TD's settings begins, and what it ends with."""

from __future__ import annotations

from spielwerk.studies.einstein import remarks
from spielwerk.studies.einstein.grids import Cell, Measured
from spielwerk.studies.einstein.learning.tuning import AXES, FOUND, LESS, SEARCHES, START, VARIANT, Search, agents_of
from spielwerk.studies.einstein.published import SCORE, published, rate, section
from spielwerk.studies.einstein.training import final
from spielwerk.studies.einstein.variants import DICE
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
from spielwerk.studies.results import Results

RULE = (
    "The source takes the setting that exceeds a limit in its median and its mean: of all limits, the highest that a "
    "setting exceeds. Its limits are {alpha:.1f} % for α and {epsilon:.1f} % for ε, as printed; by that rule its "
    "tables give what it chose, though ε = 0.2 throughout has a higher mean. Ours are chosen by the same rule, on win "
    "rates."
)


def start_jobs(form: Form) -> list[Job]:
    """Agents that begin as the source's search does."""
    return [job for die in DICE for job in agents_of(START, die, form)]


def start_report(form: Form, results: Results) -> Report:
    """Table 11: settings, and what they are worth: with α = 0 nothing is learned."""
    rows = [Row(AXES[name], value, value, unit=VALUE) for name, value in START.items()]
    for die in DICE:
        sample = final(results, agents_of(START, die, form), "random")
        rows.append(Row.of("against random with these settings", None, sample, die=die))
    note = (
        "With α = 0 no weight ever changes, and all positions are worth the same: such an agent sees a win that is one "
        "move away, and otherwise takes the first of the equal moves, which is worse than a random one."
    )
    return Report(rows, [note])


def found_jobs(form: Form) -> list[Job]:
    """Everything that the settings were found by."""
    return [job for search in SEARCHES for job in search.all_jobs(form)]


def limit(mean: float, median: float) -> float:
    """The highest limit that a setting exceeds in its median and its mean."""
    return min(mean, median)


def chosen(measured: Measured) -> Cell:
    """The setting that the source's rule takes."""
    return max(measured, key=lambda cell: limit(measured[cell].mean, measured[cell].median))


def found_report(form: Form, results: Results) -> Report:
    """Table 15: what the source's rule takes from our grids, and what the published settings are worth."""
    rows: list[Row] = []
    for die in DICE:
        for search in SEARCHES:
            rows += _found(search, die, search.measured(die, form, results))
        rows += [_worth(die, form, results)]
    limits = {name: 100 * value for name, value in published("rule")["limits"].items()}
    notes = [
        *remarks.common(VARIANT, True),
        RULE.format(**limits),
        "The best of a grid is mostly luck: many settings are equally good within their intervals (tables 12 to 14).",
    ]
    return Report(rows, notes)


def _found(search: Search, die: str, measured: Measured) -> list[Row]:
    """What the rule takes, and where that differs the best mean."""
    best, highest = chosen(measured), max(measured, key=lambda cell: measured[cell].mean)
    sample = measured[best]
    note = f"mean {100 * sample.mean:.1f} %, median {100 * sample.median:.1f} % (best of {len(measured)})"
    note += f"; best mean: {search.name(highest)}, {100 * measured[highest].mean:.1f} %" if highest != best else ""
    return [
        Row(AXES[axis], FOUND[axis], value, die=die, unit=VALUE, note=note)
        for axis, value in zip(search.axes, best, strict=True)
    ]


def _worth(die: str, form: Form, results: Results) -> Row:
    printed = next(line["mean"] for line in published("table-14")["rows"] if line["lam"] == FOUND["lam"])
    sample = final(results, agents_of(FOUND, die, form), "random")
    return Row.of("against random with the settings published", rate(printed, SCORE), sample, printed=printed, die=die)


RECIPES = (
    Recipe(
        "einstein/table-11",
        "TD: the initial settings, and how well they play",
        start_jobs,
        start_report,
        LESS,
        section("table-11"),
    ),
    Recipe(
        "einstein/table-15",
        "TD: the settings found, and how well they play",
        found_jobs,
        found_report,
        LESS,
        section("table-15"),
    ),
)
