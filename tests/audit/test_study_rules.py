"""Rules over all runs of a study, and over a comparison."""

import dataclasses
from pathlib import Path

import pytest

from loadstone.analysis.analyse import analyse
from loadstone.audit.rules import audit_study, audit_warm_ups
from loadstone.audit.study.cross_check import cross_check
from loadstone.audit.warmth.model import Warmth
from loadstone.findings.model import Finding, Severity
from loadstone.results.read import read_results
from loadstone.results.record import RunRecord
from results_builder import QUESTION, Behaviour, build_results, closed, rate

SHORT = closed(2, seconds=3, warm_up=1)


def audited(directory: Path, behaviour: Behaviour, blocks: int) -> list[Finding]:
    results = build_results(directory, arms={"go": behaviour}, workloads=(SHORT,), blocks=blocks)
    return list(audit_study(read_results(results).runs))


def of(findings: list[Finding], code: str) -> list[Finding]:
    return [finding for finding in findings if finding.code == code]


@pytest.mark.parametrize(
    ("blocks", "tells"),
    [(1, "can tell anything"), (2, "can tell anything"), (3, "only large"), (5, "only large")],
)
def test_fewer_than_six_runs_are_a_warning(tmp_path: Path, blocks: int, tells: str) -> None:
    (finding,) = of(audited(tmp_path, Behaviour(), blocks), "too-few-runs")
    assert finding.severity == Severity.WARNING
    assert finding.scope == "arm:go/closed"
    assert tells in finding.evidence
    assert finding.advice == "plan at least 6 blocks"


def test_six_runs_are_enough(tmp_path: Path) -> None:
    assert of(audited(tmp_path, Behaviour(), 6), "too-few-runs") == []


def test_failed_and_missing_runs_are_told_with_their_reason(tmp_path: Path) -> None:
    findings = audited(tmp_path, Behaviour(failing_blocks=(2,), missing_blocks=(4,)), 6)
    failed, missing = of(findings, "failed-run")
    assert failed.scope == "run:002-go-closed"
    assert "start-up: it exited with 3" in failed.evidence
    assert "logs" in failed.advice
    assert "run: not done" in missing.evidence
    assert "--resume" in missing.advice
    (too_few,) = of(findings, "too-few-runs")
    assert "4 completed of 6 planned" in too_few.evidence
    assert "find out why runs failed" in too_few.advice


def test_a_fixed_warm_up_is_noted_once_for_each_workload(tmp_path: Path) -> None:
    arms = {"go": Behaviour(), "node": Behaviour(), "spring": Behaviour()}
    results = build_results(tmp_path, arms=arms, workloads=(SHORT, rate(50, seconds=3)), blocks=2)
    warmth: dict[tuple[str, str], Warmth] = {
        ("go", "closed"): "level",
        ("node", "closed"): "still warming",
        ("spring", "closed"): "level",
    }
    notes = of(list(audit_warm_ups(read_results(results).runs, warmth)), "fixed-warm-up")
    notes.sort(key=lambda note: note.evidence)
    assert [note.evidence for note in notes] == [
        "the warm-up of closed was set to 1.00 s, not watched; by their seconds level: go, spring; "
        "still warming: node",
        "the warm-up of rate was set to 2.00 s, not watched; by their seconds not judged: go, node, "
        "spring",
    ]
    assert {note.severity for note in notes} == {Severity.NOTE}
    assert {note.scope for note in notes} == {"study"}


@pytest.mark.parametrize(
    ("node_compiles", "told"), [(False, []), (True, ["level: node"]), (None, ["level: node"])]
)
def test_a_fixed_warm_up_is_not_noted_of_what_never_compiles(
    tmp_path: Path, node_compiles: bool | None, told: list[str]
) -> None:
    arms = {"go": Behaviour(), "node": Behaviour()}
    results = build_results(tmp_path, arms=arms, workloads=(SHORT,), blocks=1)
    compiles = {"go": False, "node": node_compiles}
    runs = [
        dataclasses.replace(run, record=compiling(run.record, compiles[run.planned.arm]))
        for run in read_results(results).runs
    ]
    warmth: dict[tuple[str, str], Warmth] = {("node", "closed"): "level"}
    notes = audit_warm_ups(runs, warmth)
    assert [note.evidence.partition("by their seconds ")[2] for note in notes] == told


def compiling(record: RunRecord | None, compiles: bool | None) -> RunRecord:
    assert record is not None
    processes = tuple(
        each.model_copy(update={"compiles": compiles}) if each.role == "service" else each
        for each in record.processes
    )
    return record.model_copy(update={"processes": processes})


def checked(p_value: float, second_p_value: float) -> list[Finding]:
    return list(
        cross_check(
            "which?",
            "node and go under closed",
            "throughput",
            method="Welch",
            p_value=p_value,
            second_method="Brunner-Munzel",
            second_p_value=second_p_value,
            alpha=0.025,
        )
    )


@pytest.mark.parametrize(("first", "second"), [(0.01, 0.02), (0.03, 0.5), (0.025, 0.025)])
def test_two_tests_that_agree_find_nothing(first: float, second: float) -> None:
    assert checked(first, second) == []


@pytest.mark.parametrize(("first", "second"), [(0.01, 0.03), (0.03, 0.01)])
def test_two_tests_that_contradict_each_other_are_told(first: float, second: float) -> None:
    (finding,) = checked(first, second)
    assert (finding.code, finding.severity) == ("cross-check", Severity.WARNING)
    assert finding.scope == "comparison:which?"
    assert finding.metrics == ("throughput",)
    assert f"p = {first:.2g} by Welch, but {second:.2g} by Brunner-Munzel" in finding.evidence


def test_an_outlier_that_hides_a_difference_is_found_by_the_cross_check(tmp_path: Path) -> None:
    # All six blocks favour the same arm, one of them by a hundred times as much: no difference by
    # t, 2 of 64 sign patterns by permutation.
    results = build_results(
        tmp_path,
        arms={"go": Behaviour(run_spread=0), "node": Behaviour(median_ms=20.3, run_spread=0)},
        workloads=(SHORT,),
        block_spread=0,
        metrics=("startup",),
    )
    for index, path in enumerate(sorted(results.glob("runs/*-node-closed/run.json"))):
        startup = 51_000_000 if index else 100_000_000
        text = path.read_text().replace("50000000", str(startup))
        path.write_text(text)
    analysis, findings = analyse(results)
    (comparison,) = analysis.comparisons
    assert comparison.p_value is not None
    assert comparison.p_value > 0.05
    (finding,) = [each for each in findings if each.code == "cross-check"]
    assert "0.031 by sign-flip permutation" in finding.evidence
    assert finding.scope == f"comparison:{QUESTION}"


def test_the_permutation_of_five_blocks_cannot_contradict(tmp_path: Path) -> None:
    # Its smallest p value, 2 of 32, is above 0.05: it would contradict every difference.
    results = build_results(
        tmp_path,
        arms={"go": Behaviour(), "node": Behaviour(startup_ms=100)},
        workloads=(SHORT,),
        blocks=5,
        metrics=("startup",),
    )
    analysis, findings = analyse(results)
    assert analysis.comparisons[0].words == "slower"
    assert not [each for each in findings if each.code == "cross-check"]
