"""The variants of the game that the source studies, and the two rules of the die."""

from __future__ import annotations

from dataclasses import dataclass

DICE = ("either", "nearest")  # the published rule, our default; and that of the software which made the figures


@dataclass(frozen=True)
class Variant:
    """`key` is the variant's name in the published data; `coding` what TD sees of a cell there."""

    key: str
    title: str
    settings: str
    stones: int
    seating: str
    coding: str
    finer: str  # a coding that tells more, where the source's is coarse
    values: int  # of a cell, as the source counts them

    @property
    def dice(self) -> tuple[str, ...]:
        """The rules of the die that differ: of three stones the next and the nearest are the same."""
        return DICE[:1] if self.stones == 3 else DICE

    def game(self, die: str) -> str:
        """The name of the game."""
        settings = [self.settings] if self.settings else []
        settings += [] if die == DICE[0] else [f"die={die}"]
        return f"einstein:{','.join(settings)}" if settings else "einstein"


VARIANTS = {
    variant.key: variant
    for variant in (
        Variant("4x4-2", "4×4, two players", "board=4", 3, "teams", "stones", "", 13),
        Variant("5x5-2", "5×5, two players", "", 6, "teams", "stones", "", 13),
        Variant("4x4-4", "4×4, four players", "board=4,players=4", 3, "mixed", "owner", "stones", 5),
        Variant("6x6-4", "6×6, four players", "board=6,players=4", 6, "mixed", "owner", "groups", 5),
    )
}
