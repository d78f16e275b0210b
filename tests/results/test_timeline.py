from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.metrics.outcomes import LagCause, LimitCause, Outcome
from loadstone.results import folder
from loadstone.results.timeline import read_timeline
from loadstone.simulate.arrivals import NEVER_NS, Stay
from loadstone.simulate.engine_files import write_operations
from loadstone.simulate.intervals import Intervals
from loadstone.simulate.requests import Requests

SECOND_NS = 1_000_000_000


def written(directory: Path) -> Path:
    done = np.array([500, 600, 1500, 2100]) * 1_000_000
    outcome = np.array([Outcome.OK, Outcome.STATUS, Outcome.OK, Outcome.OK], dtype=object)
    waited = np.full_like(done, 400_000)
    requests = Requests(done - 3_000_000, done - 2_000_000, done, outcome, waited)
    write_operations(directory, {"echo": requests}, 2 * SECOND_NS, SECOND_NS)
    return directory / folder.TIMELINE


def test_requests_are_counted_where_they_ended(tmp_path: Path) -> None:
    intervals = read_timeline(written(tmp_path))
    assert [(each.ok, each.ended, each.grace) for each in intervals] == [
        (1, 2, False),
        (1, 1, False),
        (1, 1, True),
    ]


def test_times_of_ok_and_failed_add_up(tmp_path: Path) -> None:
    split = read_timeline(written(tmp_path))[0].operations["echo"].response_time
    assert split.count() == 2
    assert split.sum_ns() == 6_000_000


def test_what_kept_requests_waiting_adds_up_to_the_lag(tmp_path: Path) -> None:
    interval = read_timeline(written(tmp_path))[0]
    seen = interval.operations["echo"]
    assert sum(part.sum_ns for part in seen.lag_causes.values()) == seen.lag.sum_ns() == 2_000_000
    assert seen.lag_causes[LagCause.NO_CONNECTION].sum_ns == 800_000
    assert seen.engine_lag.sum_ns() == 1_200_000


def test_users_connections_and_limits_are_read(tmp_path: Path) -> None:
    done = np.array([500, 1500]) * 1_000_000
    requests = Requests(done, done, done, np.full(2, Outcome.OK, dtype=object), np.zeros_like(done))
    beside = Intervals(
        connections=3,
        stays=(Stay(0, NEVER_NS), Stay(SECOND_NS + 1, NEVER_NS)),
        limits=((LimitCause.STALL, 1),),
        stall_ns=7,
    )
    write_operations(tmp_path, {"echo": requests}, 2 * SECOND_NS, SECOND_NS, beside)
    first, second = read_timeline(tmp_path / folder.TIMELINE)
    assert (first.users, second.users) == (1, 2)
    assert (first.connect.count(), second.connect.count()) == (3, 0)
    assert (first.limited_by, second.limited_by) == ((), (LimitCause.STALL,))
    assert second.longest_stall_ns == 7


@given(cut=st.floats(0, 1))
@settings(max_examples=50)
def test_a_last_line_that_is_cut_anywhere_is_left_out(
    cut: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = written(tmp_path_factory.mktemp("run"))
    *whole, last = path.read_text().splitlines(keepends=True)
    path.write_text("".join(whole) + last[: int(cut * (len(last) - 2))])
    assert len(read_timeline(path)) == 2


def test_a_broken_line_before_the_last_is_an_error_with_its_number(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0][:-5], *lines[1:]]))
    with pytest.raises(InputError, match=r"timeline\.ndjson:1"):
        read_timeline(path)


def test_an_unknown_key_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace('"in_flight"', '"in_fligt"'))
    with pytest.raises(InputError, match="in_fl"):
        read_timeline(path)


def test_a_missing_timeline_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"timeline\.ndjson: the timeline is missing"):
        read_timeline(tmp_path / folder.TIMELINE)
