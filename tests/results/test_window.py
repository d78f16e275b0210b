from pathlib import Path

import pytest

from loadstone.errors import InputError
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results import folder
from loadstone.results.parts import Part
from loadstone.results.read import read_record
from loadstone.results.record import RunRecord, Window
from loadstone.results.window import WindowedRun, read_windowed_run
from results_builder import Behaviour, build_results, closed, rate

SECOND_NS = 1_000_000_000


def built(directory: Path, behaviour: Behaviour | None = None, **workload: int) -> Path:
    results = build_results(
        directory,
        arms={"go": behaviour or Behaviour()},
        workloads=(rate(100, seconds=4, **workload),),
        blocks=1,
    )
    return next((results / folder.RUNS).iterdir())


def windowed(run: Path, window: Window | None = None) -> WindowedRun:
    record = read_record(run / folder.RECORD)
    if window is not None:
        record = record.model_copy(update={"window": window})
    return read_windowed_run(record, run)


def test_the_grace_period_belongs_to_the_counts_and_not_to_the_rate(tmp_path: Path) -> None:
    # 100 a second for 4 s, each in 30 ms: three of the last second end after the stop.
    run = windowed(built(tmp_path, Behaviour(median_ms=30, spread=0, run_spread=0, lag_ms=0)))
    assert run.outcomes()[Outcome.OK] == run.ok_inside() + 3
    assert [interval.start_ns for interval in run.inside] == [2 * SECOND_NS, 3 * SECOND_NS]
    assert len(run.grace) == 1


def test_histograms_hold_exactly_the_requests_of_window_and_grace(tmp_path: Path) -> None:
    run = windowed(built(tmp_path, Behaviour(failing_share=0.1)))
    outcomes = run.outcomes()
    for clock in Clock:
        assert run.histogram(clock, ok=True).count == outcomes[Outcome.OK]
        assert run.histogram(clock, ok=False).count == outcomes[Outcome.STATUS] > 0


def test_an_interval_that_is_partly_outside_the_window_does_not_count(tmp_path: Path) -> None:
    half = Window(start_ns=SECOND_NS + SECOND_NS // 2, end_ns=4 * SECOND_NS, warm_up="fixed")
    run = windowed(built(tmp_path), half)
    assert run.inside_ns == 2 * SECOND_NS
    assert run.histogram(Clock.LAG, ok=True).count == run.outcomes()[Outcome.OK]


def test_an_operation_that_nobody_asked_for_has_no_request(tmp_path: Path) -> None:
    run = windowed(built(tmp_path))
    assert sum(run.outcomes(Part.operation("other")).values()) == 0
    assert run.histogram(Clock.LAG, ok=True, part=Part.operation("other")).count == 0
    assert run.outcomes(Part.operation("echo")) == run.outcomes()


def test_the_service_is_found_by_its_role(tmp_path: Path) -> None:
    run = windowed(built(tmp_path))
    assert run.service is not None
    assert run.service.name == "gateway"
    assert run.service_resources is not None


def test_a_failed_run_has_no_window(tmp_path: Path) -> None:
    results = build_results(
        tmp_path,
        arms={"go": Behaviour(failing_blocks=(1,))},
        workloads=(closed(2, seconds=3),),
        blocks=1,
    )
    run = next((results / folder.RUNS).iterdir())
    record: RunRecord = read_record(run / folder.RECORD)
    with pytest.raises(InputError, match="failed and has no window"):
        read_windowed_run(record, run)


def test_what_ended_between_the_window_and_the_stop_does_not_count(tmp_path: Path) -> None:
    early = Window(start_ns=SECOND_NS, end_ns=3 * SECOND_NS, warm_up="fixed")
    run = windowed(built(tmp_path), early)
    assert [interval.start_ns for interval in run.inside] == [SECOND_NS, 2 * SECOND_NS]
    assert run.histogram(Clock.LAG, ok=True).count == run.outcomes()[Outcome.OK] < 210
