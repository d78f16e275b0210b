"""Arms and workloads whose names, joined by hyphens, are alike: what is found of a cell stays there.

The arm `go` under `h2-load` and the arm `go-h2` under `load` have runs that are called alike but for
their numbers. Of the two only `go-h2` gives reason to doubt.
"""

import csv
import json
from pathlib import Path
from typing import Any

import jsonschema
from lab import CHECKOUT, Lab

from results_builder import Behaviour, build_results, closed

HEALTHY = Behaviour()
DOUBTED = Behaviour(steal_share=0.2)
WITHHELD = Behaviour(steal_share=0.2, failing_share=0.3)
ARMS = {"go": HEALTHY, "node": HEALTHY}
MEDIAN = "response_time.median"


def built(lab: Lab, name: str, arms: dict[str, Behaviour], seed: int = 1) -> Path:
    return build_results(
        lab.root / "results",
        arms=arms,
        workloads=tuple(closed(seconds=3, name=name) for name in ("load", "h2-load")),
        metrics=(MEDIAN,),
        name=name,
        seed=seed,
    )


def doubted(findings: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Arm and workload of every finding on runs or arms."""
    subjects = (each["subject"] for each in findings)
    return {(each["arm"], each["workload"]) for each in subjects if each["arm"]}


def test_a_report_counts_what_is_found_at_its_own_arm(lab: Lab) -> None:
    results = built(lab, "main", {**ARMS, "go-h2": WITHHELD})
    ended = lab.run("report", "results/main")
    assert ended.code == 1, ended.stderr  # go-h2 is withheld
    findings = json.loads((results / "findings.json").read_text())
    schema = json.loads((CHECKOUT / "schemas" / "finding.schema.json").read_text())
    for finding in findings:
        jsonschema.validate(finding, schema)
    assert doubted(findings) == {("go-h2", "load"), ("go-h2", "h2-load")}
    report = (results / "report.md").read_text()
    pairs = report.partition("## Pairs of arms")[2].partition("</details>")[0].splitlines()
    lines = [row for line in pairs if (row := line.split(" | "))[1:3] == ["node", "go"]]
    assert len(lines) == 2
    assert all(line[-2] == "0" for line in lines)
    assert "go-h2 under load (6 runs)" in report
    assert "go under " not in report.partition("## Findings")[2]
    with (results / "tables" / "comparisons.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if "withheld" in row["reason"]]
    assert rows
    assert {row["other"] for row in rows} == {"go-h2"}


def test_a_comparison_has_the_doubts_of_its_own_arms(lab: Lab) -> None:
    built(lab, "main", {**ARMS, "go-h2": DOUBTED})
    ended = lab.run("compare", "results/main", "--baseline", "go", columns=200)
    lines = [line for line in ended.stdout.splitlines() if " · h2-load · " in line]
    (of_node,) = (line for line in lines if " node against go ·" in line)
    (of_go_h2,) = (line for line in lines if " go-h2 against go ·" in line)
    assert "no doubts" in of_node
    assert " 6 doubts" in of_go_h2


def test_of_two_folders_a_finding_stays_with_its_arm(lab: Lab) -> None:
    built(lab, "main", {**ARMS, "go-h2": DOUBTED})
    built(lab, "branch", {"go": HEALTHY, "go-h2": HEALTHY}, seed=2)
    ended = lab.run("compare", "results/main", "results/branch", "--json")
    found = json.loads(ended.stdout)
    assert doubted(found["findings"]) == {("go-h2 of main", "load"), ("go-h2 of main", "h2-load")}
    scopes = [each["scope"] for each in found["findings"] if each["subject"]["run"]]
    assert len(scopes) == len(set(scopes)) == 12
    assert {each["subject"]["results"] for each in found["findings"]} == {"main", "branch"}
    lines = lab.run("compare", "results/main", "results/branch", columns=200).stdout.splitlines()
    about_go = [line for line in lines if "go of branch against go of main" in line]
    assert len(about_go) == 2
    assert all("no doubts" in line for line in about_go)


def test_of_two_folders_what_is_found_of_an_arm_in_one_alone_is_left_out(lab: Lab) -> None:
    built(lab, "main", {**ARMS, "go-h2": DOUBTED})
    built(lab, "branch", {"go": HEALTHY}, seed=2)
    ended = lab.run("compare", "results/main", "results/branch", "--json")
    assert doubted(json.loads(ended.stdout)["findings"]) == set()
