"""What a closed user does in turn: it waits for an answer (R), then it pauses (Z).

Users of one group do the same work, those of several do not: of them each group has a cycle of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from loadstone.metrics.outcomes import Outcome
from loadstone.results.group_facts import GroupFacts
from loadstone.results.parts import Part
from loadstone.results.timeline import TimelineInterval, TimeSplit
from loadstone.results.window import WindowedRun

SECOND_NS = 1_000_000_000


class Cycle(NamedTuple):
    """Of closed users, over the intervals that were wholly under load."""

    completed: int
    """Requests that ended."""
    response_ns: float
    """R: their mean response time."""
    pause_ns: float
    """Z: the mean pause for each; as it was recorded, else planned, or of another tool's users
    observed."""
    length_ns: int
    """Of the intervals together."""
    group: str = ""
    """Whose users they are; empty where there is no other group."""

    @property
    def mean_ns(self) -> float:
        """R + Z."""
        return self.response_ns + self.pause_ns

    @property
    def response_share(self) -> float:
        """R / (R + Z)."""
        return self.response_ns / self.mean_ns if self.mean_ns else 0.0

    @property
    def whose(self) -> str:
        """`of bookers`, with a blank before it; empty where there is no other group."""
        return f" of {self.group}" if self.group else ""


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
    """The cycle of all closed users together; none for a rate, without a request, or where a pause is
    not known.
    """
    pause_ns = _pause_ns(run)
    if run.load.arrivals != "users" or pause_ns is None or not wholly_loaded(run):
        return None
    return _cycle(run, None, pause_ns)


def cycles(run: WindowedRun) -> Iterator[Cycle]:
    """The cycle of each closed group."""
    if len(run.groups) < 2:
        alone = cycle(run)
        if alone is not None:
            yield alone
        return
    for name, part in run.groups.items():
        facts = run.load.groups[name]
        if facts.arrivals == "users" and wholly_loaded(run):
            yield _cycle(run, part, _recorded_ns([facts]))._replace(group=name)


def _cycle(run: WindowedRun, part: Part | None, pause_ns: float) -> Cycle:
    intervals = wholly_loaded(run)
    splits = _response_times(intervals, part)
    # Another tool tells no time of some failures: they are in its pause.
    ended = sum(each.ended for each in intervals)
    completed = ended if run.record.source else sum(split.count() for split in splits)
    return Cycle(
        completed=completed,
        response_ns=sum(split.sum_ns() for split in splits) / completed if completed else 0.0,
        pause_ns=pause_ns,
        length_ns=sum(each.length_ns for each in intervals),
    )


def _response_times(intervals: Sequence[TimelineInterval], part: Part | None) -> list[TimeSplit]:
    return [
        seen.response_time
        for each in intervals
        for name, seen in each.operations.items()
        if part is None or name in part.operations
    ]


def _pause_ns(run: WindowedRun) -> float | None:
    record = run.record
    if record.source is not None:
        return None if record.iterations is None else record.iterations.pause_mean_ns
    if run.load.groups:
        return _recorded_ns(run.load.groups.values())
    return record.think.mean_ns if record.think else 0.0


def _recorded_ns(groups: Iterable[GroupFacts]) -> float:
    """All pauses of some groups over the requests that ended: steps may pause for different times."""
    told = list(groups)
    ended = sum(
        sum(each.outcomes.values()) - each.outcomes.get(Outcome.NOT_SENT, 0) for each in told
    )
    return sum(each.think.sum_ns for each in told) / ended if ended else 0.0
