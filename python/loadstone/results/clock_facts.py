"""Times over a whole load, as the engine sums them up: counts, means and extremes, no distributions."""

from loadstone.frozen import Frozen


class ClockSummary(Frozen):
    """Count and exact extremes of one clock over the whole load, nanoseconds."""

    count: int
    """How many requests."""
    min_ns: int
    """The shortest."""
    mean_ns: float
    """The arithmetic mean."""
    max_ns: int
    """The longest."""


class ClockSplit(Frozen):
    """One clock, requests that ended ok apart from the rest; absent where there were none."""

    ok: ClockSummary | None = None
    """Of the requests that ended ok."""
    failed: ClockSummary | None = None
    """Of those that ended otherwise and have a done time."""


class LagPart(Frozen):
    """What one cause adds to the lag of the requests that were written."""

    count: int
    """Requests that it kept waiting."""
    sum_ns: int
    """For how long, all together."""
    max_ns: int
    """For how long at most."""
