"""A system with a setting and a service on the bench, through the real command."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, SIMULATE, Lab

STUDY = """
study: trial
goal: see that a setting is handed over
system: mediation
arms:
  gateway: [go]
  relay: [go]
  client: [h1c]
  upstream: [h1c]
  onward: [h1c]
  delay: ["5", "0"]
limits: {gateway: {cpus: 1}}
workloads: [saturation-50b]
blocks: 1
seed: 7
questions:
  - question: does the delay make a difference?
    compare: delay
    metrics: [rss_peak]
    margin: 3%
profiles:
  short: {duration: 2s, warm_up: 0s}
"""
SETTINGS = """
settings:
  delay: {variable: {relay: DELAY_MS}, levels: ["0", "5"]}
  mood: {variable: {relay: MOOD, gateway: MOOD}, levels: [calm, wild]}
"""
SAYS = """package main

import (
	"log"
	"os"
)

func init() {
	log.Print("told ", os.Getenv("DELAY_MS"), " ", os.Getenv("MOOD"))
}
"""


def with_bench_relay(lab: Lab) -> Path:
    """Put a relay on the bench that says what it was told; return its stacks."""
    relays = lab.add_relay()
    system = lab.root / "systems" / "mediation" / "system.yaml"
    text = system.read_text()
    assert text.count("  relay:\n") == 1
    system.write_text(text.replace("  relay:\n", "  relay:\n    role: bench\n") + SETTINGS)
    (relays / "go" / "says.go").write_text(SAYS)
    lab.study(STUDY)
    return relays


def records(results: Path) -> dict[str, dict[str, Any]]:
    found = [json.loads(path.read_text()) for path in results.glob("runs/*/run.json")]
    return {record["run"]["arm"]: record for record in found}


def test_a_dry_run_says_what_stands_on_the_bench_and_which_levels_hold(lab: Lab) -> None:
    with_bench_relay(lab)
    ended = lab.run("run", "trial", "--dry-run")
    assert ended.code == 0, ended.stderr
    assert "settings at their first level: mood calm\n" in ended.stdout
    assert (
        "with the engine on the bench's CPUs, without limits, their figures apart from the arms': "
        "relay\n"
    ) in ended.stdout
    lab.study(STUDY.replace("limits:", "placement: {service: [1], bench: [0, 2]}\nlimits:"))
    placed = lab.run("run", "trial", "--dry-run")
    assert "with the engine on the bench's CPUs 0, 2, without limits" in placed.stdout


def test_limits_of_a_service_on_the_bench_are_refused(lab: Lab) -> None:
    with_bench_relay(lab)
    path = lab.study(STUDY.replace("{gateway: {cpus: 1}}", "{relay: {cpus: 1}}"))
    ended = lab.run("run", "trial", "--dry-run")
    assert ended.code == 2
    assert ended.stderr.startswith(f"error: {path}:12: limits.relay: relay has the role bench")


def test_the_catalogue_shows_settings_and_what_stands_on_the_bench(lab: Lab) -> None:
    with_bench_relay(lab)
    shown = lab.run("systems", "mediation").stdout
    assert "relay (on the bench)" in shown
    assert "settings: delay (0 or 5), mood (calm or wild)\n" in shown


def test_a_simulated_study_keeps_a_bench_service_out_of_the_arm(lab: Lab) -> None:
    with_bench_relay(lab)
    lab.behave("default: {dependency_cpu_per_ok: 0.03ms}\n")
    ended = lab.run("run", "trial", "--profile", "short", *SIMULATE)
    assert ended.code == 0, ended.stderr
    record = records(lab.results())["5"]
    assert record["run"]["settings"] == {"delay": "5", "mood": "calm"}
    roles = {each["name"]: each["role"] for each in record["processes"]}
    assert (roles["gateway"], roles["relay"]) == ("service", "bench")
    analysis = json.loads((lab.results() / "analysis.json").read_text())
    figures = {each["metric"]: each["value"] for each in analysis["cells"][0]["figures"]}
    assert figures["cpu_per_ok"] == pytest.approx(100_000, rel=0.05)
    assert figures["bench_service_cpu_per_ok"] == pytest.approx(30_000, rel=0.05)
    assert figures["rss_peak"] == 64 * 2**20


@pytest.mark.slow
def test_a_run_hands_settings_over_and_keeps_a_bench_service_out_of_the_arm(lab: Lab) -> None:
    with_bench_relay(lab)
    ended = lab.run("run", "trial", "--profile", "short")
    found = records(lab.results())
    assert {arm: each["failure"] for arm, each in found.items()} == {"0": None, "5": None}, (
        ended.stderr
    )
    schema = json.loads((CHECKOUT / "schemas" / "run-record.schema.json").read_text())
    for arm, record in found.items():
        jsonschema.validate(record, schema)
        assert record["run"]["factors"]["delay"] == arm
        assert record["run"]["settings"] == {"delay": arm, "mood": "calm"}
        log = next((lab.results() / "runs").glob(f"*-{arm}-*/logs/relay.log"))
        assert f"told {arm} calm\n" in log.read_text()
        processes = {each["name"]: each for each in record["processes"]}
        relay, gateway = processes["relay"], processes["gateway"]
        assert (relay["role"], gateway["role"]) == ("bench", "service")
        assert relay["cpus"] == processes["engine"]["cpus"] == processes["backend"]["cpus"]
        assert relay["confinement"]["cpus"] is None
        assert relay["confinement"]["memory_bytes"] is None
        startup = gateway["startup"]["first_correct_response_ns"]
        assert record["phases_ns"]["startup"] == startup
        assert record["resources"]["relay"]["cpu_ns"] > 0
        assert record["resources"]["relay"]["rss_peak_bytes"] > 0
    analysis = json.loads((lab.results() / "analysis.json").read_text())
    for cell in analysis["cells"]:
        used = found[cell["arm"]]["resources"]
        figures = {each["metric"]: each["value"] for each in cell["figures"]}
        assert figures["rss_peak"] == used["gateway"]["rss_peak_bytes"]
        assert figures["bench_service_cpu_per_ok"] / figures["cpu_per_ok"] == pytest.approx(
            used["relay"]["cpu_ns"] / used["gateway"]["cpu_ns"], rel=1e-6
        )
