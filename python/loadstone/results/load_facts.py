"""What the engine saw of a load and what it cost: its summary, as a run record has it."""

from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.metrics.outcomes import (
    Clock,
    FailedCheck,
    LagCause,
    LimitCause,
    NotSent,
    Outcome,
    Unreached,
)
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.clock_facts import ClockSplit, LagPart
from loadstone.results.group_facts import GroupFacts
from loadstone.results.user_facts import UserFacts
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts

Outcomes = dict[Outcome, int]


class OperationFacts(Frozen):
    """What the engine saw of one operation over the whole load, grace period included."""

    group: str | None = None
    """The group whose session it belongs to; none where it is not told."""
    operation: str | None = None
    """Its name there; answers of a further status that it allows are told apart, by the same name."""
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
    unreached: dict[Unreached, int] = Field(default_factory=dict)
    """Requests that sessions had before them and never offered, by why."""
    skipped: int = 0
    """Requests that were not performed, since the value that they depend on was missing or empty."""
    failed_checks: dict[FailedCheck, int] = Field(default_factory=dict)
    """Answers of outcome `status` or `check`, by the first check that did not hold."""
    statuses: dict[str, int] = Field(default_factory=dict)
    """Answers by the status that they had."""

    @property
    def offered(self) -> int:
        """Requests with any outcome."""
        return sum(self.outcomes.values())

    def is_further_status(self, name: str) -> bool:
        """Whether these are the answers of a further status alone, by the name in the record."""
        operation = self.operation
        return operation is not None and name not in (operation, f"{self.group}.{operation}")


StopRule = Literal[
    "mean_response_time", "p99", "failures", "first_timeout", "first_failed_check", "first_failure"
]
"""The rules that stop a load before its end."""

StopReason = Literal["duration", "count", "signal", "input_ended", "feed_exhausted"] | StopRule
"""`feed_exhausted`: a feed whose rows are taken once had none for the next session."""


class StopFacts(Frozen):
    """Why and when the load stopped."""

    reason: StopReason
    """The rule that stopped it, a signal, or the end of the engine's standard input."""
    at_ns: int
    """Since the load began."""
    users: int | None
    """Users active then; none for a rate."""
    rule_group: str | None = None
    """The group that the rule is about; none where it is about all of them."""
    users_by_group: dict[str, int] = Field(default_factory=dict)
    """Users active then, of each group that has users."""


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
    run_id: str = ""
    """What told its values apart from those of other runs."""
    repeatable: Literal["content"] | None = None
    """What is the same where the load is offered again: the requests of each session. Time decides how
    many sessions there are. None where nobody tells."""
    arrivals: Literal["users", "rate", "mixed"]
    """Closed users, an open rate, or groups of both."""
    users: int | None
    """Closed users at most, of all groups together; none for a rate."""
    rate_per_second: float | None
    """Sessions a second at most, of all groups together; none for users."""
    process: Literal["constant", "poisson"] | None
    """How a rate spreads its arrivals; none for users, and where groups differ."""
    outcomes: Outcomes
    """Totals over all operations."""
    operations: dict[str, OperationFacts]
    """By operation; of several groups by `GROUP.OPERATION`. Answers of a further status that a step
    allows stand behind it, as `OPERATION.STATUS`."""
    groups: dict[str, GroupFacts] = Field(default_factory=dict)
    """By group, in the workload's order; empty where nobody tells."""
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
