"""What is imported of a CSV is what its requests were, computed by other means."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imports import imported

import k6_files
from k6_files import BEGAN_UNIX_NS, MILLISECOND_NS, SECOND_NS, TIME_FORMATS, Sent, Told
from loadstone.analysis.cells.run import examine_run
from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results.window import WindowedRun

HOUR_NS = 3_600 * SECOND_NS
part = st.one_of(st.just(0), st.integers(1, 40 * MILLISECOND_NS), st.integers(1, 20 * SECOND_NS))
requests = st.lists(
    st.builds(
        Sent,
        done_ns=st.integers(60 * SECOND_NS, 90 * SECOND_NS),
        waiting_ns=part,
        blocked_ns=part,
        sending_ns=part,
        receiving_ns=part,
        name=st.sampled_from(["facilities", "https://host/a,b c?x=1", "Größe", "x/y/ok"]),
        expected=st.booleans(),
    ),
    min_size=1,
    max_size=60,
)


def bucket_tops(values_ns: np.ndarray) -> np.ndarray:
    """The highest value of each one's bucket: three significant digits, 512 ns at least."""
    bits = np.floor(np.log2(np.maximum(values_ns, 1))).astype(np.int64) + 1
    width = 2 ** np.maximum(bits - 11, 9)
    return values_ns // width * width + width - 1


@given(
    events=requests,
    order=st.randoms(use_true_random=False),
    time_format=st.sampled_from([*TIME_FORMATS]),
)
@settings(max_examples=60)
def test_counts_sums_and_quantiles_are_those_of_the_requests(
    events: list[Sent], order: object, time_format: str
) -> None:
    order.shuffle(events)  # users' requests are interleaved as it happens
    events.sort(key=lambda each: each.done_ns // (10 * SECOND_NS))
    with TemporaryDirectory() as directory:
        run = imported(k6_files.write(Path(directory) / "a.csv.gz", events, time_format))
        assert_is(run, events)


def assert_is(run: WindowedRun, events: list[Sent]) -> None:
    assert sum(run.record.outcomes.values()) == len(events)
    ended = [*run.inside, *run.grace]
    assert sum(each.ended for each in ended) == len(events)
    names = Counter(each.name for each in events)
    assert sorted(names.values()) == sorted(
        sum(facts.outcomes.values()) for facts in run.record.operations.values()
    )
    clocks = {
        Clock.RESPONSE_TIME: [each.response_ns for each in events],
        Clock.SERVICE_TIME: [each.service_ns for each in events],
        Clock.FIRST_BYTE: [each.sending_ns + each.waiting_ns for each in events],
    }
    expected = np.array([bool(each.expected) for each in events])
    for clock, values in clocks.items():
        for ok in (True, False):
            wanted = np.array(values)[expected == ok]
            splits = [facts.clocks[clock] for facts in run.record.operations.values()]
            parts = [part for split in splits if (part := split.ok if ok else split.failed)]
            assert sum(part.count for part in parts) == wanted.size
            total = sum(part.count * part.mean_ns for part in parts)
            assert total == pytest.approx(wanted.sum(), abs=1e-3 * max(wanted.size, 1), rel=1e-12)
            if wanted.size:
                assert min(part.min_ns for part in parts) == wanted.min()
                assert max(part.max_ns for part in parts) == wanted.max()
            found, counts = run.histogram(clock, ok=ok).recorded
            np.testing.assert_array_equal(np.repeat(found, counts), np.sort(bucket_tops(wanted)))


def test_figures_are_those_of_numpy_on_the_same_requests(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    waiting = np.rint(20e6 * np.exp(0.5 * rng.standard_normal(4_000))).astype(np.int64)
    done = np.sort(rng.integers(SECOND_NS, 40 * SECOND_NS, 4_000))
    events = [
        Sent(done_ns=at, waiting_ns=took, blocked_ns=took // 10)
        for at, took in zip(done.tolist(), waiting.tolist(), strict=True)
    ]
    run = imported(k6_files.write(tmp_path / "a.csv", events, "unix_nano"))
    figures = examine_run(run.record, run.directory).figures
    response = bucket_tops(waiting + waiting // 10)
    for name, quantile in (("median", 0.5), ("p99", 0.99), ("p99.9", 0.999)):
        wanted = np.quantile(response, quantile, method="inverted_cdf")
        assert figures[f"response_time.{name}"].value == wanted
    service = np.quantile(bucket_tops(waiting), 0.99, method="inverted_cdf")
    assert figures["service_time.p99"].value == service
    begins = done - (waiting + waiting // 10)
    length_ns = max(done.max(), begins.max()) - begins.min()
    assert figures["throughput"].value == pytest.approx(4_000 / length_ns * 1e9, rel=1e-6)
    assert run.load.started_unix_ns == pytest.approx(BEGAN_UNIX_NS + begins.min(), abs=1_000)


def test_a_request_that_ends_long_after_the_last_began_is_in_grace(tmp_path: Path) -> None:
    quick = [Sent(done_ns=second * SECOND_NS + SECOND_NS // 2) for second in range(1, 21)]
    straggler = Sent(done_ns=50 * SECOND_NS, waiting_ns=35 * SECOND_NS)
    for time_format in ("unix", "unix_milli"):
        path = k6_files.write(tmp_path / f"{time_format}.csv", [*quick, straggler], time_format)
        run = imported(path)
        assert run.load.load_ns <= 20 * SECOND_NS
        assert [each.ended for each in run.grace] == [1]
        assert run.load.load_ns + run.load.grace_ns == run.grace[0].end_ns
        assert run.histogram(Clock.RESPONSE_TIME, ok=True).count == 21


def test_seconds_without_a_request_are_part_of_the_load(tmp_path: Path) -> None:
    done = [1, 2, 9]
    run = imported(k6_files.write(tmp_path / "a.csv", [Sent(done_ns=s * SECOND_NS) for s in done]))
    assert [each.ended for each in run.inside] == [1, 1, 0, 0, 0, 0, 0, 0, 1]
    assert run.load.load_ns == 9 * SECOND_NS


def test_users_are_those_that_k6_told_last_and_at_first_those_it_told_first(tmp_path: Path) -> None:
    users = [Told("vus", second * SECOND_NS, count) for second, count in ((2, 5), (3, 7), (6, 4))]
    sent = [Sent(done_ns=second * SECOND_NS + 5) for second in range(1, 8)]
    run = imported(k6_files.write(tmp_path / "a.csv", k6_files.in_order([*users, *sent])))
    assert [each.users for each in run.inside] == [5, 5, 7, 7, 7, 4, 4]
    assert run.load.users == 7


def test_the_pause_is_what_iterations_took_beside_their_requests(tmp_path: Path) -> None:
    events = [
        Sent(done_ns=SECOND_NS, waiting_ns=30 * MILLISECOND_NS, blocked_ns=20 * MILLISECOND_NS),
        Sent(done_ns=2 * SECOND_NS, waiting_ns=50 * MILLISECOND_NS),
        Told("iteration_duration", 2 * SECOND_NS, 1_100.0),
        Told("iteration_duration", 3 * SECOND_NS, 5.0, {"group": "::teardown"}),
    ]
    iterations = imported(k6_files.write(tmp_path / "a.csv", events)).record.iterations
    assert iterations is not None
    assert (iterations.count, iterations.mean_ns) == (1, 1_100 * MILLISECOND_NS)
    assert iterations.pause_mean_ns == 500 * MILLISECOND_NS


def test_requests_that_overlap_leave_no_pause_to_be_told(tmp_path: Path) -> None:
    batch = [Sent(done_ns=SECOND_NS, waiting_ns=900 * MILLISECOND_NS)] * 3
    events = [*batch, Told("iteration_duration", SECOND_NS, 1_000.0)]
    record = imported(k6_files.write(tmp_path / "a.csv", events)).record
    assert record.iterations is not None
    assert record.iterations.pause_mean_ns is None
    assert "overlapped" in record.source.absent["pause"]


def test_requests_of_setup_and_teardown_are_no_load(tmp_path: Path) -> None:
    login = Sent(done_ns=SECOND_NS, waiting_ns=SECOND_NS, group="::setup", name="login")
    events = [login, *(Sent(done_ns=second * SECOND_NS) for second in (5, 6))]
    record = imported(k6_files.write(tmp_path / "a.csv", events)).record
    assert list(record.operations) == ["facilities"]
    assert "1 requests of k6's setup" in record.source.absent["setup"]


def test_what_k6_does_not_tell_is_absent_with_the_reason(tmp_path: Path) -> None:
    run = imported(k6_files.write(tmp_path / "a.csv", k6_files.closed_load(seconds=5)))
    load, interval = run.load, run.timeline[0]
    absent = (load.engine, load.stop, load.connections, load.streams, load.protocol, load.redirects)
    assert set(absent) == {None}
    told = (
        interval.in_flight,
        interval.cpu_ns,
        interval.limited_by,
        interval.connect,
        interval.tls,
    )
    assert set(told) == {None}
    operation = interval.operations["facilities"]
    assert {operation.lag, operation.engine_lag, operation.bytes_sent} == {None}
    assert Outcome.UNANSWERED not in run.record.outcomes
    assert Clock.LAG not in run.record.operations["facilities"].clocks
    figures = examine_run(run.record, run.directory).figures
    assert figures["connect.median"].reason == run.record.source.absent["connections"]
    assert figures["cpu_per_ok"].reason == run.record.source.absent["service"]
    assert figures["startup"].state == "not measured"
    assert set(run.record.source.absent) >= {"unanswered", "due", "generator", "version", "plan"}


def test_a_warm_up_is_left_out_of_the_window(tmp_path: Path) -> None:
    path = k6_files.write(tmp_path / "a.csv", k6_files.closed_load(seconds=10))
    run = imported(path, warm_up_ns=3 * SECOND_NS)
    assert (run.window.start_ns, run.window.warm_up) == (3 * SECOND_NS, "fixed")
    assert len(run.inside) == len(run.timeline) - 3


def test_the_digest_is_of_the_file_as_it_is(tmp_path: Path) -> None:
    import hashlib

    path = k6_files.write(tmp_path / "a.csv.gz", [Sent(done_ns=SECOND_NS)])
    source = imported(path).record.source
    assert source is not None
    assert source.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (source.tool, source.version, source.file) == ("k6", None, "a.csv.gz")
