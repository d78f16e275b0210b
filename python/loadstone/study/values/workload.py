"""What an arm is measured under: a load of one or more groups, or fresh starts."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from loadstone.frozen import Frozen
from loadstone.study.values.arrivals import Rate, Think, Users, steady
from loadstone.study.values.faults import Fault
from loadstone.study.values.flat_workload import in_groups
from loadstone.study.values.groups import Group
from loadstone.study.values.operation import Operation
from loadstone.study.values.steps import Send, without_pauses
from loadstone.study.values.stop_rules import StopRules

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WARMING_WINDOW_NS = 10**9
"""How long a load that makes a service warm goes on behind its end: a window is a second at least."""
WARMING_USERS = 32
"""Of a group that makes a service warm, at most: so many keep a CPU busy, and more would only wait."""
USUAL_FIRST_REQUESTS = 5
"""Of a footprint that does not say its own: as many as the published tables of memory give it."""


class Workload(Frozen):
    """Who loads, with what, for how long. A footprint is a load with marks before, in and after it."""

    workload: str
    """Its name."""
    kind: Literal["load", "footprint"] = "load"
    """Requests over a time, or memory at named marks around them."""
    rest_ns: int = 0
    """Of a footprint: how long a service rests before its first mark, and before its last."""
    first: tuple[Send, ...] = ()
    """Of a footprint: what its service is asked before the load, in turn, each once; none: as many as
    `USUAL_FIRST_REQUESTS` of its session."""
    groups: tuple[Group, ...] = Field(min_length=1)
    """Who loads."""
    is_flat: bool = False
    """Whether its only group stands at the top of its file: records then name its operations alone."""
    streams: int = Field(default=1, ge=1)
    """Requests in flight at most on one connection: HTTP/2 streams, or pipelined HTTP/1.1."""
    new_connections: bool = False
    """Whether every request has a connection of its own."""
    redirects: int = Field(default=0, ge=0)
    """Redirects of one request that are followed at most."""
    duration_ns: int
    """How long requests are started, whole seconds; behind a warm-up until steady."""
    warm_up_ns: int | None
    """The first part of `duration_ns`, left out of the window; none where it is to be detected, or
    lasts until the load is steady."""
    steady_within_ns: int | None = None
    """A warm-up until steady: how long it lasts at most, before `duration_ns`; none: `warm_up_ns`."""
    warmed_within_ns: int | None = None
    """How long the load that makes its service warm before it lasts at most; none: nothing does."""
    connect_timeout_ns: int
    """Longest time to connect."""
    timeout_ns: int
    """Longest time from a request to the end of its answer."""
    grace_ns: int
    """How long requests in flight are waited for after `duration_ns`."""
    stop: StopRules = StopRules()
    """What ends the load before `duration_ns`."""
    purpose: str | None = None
    """The operation that its sessions are for; none where it names none."""
    faults: tuple[Fault, ...] = ()
    """What is done to the system while it is loaded, in the order of time."""

    @model_validator(mode="before")
    @classmethod
    def _of_one_group(cls, given: Any) -> Any:
        return in_groups(given)

    @property
    def window_ns(self) -> int | None:
        """How long its window is, if no rule ends it before; none where that is to be detected."""
        if self.steady_within_ns is not None:
            return self.duration_ns
        return None if self.warm_up_ns is None else self.duration_ns - self.warm_up_ns

    @property
    def only_group(self) -> Group | None:
        """Its group where it has one alone."""
        return self.groups[0] if len(self.groups) == 1 else None

    @property
    def arrivals(self) -> Users | Rate | None:
        """How the sessions of its only group begin; none of several."""
        return None if self.only_group is None else self.only_group.arrivals

    @property
    def think(self) -> Think | None:
        """The pause of its only group."""
        return None if self.only_group is None else self.only_group.think

    @property
    def session(self) -> tuple[Operation, ...]:
        """Every operation of every group, with its templates as they are typed."""
        return tuple(send.as_typed for group in self.groups for send in group.operations)

    @property
    def is_writing(self) -> bool:
        """Whether it writes something else each time, so that what it reads may rightly change."""
        return any(
            send.method not in _SAFE_METHODS and not send.is_plain
            for group in self.groups
            for send in group.operations
        )

    @property
    def plain_session(self) -> tuple[Operation, ...] | None:
        """The requests of its only group, sent in turn and each time the same; none of another."""
        group = self.only_group
        if group is None or group.once or not all(isinstance(step, Send) for step in group.session):
            return None
        sends = tuple(group.sends)
        is_plain = all(each.is_plain and not each.captures and not each.when for each in sends)
        return tuple(each.as_typed for each in sends) if is_plain else None

    @property
    def cells(self) -> Mapping[str, tuple[Group, Send]]:
        """What records count apart, in their order: an operation, and each further status of it."""
        return dict(self._cells())

    def _cells(self) -> Iterator[tuple[str, tuple[Group, Send]]]:
        for group in self.groups:
            for send in group.operations:
                cell = self.cell(group, send)
                yield cell, (group, send)
                for status in send.check.further:
                    yield f"{cell}.{status}", (group, send)

    def cell(self, group: Group, send: Send) -> str:
        """What records call an operation."""
        return send.operation if self.is_flat else f"{group.group}.{send.operation}"

    @property
    def connections(self) -> int:
        """How many all groups have at most."""
        return sum(group.connections for group in self.groups)

    @property
    def changes_ns(self) -> int:
        """From when on users and rates of all groups stay the same, since the load began."""
        return max(group.changes_ns for group in self.groups)

    @property
    def is_closed(self) -> bool:
        """Whether all groups are closed users."""
        return all(isinstance(group.arrivals, Users) for group in self.groups)

    @property
    def is_open(self) -> bool:
        """Whether all groups are rates."""
        return all(isinstance(group.arrivals, Rate) for group in self.groups)

    @property
    def sampled(self) -> dict[str, Operation]:
        """The operations by what records call them, with their templates as they are typed."""
        return {cell: send.as_typed for cell, (_, send) in self.cells.items()}

    def of_one_user(self) -> "Workload":
        """One user of the first group, who never pauses."""
        group = self.groups[0]
        alone = group.model_copy(
            update={
                "arrivals": Users(stages=steady(1)),
                "start_ns": 0,
                "think": None,
                "pace_ns": None,
                "once": without_pauses(group.once),
                "session": without_pauses(group.session),
            }
        )
        return self.model_copy(update={"groups": (alone,), "streams": 1})

    def warming(self) -> "Workload":
        """The load that makes the service warm before this one: the same users from its begin on and
        without pauses, `WARMING_USERS` of a group at most, until the service is steady.
        """
        groups = tuple(
            group.model_copy(
                update={
                    "arrivals": Users(stages=steady(min(group.arrivals.highest, WARMING_USERS))),
                    "start_ns": 0,
                    "think": None,
                    "pace_ns": None,
                    "once": without_pauses(group.once),
                    "session": without_pauses(group.session),
                    "stop": StopRules(),
                }
            )
            for group in self.groups
        )
        changes = {
            "groups": groups,
            "duration_ns": WARMING_WINDOW_NS,
            "warm_up_ns": None,
            "steady_within_ns": self.warmed_within_ns,
            "warmed_within_ns": None,
            "stop": StopRules(),
            "faults": (),
        }
        return self.model_copy(update=changes)

    @property
    def first_requests(self) -> int | None:
        """How many requests its service gets before the load of a footprint; none of a load."""
        if self.kind != "footprint":
            return None
        return len(self.first) or USUAL_FIRST_REQUESTS

    def of_first(self, begin: int, end: int) -> "Workload":
        """One caller who sends these of the first requests in turn, each over a connection of its own
        and under a name of its own.
        """
        sends = tuple(
            send.model_copy(update={"operation": f"{send.operation}-{number}"})
            for number, send in enumerate(self.first[begin:end], start=begin + 1)
        )
        caller = Group(group="first", arrivals=Users(stages=steady(1)), session=sends)
        changes = {"groups": (caller,), "is_flat": True, "streams": 1, "new_connections": True}
        return self.model_copy(update=changes)

    @property
    def may_stop_early(self) -> bool:
        """Whether a rule may end it, of all groups together or of one."""
        rules = (self.stop, *(group.stop for group in self.groups))
        return any(each != StopRules() for each in rules)

    def with_group(self, **changes: Any) -> "Workload":
        """The same with its only group changed."""
        (group,) = self.groups
        return self.model_copy(update={"groups": (group.model_copy(update=changes),)})


class StartupWorkload(Frozen):
    """Nothing but fresh starts: each is a run."""

    workload: str
    """Its name."""
    kind: Literal["startup"] = "startup"
    """Starts without load."""
    starts: int
    """Of every arm, over the whole study."""


AnyWorkload = Annotated[Workload | StartupWorkload, Field(discriminator="kind")]
