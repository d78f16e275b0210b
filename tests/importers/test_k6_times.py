"""Each format of k6's timestamps, and how finely it tells them."""

from pathlib import Path

import pytest
from imports import imported

import k6_files
from k6_files import BEGAN_UNIX_NS, SECOND_NS, TIME_FORMATS, Sent
from loadstone.errors import InputError
from loadstone.importers.k6_times import TimeReader
from loadstone.importers.recorder import SLACK_SECONDS

FILE = Path("a.csv")


@pytest.mark.parametrize(
    ("time_format", "resolution_ns", "told_to_ns"),
    [
        ("unix", SECOND_NS, SECOND_NS),
        ("unix_milli", 1_000_000, 1_000_000),
        ("unix_micro", 1_000, 1_000),
        ("unix_nano", 1, 1),
        ("rfc3339", SECOND_NS, SECOND_NS),
        ("rfc3339_nano", 1_000, 1_000),
    ],
)
def test_a_format_is_known_by_its_first_time(
    time_format: str, resolution_ns: int, told_to_ns: int
) -> None:
    at_ns = BEGAN_UNIX_NS + 1_234_567_891
    text = TIME_FORMATS[time_format](at_ns)
    reader = TimeReader(FILE, text, 2)
    assert reader.resolution_ns == resolution_ns
    assert reader.read(text, 2) == at_ns // told_to_ns * told_to_ns


def test_a_time_may_name_its_zone() -> None:
    reader = TimeReader(FILE, "2026-01-01T13:00:00+01:00", 2)
    assert reader.read("2026-01-01T12:00:01Z", 3) == BEGAN_UNIX_NS + SECOND_NS


@pytest.mark.parametrize(
    "text", ["1767268800000", "2026-01-01T12:00:00", "", "-5", "1.5", "1" * 30]
)
def test_a_time_in_another_format_than_the_first_is_refused(text: str) -> None:
    for first in ("1767268800", "2026-01-01T12:00:00Z"):
        reader = TimeReader(FILE, first, 2)
        with pytest.raises(InputError) as caught:
            reader.read(text, 7)
        assert (caught.value.line, caught.value.key) == (7, "timestamp")


def test_times_may_go_back_as_far_as_intervals_are_kept(tmp_path: Path) -> None:
    late = Sent(done_ns=(30 - SLACK_SECONDS) * SECOND_NS)
    usual = [Sent(done_ns=second * SECOND_NS) for second in range(1, 31)]
    run = imported(k6_files.write(tmp_path / "a.csv", [*usual, late]))
    assert [each.ended for each in run.inside][29 - SLACK_SECONDS] == 2
    assert sum(run.outcomes().values()) == 31
    too_late = Sent(done_ns=(29 - SLACK_SECONDS) * SECOND_NS)
    with pytest.raises(InputError, match="goes back by 11 s"):
        imported(k6_files.write(tmp_path / "b.csv", [*usual, too_late]))
