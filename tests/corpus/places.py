"""What performs the sessions of a simulated load: users' streams, and sessions that arrive."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from loadstone.simulate.arrivals import NEVER_NS, Stay
from loadstone.simulate.groups import (
    Program,
    SimulatedChoice,
    SimulatedGroup,
    SimulatedRepeat,
    SimulatedStep,
)
from loadstone.simulate.load import stays_in
from loadstone.study.values.arrivals import Rate
from simulated_load import SECOND_NS


@dataclass
class Tally:
    """What the places of one group have in common."""

    group: SimulatedGroup
    at: int
    """Its place in the workload."""
    planned: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Session to the operations of its path."""
    held: int = 0
    missed: int = 0
    """Paces."""
    exhausted_ns: int | None = None


@dataclass
class Place:
    """A user's stream, or one session of a rate."""

    tally: Tally
    order: int
    """Among all places: who is due at the same moment comes in this order."""
    number: int
    """The user's, over all groups; 0 of a rate."""
    in_group: int
    """The place in its group."""
    stay: Stay
    due_ns: int
    """When its next request is intended."""
    numbers: Iterator[int]
    """Of its sessions."""
    is_rate: bool
    session: int = -1
    path: tuple[SimulatedStep, ...] = ()
    operations: tuple[int, ...] = ()
    at: int = 0
    """Which step is next."""
    begun_ns: int = 0
    once: int = 0
    """Steps of the path that come before a user's first session."""
    has_been: bool = False
    """Whether it has done what comes once."""

    @property
    def operation(self) -> int:
        """Of the present step, by its place in the group."""
        return self.operations[self.at]

    def next_step(
        self, intended_ns: int, load_ns: int, rng: np.random.Generator
    ) -> SimulatedStep | None:
        """The step that is due; none where load or stay are over, or a feed has no row."""
        group, in_mid = self.tally.group, self.at < len(self.path)
        stays_until_ns = self.stay.end_ns
        if intended_ns >= load_ns or (
            intended_ns >= stays_until_ns and (not in_mid or group.leaves_between_requests)
        ):
            return None
        if not in_mid:
            if self.is_rate and self.path:
                return None
            self.session = next(self.numbers)
            if any(each.is_taken_once and self.session >= each.rows for each in group.feeds):
                known = self.tally.exhausted_ns
                self.tally.exhausted_ns = intended_ns if known is None else min(known, intended_ns)
                return None
            before = () if self.has_been else _path(group.once, rng)
            self.path = (*before, *_path(group.session, rng))
            names = [each.operation for each in group.steps]
            self.operations = tuple(names.index(each.operation) for each in self.path)
            self.tally.planned[self.session] = self.operations
            self.at, self.once, self.begun_ns = 0, len(before), intended_ns
        return self.path[self.at]

    def told(
        self, *, ends: bool, lacks: bool
    ) -> tuple[int, int, int, int, int, bool, bool, bool, bool]:
        """Which request of which session the present step is."""
        is_last = ends or self.at == len(self.path) - 1
        which = self.tally.at, self.operation, self.session, self.at, self.in_group
        return (*which, is_last, ends, self.at < self.once, lacks)

    def goes_on(self, done_ns: int, pause_ns: int, *, ends: bool, is_ok: bool) -> bool:
        """Go on behind an answer: to the next step, or to the next session. Whether there is one."""
        self.has_been = self.has_been or (is_ok and self.at + 1 >= self.once)
        self.at = self.at + 1 if is_ok and not ends else len(self.path)
        self.due_ns = done_ns + pause_ns
        if self.at < len(self.path):
            return True
        if self.is_rate:
            return False
        pace_ns = self.tally.group.pace_ns
        if pace_ns is not None:
            self.tally.held += self.due_ns <= self.begun_ns + pace_ns
            self.tally.missed += self.due_ns > self.begun_ns + pace_ns
            self.due_ns = max(self.due_ns, self.begun_ns + pace_ns)
        return True


@dataclass(frozen=True)
class Begun:
    """All places of a load."""

    places: tuple[Place, ...]
    tallies: tuple[Tally, ...]

    @property
    def planned(self) -> tuple[dict[int, tuple[int, ...]], ...]:
        """By group."""
        return tuple(each.planned for each in self.tallies)

    @property
    def paces(self) -> tuple[tuple[int, int], ...]:
        """By group: held and missed."""
        return tuple((each.held, each.missed) for each in self.tallies)

    @property
    def exhausted_ns(self) -> int | None:
        """When a session found no row."""
        found = [each.exhausted_ns for each in self.tallies if each.exhausted_ns is not None]
        return min(found, default=None)


def begin(
    groups: Sequence[SimulatedGroup],
    streams: int,
    load_ns: int,
    in_bursts: float | None,
    rng: np.random.Generator,
) -> Begun:
    """Every place with the first moment at which it is due."""
    places: list[Place] = []
    tallies = tuple(Tally(group, at) for at, group in enumerate(groups))
    users = 0
    for tally in tallies:
        arrivals = tally.group.arrivals
        if isinstance(arrivals, Rate):
            lasts_ns = max(0, load_ns - tally.group.start_ns)
            starts = rate_times_ns(arrivals, lasts_ns, in_bursts, rng)
            for number, start_ns in enumerate(starts):
                due_ns = start_ns + tally.group.start_ns
                places.append(
                    Place(
                        tally=tally,
                        order=len(places),
                        number=0,
                        in_group=0,
                        stay=Stay(0, NEVER_NS),
                        due_ns=due_ns,
                        numbers=iter((number,)),
                        is_rate=True,
                    )
                )
            continue
        stays = (stays_in(tally.group) or ()) * streams
        for at, stay in enumerate(stays):
            places.append(
                Place(
                    tally=tally,
                    order=len(places),
                    number=users + at,
                    in_group=at,
                    stay=stay,
                    due_ns=stay.begin_ns,
                    numbers=count(at, len(stays)),
                    is_rate=False,
                )
            )
        users += len(stays)
    return Begun(tuple(places), tallies)


def rate_times_ns(
    rate: Rate, load_ns: int, in_bursts: float | None, rng: np.random.Generator
) -> list[int]:
    """When the sessions of a rate are due."""
    if in_bursts is None and not rate.poisson:
        edges = np.arange(0, load_ns + 1, SECOND_NS // 10)
        sessions = np.array([rate.until(int(edge)) for edge in edges])
        return np.interp(np.arange(0, sessions[-1] - 1e-9), sessions, edges).astype(int).tolist()
    seconds = load_ns // SECOND_NS
    level = np.zeros(seconds)
    for second in range(seconds):
        before = level[second - 1] if second else rng.standard_normal()
        level[second] = 0.7 * before + np.sqrt(1 - 0.7**2) * rng.standard_normal()
    counts = rng.poisson(rate.highest * np.exp((in_bursts or 0.0) * level))
    times = [second + np.sort(rng.random(count)) for second, count in enumerate(counts)]
    return (np.concatenate(times) * SECOND_NS).astype(np.int64).tolist()


def _path(program: Program, rng: np.random.Generator) -> tuple[SimulatedStep, ...]:
    path: list[SimulatedStep] = []
    for node in program:
        match node:
            case SimulatedStep():
                path.append(node)
            case SimulatedChoice():
                shares = np.array(node.weights) / sum(node.weights)
                path += _path(node.programs[int(rng.choice(len(shares), p=shares))], rng)
            case SimulatedRepeat():
                for _ in range(node.times):
                    path += _path(node.program, rng)
    return tuple(path)
