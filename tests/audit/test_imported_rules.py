"""Rules over runs of another tool, and over users whose pauses set the throughput."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import k6_files
from k6_files import SECOND_NS, Sent, Told
from loadstone.audit.figures.pinned_throughput import pinned_throughput
from loadstone.audit.rules import audit_run
from loadstone.findings.model import Finding, Severity
from loadstone.importers.import_file import import_file
from loadstone.importers.interface import Arrivals
from loadstone.results.window import read_windowed_run
from observed import observed
from results_builder import Behaviour, closed, rate

HEALTHY_CODES = {"pinned-throughput", "coarse-times"}
"""What may be said of a healthy load of k6."""


MOST_REQUESTS = 1_000
"""Of one load, so that the test takes seconds."""


def codes(
    events: list[Sent | Told], time_format: str = "unix", arrivals: Arrivals | None = None
) -> dict[str, Finding]:
    """The findings of an imported load."""
    with TemporaryDirectory() as directory:
        path = k6_files.write(Path(directory) / "a.csv", events, time_format)
        record = import_file(
            "k6",
            path,
            Path(directory) / "run",
            arrivals=arrivals,
            warm_up_ns=0,
            on_progress=lambda _read, _total: None,
        )
        found = audit_run(read_windowed_run(record, Path(directory) / "run"))
    return {each.code: each for each in found}


@given(
    users=st.integers(1, 30),
    seconds=st.integers(10, 60),
    response_ms=st.floats(1, 3_000),
    pause_ms=st.one_of(st.just(0.0), st.floats(1, 5_000)),
    spread=st.floats(0, 1),
    requests_per_iteration=st.integers(1, 4),
    interrupted=st.booleans(),
    time_format=st.sampled_from(["unix", "unix_milli", "rfc3339_nano"]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(
    max_examples=50, derandomize=True
)  # the bound is three standard errors: not for every draw
def test_a_healthy_closed_load_is_never_withheld(time_format: str, **load: object) -> None:
    cycle_ms = load["response_ms"] + load["pause_ms"]
    requests = load["users"] * load["seconds"] * 1_000 / cycle_ms
    if requests > MOST_REQUESTS:
        load["response_ms"] += cycle_ms * (requests / MOST_REQUESTS - 1)
    found = codes(k6_files.closed_load(**load), time_format)
    assert "littles-law" not in found
    assert all(each.severity is not Severity.WITHHOLD for each in found.values())


@given(
    hung=st.integers(3, 9),
    pause_ms=st.sampled_from([0.0, 100.0, 980.0]),
    requests_per_iteration=st.integers(1, 3),
    interrupted=st.booleans(),
    time_format=st.sampled_from(["unix", "unix_milli"]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=30)
def test_three_of_ten_users_that_hang_are_always_found(time_format: str, **load: object) -> None:
    found = codes(k6_files.closed_load(users=10, seconds=30, **load), time_format)
    assert found["littles-law"].severity is Severity.WITHHOLD
    assert f"{10} users, but X (R + Z)" in found["littles-law"].evidence


def test_users_who_come_one_after_another_are_accounted_for() -> None:
    """A ramp of k6: each user from its own second on."""
    events = []
    for second in range(20):
        user = k6_files.closed_load(users=1, seconds=40 - second, seed=second)
        moved = [each for each in user if getattr(each, "metric", "") != "vus"]
        events += [later(each, second * SECOND_NS) for each in moved]
        events.append(Told("vus", second * SECOND_NS, second + 1))
    events += [Told("vus", second * SECOND_NS, 20) for second in range(20, 40)]
    assert set(codes(k6_files.in_order(events))) <= HEALTHY_CODES


def later(event: Sent | Told, by_ns: int) -> Sent | Told:
    if isinstance(event, Sent):
        return Sent(done_ns=event.done_ns + by_ns, waiting_ns=event.waiting_ns)
    return Told(event.metric, event.at_ns + by_ns, event.value)


OPEN = [
    each
    for second in range(80)
    for each in (
        *(Sent(done_ns=second * SECOND_NS + n * 10_000_000) for n in range(100)),
        *(Told("iteration_duration", second * SECOND_NS, 5.0) for _ in range(100)),
        Told("vus", second * SECOND_NS, 50),
    )
]
"""A rate of 100 iterations a second of 5 ms each, and a pool of 50 users that is hardly used."""


def test_a_rate_is_no_closed_load_once_that_is_said() -> None:
    assert "littles-law" in codes(OPEN)
    assert "import it with --arrivals rate" in codes(OPEN)["littles-law"].advice
    assert codes(OPEN, arrivals="rate") == {}


def dropped_at(second: int) -> list[Sent | Told]:
    return k6_files.in_order([*OPEN, Told("dropped_iterations", second * SECOND_NS, 120.0)])


def test_iterations_that_were_dropped_in_mid_load_show_a_rate_that_was_not_achieved() -> None:
    found = codes(dropped_at(40))
    assert set(found) == {"rate-not-achieved"}
    assert "8000 of 8120 sessions were begun" in found["rate-not-achieved"].evidence
    assert "littles-law" in codes(
        dropped_at(79)
    )  # executors that count iterations drop at their end


def test_without_iterations_nothing_is_said_of_users() -> None:
    events = k6_files.closed_load(hung=5)
    requests = [each for each in events if getattr(each, "metric", "") != "iteration_duration"]
    assert set(codes(requests)) == {"coarse-times"}


@pytest.mark.parametrize(("changed", "severity"), [(5, Severity.WARNING), (30, Severity.WITHHOLD)])
def test_durations_that_contradict_their_parts_are_found(changed: int, severity: Severity) -> None:
    events = k6_files.closed_load(users=20, seconds=50, spread=0.0)
    sent = [each for each in events if isinstance(each, Sent)]
    others = [each for each in events if isinstance(each, Told)]
    replaced = [
        Sent(done_ns=each.done_ns, waiting_ns=each.waiting_ns, duration_ns=3_000_000)
        for each in sent[:changed]
    ]
    found = codes(k6_files.in_order([*replaced, *sent[changed:], *others]))
    assert found["contradicting-times"].severity is severity
    assert f"in {changed} of 1,000 requests" in found["contradicting-times"].evidence
    assert "throughput" not in found["contradicting-times"].metrics


def test_checks_that_failed_are_a_warning_with_the_worst_of_them() -> None:
    checks = [
        Told("checks", SECOND_NS, held, {"check": name})
        for name, held in (("is json", 0.0), ("is fast", 0.0), ("is fast", 0.0), ("is fast", 1.0))
    ]
    found = codes(k6_files.in_order([*k6_files.closed_load(), *checks]))["failed-checks"]
    assert found.severity is Severity.WARNING
    assert "k6's check 'is fast' failed 2 of 3 times, and 1 others" in found.evidence


@pytest.mark.parametrize(
    ("seconds", "time_format", "told"),
    [(30, "unix", True), (70, "unix", False), (10, "unix_milli", False)],
)
def test_a_load_too_short_for_its_clock_is_told(seconds: int, time_format: str, told: bool) -> None:
    found = codes(k6_files.closed_load(seconds=seconds), time_format)
    assert ("coarse-times" in found) is told


@pytest.mark.parametrize(
    ("think_ms", "pinned"),
    [(0, False), (100, False), (300, False), (400, True), (1_000, True)],
)
def test_users_of_our_own_are_pinned_from_the_margin_on(
    tmp_path: Path, think_ms: int, pinned: bool
) -> None:
    """A mean response time of about 21 ms: half of it is 3 % of R + Z at a pause of 340 ms."""
    run = observed(tmp_path, workload=closed(20, think_ms=think_ms))
    found = list(pinned_throughput(run))
    assert [each.code for each in found] == ["pinned-throughput"] * pinned
    assert all(each.severity is Severity.WARNING for each in found)
    assert all(each.metrics == ("throughput",) for each in found)


def test_a_rate_is_never_pinned(tmp_path: Path) -> None:
    assert list(pinned_throughput(observed(tmp_path, Behaviour(), rate(5)))) == []
