"""A load in which something is done to the system, through the real command."""

import json
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, SIMULATE, Lab
from relays import add_relays

SECOND_NS = 10**9
WORKLOAD = """\
workload: losing
kind: load
group: callers
users: 4
duration: 6s
warm_up: 1s
session:
  - operation: passthrough
    post: /passthrough
    headers: {content-type: application/json}
    payload: {kind: array, bytes: 50}
    check: {status: 200, body_contains: 50B}
faults:
  - {at: 500ms, kill: relay.2}
  - {at: 1s, freeze: relay, for: 500ms}
  - {at: 2s, add: relay}
"""
STUDY = """\
study: trial
goal: see what callers notice of it
system: mediation
arms:
  gateway: [go, {stack: go, label: again}]
  relay: [go]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
  relay-instances: ["2"]
workloads: [losing]
blocks: 1
seed: 7
questions:
  - question: does the gateway make a difference?
    compare: gateway
    metrics: [rss_peak]
    margin: 3%
"""
SENTENCE = (
    "in whose window relay.2 is killed after 500 ms and relay is frozen after 1 s for 500 ms and "
    "relay gets one more process after 2 s"
)


@pytest.fixture
def losing(lab: Lab) -> Lab:
    """Two relays of which one is lost."""
    add_relays(lab)
    (lab.root / "systems/mediation/workloads/losing.yaml").write_text(WORKLOAD)
    lab.study(STUDY)
    return lab


def record(lab: Lab) -> dict[str, Any]:
    """Of the first arm, as the schema has it."""
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    (path,) = (lab.results() / "runs").glob("*-go-*/run.json")
    found: dict[str, Any] = json.loads(path.read_text())
    jsonschema.validate(found, schema)
    return found


def planned_ns(fault: dict[str, Any]) -> int:
    """When it was to be, since the load began."""
    return {"kill": 1_500_000_000, "freeze": 2 * SECOND_NS, "add": 3 * SECOND_NS}[fault["fault"]]


def test_a_simulated_study_tells_what_would_have_been_done(losing: Lab) -> None:
    losing.behave("default: {}\n")
    ended = losing.run("run", "trial", *SIMULATE)
    assert ended.code == 0, ended.stderr
    faults = record(losing)["faults"]
    assert [(each["fault"], each["part"]) for each in faults] == [
        ("kill", "relay.2"),
        ("freeze", "relay"),
        ("add", "relay"),
    ]
    assert all(each["began_ns"] == planned_ns(each) for each in faults)
    for name in ("report.html", "report.md"):
        assert SENTENCE in (losing.results() / name).read_text().replace("&#46;", ".")
    findings = json.loads((losing.results() / "findings.json").read_text())
    assert not {"unsteady", "still-warming"} & {each["code"] for each in findings}


@pytest.mark.slow
def test_a_run_bears_them_and_its_record_and_its_charts_have_them(losing: Lab) -> None:
    ended = losing.run("run", "trial")
    found = record(losing)
    assert found["status"] == "completed", (found["failure"], ended.stderr)
    assert sum(found["outcomes"].values()) == found["outcomes"]["ok"] > 0
    killed, frozen, added = found["faults"]
    for fault in (killed, frozen, added):
        assert planned_ns(fault) <= fault["began_ns"] <= fault["done_ns"]
    assert frozen["ended_ns"] - frozen["began_ns"] >= 0.5 * SECOND_NS
    assert (killed["ended_ns"], added["ended_ns"]) == (None, None)
    assert added["process"] == "relay.3"
    processes = {each["name"]: each for each in found["processes"]}
    assert processes["relay.3"]["instance_of"] == "relay"
    assert processes["relay.3"]["startup"]["first_correct_response_ns"] > 0
    for name in ("relay", "relay.2", "relay.3"):
        assert found["resources"][name]["cpu_ns"] is not None, name
    (logs,) = (losing.results() / "runs").glob("*-go-*/logs")
    assert (logs / "relay.3.log").is_file()
    analysis = json.loads((losing.results() / "analysis.json").read_text())
    (run,) = analysis["cells"][0]["series"]
    assert [each["fault"] for each in run["faults"]] == ["kill", "freeze", "add"]
    html = (losing.results() / "report.html").read_text()
    assert "Strips are faults, in " in html
    assert losing.left_behind() == []


def test_a_part_that_an_arm_lacks_is_refused_with_the_workload(losing: Lab) -> None:
    path = losing.root / "systems/mediation/workloads/losing.yaml"
    path.write_text(WORKLOAD.replace("relay.2", "relay.3"))
    ended = losing.run("run", "trial", "--dry-run")
    assert ended.code == 2
    assert f"error: {path}: faults[0].kill: go has no process relay.3" in ended.stderr
    assert "hint: it has: relay, relay.2" in ended.stderr


def test_a_url_has_no_parts_that_anything_could_be_done_to(losing: Lab) -> None:
    path = losing.root / "systems/mediation/workloads/losing.yaml"
    ended = losing.run("bench", "http://127.0.0.1:9/", "--workload", str(path))
    assert ended.code == 2
    assert f"error: {path}: faults: has faults, and a URL has no system" in ended.stderr
