"""The shares of several engines, added up: what one engine would have written of the same requests."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadstone.metrics.outcomes import Clock, Outcome
from loadstone.results import folder
from loadstone.results.engine_summary import EngineSummary
from loadstone.results.histogram_log import Key, read_histograms
from loadstone.results.histograms import Histogram
from loadstone.results.load_facts import StopFacts
from loadstone.results.payloads import Layout, decode, open_payload
from loadstone.results.shares.histogram_log import _payload, quantile_ns
from loadstone.results.shares.merge import merge_shares
from loadstone.results.timeline import read_timeline
from loadstone.results.users import UserColumns, read_users
from loadstone.simulate.arrivals import SECOND_NS
from loadstone.simulate.behaviour import Behaviour
from loadstone.simulate.engine_files import ONE_USER, write_operations
from loadstone.simulate.requests import Requests
from loadstone.simulate.summary import engine_summary
from simulated_load import closed

GRACE_NS = SECOND_NS
STARTED_UNIX_NS = 1_767_268_800 * SECOND_NS


def requests_of(seed: int, count: int, load_ns: int) -> Requests:
    """Requests all over a load and its grace, a tenth of them failed."""
    rng = np.random.default_rng(seed)
    intended = rng.integers(0, load_ns, count)
    written = intended + rng.integers(0, 2_000_000, count)
    done = np.minimum(written + rng.integers(10_000, 300_000_000, count), load_ns + GRACE_NS - 1)
    outcome = np.where(rng.random(count) < 0.1, Outcome.STATUS, Outcome.OK)
    requests = Requests(intended, written, done, outcome.astype(str), np.zeros_like(done))
    return requests.where(np.argsort(done, kind="stable"))


def written(
    directory: Path, requests: Requests, load_ns: int, reason: str = "duration"
) -> EngineSummary:
    directory.mkdir(parents=True)
    write_operations(directory, {"get": requests}, load_ns, GRACE_NS)
    (directory / folder.SAMPLES).write_text(f'{{"of": "{directory.name}"}}\n')
    stop = StopFacts(reason=reason, at_ns=load_ns, users=1)  # type: ignore[arg-type]
    return engine_summary(
        closed(), Behaviour(), {"get": requests}, ONE_USER, stop, started_unix_ns=STARTED_UNIX_NS
    )


def shared(directory: Path, requests: Requests, of: int, load_ns: int) -> EngineSummary:
    """Deal requests to engines, and merge what these write."""
    count = len(requests.done_ns)
    shares = []
    for index in range(of):
        own = directory / str(index)
        share = requests.where(np.arange(count) % of == index)
        shares.append((written(own, share, load_ns), own))
    together = directory / "together"
    together.mkdir()
    return merge_shares(shares, together, started_unix_ns=STARTED_UNIX_NS + 7)


def histograms_in(directory: Path) -> dict[Key, Histogram]:
    """Of requests: those that write a share here open a connection of their own each."""
    found = read_histograms(directory / folder.HISTOGRAMS, lambda _start, _end: True)
    return {key: histogram for key, histogram in found.items() if key.operation}


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 99), of=st.integers(1, 16), seconds=st.integers(1, 4))
def test_the_shares_of_a_load_are_the_load(
    seed: int, of: int, seconds: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    directory, load_ns = tmp_path_factory.mktemp("shares"), seconds * SECOND_NS
    requests = requests_of(seed, 400, load_ns)
    whole = written(directory / "whole", requests, load_ns)
    merged = shared(directory / "shares", requests, of, load_ns)
    together = directory / "shares" / "together"
    assert merged.outcomes == whole.outcomes
    assert merged.started_unix_ns == STARTED_UNIX_NS + 7
    assert (merged.load_ns, merged.grace_ns) == (whole.load_ns, whole.grace_ns)
    ours, theirs = merged.operations["get"], whole.operations["get"]
    assert (ours.offered, ours.bytes_sent) == (theirs.offered, theirs.bytes_sent)
    for clock in Clock:
        own, other = ours.clocks[clock].ok, theirs.clocks[clock].ok
        assert own is not None
        assert other is not None
        assert (own.count, own.min_ns, own.max_ns) == (other.count, other.min_ns, other.max_ns)
        assert own.mean_ns == pytest.approx(other.mean_ns)
    found, expected = histograms_in(together), histograms_in(directory / "whole")
    assert found.keys() == expected.keys()
    for key, histogram in found.items():
        assert histogram.recorded[0].tolist() == expected[key].recorded[0].tolist()
        assert histogram.recorded[1].tolist() == expected[key].recorded[1].tolist()
    intervals = read_timeline(together / folder.TIMELINE)
    of_whole = read_timeline(directory / "whole" / folder.TIMELINE)
    spans = [(each.start_ns, each.end_ns, each.grace) for each in intervals]
    assert spans == [(each.start_ns, each.end_ns, each.grace) for each in of_whole]
    for interval, of_one in zip(intervals, of_whole, strict=True):
        here, there = interval.operations["get"], of_one.operations["get"]
        assert here.outcomes == there.outcomes
        times, of_other = here.response_time, there.response_time
        assert (times.ok is None) == (of_other.ok is None)
        if times.ok is not None and of_other.ok is not None:
            assert times.ok.count == of_other.ok.count
            assert times.ok.mean_ns == pytest.approx(of_other.ok.mean_ns)
            assert times.ok.max_ns == of_other.ok.max_ns


def test_files_of_one_engine_are_kept_as_they_are(tmp_path: Path) -> None:
    requests = requests_of(1, 100, SECOND_NS)
    merged = shared(tmp_path, requests, 1, SECOND_NS)
    for name in (folder.HISTOGRAMS, folder.TIMELINE, folder.SAMPLES):
        assert (tmp_path / "together" / name).read_bytes() == (tmp_path / "0" / name).read_bytes()
    assert merged.not_accepted is None, "nobody sees the accept queue of another machine"


def test_samples_of_all_engines_are_kept(tmp_path: Path) -> None:
    shared(tmp_path, requests_of(1, 100, SECOND_NS), 3, SECOND_NS)
    lines = (tmp_path / "together" / folder.SAMPLES).read_text().splitlines()
    assert lines == [f'{{"of": "{index}"}}' for index in range(3)]


def test_an_engine_that_a_rule_stopped_says_why_all_stopped(tmp_path: Path) -> None:
    """The other one was told to a little later, and its last interval is the longer one."""
    first_ns, second_ns = 2 * SECOND_NS, 2 * SECOND_NS + 5_000_000
    shares = [
        (
            written(tmp_path / "b", requests_of(1, 90, second_ns), second_ns, "signal"),
            tmp_path / "b",
        ),
        (
            written(tmp_path / "a", requests_of(2, 90, first_ns), first_ns, "failures"),
            tmp_path / "a",
        ),
    ]
    together = tmp_path / "together"
    together.mkdir()
    merged = merge_shares(shares, together, started_unix_ns=0)
    assert (merged.stop.reason, merged.stop.at_ns) == ("failures", second_ns)
    load = [each for each in read_timeline(together / folder.TIMELINE) if not each.grace]
    assert [(each.start_ns, each.end_ns) for each in load] == [
        (0, SECOND_NS),
        (SECOND_NS, 2 * SECOND_NS),
        (2 * SECOND_NS, second_ns),
    ]
    counted = sum(each.ended for each in read_timeline(together / folder.TIMELINE))
    assert counted == sum(merged.outcomes.values()) == 180


def users(*numbers: int, every: int = 1) -> UserColumns:
    count = len(numbers)
    return UserColumns(
        from_ns=0,
        every=every,
        groups=("callers",),
        group=(0,) * count,
        user=numbers,
        first_ns=numbers,
        answers=numbers,
        mean_ns=tuple(map(float, numbers)),
        max_ns=numbers,
        log2_mean=tuple(map(float, numbers)),
        log2_variance=(0.0,) * count,
    )


def test_users_of_all_engines_are_told_in_their_order(tmp_path: Path) -> None:
    shares = []
    for name, told in (("a", users(1, 3, 5)), ("b", users(2, 4))):
        summary = written(tmp_path / name, requests_of(1, 20, SECOND_NS), SECOND_NS)
        (tmp_path / name / folder.USERS).write_text(told.model_dump_json())
        shares.append((summary, tmp_path / name))
    together = tmp_path / "together"
    together.mkdir()
    merged = merge_shares(shares, together, started_unix_ns=0)
    found = read_users(together / folder.USERS)
    assert found is not None
    assert (found.user, found.answers) == ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5))
    assert merged.by_user is not None
    assert (merged.by_user.users, merged.by_user.answered) == (5, 5)
    spread = merged.by_user.answers
    assert (spread.min, spread.median, spread.p95, spread.max) == (1, 3, 5, 5)


@given(
    counts=st.dictionaries(st.integers(0, 3000), st.integers(1, 2**40), min_size=1, max_size=50),
)
def test_a_payload_is_read_as_it_was_written(counts: dict[int, int]) -> None:
    filled = np.zeros(max(counts) + 1, dtype=np.int64)
    for bucket, count in counts.items():
        filled[bucket] = count
    histogram = Histogram(filled, *Layout(unit_magnitude=9, half_magnitude=10))
    payload = open_payload(_payload(histogram))
    assert payload.layout == histogram.layout
    decoded = decode([payload])
    assert dict(zip(decoded.buckets.tolist(), decoded.counts.tolist(), strict=True)) == counts


def test_a_quantile_is_the_highest_value_of_its_bucket() -> None:
    histogram = Histogram(np.array([0, 1, 2, 1]), 0, 10)
    assert [quantile_ns(histogram, each) for each in (0.0, 0.25, 0.26, 0.75, 0.76, 1.0)] == [
        1,
        1,
        2,
        2,
        3,
        3,
    ]
