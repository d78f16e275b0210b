"""Simulated services and loads: every request of one run, from a behaviour and a workload.

Closed users ask again after each answer, so that Little's law holds by itself; a rate asks at even
distances. What becomes of the requests is written to files by `run_files.py`.
"""

from dataclasses import dataclass

import numpy as np

from loadstone.results.outcomes import Outcome
from loadstone.study.model import Check, Operation, Rate, Users, Workload
from run_files import Requests

SECOND_NS = 1_000_000_000
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
    failing_blocks: tuple[int, ...] = ()
    """Blocks in which the service does not start."""
    missing_blocks: tuple[int, ...] = ()
    """Blocks that were never run."""
    hung_users: int = 0
    """Closed users whose first request is never answered."""
    lag_ms: float = 0.05
    startup_ms: float = 50.0
    cpu_per_ok_us: float = 100.0
    rss_mib: float = 64.0
    service_cpu_share: float = 0.97
    bench_cpu_share: float = 0.5
    worker_cpu_share: float = 0.3
    steal_share: float = 0.0
    broken_clauses: tuple[str, ...] = ()
    """What the sampled responses did not keep of the contract."""


def closed(
    users: int = 4, *, seconds: int = 10, warm_up: int = 2, name: str = "closed"
) -> Workload:
    """Closed users without think time."""
    return _workload(name, Users(users=users), seconds, warm_up)


def rate(
    per_second: float = 100.0, *, seconds: int = 10, warm_up: int = 2, name: str = "rate"
) -> Workload:
    """Evenly spaced requests."""
    return _workload(name, Rate(rate_per_second=per_second, connections=50), seconds, warm_up)


def requests_of(
    workload: Workload, behaviour: Behaviour, factor: float, rng: np.random.Generator
) -> Requests:
    """Every request of a load, in the order of their ends."""

    def service_times(count: int) -> np.ndarray:
        draws = np.exp(behaviour.spread * rng.standard_normal(count))
        return np.rint(behaviour.median_ms * MILLISECOND_NS * factor * draws).astype(np.int64)

    load_ns, lag_ns = workload.duration_ns, round(behaviour.lag_ms * MILLISECOND_NS)
    if isinstance(workload.arrivals, Rate):
        gap_ns = SECOND_NS / workload.arrivals.rate_per_second
        intended = np.arange(0, load_ns, gap_ns).astype(np.int64)
        service = service_times(len(intended))
    else:
        answered = workload.arrivals.users - behaviour.hung_users
        parts = [_one_user(service_times, load_ns, lag_ns) for _ in range(answered)]
        intended = np.concatenate([part[0] for part in parts])
        service = np.concatenate([part[1] for part in parts])
    never = np.zeros(behaviour.hung_users, dtype=np.int64)
    intended = np.concatenate((intended, never))
    done = np.concatenate(
        (
            intended[: len(service)] + lag_ns + service,
            np.full(behaviour.hung_users, np.iinfo(np.int64).max // 2),
        )
    )
    outcome = np.where(rng.random(len(done)) < behaviour.failing_share, Outcome.STATUS, Outcome.OK)
    end_ns = load_ns + workload.grace_ns
    outcome = np.where(done > end_ns, Outcome.UNANSWERED, outcome)
    order = np.argsort(done, kind="stable")
    written = intended + lag_ns
    return Requests(
        intended[order], written[order], np.minimum(done, end_ns)[order], outcome[order]
    )


def _one_user(service_times, load_ns: int, lag_ns: int) -> tuple[np.ndarray, np.ndarray]:  # noqa: ANN001
    """Intended and service times of a user who asks again after each answer."""
    service = service_times(16)
    while service.sum() + lag_ns * len(service) < load_ns:
        service = np.concatenate((service, service_times(len(service))))
    starts = np.concatenate(([0], np.cumsum(service + lag_ns)[:-1]))
    begun = starts < load_ns
    return starts[begun], service[begun]


def _workload(name: str, arrivals: Users | Rate, seconds: int, warm_up: int) -> Workload:
    return Workload(
        workload=name,
        group="callers",
        arrivals=arrivals,
        session=(
            Operation(operation="echo", method="POST", path="/echo", check=Check(status=200)),
        ),
        duration_ns=seconds * SECOND_NS,
        warm_up_ns=warm_up * SECOND_NS,
        connect_timeout_ns=10 * SECOND_NS,
        timeout_ns=30 * SECOND_NS,
        grace_ns=2 * SECOND_NS,
    )
