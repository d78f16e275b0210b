"""A study that loads a service behind the gateway itself, through the real command."""

import json
import uuid
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, SIMULATE, Lab

CHECKS = '''"""What the relay does, called itself."""

from loadstone.contract.declare import check
from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject


@check("RL-1", "the relay answers as its backend does", service="relay", quick=True)
def relays(subject: Subject) -> None:
    answer = subject.ask("/service/EchoService", [("Content-Type", "application/json")], b"[1]")
    expect_equal(answer.status, 200, "the status")
    expect_equal(answer.body, b"[1]", "the body")
'''
WORKLOAD = """\
workload: relayed
kind: load
group: callers
users: 4
duration: 5s
warm_up: 1s
session:
  - operation: relay
    post: /service/EchoService
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
    check: {status: 200, body_contains: 50B}
"""
STUDY = """\
study: trial
goal: see what the relay serves by itself
system: mediation
entry: relay
arms:
  relay: [go, {stack: go, label: again}]
  upstream: [h1c]
  onward: [h1c]
workloads: [relayed]
blocks: 1
seed: 7
questions:
  - question: does the relay make a difference?
    compare: relay
    metrics: [rss_peak]
    margin: 3%
profiles:
  short: {duration: 2s, warm_up: 0s}
"""
LOADED = "Loaded was relay itself, with what it needs alone"


@pytest.fixture
def relays(lab: Lab) -> Lab:
    """Relays behind the gateways, with a check of their own and a workload for them."""
    lab.add_relay()
    system = lab.root / "systems" / "mediation"
    (system / "contract" / "relay_checks.py").write_text(f"{CHECKS}\n# {uuid.uuid4()}\n")
    (system / "workloads" / "relayed.yaml").write_text(WORKLOAD)
    lab.study(STUDY)
    return lab


def record(results: Path) -> dict[str, Any]:
    """Of the first arm, as the schema has it."""
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    (path,) = (results / "runs").glob("*-go-*/run.json")
    found: dict[str, Any] = json.loads(path.read_text())
    jsonschema.validate(found, schema)
    return found


def test_a_dry_run_says_who_is_loaded(relays: Lab) -> None:
    ended = relays.run("run", "trial", "--dry-run")
    assert ended.code == 0, ended.stderr
    assert "loaded is relay itself, with what it needs alone" in ended.stdout
    assert "gateway" not in ended.stdout


def test_a_simulated_study_has_the_service_alone_and_every_report_says_so(relays: Lab) -> None:
    relays.behave("default: {}\n")
    ended = relays.run("run", "trial", "--profile", "short", *SIMULATE)
    assert ended.code == 0, ended.stderr
    results = relays.results()
    services = [each for each in record(results)["processes"] if each["role"] == "service"]
    assert [each["name"] for each in services] == ["relay"]
    assert LOADED in " ".join(ended.stdout.split())
    for name in ("report.html", "report.md"):
        assert LOADED in (results / name).read_text()
    assert json.loads((results / "analysis.json").read_text())["entry"] == "relay"


@pytest.mark.slow
def test_a_run_starts_no_gateway_and_holds_and_loads_the_relay(relays: Lab) -> None:
    ended = relays.run("run", "trial", "--profile", "short")
    found = record(relays.results())
    assert found["status"] == "completed", (found["failure"], ended.stderr)
    assert [each["name"] for each in found["processes"] if each["role"] == "service"] == ["relay"]
    assert found["outcomes"]["ok"] > 0
    assert sum(found["outcomes"].values()) == found["outcomes"]["ok"]
    held = {each["when"]: each for each in found["checks"]}
    assert (held["before"]["checked"], held["before"]["failed"]) == (1, [])
    assert "check relay/go against the contract of mediation" in ended.stderr
    assert "build gateway/" not in ended.stderr
    assert relays.left_behind() == []


def test_a_service_that_no_check_is_about_is_not_loaded(relays: Lab) -> None:
    (relays.root / "systems" / "mediation" / "contract" / "relay_checks.py").unlink()
    ended = relays.run("run", "trial", "--profile", "short")
    assert ended.code == 2
    assert "trial.yaml: entry: no check of mediation is about relay" in ended.told
    assert 'declare checks with service="relay"' in ended.told
