"""What a closed user does in turn: it waits for an answer (R), then it pauses (Z)."""

from typing import NamedTuple

from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun

SECOND_NS = 1_000_000_000


class Cycle(NamedTuple):
    """Of all closed users, over the intervals that were wholly under load."""

    completed: int
    """Requests that ended."""
    response_ns: float
    """R: their mean response time."""
    pause_ns: float
    """Z: the mean pause for each; planned, or of another tool's users observed."""
    length_ns: int
    """Of the intervals together."""

    @property
    def mean_ns(self) -> float:
        """R + Z."""
        return self.response_ns + self.pause_ns

    @property
    def response_share(self) -> float:
        """R / (R + Z)."""
        return self.response_ns / self.mean_ns if self.mean_ns else 0.0


def wholly_loaded(run: WindowedRun) -> tuple[TimelineInterval, ...]:
    """The window's intervals without those that were under load for an unknown part only.

    Where times are told to the second, the load began and ended somewhere within a second.
    """
    source = run.record.source
    if source is None or source.time_resolution_ns < SECOND_NS:
        return run.inside
    return tuple(
        each for each in run.inside if each.start_ns > 0 and each.end_ns < run.load.load_ns
    )


def cycle(run: WindowedRun) -> Cycle | None:
    """The cycle of closed users; none for a rate, without a request, or where a pause is not known."""
    intervals = wholly_loaded(run)
    splits = [seen.response_time for each in intervals for seen in each.operations.values()]
    pause_ns = _pause_ns(run)
    # Another tool tells no time of some failures: they are in its pause.
    ended = sum(each.ended for each in intervals)
    completed = ended if run.record.source else sum(split.count() for split in splits)
    if run.load.arrivals != "users" or pause_ns is None or not intervals:
        return None
    return Cycle(
        completed=completed,
        response_ns=sum(split.sum_ns() for split in splits) / completed if completed else 0.0,
        pause_ns=pause_ns,
        length_ns=sum(each.length_ns for each in intervals),
    )


def _pause_ns(run: WindowedRun) -> float | None:
    record = run.record
    if record.source is None:
        return record.think.mean_ns if record.think else 0.0
    return None if record.iterations is None else record.iterations.pause_mean_ns
