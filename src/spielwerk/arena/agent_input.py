"""What an agent may be asked: positions and batches of its own game; all else is refused in a sentence.

An agent defines `choose` or `choose_many`, and anybody calls them; a kernel that is given another game's position reads
and writes wherever that leads. So `Agent` puts a check before each of these methods, whichever class defines it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spielwerk.games.batch import Batch
from spielwerk.games.batch_input import dtype_of
from spielwerk.games.position import Position
from spielwerk.names import BadInput

if TYPE_CHECKING:
    from spielwerk.arena.agent import Agent


def check_position(agent: Agent, position: Position, *_: Any, **__: Any) -> None:
    """Refuses positions of another game or variant."""
    if not isinstance(position, Position) or position.game != agent.game:
        raise BadInput(
            f"{agent.name} plays {agent.game.name}; it takes a position of that game, not {_named(position)}."
        )


def check_decision(agent: Agent, position: Position, *_: Any, **__: Any) -> None:
    """Refuses also positions in which nobody is to move."""
    check_position(agent, position)
    need_mover(position)


def need_mover(position: Position) -> None:
    """Refuses positions in which nobody is to move."""
    if position.chance:
        rolled = position.roll(position.outcomes()[0][0])
        raise BadInput(f'There is no move to think about before a roll; write a position with one, such as "{rolled}".')
    if position.over:
        raise BadInput("There is no move to think about: the game is over.")


def check_batch(agent: Agent, batch: Batch, rngs: Any) -> None:
    """Refuses boards of another game or on another device, and anything but one random stream for each board."""
    if not isinstance(batch, Batch) or batch.game != agent.game:
        raise BadInput(f"{agent.name} plays {agent.game.name}; it takes a batch of that game, not {_named(batch)}.")
    if batch.device not in agent.devices:
        raise BadInput(f"{agent.name} plays on {' and '.join(agent.devices)}, not on {batch.device}.")
    shape, dtype = list(getattr(rngs, "shape", ())), dtype_of(rngs)
    if shape != [len(batch), 1] or dtype != "uint64":
        wanted = f"uint64 of shape [{len(batch)}, 1]"
        raise BadInput(f"The random streams of {len(batch)} boards are {wanted}, not {dtype} of shape {shape}.")


def _named(given: Any) -> str:
    """What was given instead."""
    kind = type(given).__name__.lower()
    return f"a {kind} of {given.game.name}" if isinstance(given, Position | Batch) else f"a {kind}"


CHECKS: dict[str, Callable[..., None]] = {
    "choose": check_decision,
    "turn": check_decision,
    "analyse": check_position,  # before a roll some agents know a value
    "choose_many": check_batch,
}


def put_checks(cls: type[Agent]) -> None:
    """Puts the checks before those methods that the class itself defines."""
    for name, check in CHECKS.items():
        if name in vars(cls):
            setattr(cls, name, _checked(vars(cls)[name], check))


def _checked(function: Callable[..., Any], check: Callable[..., None]) -> Callable[..., Any]:
    @functools.wraps(function)
    def asked(self: Agent, *given: Any, **more: Any) -> Any:
        check(self, *given, **more)
        return function(self, *given, **more)

    return asked
