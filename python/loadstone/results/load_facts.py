"""What the engine saw of a load and what it cost: its summary, as a run record has it."""

from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.metrics.outcomes import Clock, LagCause, LimitCause, NotSent, Outcome
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.user_facts import UserFacts
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts

Outcomes = dict[Outcome, int]


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


class OperationFacts(Frozen):
    """What the engine saw of one operation over the whole load, grace period included."""

    outcomes: Outcomes
    """How many requests of each outcome; zeros are present too. What another tool cannot see is not."""
    not_sent: dict[NotSent, int] = Field(default_factory=dict)
    """The causes of `not_sent`."""
    bytes_sent: int | None
    """Bytes written to the sockets; none where another tool does not tell."""
    bytes_received: int | None
    """Bytes read from the sockets; none where another tool does not tell."""
    clocks: dict[Clock, ClockSplit]
    """Each clock over the whole load."""
    lag_causes: dict[LagCause, LagPart] = Field(default_factory=dict)
    """What the lag is made of: the sums of the causes are the sum of the lag."""
    answers: AnswerFacts | None = None
    """The bodies of its ok answers; none where they were not compared."""


StopRule = Literal["mean_response_time", "failures", "first_timeout", "first_failed_check"]
"""The rules that stop a load before its end."""


class StopFacts(Frozen):
    """Why and when the load stopped."""

    reason: Literal["duration", "count", "signal", "input_ended"] | StopRule
    """The rule that stopped it, a signal, or the end of the engine's standard input."""
    at_ns: int
    """Since the load began."""
    users: int | None
    """Users active then; none for a rate."""


class LoadWindow(Frozen):
    """The window of a load that was told when to begin it, up to the stop."""

    start_ns: int
    """When it began, since the load began; always with a second."""
    by: Literal["command", "at_most"]
    """A command, or the latest time of the plan."""


class WorkerFacts(Frozen):
    """One engine thread."""

    cpu: int | None
    """The CPU it was pinned to; none when the plan named no CPUs."""
    cpu_ns: int
    """User and system time of the thread."""
    wall_ns: int
    """How long it ran."""
    longest_stall_ns: int
    """The longest time between two turns of the loop that was not spent waiting."""
    waits: WaitFacts | None = None
    """How long it waited for a CPU; none where the kernel does not tell."""


class LimitFacts(Frozen):
    """One cause by which the engine was the limit itself."""

    cause: LimitCause
    """By what."""
    intervals: int
    """Intervals of the load that it marks."""
    first_ns: int
    """Where the first of them begins, since the load began."""
    worst: float
    """In the worst interval: share of CPU or steal, or seconds of a stall or of the p99 engine lag."""


class SchedulingFacts(Frozen):
    """How the engine's workers were really scheduled, where real time was asked for."""

    wanted: Literal["fifo"]
    """What the plan asked for."""
    workers: Literal["fifo", "other"]
    """What all of them had for the whole load; `other` if one of them had not."""
    reason: str | None
    """Why it was not as wanted; none if it was."""
    given_up: int
    """Workers that gave real time up, since they used their CPU for too long without a wait."""
    given_up_at_ns: int | None
    """When the first of them did, since the load began."""


class EngineFacts(Frozen):
    """What the engine itself cost, so that it can be doubted."""

    version: str
    """Its version."""
    loop: Literal["io_uring", "epoll"]
    """How it waits for the kernel."""
    cpu_ns: int
    """User and system time of the process from load start to the end of grace."""
    peak_rss_bytes: int
    """Its highest resident memory."""
    workers: tuple[WorkerFacts, ...]
    """Its threads."""
    throttled: ThrottledFacts | None = None
    """By the quota of its own control groups; none where they have none."""
    limited: tuple[LimitFacts, ...]
    """By what it was the limit itself; empty where it never was."""
    scheduling: SchedulingFacts | None = None
    """How its threads were scheduled; none where real time was not asked for."""


class ConnectionFacts(Frozen):
    """Connections of the whole load."""

    requested: int
    """The plan's connections."""
    opened: int
    """Connections that were established, reopened ones included."""
    failed: int
    """Attempts that failed."""
    closed_by_server: int
    """Connections that the server ended."""
    connect: ClockSplit
    """Times until TCP was established."""
    tls: ClockSplit
    """Times of TLS handshakes."""
    full_handshakes: int
    """TLS handshakes without a resumed session."""
    resumed_handshakes: int
    """TLS handshakes that resumed one."""


class SpokenFacts(Frozen):
    """What was really spoken on the first connection; nothing where none was established."""

    http: Literal["1.0", "1.1", "2"] | None
    """The version of HTTP."""
    alpn: str | None
    """The protocol that ALPN chose."""
    tls_version: Literal["1.2", "1.3"] | None
    """The version of TLS."""
    cipher_suite: str | None
    """The cipher suite, by its IANA name."""


class LoadFacts(Frozen):
    """The engine's summary: its last line on stdout, copied into the record.

    The engine leaves nothing out. Of a run that another tool made, what that does not tell is none.
    """

    protocol: str | None
    """What the plan asked to speak: `h1c`, `h1`, `h2c`, `h2` or `h2-downgrade`."""
    spoken: SpokenFacts | None
    """What was really spoken."""
    streams: int | None
    """Requests in flight at most on one connection."""
    simulated: bool = False
    """Whether the transport was a fake; its figures are never ranked."""
    started_unix_ns: int
    """When the load began, since 1970."""
    load_ns: int
    """From the first intended time to the stop: no request begins later."""
    grace_ns: int
    """How long it then waited for requests in flight."""
    stop: StopFacts | None
    """Why it stopped."""
    window: LoadWindow | None = None
    """The window after a warm-up of unknown length; none without one, or if the load stopped before."""
    arrivals: Literal["users", "rate"]
    """Closed users, or an open rate."""
    users: int | None
    """Closed users at most; none for a rate."""
    rate_per_second: float | None
    """Sessions a second at most; none for users."""
    process: Literal["constant", "poisson"] | None
    """How a rate spreads its arrivals; none for users."""
    outcomes: Outcomes
    """Totals over all operations."""
    operations: dict[str, OperationFacts]
    """By operation."""
    connections: ConnectionFacts | None
    """Connections of the load."""
    by_user: UserFacts | None = None
    """What each user got; none where none had a request, or the window never began."""
    redirects: int | None
    """Redirects that were followed."""
    refused_streams: int | None = None
    """Streams of HTTP/2 that the server did not process, and whose requests were sent again."""
    unanswered_oldest_ns: int | None = None
    """Age of the oldest request that was still unanswered when the grace period ended."""
    not_accepted: int | None = None
    """Of the requests that timed out or stayed unanswered: on a connection that the server had not
    accepted by then. Only a server on the engine's machine shows it; none where nobody looked.
    """
    error_samples: dict[Outcome, tuple[str, ...]] = Field(default_factory=dict)
    """At most three texts per outcome; counting is never done by text."""
    engine: EngineFacts | None
    """What the engine cost."""
