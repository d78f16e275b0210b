"""Tables that grow under a load, and whether it costs the database anything."""

import dataclasses

import numpy as np
import polars as pl
import pytest
from changes import with_process
from warming_series import Series, noisy

from loadstone.audit.rules import audit_cell
from loadstone.audit.warmth.loaded_cell import LoadedCell
from loadstone.findings.model import Finding, Severity
from loadstone.results.database_work import DatabaseWork
from loadstone.results.window import WindowedRun
from warming_runs import Load, template, warming_run

WARM_UP, WINDOW = 10, 20
SECONDS = np.arange(WARM_UP + WINDOW) + 0.5
WORK = DatabaseWork(**dict.fromkeys(DatabaseWork.model_fields, 1))
ROWS = 10_000


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> WindowedRun:
    return template(tmp_path_factory.mktemp("plain"))


def rising(share: float) -> Series:
    """A cost that is higher by this share at the end of the window than at its begin."""
    return np.log1p(share) * (SECONDS - WARM_UP) / WINDOW


def cell(plain: WindowedRun, truth: Series, *, added: int, runs: int = 6) -> LoadedCell:
    """Runs whose database has this course, and so many rows more behind the load."""

    def run(block: int) -> WindowedRun:
        made = warming_run(plain, noisy(truth, block), Load(warm_up=WARM_UP), block)
        assert made.ticks is not None
        of_database = made.ticks.with_columns(pl.lit("backend").alias("name"))
        told = {"rows_before": {"a.b": ROWS}, "rows_after": {"a.b": ROWS + added}}
        behind = with_process(made, "backend", database_work=WORK, kind="postgres", **told)
        behind.__dict__["ticks"] = of_database
        return behind

    return LoadedCell("go", "closed", [run(block) for block in range(1, runs + 1)])


def found_in(cell: LoadedCell) -> list[Finding]:
    return [each for each in audit_cell(cell) if each.code == "growing-tables"]


def test_a_cost_that_rises_while_tables_grow_is_told(plain: WindowedRun) -> None:
    (finding,) = found_in(cell(plain, rising(0.2), added=3_000))
    assert finding.severity == Severity.WARNING
    assert "the tables went from 10,000 to 13,000 rows (median of the runs)" in finding.evidence
    assert " more CPU time" in finding.evidence
    assert finding.scope == "arm:go/closed"


def test_a_cost_that_falls_is_told_as_such(plain: WindowedRun) -> None:
    (finding,) = found_in(cell(plain, rising(-0.2), added=3_000))
    assert " less CPU time" in finding.evidence


@pytest.mark.parametrize("added", [-3_000, 0, 99])
def test_of_tables_that_hardly_grew_nothing_is_told(plain: WindowedRun, added: int) -> None:
    assert found_in(cell(plain, rising(0.2), added=added)) == []


@pytest.mark.parametrize("share", [0.0, 0.02])
def test_a_cost_that_stays_is_no_doubt(plain: WindowedRun, share: float) -> None:
    assert found_in(cell(plain, rising(share), added=3_000)) == []


def test_too_few_runs_tell_nothing(plain: WindowedRun) -> None:
    assert found_in(cell(plain, rising(0.2), added=3_000, runs=2)) == []


def test_a_database_without_counted_rows_tells_nothing(plain: WindowedRun) -> None:
    grown = cell(plain, rising(0.2), added=3_000)
    uncounted = [
        _with_ticks_of(run, with_process(run, "backend", rows_after=None)) for run in grown.runs
    ]
    assert found_in(dataclasses.replace(grown, runs=uncounted)) == []


def _with_ticks_of(run: WindowedRun, changed: WindowedRun) -> WindowedRun:
    changed.__dict__["ticks"] = run.ticks
    return changed
