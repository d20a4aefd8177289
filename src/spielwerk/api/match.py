"""`sw.match`: two agents, many games, kept in the store and counted."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from spielwerk.agents.registry import agent as agent_of
from spielwerk.api.arguments import Player, as_agent, as_game, given_agents, maker
from spielwerk.arena.agent import Agent, check_ready
from spielwerk.arena.figures import counted, percent_interval
from spielwerk.arena.matches.match import Match, MatchProgress, play_match
from spielwerk.arena.matches.match_plot import match_figure
from spielwerk.arena.matches.sprt import Sprt
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.store import Store
from spielwerk.arena.result import Result, Rows
from spielwerk.games.game import Game
from spielwerk.games.registry import game as game_of
from spielwerk.names import BadInput

MatchStart = Callable[[Plan, int], None]  # called with the plan and the number of a stored match before it is played


@dataclass(frozen=True)
class MatchResult(Result):
    """A match that was played."""

    match: Match
    test: Sprt | None = None

    @property
    def rate(self) -> float:
        """Wins and half the draws of the first agent, over games."""
        return self.match.summary.rate

    @property
    def title(self) -> str:
        """Who played whom, what, how often and how."""
        plan = self.match.plan
        about = [" against ".join(plan.agents) + f": {plan.game}", counted(self.match.summary.games, "game")]
        about += [f"seed {plan.seed}", f"seating {plan.seating}" if game_of(plan.game).players > 2 else ""]
        about += [f"after {counted(plan.opening, 'random turn')}" if plan.opening else ""]
        return ", ".join(filter(None, about))

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        played, plan = self.match, self.match.plan
        about = {"game": plan.game, "agents": list(plan.agents), "seed": plan.seed}
        about |= {"seating": plan.seating, "opening": plan.opening}
        more = {"match": played.number, "forfeits": len(played.faults), "verdict": played.verdict}
        more |= {"illegal": played.illegal} if played.illegal else {}
        return played.summary.facts() | about | more | {"repeats": played.repeats}

    def table(self) -> tuple[Sequence[str], Rows]:
        """The figures, one a row."""
        found, (low, high) = self.match.summary, self.match.summary.score_interval
        rows = [
            ["rate", percent_interval(found.rate, found.rate_interval)],
            ["won, drawn, lost", f"{found.wins:,} · {found.draws:,} · {found.losses:,}"],
            ["mean score", f"{found.score:+.3f} ({low:+.3f} to {high:+.3f})"],
        ]
        rows += [[f"illegal moves of {name}", f"{100 * share:.3g} %"] for name, share in self.match.illegal.items()]
        return (self.title, ">"), rows

    def plot(self) -> Any:
        """Wins, draws and losses as a bar, and the rate with its interval."""
        return match_figure(self.match)


def match(
    game: str | Game,
    first: Player,
    second: Player,
    *,
    games: int = 1000,
    seed: int = 1,
    seating: str = "teams",
    opening: int = 0,
    processes: int | None = None,
    records: bool | None = None,
    sprt: str | Sprt | None = None,
    store: Store | None = None,
    begun: MatchStart | None = None,
    callback: MatchProgress | None = None,
) -> MatchResult:
    """Plays a match between two agents, named or made, with balanced seats.

    With a `store` it is kept there and can be resumed after a stop (`resume_match`). `sprt="0,20"` stops as soon as the
    sequential test decides. `callback` receives the games played and the rate so far. Agents named play on `processes`
    cores, by default all; agents given as objects play in this process.
    """
    plan, made = plan_match(game, first, second, games=games, seed=seed, seating=seating, opening=opening)
    test = _test(plan, sprt)
    number = store.begin(plan) if store is not None else None
    if begun and number is not None:
        begun(plan, number)
    options = {"processes": 1 if made else processes or os.cpu_count() or 1, "keep": records, "callback": callback}
    return MatchResult(play_match(plan, maker(made), store=store, number=number, test=test, **options), test)


def resume_match(
    store: Store,
    number: int,
    *,
    processes: int | None = None,
    records: bool | None = None,
    sprt: str | Sprt | None = None,
    begun: MatchStart | None = None,
    callback: MatchProgress | None = None,
) -> MatchResult:
    """Resumes a stored match that was stopped; what was played is not played again."""
    plan = resumable(store, number)
    test = _test(plan, sprt)
    if begun:
        begun(plan, number)
    options = {"processes": processes or os.cpu_count() or 1, "keep": records, "callback": callback}
    return MatchResult(play_match(plan, agent_of, store=store, number=number, test=test, **options), test)


def plan_match(game: str | Game, first: Player, second: Player, **terms: Any) -> tuple[Plan, dict[str, Agent]]:
    """The plan of a match whose agents were checked, and the agents that were given as objects, by name."""
    variant = as_game(game)
    agents = [as_agent(one, variant) for one in (first, second)]
    if (
        agents[0].name == agents[1].name
        and agents[0] is not agents[1]
        and isinstance(first, Agent) | isinstance(second, Agent)
    ):
        raise BadInput(f'Both agents are called "{agents[0].name}"; give one of them another name.')
    plan = Plan(variant.name, (agents[0].name, agents[1].name), **terms)
    plan.check_opening(variant)
    check_ready([made for made, given in zip(agents, (first, second), strict=True) if isinstance(given, str)])
    return plan, given_agents((first, second))


def resumable(store: Store, number: int) -> Plan:
    """The plan of a stored match that can be resumed."""
    stored = store.match(number)
    if stored.imported:
        raise BadInput(f"Match {number} was imported; it cannot be resumed.")
    if stored.finished:
        raise BadInput(f"Match {number} is finished, with {counted(stored.played, 'game')}; it cannot be resumed.")
    return stored.plan


def _test(plan: Plan, sprt: str | Sprt | None) -> Sprt | None:
    return Sprt.parse(sprt, game_of(plan.game).sides - 1) if isinstance(sprt, str) else sprt
