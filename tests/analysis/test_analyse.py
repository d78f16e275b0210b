"""The analysis as a whole: its files, and that they only depend on the records."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from loadstone.analysis.analyse import analyse, write
from loadstone.analysis.model import Analysis
from loadstone.errors import InputError
from loadstone.findings.model import Finding, Severity
from loadstone.metrics.catalogue import METRICS
from loadstone.results import folder
from results_builder import Behaviour, build_results, closed, rate


@pytest.fixture
def results(tmp_path: Path) -> Path:
    arms = {
        "go": Behaviour(),
        "node": Behaviour(failing_share=0.05, failing_blocks=(2,), steal_share=0.3),
    }
    return build_results(tmp_path, arms=arms, workloads=(closed(), rate()), blocks=3)


def test_what_is_written_is_what_was_analysed(results: Path) -> None:
    analysis, findings = write(results)
    text = (results / folder.ANALYSIS).read_text()
    assert Analysis.model_validate_json(text) == analysis
    stored = TypeAdapter(tuple[Finding, ...]).validate_json((results / folder.FINDINGS).read_text())
    assert stored == findings == analyse(results)[1]


def test_writing_again_gives_the_same_bytes(results: Path) -> None:
    write(results)
    names = (folder.ANALYSIS, folder.FINDINGS)
    before = [(results / name).read_bytes() for name in names]
    write(results)
    assert [(results / name).read_bytes() for name in names] == before


def test_the_plan_is_told_in_its_own_order(results: Path) -> None:
    analysis, _ = analyse(results)
    assert [arm.id for arm in analysis.arms] == ["go", "node"]
    assert analysis.workloads == ("closed", "rate")
    assert [(cell.arm, cell.workload) for cell in analysis.cells] == [
        ("go", "closed"),
        ("go", "rate"),
        ("node", "closed"),
        ("node", "rate"),
    ]
    assert analysis.metrics == METRICS
    assert not analysis.simulated


def test_the_gravest_findings_come_first(results: Path) -> None:
    order = (Severity.WITHHOLD, Severity.WARNING, Severity.NOTE)
    positions = [order.index(finding.severity) for finding in analyse(results)[1]]
    assert positions == sorted(positions)
    assert len(set(positions)) == 3


def test_a_record_of_a_fake_makes_the_whole_study_simulated(results: Path) -> None:
    path = next(results.glob("runs/*-go-rate")) / folder.RECORD
    content = json.loads(path.read_text())
    content["load"]["simulated"] = True
    path.write_text(json.dumps(content))
    assert analyse(results)[0].simulated


def test_a_completed_run_without_its_files_is_an_error_with_the_path(results: Path) -> None:
    path = next(results.glob("runs/*-go-rate")) / folder.TIMELINE
    path.unlink()
    with pytest.raises(InputError, match=r"go-rate/timeline\.ndjson: the timeline is missing"):
        analyse(results)
