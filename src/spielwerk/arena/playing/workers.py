"""Where blocks are played: in this process, and once it pays in others beside it.

A game depends only on the plan and its number, so neither the blocks nor who plays them change anything. Blocks are cut
to take about a second, which is what is lost at most when a process is killed. Where an agent plays many boards at
once, all are played here, on as many boards as a minute's games need (see `rolling.py`).
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field

from spielwerk.arena.agent import Agent
from spielwerk.arena.playing.block import Block, play_block
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.playing.portions import Portions
from spielwerk.arena.playing.rolling import play_rolling
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.kernel.processes import follow, undisturbed

Maker = Callable[[str, Game], Agent]  # from a name to an agent; workers get names

BLOCK_SECONDS = 1.0
MOST_GAMES, MOST_RECORDED = 8192, 1024  # of a block, and of one whose traces take memory
ALONE_SECONDS = 1.0  # what takes no longer is not worth starting another process
BATCHED_GAMES = 16  # under way at first, where an agent plays many boards at once
BATCHED_SECONDS = 60.0  # later so many games are under way as are played in this time


@dataclass
class Player:
    """The agents of a plan, ready to play any of its games."""

    plan: Plan
    make: Maker
    keep: bool  # what was played
    game: Game = field(init=False)
    agents: list[Agent] = field(init=False)

    def __post_init__(self) -> None:
        self.game = game_of(self.plan.game)
        self.agents = [self.make(name, self.game) for name in self.plan.agents]

    def ready(self) -> None:
        """Refuses agents that cannot play."""
        for agent in self.agents:
            agent.ready()

    def play(self, first: int, count: int) -> tuple[Block, float]:
        """A block and the seconds it took."""
        begun = time.perf_counter()
        block = play_block(self.plan, self.game, self.agents, first, count, self.keep)
        return block, time.perf_counter() - begun

    @property
    def batched(self) -> bool:
        """Whether an agent plays many boards at once, so that large blocks pay, and other processes do not."""
        return any(agent.batched for agent in self.agents)

    def close(self) -> None:
        """Ends the agents."""
        for agent in self.agents:
            agent.close()


def blocks(player: Player, missing: list[range], processes: int) -> Generator[Block, None, None]:
    """Plays the missing games on so many processes; their blocks, in any order."""
    if player.batched:
        boards = Portions(missing, MOST_GAMES, BATCHED_SECONDS, BATCHED_GAMES)
        yield from play_rolling(player.plan, player.game, player.agents, boards, player.keep)
        return
    portions = Portions(missing, MOST_RECORDED if player.keep else MOST_GAMES, BLOCK_SECONDS)
    spent, rate = 0.0, 0.0
    while portions.left and not (processes > 1 and spent > ALONE_SECONDS and portions.left > ALONE_SECONDS * rate):
        block, seconds = player.play(*portions.next())
        spent += seconds if rate else 0.0  # the first block may have compiled something
        rate = len(block.scores) / max(seconds, 1e-6)
        portions.learn(len(block.scores), seconds)
        yield block
    if portions.left:
        yield from _beside(player, portions, processes)


def _beside(player: Player, portions: Portions, processes: int) -> Generator[Block, None, None]:
    """The rest, in processes of their own."""
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, context, _begin, (player.plan, player.make, player.keep))
    running: set[Future[tuple[Block, float]]] = set()
    try:
        while portions.left or running:
            with undisturbed():
                while portions.left and len(running) < 2 * processes:
                    running.add(pool.submit(_play, *portions.next()))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for block, seconds in (future.result() for future in done):
                portions.learn(len(block.scores), seconds)
                yield block
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_player: list[Player] = []  # of a worker process


def _begin(plan: Plan, make: Maker, keep: bool) -> None:
    """Makes a worker ready."""
    follow()
    _player.append(Player(plan, make, keep))


def _play(first: int, count: int) -> tuple[Block, float]:
    return _player[0].play(first, count)
