"""kill -9 of any process of a study: the run says which it was, and nothing is left of it."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from lab import Ended, Lab, is_gone, study_of, wait_for, wait_for_line


def loading(lab: Lab) -> "subprocess.Popen[str]":
    """Start a study and return it in the middle of the load of its first run."""
    lab.study(study_of("go"))
    command = lab.start("run", "trial", "--profile", "long")
    wait_for(lambda: any((lab.root / "results").glob("*/runs/001-*/timeline.ndjson")))
    return command


def interrupt(lab: Lab, command: "subprocess.Popen[str]") -> Ended:
    command.send_signal(signal.SIGINT)
    return lab.end(command)


def first_record(results: Path) -> dict[str, Any]:
    (path,) = (results / "runs").glob("001-*/run.json")
    record: dict[str, Any] = json.loads(path.read_text())
    return record


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("bin/gateway", "gateway was killed by SIGKILL in mid-load"),
        ("loadstone-echo", "dependency backend was killed by SIGKILL in mid-load"),
        ("loadstone-engine", "the engine was killed by SIGKILL"),
    ],
)
def test_a_killed_process_fails_its_run_by_name_and_the_study_goes_on(
    lab: Lab, program: str, reason: str
) -> None:
    command = loading(lab)
    lab.child(program).kill()
    wait_for_line(command, f"failed: load: {reason}")
    assert interrupt(lab, command).code == 2
    assert lab.left_behind() == []
    record = first_record(lab.results())
    assert (record["status"], record["failure"]["step"]) == ("failed", "load")
    assert record["failure"]["reason"] == reason
    report = lab.run("report", str(lab.results()))
    assert report.code == 1
    assert reason in report.stdout


def test_a_service_killed_while_it_starts_fails_its_runs(lab: Lab) -> None:
    lab.add_stack("slow", run='node -e "setTimeout(() => {}, 600000)"')
    command = lab.start("check", "mediation", "--stack", "slow")
    lab.child("setTimeout").kill()
    ended = lab.end(command)
    assert ended.code == 1
    assert "start-up: gateway was killed by SIGKILL" in ended.stdout


def test_what_a_killed_lab_left_is_removed_by_whatever_starts_something_next(lab: Lab) -> None:
    command = loading(lab)
    gateway, echo = lab.child("bin/gateway"), lab.child("loadstone-echo")
    command.kill()
    lab.end(command)

    ended = lab.run("bench", "http://127.0.0.1:1/")

    assert ended.code == 2, "nothing listens there"
    assert lab.left_behind() == []
    assert is_gone(gateway)
    assert is_gone(echo)
    report = lab.run("report", str(lab.results()))
    assert report.code == 1
    assert "run: not done" in report.stdout


def test_an_engine_whose_lab_was_killed_ends_by_itself(lab: Lab) -> None:
    command = loading(lab)
    engine = lab.child("loadstone-engine")
    command.kill()
    wait_for(lambda: is_gone(engine))
    lab.end(command)
    lab.run("bench", "http://127.0.0.1:1/")


@pytest.mark.slow
def test_after_a_killed_lab_finished_runs_stand_and_the_study_can_be_resumed(lab: Lab) -> None:
    lab.study(study_of("go"))
    command = lab.start("run", "trial", "--profile", "short")
    wait_for_line(command, "001-")
    command.kill()
    lab.end(command)
    (finished,) = (lab.results() / "runs").glob("001-*/run.json")
    before = finished.read_bytes()
    assert lab.run("compare", str(lab.results())).code == 0

    resumed = lab.run("run", "trial", "--profile", "short", "--resume")

    assert resumed.code == 0, resumed.stderr
    assert finished.read_bytes() == before
    assert len(list((lab.results() / "runs").glob("*/run.json"))) == 2
