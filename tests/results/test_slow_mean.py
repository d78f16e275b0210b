"""The moment from which the mean of the last answers was above a limit."""

from hypothesis import given
from hypothesis import strategies as st

from loadstone.metrics.outcomes import Outcome
from loadstone.results.slow_mean import slow_from_ns
from loadstone.results.timeline import (
    OperationInterval,
    TimelineInterval,
    TimeSplit,
    TimeSummary,
)

SECOND_NS = 10**9
Answers = tuple[int, int]
"""How many of a second ended ok, and their mean in ms."""


def interval(number: int, answers: Answers, *, grace: bool = False) -> TimelineInterval:
    count, mean_ms = answers
    mean_ns = mean_ms * 10**6
    ok = TimeSummary(count=count, mean_ns=mean_ns, p50_ns=mean_ns, p99_ns=mean_ns, max_ns=mean_ns)
    times = TimeSplit(ok=ok if count else None)
    blank = TimeSplit()
    return TimelineInterval(
        start_ns=number * SECOND_NS,
        end_ns=(number + 1) * SECOND_NS,
        grace=grace,
        in_flight=0,
        connections=1,
        users=1,
        cpu_ns=0,
        longest_stall_ns=0,
        limited_by=(),
        connect=blank,
        tls=blank,
        operations={
            "echo": OperationInterval(
                outcomes={Outcome.OK: count},
                bytes_sent=0,
                bytes_received=0,
                response_time=times,
                service_time=times,
                lag=blank,
                first_byte=blank,
                engine_lag=blank,
                lag_causes={},
            )
        },
        groups={},
    )


def timeline(*seconds: Answers) -> list[TimelineInterval]:
    return [interval(number, answers) for number, answers in enumerate(seconds)]


def test_it_is_the_end_of_the_first_while_that_is_too_slow() -> None:
    found = slow_from_ns(timeline((10, 100), (10, 100), (10, 9_000), (10, 9_000)), 3 * SECOND_NS)
    assert found == 3 * SECOND_NS


def test_a_short_peak_is_no_slow_while() -> None:
    assert slow_from_ns(timeline((90, 100), (10, 9_000), (90, 100)), 3 * SECOND_NS) is None


def test_the_limit_itself_is_not_above_it() -> None:
    assert slow_from_ns(timeline((5, 3_000), (5, 3_000)), 3 * SECOND_NS) is None


def test_seconds_without_an_answer_tell_nothing() -> None:
    assert slow_from_ns(timeline((0, 0), (0, 0)), SECOND_NS) is None
    assert slow_from_ns([], SECOND_NS) is None


def test_the_grace_period_does_not_count() -> None:
    load = [interval(0, (1, 100)), interval(1, (1, 60_000), grace=True)]
    assert slow_from_ns(load, SECOND_NS) is None


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9_000)), min_size=1, max_size=20),
    st.integers(1, 5),
)
def test_it_is_what_looking_at_each_second_finds(seconds: list[Answers], limit: int) -> None:
    found = None
    for end in range(1, len(seconds) + 1):
        last = seconds[max(0, end - limit) : end]
        count = sum(each for each, _ in last)
        if count and sum(each * mean for each, mean in last) > limit * 1_000 * count:
            found = end * SECOND_NS
            break
    assert slow_from_ns(timeline(*seconds), limit * SECOND_NS) == found
