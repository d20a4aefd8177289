"""DatasetPlan: everything that decides a dataset. Carried out again, it gives the same."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from spielwerk.games.random_positions import STARTS
from spielwerk.learn.imitation.data.shards import FORMATS
from spielwerk.names import BadInput, unknown
from spielwerk.version import __version__

SELF = "self"  # the opponent that is the teacher
SHARD = 64  # games that are kept together
STATES_SHARD = 4096  # positions


@dataclass(frozen=True)
class DatasetPlan:
    """What the teacher plays, how often, against whom, and from where.

    A share of the games, `random`, begins at drawn positions: `starts` is how. `states` is how many further positions
    there are, none of which, and none of whose symmetric twins, the teacher has moved in.
    """

    game: str
    teacher: str
    games: int
    opponents: tuple[str, ...] = (SELF,)
    starts: str = "start"
    random: float = 1.0
    opening: int = 0
    states: int = 0
    seed: int = 1
    form: str = "jsonl"

    def __post_init__(self) -> None:
        if self.starts not in STARTS:
            raise unknown("Games of a dataset cannot begin at", self.starts, STARTS, "Possible")
        if self.form not in FORMATS:
            raise unknown("A dataset has no format", self.form, FORMATS, "Formats")
        for what, value, least in (("games", self.games, 1), ("states", self.states, 0), ("opening", self.opening, 0)):
            if value < least:
                raise BadInput(f"A dataset cannot have {value} {what}.")
        if not 0 <= self.random <= 1:
            raise BadInput(f"The share of games from random positions is 0 to 1, not {self.random:g}.")

    @property
    def shards(self) -> int:
        """Of games."""
        return -(-self.games // SHARD)

    def facts(self) -> dict[str, Any]:
        """What the folder says of itself."""
        return {**asdict(self), "opponents": list(self.opponents), "version": __version__}


def check_same(plan: DatasetPlan, found: dict[str, Any], where: str) -> None:
    """Refuses to go on with a folder that was begun otherwise; only more states are possible."""
    own = plan.facts()
    for field in fields(plan):
        name = field.name
        grows = name == "states" and isinstance(found.get(name), int) and found[name] <= own[name]
        if not grows and found.get(name) != own[name]:
            raise BadInput(f"{where} was begun with {name}={found.get(name)}, not {own[name]}; name another folder.")
