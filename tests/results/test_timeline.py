from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.results.outcomes import Outcome
from loadstone.results.timeline import read_timeline
from run_files import Requests, write

SECOND_NS = 1_000_000_000


def written(directory: Path) -> Path:
    done = np.array([500, 600, 1500, 2100]) * 1_000_000
    outcome = np.array([Outcome.OK, Outcome.STATUS, Outcome.OK, Outcome.OK], dtype=object)
    requests = Requests(done - 3_000_000, done - 2_000_000, done, outcome)
    write(directory, "echo", requests, 2 * SECOND_NS, SECOND_NS)
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
