"""Studies of starts and of footprints through the real command."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from lab import Ended, Lab, study_of

from loadstone.deploy.page_cache import SWITCH

STARTS = "workload: starts\nkind: startup\n"


def services(results: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every record with its service, in the order of the runs."""
    found = []
    for path in sorted((results / "runs").glob("*/run.json")):
        record = json.loads(path.read_text())
        found += [(record, each) for each in record["processes"] if each["role"] == "service"]
    return found


def add_workload(lab: Lab, name: str, text: str) -> None:
    (lab.root / "systems" / "mediation" / "workloads" / f"{name}.yaml").write_text(text)


def test_a_study_of_starts_times_each_and_loads_nothing(lab: Lab) -> None:
    add_workload(lab, "starts", STARTS)
    lab.study(
        study_of("go", "node")
        .replace("saturation-50b", "starts")
        .replace("throughput", "startup, startup_cpu, startup_rss, first_request")
        .replace("duration: 2s, warm_up: 0s", "starts: 3")
    )

    ended = lab.run("run", "trial", "--profile", "short")

    assert ended.code == 0, ended.stderr
    found = services(lab.results())
    assert sorted(record["run"]["arm"] for record, _ in found) == ["go"] * 3 + ["node"] * 3
    for record, service in found:
        startup = service["startup"]
        assert (record["kind"], record["load"], record["status"]) == ("startup", None, "completed")
        assert 0 < startup["listened_ns"] <= startup["first_correct_response_ns"]
        assert startup["first_request_ns"] < startup["first_correct_response_ns"]
        assert startup["cpu_ns"] > 0
        assert startup["rss_bytes"] > 1_000_000
        assert (startup["claimed_ns"] is not None) == (record["run"]["arm"] == "node")
        assert record["phases_ns"].keys() == {"deploy", "startup", "check", "teardown"}
    assert "CPU at start-up" in ended.stdout
    assert "starts · 3 blocks" in ended.stdout
    assert "throughput" not in ended.stdout
    assert (lab.results() / "report.html").is_file()
    assert lab.left_behind() == []


def test_a_footprint_has_every_mark(lab: Lab) -> None:
    add_workload(
        lab,
        "footprint",
        (lab.root / "systems/mediation/workloads/footprint-50b.yaml")
        .read_text()
        .replace("workload: footprint-50b", "workload: footprint")
        .replace("rest: 5s", "rest: 0s")
        .replace("per_second: 1000", "per_second: 100"),
    )
    lab.study(
        study_of("go")
        .replace("saturation-50b", "footprint")
        .replace("throughput", "pss.at_rest, pss.after_load")
    )

    ended = lab.run("run", "trial", "--profile", "short")

    assert ended.code == 0, ended.stderr
    for record, _ in services(lab.results()):
        marks = {mark["mark"]: mark for mark in record["marks"]}
        assert list(marks) == [
            "at_rest",
            "after_first_request",
            "after_five_requests",
            "under_load",
            "after_load",
        ]
        assert all(0 < mark["pss_bytes"] <= mark["rss_bytes"] for mark in marks.values())
        spent = [mark["cpu_ns"] for mark in marks.values()]
        assert spent == sorted(spent)
        assert sum(record["outcomes"].values()) == 200
    assert "PSS at rest" in ended.stdout


FIRST = """
first:
- {operation: small, post: /passthrough, body: a, check: {status: 200}}
- {operation: small, post: /passthrough, body: bc, check: {status: 200, body_contains: bc}}
- {operation: large, post: /passthrough, body: cde, check: {status: 200}}
"""


def run_footprint(lab: Lab, first: str) -> Ended:
    """Run a study of a footprint with these first requests."""
    footprint = (lab.root / "systems/mediation/workloads/footprint-50b.yaml").read_text()
    footprint = (
        footprint.replace("workload: footprint-50b", "workload: footprint")
        .replace("rest: 5s", "rest: 0s")
        .replace("per_second: 1000", "per_second: 100")
    )
    add_workload(lab, "footprint", footprint + first)
    study = study_of("go").replace("saturation-50b", "footprint")
    lab.study(study.replace("throughput", "rss.after_ten_requests"))
    return lab.run("run", "trial", "--profile", "short")


def test_the_first_requests_of_a_footprint_are_sent_in_turn(lab: Lab) -> None:
    ended = run_footprint(lab, FIRST + FIRST.partition("first:\n")[2] * 3)

    assert ended.code == 0, ended.stderr
    (run, *_) = sorted((lab.results() / "runs").iterdir())
    record = json.loads((run / "run.json").read_text())
    marks = {mark["mark"]: mark for mark in record["marks"]}
    assert list(marks) == [
        "at_rest",
        "after_first_request",
        "after_five_requests",
        "after_ten_requests",
        "under_load",
        "after_load",
    ]
    assert record["first_requests"] == 12
    assert "reset" not in record["phases_ns"]  # the load finds what the first requests left
    parts = sorted(
        (run / "first-requests").iterdir(), key=lambda each: int(each.name.split("-")[0])
    )
    assert [each.name for each in parts] == ["1-to-1", "2-to-5", "6-to-10", "11-to-12"]
    plan = json.loads((parts[1] / "logs" / "engine-plan.json").read_text())
    assert plan["count"] == 4
    (group,) = plan["groups"]
    assert [each["operation"] for each in group["operations"]] == [
        "small-2",
        "large-3",
        "small-4",
        "small-5",
    ]


def test_a_first_request_that_is_not_answered_as_checked_is_named(lab: Lab) -> None:
    ended = run_footprint(lab, FIRST.replace("body_contains: bc", "body_contains: xy"))
    assert ended.code == 1
    record = json.loads(next((lab.results() / "runs").glob("*/run.json")).read_text())
    assert record["status"] == "failed"
    assert record["failure"]["reason"] == (
        "of its first 3 requests the service did not answer as expected: small-2 (check)"
    )


@pytest.mark.alone  # any other program may read the same pages
@pytest.mark.skipif(not os.access(SWITCH, os.W_OK), reason="only root can make the page cache cold")
def test_a_cold_start_reads_its_pages_from_disk(lab: Lab) -> None:
    add_workload(lab, "starts", STARTS)
    lab.study(
        study_of("go")
        .replace("[go, {stack: go, label: again}]", "[go]")
        .replace("saturation-50b", "starts")
        .replace("throughput", "startup")
        .replace("compare: gateway", "compare: page-cache")
        .replace("upstream: [h1c]", "upstream: [h1c]\n  page-cache: [warm, cold]")
        .replace("duration: 2s, warm_up: 0s", "starts: 2")
    )

    ended = lab.run("run", "trial", "--profile", "short")

    assert ended.code == 0, ended.stderr
    faults: dict[str, list[int]] = {"warm": [], "cold": []}
    for record, service in services(lab.results()):
        faults[record["run"]["arm"]].append(service["startup"]["major_faults"])
    assert min(faults["cold"]) > max(faults["warm"])
