"""The source's three questions, answered by name with figures of the other recipes."""

from __future__ import annotations

from functools import partial

from spielwerk.studies import plots
from spielwerk.studies.job import Job
from spielwerk.studies.nim.arms import Arm, Runs
from spielwerk.studies.nim.equal_games import EVOLUTION, MCTS
from spielwerk.studies.nim.left_open import effects, multi, others
from spielwerk.studies.nim.published import published
from spielwerk.studies.nim.rows import MEDIANS, NUMBERED, share_row
from spielwerk.studies.nim.source import experiments, several_stacks
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import VALUE, Report, Row
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

MOST = 0.9  # of the populations that succeed where a task is learned


def tasks(form: Form) -> dict[str, Arm]:
    """What networks were to learn: the source's experiments, several stacks with its settings and with ours."""
    single = {published(key)["caption"]: experiments.ARMS[key] for key in experiments.KEYS}
    theirs = {f"{arm.label}, the source's settings": arm for arm in several_stacks.arms(form)}
    return single | theirs | {f"{arm.label}, ours": arm for arm in multi.arms(form)}


def jobs(form: Form) -> list[Job]:
    """Those of the recipes that the answers rest on."""
    found = [job for arm in tasks(form).values() for job in arm.jobs(form)]
    return [*found, *effects.jobs(form), *others.jobs(form)]


def report(form: Form, results: Results) -> Report:
    """The questions in the source's words, each with its answer, and the rows that these rest on."""
    learned = {name: arm.runs(form, results) for name, arm in tasks(form).items()}
    answers = (_first(learned), _second(form, results), _third(form, results))
    asked = published("questions")["questions"]
    notes = [note for question, answer in zip(asked, answers, strict=True) for note in (question, *answer)]
    rows = [share_row(runs, name=name) for name, runs in learned.items()]
    draw = partial(plots.beside, "What evolved networks learn", list(rows), "populations that become perfect")
    return Report([*rows, *_regrets(form, results)], [*notes, NUMBERED, MEDIANS], {"learned": draw})


def _first(learned: dict[str, Runs]) -> list[str]:
    done = {name: runs for name, runs in learned.items() if runs.share() >= MOST}
    failed = {name: runs for name, runs in learned.items() if runs.share() < MOST}
    return [
        "By letting a population of small networks compete, and mutating the weights and the topology of those that "
        f"win: {len(done)} of {len(learned)} tasks are learned to perfect play by "
        f"{100 * MOST:.0f} % of populations or more.",
        *(f"Learned: {name}, {_when(runs)}." for name, runs in done.items()),
        *(
            f"Not learned: {name}, {_when(runs)}; best champions {_percent(runs.figure('top'))}."
            for name, runs in failed.items()
        ),
    ]


def _when(runs: Runs) -> str:
    median = runs.median()
    half = (
        f"half need more than {runs.arm.generations:,} generations"
        if median is None
        else f"after {median:,.0f} generations"
    )
    return f"{runs.count()}, {half}"


def _second(form: Form, results: Results) -> list[str]:
    base, found = effects.compared(form, results)
    clear = [effect for effect in found if effect.clear(len(found))]
    listed = {
        verdict: [f"{effect.runs.arm.label} ({_when(effect.runs)})" for effect in clear if effect.verdict == verdict]
        for verdict in ("quicker", "slower")
    }
    return [
        f"Of {len(found)} changes to the source's last experiment ({_when(base)}), {len(clear)} differ clearly, "
        f"{len(found) - len(clear)} do not.",
        *(f"Clearly {verdict}: {'; '.join(names) or 'none'}." for verdict, names in listed.items()),
    ]


def _third(form: Form, results: Results) -> list[str]:
    notes = []
    for game, title in others.GAMES.items():
        for budget in others.BUDGETS[form.quick]:
            means = {way: others.sample(game, way, budget, "regret", form, results) for way in others.WAYS}
            said = ", ".join(f"{way} {_value(one)}" for way, one in means.items())
            better = [way for way, one in means.items() if one.spread_interval[1] < means[EVOLUTION].spread_interval[0]]
            verdict = f"clearly better than evolution: {', '.join(better)}" if better else "none is clearly better"
            notes.append(f"{title}, {budget:,} games, regret a decision: {said}; {verdict}.")
    return [
        f"At equal numbers of games, by the regret of a decision ({MCTS} plays as many games for each decision):",
        *notes,
    ]


def _regrets(form: Form, results: Results) -> list[Row]:
    """Each way with the most games."""
    budget = others.BUDGETS[form.quick][-1]
    found = {
        f"{title}, {way}, {budget:,} games: regret": others.sample(game, way, budget, "regret", form, results)
        for game, title in others.GAMES.items()
        for way in others.WAYS
    }
    return [
        Row(name, None, one.mean, (max(0.0, one.spread_interval[0]), one.spread_interval[1]), unit=VALUE)
        for name, one in found.items()
    ]


def _value(sample: Sample) -> str:
    low, high = sample.spread_interval
    return f"{sample.mean:.3f} ({max(0.0, low):.3f} to {high:.3f})"


def _percent(sample: Sample) -> str:
    low, high = sample.interval
    return f"{100 * sample.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f}) of decisions right"


RECIPES = (
    Recipe(
        "nim/research-questions",
        "the source's three questions, answered",
        jobs,
        report,
        "the quick forms of the recipes that the answers rest on",
    ),
)
