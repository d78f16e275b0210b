"""Sessions of several requests, performed one after the other: an answer that fails ends its session.

Service times follow the behaviour, whatever the operation. Left out: redirects, `when`, and a limit on
a rate's connections or sessions.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from loadstone.metrics.outcomes import Outcome
from loadstone.simulate.arrivals import NEVER_NS, Stay, pauses
from loadstone.simulate.behaviour import MILLISECOND_NS, Behaviour
from loadstone.simulate.groups import (
    Program,
    SimulatedChoice,
    SimulatedGroup,
    SimulatedRepeat,
    SimulatedStep,
)
from loadstone.simulate.requests import Requests
from loadstone.simulate.sessions import Steps

Passed = Callable[[int], int]
"""When the service has worked for so long: it may stand still meanwhile."""


@dataclass
class Performed:
    """Requests as they were performed, in any order, and what was paused between them."""

    intended_ns: list[int] = field(default_factory=list)
    done_ns: list[int] = field(default_factory=list)
    outcome: list[Outcome] = field(default_factory=list)
    operation: list[int] = field(default_factory=list)
    session: list[int] = field(default_factory=list)
    step: list[int] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    is_last: list[bool] = field(default_factory=list)
    ends_early: list[bool] = field(default_factory=list)
    is_once: list[bool] = field(default_factory=list)
    lacks_value: list[bool] = field(default_factory=list)
    planned: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Session to the operations of its path."""
    missed_paces: int = 0
    held_paces: int = 0
    exhausted_ns: int | None = None
    """When a session found no row of a feed that is taken once."""

    def requests(self, behaviour: Behaviour) -> tuple[Requests, Steps]:
        """As arrays, in the order of their ends."""
        done = np.array(self.done_ns, dtype=np.int64)
        order = np.argsort(done, kind="stable")
        intended = np.array(self.intended_ns, dtype=np.int64)[order]
        requests = Requests(
            intended,
            intended + behaviour.lag_ns,
            done[order],
            np.array([str(each) for each in self.outcome], dtype="<U10")[order],
            np.full(len(order), behaviour.wait_ns),
        )
        steps = Steps(
            np.array(self.operation, dtype=np.int64),
            np.array(self.session, dtype=np.int64),
            np.array(self.step, dtype=np.int64),
            np.array(self.place, dtype=np.int64),
            np.array(self.is_last, dtype=np.bool_),
            np.array(self.ends_early, dtype=np.bool_),
            np.array(self.is_once, dtype=np.bool_),
            np.array(self.lacks_value, dtype=np.bool_),
        )
        return requests, steps.where(order)


@dataclass(frozen=True)
class Performing:
    """How the sessions of one group go on."""

    group: SimulatedGroup
    behaviour: Behaviour
    factor: float
    """By which all service times are multiplied."""
    load_ns: int
    timeout_ns: int
    passed: Passed
    rng: np.random.Generator
    to: Performed

    def users(self, stays: tuple[Stay, ...], streams: int) -> None:
        """What closed users do; a user of several streams performs so many sessions at a time.

        Session k of place p of P has the number k x P + p, as the engine has it.
        """
        places = stays * streams
        for place, stay in enumerate(places):
            hangs = place < self.behaviour.hung_users
            self._user(place, stay, count(place, len(places)), hangs=hangs)

    def arrived(self, starts_ns: Sequence[int]) -> None:
        """What the sessions of a rate do."""
        for number, start_ns in enumerate(starts_ns):
            if self._has_row(number, start_ns):
                self._session(0, number, self._path(self.group.session), start_ns, self.load_ns)

    def _user(self, place: int, stay: Stay, numbers: Iterator[int], *, hangs: bool) -> None:
        at_ns, once = stay.begin_ns, self.group.once
        leaves_ns = min(stay.end_ns, self.load_ns)
        until_ns = leaves_ns if self.group.leaves_between_requests else self.load_ns
        while self.passed(at_ns) < leaves_ns:
            number = next(numbers)
            if not self._has_row(number, self.passed(at_ns)):
                return
            path = self._path(self.group.session)
            before = self._path(once)
            begun_ns = at_ns
            at_ns, is_ok = self._session(
                place, number, (*before, *path), at_ns, until_ns, hangs=hangs, once=len(before)
            )
            if hangs:
                return
            once = () if is_ok else once
            if self.group.pace_ns is not None:
                due_ns = begun_ns + self.group.pace_ns
                self.to.held_paces += at_ns <= due_ns
                self.to.missed_paces += at_ns > due_ns
                at_ns = max(at_ns, due_ns)

    def _session(
        self,
        place: int,
        number: int,
        path: tuple[SimulatedStep, ...],
        at_ns: int,
        until_ns: int,
        *,
        hangs: bool = False,
        once: int = 0,
    ) -> tuple[int, bool]:
        """Perform one session; when the next may begin, and whether what comes once was done."""
        operations = [each.operation for each in self.group.steps]
        self.to.planned[number] = tuple(operations.index(each.operation) for each in path)
        for at, step in enumerate(path):
            if self.passed(at_ns) >= until_ns:
                return at_ns, at >= once
            service_ns = self._service_ns()
            done_ns = at_ns + self.behaviour.lag_ns + service_ns
            outcome, ends, lacks = self._outcome(step, self.passed(done_ns), service_ns)
            self.to.intended_ns.append(self.passed(at_ns))
            self.to.done_ns.append(NEVER_NS if hangs else self.passed(done_ns))
            self.to.outcome.append(outcome)
            self.to.operation.append(self.to.planned[number][at])
            self.to.session.append(number)
            self.to.step.append(at)
            self.to.place.append(place)
            self.to.is_last.append(ends or at == len(path) - 1)
            self.to.ends_early.append(ends)
            self.to.is_once.append(at < once)
            self.to.lacks_value.append(lacks)
            at_ns = done_ns + int(pauses(step.think, 1, self.rng)[0])
            if outcome is not Outcome.OK or ends or hangs:
                return at_ns, at >= once
        return at_ns, True

    def _service_ns(self) -> int:
        drawn = np.exp(self.behaviour.spread * self.rng.standard_normal())
        time_ns = round(self.behaviour.median_ms * MILLISECOND_NS * self.factor * float(drawn))
        return min(time_ns, self.timeout_ns)

    def _outcome(
        self, step: SimulatedStep, done_ns: int, service_ns: int
    ) -> tuple[Outcome, bool, bool]:
        """What becomes of a request, whether it ends its session, and whether it lacks a value."""
        behaviour, drawn = self.behaviour, self.rng.random()
        fails_ms = behaviour.fails_after_ms
        if service_ns >= self.timeout_ns:
            return Outcome.TIMEOUT, False, False
        if drawn < behaviour.failing_share or (
            fails_ms is not None and done_ns >= fails_ms * MILLISECOND_NS
        ):
            return Outcome.STATUS, False, False
        drawn -= behaviour.failing_share
        if step.captures and drawn < behaviour.missing_value_share:
            return Outcome.CHECK, False, True
        drawn -= behaviour.missing_value_share
        ends = step.ends_with is not None and drawn < behaviour.ending_share
        return Outcome.OK, ends, False

    def _has_row(self, number: int, at_ns: int) -> bool:
        """Whether every feed has a row for a session; the load stops where one has none."""
        if all(number < feed.rows for feed in self.group.feeds if feed.is_taken_once):
            return True
        known = self.to.exhausted_ns
        self.to.exhausted_ns = at_ns if known is None else min(known, at_ns)
        return False

    def _path(self, program: Program) -> tuple[SimulatedStep, ...]:
        path: list[SimulatedStep] = []
        for node in program:
            match node:
                case SimulatedStep():
                    path.append(node)
                case SimulatedChoice():
                    shares = np.array(node.weights) / sum(node.weights)
                    path += self._path(node.programs[int(self.rng.choice(len(shares), p=shares))])
                case SimulatedRepeat():
                    for _ in range(node.times):
                        path += self._path(node.program)
        return tuple(path)
