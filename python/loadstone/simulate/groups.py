"""The groups of a workload as they are simulated: who comes when, and what their sessions are.

Every step is performed, whatever its `when`, and a repeat whose times are no plain number once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loadstone.study.values.arrivals import Rate, Think, Users
from loadstone.study.values.feeds import FileRows, Take
from loadstone.study.values.groups import Group
from loadstone.study.values.model import Workload
from loadstone.study.values.steps import Choose, Repeat, Send, Step
from loadstone.study.values.stop_rules import StopRules

NO_RULES = StopRules()


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
    take: Take = "in_turn"

    @property
    def is_taken_once(self) -> bool:
        """Whether the load stops where a session finds no row."""
        return self.take == "once"


@dataclass(frozen=True)
class SimulatedGroup:
    """One group."""

    name: str
    arrivals: Users | Rate
    session: Program
    prefix: str = ""
    """What stands before its operations in a record: none where it is the only one, and not named."""
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
    stop: StopRules = NO_RULES
    """What of this group alone ends the load."""

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
            name=each.group,
            prefix="" if workload.is_flat else f"{each.group}.",
            arrivals=each.arrivals,
            session=_program(each.session, each),
            once=_program(each.once, each),
            start_ns=each.start_ns,
            pace_ns=each.pace_ns,
            leaves_between_requests=each.leave == "after_request",
            feeds=tuple(
                SimulatedFeed(
                    feed.source.name if isinstance(feed.source, FileRows) else feed.feed,
                    feed.source.rows,
                    feed.take,
                )
                for feed in each.feeds
                if feed.per == "session"
            ),
            keeps_cookies=each.cookies,
            stop=each.stop,
        )
        for each in workload.groups
    )


def _program(steps: Iterable[Step], group: Group) -> Program:
    program: list[SimulatedStep | SimulatedChoice | SimulatedRepeat] = []
    for step in steps:
        match step:
            case Send():
                program.append(
                    SimulatedStep(
                        step.operation,
                        think=step.think or group.think,
                        ends_with=next(iter(step.check.or_end), None),
                        captures=any(each.missing == "fail" for each in step.captures),
                    )
                )
            case Choose():
                program.append(
                    SimulatedChoice(
                        tuple(each.weight for each in step.choose),
                        tuple(_program(each.steps, group) for each in step.choose),
                    )
                )
            case Repeat():
                times = step.repeat if isinstance(step.repeat, int) else 1
                program.append(SimulatedRepeat(times, _program(step.steps, group)))
    return tuple(program)
