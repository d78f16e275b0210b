"""Sessions that are single requests, all at once: the arrays of one group of a simulated load."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Outcome
from loadstone.simulate.arrivals import NEVER_NS, Stay, pauses
from loadstone.simulate.behaviour import MILLISECOND_NS, Behaviour
from loadstone.simulate.requests import Requests, Times
from loadstone.simulate.sessions import Steps
from loadstone.simulate.stills import Stills
from loadstone.study.values.arrivals import Think
from loadstone.study.values.model import Workload

Draw = Callable[[int], Times]


@dataclass(frozen=True, eq=False)
class _Offered:
    """Requests in any order: due time, service time, and what performs them."""

    intended_ns: Times
    service_ns: Times
    place: NDArray[np.int64]


def single_requests(
    workload: Workload,
    behaviour: Behaviour,
    think: Think | None,
    stays: tuple[Stay, ...] | None,
    starts: Times | None,
    service_times: Draw,
    rng: np.random.Generator,
) -> tuple[Requests, Steps]:
    """Return the requests in the order of their ends: of users by their stays, or of a rate by when its
    sessions start.
    """
    if starts is not None:
        offered = _arrived(workload, starts, service_times)
    else:
        offered = _users(workload, behaviour, think, stays or (), service_times, rng)
    return _answered(workload, behaviour, offered, rng, is_rate=starts is not None)


def _users(
    workload: Workload,
    behaviour: Behaviour,
    think: Think | None,
    stays: tuple[Stay, ...],
    service_times: Draw,
    rng: np.random.Generator,
) -> _Offered:
    """Return what closed users ask, each stream of a user for itself."""
    places = [*enumerate(stays * workload.streams)]
    parts = [
        _one_user(workload, behaviour, think, place, stay, service_times, rng)
        for place, stay in places[behaviour.hung_users :]
    ]
    hung = [place for place, _ in places[: behaviour.hung_users]]
    return _Offered(
        np.concatenate(
            (*(part.intended_ns for part in parts), np.zeros(len(hung), dtype=np.int64))
        ),
        np.concatenate((*(part.service_ns for part in parts), np.full(len(hung), NEVER_NS))),
        np.concatenate((*(part.place for part in parts), np.array(hung, dtype=np.int64))),
    )


def _one_user(
    workload: Workload,
    behaviour: Behaviour,
    think: Think | None,
    place: int,
    stay: Stay,
    service_times: Draw,
    rng: np.random.Generator,
) -> _Offered:
    """Return what a user asks, again and again after each answer and a pause."""
    service, pause = service_times(16), pauses(think, 16, rng)
    lag_ns, end_ns = behaviour.lag_ns, min(stay.end_ns, workload.duration_ns)
    while stay.begin_ns + (service + pause).sum() + lag_ns * len(service) < end_ns:
        more = len(service)
        service = np.concatenate((service, service_times(more)))
        pause = np.concatenate((pause, pauses(think, more, rng)))
    passed = np.cumsum(service + pause + lag_ns)[:-1]
    intended = stay.begin_ns + np.concatenate((np.zeros(1, dtype=np.int64), passed))
    begun = intended < end_ns
    return _Offered(intended[begun], service[begun], np.full(int(begun.sum()), place))


def _arrived(workload: Workload, starts: Times, service_times: Draw) -> _Offered:
    """Return what sessions ask that start at given times."""
    service = service_times(len(starts))
    begun = starts < workload.duration_ns
    return _Offered(starts[begun], service[begun], np.zeros(int(begun.sum()), dtype=np.int64))


def _answered(
    workload: Workload,
    behaviour: Behaviour,
    offered: _Offered,
    rng: np.random.Generator,
    *,
    is_rate: bool,
) -> tuple[Requests, Steps]:
    """Return the requests in the order of their ends."""
    intended, service, place = offered.intended_ns, offered.service_ns, offered.place
    done = intended + behaviour.lag_ns + service
    if behaviour.still_ms:
        clock = Stills.of(behaviour, workload.duration_ns)
        if is_rate:
            done = clock.passed(clock.worked(intended + behaviour.lag_ns) + service)
        else:
            intended, done = clock.passed(intended), clock.passed(done)
            begun = intended < workload.duration_ns
            intended, done, place = intended[begun], done[begun], place[begun]
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
    return requests, Steps.alone(place[order])
