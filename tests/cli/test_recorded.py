"""A system that says what the recording upstream stands in for, through the real command."""

import shutil
import uuid
from pathlib import Path

import pytest
from lab import Lab

pytestmark = pytest.mark.slow

CHECKS = '''"""What the relay does, called itself."""

from loadstone.contract.declare import check
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject


@check("RL-1", "the relay answers as its backend does", service="relay")
def relays(subject: Subject) -> None:
    answer = subject.ask("/service/EchoService", [("Content-Type", "application/json")], b"[1]")
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.body, b"[1]", "the body")
'''
STUDY = """
study: trial
goal: see that what is recorded is real in runs
system: mediation
arms:
  gateway: [go]
  relay: [go, again]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
workloads: [saturation-50b]
blocks: 1
seed: 7
questions:
  - question: does the relay make a difference?
    compare: relay
    metrics: [rss_peak]
    margin: 3%
profiles:
  moment: {duration: 1s, warm_up: 0s}
"""


def with_recorded_relay(lab: Lab) -> Path:
    """Let the recorder stand in for the relay, which has a check of its own; return its stacks.

    The contract is one that nothing was held against: what is kept is shared with the checkout.
    """
    relays = lab.add_relay()
    system = lab.root / "systems" / "mediation"
    path = system / "system.yaml"
    path.write_text(path.read_text() + "recorded: [relay]\n")
    (system / "contract" / "relay_checks.py").write_text(f"{CHECKS}\n# {uuid.uuid4()}\n")
    return relays


def test_a_stack_in_front_of_it_is_held_without_it(lab: Lab) -> None:
    with_recorded_relay(lab)
    ended = lab.run("check", "mediation", "--stack", "gateway/go")
    assert ended.code == 0, ended.stdout
    assert "holds    gateway/go@go h1c -> h1c: " in ended.stdout
    assert "build relay/" not in ended.stderr


def test_it_is_real_where_it_is_held_itself(lab: Lab) -> None:
    with_recorded_relay(lab)
    ended = lab.run("check", "mediation", "--stack", "relay/go")
    assert ended.code == 0, ended.stdout
    assert "holds    relay/go@go h1c -> h1c: 1 of 1 checks of 1 clauses\n" in ended.stdout
    assert "build gateway/" not in ended.stderr


def test_one_without_checks_is_started_at_least(lab: Lab) -> None:
    relays = with_recorded_relay(lab)
    (lab.root / "systems" / "mediation" / "contract" / "relay_checks.py").unlink()
    stack = relays / "go" / "stack.yaml"
    stack.write_text(stack.read_text().replace("\nrun: ", "\nrun: false "))
    ended = lab.run("check", "mediation", "--stack", "relay/go")
    assert ended.code == 1
    assert "failed   relay/go@go h1c -> h1c: start-up: relay exited with code 1" in ended.stdout


def test_a_study_holds_each_service_once_for_all_casts_that_have_it(lab: Lab) -> None:
    relays = with_recorded_relay(lab)
    shutil.copytree(relays / "go", relays / "again")
    stack = relays / "again" / "stack.yaml"
    stack.write_text(stack.read_text().replace("stack: go\n", "stack: again\n"))
    lab.study(STUDY)
    ended = lab.run("run", "trial", "--profile", "moment")
    assert ended.code == 0, ended.stderr
    for name in ("gateway/go", "relay/go", "relay/again"):
        assert ended.stderr.count(f"check {name} against the contract of mediation\n") == 1
