"""Table 16 for the two variants that the source names but does not measure: 3×3 for two players, 6×6 for three."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import sqrt

from spielwerk.arena.matches.statistics import NORMAL
from spielwerk.studies import plots
from spielwerk.studies.einstein.learning.tuning import FOUND
from spielwerk.studies.einstein.left_open.arms import MCTSE, RANDOM, Match, OpenArm
from spielwerk.studies.einstein.matches import ceiling_job, match_job, random_job, rates
from spielwerk.studies.einstein.overview import RANDOM_GAMES
from spielwerk.studies.einstein.training import AS_PUBLISHED
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form, Recipe
from spielwerk.studies.report import Report, Row
from spielwerk.studies.results import Results

PARTS, GAMES = 10, (100, 20)  # measurements of a search, and games of each, full and quick
SEARCHES = {
    "MC": "mc:iterations=1000,rollout=20",
    "MCTSE": "mctse:iterations=2000,tree=22,rollout=150,nodes=500,count=actions,proof=false",
}


@dataclass(frozen=True)
class Further:
    """A variant; `seconds` is what a game against a search takes about, `speed` TD's episodes a second, on one core."""

    title: str
    game: str
    seating: str
    coding: str
    seconds: float
    speed: float

    def search_job(self, agent: str, against: str, form: Form) -> Job:
        """An agent without training against another."""
        return match_job(self.game, self.seating, (agent, against), form, PARTS, GAMES[form.quick], self.seconds)

    def trained(self) -> OpenArm:
        """TD with the settings of table 15 and the published tuples."""
        settings = {**AS_PUBLISHED, **FOUND, "coding": self.coding}
        matches = (
            Match("against random", self.game, RANDOM, (1000, 200), self.seating),
            Match("against mctse", self.game, MCTSE, (200, 40), self.seating),
        )
        return OpenArm(f"TD (coding {self.coding})", self.game, settings, matches, (5_000_000, 50_000), self.speed)


VARIANTS = (
    Further("3×3, two players", "einstein:board=3", "teams", "stones", 0.004, 150_000),
    Further("6×6, three players", "einstein:board=6,players=3", "mixed", "owner", 0.03, 12_000),
)
SOLVED = VARIANTS[0].game


def jobs(form: Form) -> list[Job]:
    """All agents in both variants."""
    found = [ceiling_job(SOLVED)]
    for variant in VARIANTS:
        found += [random_job(variant.game, RANDOM_GAMES, form), variant.search_job(RANDOM, MCTSE, form)]
        found += [variant.search_job(agent, RANDOM, form) for agent in SEARCHES.values()]
        found += variant.trained().jobs(form)
    return found


def rows_of(variant: Further, form: Form, results: Results) -> list[Row]:
    """The column of a variant."""
    found = results[random_job(variant.game, RANDOM_GAMES, form)]
    half = NORMAL * sqrt(found["rate"] * (1 - found["rate"]) / found["games"])
    interval = (found["rate"] - half, found["rate"] + half)
    rows = [Row(f"{variant.title}: random against random, who begins", None, found["rate"], interval)]
    for label, agent in SEARCHES.items():
        sample = rates(results, variant.search_job(agent, RANDOM, form))
        rows.append(Row.of(f"{variant.title}: {label} against random", None, sample, note=agent))
    arm = variant.trained()
    for match in arm.matches:
        sample = arm.rate(match.name, form, results)
        rows.append(Row.of(f"{variant.title}: {arm.label} {match.name}", None, sample))
    sample = rates(results, variant.search_job(RANDOM, MCTSE, form))
    return [*rows, Row.of(f"{variant.title}: random against mctse, in TD's seat", None, sample)]


def _by_seats(form: Form, results: Results) -> float:
    """What a random mover wins among others with three players, over all seats: two of them are of the pair."""
    pair = results[random_job(VARIANTS[1].game, RANDOM_GAMES, form)]["rate"]
    return (2 * pair + (1 - pair)) / 3


def report(form: Form, results: Results) -> Report:
    """Both columns."""
    rows = [row for variant in VARIANTS for row in rows_of(variant, form, results)]
    exact = results[ceiling_job(SOLVED)]
    notes = [
        f"Exact on 3×3: perfect play wins {100 * exact['perfect']:.2f} % against the random mover, no strategy more "
        f"than {100 * exact['ceiling']:.2f} %, and the random mover who begins {100 * exact['random_first']:.2f} % "
        "against another.",
        "With three players two play together against the third; the agent under test has each of the three seats in "
        "turn, and all others, its ally included, are the opponent. A random mover in each of these seats in turn wins "
        f"{100 * _by_seats(form, results):.1f} %.",
        "TD learns with the settings of table 15 in the published tuples; with three players a cell tells only whose "
        "stone it is, as with four in the source.",
    ]
    return Report(rows, notes, {"figures": partial(plots.beside, "Two further variants", rows, "win rate")})


RECIPES = (
    Recipe(
        "einstein/more-variants",
        "table 16 for 3×3 with two players and 6×6 with three",
        jobs,
        report,
        f"searches play 10 × {GAMES[1]} games instead of 10 × {GAMES[0]}; TD: 3 agents instead of 5, 50,000 episodes "
        "instead of 5,000,000",
        "sections 3.3 and 6.5, left open",
    ),
)
