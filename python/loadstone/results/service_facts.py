"""What is known of one service of a run beside its load: its build, its start, what held it."""

from typing import Literal

from loadstone.frozen import Frozen


class BuildFacts(Frozen):
    """How the artifact of a service came to be."""

    digest: str
    """SHA-256 over the sources, the build command and the toolchain's version."""
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


class StartupFacts(Frozen):
    """The start-up clock: from spawn to the first correct response, by the external probe."""

    first_correct_response_ns: int
    """The start-up time."""
    resolution_ns: int
    """The probe's polling step: the clock is never finer than this."""
    attempts: int
    """How often it asked."""


class AddressFacts(Frozen):
    """A service that was running already: nothing of it was started, limited, reset or stopped."""

    url: str
    """Where it was loaded."""
    not_found: str | None
    """Why its process could not be observed; none where `processes` has it."""
    not_started: tuple[str, ...] = ()
    """What the system's service needs and was not started: what it stands on is its own business."""


class ConfinementFacts(Frozen):
    """How a service was held to its limits, what the kernel was told, and what it counted."""

    isolation: Literal["cgroup v2", "cgroup v1", "affinity and rlimits"]
    """By what."""
    cpus: float | None
    """The CPU quota in CPUs; none where there is none."""
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
