"""What is known of one service of a run beside its load: its build, its start, what held it."""

from typing import Literal

from loadstone.frozen import Frozen
from loadstone.metrics.marks import Mark


class RevisionFacts(Frozen):
    """The state of a repository that was built."""

    revision: str
    """As the study names it: a branch, a tag, a commit, `HEAD` or `working-tree`."""
    commit: str
    """Its id in full; of the working tree the one that it began with."""
    changes: str | None = None
    """SHA-256 over the uncommitted changes that were built with it; none where there were none."""
    leaves_out: bool = False
    """Whether the working tree was at this commit and had uncommitted changes, which were not built."""


class BuildFacts(Frozen):
    """How the artifact of a service came to be."""

    digest: str
    """SHA-256 over the sources or their commit, the build command and the toolchain's version."""
    duration_ns: int
    """How long the build took when it was made."""
    artifact_bytes: int
    """What it added to the sources."""
    cached: bool
    """Whether it was there already."""
    training_ns: int | None = None
    """How long the training run took, or finding its file; none for a runtime without one."""
    training_bytes: int | None = None
    """The file that it left."""
    revision: RevisionFacts | None = None
    """What was built in place of the stack's folder; none where that was."""


class StartupFacts(Frozen):
    """The start-up clock: from spawn to the first correct response, by the external probe.

    What the kernel counts is of the service's processes at that moment: it explains why one start took
    longer than another.
    """

    first_correct_response_ns: int
    """The start-up time."""
    resolution_ns: int
    """The probe's polling step: the clock is never finer than this."""
    attempts: int
    """How often it asked."""
    last_step_ns: int | None = None
    """From the begin of the last wrong attempt to that of the right one: the service became ready in
    between, so the clock was no finer.
    """
    listened_ns: int | None = None
    """When it first accepted a connection, since the spawn; a port that is open earns nothing."""
    first_request_ns: int | None = None
    """How long the request took that was answered correctly, connecting included."""
    cpu_ns: int | None = None
    """User and system time until then, of the control group where there is one."""
    rss_bytes: int | None = None
    """Resident memory then."""
    waiting_ns: int | None = None
    """For how long its threads had waited for a CPU, those that had ended left out."""
    major_faults: int | None = None
    """Pages that had to be read from disk."""
    claimed_ns: int | None = None
    """What the stack's own log says; never used in place of the clock."""


class AddressFacts(Frozen):
    """A service that was running already: nothing of it was started, limited, reset or stopped."""

    url: str
    """Where it was loaded."""
    not_found: str | None
    """Why its process could not be observed; none where `processes` has it."""
    not_started: tuple[str, ...] = ()
    """What the system's service needs and was not started: what it stands on is its own business."""


SETTLE_NS = 3 * 10**9
"""Between the end of a warm-up that is watched and the window, where a service has fewer CPUs then:
what it was asked at its former pace is answered."""


class ConfinementFacts(Frozen):
    """How a service was held to its limits, what the kernel was told, and what it counted."""

    isolation: Literal["cgroup v2", "cgroup v1", "affinity and rlimits"]
    """By what."""
    cpus: float | None
    """The CPU quota in CPUs; none where there is none."""
    warm_up_cpus: float | None = None
    """The quota until the warm-up was over, where that was another one."""
    memory_bytes: int | None
    """The memory limit; none where there is none."""
    missing: tuple[str, ...] = ()
    """What the arm asked for and could not be had, each with the reason."""
    cpu_ns: int | None = None
    """User and system time from start to end of the run, of children that have ended, too."""
    throttled_ns: int | None = None
    """For how long the quota held it back, from start to end of the run."""
    memory_peak_bytes: int | None = None
    """The most that was charged to it, page cache that it filled included."""
    out_of_memory_kills: int | None = None
    """Of its processes, by the kernel."""


class MarkFacts(Frozen):
    """Memory of one service at a named moment of a run."""

    mark: Mark
    """The moment."""
    service: str
    """The name of its process: the service's, or `users.2` of the second instance of users."""
    pss_bytes: int | None
    """Its memory, shared pages divided among their users; none where the kernel does not tell."""
    rss_bytes: int | None
    """Resident memory, shared pages in full for each of its processes."""
    charged_bytes: int | None
    """What its control group is charged, page cache included; none without one."""
    cpu_ns: int | None
    """User and system time since its start."""
    threads: int | None
    """Threads of all its processes."""


class JvmLimits(Frozen):
    """What a JVM took for its machine when it started; sizes are rounded down to the log's unit."""

    cpus: int
    """Processors that it counts on: it sizes its pools of threads by them."""
    memory_bytes: int
    """All memory that it believes to have."""
    heap_bytes: int
    """The most that its heap may grow to."""
    collector: str | None
    """Its garbage collector, such as `Serial`; none where `-Xlog:gc` is not in the log."""
