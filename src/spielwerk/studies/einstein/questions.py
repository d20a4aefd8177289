"""The source's three research questions, answered by name with figures of the other recipes."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import plots
from spielwerk.studies.einstein import curves, overview, replay
from spielwerk.studies.einstein.matches import rates
from spielwerk.studies.einstein.training import final
from spielwerk.studies.einstein.variants import VARIANTS, Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

QUESTIONS = (
    "1. What can each agent measurably learn in the variants for two and for four players?",
    "2. How do the variants differ in what is learned?",
    "3. Does experience replay make TD n-tuples learn measurably better?",
)
AGENTS = ("MC", "MCTSE", "TD")
FOUR = tuple(variant for variant in VARIANTS.values() if variant.seating == "mixed")
LEARNED = 0.5  # what a random mover wins in the same seats


def team_jobs(form: Form) -> list[Job]:
    """The searches with whole teams; TD plays those games during its training."""
    return [overview.search_job(variant, which, variant.dice[0], form, "teams") for variant in FOUR for which in (0, 1)]


def jobs(form: Form) -> list[Job]:
    """Table 16, whole teams, and the replay study."""
    return [*overview.jobs(form), *team_jobs(form), *replay.replay_jobs(form)]


def against_random(variant: Variant, form: Form, results: Results) -> dict[str, Sample]:
    """Each agent against the random mover, seated as in the source, with our rule of the die."""
    die = variant.dice[0]
    found = {AGENTS[i]: rates(results, overview.search_job(variant, i, die, form)) for i in (0, 1)}
    return found | {AGENTS[2]: final(results, curves.long_jobs(variant, die, form), curves.RANDOM)}


def in_teams(variant: Variant, form: Form, results: Results) -> dict[str, Sample]:
    """The same with whole teams."""
    die = variant.dice[0]
    found = {AGENTS[i]: rates(results, overview.search_job(variant, i, die, form, "teams")) for i in (0, 1)}
    return found | {AGENTS[2]: final(results, curves.long_jobs(variant, die, form), curves.TEAMS)}


def report(form: Form, results: Results) -> Report:
    """The rows that the answers rest on, and the answers."""
    rows = [row for variant in VARIANTS.values() for row in overview.variant_rows(variant, form, results)]
    for variant in FOUR:
        for agent, sample in in_teams(variant, form, results).items():
            rows.append(Row.of(f"{variant.title}: {agent} against random, whole teams", None, sample, die="either"))
    for arm in replay.EVERY:
        sample = final(results, arm.jobs(form), replay.HARD)
        rows.append(Row.of(f"Othello: TD, {arm.label}, against {replay.HARD}", None, sample))
    answers = (_first(form, results), _second(form, results), _third(form, results))
    notes = [f"{question} {answer}" for question, answer in zip(QUESTIONS, answers, strict=True)]
    draw = partial(plots.beside, "What the three answers rest on", rows, "win rate")
    return Report(rows, notes, {"figures": draw})


def _first(form: Form, results: Results) -> str:
    parts, failed = [], []
    for variant in VARIANTS.values():
        found = against_random(variant, form, results)
        parts.append(f"{variant.title}: {_listed(found)}")
        failed += [f"{agent} on {variant.title}" for agent, one in found.items() if one.interval[0] <= LEARNED]
    learned = f"Everything learns except {', '.join(failed)}." if failed else "All three learn in all four variants."
    return (
        f"{learned} Against random, seated as in the source (a random mover wins 50 %): {'; '.join(parts)}. "
        f"{_small_network(form, results)}"
    )


def _small_network(form: Form, results: Results) -> str:
    """Whether the source's explanation for TD's failure with four players holds."""
    parts = []
    for variant in FOUR:
        small, large = (
            final(results, curves.long_jobs(variant, variant.dice[0], form, coding), curves.RANDOM)
            for coding in (variant.coding, variant.finer)
        )
        parts.append(f"{variant.title} {_percent(small)} with the published coding, {_percent(large)} with a finer one")
    return (
        "The source finds that TD learns nothing with four players and blames too few weights. With the same tuples, "
        f"coding, settings and seats it learns here: {'; '.join(parts)}. So it was not the size of the network."
    )


def _second(form: Form, results: Results) -> str:
    parts = []
    for variant in FOUR:
        alone, whole = against_random(variant, form, results), in_teams(variant, form, results)
        pairs = ", ".join(f"{agent} {_percent(alone[agent])} and {_percent(whole[agent])}" for agent in AGENTS)
        parts.append(f"{variant.title}: {pairs}")
    two = {key: against_random(VARIANTS[key], form, results) for key in ("4x4-2", "5x5-2")}
    larger = ", ".join(
        f"{agent} {_percent(two['4x4-2'][agent])} and {_percent(two['5x5-2'][agent])}" for agent in AGENTS
    )
    return (
        f"With two players the larger board gives skill more room: on 4×4 and 5×5 {larger}. With four players the ally "
        f"decides how much of it shows. With a random ally, and with whole teams: {'; '.join(parts)}."
    )


def _third(form: Form, results: Results) -> str:
    best = max(replay.EVERY[1:], key=lambda arm: final(results, arm.jobs(form), replay.HARD).mean)
    found = replay.difference(best, replay.NONE, replay.HARD, form, results)
    low, high = found.spread_interval
    answer = "Yes, if it is done well." if low > 0 else "No." if high < 0 else "Not clearly."
    return f"{answer} The best of {len(replay.EVERY) - 1} ways is {best.label}: {replay.worded(found)}. " + " ".join(
        replay.verdicts(form, results)
    )


def _listed(found: dict[str, Sample]) -> str:
    return ", ".join(f"{agent} {_percent(sample)}" for agent, sample in found.items())


def _percent(sample: Sample) -> str:
    low, high = sample.interval
    return f"{100 * sample.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


RECIPES = (
    Recipe(
        "einstein/research-questions",
        "the source's three questions, answered",
        jobs,
        report,
        f"{overview.LESS}; replay: {replay.LESS}",
    ),
)
