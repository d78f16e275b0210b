"""kill -9 in each phase of a run over a database and a service of the lab: nothing of it is left."""

import json
from pathlib import Path
from typing import Any

import pytest
from lab import Ended, Lab, is_gone

from loadstone.deploy.dependencies.mariadb.programs import find_programs
from private_servers import require

STUDY = """
study: trial
goal: see that a system with a database survives what is done to it
system: conference
arms:
  conference: [go, {{stack: go, label: again}}]
  country: [rust]
  client: [h1c]
  lookup: [h1c]
workloads: [saturation-list]
blocks: {blocks}
seed: 7
questions:
  - question: which lists more?
    compare: conference
    metrics: [throughput]
    margin: 3%
profiles:
  short: {{duration: 1s, warm_up: 0s}}
"""

KILLING = """
from dataclasses import replace
import psutil
from loadstone.measure import this_machine
from loadstone.measure.run_facts import RunFacts

contract_of_system = this_machine.contract_of_system

def quick_part_of(system):
    contract = contract_of_system(system)
    quick = tuple(check for check in contract.checks if check.quick)
    return replace(contract, checks=quick)

this_machine.contract_of_system = quick_part_of
killings, runs = {killings!r}, 0

def kill_in(phase):
    program, when = killings.get(runs, (None, None))
    if when != phase:
        return
    del killings[runs]
    found = [] if program != "the lab" else [psutil.Process()]
    for process in psutil.Process().children(recursive=True):
        if program in " ".join(process.cmdline()):
            found.append(process)
    assert len(found) == 1, (program, phase, found)
    found[0].kill()

whole = RunFacts.phase

def phase(self, name):
    global runs
    if name == "deploy":
        runs += 1
    kill_in(name)
    return whole(self, name)

RunFacts.phase = phase
seen = RunFacts.add_service

def add_service(self, facts, *, called):
    seen(self, facts, called=called)
    if facts.name == "country":
        kill_in("start-up")

RunFacts.add_service = add_service
"""
"""Code that kills programs: of the run of each number one, at the beginning of one of its phases.

Of the contract the quick part alone is held before: other tests hold the whole.
"""

NAMES = {
    "mariadbd": "dependency database",
    "bin/country": "country",
    "bin/conference": "conference",
}
"""What a program is called in a failure."""
FAILURES = {
    ("mariadbd", "start-up"): ("start-up", "while conference started"),
    ("bin/country", "start-up"): ("start-up", "while conference started"),
    ("mariadbd", "check"): ("check", "when it was checked"),
    ("bin/country", "check"): ("load", "in mid-load"),
    ("bin/conference", "check"): ("check", "when it was checked"),
    ("mariadbd", "reset"): ("reset", "when its data was reset"),
    ("bin/country", "reset"): ("load", "in mid-load"),
    ("bin/conference", "reset"): ("load", "in mid-load"),
    ("mariadbd", "load"): ("load", "when its work was read"),
    ("bin/country", "load"): ("load", "in mid-load"),
    ("bin/conference", "load"): ("load", "in mid-load"),
    **{(program, "teardown"): None for program in NAMES},
}
"""Step and words of the failure, by the program that is killed and in which phase it is.

Of `start-up` the database and country are there, and the service is not. Without country, only what
asks it notices, and lists do not. At the teardown there is a result, and nothing else to lose.
"""


@pytest.fixture(autouse=True)
def mariadb() -> None:
    require(find_programs)


def start(lab: Lab, killings: dict[int, tuple[str, str]], blocks: int) -> Ended:
    """Run a study of two arms in which programs are killed, by the number of the run from 1 on."""
    lab.study(STUDY.format(blocks=blocks))
    changed = KILLING.format(killings=killings)
    command = lab.start("run", "trial", "--profile", "short", changed=changed)
    return lab.end(command, timeout_seconds=900)


def records(results: Path) -> list[dict[str, Any]]:
    """The record of each run, in their order."""
    paths = sorted((results / "runs").glob("*/run.json"))
    return [json.loads(path.read_text()) for path in paths]


@pytest.mark.slow
@pytest.mark.timeout(960)
def test_a_part_killed_in_any_phase_spoils_its_own_run_alone(lab: Lab) -> None:
    killings = dict(enumerate(FAILURES, start=1))
    ended = start(lab, killings, blocks=len(killings) // 2 + 1)
    assert lab.left_behind() == []
    found = records(lab.results())
    for number, (program, phase) in killings.items():
        record, failure = found[number - 1], FAILURES[program, phase]
        if failure is None:
            assert record["status"] == "completed", (program, phase, record["failure"])
            continue
        step, when = failure
        reason = f"{NAMES[program]} was killed by SIGKILL {when}"
        told = record["failure"]
        assert told is not None, (program, phase)
        assert (told["step"], told["reason"]) == (step, reason), (program, phase)
        assert f"failed: {step}: {reason}" in ended.stderr
    assert {record["status"] for record in found[len(killings) :]} == {"completed"}


@pytest.mark.slow
@pytest.mark.timeout(960)
@pytest.mark.parametrize("phase", ["start-up", "check", "reset", "load", "teardown"])
def test_of_a_killed_lab_the_next_command_leaves_nothing(lab: Lab, phase: str) -> None:
    start(lab, {1: ("the lab", phase)}, blocks=1)
    assert records(lab.results()) == []
    parts = lab.children()
    assert any("mariadbd" in " ".join(part.cmdline()) for part in parts)
    assert lab.run("bench", "http://127.0.0.1:1/").code == 2, "nothing listens there"
    assert lab.left_behind() == []
    assert all(map(is_gone, parts))
