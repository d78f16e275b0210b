"""The real `compare` of two results folders: what is refused, what is told, and what the gate says."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from lab import CHECKOUT, Ended, Lab

from results_builder import Behaviour, build_results, closed, rate

HEALTHY = Behaviour()
SLOWER = Behaviour(median_ms=26)
ENVIRONMENT: dict[str, Any] = {
    "machine": {"cpu_model": "Example CPU 3000", "cpus": 2, "kernel": "6.1.0"},
    "versions": {"loadstone": "0.1.0", "loadstone-engine": "0.1.0", "go": "1.22"},
    "code": {"system mediation": "ab" * 32, "stack go": "cd" * 32},
    "service_cpus": [1],
    "bench_cpus": [0],
    "commit": "one",
}


def built(lab: Lab, name: str, arms: Mapping[str, Behaviour], **options: Any) -> Path:
    options.setdefault("environment", ENVIRONMENT)
    options.setdefault("metrics", ("response_time.median",))
    return build_results(lab.root / "results", arms=arms, name=name, **options)


def compared(lab: Lab, *options: str) -> Ended:
    return lab.run("compare", "results/main", "results/branch", *options)


def test_an_arm_that_became_slower_fails_the_gate_and_the_last_line_says_so(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY, "old": HEALTHY})
    built(lab, "branch", {"go": SLOWER, "new": HEALTHY}, seed=2)
    ended = compared(lab)
    assert ended.code == 1
    assert re.search(r"SLOWER +go of branch against go of main · 1\.3", ended.stdout)
    assert "6 runs each" in ended.stdout
    assert "block" not in ended.stdout
    assert "warning: different days are not blocks" in ended.stderr
    assert "not compared, for they are in results/main alone: old" in ended.stderr
    assert "not compared, for they are in results/branch alone: new" in ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last == ("exit code 1: worse than the baseline: go of branch (response_time.median)")


def test_runs_of_two_folders_are_never_paired(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY})
    built(lab, "branch", {"go": HEALTHY}, seed=2)
    found = json.loads(compared(lab, "--json").stdout)
    assert [each["method"] for each in found["comparisons"]] == ["Welch on logarithms"]


def test_the_other_way_round_the_same_folders_pass_with_the_inverse(lab: Lab) -> None:
    built(lab, "main", {"go": SLOWER})
    built(lab, "branch", {"go": HEALTHY}, seed=2)
    ended = compared(lab, "--json")
    assert ended.code == 0
    (faster,) = json.loads(ended.stdout)["comparisons"]
    back = lab.run("compare", "results/branch", "results/main", "--json")
    (slower,) = json.loads(back.stdout)["comparisons"]
    assert faster["estimate"] * slower["estimate"] == pytest.approx(1)
    assert faster["low"] * slower["high"] == pytest.approx(1)
    assert (faster["words"], slower["words"]) == ("faster", "slower")
    assert faster["superiority"]["probability"] == 1 - slower["superiority"]["probability"]


def test_what_cannot_be_told_passes_with_a_line(lab: Lab) -> None:
    noisy = Behaviour(run_spread=0.2)
    built(lab, "main", {"go": noisy})
    built(lab, "branch", {"go": noisy}, seed=2)
    ended = compared(lab)
    assert ended.code == 0
    assert "CANNOT TELL" in ended.stdout
    assert re.search(r"would find \d+ %", ended.stdout)
    assert ended.stderr.splitlines()[-1] == (
        "exit code 0: no arm is told to be worse than the baseline; of 1 comparison it cannot be told"
    )


def test_a_withheld_figure_fails_the_gate_only_where_it_is_compared(lab: Lab) -> None:
    broken = Behaviour(failing_share=0.3)
    built(lab, "main", {"go": HEALTHY, "other": broken})
    built(lab, "branch", {"go": HEALTHY}, seed=2)
    assert compared(lab).code == 0
    built(lab, "again", {"go": broken}, seed=3)
    ended = lab.run("compare", "results/main", "results/again")
    assert ended.code == 1
    assert "exit code 1: withheld: response_time.median of go of again" in ended.stderr


def test_a_change_that_does_not_start_fails_the_gate(lab: Lab) -> None:
    dead = Behaviour(failing_blocks=(1, 2, 3))
    built(lab, "main", {"go": HEALTHY}, blocks=3)
    built(lab, "branch", {"go": dead}, blocks=3, seed=2)
    ended = compared(lab)
    assert ended.code == 1
    assert ended.stderr.splitlines()[-1] == (
        "exit code 1: no run was completed: go of branch under closed"
    )
    assert "CANNOT TELL" in ended.stdout


def changed(part: str, **facts: object) -> dict[str, Any]:
    return ENVIRONMENT | {part: ENVIRONMENT[part] | facts}


def test_a_fact_that_must_match_and_does_not_is_refused_with_both_values(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY})
    built(
        lab,
        "branch",
        {"go": HEALTHY},
        workloads=(closed(seconds=5),),
        environment=changed("machine", cpu_model="Other"),
    )
    ended = compared(lab)
    assert ended.code == 2
    assert ended.stdout == ""
    assert ended.told == (
        "error: results/branch: cannot be compared with results/main, because these facts must match "
        "and do not:\n"
        "  workload closed, duration_ns: 10000000000 and 5000000000\n"
        "  cpu_model: Example CPU 3000 and Other\n"
        "hint: measure one of them again under the conditions of the other\n"
    )


def test_what_the_comparison_is_about_may_differ_and_is_told(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY})
    other = changed("machine", kernel="6.2.0") | {
        "code": ENVIRONMENT["code"] | {"stack go": "ef" * 32},
        "commit": "two",
        "versions": ENVIRONMENT["versions"] | {"go": "1.23"},
    }
    built(lab, "branch", {"go": HEALTHY}, seed=2, environment=other, blocks=5)
    ended = compared(lab)
    assert ended.code == 0
    for told in (
        "differs: kernel: 6.1.0 and 6.2.0",
        "differs: version of go: 1.22 and 1.23",
        "differs: code of stack go: cdcd",
        "differs: commit: one and two",
        "differs: blocks: 6 and 5",
    ):
        assert f"warning: {told}" in ended.stderr
    assert "6 and 5 runs" in ended.stdout


def test_one_arm_in_each_folder_is_compared_whatever_it_is_called(lab: Lab) -> None:
    built(lab, "main", {"old": HEALTHY})
    built(lab, "branch", {"new": SLOWER}, seed=2)
    assert "new of branch against old of main" in compared(lab).stdout


def test_of_two_folders_no_arm_is_the_baseline(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY}, blocks=1)
    built(lab, "branch", {"go": HEALTHY}, blocks=1)
    ended = compared(lab, "--baseline", "go")
    assert (ended.code, "of two the first is the baseline" in ended.stderr) == (2, True)


def test_folders_of_one_name_are_told_apart_by_their_paths(lab: Lab) -> None:
    for parent in ("one", "two"):
        build_results(lab.root / parent, arms={"go": HEALTHY}, name="same", environment=ENVIRONMENT)
    ended = lab.run("compare", "one/same", "two/same")
    assert "go of two/same against go of one/same" in ended.stdout


def test_findings_of_a_compared_arm_are_its_doubts_and_those_of_others_are_not(lab: Lab) -> None:
    stalled = Behaviour(steal_share=0.2)
    built(lab, "main", {"go": HEALTHY, "other": stalled})
    built(lab, "branch", {"go": stalled}, seed=2)
    found = json.loads(compared(lab, "--json").stdout)
    scopes = [each["scope"] for each in found["findings"] if each["scope"].startswith("run:")]
    assert scopes
    assert all(scope.endswith("-go of branch-closed") for scope in scopes)
    assert "no doubts" not in compared(lab).stdout


def test_a_metric_of_ones_own_choice_is_compared_under_the_shared_workloads(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY}, workloads=(closed(), rate()))
    built(lab, "branch", {"go": HEALTHY}, workloads=(rate(),), seed=2)
    found = json.loads(compared(lab, "--metric", "cpu_per_ok", "--json").stdout)
    assert [(each["metric"], each["workload"]) for each in found["comparisons"]] == [
        ("cpu_per_ok", "rate")
    ]


def test_the_stricter_level_of_the_two_studies_holds_and_both_designs_are_told(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY}, looks=(6, 12, 24))
    built(lab, "branch", {"go": HEALTHY}, order="as-listed", seed=2)
    found = json.loads(compared(lab, "--json").stdout)
    assert [each["level"] for each in found["comparisons"]] == pytest.approx([1 - 0.05 / 3])
    stdout = " ".join(compared(lab).stdout.split())
    assert "results/main: Adaptive:" in stdout
    assert "results/branch: Order as listed" in stdout


def test_the_json_is_what_its_schema_says(lab: Lab) -> None:
    built(lab, "main", {"go": HEALTHY, "node": SLOWER, "rust": HEALTHY})
    built(lab, "branch", {"go": HEALTHY}, seed=2)
    schema = json.loads((CHECKOUT / "schemas" / "compared.schema.json").read_text())
    for words in (("results/main", "results/branch"), ("results/main",)):
        ended = lab.run("compare", *words, "--json")
        found = json.loads(ended.stdout)
        jsonschema.validate(found, schema)
        assert len(found["designs"]) == len(words)
    assert [each["workload"] for each in found["rankings"]] == ["closed"]
