"""Sums of what engines counted and timed. What one of them does not tell is told by none."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from loadstone.results.clock_facts import ClockSplit, ClockSummary, LagPart
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts

Key = TypeVar("Key", bound=str)
Number = TypeVar("Number", int, float)


def counts(parts: Iterable[Mapping[Key, int]]) -> dict[Key, int]:
    """Return how many of each all parts have together, zeros that any of them tells among them."""
    summed: dict[Key, int] = {}
    for part in parts:
        for key, count in part.items():
            summed[key] = summed.get(key, 0) + count
    return summed


def total(parts: Iterable[Number | None]) -> Number | None:
    """Return the sum; none where a part is not told."""
    known = list(parts)
    told = [each for each in known if each is not None]
    return sum(told) if len(told) == len(known) else None


def clocks(parts: Sequence[ClockSplit]) -> ClockSplit:
    """Return one clock over all requests: counts, extremes and means, all of them exact."""
    return ClockSplit(
        ok=_clock([each.ok for each in parts]), failed=_clock([each.failed for each in parts])
    )


def _clock(parts: Sequence[ClockSummary | None]) -> ClockSummary | None:
    told = [each for each in parts if each is not None]
    if not told:
        return None
    count = sum(each.count for each in told)
    return ClockSummary(
        count=count,
        min_ns=min(each.min_ns for each in told),
        mean_ns=mean_ns([(each.count, each.mean_ns) for each in told]),
        max_ns=max(each.max_ns for each in told),
    )


def mean_ns(parts: Sequence[tuple[int, float]]) -> float:
    """Return the mean of all values, from how many there are in each part, and their mean."""
    return sum(count * mean for count, mean in parts) / sum(count for count, _ in parts)


def lag_causes(parts: Iterable[Mapping[Key, LagPart]]) -> dict[Key, LagPart]:
    """Return what each cause adds to the lag of all requests."""
    summed: dict[Key, LagPart] = {}
    for part in parts:
        for cause, lag in part.items():
            before = summed.get(cause)
            summed[cause] = (
                lag
                if before is None
                else LagPart(
                    count=before.count + lag.count,
                    sum_ns=before.sum_ns + lag.sum_ns,
                    max_ns=max(before.max_ns, lag.max_ns),
                )
            )
    return summed


def waits(parts: Sequence[WaitFacts | None]) -> WaitFacts | None:
    """Return how long all threads waited for a CPU; none where a part does not tell."""
    told = [each for each in parts if each is not None]
    if len(told) < len(parts):
        return None
    return WaitFacts(
        waited_ns=sum(each.waited_ns for each in told),
        long_waits=sum(each.long_waits for each in told),
        long_waited_ns=sum(each.long_waited_ns for each in told),
    )


def throttled(parts: Sequence[ThrottledFacts | None]) -> ThrottledFacts | None:
    """Return what quotas kept from running; none where no engine has one."""
    told = [each for each in parts if each is not None]
    if not told:
        return None
    return ThrottledFacts(
        periods=sum(each.periods for each in told),
        throttled_ns=sum(each.throttled_ns for each in told),
    )


def in_order(parts: Iterable[Iterable[Key]]) -> list[Key]:
    """Return every name that a part has, in the order in which they come first."""
    return list(dict.fromkeys(name for part in parts for name in part))


def most_common(names: Iterable[Key]) -> Key:
    """Return what most parts say, of equally many the first."""
    return Counter(names).most_common(1)[0][0]
