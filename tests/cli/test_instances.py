"""A system with several processes of a service, through the real command."""

import json
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, SIMULATE, Lab
from relays import add_relays

STUDY = """
study: trial
goal: see what several relays make of it
system: mediation
arms:
  gateway: [go]
  relay: [go]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
  relay-instances: ["1", "3"]
limits: {relay: {memory: 256M}}
workloads: [saturation-50b]
blocks: 1
seed: 7
questions:
  - question: does the number make a difference?
    compare: relay-instances
    metrics: [rss_peak]
    margin: 3%
profiles:
  short: {duration: 2s, warm_up: 0s}
"""
NAMES = ["relay", "relay.2", "relay.3"]
RESIDENT_BYTES = 64 * 2**20
"""Of each simulated process."""


@pytest.fixture
def relayed(lab: Lab) -> Lab:
    """Relays behind a gateway, and the study."""
    add_relays(lab)
    lab.study(STUDY)
    return lab


def records(lab: Lab) -> dict[str, dict[str, Any]]:
    """By arm; each is as the schema has it."""
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    found = {}
    for path in (lab.results() / "runs").glob("*/run.json"):
        record = json.loads(path.read_text())
        jsonschema.validate(record, schema)
        found[record["run"]["arm"]] = record
    return found


def figures(lab: Lab) -> dict[str, dict[str, float | None]]:
    """By arm and metric."""
    analysis = json.loads((lab.results() / "analysis.json").read_text())
    return {
        cell["arm"]: {each["metric"]: each["value"] for each in cell["figures"]}
        for cell in analysis["cells"]
    }


def test_the_catalogue_and_a_dry_run_show_their_number_as_a_factor(relayed: Lab) -> None:
    shown = relayed.run("systems", "mediation").stdout
    assert "settings: relay-instances (1, 2 or 3)\n" in shown
    ended = relayed.run("run", "trial", "--dry-run")
    assert ended.code == 0, ended.stderr
    assert "relay-instances" in ended.stdout


def test_a_simulated_study_has_each_in_its_record_and_all_in_its_figures(relayed: Lab) -> None:
    relayed.behave("default: {}\n")
    ended = relayed.run("run", "trial", "--profile", "short", *SIMULATE)
    assert ended.code == 0, ended.stderr
    record = records(relayed)["3"]
    assert record["run"]["settings"] == {"relay-instances": "3"}
    services = [each for each in record["processes"] if each["role"] == "service"]
    assert [(each["name"], each["instance_of"]) for each in services] == [
        ("gateway", None),
        ("relay", None),
        ("relay.2", "relay"),
        ("relay.3", "relay"),
    ]
    assert {*NAMES, "gateway"} < set(record["resources"])
    of_one, of_three = figures(relayed)["1"], figures(relayed)["3"]
    assert of_one["cpu_per_ok"] == pytest.approx(200_000, rel=0.05)
    assert of_three["cpu_per_ok"] == pytest.approx(200_000, rel=0.05), "they share the work"
    assert of_one["rss_peak"] == 2 * RESIDENT_BYTES
    assert of_three["rss_peak"] == 4 * RESIDENT_BYTES
    assert of_one["build_time"] == of_three["build_time"]


@pytest.mark.slow
def test_a_run_starts_each_with_a_port_a_log_and_limits_of_its_own(relayed: Lab) -> None:
    ended = relayed.run("run", "trial", "--profile", "short")
    found = records(relayed)
    assert {arm: each["failure"] for arm, each in found.items()} == {"1": None, "3": None}, (
        ended.stderr
    )
    processes = {each["name"]: each for each in found["3"]["processes"]}
    relays = [processes[name] for name in NAMES]
    assert len({each["pid"] for each in relays}) == 3
    assert len({each["build"]["digest"] for each in relays}) == 1
    startups = [each["startup"]["first_correct_response_ns"] for each in relays]
    entry = processes["gateway"]["startup"]["first_correct_response_ns"]
    assert found["3"]["phases_ns"]["startup"] == entry + sum(startups)
    for each in relays:
        if each["confinement"]["isolation"].startswith("cgroup"):
            assert each["confinement"]["memory_bytes"] == 256 << 20
    resident = [found["3"]["resources"][name]["rss_peak_bytes"] for name in (*NAMES, "gateway")]
    assert figures(relayed)["3"]["rss_peak"] == sum(resident)
    (logs,) = (relayed.results() / "runs").glob("*-3-*/logs")
    told = (logs / "gateway.log").read_text().split("told ", 1)[1].splitlines()[0]
    assert len(set(told.split(","))) == 3
    assert all(each.startswith("http://127.0.0.1:") for each in told.split(","))
    for name in NAMES:
        assert (logs / f"{name}.log").is_file()
