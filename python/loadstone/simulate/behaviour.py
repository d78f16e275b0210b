"""How a simulated arm behaves. The file that says so is read by `behaviour_file.py`."""

from dataclasses import dataclass
from typing import Literal

from loadstone.metrics.outcomes import LimitCause

MILLISECOND_NS = 1_000_000


@dataclass(frozen=True)
class Behaviour:
    """How one arm behaves in each of its runs. The defaults are of a healthy service."""

    median_ms: float = 20.0
    """Of the service time, which is lognormal."""
    spread: float = 0.3
    """Standard deviation of the logarithm of the service time, within a run."""
    run_spread: float = 0.01
    """The same of the runs' medians."""
    failing_share: float = 0.0
    """Of the requests that come back with a wrong status."""
    missing_value_share: float = 0.0
    """Of the answers from which a value is captured, that have none."""
    ending_share: float = 0.0
    """Of the answers that may end their session, by a status for which that is allowed."""
    fails_after_ms: float | None = None
    """From when on every answer has a wrong status, since the load began; none: never."""
    failing_blocks: tuple[int, ...] = ()
    """Blocks in which the service does not start."""
    engine_failing_blocks: tuple[int, ...] = ()
    """Blocks in which the engine fails in the load."""
    hung_users: int = 0
    """Closed users whose first request is neither answered nor ever given up."""
    lag_ms: float = 0.05
    """By which the engine itself writes each request too late."""
    wait_ms: float = 0.0
    """That each request waits for a free connection before that."""
    still_ms: float = 0.0
    """For how long the service stands still, at once for all requests, every `still_every_s`."""
    still_every_s: float = 10.0
    """The first time after half of that."""
    warm_up_s: float = 12.0
    """Whole seconds that a warm-up until steady lasts; the cost is level all the while."""
    late_step_share: float = 0.0
    """By which the CPU time of each service for an ok request falls late."""
    late_step_after_s: float = 30.0
    """When that is, behind the end of the window."""
    steady_by: Literal["idle", "level", "no-sign"] = "idle"
    """Why it ends then. Nothing compiles, so that `idle` is said of what never does."""
    startup_ms: float = 50.0
    """Until the first correct response."""
    claimed_ms: float | None = None
    """What its log says of it; none: nothing."""
    cpu_per_ok_us: float = 100.0
    """CPU time of each service for each ok request."""
    dependency_cpu_us: float = 20.0
    """CPU time of each dependency, and of each service on the bench, for each ok request."""
    statements_per_ok: float = 1.0
    """That each ok request has a database perform."""
    rows_per_ok: float = 6.0
    """That those statements read."""
    other_commands_per_ok: float = 0.0
    """What it is asked beside them."""
    rss_mib: float = 64.0
    """Resident memory of each service."""
    worker_cpu_share: float = 0.3
    """Share of the load in which the engine's worker computes."""
    steal_share: float = 0.0
    """Share of the load in which the hypervisor keeps the CPU of the engine."""
    limits: tuple[tuple[LimitCause, int], ...] = ()
    """By what the engine is the limit, and in which second."""
    stall_ms: float = 1.0
    """The engine's longest stall in each second."""
    broken_clauses: tuple[str, ...] = ()
    """What the sampled responses did not keep of the contract."""

    @property
    def wait_ns(self) -> int:
        """For how long each request waits for a connection."""
        return round(self.wait_ms * MILLISECOND_NS)

    @property
    def lag_ns(self) -> int:
        """How late each request is written, whatever made it late."""
        return self.wait_ns + round(self.lag_ms * MILLISECOND_NS)

    @property
    def stall_ns(self) -> int:
        """The engine's longest stall in each second."""
        return round(self.stall_ms * MILLISECOND_NS)
