"""The rule on arms with another mix of operations, on both sides of its thresholds."""

import dataclasses
from pathlib import Path

import pytest
from group_changes import group_facts

from loadstone.analysis.cells.examine import examine
from loadstone.audit.study.symmetry_mix import mix_differs
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.outcomes import Outcome
from loadstone.results import folder
from loadstone.results.read import StoredRun, read_results
from loadstone.results.record import RunRecord
from results_builder import Behaviour, build_results


def mixed(record: RunRecord, shares: tuple[float, ...], requests: int, sessions: int) -> RunRecord:
    """The record with so many operations, each with its share of the requests."""
    assert record.load is not None
    (facts,) = record.operations.values()
    operations = {
        f"step-{at}": facts.model_copy(update={"outcomes": {Outcome.OK: round(share * requests)}})
        for at, share in enumerate(shares)
    }
    load = record.load.model_copy(update={"groups": {"bookers": group_facts(sessions)}})
    return record.model_copy(update={"operations": operations, "load": load})


def told(
    directory: Path,
    shares: dict[str, tuple[float, ...]],
    requests: int = 100_000,
    sessions: int = 50_000,
) -> list[Finding]:
    results = build_results(directory, arms=dict.fromkeys(shares, Behaviour()), blocks=1)
    runs: list[StoredRun] = []
    for stored in read_results(results).runs:
        assert stored.record is not None
        record = mixed(stored.record, shares[stored.planned.arm], requests, sessions)
        runs.append(dataclasses.replace(stored, record=record))
    return list(mix_differs(runs))


@pytest.mark.parametrize(
    ("share", "severity"),
    [
        (0.5, None),
        (0.509, None),
        (0.511, Severity.WARNING),
        (0.549, Severity.WARNING),
        (0.551, Severity.WITHHOLD),
    ],
)
def test_one_point_apart_is_told_and_five_withhold(
    tmp_path: Path, share: float, severity: Severity | None
) -> None:
    found = told(tmp_path, {"go": (0.5, 0.5), "node": (share, 1 - share)})
    assert [each.severity for each in found] == ([] if severity is None else [severity])
    assert all(each.subject.arm == "node" and each.subject.over_all for each in found)


def test_the_odd_one_out_of_three_is_told_wherever_it_stands(tmp_path: Path) -> None:
    usual, odd = (0.5, 0.5), (0.6, 0.4)
    for arm in ("go", "node", "rust"):
        shares = dict.fromkeys(("go", "node", "rust"), usual) | {arm: odd}
        found = told(tmp_path / arm, shares)
        assert [each.subject.arm for each in found] == [arm]


def test_what_drawn_steps_explain_is_not_told(tmp_path: Path) -> None:
    shares = {"go": (0.8, 0.2), "node": (0.82, 0.18)}
    assert not told(tmp_path / "few", shares, requests=2_000, sessions=400)
    assert told(tmp_path / "many", shares, requests=200_000, sessions=40_000)


def test_of_one_operation_there_is_no_mix(tmp_path: Path) -> None:
    assert not told(tmp_path, {"go": (1.0,), "node": (1.0,)})


def test_it_withholds_the_figures_over_all_and_no_others(tmp_path: Path) -> None:
    results = build_results(tmp_path, arms={"go": Behaviour(), "node": Behaviour()}, blocks=2)
    for path in results.glob(f"runs/*/{folder.RECORD}"):
        record = RunRecord.model_validate_json(path.read_text())
        (facts,) = record.operations.values()
        extra = 10**6 if record.run.arm == "node" else 0
        other = facts.model_copy(
            update={"outcomes": {Outcome.OK: extra}, "group": "raters", "operation": "rate"}
        )
        changed = record.model_copy(update={"operations": {"echo": facts, "rate": other}})
        path.write_text(changed.model_dump_json())
    cell = examine(results).cells["node", "closed"].cell
    over_all, (echo, _) = cell.by_metric["response_time.median"], cell.operations
    assert "mix-differs" in over_all.reason
    assert "mix-differs" not in echo.by_metric["response_time.median"].reason
