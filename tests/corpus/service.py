"""A simulated service and what loads it: each request goes through a queue, one event at a time.

Causes are simulated and effects follow: a service that stands still lets its queue grow, users who hang
ask no more, an engine that is kept from running reads its answers late.
"""

import bisect
import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.places import Begun, Place, begin
from loadstone.metrics.outcomes import Outcome
from loadstone.simulate.groups import SimulatedStep, simulated_groups
from loadstone.simulate.requests import Requests
from loadstone.simulate.sessions import Steps
from loadstone.study.values.arrivals import Rate
from loadstone.study.values.model import Workload
from simulated_load import MILLISECOND_NS, SECOND_NS

NEVER_NS = np.iinfo(np.int64).max // 4

Draws = Callable[[np.random.Generator, int], NDArray[np.float64]]
Spans = tuple[tuple[float, float], ...]
"""Begin and end, in seconds of the load."""


def lognormal(spread: float) -> Draws:
    """Factors with a median of 1; `spread` is the standard deviation of their logarithm."""
    return lambda rng, count: np.exp(spread * rng.standard_normal(count))


USUAL_SPREAD = lognormal(0.3)


def unchanged(_: float) -> float:
    return 1.0


def at_once(_: float) -> float:
    return 0.0


def always_ok(_: float, __: float) -> Outcome:
    return Outcome.OK


@dataclass(frozen=True)
class Service:
    """How a service answers. The default is one CPU that is all that a request needs."""

    work_ms: float = 10.0
    """Time on one of its workers that a request takes, at the median."""
    draws: Draws = USUAL_SPREAD
    """By what the work of each request is multiplied."""
    pace: Callable[[float], float] = unchanged
    """By what all work is multiplied at a second of the load."""
    workers: int = 1
    """Requests that it works on at a time; the others wait."""
    waits_ms: float = 0.0
    """For others, such as a dependency, before its own work: it takes no worker."""
    network_ms: Callable[[float], float] = at_once
    """For how long an answer is on its way, from a number drawn between 0 and 1."""
    stands_still: Spans = ()
    """When nothing goes on in it; in their order."""
    collects_garbage: bool = False
    """Whether it stands still since it computes for itself."""
    held_back: Callable[[float], float] = unchanged
    """By what all work takes longer at a second, though it is no more of it: others have its CPU."""
    operations: tuple[float, ...] = (1.0,)
    """By what the work is multiplied of each operation that a user sends in turn."""
    accepts: Callable[[int], bool] = lambda _: True
    """Whether a user's connection is ever accepted."""
    ends: Callable[[float, float], Outcome] = always_ok
    """What becomes of a request that comes at a second, from a number drawn between 0 and 1."""
    waits_more_ms: Callable[[int], float] = lambda _: 0.0
    """For others, beside `waits_ms`, with every request of a user."""
    hung_from: Callable[[int], float] = lambda _: np.inf
    """From which second on a user's requests are never answered."""
    cpu_share: float = 1.0
    """Of its work, that is computing."""
    refusal_ms: float = 0.2
    """How long it takes to fail a request."""
    lacks_value: Callable[[float, float], bool] = lambda _, __: False
    """Whether an answer from which a value is captured has none, of a request that comes at a second,
    from a number drawn between 0 and 1."""
    sets_cookies: int = 0
    """Names of the cookies that it sets in turn, one with each answer to a session."""
    things: int | None = None
    """That sessions compete for, where an answer may end them: each takes one that is drawn, and ends
    where another had it. None where there are enough."""


@dataclass(frozen=True)
class Sender:
    """How the engine sends. The default is one that is hardly ever late."""

    lag_ms: float = 0.03
    """By which it writes each request late, at the mean."""
    cpu_ms: float = 0.05
    """Of its one thread, that each request takes."""
    pace: Callable[[float], float] = unchanged
    """By what that is multiplied at a second of the load."""
    stalls: Spans = ()
    """When it is kept from running; in their order."""
    rests: Spans = ()
    """When it waits for a CPU, which others have or its quota denies it; in their order, and shorter
    than what the engine can tell by its clock."""
    has_quota: bool = False
    """Whether its rests are those of a quota."""
    wake_ms: float = 0.005
    """By which each wake is late."""
    connections: int | None = None
    """Of a rate: in use at most; none where all that were planned were established."""
    in_bursts: float | None = None
    """Of a rate: standard deviation of the logarithm of each second's rate, with neighbouring seconds
    alike (AR(1), 0.7); none for the planned one."""


@dataclass(frozen=True)
class Simulated:
    """All requests of a load, and when the service worked on each."""

    requests: Requests
    work_begin_ns: NDArray[np.int64]
    work_end_ns: NDArray[np.int64]
    """The same as the beginning of what was never worked on."""
    cpu_ns: NDArray[np.int64]
    """That its work computed."""
    group: NDArray[np.int64]
    """Whose, by its place in the workload."""
    steps: Steps
    """Which step of which session of it."""
    planned: tuple[dict[int, tuple[int, ...]], ...]
    """By group: session to the operations of its path."""
    paces: tuple[tuple[int, int], ...]
    """By group: held and missed."""
    exhausted_ns: int | None
    """When a session found no row of a feed that is taken once."""

    def where(self, chosen: NDArray[np.bool_]) -> "Simulated":
        return Simulated(
            self.requests.where(chosen),
            self.work_begin_ns[chosen],
            self.work_end_ns[chosen],
            self.cpu_ns[chosen],
            self.group[chosen],
            self.steps.where(chosen),
            self.planned,
            self.paces,
            self.exhausted_ns,
        )


def simulate(
    workload: Workload, service: Service, sender: Sender, rng: np.random.Generator
) -> Simulated:
    """Every request of the load, in the order of their ends."""
    load_ns, end_ns = workload.duration_ns, workload.duration_ns + workload.grace_ns
    drawn = _draws(service, sender, rng)
    groups = simulated_groups(workload)
    begun = begin(groups, workload.streams, load_ns, sender.in_bursts, rng)
    due = [(place.due_ns, place.order, place) for place in begun.places]
    heapq.heapify(due)
    pool = [0] * sum(
        sender.connections or each.arrivals.connections
        for each in groups
        if isinstance(each.arrivals, Rate)
    )
    free = [0] * min(service.workers, 4096)
    still, stalls = _Spans(service.stands_still), _Spans(sorted((*sender.stalls, *sender.rests)))
    engine_free_ns, engine_ns = 0, round(sender.cpu_ms * MILLISECOND_NS)
    taken: set[int] = set()
    rows: list[_Row] = []
    while due:
        intended_ns, _, place = heapq.heappop(due)
        step = place.next_step(intended_ns, load_ns, rng)
        if step is None:
            continue
        user = place.number
        lag_ns, number, work_ns, think_share = next(drawn)
        ready_ns = intended_ns
        if place.is_rate:
            ready_ns = max(intended_ns, heapq.heappop(pool))
        if not service.accepts(user):
            ready_ns += workload.connect_timeout_ns
        written_ns = max(stalls.after(ready_ns) + lag_ns, engine_free_ns)
        second = written_ns / SECOND_NS
        engine_free_ns = written_ns + round(engine_ns * sender.pace(second))
        outcome = service.ends(second, number)
        begin_ns = over_ns = written_ns
        cpu_ns, ends, lacks = 0, False, False
        if not service.accepts(user):
            done_ns, outcome = written_ns, Outcome.CONNECT
        elif second >= service.hung_from(user):
            done_ns = NEVER_NS
        elif outcome is not Outcome.OK:
            done_ns = written_ns + round(service.refusal_ms * MILLISECOND_NS)
        else:
            waits_ms = service.waits_ms + service.waits_more_ms(user)
            came_ns = written_ns + round(waits_ms * MILLISECOND_NS)
            work_ns *= service.pace(second) * _weight(service, place)
            cpu_ns = round(work_ns * service.cpu_share)
            wall_ns = round(work_ns * service.held_back(second))
            begin_ns, over_ns = still.worked(max(came_ns, heapq.heappop(free)), wall_ns)
            heapq.heappush(free, over_ns)
            network_ns = round(service.network_ms(number) * MILLISECOND_NS)
            done_ns = stalls.after(over_ns + network_ns)
            lacks = step.captures and service.lacks_value(second, number)
            outcome = Outcome.CHECK if lacks else outcome
            ends = not lacks and _is_taken(service, step, taken, number)
        if done_ns - written_ns > workload.timeout_ns:
            done_ns, outcome, ends = written_ns + workload.timeout_ns, Outcome.TIMEOUT, False
        if done_ns > end_ns:
            outcome = Outcome.UNANSWERED if written_ns < end_ns else Outcome.NOT_SENT
            done_ns, ends = end_ns, False
        times = intended_ns, min(written_ns, end_ns), done_ns, ready_ns - intended_ns
        told = place.told(ends=ends, lacks=lacks and outcome is Outcome.CHECK)
        rows.append(_Row(*times, outcome, begin_ns, over_ns, cpu_ns, *told))
        if place.is_rate:
            heapq.heappush(pool, done_ns)
        pause_ns = int((0 if step.think is None else step.think.mean_ns) * think_share)
        if place.goes_on(done_ns, pause_ns, ends=ends, is_ok=outcome is Outcome.OK):
            heapq.heappush(due, (place.due_ns, place.order, place))
    return _in_order_of_ends(rows, begun)


def _weight(service: Service, place: Place) -> float:
    """By what the work of a place's present step is multiplied."""
    return service.operations[place.operation % len(service.operations)]


def _is_taken(service: Service, step: SimulatedStep, taken: set[int], number: float) -> bool:
    """Whether somebody else has the thing that a session asks for; else it is taken now."""
    if step.ends_with is None or service.things is None:
        return False
    thing = int(number * service.things)
    if thing in taken:
        return True
    taken.add(thing)
    return False


class _Row(NamedTuple):
    intended_ns: int
    written_ns: int
    done_ns: int
    waited_ns: int
    outcome: Outcome
    begin_ns: int
    over_ns: int
    cpu_ns: int
    group: int
    operation: int
    session: int
    step: int
    place: int
    is_last: bool
    ends_early: bool
    is_once: bool
    lacks_value: bool


class _Spans:
    """Spans of time in their order, in which something rests."""

    def __init__(self, seconds: Sequence[tuple[float, float]]) -> None:
        self._begin = [round(begin * SECOND_NS) for begin, _ in seconds]
        self._end = [round(end * SECOND_NS) for _, end in seconds]

    def after(self, time_ns: int) -> int:
        """The first moment from a time on that lies in none of them."""
        at = bisect.bisect_right(self._begin, time_ns) - 1
        return max(time_ns, self._end[at]) if at >= 0 else time_ns

    def worked(self, begin_ns: int, work_ns: int) -> tuple[int, int]:
        """Begin and end of a piece of work that rests in them."""
        begin_ns = self.after(begin_ns)
        end_ns = begin_ns + work_ns
        at = bisect.bisect_left(self._begin, begin_ns)
        while at < len(self._begin) and self._begin[at] < end_ns:
            end_ns += self._end[at] - self._begin[at]
            at += 1
        return begin_ns, end_ns


def _draws(
    service: Service, sender: Sender, rng: np.random.Generator
) -> Iterator[tuple[int, float, float, float]]:
    """Of each request: lag in nanoseconds, a number between 0 and 1, work in nanoseconds, and its pause
    over the mean one.
    """
    while True:
        yield from zip(
            (sender.lag_ms * MILLISECOND_NS * rng.exponential(size=1024)).astype(int).tolist(),
            rng.random(1024).tolist(),
            (service.work_ms * MILLISECOND_NS * service.draws(rng, 1024)).tolist(),
            rng.exponential(size=1024).tolist(),
            strict=True,
        )


def _in_order_of_ends(rows: list[_Row], begun: Begun) -> Simulated:
    rows.sort(key=lambda row: row.done_ns)
    columns = _Row(*(np.array(column) for column in zip(*rows, strict=True)))
    return Simulated(
        Requests(
            columns.intended_ns,
            columns.written_ns,
            columns.done_ns,
            columns.outcome,
            columns.waited_ns,
        ),
        columns.begin_ns,
        columns.over_ns,
        columns.cpu_ns,
        columns.group,
        Steps(*(getattr(columns, each.name) for each in fields(Steps))),
        begun.planned,
        begun.paces,
        begun.exhausted_ns,
    )
