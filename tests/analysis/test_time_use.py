"""Where the time of a study went: all of it, whatever the runs were."""

from pathlib import Path

from loadstone.analysis.cells.time_use import time_use
from loadstone.report.time_text import time_text
from loadstone.results.environment import Environment
from loadstone.results.read import StoredRun, read_results
from loadstone.results.record import RunRecord
from results_builder import Behaviour, build_results

SECOND_NS = 10**9


def stored(tmp_path: Path, **changes: object) -> StoredRun:
    (first, *_) = read_results(build_results(tmp_path, arms={"go": Behaviour()}, blocks=1)).runs
    assert first.record is not None
    data = {
        **first.record.model_dump(mode="json"),
        "started_at": "2026-01-01T00:00:03.000+00:00",
        "finished_at": "2026-01-01T00:00:15.000+00:00",
        **changes,
    }
    return StoredRun(first.planned, first.directory, RunRecord.model_validate(data))


BEGAN = Environment(began_at="2026-01-01T00:00:00.000+00:00")


def test_the_phases_add_up_to_the_wall_time(tmp_path: Path) -> None:
    run = stored(
        tmp_path,
        phases_ns={"deploy": SECOND_NS // 2, "load": 10 * SECOND_NS + 1, "check": SECOND_NS},
        window={"start_ns": 2 * SECOND_NS, "end_ns": 10 * SECOND_NS, "warm_up": "fixed"},
    )
    assert time_use(BEGAN, [run]) == {
        "measured": 8 * SECOND_NS,
        "preparation": 3 * SECOND_NS,
        "warm-up": 2 * SECOND_NS,
        "check": SECOND_NS,
        "deploy": SECOND_NS // 2,
        "other": SECOND_NS // 2 - 1,
        "load": 1,
    }


def test_a_start_is_measured_until_the_first_correct_response(tmp_path: Path) -> None:
    phases = {"deploy": SECOND_NS, "startup": 11 * SECOND_NS}
    run = stored(tmp_path, kind="startup", window=None, load=None, phases_ns=phases)
    used = time_use(Environment(), [run])
    assert used == {"measured": 11 * SECOND_NS, "deploy": SECOND_NS}


def test_the_time_of_a_run_that_failed_is_told_as_well(tmp_path: Path) -> None:
    run = stored(
        tmp_path, status="failed", window=None, load=None, phases_ns={"startup": 12 * SECOND_NS}
    )
    assert time_use(Environment(), [run]) == {"startup": 12 * SECOND_NS}


def test_pauses_between_runs_count(tmp_path: Path) -> None:
    first = stored(tmp_path / "a", phases_ns={}, window=None)
    second = stored(
        tmp_path / "b",
        phases_ns={},
        window=None,
        started_at="2026-01-01T00:00:20.000+00:00",
        finished_at="2026-01-01T00:00:21.000+00:00",
    )
    assert time_use(BEGAN, [second, first]) == {
        "other": 13 * SECOND_NS,
        "between runs": 5 * SECOND_NS,
        "preparation": 3 * SECOND_NS,
    }


def test_without_a_record_nothing_is_known() -> None:
    assert time_use(BEGAN, []) == {}


def test_the_line_names_what_matters() -> None:
    used = {"measured": 80 * SECOND_NS, "warm-up": 20 * SECOND_NS, "check": SECOND_NS // 10}
    assert time_text(used) == "0:01:40 (h:mm:ss) went into: measured 79.9 %, warm-up 20.0 %"
