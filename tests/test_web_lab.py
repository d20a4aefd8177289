"""The laboratory's documents and jobs: started, followed, stopped, resumed, and known after a restart."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import spielwerk as sw
from fake_learner import FakeLearner
from spielwerk import memory
from spielwerk.arena.playing.plan import Plan
from spielwerk.arena.records.store import Store
from spielwerk.studies.results import folder, write
from spielwerk.web.laboratory import jobs, orders, studies
from spielwerk.web.laboratory.asked import TrainAsked
from spielwerk.web.laboratory.curves import curve_facts
from spielwerk.web.laboratory.job import PID, Order, whole_in
from spielwerk.web.laboratory.jobs import AT_ONCE, Jobs
from web_client import server

pytestmark = pytest.mark.usefixtures("home")
PATIENCE = 60.0  # seconds
LONG = {
    "learner": "td",
    "game": "nim",
    "settings": {"episodes": 50_000_000},
    "evaluation": {"games": 50, "every": 5000},
}
REPORT = """{"rows": [{"name": "a", "published": 0.9, "ours": 0.88, "interval": [0.86, 0.9], "unit": "share"}],
 "study": "nim/stack-2", "quick": true, "seed": 1, "notes": ["One note."],
 "report": "/x", "plots": ["/elsewhere/nim-stack-2-quick-course.png", "/etc/passwd", "../nim-stack-2.png"]}"""


@pytest.fixture
def client() -> Iterator[Any]:
    with server() as found:
        yield found


def posted(client: Any, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"/api/lab/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def until(client: Any, number: int, *states: str, done: int = 0) -> dict[str, Any]:
    """The job once it is in one of these states and has done so much."""
    job, end = {}, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        job = client.get(f"/api/lab/jobs/{number}").json()
        if job["state"] in states and job["done"] >= done:
            return job
        time.sleep(0.1)
    raise AssertionError(job)


def test_a_training_is_started_followed_stopped_and_resumed(client: Any) -> None:
    job = posted(client, "train", {**LONG, "seeds": "1-2"})
    assert (job["kind"], job["state"], job["about"]["run"]) == ("train", "running", "td-nim-1")
    until(client, job["job"], "running", done=40_000)
    run = client.get("/api/lab/runs/td-nim-1").json()
    assert (run["state"], run["game"], run["kind"], run["seeds"]) == ("running", "nim", "td", [1, 2])
    assert run["settings"]["episodes"] == "50,000,000"
    panels = client.get("/api/lab/curves?names=td-nim-1").json()["panels"]
    assert [panel["title"] for panel in panels[:2]] == ["rate against random", "regret a decision, by the oracle"]
    assert (panels[0]["lines"][0]["count"], panels[1]["perfect"]) == (2, 0)
    assert client.get("/api/lab/last").json()["run"] == "td-nim-1"
    assert "is being trained" in client.post("/api/lab/runs/td-nim-1/resume", json={}).json()["detail"]
    client.post(f"/api/lab/jobs/{job['job']}/stop")
    stopped = until(client, job["job"], "stopped")
    assert stopped["said"][-1] == "Stopped. What was learned is kept; to resume: spielwerk runs resume td-nim-1"
    client.post(f"/api/lab/jobs/{job['job']}/resume")
    assert until(client, job["job"], "running", done=stopped["done"] + 10_000)
    assert "td:td-nim-1" in [one["name"] for one in client.get("/api/agents?game=nim").json()]


def test_a_match_a_tournament_and_a_solve_are_played_to_their_ends(client: Any) -> None:
    match = posted(client, "match", {"game": "nim", "first": "mc:iterations=20", "second": "random", "games": 200})
    finished = until(client, match["job"], "finished")
    assert (finished["done"], finished["result"]["games"]) == (200, 200)
    assert finished["now"].startswith("rate of mc:iterations=20: ")
    cup = posted(client, "tournament", {"game": "nim", "agents": ["random", "mc:iterations=5", "oracle"], "games": 20})
    solve = posted(client, "solve", {"game": "othello:size=4", "settings": {"nodes": 100_000}})
    assert until(client, cup["job"], "finished")["result"]["games"] == 60
    assert until(client, solve["job"], "finished")["result"]["game"] == "othello:size=4"
    table = client.get(f"/api/lab/tournaments/{cup['about']['tournament']}").json()
    assert table["ratings"][0]["agent"] == "oracle"
    assert table["cross"]["oracle"]["random"] > 0.8
    listed = client.get("/api/lab/matches").json()
    assert [one["played"] for one in listed] == [20, 20, 20, 200]
    low, high = listed[-1]["interval"]
    assert low < listed[-1]["rate"] < high
    ladder = client.get("/api/lab/ladder?game=nim").json()["ratings"]
    assert ladder[0]["interval"][0] <= ladder[0]["rating"] <= ladder[0]["interval"][1]
    assert client.get("/api/lab/games").json() == ["nim"]


def test_a_job_outlives_a_killed_server_and_one_that_died_can_be_resumed(client: Any) -> None:
    job = posted(client, "train", LONG)
    until(client, job["job"], "running", done=1)
    restarted = Jobs()  # which knows nothing but the folders
    (found,) = restarted.all()
    assert (found.number, found.state) == (job["job"], "running")
    pid = whole_in(found.folder / PID) or 0
    os.kill(pid, signal.SIGKILL)
    assert until(client, job["job"], "stopped")["problem"].startswith("The system ended it")
    restarted.resume(job["job"])
    assert found.state == "running"
    restarted.close()
    assert until(client, job["job"], "stopped")


def test_a_server_that_ends_also_ends_jobs_that_do_not_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    send = jobs._send
    monkeypatch.setattr(jobs, "_send", lambda job, sent: send(job, sent) if sent == signal.SIGKILL else None)
    monkeypatch.setattr(jobs, "PATIENCE", 0.1)
    busy = Jobs()
    for name in ("deaf", "deafer"):
        busy.start(orders.train_order(TrainAsked.model_validate({**LONG, "name": name}), set()))
    busy.close()
    assert [job.state for job in busy.all()] == ["stopped"] * 2


def test_only_the_last_job_of_a_run_can_be_resumed(client: Any) -> None:
    first = posted(client, "train", LONG)["job"]
    until(client, first, "running", done=1)
    client.post(f"/api/lab/jobs/{first}/stop")
    stopped = until(client, first, "stopped")
    assert stopped["resumable"]
    second = posted(client, "runs/td-nim-1/resume", {})["job"]
    until(client, second, "running", done=stopped["done"] + 10_000)
    client.post(f"/api/lab/jobs/{second}/stop")
    until(client, second, "stopped")
    assert {one["job"]: one["resumable"] for one in client.get("/api/lab/jobs").json()} == {second: True, first: False}
    assert client.post(f"/api/lab/jobs/{first}/resume").json()["detail"] == (
        f"Job {second} went on with what job {first} did; resume that one."
    )


def test_only_so_many_jobs_run_at_once(client: Any) -> None:
    for _ in range(AT_ONCE):
        posted(client, "train", LONG)
    answer = client.post("/api/lab/match", json={"game": "nim", "first": "random", "second": "mc"})
    assert (answer.status_code, "at once at most" in answer.json()["detail"]) == (400, True)
    with Store() as store:
        assert store.matches() == []
    names = {job["about"]["run"] for job in client.get("/api/lab/jobs").json()}
    assert names == {"td-nim-1", "td-nim-2"}
    assert client.delete("/api/lab/jobs/1").status_code == 400


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("match", {"game": "nim", "first": "engine:ls", "second": "random"}, "starts a program"),
        ("match", {"game": "nim", "first": "human", "second": "random"}, "People do not play"),
        ("match", {"game": "nim", "first": "td:../x", "second": "random"}, "There is no run"),
        ("match", {"game": "nim", "first": "random", "second": "mc", "games": 10**7}, "less than or equal to 100000"),
        ("match", {"game": "nim", "first": "random", "second": "pubeval"}, "pubeval"),
        ("tournament", {"game": "nim", "agents": ["random", "random"]}, "named twice"),
        ("solve", {"game": "morris", "settings": {"up_to": "../../x"}}, "cannot be"),
        ("solve", {"game": "nim", "settings": {"game": "x"}}, "no setting"),
        ("study", {"study": "../../etc"}, "There is no recipe"),
        ("train", {"learner": "td", "game": "nim", "settings": {"episodes": 10**12}}, "at most 1,000,000,000"),
        ("train", {"learner": "td", "game": "nim", "settings": {"alpha": 101}}, "alpha must be 0 to 100"),
        ("train", {"learner": "td", "game": "nim", "settings": {"tuples": "/etc/passwd"}}, "cannot be"),
        (
            "train",
            {"learner": "td", "game": "nim", "settings": {"begin": "x/y", "approximator": "network"}},
            "There is no run",
        ),
        ("train", {"learner": "imitation", "game": "morris", "settings": {"data": "../.."}}, "cannot be"),
        ("train", {"learner": "td", "game": "nim", "name": "--help"}, "cannot be called"),
        ("train", {"learner": "td", "game": "nim", "seeds": "1-500"}, "at most 10 seeds"),
        ("train", {"learner": "td", "game": "nim", "opponents": ["engine:ls"]}, "starts a program"),
        ("train", {"learner": "td", "game": "nim", "opponents": ["random:games=9000000"]}, "at most 100,000"),
        ("train", {"learner": "td", "game": "nim", "evaluation": {"opponents": "x"}}, "no setting"),
        ("train", {"learner": "--help", "game": "nim"}, "There is no learner"),
        ("train", {"learner": "evolution", "game": "nim", "device": "cuda"}, "learns here on: cpu"),
        ("runs/none/resume", {}, "There is no run"),
        ("jobs/9/resume", {}, "There is no job 9"),
        ("jobs/9/stop", {}, "There is no job 9"),
    ],
)
def test_what_the_page_must_not_start_is_refused_in_a_sentence(
    client: Any, path: str, body: dict[str, Any], sentence: str
) -> None:
    answer = client.post(f"/api/lab/{path}", json=body)
    assert answer.status_code in (400, 422), answer.text
    assert sentence in answer.json()["detail"]
    assert client.get("/api/lab/jobs").json() == []
    assert client.get("/api/lab/matches").json() == []


def test_settings_come_from_the_learner_also_from_one_of_another_package(client: Any) -> None:
    known = {one["name"]: one for one in client.get("/api/lab/learners").json()["learners"]}
    alpha = next(one for one in known["td"]["settings"] if one["name"] == "alpha")
    assert (alpha["kind"], alpha["least"], alpha["most"], alpha["default"]) == ("float", 0, 100, 0.5)
    fake = {one["name"]: one for one in known[FakeLearner.kind]["settings"]}
    assert fake["cells"] == {
        "name": "cells",
        "default": 8,
        "help": "from how many",
        "choices": [],
        "kind": "int",
        "least": 1,
        "most": 10**9,
    }
    asked = TrainAsked(learner="fake", game="nim", settings={"cells": 4}, opponents=["random"], evaluation={"games": 9})
    words = orders.train_order(asked, {"fake-nim-1"}).words
    assert words[:6] == ["train", "fake", "nim", "cells=4", "--name=fake-nim-2", "--seeds=1,"]
    assert words[6:8] == ["--evaluate=random:games=9", "--games=9"]
    assert {one["name"] for one in client.get("/api/lab/solvers?game=othello").json()} == {"empties", "nodes"}


def test_runs_that_differ_only_by_their_seeds_are_one_curve(client: Any) -> None:
    same: dict[str, Any] = {"episodes": 20, "evaluation": {"games": 10, "grade": "no"}}
    sw.train("fake", "nim", name="first", seeds=[1, 2, 3], **same)
    sw.train("fake", "nim", name="second", seeds=[4, 5], **same)
    sw.train("fake", "nim", name="other", seed=1, cells=4, **same)
    facts = client.get("/api/lab/curves?names=first,second,other").json()
    assert [(group["name"], group["seeds"]) for group in facts["groups"]] == [("first + second", 5), ("other", 1)]
    rate = facts["panels"][0]
    assert [line["count"] for line in rate["lines"]] == [5, 1]
    assert [len(seed["x"]) for seed in rate["lines"][0]["seeds"]] == [len(rate["lines"][0]["x"])] * 5
    assert len(rate["lines"][0]["low"]) == len(rate["lines"][0]["x"]) == len(rate["lines"][1]["x"])
    assert curve_facts(["second"])["panels"][0]["lines"][0]["low"] == []  # too few seeds for a band
    listed = client.get("/api/lab/runs").json()
    assert {one["run"]: one["state"] for one in listed} == dict.fromkeys(("first", "second", "other"), "finished")
    assert client.get("/api/lab/curves?names=first,none").status_code == 400
    assert client.get("/api/lab/curves?names=").status_code == 400


def test_a_report_of_a_study_is_read_and_only_its_own_figures_are_sent(client: Any) -> None:
    names = {one["name"]: one for one in client.get("/api/lab/studies").json()["studies"]}
    assert names["nim/stack-2"]["reports"] == {"quick": False, "full": False}
    write(folder() / "reports" / "nim-stack-2-quick.json", REPORT)
    (folder() / "reports" / "nim-stack-2-quick-course.png").write_bytes(b"picture")
    found = client.get("/api/lab/studies/nim/stack-2?quick=true").json()
    assert found["rows"][0]["text"] == {"printed": "", "published": "90.0 %", "ours": "88.0 %"}
    assert (found["rows"][0]["interval"], found["notes"], found["figures"]) == ("86.0 to 90.0", ["One note."], 1)
    assert client.get("/api/lab/studies/nim/stack-2/figures/0?quick=true").content == b"picture"
    assert client.get("/api/lab/studies/nim/stack-2/figures/1?quick=true").status_code == 400
    assert client.get("/api/lab/studies/nim/stack-2").json()["rows"] == []
    write(folder() / "reports" / "nim-stack-2.json", '{"rows": 3}')
    assert studies.shown("nim/stack-2", quick=False)["rows"] == []


def test_what_the_command_line_began_is_resumed_but_no_program_is_started(client: Any) -> None:
    with Store() as store:
        good = store.begin(Plan("nim", ("random", "mc:iterations=5"), 20))
        bad = store.begin(Plan("nim", ("random", "engine:ls"), 20))
        cup = store.begin_tournament("nim", ["random", "engine:ls"], {"games": 2})
    until(client, posted(client, f"matches/{good}/resume", {})["job"], "finished", done=20)
    for path in (f"matches/{bad}", f"tournaments/{cup}"):
        assert "starts a program" in client.post(f"/api/lab/{path}/resume").json()["detail"]
    assert "is finished" in client.post(f"/api/lab/matches/{good}/resume").json()["detail"]
    run = sw.train("fake", "nim", name="far", episodes=20, evaluation={"games": 10, "grade": "no"}).run
    text = (run.folder / "run.toml").read_text()
    write(run.folder / "run.toml", text.replace('"random:games=10"', '"engine:ls"'))
    assert "starts a program" in client.post("/api/lab/runs/far/resume", json={"length": 40}).json()["detail"]


def test_a_job_that_fails_says_why(client: Any) -> None:
    jobs: Jobs = client.app.state.jobs
    wrong = ["match", "--resume=99", "--json"]
    job = jobs.start(Order("match", "none", wrong, wrong, {"match": 99, "games": 1}))
    failed = until(client, job.number, "failed")
    assert failed["problem"] == "There is no match 99, nor any other yet."
    assert client.delete(f"/api/lab/jobs/{job.number}").json() == {"forgotten": job.number}
    assert client.get("/api/lab/jobs").json() == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("train", {"learner": "td", "game": "morris", "settings": {"tuples": "walk", "length": 16}}),
        ("train", {"learner": "td", "game": "nim", "settings": {"buffer": 100_000_000}}),
        ("train", {"learner": "td", "game": "nim", "settings": {"approximator": "network", "boards": 10_000_000}}),
        ("train", {"learner": "alphazero", "game": "nim", "settings": {"filters": 8192, "blocks": 100}}),
        ("train", {"learner": "alphazero", "game": "nim", "settings": {"boards": 10_000_000, "simulations": 1000}}),
        ("train", {"learner": "actor-critic", "game": "nim", "settings": {"boards": 1_000_000, "window": 10_000}}),
        ("train", {"learner": "evolution", "game": "nim", "settings": {"population": 99_999, "most_edges": 999_999}}),
        ("solve", {"game": "othello:size=6", "settings": {"nodes": 134_217_728}}),
    ],
    ids=lambda one: str(one.get("settings")) if isinstance(one, dict) else one,
)
def test_a_job_that_needs_more_memory_than_it_may_have_ends_in_a_sentence(
    client: Any, monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any]
) -> None:
    monkeypatch.setenv(memory.LIMIT, "1.5")
    answer = client.post(f"/api/lab/{path}", json=body)
    if answer.status_code == 200:
        problem = until(client, answer.json()["job"], "failed")["problem"]
    else:
        problem = answer.json()["detail"]
    assert "memory" in problem, problem
    assert client.get("/api/games").status_code == 200


def test_a_damaged_job_disturbs_nobody(client: Any, home: Path) -> None:
    write(home / "jobs" / "3" / "job.json", "{}")
    write(home / "jobs" / "x" / "job.json", "{}")
    other = {"kind": "match", "title": "", "words": ["engine"], "again": ["match"], "about": {}, "started": ""}
    write(home / "jobs" / "4" / "job.json", json.dumps(other))
    assert client.get("/api/lab/jobs").json() == []
    assert client.get("/api/lab/jobs/3").status_code == 400
