"""One generation of a run: which one is meant, and its champion, as far as it was kept."""

from __future__ import annotations

from spielwerk.games.game import Game
from spielwerk.learn.checkpoint import Checkpoint
from spielwerk.learn.evolution.champion_files import champion, champions
from spielwerk.learn.evolution.genome.genome import Genome, packed
from spielwerk.names import BadInput


def number_of(generation: int | None, count: int) -> int:
    """The generation of so many that is meant, by default the last one; it must have been."""
    if not count:
        raise BadInput("Nothing has been recorded yet.")
    if generation is not None and not 0 <= generation < count:
        raise BadInput(f"There is no generation {generation}; the last one is {count - 1}.")
    return count - 1 if generation is None else generation


def champion_of(game: Game, kept: Checkpoint, generation: int | None) -> tuple[int, Genome]:
    """A generation and its champion, if it was kept; by default the one that plays."""
    if generation is None:
        return champion(game, kept)
    number, found = number_of(generation, kept.episode), dict(champions(game, kept))
    if number not in found:
        before, after = max(at for at in found if at < number), min(at for at in found if at > number)
        raise BadInput(f"The champion of generation {number} was not kept; those of {before} and {after} were.")
    return number, found[number]


def played_by(game: Game, kept: Checkpoint, generation: int) -> Checkpoint:
    """The same checkpoint, with which the champion of this generation plays."""
    return kept.with_arrays(packed("champion", [champion_of(game, kept, generation)[1]]))
