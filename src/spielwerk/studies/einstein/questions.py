"""The source's three research questions, answered by name with figures of the other recipes."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import plots
from spielwerk.studies.einstein import overview
from spielwerk.studies.einstein.ceilings import ceilings
from spielwerk.studies.einstein.learning import curves
from spielwerk.studies.einstein.matches import rates
from spielwerk.studies.einstein.published import SCORE, published, rate
from spielwerk.studies.einstein.replay import figures as replay
from spielwerk.studies.einstein.replay.arms import EVERY, HARD, LESS
from spielwerk.studies.einstein.replay.verdicts import verdicts
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
    for arm in EVERY:
        sample = final(results, arm.jobs(form), HARD)
        rows.append(Row.of(f"Othello: TD, {arm.label}, against {HARD}", None, sample))
    answers = (_first(form, results), _second(form, results), verdicts(form, results))
    notes = [note for question, answer in zip(QUESTIONS, answers, strict=True) for note in (question, *answer)]
    draw = partial(plots.beside, "What the three answers rest on", rows, "win rate")
    return Report(rows, notes, {"figures": draw})


def _first(form: Form, results: Results) -> list[str]:
    found = {variant: against_random(variant, form, results) for variant in VARIANTS.values()}
    failed = [
        f"{agent} in {variant.title}"
        for variant, samples in found.items()
        for agent, sample in samples.items()
        if sample.interval[0] <= LEARNED
    ]
    learned = f"No clear success of {', '.join(failed)}." if failed else "All three learn in all four variants."
    listed = [f"{variant.title}: {_listed(samples)}." for variant, samples in found.items()]
    seats = "Against random, seated as in the source, where a random mover wins 50 %:"
    return [f"{learned} {seats}", *listed, _small_network(form, results)]


def _small_network(form: Form, results: Results) -> str:
    """Whether the source's explanation for TD's failure with four players holds."""
    parts, learned = [], True
    for variant in FOUR:
        small, large = (
            final(results, curves.long_jobs(variant, variant.dice[0], form, coding), curves.RANDOM)
            for coding in (variant.coding, variant.finer)
        )
        learned = learned and small.interval[0] > LEARNED
        parts.append(f"{variant.title} {_percent(small)} with the published coding, {_percent(large)} with a finer one")
    verdict = "learns here: it was not the size of the network" if learned else "does not clearly learn here either"
    return (
        "The source finds that TD learns nothing with four players and blames too few weights. With the same tuples, "
        f"coding, settings and seats it {verdict} ({'; '.join(parts)}). Perhaps it learned there, too: as mean scores "
        f"the published {_readings()}."
    )


def _readings() -> str:
    """What TD's four-player figures are if they are mean scores."""
    figures = [published(name)["final"] for name in ("figure-24", "figure-26")]
    return " and ".join(f"{100 * value:.1f} % are {100 * rate(value, SCORE):.1f} %" for value in figures)


def _second(form: Form, results: Results) -> list[str]:
    small, large = (against_random(VARIANTS[key], form, results) for key in ("4x4-2", "5x5-2"))
    (job,) = ceilings(VARIANTS["4x4-2"])
    notes = [
        f"Two players: on 4×4 no strategy wins more than {100 * results[job]['ceiling']:.2f} % against random. "
        f"4×4: {_listed(small)}; 5×5: {_listed(large)}.",
        "Four players: the ally limits how much skill shows. With a random ally, and with whole teams:",
    ]
    for variant in FOUR:
        alone, whole = against_random(variant, form, results), in_teams(variant, form, results)
        pairs = (f"{agent} {_percent(alone[agent])} and {_percent(whole[agent])}" for agent in AGENTS)
        notes.append(f"{variant.title}: {', '.join(pairs)}.")
    return notes


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
        f"{overview.LESS}; replay: {LESS}",
        "sections 1 and 7",
    ),
)
