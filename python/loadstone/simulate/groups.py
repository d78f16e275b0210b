"""The groups of a workload as they are simulated: who comes when, and what their sessions are."""

from collections.abc import Sequence
from dataclasses import dataclass

from loadstone.results.asked import asked_of
from loadstone.study.values.arrivals import Rate, Think, Users
from loadstone.study.values.model import Workload


@dataclass(frozen=True)
class SimulatedStep:
    """One request of a session."""

    operation: str
    """Its name in the group."""
    think: Think | None = None
    """The pause after it."""
    ends_with: int | None = None
    """A status that is ok and finishes the session; none where no answer does."""
    captures: bool = False
    """Whether later steps need a value of its answer."""


@dataclass(frozen=True)
class SimulatedChoice:
    """One of several programs, drawn each time."""

    weights: tuple[int, ...]
    programs: tuple["Program", ...]


@dataclass(frozen=True)
class SimulatedRepeat:
    """A program, several times."""

    times: int
    program: "Program"


Program = tuple[SimulatedStep | SimulatedChoice | SimulatedRepeat, ...]


@dataclass(frozen=True)
class SimulatedFeed:
    """What each session takes a row of."""

    feed: str
    rows: int
    is_taken_once: bool = False


@dataclass(frozen=True)
class SimulatedGroup:
    """One group."""

    name: str
    arrivals: Users | Rate
    session: Program
    once: Program = ()
    """What a user does before its first session."""
    start_ns: int = 0
    """When its first stage begins, since the load began."""
    pace_ns: int | None = None
    """Least time between the beginnings of a user's sessions."""
    leaves_between_requests: bool = False
    """Whether a user who leaves does not finish its session."""
    feeds: tuple[SimulatedFeed, ...] = ()
    keeps_cookies: bool = False

    @property
    def single(self) -> SimulatedStep | None:
        """The only request of its sessions; none where there is more to them."""
        only = self.session[0] if len(self.session) == 1 else None
        plain = self.pace_ns is None and not self.once and not self.feeds
        return (
            only if plain and isinstance(only, SimulatedStep) and only.ends_with is None else None
        )

    @property
    def steps(self) -> tuple[SimulatedStep, ...]:
        """Every request that a session may have, each once, in the order of the program."""
        return tuple(dict.fromkeys(steps_of((*self.once, *self.session))))


def steps_of(program: Program) -> Sequence[SimulatedStep]:
    """Every request of a program, of alternatives all."""
    found: list[SimulatedStep] = []
    for node in program:
        match node:
            case SimulatedStep():
                found.append(node)
            case SimulatedChoice():
                for each in node.programs:
                    found += steps_of(each)
            case SimulatedRepeat():
                found += steps_of(node.program)
    return found


def simulated_groups(workload: Workload) -> tuple[SimulatedGroup, ...]:
    """The groups of a workload."""
    return tuple(
        SimulatedGroup(
            name=name,
            arrivals=asked.arrivals,
            session=tuple(
                SimulatedStep(each.operation, think=workload.think) for each in workload.session
            ),
            start_ns=asked.start_ns,
        )
        for name, asked in asked_of(workload).items()
    )


def key_of(group: SimulatedGroup, operation: str, *, has_others: bool) -> str:
    """An operation as the record names it."""
    return f"{group.name}.{operation}" if has_others else operation
