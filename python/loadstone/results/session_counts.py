"""How many sessions of which groups began and ended in some intervals of a load."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from loadstone.results.timeline import TimelineInterval


class SessionCounts(NamedTuple):
    """Sessions of one group, or of several together."""

    begun: int
    """Sessions whose first request was offered."""
    finished: int
    """Those that came to their end."""
    ended_early: int
    """Those of them that an answer ended, as its step allows."""
    aborted: int
    """Those that a failed request ended."""
    cut: int
    """Those that were between two requests when the load ended, or when their user left."""

    @property
    def ended(self) -> int:
        """Finished and aborted: what durations and failures of sessions are over."""
        return self.finished + self.aborted


def sessions_in(
    intervals: Sequence[TimelineInterval], groups: Collection[str] | None = None
) -> SessionCounts | None:
    """Of some groups, or of all; none where no interval tells of one of them."""
    told = [
        group.sessions
        for interval in intervals
        for name, group in interval.groups.items()
        if groups is None or name in groups
    ]
    if not told:
        return None
    return SessionCounts(
        begun=sum(each.begun for each in told),
        finished=sum(each.finished for each in told),
        ended_early=sum(each.ended_early for each in told),
        aborted=sum(each.aborted for each in told),
        cut=sum(each.cut for each in told),
    )
