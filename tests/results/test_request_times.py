"""Times of single requests: from buckets, from kept requests, of a part, within the window."""

import json
from pathlib import Path

import numpy as np
import pytest

from loadstone.analysis.cells.run_alone import examine_alone
from loadstone.errors import InputError
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results import folder
from loadstone.results.read import read_record
from loadstone.results.record import RunRecord
from loadstone.results.request_times import request_times
from loadstone.results.requests import ROW
from loadstone.results.window import read_windowed_run
from results_builder import Behaviour, build_results

SECOND_NS = 10**9


@pytest.fixture
def run(tmp_path: Path) -> tuple[RunRecord, Path]:
    """Ten seconds of four users, the first two of them warm-up."""
    results = build_results(tmp_path, arms={"go": Behaviour()}, blocks=1)
    (directory,) = (results / folder.RUNS).iterdir()
    return read_record(directory / folder.RECORD), directory


def test_the_log_has_as_many_requests_as_the_figures_and_the_same_median(
    run: tuple[RunRecord, Path],
) -> None:
    record, directory = run
    times = request_times(record, directory)
    windowed = read_windowed_run(record, directory)
    histogram = windowed.histogram(Clock.SERVICE_TIME, ok=True)
    assert len(times.values_ns) == len(times.seconds) == histogram.count
    assert not times.is_exact
    assert times.values_ns.mean() == pytest.approx(histogram.mean_ns())
    median = examine_alone(record, directory).figures["service_time.median"].value
    assert np.median(times.values_ns) == pytest.approx(median, rel=2e-3)


def test_each_request_is_of_a_second_of_window_or_grace(run: tuple[RunRecord, Path]) -> None:
    record, directory = run
    times = request_times(record, directory)
    assert record.window is not None
    assert times.seconds.min() >= record.window.start_ns
    assert 8 <= len(np.unique(times.seconds)) <= 9  # with the grace


def test_a_part_has_its_own_requests_alone(run: tuple[RunRecord, Path]) -> None:
    record, directory = run
    whole = request_times(record, directory)
    assert len(request_times(record, directory, {"echo"}).values_ns) == len(whole.values_ns)
    nothing = request_times(record, directory, {"other"})
    assert (len(nothing.values_ns), len(nothing.seconds)) == (0, 0)


def keep(directory: Path, *requests: tuple[int, int, Outcome]) -> None:
    """Write `requests.bin`: written, done, outcome of each."""
    rows = np.zeros(len(requests), dtype=ROW)
    for row, (written_ns, done_ns, outcome) in zip(rows, requests, strict=True):
        row["written_ns"], row["done_ns"] = written_ns, done_ns
        row["outcome"] = list(Outcome).index(outcome)
    head = {"format": "loadstone requests", "version": 2, "operations": ["echo"], "groups": [""]}
    content = json.dumps(head).encode() + b"\n" + rows.tobytes()
    (directory / folder.REQUESTS).write_bytes(content)


def test_kept_requests_are_exact_and_those_of_window_and_grace(
    run: tuple[RunRecord, Path],
) -> None:
    record, directory = run
    ok = Outcome.OK
    keep(
        directory,
        (1 * SECOND_NS, 1 * SECOND_NS + 5, ok),  # of the warm-up
        (2 * SECOND_NS - 7, 2 * SECOND_NS, ok),
        (3 * SECOND_NS, 3 * SECOND_NS + 11, ok),
        (3 * SECOND_NS, 3 * SECOND_NS + 13, Outcome.STATUS),
        (9 * SECOND_NS, 10 * SECOND_NS + 1, ok),  # of the grace
    )
    times = request_times(record, directory)
    assert times.is_exact
    assert times.values_ns.tolist() == [7, 11, SECOND_NS + 1]
    assert times.seconds.tolist() == [2, 3, 10]
    assert len(request_times(record, directory, {"other"}).values_ns) == 0


def test_behind_a_window_that_the_load_outlasts_nothing_counts(
    run: tuple[RunRecord, Path],
) -> None:
    record, directory = run
    assert record.window is not None
    window = record.window.model_copy(
        update={"end_ns": 4 * SECOND_NS, "late_look_ns": 6 * SECOND_NS}
    )
    keep(
        directory,
        (3 * SECOND_NS, 3 * SECOND_NS + 11, Outcome.OK),
        (5 * SECOND_NS, 5 * SECOND_NS + 11, Outcome.OK),
        (9 * SECOND_NS, 10 * SECOND_NS + 1, Outcome.OK),
    )
    shorter = record.model_copy(update={"window": window})
    assert request_times(shorter, directory).values_ns.tolist() == [11]


def test_a_run_without_a_load_has_no_requests(run: tuple[RunRecord, Path]) -> None:
    record, directory = run
    with pytest.raises(InputError, match="the run is failed and has no requests"):
        request_times(record.model_copy(update={"status": "failed"}), directory)
