"""Simulated services and loads: every request of one run, from a behaviour and a workload.

Closed users ask again after each answer, so that Little's law holds by itself; a rate asks at even
distances. What becomes of the requests is written to files by `run_files.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from loadstone.metrics.outcomes import LimitCause, Outcome
from loadstone.study.values.arrivals import ExponentialThink, Rate, Stage, Users, steady
from loadstone.study.values.model import Check, Operation, Workload
from run_files import Requests

Draw = Callable[[int], np.ndarray]

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
    """By which the engine itself writes each request too late."""
    wait_ms: float = 0.0
    """That each request waits for a free connection before that."""
    still_ms: float = 0.0
    """For how long the service stands still, at once for all requests, every `still_every_s`."""
    still_every_s: float = 10.0
    """The first time after half of that."""
    startup_ms: float = 50.0
    cpu_per_ok_us: float = 100.0
    dependency_cpu_us: float = 20.0
    """CPU time of the backend for each ok request."""
    rss_mib: float = 64.0
    service_cpu_share: float = 0.97
    bench_cpu_share: float = 0.5
    worker_cpu_share: float = 0.3
    steal_share: float = 0.0
    limits: tuple[tuple[LimitCause, int], ...] = ()
    """By what the engine is the limit, and in which second."""
    stall_ms: float = 1.0
    """The engine's longest stall in each second."""
    broken_clauses: tuple[str, ...] = ()
    """What the sampled responses did not keep of the contract."""


def closed(
    users: int = 4,
    *,
    seconds: int = 10,
    warm_up: int = 2,
    name: str = "closed",
    think_ms: int = 0,
    streams: int = 1,
    ramp: tuple[Stage, ...] = (),
) -> Workload:
    """Closed users: so many, or those of a ramp that only rises; an exponential pause if any."""
    return _workload(
        name,
        Users(stages=ramp or steady(users)),
        seconds,
        warm_up,
        think=ExponentialThink(exponential_ns=think_ms * MILLISECOND_NS) if think_ms else None,
        streams=streams,
    )


def rate(
    per_second: float = 100.0, *, seconds: int = 10, warm_up: int = 2, name: str = "rate"
) -> Workload:
    """Evenly spaced requests."""
    return _workload(name, Rate(stages=steady(per_second), connections=50), seconds, warm_up)


def user_begins_ns(arrivals: Users) -> list[int]:
    """When each user comes, in a ramp that only rises."""
    begins: list[int] = []
    level, began_ns = 0.0, 0
    for stage in arrivals.stages:
        while len(begins) < stage.to:
            share = (len(begins) + 1 - level) / (stage.to - level)
            begins.append(round(began_ns + share * stage.over_ns))
        level, began_ns = stage.to, began_ns + stage.over_ns
    return begins


def requests_of(
    workload: Workload, behaviour: Behaviour, factor: float, rng: np.random.Generator
) -> Requests:
    """Every request of a load, in the order of their ends."""

    def service_times(count: int) -> np.ndarray:
        draws = np.exp(behaviour.spread * rng.standard_normal(count))
        return np.rint(behaviour.median_ms * MILLISECOND_NS * factor * draws).astype(np.int64)

    load_ns = workload.duration_ns
    waited_ns = round(behaviour.wait_ms * MILLISECOND_NS)
    lag_ns = waited_ns + round(behaviour.lag_ms * MILLISECOND_NS)

    def pauses(count: int) -> np.ndarray:
        mean_ns = workload.think.mean_ns if workload.think else 0
        return rng.exponential(mean_ns, count).astype(np.int64)

    if isinstance(workload.arrivals, Rate):
        gap_ns = SECOND_NS / workload.arrivals.highest
        intended = np.arange(0, load_ns, gap_ns).astype(np.int64)
        service = service_times(len(intended))
    else:
        begins = user_begins_ns(workload.arrivals) * workload.streams
        parts = [
            _one_user(service_times, pauses, begin_ns, load_ns, lag_ns)
            for begin_ns in begins[behaviour.hung_users :]
        ]
        intended = np.concatenate([part[0] for part in parts])
        service = np.concatenate([part[1] for part in parts])
    done = intended + lag_ns + service
    if behaviour.still_ms:
        clock = _Stills.of(behaviour, load_ns)
        if isinstance(workload.arrivals, Rate):
            done = clock.passed(clock.worked(intended + lag_ns) + service)
        else:
            intended, done = clock.passed(intended), clock.passed(done)
            begun = intended < load_ns
            intended, done = intended[begun], done[begun]
    never = np.zeros(behaviour.hung_users, dtype=np.int64)
    intended = np.concatenate((intended, never))
    done = np.concatenate((done, np.full(behaviour.hung_users, np.iinfo(np.int64).max // 2)))
    outcome = np.where(rng.random(len(done)) < behaviour.failing_share, Outcome.STATUS, Outcome.OK)
    end_ns = load_ns + workload.grace_ns
    outcome = np.where(done > end_ns, Outcome.UNANSWERED, outcome)
    order = np.argsort(done, kind="stable")
    written = intended + lag_ns
    return Requests(
        intended[order],
        written[order],
        np.minimum(done, end_ns)[order],
        outcome[order],
        np.full(len(order), waited_ns),
    )


@dataclass(frozen=True)
class _Stills:
    """The clock of a service that stands still now and then; closed users stand still with it."""

    begins_ns: np.ndarray
    """Of its stills, by a clock that does not stop."""
    length_ns: int

    @classmethod
    def of(cls, behaviour: Behaviour, load_ns: int) -> "_Stills":
        every_ns = behaviour.still_every_s * SECOND_NS
        begins = np.arange(every_ns / 2, load_ns, every_ns).astype(np.int64)
        return cls(begins, round(behaviour.still_ms * MILLISECOND_NS))

    def passed(self, worked_ns: np.ndarray) -> np.ndarray:
        """The time at which the service has worked for so long."""
        worked_at = self.begins_ns - self.length_ns * np.arange(len(self.begins_ns))
        return worked_ns + self.length_ns * np.searchsorted(worked_at, worked_ns)

    def worked(self, passed_ns: np.ndarray) -> np.ndarray:
        """For how long the service has worked until a time."""
        since = passed_ns[:, None] - self.begins_ns[None, :]
        return passed_ns - np.clip(since, 0, self.length_ns).sum(axis=1)


def _one_user(
    service_times: Draw, pauses: Draw, begin_ns: int, load_ns: int, lag_ns: int
) -> tuple[np.ndarray, np.ndarray]:
    """Intended and service times of a user who asks again after each answer and a pause."""
    service, pause = service_times(16), pauses(16)
    while begin_ns + (service + pause).sum() + lag_ns * len(service) < load_ns:
        more = len(service)
        service = np.concatenate((service, service_times(more)))
        pause = np.concatenate((pause, pauses(more)))
    starts = begin_ns + np.concatenate(([0], np.cumsum(service + pause + lag_ns)[:-1]))
    begun = starts < load_ns
    return starts[begun], service[begun]


def _workload(
    name: str, arrivals: Users | Rate, seconds: int, warm_up: int, **changes: object
) -> Workload:
    return Workload(
        **changes,
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
