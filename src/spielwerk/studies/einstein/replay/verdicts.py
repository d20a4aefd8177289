"""What the replay study says: whether replay helps, and whether the source's own explanations hold."""

from __future__ import annotations

from spielwerk.studies.einstein.replay.arms import (
    AS_PRINTED,
    BOTH,
    BUFFERED,
    BY_EPISODE,
    BY_TRANSITION,
    FROZEN,
    FROZEN_ALONE,
    HARD,
    LARGE_BUFFER,
    NONE,
    OTHER,
    PRIORITISED,
    SMALL,
    TURNS,
    Arm,
    best_arm,
    difference,
    facts,
)
from spielwerk.studies.recipe import Form
from spielwerk.studies.results import Results
from spielwerk.studies.sample import Sample

MIDDLE = BY_TRANSITION[25]


def verdicts(form: Form, results: Results) -> list[str]:
    """The answers, from the figures."""
    return [
        _best(form, results),
        _published(form, results),
        _other_opponent(form, results),
        _overfits(form, results),
        _little_use(form, results),
        _proposals(form, results),
    ]


def _best(form: Form, results: Results) -> str:
    best = best_arm(form, results)
    found = difference(best, NONE, form, results)
    low, high = found.spread_interval
    answer = "Yes, if it is done well." if low > 0 else "No." if high < 0 else "Not clearly."
    return (
        f"Does replay help? {answer} The best of {len(BUFFERED)} ways against {OTHER} is {best.label}; against {HARD} "
        f"it wins {_worded(found)}, compared with no replay (a point is 1 % of the games)."
    )


def _published(form: Form, results: Results) -> str:
    arms = [*BY_TRANSITION.values(), *BY_EPISODE.values()]
    parts = [f"{arm.label} {_worded(difference(arm, NONE, form, results))}" for arm in arms]
    larger = [_worded(difference(ways[50], ways[5], form, results)) for ways in (BY_TRANSITION, BY_EPISODE)]
    learned = ", ".join(f"{batch / TURNS:.2f}" for batch in BY_EPISODE)
    return (
        f"As published, against {HARD} and compared with no replay: {'; '.join(parts)}. Published: the larger the "
        f"batch, the worse. Ours, 50 instead of 5: {larger[0]} after each transition, {larger[1]} after each episode. "
        f"With a batch after every episode, as in the source's code, a transition is learned only {learned} times on "
        "average (batch 5, 25, 50); without replay once."
    )


def _other_opponent(form: Form, results: Results) -> str:
    arms = [*BY_TRANSITION.values(), *BY_EPISODE.values(), SMALL, LARGE_BUFFER]
    parts = [f"{arm.label} {_worded(difference(arm, NONE, form, results, OTHER))}" for arm in arms]
    return f"The same against {OTHER}, which plays quite differently: {'; '.join(parts)}."


def _overfits(form: Form, results: Results) -> str:
    parts = []
    for arm in (*BY_TRANSITION.values(), SMALL, LARGE_BUFFER):
        fresh, stored = (facts(arm, fact, form, results) for fact in ("fresh_error", "buffer_error"))
        gap = Sample(tuple(a - b for a, b in zip(fresh.values, stored.values, strict=True)))
        low, high = gap.spread_interval
        parts.append(f"{arm.label} {stored.mean:.3f} and {fresh.mean:.3f} (gap {low:+.3f} to {high:+.3f})")
    return (
        "Overfitting? Then what is in the buffer would be known better than new games, and the more so the more is "
        f"replayed. Mean |δ| in the buffer and in new games: {'; '.join(parts)}."
    )


def _little_use(form: Form, results: Results) -> str:
    idle, terminal, twins = (
        f"{100 * facts(MIDDLE, fact, form, results).mean:.1f} %" for fact in ("idle", "terminal", "twins")
    )
    stored, picked = (facts(PRIORITISED, fact, form, results) for fact in ("buffer_error", "picked_error"))
    return (
        f"Random selection that yields little? Of the buffer (batch 25) {idle} have |δ| < 0.02, {terminal} end a game, "
        f"{twins} are there twice. Prioritised sampling raises the mean |δ| of a batch from {stored.mean:.3f} to "
        f"{picked.mean:.3f}; against {HARD} that wins {_worded(difference(PRIORITISED, MIDDLE, form, results))}. As "
        "the source prints it, without importance-sampling correction (correction=0), it wins "
        f"{_worded(difference(AS_PRINTED, MIDDLE, form, results))}."
    )


def _proposals(form: Form, results: Results) -> str:
    pairs: list[tuple[Arm, Arm]] = [(FROZEN, MIDDLE), (BOTH, MIDDLE), (FROZEN_ALONE, NONE)]
    pairs += [(SMALL, MIDDLE), (LARGE_BUFFER, MIDDLE)]
    parts = [f"{one.label}: {_worded(difference(one, two, form, results))} than {two.label}" for one, two in pairs]
    return f"Freezing, as the source proposes, and two other remedies, against {HARD}: {'; '.join(parts)}."


def _worded(found: Sample) -> str:
    """A difference with its interval, and what it says."""
    low, high = found.spread_interval
    verdict = "better" if low > 0 else "worse" if high < 0 else "not clearly better or worse"
    return f"{100 * found.mean:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f}: {verdict})"
