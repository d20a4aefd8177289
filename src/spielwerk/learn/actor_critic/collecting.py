"""Collecting: many games at once, move by move, and what each move brought."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from spielwerk.games.batch import Batch
from spielwerk.games.rules import OVER
from spielwerk.learn.actor_critic.experience import Experience, Step, advantages
from spielwerk.learn.actor_critic.rewards import Rewards
from spielwerk.learn.actor_critic.rows import draw_rows, turn_rows
from spielwerk.learn.actor_critic.settings import Settings
from spielwerk.learn.neural.heads import Head
from spielwerk.learn.neural.rows import begin_rows
from spielwerk.learn.neural.schedule import random_turns
from spielwerk.learn.neural.tensors import array, seen, tensor


class Collector:
    """Boards on which a policy plays all sides, on some of them one side against a past self."""

    def __init__(self, batch: Batch, head: Head, inputs: str, settings: Settings) -> None:
        self.batch, self.head, self.inputs, self.settings = batch, head, inputs, settings
        self.turning = settings.symmetry and batch.game.constants["SYMMETRIES"] > 1
        self.rewards = Rewards(batch, head, settings)
        rule = [settings.epsilon, float(settings.greedy), float(settings.masked)]
        self.rule = batch.arrays.array(rule, "float64")
        self.random_turns = batch.arrays.array(random_turns(settings.starts), "int64")
        boards = torch.arange(len(batch), device=batch.device)
        against = round(settings.pool_share * len(batch)) if settings.pool else 0
        self.rivals = torch.where(boards < against, head.teams.to(batch.device)[boards % batch.game.players], -1)

    def window(self, network: Any, past: Any = None) -> tuple[list[Step], Tensor]:
        """The moves of a window, and what is expected after the last of them, by seat."""
        steps = [self.step(network, past) for _ in range(self.settings.window)]
        self.batch.roll()
        _, values = self._asked(network, seen(self.batch, self.inputs), tensor(self.batch.movers))
        return steps, values

    def step(self, network: Any, past: Any = None) -> Step:
        """Rolls, draws a move by the policy and plays it on every board, then begins new games.

        With symmetries, each board is turned by one of them first and stays so. So every turned position is one that
        the policy has met and drawn its move in: what it learns there is as true as elsewhere.
        """
        batch, arrays = self.batch, self.batch.arrays
        batch.roll()
        if self.turning:
            batch.run(turn_rows, batch.states, batch.rngs)
        states, movers = tensor(arrays.copy(batch.states)), tensor(batch.movers)
        rows = seen(batch, self.inputs)
        logits, values = self._asked(network, rows, movers)
        learned = torch.ones_like(movers, dtype=torch.bool)
        if past is not None:
            learned = self.rivals != self.head.teams[movers]
            others = (~learned).nonzero()[:, 0]
            logits[others] = past(rows[others])[0].float()
        chosen, played = (arrays.empty((len(batch),), "int64") for _ in range(2))
        logs, floors = (arrays.empty((len(batch),), "float32") for _ in range(2))
        batch.run(draw_rows, batch.states, batch.rngs, array(batch, logits), self.rule, chosen, played, logs, floors)
        before = self.rewards.before(movers) if self.rewards.any else None
        batch.play(played, check=False)
        over = tensor(batch.actors) == OVER
        rewards = self._rewards(movers, before, over, tensor(chosen) != tensor(played))
        batch.run(begin_rows, batch.states, batch.rngs, self.random_turns)
        return Step(states, movers, tensor(chosen), tensor(logs), tensor(floors), values, rewards, over, learned)

    def experience(self, steps: list[Step], last: Tensor) -> Experience:
        """What the learner's own moves were worth."""
        found = advantages(steps, last, self.settings.gamma, self.settings.lam)
        columns = list[tuple[Tensor, ...]]()
        for step, gained in zip(steps, found, strict=True):
            mine = self.head.seen(gained, step.movers)[:, 0]
            wanted = self.head.seen(gained + step.values, step.movers).clamp(-self.head.best, self.head.best)
            columns.append((step.states, step.chosen, step.logs, step.floors, mine, wanted))
        joined = (torch.cat(column) for column in zip(*columns, strict=True))
        learned = torch.cat([step.learned for step in steps])
        return Experience(*(column[learned] for column in joined))

    def _asked(self, network: Any, rows: Tensor, movers: Tensor) -> tuple[Tensor, Tensor]:
        """What the policy says, and the values by seat."""
        logits, said = network(rows)
        return logits.float(), self.head.by_seat(self.head.outputs(said.float()), movers)

    def _rewards(self, movers: Tensor, before: Tensor | None, over: Tensor, illegal: Tensor) -> Tensor:
        """By seat: of the end, of what the move was shaped for, and of illegal choices."""
        found = torch.where(over[:, None], self.settings.win * self.head.results(self.batch), 0.0)
        if before is not None:
            found = found + self.rewards.after(movers, before, over)
        if not self.settings.masked:
            cost = torch.zeros_like(found)
            cost[:, 0] = -self.settings.penalty * illegal
            found = found + self.head.by_seat(cost, movers)
        return found
