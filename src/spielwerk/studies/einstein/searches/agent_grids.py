"""The grids of settings over which the source measures its two searches, and ours measure them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from spielwerk.studies.einstein.grids import Cell, cell_of
from spielwerk.studies.einstein.matches import match_job
from spielwerk.studies.einstein.published import published
from spielwerk.studies.einstein.variants import Variant
from spielwerk.studies.job import Job
from spielwerk.studies.recipe import Form

PARTS = 10  # measurements of each setting
AS_COUNTED = "count=actions,proof=false"  # how the source's tree search counts nodes, and that it proves nothing

# Milliseconds a game with 1000 playouts for each action, or 2000 simulations a decision, on one core.
MC_TIME = {"4x4-2": 2.4, "5x5-2": 9.0, "4x4-4": 2.3, "6x6-4": 17.0}
MCTSE_TIME = {"4x4-2": 6.0, "5x5-2": 13.0, "4x4-4": 5.0, "6x6-4": 25.0}


@dataclass(frozen=True)
class Grid:
    """The settings of one agent: axes with their values, in the full and in the quick form."""

    axes: tuple[str, ...]
    full: tuple[Sequence[int], ...]
    quick: tuple[Sequence[int], ...]
    games: tuple[int, int]  # of one of the ten measurements, full and quick
    theirs: int  # games of one of theirs

    @property
    def settings(self) -> int:
        """How many there are in the source."""
        return len(list(product(*self.full)))

    def agent(self, cell: Cell) -> str:
        """The agent's name. The source counts the actions that were tried, and proves nothing."""
        values = dict(zip(self.axes, (int(value) for value in cell), strict=True))
        if "nodes" not in values:
            return f"mc:iterations={values['iterations']},rollout={values['rollout']}"
        limits = f"tree={values['tree']},rollout={values['rollout']},nodes={values['nodes']}"
        return f"mctse:iterations=2000,{limits},{AS_COUNTED}"

    def seconds(self, variant: Variant, cell: Cell) -> float:
        """What a game takes about."""
        if "nodes" in self.axes:
            return MCTSE_TIME[variant.key] / 1000
        return MC_TIME[variant.key] * cell[self.axes.index("iterations")] / 1e6

    def job(self, variant: Variant, die: str, cell: Cell, form: Form, seating: str = "") -> Job:
        """The measurement of one setting, seated as in the source or otherwise."""
        games, seconds = self.games[form.quick], self.seconds(variant, cell)
        agents = self.agent(cell), "random"
        return match_job(variant.game(die), seating or variant.seating, agents, form, PARTS, games, seconds)

    def scale(self, form: Form) -> float:
        """What makes the deviation of our measurements that of theirs, which have another number of games."""
        return (self.games[form.quick] / self.theirs) ** 0.5

    def crossed(self, form: Form) -> list[Cell]:
        """The grid itself: every value of each setting with every other."""
        return list(product(*(self.quick if form.quick else self.full)))

    def cells(self, table: str, form: Form) -> list[Cell]:
        """What is measured: the grid, and whatever is published."""
        listed = [cell_of(line, self.axes) for line in published(table)["rows"]]
        return list(dict.fromkeys([*listed, *self.crossed(form)]))


MC = Grid(
    axes=("iterations", "rollout"),
    full=(range(800, 2601, 200), range(17, 24)),
    quick=((800, 1400, 2000, 2600), (17, 20, 23)),
    games=(200, 40),
    theirs=200,
)
MCTSE = Grid(
    axes=("rollout", "tree", "nodes"),
    full=((125, 150, 175), (21, 22, 23), (450, 500, 550)),
    quick=((125, 175), (21, 23), (450, 550)),
    games=(100, 40),
    theirs=10,
)
