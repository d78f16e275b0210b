"""Every request of one simulated load, from a behaviour and a workload.

Closed users ask again after each answer, so that Little's law holds by itself; the sessions of a rate
start whether or not the service keeps up. Left out: redirects, and a limit on a rate's connections.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.results.load_facts import StopFacts
from loadstone.simulate.arrivals import (
    NEVER_NS,
    SECOND_NS,
    Stay,
    pauses,
    session_starts,
    simulated_group,
    stays_of,
)
from loadstone.simulate.behaviour import MILLISECOND_NS, Behaviour
from loadstone.simulate.requests import Requests, Times
from loadstone.simulate.stop import stop_of
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.model import Workload

Draw = Callable[[int], Times]


@dataclass(frozen=True, eq=False)
class SimulatedLoad:
    """What was offered and what became of it."""

    requests: Requests
    operation: NDArray[np.int64]
    """Of each request: its place in the session."""
    stays: tuple[Stay, ...] | None
    """Of the users; none of a rate."""
    stop: StopFacts
    """Why and when the load ended."""

    def by_operation(self, workload: Workload) -> dict[str, Requests]:
        """Return the requests of each operation of the session, by its name."""
        return {
            each.operation: self.requests.where(self.operation == index)
            for index, each in enumerate(workload.session)
        }


@dataclass(frozen=True, eq=False)
class _Offered:
    """Requests in any order: due time, service time, and the place in the session."""

    intended_ns: Times
    service_ns: Times
    operation: NDArray[np.int64]


def simulate_load(
    workload: Workload, behaviour: Behaviour, factor: float, rng: np.random.Generator
) -> SimulatedLoad:
    """Return a load whose service times are all multiplied by `factor`."""

    def service_times(count: int) -> Times:
        draws = np.exp(behaviour.spread * rng.standard_normal(count))
        times = np.rint(behaviour.median_ms * MILLISECOND_NS * factor * draws).astype(np.int64)
        return np.minimum(times, workload.timeout_ns)

    stays, arrivals = None, simulated_group(workload).arrivals
    if isinstance(arrivals, Rate):
        starts = session_starts(arrivals, workload.duration_ns, rng)
        offered = _sessions(workload, behaviour, starts, service_times, rng)
    else:
        stays = stays_of(arrivals)
        offered = _users(workload, behaviour, stays, service_times, rng)
    requests, operation = _answered(workload, behaviour, offered, rng)
    stop = stop_of(workload, requests, stays)
    begun = requests.intended_ns < stop.at_ns
    requests, operation = requests.where(begun), operation[begun]
    return SimulatedLoad(_until(requests, stop.at_ns + workload.grace_ns), operation, stays, stop)


def _users(
    workload: Workload,
    behaviour: Behaviour,
    stays: tuple[Stay, ...],
    service_times: Draw,
    rng: np.random.Generator,
) -> _Offered:
    """Return what closed users ask, each stream of a user for itself."""
    parts = [
        _one_user(workload, behaviour, stay, service_times, rng)
        for stay in (stays * workload.streams)[behaviour.hung_users :]
    ]
    hung = np.zeros(behaviour.hung_users, dtype=np.int64)
    return _Offered(
        np.concatenate((*(part.intended_ns for part in parts), hung)),
        np.concatenate((*(part.service_ns for part in parts), np.full_like(hung, NEVER_NS))),
        np.concatenate((*(part.operation for part in parts), hung)),
    )


def _one_user(
    workload: Workload,
    behaviour: Behaviour,
    stay: Stay,
    service_times: Draw,
    rng: np.random.Generator,
) -> _Offered:
    """Return what a user asks, again and again after each answer and a pause."""
    service, pause = service_times(16), pauses(workload.think, 16, rng)
    lag_ns, end_ns = behaviour.lag_ns, min(stay.end_ns, workload.duration_ns)
    while stay.begin_ns + (service + pause).sum() + lag_ns * len(service) < end_ns:
        more = len(service)
        service = np.concatenate((service, service_times(more)))
        pause = np.concatenate((pause, pauses(workload.think, more, rng)))
    passed = np.cumsum(service + pause + lag_ns)[:-1]
    intended = stay.begin_ns + np.concatenate((np.zeros(1, dtype=np.int64), passed))
    begun = intended < end_ns
    turn = np.arange(len(intended)) % len(workload.session)
    return _Offered(intended[begun], service[begun], turn[begun])


def _sessions(
    workload: Workload,
    behaviour: Behaviour,
    starts: Times,
    service_times: Draw,
    rng: np.random.Generator,
) -> _Offered:
    """Return what sessions ask that start at given times: their operations, one after the other."""
    parts, intended = [], starts
    for index in range(len(workload.session)):
        service = service_times(len(starts))
        parts.append(_Offered(intended, service, np.full(len(starts), index)))
        pause = pauses(workload.think, len(starts), rng) if workload.think else 0
        intended = intended + behaviour.lag_ns + service + pause
    offered = _Offered(
        np.concatenate([part.intended_ns for part in parts]),
        np.concatenate([part.service_ns for part in parts]),
        np.concatenate([part.operation for part in parts]),
    )
    begun = offered.intended_ns < workload.duration_ns
    return _Offered(offered.intended_ns[begun], offered.service_ns[begun], offered.operation[begun])


def _answered(
    workload: Workload, behaviour: Behaviour, offered: _Offered, rng: np.random.Generator
) -> tuple[Requests, NDArray[np.int64]]:
    """Return the requests in the order of their ends, with the operation of each."""
    intended, service, operation = offered.intended_ns, offered.service_ns, offered.operation
    done = intended + behaviour.lag_ns + service
    if behaviour.still_ms:
        clock = _Stills.of(behaviour, workload.duration_ns)
        if workload.is_open:
            done = clock.passed(clock.worked(intended + behaviour.lag_ns) + service)
        else:
            intended, done = clock.passed(intended), clock.passed(done)
            begun = intended < workload.duration_ns
            intended, done, operation = intended[begun], done[begun], operation[begun]
    written = intended + behaviour.lag_ns
    failing = rng.random(len(done)) < behaviour.failing_share
    if behaviour.fails_after_ms is not None:
        failing |= done >= behaviour.fails_after_ms * MILLISECOND_NS
    outcome = np.where(failing, Outcome.STATUS, Outcome.OK)
    timed_out = (done - written >= workload.timeout_ns) & (done < NEVER_NS)
    outcome = np.where(timed_out, Outcome.TIMEOUT, outcome)
    done = np.where(timed_out, written + workload.timeout_ns, done)
    order = np.argsort(done, kind="stable")
    requests = Requests(
        intended[order],
        written[order],
        done[order],
        outcome[order],
        np.full(len(order), behaviour.wait_ns),
    )
    return requests, operation[order]


def _until(requests: Requests, end_ns: int) -> Requests:
    """Return requests of which nothing is known that comes later than the end."""
    outcome = np.where(requests.done_ns > end_ns, Outcome.UNANSWERED, requests.outcome)
    done = np.minimum(requests.done_ns, end_ns)
    return Requests(requests.intended_ns, requests.written_ns, done, outcome, requests.waited_ns)


@dataclass(frozen=True, eq=False)
class _Stills:
    """The clock of a service that stands still now and then; closed users stand still with it."""

    begins_ns: Times
    """Of its stills, by a clock that does not stop."""
    length_ns: int

    @classmethod
    def of(cls, behaviour: Behaviour, load_ns: int) -> "_Stills":
        every_ns = behaviour.still_every_s * SECOND_NS
        begins = np.arange(every_ns / 2, load_ns, every_ns).astype(np.int64)
        return cls(begins, round(behaviour.still_ms * MILLISECOND_NS))

    def passed(self, worked_ns: Times) -> Times:
        """Return the time at which the service has worked for so long."""
        worked_at = self.begins_ns - self.length_ns * np.arange(len(self.begins_ns))
        return worked_ns + self.length_ns * np.searchsorted(worked_at, worked_ns)

    def worked(self, passed_ns: Times) -> Times:
        """Return for how long the service has worked until a time."""
        since = passed_ns[:, None] - self.begins_ns[None, :]
        stood: Times = np.clip(since, 0, self.length_ns).sum(axis=1)
        return passed_ns - stood
