"""What charts draw of a cell: a curve by percentile, its runs over time, boxes of its operations."""

from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.results.fault_facts import FaultFacts
from loadstone.results.record import SteadyBy


class CurvePoint(Frozen):
    """A point of a response-time-by-percentile curve."""

    quantile: float
    """From 0 to 1."""
    value_ns: int
    """Response time."""


Steadiness = Literal["flat", "warm-up", "slow-down", "no steady state"]
"""Whether throughput, p99 and CPU per ok held a level: from the first second on, after a worse or a
better one, or never. Of the three the gravest."""


class RunSeries(Frozen):
    """One run over time."""

    run: str
    """Run id."""
    block: int
    """Its block."""
    window_start_ns: int
    """Where the window begins, since the load began: before it is warm-up."""
    steady_by: SteadyBy | None = None
    """Why a warm-up that was watched ended; none of another one."""
    startup_ns: int | None = None
    """How long the service that is called took to start; none where no clock ran."""
    steadiness: Steadiness | None
    """What the run is, from its first second on; none where it was too short to tell."""
    seconds: tuple[float, ...]
    """Middle of each interval, since the load began; a long run is thinned, its extremes are kept.
    The other columns are as long, or empty where the run does not tell."""
    response_time_mean_ns: tuple[float | None, ...]
    """Mean over the ok requests that ended in the interval; none where there was none."""
    response_time_p99_ns: tuple[float | None, ...]
    """Of the same; of several operations the mean, each weighed by its requests."""
    throughput: tuple[float | None, ...]
    """Requests that ended ok, a second."""
    failures: tuple[float | None, ...]
    """Requests that ended otherwise, a second."""
    offered: tuple[float | None, ...] = ()
    """Requests that began, a second: those that ended, and the change of those in flight."""
    users: tuple[float | None, ...] = ()
    """Active at the end of the interval; empty for a rate."""
    users_by_group: dict[str, tuple[float | None, ...]] = Field(default_factory=dict)
    """The same of each closed group, where a load has several groups."""
    cpus_used: tuple[float | None, ...] = ()
    """CPU time of the arm's services over wall time: 1.0 is one CPU."""
    rss_bytes: tuple[float | None, ...] = ()
    """Resident memory of the arm's services together, at the end of the interval."""
    faults: tuple[FaultFacts, ...] = ()
    """What was done to its system meanwhile."""


class Box(Frozen):
    """The spread of one operation's response time, over the ok requests of all windows, nanoseconds."""

    operation: str
    """Its name."""
    least_ns: int
    """Smallest."""
    p5_ns: int
    """5 % took at most this."""
    p25_ns: int
    """A quarter."""
    median_ns: int
    """Half."""
    p75_ns: int
    """Three quarters."""
    p95_ns: int
    """95 %."""
    most_ns: int
    """Largest."""
    mean_ns: float
    """Arithmetic mean."""
