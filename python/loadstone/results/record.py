"""The run record, `run.json`: observed facts of one run, versioned.

History of `RECORD_VERSION`:
1  first version
2  what was spoken, streams, first byte, causes of lag, connecting and TLS, stop rules, what limited
   the engine; the arrivals and the think time of the plan
3  kinds of run: starts and footprints; control groups; what a start cost; marks; runs that another
   tool made, which lack what it does not tell
"""

from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.metrics.outcomes import Clock, LagCause, LimitCause, NotSent, Outcome
from loadstone.results.answer_facts import AnswerFacts
from loadstone.results.imported_from import ImportedFrom, IterationFacts
from loadstone.results.resource_facts import CpuBusy, MachineFacts, ProbeFacts, ResourceFacts
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.results.second_step import SecondStep
from loadstone.results.service_facts import (
    AddressFacts,
    BuildFacts,
    ConfinementFacts,
    JvmLimits,
    MarkFacts,
    StartupFacts,
)
from loadstone.results.user_facts import UserFacts
from loadstone.results.wait_facts import ThrottledFacts, WaitFacts
from loadstone.study.values.arrivals import Rate, Think, Users

RECORD_VERSION: Final = 3

Outcomes = dict[Outcome, int]


def now_utc() -> str:
    """Return the time as a record has it: UTC, ISO 8601, milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


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
    unanswered_oldest_ns: int | None = None
    """Age of the oldest request that was still unanswered when the grace period ended."""
    error_samples: dict[Outcome, tuple[str, ...]] = Field(default_factory=dict)
    """At most three texts per outcome; counting is never done by text."""
    engine: EngineFacts | None
    """What the engine cost."""


SteadyBy = Literal["idle", "level", "no-sign", "cap"]
"""Why a warm-up that was watched ended: its compilers were idle, its level held, nothing told of a
warm-up for long, or it had lasted as long as it may, whatever was seen."""


class Window(Frozen):
    """The part of the run that is measured, nanoseconds since the load began."""

    start_ns: int
    """Its first nanosecond."""
    end_ns: int
    """The first nanosecond behind it."""
    warm_up: Literal["fixed", "none", "detected", "not found", "steady"]
    """How the part before it was chosen: set, empty, what came before the service's level, where it
    never came to one the first half, or ended while it went on, as `steady_by` says."""
    steady_by: SteadyBy | None = None
    """Why the warm-up ended when it did; none of one that was not watched."""
    late_look_ns: int = 0
    """How long the load went on behind it, to look for a late step; 0 where it ended with it."""


class ProcessFacts(Frozen):
    """One process group of the run: the lab started it, unless the record has an `address`."""

    role: Literal["service", "dependency", "engine", "probe"]
    """What it is for."""
    name: str
    """The service's or dependency's name in the system."""
    kind: str | None = None
    """What a dependency is."""
    settings: dict[str, str] = Field(default_factory=dict)
    """What a dependency was started with, as it calls it."""
    stack: str | None = None
    """The stack, for a service."""
    runtime: str | None = None
    """The runtime, for a service."""
    runtime_version: str | None = None
    """What the runtime says of itself."""
    label: str | None = None
    """The arm's level."""
    command: str
    """Its command line."""
    pid: int
    """Its process id."""
    nice: int = 0
    """How far it gives way to others on its CPUs, from 0 to 19."""
    cpus: tuple[int, ...]
    """The CPUs it could run on, read back from the kernel."""
    confinement: ConfinementFacts | None = None
    """What held a service; the others are held by the affinity of `cpus` alone."""
    build: BuildFacts | None = None
    """The build that it runs."""
    startup: StartupFacts | None = None
    """The start-up clock."""
    jvm_limits: JvmLimits | None = None
    """What a JVM took for its machine; none for anything else."""
    killed_after_ns: int | None = None
    """How long it was given after SIGTERM until it was killed; none where it ended by itself."""
    runtime_figures: RuntimeFigures | None = None
    """What a service's runtime tells of itself; none where it was not asked."""


class CheckFacts(Frozen):
    """One hold of the contract: before or after the load, or over the sampled responses."""

    when: Literal["before", "after", "samples"]
    """Before or after the load, or over responses sampled under load."""
    checked: int
    """Checks, or samples, that were held against the contract."""
    failed: tuple[str, ...]
    """`CLAUSE: what was seen` for each that did not hold."""


class Failure(Frozen):
    """Why a run has no figures."""

    step: str
    """The step that failed."""
    reason: str
    """What was seen."""
    log_tail: str
    """The last lines of the log."""


class RunIdentity(Frozen):
    """Which run of which plan this is."""

    index: int
    """From 1, in the order in which runs were done."""
    id: str
    """Folder name: `001-<arm>-<workload>`."""
    study: str
    """The study's name."""
    arm: str
    """The arm's id."""
    factors: dict[str, str]
    """Factor to level."""
    workload: str
    """The workload's name."""
    block: int
    """From 1."""
    seed: int | None
    """The engine's seed; none of a run that another tool made."""


class RunRecord(Frozen):
    """Everything observed in one run. Figures and findings are rebuilt from it, never in it."""

    record_version: Literal[3] = RECORD_VERSION
    """Of this format."""
    run: RunIdentity
    """Which run it is."""
    kind: Literal["load", "startup", "footprint"] = "load"
    """Of its workload."""
    status: Literal["completed", "failed", "interrupted"]
    """Whether it has figures."""
    failure: Failure | None = None
    """Why it has none."""
    simulated: bool = False
    """Whether nothing was started or loaded: its figures are made up, and never ranked."""
    started_at: str
    """UTC, ISO 8601."""
    finished_at: str
    """UTC, ISO 8601."""
    phases_ns: dict[str, int] = Field(default_factory=dict)
    """Wall time of each step: deploy, startup (of all services in turn), check, reset, load,
    runtime_figures, teardown."""
    outcomes: Outcomes = Field(default_factory=dict)
    """Totals of the whole load; zero outcomes are present too."""
    operations: dict[str, OperationFacts] = Field(default_factory=dict)
    """What the engine saw, by operation."""
    arrivals: Users | Rate | None = None
    """What the plan asked for; none where it is not known."""
    think: Think | None = None
    """The think time of the plan."""
    new_connections: bool | None = None
    """Whether the plan gives every request a connection of its own; none where it is not known."""
    source: ImportedFrom | None = None
    """Where the run comes from; none where the lab did it."""
    iterations: IterationFacts | None = None
    """What the users of another tool did; none where the lab did the run, or it is not told."""
    load: LoadFacts | None = None
    """The engine's whole summary."""
    window: Window | None = None
    """What is measured."""
    processes: tuple[ProcessFacts, ...] = ()
    """What the lab started: dependencies, services (the one that is called first), engine, probe;
    and a service that was running already."""
    second_step: SecondStep | None = None
    """With fewer users, after a load by `bench` in which they waited for an idle service."""
    address: AddressFacts | None = None
    """Of a service that was running already; none where the lab started it."""
    resources: dict[str, ResourceFacts] = Field(default_factory=dict)
    """By process name (`gateway`, `backend`, `engine`, `probe`)."""
    cpus: tuple[CpuBusy, ...] = ()
    """The machine's CPUs over the window."""
    machine: MachineFacts | None = None
    """The machine as a whole over the window."""
    probe: ProbeFacts | None = None
    """What probing it all took."""
    marks: tuple[MarkFacts, ...] = ()
    """Memory at the moments of a footprint."""
    checks: tuple[CheckFacts, ...] = ()
    """The contract, held before, after and over the samples."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Tool to version."""

    @property
    def services(self) -> tuple[ProcessFacts, ...]:
        """Every service of the arm, the one that was called first."""
        return tuple(each for each in self.processes if each.role == "service")

    @property
    def service(self) -> ProcessFacts | None:
        """The service that was called; none where the run had only an address."""
        return next(iter(self.services), None)
