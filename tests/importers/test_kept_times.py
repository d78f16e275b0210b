"""The times of a foreign file's single requests, kept while it is imported."""

from pathlib import Path

import k6_files
from k6_files import BEGAN_UNIX_NS, MILLISECOND_NS, SECOND_NS, Sent
from loadstone.importers.import_file import import_file
from loadstone.importers.kept_times import KeptTimes


def kept(directory: Path, *events: Sent) -> KeptTimes:
    times = KeptTimes()
    import_file(
        "k6",
        k6_files.write(directory / "a.csv", events, "unix_milli"),
        directory / "run",
        arrivals=None,
        warm_up_ns=0,
        on_progress=lambda _read, _total: None,
        on_request=times.add,
    )
    return times


def test_they_are_the_durations_of_k6_without_what_was_blocked(tmp_path: Path) -> None:
    events = (
        Sent(1_200 * MILLISECOND_NS, waiting_ns=5_000_007, blocked_ns=3 * MILLISECOND_NS),
        Sent(2_999 * MILLISECOND_NS, waiting_ns=4_000_001, sending_ns=2, receiving_ns=3),
    )
    times = kept(tmp_path, *events).request_times()
    assert times.values_ns.tolist() == [5_000_007, 4_000_006]
    began = BEGAN_UNIX_NS // SECOND_NS
    assert times.seconds.tolist() == [began + 1, began + 2]
    assert times.is_exact


def test_failed_requests_and_those_of_the_setup_are_left_out(tmp_path: Path) -> None:
    events = (
        Sent(1 * SECOND_NS, group="::setup"),
        Sent(2 * SECOND_NS, waiting_ns=7),
        Sent(3 * SECOND_NS, status=500, expected=False),
    )
    assert kept(tmp_path, *events).request_times().values_ns.tolist() == [7]


def test_nothing_is_an_empty_sample() -> None:
    assert len(KeptTimes().request_times().values_ns) == 0
