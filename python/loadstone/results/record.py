"""The run record, `run.json`: observed facts of one run, versioned.

History of `RECORD_VERSION`:
1  first version
"""

from typing import Final, Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.results.outcomes import Clock, NotSent, Outcome

RECORD_VERSION: Final = 1

Outcomes = dict[Outcome, int]


class ClockSummary(Frozen):
    """Count and exact extremes of one clock over the whole load, nanoseconds."""

    count: int
    min_ns: int
    mean_ns: float
    max_ns: int


class ClockSplit(Frozen):
    """One clock, requests that ended ok apart from the rest; absent where there were none."""

    ok: ClockSummary | None = None
    failed: ClockSummary | None = None


class OperationFacts(Frozen):
    """What the engine saw of one operation over the whole load, grace period included."""

    outcomes: Outcomes
    not_sent: dict[NotSent, int] = Field(default_factory=dict)
    bytes_sent: int
    bytes_received: int
    clocks: dict[Clock, ClockSplit]


class StopFacts(Frozen):
    """Why and when the load stopped."""

    reason: Literal["duration", "count", "signal"]
    at_ns: int
    """Since the load began."""


class WorkerFacts(Frozen):
    """One engine thread."""

    cpu: int | None
    """The CPU it was pinned to; none when the plan named no CPUs."""
    cpu_ns: int
    wall_ns: int
    longest_stall_ns: int
    """The longest time between two turns of the loop that was not spent waiting."""


class EngineFacts(Frozen):
    """What the engine itself cost, so that it can be doubted."""

    version: str
    loop: str
    """How it waits for the kernel: `epoll`, later `io_uring`."""
    cpu_ns: int
    """User and system time of the process from load start to the end of grace."""
    peak_rss_bytes: int
    workers: tuple[WorkerFacts, ...]


class ConnectionFacts(Frozen):
    """Connections of the whole load."""

    requested: int
    opened: int
    failed: int
    closed_by_server: int


class LoadFacts(Frozen):
    """The engine's summary: its last line on stdout, copied into the record."""

    protocol: str
    simulated: bool = False
    started_unix_ns: int
    load_ns: int
    """From the first intended time to the stop: no request begins later."""
    grace_ns: int
    """How long it then waited for requests in flight."""
    stop: StopFacts
    arrivals: Literal["users", "rate"]
    users: int | None
    rate_per_second: float | None
    outcomes: Outcomes
    operations: dict[str, OperationFacts]
    connections: ConnectionFacts
    unanswered_oldest_ns: int | None = None
    """Age of the oldest request that was still unanswered when the grace period ended."""
    error_samples: dict[Outcome, tuple[str, ...]] = Field(default_factory=dict)
    """At most three texts per outcome; counting is never done by text."""
    engine: EngineFacts


class Window(Frozen):
    """The part of the run that is measured, nanoseconds since the load began."""

    start_ns: int
    end_ns: int
    warm_up: Literal["fixed", "none"]


class BuildFacts(Frozen):
    """How the artifact of a service came to be."""

    digest: str
    """SHA-256 over the sources, the build command and the toolchain's version."""
    duration_ns: int
    artifact_bytes: int
    cached: bool


class StartupFacts(Frozen):
    """The start-up clock: from spawn to the first correct response, by the external probe."""

    first_correct_response_ns: int
    resolution_ns: int
    """The probe's polling step: the clock is never finer than this."""
    attempts: int


class ProcessFacts(Frozen):
    """One process group that the lab started for the run."""

    role: Literal["service", "dependency", "engine", "probe"]
    name: str
    """The service's or dependency's name in the system."""
    stack: str | None = None
    runtime: str | None = None
    runtime_version: str | None = None
    label: str | None = None
    command: str
    pid: int
    cpus: tuple[int, ...]
    """The CPUs it could run on, read back from the kernel."""
    isolation: Literal["affinity"] = "affinity"
    """What held it there. Memory is not limited by affinity."""
    build: BuildFacts | None = None
    startup: StartupFacts | None = None


class ResourceFacts(Frozen):
    """Use of one process group over the window, from the probe's ticks."""

    cpu_ns: int | None
    """User and system time in the window; none where the process could not be read."""
    cpu_share: float | None
    """`cpu_ns` over the window and the CPUs it could use: 1.0 is all of them."""
    rss_peak_bytes: int | None
    """Highest sum of resident memory over the group, start to end of load."""


class CpuBusy(Frozen):
    """Busy share of one CPU of the machine over the window, from /proc/stat."""

    cpu: int
    busy_share: float
    steal_share: float


class CheckFacts(Frozen):
    """One hold of the contract: before or after the load, or over the sampled responses."""

    when: Literal["before", "after", "samples"]
    checked: int
    """Checks, or samples, that were held against the contract."""
    failed: tuple[str, ...]
    """`CLAUSE: what was seen` for each that did not hold."""


class Failure(Frozen):
    """Why a run has no figures."""

    step: str
    reason: str
    log_tail: str


class RunIdentity(Frozen):
    """Which run of which plan this is."""

    index: int
    id: str
    """Folder name: `001-<arm>-<workload>`."""
    study: str
    arm: str
    factors: dict[str, str]
    workload: str
    block: int
    seed: int


class RunRecord(Frozen):
    """Everything observed in one run. Figures and findings are rebuilt from it, never in it."""

    record_version: Literal[1] = RECORD_VERSION
    run: RunIdentity
    status: Literal["completed", "failed", "interrupted"]
    failure: Failure | None = None
    started_at: str
    """UTC, ISO 8601."""
    finished_at: str
    phases_ns: dict[str, int] = Field(default_factory=dict)
    """Wall time of each step: build, deploy, startup, check, load, teardown."""
    outcomes: Outcomes = Field(default_factory=dict)
    """Totals of the whole load; zero outcomes are present too."""
    operations: dict[str, OperationFacts] = Field(default_factory=dict)
    load: LoadFacts | None = None
    window: Window | None = None
    processes: tuple[ProcessFacts, ...] = ()
    resources: dict[str, ResourceFacts] = Field(default_factory=dict)
    """By process name (`gateway`, `backend`, `engine`, `probe`)."""
    cpus: tuple[CpuBusy, ...] = ()
    checks: tuple[CheckFacts, ...] = ()
    versions: dict[str, str] = Field(default_factory=dict)
