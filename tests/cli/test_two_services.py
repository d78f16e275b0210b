"""A system of two services: a gateway, and a relay that it needs, through the real command."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, Ended, Lab

pytestmark = pytest.mark.slow

STUDY = """
study: trial
goal: see that two services work
system: mediation
arms:
  gateway: [go]
  relay: [{relays}]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
limits: {{relay: {{memory: 256M}}, gateway: {{cpus: 1}}}}
workloads: [saturation-50b]
blocks: 1
seed: 7
questions:
  - question: does the relay make a difference?
    compare: relay
    metrics: [throughput]
    margin: 3%
profiles:
  short: {{duration: 2s, warm_up: 0s}}
"""

DIES = """
	answered++
	if answered > 1200 {
		log.Fatal("the relay had enough")
	}
"""


def records(lab: Lab) -> dict[str, dict[str, Any]]:
    found = {}
    for path in sorted((lab.results() / "runs").glob("*/run.json")):
        record = json.loads(path.read_text())
        found[record["run"]["arm"]] = record
    return found


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def add_relay_stack(relays: Path, name: str) -> Path:
    """Add a copy of the relay's stack under another name; return its one source file of interest."""
    copied = relays / name
    copied.mkdir()
    for path in (relays / "go").iterdir():
        (copied / path.name).write_bytes(path.read_bytes())
    edit(copied / "stack.yaml", "stack: go", f"stack: {name}")
    return copied / "upstream.go"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Lab, Ended]:
    """One run with a good relay, one with a relay that ends in mid-load, one that breaks a clause."""
    lab = Lab(tmp_path_factory.mktemp("two"))
    relays = lab.add_relay()
    dying = add_relay_stack(relays, "dies-in-load")
    edit(dying, "// A nil entry", f"{DIES}\n// A nil entry")
    edit(dying, "// newUpstream hands", "var answered int\n\n// newUpstream hands")
    wrong = add_relay_stack(relays, "loses-the-query")
    edit(wrong, "RawQuery: r.In.URL.RawQuery,", "")
    lab.study(STUDY.format(relays="go, dies-in-load, loses-the-query"))
    ended = lab.run("run", "trial", "--profile", "short")
    assert lab.left_behind() == []
    return lab, ended


def test_both_services_are_in_the_record_each_with_its_clock_limits_and_resources(
    ran: tuple[Lab, Ended],
) -> None:
    lab, ended = ran
    record = records(lab)["go"]
    assert record["status"] == "completed", (record["failure"], ended.stderr)
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    jsonschema.validate(record, schema)
    assert record["outcomes"]["ok"] > 0
    services = {each["name"]: each for each in record["processes"] if each["role"] == "service"}
    assert list(services) == ["gateway", "relay"], "the one that is called first"
    for name, service in services.items():
        assert service["startup"]["first_correct_response_ns"] > 0
        assert service["build"]["digest"]
        assert record["resources"][name]["cpu_ns"] > 0
        assert record["resources"][name]["rss_peak_bytes"] > 0
    assert services["gateway"]["cpus"] == services["relay"]["cpus"]
    assert services["gateway"]["pid"] != services["relay"]["pid"]
    startups = [each["startup"]["first_correct_response_ns"] for each in services.values()]
    assert record["phases_ns"]["startup"] == sum(startups)
    if services["relay"]["confinement"]["isolation"].startswith("cgroup"):
        assert services["relay"]["confinement"]["memory_bytes"] == 256 << 20
        assert services["relay"]["confinement"]["cpus"] is None
        assert services["gateway"]["confinement"]["cpus"] == 1
        assert services["gateway"]["confinement"]["memory_bytes"] is None


def test_a_dependency_is_in_the_record_with_its_kind_and_settings(ran: tuple[Lab, Ended]) -> None:
    lab, _ = ran
    (backend,) = (each for each in records(lab)["go"]["processes"] if each["role"] == "dependency")
    assert (backend["name"], backend["kind"]) == ("backend", "echo")
    assert backend["settings"] == {"protocol": "h1c", "delay": "0ms"}
    assert "--protocol h1c --delay 0ms" in backend["command"]


def test_a_service_behind_the_entry_that_ends_in_mid_load_is_named(ran: tuple[Lab, Ended]) -> None:
    lab, ended = ran
    record = records(lab)["dies-in-load"]
    assert record["status"] == "failed"
    assert record["failure"]["step"] == "load"
    assert record["failure"]["reason"] == "relay exited with code 1 in mid-load"
    assert "the relay had enough" in record["failure"]["log_tail"]
    assert "relay exited with code 1 in mid-load" in ended.stderr


def test_a_service_behind_the_entry_that_breaks_the_contract_is_not_loaded(
    ran: tuple[Lab, Ended],
) -> None:
    lab, ended = ran
    record = records(lab)["loses-the-query"]
    assert record["failure"]["step"] == "check"
    assert "PT-1" in record["failure"]["reason"]
    assert record["load"] is None
    assert "check gateway/go and relay/loses-the-query against the contract" in ended.stderr
    assert "build relay/loses-the-query" in ended.stderr


def test_a_stack_of_each_service_is_checked_with_the_other_beside_it(lab: Lab) -> None:
    relays = lab.add_relay()
    wrong = add_relay_stack(relays, "loses-the-query")
    edit(wrong, "RawQuery: r.In.URL.RawQuery,", "")
    ended = lab.run("check", "mediation", "--stack", "gateway/go", "--stack", "relay/go")
    assert ended.code == 0, ended.stdout
    assert "holds    gateway/go@go h1c -> h1c -> h1c: " in ended.stdout
    assert "holds    relay/go@go h1c -> h1c -> h1c: " in ended.stdout
    ended = lab.run("check", "mediation", "--stack", "loses-the-query")
    assert ended.code == 1
    assert "failed   relay/loses-the-query@go h1c -> h1c -> h1c: " in ended.stdout
    assert "PT-1" in ended.stdout
    ended = lab.run("check", "mediation", "--stack", "relay/gone")
    assert ended.code == 2
    assert "relay/go" in ended.stderr
    assert "relay" in lab.run("systems", "mediation").stdout


def test_a_study_names_every_service_and_every_leg(lab: Lab) -> None:
    lab.add_relay()
    path = lab.study(STUDY.format(relays="go").replace("  relay: [go]\n", ""))
    ended = lab.run("run", "trial", "--dry-run")
    assert ended.code == 2
    assert ended.stderr.startswith(f"error: {path}:5: arms: the factor relay is missing")
    lab.study(STUDY.format(relays="go").replace("  onward: [h1c]\n", ""))
    assert "the factor onward is missing" in lab.run("run", "trial", "--dry-run").stderr
