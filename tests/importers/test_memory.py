"""A file may be of any length: what is kept of it does not grow with it."""

import tracemalloc
from pathlib import Path

import k6_files
from k6_files import MILLISECOND_NS, SECOND_NS, Sent, Told
from loadstone.importers.import_file import import_file


def peak_bytes(directory: Path, seconds: int) -> int:
    """The most memory that importing a load of so many seconds takes."""
    events = [
        each
        for second in range(1, seconds + 1)
        for each in (
            Told("vus", second * SECOND_NS, 2),
            *(Sent(second * SECOND_NS, waiting_ns=n * MILLISECOND_NS) for n in range(5, 25)),
            Told("iteration_duration", second * SECOND_NS, 100.0),
            Told("checks", second * SECOND_NS, 1.0, {"check": "is ok"}),
        )
    ]
    path = k6_files.write(directory / f"{seconds}.csv.gz", events)
    del events
    tracemalloc.start()
    try:
        record = import_file(
            "k6",
            path,
            directory / str(seconds),
            arrivals=None,
            warm_up_ns=0,
            on_progress=lambda _read, _total: None,
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert record.load is not None
    assert record.load.load_ns == seconds * SECOND_NS
    return peak


def test_a_file_five_times_as_long_takes_no_more_memory(tmp_path: Path) -> None:
    peak_bytes(tmp_path, 20)  # what is loaded on first use is kept
    # Histograms that were written wait for Python's collector: after 150 s or so they go as they come.
    short, long = peak_bytes(tmp_path, 200), peak_bytes(tmp_path, 1000)
    assert long < 1.2 * short
