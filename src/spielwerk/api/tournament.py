"""`sw.tournament` and `sw.ladder`: agents rated by their games."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from spielwerk.api.arguments import Player, as_agent, as_game, given_agents, maker
from spielwerk.arena.agent import Agent, check_ready
from spielwerk.arena.figures import counted, percent
from spielwerk.arena.matches.ladder import Place
from spielwerk.arena.matches.ladder import ladder as standing
from spielwerk.arena.matches.ratings import Rating
from spielwerk.arena.matches.stored_tournament import begin_tournament, stored_tournament
from spielwerk.arena.matches.tournament import Terms, Tournament
from spielwerk.arena.plots import drawn, rating_figure
from spielwerk.arena.records.store import Store
from spielwerk.arena.result import Result, Rows
from spielwerk.games.game import Game
from spielwerk.names import BadInput

HEADS = ("agent", ">Elo", "", ">games", ">wins", ">draws", ">losses", ">rate")
TournamentStart = Callable[[int, int], None]  # called with a tournament's number and how many games it has


class Rated(Result):
    """Agents with ratings, the best first."""

    @property
    def ratings(self) -> Sequence[Rating]:
        """Every agent's rating, the best first."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """What the picture is called."""
        raise NotImplementedError

    def table(self) -> tuple[Sequence[str], Rows]:
        """A row for each agent."""
        return HEADS, [rating_cells(rating) for rating in self.ratings]

    def plot(self) -> Any:
        """The ratings; where some agents have never met the others, those of the first table."""
        if not self.ratings:
            raise BadInput("There is no match to draw ratings from.")
        rated = [rating for rating in self.ratings if rating.anchor == self.ratings[0].anchor]
        with drawn():
            return rating_figure(rated, self.title)


@dataclass(frozen=True)
class TournamentResult(Rated):
    """A tournament that was played; `number` is its own in the store."""

    tournament: Tournament
    number: int

    @property
    def game(self) -> Game:
        """What was played."""
        return self.tournament.game

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.tournament.played

    @property
    def title(self) -> str:
        """The game, and how many there were."""
        return f"{self.game.name} · {counted(self.games, 'game')}"

    @property
    def ratings(self) -> Sequence[Rating]:
        """Every agent's rating, the best first."""
        return self.tournament.ratings()

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return self.tournament.facts() | {"tournament": self.number}


@dataclass(frozen=True)
class LadderResult(Rated):
    """The standing leaderboard of one variant."""

    game: Game
    places: Sequence[Place]

    @property
    def ratings(self) -> Sequence[Rating]:
        """Every agent's rating, the best first."""
        return [place.rating for place in self.places]

    @property
    def games(self) -> int:
        """How many games the ratings come from."""
        return sum(rating.games for rating in self.ratings) // 2

    @property
    def title(self) -> str:
        """The game, and how many there were."""
        return f"{self.game.name} · {counted(self.games, 'game')}"

    def facts(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"game": self.game.name, "games": self.games, "ratings": [place.facts() for place in self.places]}


def tournament(
    game: str | Game,
    agents: Sequence[Player],
    *,
    games: int = 100,
    seed: int = 1,
    swiss: int = 0,
    processes: int | None = None,
    store: Store | None = None,
    begun: TournamentStart | None = None,
    callback: Callable[[int], None] = lambda games: None,
) -> TournamentResult:
    """Lets agents, two or more, play each other, `games` each pair, and rates them.

    `swiss` rounds pair those who did as well so far; 0: everyone meets everyone. The games are kept in the `store`
    (default: the user's own), in which a tournament that was stopped can be resumed (`resume_tournament`), where all
    agents are named. With agents given as objects all games are played in this process.
    """
    variant = as_game(game)
    made = [as_agent(one, variant) for one in agents]
    terms = Terms(variant.name, tuple(one.name for one in made), games, seed, swiss)
    check_ready(made)
    with Store() if store is None else nullcontext(store) as place:
        return _run(place, begin_tournament(place, terms), given_agents(agents), processes, begun, callback)


def resume_tournament(
    number: int,
    *,
    processes: int | None = None,
    store: Store | None = None,
    begun: TournamentStart | None = None,
    callback: Callable[[int], None] = lambda games: None,
) -> TournamentResult:
    """Resumes a stored tournament; what was played is not played again."""
    with Store() if store is None else nullcontext(store) as place:
        return _run(place, number, {}, processes, begun, callback)


def ladder(game: str | Game, *, store: Store | None = None) -> LadderResult:
    """Rates all agents that have played a game, from every stored match of that variant."""
    variant = as_game(game)
    with Store() if store is None else nullcontext(store) as place:
        return LadderResult(variant, standing(place, variant))


def rating_cells(rating: Rating) -> list[str]:
    """A rating as a row of the table."""
    counts = (rating.games, rating.wins, rating.draws, rating.losses)
    half = rating.interval[1] - rating.rating
    figures = [f"{rating.rating:.0f}", f"± {half:.0f}" if half else "", *(f"{count:,}" for count in counts)]
    return [rating.agent, *figures, percent(rating.rate)]


def _run(
    store: Store,
    number: int,
    given: dict[str, Agent],
    processes: int | None,
    begun: TournamentStart | None,
    callback: Callable[[int], None],
) -> TournamentResult:
    """Plays a stored tournament; agents `given` as objects play in this process."""
    at_once = 1 if given else processes or os.cpu_count() or 1
    played = stored_tournament(store, number, maker(given), at_once, callback)
    if begun:
        begun(number, played.games)
    played.run()
    store.finish_tournament(number)
    return TournamentResult(played, number)
