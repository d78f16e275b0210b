"""A simulated study whose warm-ups are watched: windows, figures, the chart from start to steady."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lab import SIMULATE, Ended, Lab, study_of

SECOND_NS = 10**9
BEHAVIOURS = """
go: {}
node: {steady_by: level, warm_up: 25s}
cold: {warm_up: 500s}
"""
STUDY = (
    study_of("go", "node", "{stack: node, label: cold}")
    .replace("[saturation-50b]", "[saturation-50b, low-rate-50b]")
    .replace(
        "profiles:\n",
        "profiles:\n  watched: {window: 8s, warm_up: {until: steady, at_most: 30s}}\n",
    )
)
CHARTS = {
    "closed users": "saturation-50b-throughput-from-start-to-steady",
    "a rate": "low-rate-50b-p99-response-time-from-start-to-steady",
}


class Watched(NamedTuple):
    """The study, run once."""

    results: Path
    ended: Ended

    @property
    def analysis(self) -> Any:
        return json.loads((self.results / "analysis.json").read_text())


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    lab = Lab(tmp_path_factory.mktemp("watched"))
    lab.behave(BEHAVIOURS)
    lab.study(STUDY)
    ended = lab.run("run", "trial", "--profile", "watched", *SIMULATE)
    assert ended.code == 0, ended.stderr
    assert lab.run("report", str(lab.results()), "--images").code == 0
    return Watched(lab.results(), ended)


def test_the_longest_warm_ups_are_told_before_a_study_begins(lab: Lab) -> None:
    """The committed workload warms up until steady, for 120 s at most."""
    lab.study(study_of("go", "node").replace("profiles:\n", "profiles:\n  brief: {window: 3s}\n"))
    dry = lab.run("run", "trial", "--profile", "brief", "--dry-run", columns=200)
    assert "at most 0:04:08, if every warm-up lasts as long as it may (120 s)" in dry.stdout


def test_a_window_follows_a_warm_up_until_steady_of_any_length(watched: Watched) -> None:
    records = [json.loads(path.read_text()) for path in watched.results.glob("runs/*/run.json")]
    windows = {
        each["run"]["arm"]: each["window"]
        for each in records
        if each["run"]["workload"] == "saturation-50b"
    }
    assert windows == {
        arm: {
            "start_ns": start * SECOND_NS,
            "end_ns": (start + 8) * SECOND_NS,
            "warm_up": "steady",
            "steady_by": by,
            "late_look_ns": 0,
        }
        for arm, start, by in (("go", 12, "idle"), ("node", 25, "level"), ("cold", 30, "cap"))
    }
    findings = json.loads((watched.results / "findings.json").read_text())
    capped = {each["subject"]["arm"] for each in findings if each["code"] == "warm-up-capped"}
    assert capped == {"cold"}


def test_a_watched_warm_up_is_a_result_in_every_output(watched: Watched) -> None:
    shown = watched.ended.stdout
    for line in (
        r"go    steady after 2 s \(nothing to compile\); first 10 s: (99|100|101) % of its throughput",
        r"node  steady after 5 s \(cost level\); first 10 s: (99|100|101) % of its throughput",
        r"cold  not seen to be steady within 30 s \(longest warm-up\); first 10 s: ",
        r"node  steady after 5 s \(cost level\); first 10 s: median [0-9.]+ ms, then [0-9.]+ ms",
    ):
        assert re.search(line, shown), line
    go = next(
        cell
        for cell in watched.analysis["cells"]
        if (cell["arm"], cell["workload"]) == ("go", "saturation-50b")
    )
    figures = {figure["metric"]: figure for figure in go["figures"]}
    assert figures["time_to_steady"]["value"] == 2e9
    assert figures["requests_until_steady"]["value"] > 0
    assert figures["first_10s.throughput"]["value"] == pytest.approx(
        figures["throughput"]["value"], rel=0.02
    )
    assert figures["first_30s.throughput"]["reason"] == (
        "the load lasted 20 s up to the end of its window"
    )
    assert {run["steady_by"] for run in go["series"]} == {"idle"}
    assert "## From start to steady" in (watched.results / "report.md").read_text()
    assert '<section id="steady"' in (watched.results / "report.html").read_text()
    assert "time_to_steady" in (watched.results / "tables" / "figures.csv").read_text()


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_the_way_to_steady_is_drawn_of_each_arm_however_its_warm_up_ended(
    watched: Watched, chart: str
) -> None:
    (drawn,) = watched.results.rglob(f"{chart}.svg")
    labels = re.findall(r">([^<>]+)</(?:text|tspan)>", drawn.read_text())
    assert {"go", "node", "cold"} <= set(labels)
    title = chart.partition("-50b-")[2]
    page = (watched.results / "report.html").read_text()
    assert re.search(rf'data-chart="[0-9]+-{title}"', page)
