import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from large_study.write import write_study
from loadstone.analysis.analyse import analyse
from loadstone.analysis.cells import cell_cache
from loadstone.analysis.cells.parallel_cells import CellTask
from loadstone.analysis.model import ApdexThresholds
from loadstone.report.tables.csv_tables import render_tables
from loadstone.results import folder

ARMS, BLOCKS = 3, 2


@pytest.fixture(autouse=True)
def _kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cell_cache, "FEWEST_RUNS", 1)


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arms that were examined, and not kept."""
    arms: list[str] = []
    examine_cells = cell_cache.examine_cells

    def watched(tasks: Sequence[CellTask], on_read: cell_cache.OnRead) -> object:
        arms.extend(task.stored[0].planned.arm for task in tasks)
        return examine_cells(tasks, on_read)

    monkeypatch.setattr(cell_cache, "examine_cells", watched)
    return arms


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study", arms=ARMS, blocks=BLOCKS, seconds=6, processes=1)


def told(study: Path, apdex: ApdexThresholds | None = None) -> tuple[str, str, dict[str, str]]:
    analysis, findings = analyse(study, apdex) if apdex else analyse(study)
    texts = "\n".join(finding.model_dump_json() for finding in findings)
    return analysis.model_dump_json(), texts, render_tables(analysis, findings)


def test_what_is_kept_is_told_word_for_word(study: Path, examined: list[str]) -> None:
    first = told(study)
    assert len(examined) == ARMS
    assert told(study) == first
    assert len(examined) == ARMS


def test_one_changed_record_is_examined_anew(study: Path, examined: list[str]) -> None:
    before = told(study)
    record = next(study.glob(f"{folder.RUNS}/001-*/{folder.RECORD}"))
    content = json.loads(record.read_text())
    content["resources"]["gateway"]["rss_peak_bytes"] *= 2
    record.write_text(json.dumps(content))
    examined.clear()
    after = told(study)
    assert examined == [content["run"]["arm"]]
    assert after != before


def test_changed_rules_find_nothing_kept(
    study: Path, examined: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(study)
    monkeypatch.setattr(cell_cache, "rules_digest", lambda: "other rules")
    told(study)
    assert len(examined) == 2 * ARMS


def test_other_thresholds_of_apdex_find_nothing_kept(study: Path, examined: list[str]) -> None:
    usual = told(study)
    strict = ApdexThresholds(satisfied_ns=1_000, tolerated_ns=2_000)
    assert told(study, strict) != usual
    assert len(examined) == 2 * ARMS


def test_broken_entries_are_examined_anew(study: Path, examined: list[str], tmp_path: Path) -> None:
    first = told(study)
    for entry in (tmp_path / "cache").rglob("*"):
        if entry.is_file():
            entry.write_bytes(entry.read_bytes()[:-5])
    assert told(study) == first
    assert len(examined) == 2 * ARMS


def test_runs_are_counted_whether_kept_or_read(study: Path) -> None:
    told(study)
    seen: list[tuple[int, int]] = []
    analyse(study, on_read=lambda read, runs: seen.append((read, runs)))
    assert seen == [(ARMS * BLOCKS, ARMS * BLOCKS)]


def test_a_small_study_is_never_kept(
    study: Path, examined: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_cache, "FEWEST_RUNS", ARMS * BLOCKS + 1)
    told(study)
    told(study)
    assert len(examined) == 2 * ARMS
