"""The real commands on stored results of an arm that was still warming up: figures without claims."""

import json
import shutil
from pathlib import Path

import pytest
from lab import Lab

from corpus.runs import Arm, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.warming import WORK_MS, approaching
from corpus.workloads import load

TIME_CONSTANT = 10
ARMS: dict[str, Arm] = {
    "go": same(Scenario(service=Service(work_ms=WORK_MS))),
    "spring": same(Scenario(service=Service(work_ms=WORK_MS, pace=approaching(TIME_CONSTANT)))),
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Windows from 10 to 30 s of a service that takes 10 s to do two thirds of its warm-up."""
    results = tmp_path_factory.mktemp("cold") / "gateways-20260101T120000Z"
    results.mkdir()
    return study_of(results, 1, ARMS, workload=load(8, seconds=30, warm_up=10))


def test_a_report_keeps_its_figures_and_tells_no_verdict(lab: Lab, stored: Path) -> None:
    ended = lab.run("report", str(stored))
    assert ended.code == 0, ended.stderr
    assert "No winner can be named" in ended.stdout
    assert "Spring has no place: still warming up." in ended.stdout
    assert "no claim  still-warming  spring under load" in ended.stdout
    assert "still warming: no verdict, rank or effect is made of it" in ended.stdout
    assert not {"LOWER", "HIGHER", "SLOWER", "FASTER"} & set(ended.stdout.split())
    analysis = json.loads((stored / "analysis.json").read_text())
    warmth = {cell["arm"]: cell["warmth"] for cell in analysis["cells"]}
    assert warmth == {"go": "level", "spring": "still warming"}
    (spring,) = [cell for cell in analysis["cells"] if cell["arm"] == "spring"]
    figures = {figure["metric"]: figure for figure in spring["figures"]}
    assert figures["throughput"]["state"] == "value"
    assert figures["throughput"]["no_claim"] == "still-warming"
    assert figures["rss_peak"]["no_claim"] == figures["startup"]["no_claim"] == ""
    (answer,) = analysis["answers"]
    assert answer["headline"][1] == "Spring has no place: still warming up."
    assert answer["standings"][0]["outcome"] == "one figure"
    for name in ("report.html", "report.md"):
        page = (stored / name).read_text()
        assert "spring was still warming up" in page
        assert "No rule found a reason" not in page


def test_it_must_not_pass_a_gate(lab: Lab, stored: Path) -> None:
    ended = lab.run("compare", str(stored), "--baseline", "go", "--metric", "throughput")
    assert ended.code == 1
    assert ended.stderr.splitlines()[-1] == (
        "exit code 1: nothing can be claimed: throughput of spring under load: still warming"
    )


def test_what_warmth_does_not_touch_is_compared(lab: Lab, stored: Path) -> None:
    ended = lab.run("compare", str(stored), "--baseline", "go", "--metric", "startup")
    assert ended.code == 0, ended.stdout
    assert "was still warming up" not in ended.stdout.partition("findings")[0]


def test_of_two_folders_neither_side_may_be_cold(lab: Lab, stored: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    shutil.copytree(stored, again)
    ended = lab.run("compare", str(stored), str(again), "--metric", "throughput")
    assert ended.code == 1
    assert f"spring of {stored.name} was still warming up" in ended.stdout
    assert "nothing can be claimed: throughput of spring of " in ended.stderr.splitlines()[-1]
    assert "go of again against go of" in ended.stdout
