"""Every request of one simulated load, from a behaviour and a workload.

Closed users ask again after each answer, so that Little's law holds by itself; the sessions of a rate
start whether or not the service keeps up. Left out: redirects, and a limit on a rate's connections.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from loadstone.results.load_facts import StopFacts
from loadstone.simulate.arrivals import Stay, session_starts, stays_of
from loadstone.simulate.behaviour import MILLISECOND_NS, Behaviour
from loadstone.simulate.group_load import GroupLoad
from loadstone.simulate.groups import SimulatedGroup, simulated_groups
from loadstone.simulate.perform import Performed, Performing
from loadstone.simulate.requests import Requests, Times, together
from loadstone.simulate.single_requests import single_requests
from loadstone.simulate.stills import Stills
from loadstone.simulate.stop import Judged, stop_of
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.model import Workload

Draw = Callable[[int], Times]


@dataclass(frozen=True, eq=False)
class SimulatedLoad:
    """What was offered and what became of it."""

    groups: tuple[GroupLoad, ...]
    stop: StopFacts
    """Why and when the load ended."""

    @cached_property
    def requests(self) -> Requests:
        """Those of all groups, in the order of their ends."""
        if len(self.groups) == 1:
            return self.groups[0].requests
        return together([each.requests for each in self.groups])

    def by_operation(self) -> dict[str, Requests]:
        """The requests of each operation, as the record names it."""
        return {
            key: requests for each in self.groups for key, requests in each.by_operation().items()
        }


def simulate_load(
    workload: Workload,
    behaviour: Behaviour,
    factor: float,
    rng: np.random.Generator,
    window_ns: int | None = None,
) -> SimulatedLoad:
    """Return a load whose service times are all multiplied by `factor`. Its window begins at
    `window_ns`; none: behind the warm-up of the workload.
    """

    def service_times(count: int) -> Times:
        draws = np.exp(behaviour.spread * rng.standard_normal(count))
        times = np.rint(behaviour.median_ms * MILLISECOND_NS * factor * draws).astype(np.int64)
        return np.minimum(times, workload.timeout_ns)

    whole = [
        _single(workload, group, behaviour, service_times, rng)
        if group.single is not None
        else _performed(workload, group, behaviour, factor, rng)
        for group in simulated_groups(workload)
    ]
    stop = _stop(workload, whole, (workload.warm_up_ns or 0) if window_ns is None else window_ns)
    end_ns = stop.at_ns + workload.grace_ns
    return SimulatedLoad(tuple(each.until(stop.at_ns, end_ns) for each in whole), stop)


def stays_in(group: SimulatedGroup) -> tuple[Stay, ...] | None:
    """Every stay of a group's users, since the load began; none of a rate."""
    if isinstance(group.arrivals, Rate):
        return None
    return tuple(stay.later(group.start_ns) for stay in stays_of(group.arrivals))


def _starts(group: SimulatedGroup, load_ns: int, rng: np.random.Generator) -> Times:
    if not isinstance(group.arrivals, Rate):
        raise TypeError("users have no starts that are known beforehand")
    lasts_ns = max(0, load_ns - group.start_ns)
    return group.start_ns + session_starts(group.arrivals, lasts_ns, rng)


def _single(
    workload: Workload,
    group: SimulatedGroup,
    behaviour: Behaviour,
    service_times: Draw,
    rng: np.random.Generator,
) -> GroupLoad:
    """A group each of whose sessions is one request: all of it at once, since there are many."""
    stays, step = stays_in(group), group.single
    if step is None:
        raise TypeError("sessions of several requests are performed one by one")
    starts = _starts(group, workload.duration_ns, rng) if stays is None else None
    requests, steps = single_requests(
        workload, behaviour, step.think, stays, starts, service_times, rng
    )
    return GroupLoad(group, requests, steps, stays, Performed())


def _performed(
    workload: Workload,
    group: SimulatedGroup,
    behaviour: Behaviour,
    factor: float,
    rng: np.random.Generator,
) -> GroupLoad:
    """A group whose sessions are performed step by step."""
    stays, performed = stays_in(group), Performed()
    performing = Performing(
        group=group,
        behaviour=behaviour,
        factor=factor,
        load_ns=workload.duration_ns,
        timeout_ns=workload.timeout_ns,
        passed=Stills.of(behaviour, workload.duration_ns).passed_at,
        rng=rng,
        to=performed,
    )
    if stays is None:
        performing.arrived(_starts(group, workload.duration_ns, rng).tolist())
    else:
        performing.users(stays, workload.streams)
    requests, steps = performed.requests(behaviour)
    return GroupLoad(group, requests, steps, stays, performed)


def _stop(workload: Workload, groups: Sequence[GroupLoad], window_ns: int) -> StopFacts:
    every = together([each.requests for each in groups]) if len(groups) > 1 else groups[0].requests
    exhausted = [each.performed.exhausted_ns for each in groups]
    return stop_of(
        workload.duration_ns,
        [
            Judged(None, workload.stop, every),
            *(Judged(each.group.name, each.group.stop, each.requests) for each in groups),
        ],
        {each.group.name: each.stays for each in groups if each.stays is not None},
        min((each for each in exhausted if each is not None), default=None),
        window_ns,
    )
