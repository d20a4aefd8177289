"""Matches: balanced, mirrored, repeatable on any number of processes, and never lost."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import spielwerk as sw
from signals import hear_all
from spielwerk.agents.registry import agent
from spielwerk.arena.agent import Agent, Forfeit
from spielwerk.arena.matches.match import Match, play_match
from spielwerk.arena.matches.sprt import Sprt
from spielwerk.arena.playing import workers
from spielwerk.arena.playing.block import play_block
from spielwerk.arena.playing.plan import Plan, gains
from spielwerk.arena.records.store import Store
from spielwerk.cli import main

pytestmark = pytest.mark.usefixtures("home")  # nothing of the user's is touched


def run(monkeypatch: pytest.MonkeyPatch, *words: str, status: int = 0) -> None:
    monkeypatch.setattr(sys, "argv", ["spielwerk", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == status


@pytest.mark.parametrize(
    ("name", "seating", "layouts"),
    [
        ("nim", "teams", [[0, 1], [1, 0]]),
        ("einstein:board=6,players=3", "teams", [[0, 0, 1], [1, 1, 0]]),
        ("einstein:board=6,players=3", "mixed", [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
        ("einstein:board=4,players=4", "teams", [[0, 1, 0, 1], [1, 0, 1, 0]]),
        ("einstein:board=4,players=4", "mixed", [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]),
    ],
)
def test_every_seat_is_taken_in_turn(name: str, seating: str, layouts: list[list[int]]) -> None:
    plan, game = Plan(name, ("a", "b"), 100, seating=seating), sw.game(name)
    count = len(layouts)
    assert plan.seats(game, 0, 2 * count).tolist() == 2 * layouts
    assert plan.seats(game, 1, count).tolist() == layouts[1:] + layouts[:1]


def test_games_of_a_group_have_the_same_set_up_and_dice() -> None:
    game = sw.game("einstein:start=free")
    plan = Plan(game.name, ("random", "random"), 40)
    block = play_block(plan, game, [agent("random", game)] * 2, 0, 40, keep=True)
    rolls = [trace[::2] for trace in block.traces]  # a roll, a move, a roll …
    for first, second in zip(rolls[::2], rolls[1::2], strict=True):
        shared = min(len(first), len(second))
        assert first[:shared] == second[:shared]
    assert len({roll[:8] for roll in rolls[::2]}) > 15


def test_a_win_is_a_score_above_every_other_team() -> None:
    game = sw.game("einstein:board=4,players=4")
    seats = np.array([[1, 0, 1, 1], [0, 1, 1, 1]])
    scores = np.array([[-1.0, 1.0, -1.0, 1.0], [-1.0, 1.0, -1.0, 1.0]])
    assert gains(game, seats, scores).tolist() == [[1, -1], [1, 0]]


def test_any_part_of_a_match_can_be_played_alone() -> None:
    game = sw.game("einstein:board=3")
    plan = Plan(game.name, ("mc:iterations=5", "random"), 60)
    agents = [agent(name, game) for name in plan.agents]
    whole = play_block(plan, game, agents, 0, 60, keep=True)
    part = play_block(plan, game, agents, 37, 5, keep=True)
    assert part.traces == whole.traces[37:42]
    assert (part.scores == whole.scores[37:42]).all()


def test_the_same_seed_gives_the_same_match_whatever_the_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ALONE_SECONDS", 0)  # so that the second match does start processes of its own
    plan = Plan("einstein:board=4", ("mcts:iterations=300", "random"), 1500, seed=5)
    with Store() as store:
        first = play_match(plan, agent, store=store, keep=True)
        second = play_match(plan, agent, store=store, keep=True, processes=2)
        assert first.number != second.number
        assert first.summary == second.summary
        assert first.number is not None
        assert second.number is not None
        assert (store.scores(first.number) == store.scores(second.number)).all()
        moves = [without_match(store.record(number, 1234)) for number in (first.number, second.number)]
        assert moves[0] == moves[1]


def without_match(record: str | None) -> str:
    return re.sub(r'\[Match "\d+"\]\n', "", record or "")


def test_another_seed_gives_other_games() -> None:
    results = [play_match(Plan("nim", ("random", "random"), 200, seed=seed), agent).summary for seed in (1, 2)]
    assert results[0] != results[1]


def test_a_match_that_was_stopped_goes_on_where_it_was() -> None:
    plan = Plan("nim", ("mc:iterations=3", "random"), 300)

    class Stopped(Exception):
        pass

    def stop(done: int, _: object) -> None:
        if done >= 40:
            raise Stopped

    with Store() as store:
        number = store.begin(plan)
        with pytest.raises(Stopped):
            play_match(plan, agent, store=store, number=number, callback=stop)
        kept = sum(count for _, count in store.played(number))
        assert 40 <= kept < 300
        assert not store.match(number).finished
        resumed = play_match(plan, agent, store=store, number=number)
        assert store.match(number).finished
        assert resumed.summary == play_match(plan, agent).summary


def test_a_killed_match_keeps_its_blocks_and_leaves_no_process(home: Path) -> None:
    command = [sys.executable, "-c", "from spielwerk.cli import main; main()"]
    match = ["match", "einstein:board=4", "mcts:iterations=3000", "random", "-n", "5000", "--processes", "2"]
    leader = subprocess.Popen([*command, *match], stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline and len(members(leader.pid)) < 4:  # the leader, a tracker, two workers
            time.sleep(0.1)
        time.sleep(2)
        leader.kill()
        leader.wait()
        while time.monotonic() < deadline and members(leader.pid):
            time.sleep(0.1)
        assert not members(leader.pid)
    finally:
        if members(leader.pid):
            os.killpg(leader.pid, signal.SIGKILL)
    with Store() as store:
        played = sum(count for _, count in store.played(1))
        assert 0 < played < 5000
        assert len(store.scores(1)) == played


def test_ctrl_c_while_processes_start_is_one_line(home: Path) -> None:
    command = [sys.executable, "-c", "from spielwerk.cli import main; main()"]
    match = ["match", "einstein:board=4", "mcts:iterations=3000", "random", "-n", "5000", "--processes", "2"]
    for pause in (0.1, 0.3):
        leader = subprocess.Popen(
            [*command, *match], stderr=subprocess.PIPE, start_new_session=True, text=True, preexec_fn=hear_all
        )
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline and len(members(leader.pid)) < 3:  # the leader, a tracker, a worker
            time.sleep(0.01)
        time.sleep(pause)
        os.killpg(leader.pid, signal.SIGINT)
        _, errors = leader.communicate()
        assert leader.returncode == 130
        assert errors.startswith("Stopped. What was played is kept;")
        assert len(errors.splitlines()) == 1


def members(group: int) -> list[int]:
    """The processes of a group that are still there."""
    found = subprocess.run(["ps", "-o", "pid=,stat=", "-g", str(group)], capture_output=True, text=True, check=False)
    rows = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, state in rows if not state.startswith("Z")]


def test_a_sequential_test_stops_a_clear_match_early_at_the_same_game_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ALONE_SECONDS", 0)
    plan = Plan("nim:stacks=3-4-5", ("mcts:iterations=300", "random"), 5000)
    stopped = [play_match(plan, agent, test=Sprt(0, 100), processes=count) for count in (1, 2)]
    assert stopped[0].verdict == "H1"
    assert stopped[0].summary == stopped[1].summary
    assert stopped[0].summary.games < 500


def test_an_agent_that_gives_up_loses_that_game_and_the_match_goes_on() -> None:
    class Quitter(Agent):
        def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
            raise Forfeit("had enough")

    class Cheat(Agent):
        def choose(self, position: sw.Position, rng: np.ndarray | None = None) -> str:
            return "9:9"

    for cls, reason in ((Quitter, "had enough"), (Cheat, "9:9")):

        def make(name: str, game: sw.Game, cls: type[Agent] = cls) -> Agent:
            return cls(game, None) if name == "bad" else agent(name, game)

        with Store() as store:
            match = play_match(Plan("nim", ("bad", "random"), 6), make, store=store)
            assert match.summary.losses == 6
            assert all(reason in fault for _, fault in match.faults.values())
            assert match.number is not None
            assert "Fault" in (store.record(match.number, 3) or "")


def test_a_match_without_chance_says_that_its_games_repeat() -> None:
    def match(game: str, *agents: str) -> Match:
        return play_match(Plan(game, (agents[0], agents[1]), 4), agent)

    same = match("nim", "alphabeta:depth=2", "alphabeta:depth=1")
    assert same.repeats
    assert same.summary.games == 2
    assert not match("nim", "alphabeta:depth=2", "random").repeats
    assert not match("nim:sizes=random", "alphabeta:depth=2", "alphabeta:depth=1").repeats
    assert not match("einstein:board=3", "race", "race:depth=2").repeats


def test_the_command_prints_what_the_design_fixes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "match", "nim", "mcts:iterations=200", "random", "-n", "50", "--json")
    facts = json.loads(capsys.readouterr().out)
    assert facts["games"] == facts["wins"] + facts["draws"] + facts["losses"] == 50
    assert facts["rate"] == (facts["wins"] + facts["draws"] / 2) / 50
    assert facts["rate_interval"][0] <= facts["rate"] <= facts["rate_interval"][1]
    assert facts["score_interval"][0] <= facts["score"] <= facts["score_interval"][1]
    run(monkeypatch, "match", "nim", "random", "random", "-n", "10")
    assert "spielwerk replay 2 0" in capsys.readouterr().out


def test_the_report_shows_both_ends_of_the_intervals_and_how_more_than_two_are_seated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("match", "einstein:board=4,players=4", "random", "random", "-n", "1", "--seating", "mixed")
    run(monkeypatch, *words, "--json")
    facts = json.loads(capsys.readouterr().out)
    run(monkeypatch, *words)
    head, rate, counts, score, _ = capsys.readouterr().out.splitlines()
    assert head.endswith(": einstein:board=4,players=4, 1 game, seed 1, seating mixed")
    assert rate.endswith("% ({:.1f} to {:.1f})".format(*(100 * end for end in facts["rate_interval"])))
    assert score.endswith("({:+.3f} to {:+.3f})".format(*facts["score_interval"]))
    assert len({len(line) - len(line[2:].partition("  ")[2].lstrip()) for line in (rate, counts, score)}) == 1


def test_a_match_may_begin_with_random_turns_and_is_shown_again_with_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("match", "nim", "alphabeta:depth=1", "alphabeta:depth=2", "-n", "30", "--opening", "3")
    run(monkeypatch, *words, "--json")
    facts = json.loads(capsys.readouterr().out)
    assert (facts["opening"], facts["games"], facts["repeats"]) == (3, 30, False)
    run(monkeypatch, *words)
    assert "30 games, seed 1, after 3 random turns\n" in capsys.readouterr().out
    run(monkeypatch, "matches", "--json")
    assert [one["opening"] for one in json.loads(capsys.readouterr().out)["matches"]] == [3, 3]
    run(monkeypatch, "replay", "1", "7", "--from-seed")
    assert 'Opening "3 random turns"' in capsys.readouterr().out


def test_a_match_that_is_finished_cannot_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "match", "nim", "mcts:iterations=200", "random", "-n", "1000", "--sprt", "0,100", "--json")
    games = json.loads(capsys.readouterr().out)["games"]
    assert games < 1000
    run(monkeypatch, "match", "--resume", "1", status=2)
    assert capsys.readouterr().err == f"Match 1 is finished, with {games} games; it cannot be resumed.\n"


def test_a_command_that_was_stopped_goes_on_by_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store() as store:
        number = store.begin(Plan("nim", ("random", "mc:iterations=2"), 30))
    run(monkeypatch, "match", "--resume", str(number), "--json")
    assert json.loads(capsys.readouterr().out)["games"] == 30


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nim", "mtcs", "random"), 'There is no agent "mtcs". Did you mean "mcts"?'),
        (("nim", "mcts:iteratons=5", "random"), 'Did you mean "iterations"?'),
        (("nim", "random"), "Name a game and two agents"),
        (("nim", "human", "random"), "spielwerk play GAME --against AGENT"),
        (("nim", "random", "random", "-n", "0"), "--games"),
        (("nim", "random", "random", "--seating", "circle"), "possible: teams, mixed"),
        (("nim", "random", "random", "--sprt", "5"), "two Elo differences"),
        (("nim", "random", "random", "--opening", "8"), "8 random turns are too many"),
        (("nim", "random", "random", "--opening", "-1"), "--opening"),
        (("--resume", "99"), "There is no match 99"),
        (("nim", "random", "random", "--resume", "1"), "its own game and agents"),
        (("--resume", "1", "-n", "5"), "it began with; leave out --games"),
        (("--resume", "1", "--opening", "2"), "it began with; leave out --opening"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_no_match(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    run(monkeypatch, "match", *words, status=2)
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1
    with Store() as store:
        assert not store.matches()


def test_the_progress_of_a_match_says_what_its_figure_is() -> None:
    from spielwerk.commands.match import standing

    assert standing("mcts", 0.523) == "games, rate of mcts 52.3 %"
