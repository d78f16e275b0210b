"""A group of users: how its sessions begin, and what each of them does."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.arrivals import Rate, Think, Users
from loadstone.study.values.expressions import Let
from loadstone.study.values.feeds import Feed
from loadstone.study.values.steps import Send, Step, sends_in
from loadstone.study.values.stop_rules import StopRules


class Group(Frozen):
    """Who loads, and with what."""

    group: str
    """Its name; unique in the workload."""
    arrivals: Users | Rate
    """How sessions begin."""
    start_ns: int = Field(default=0, ge=0)
    """When its first stage begins, since the load began."""
    leave: Literal["after_session", "after_request"] = "after_session"
    """When a user goes whom a stage has no place for: with its session done, or with its request."""
    think: Think | None = None
    """The pause after each request; a step may have another. None follows each answer at once."""
    pace_ns: int | None = None
    """The least time between the beginnings of a user's sessions."""
    cookies: bool = False
    """Whether sessions keep cookies."""
    feeds: tuple[Feed, ...] = ()
    """What its values are taken from."""
    lets: tuple[Let, ...] = ()
    """Values that are fixed when a session begins, each behind those that it is made of."""
    once: tuple[Step, ...] = ()
    """What a user does before its first session."""
    session: tuple[Step, ...] = Field(min_length=1)
    """What one user does in turn, again and again."""
    stop: StopRules = StopRules()
    """What of this group alone ends the whole load."""

    @property
    def sends(self) -> Iterator[Send]:
        """Every request of it, those before the first session first."""
        yield from sends_in(self.once)
        yield from sends_in(self.session)

    @property
    def operations(self) -> tuple[Send, ...]:
        """Its requests, each name once."""
        found: dict[str, Send] = {}
        for send in self.sends:
            found.setdefault(send.operation, send)
        return tuple(found.values())

    @property
    def pauses(self) -> bool:
        """Whether it ever does nothing between an answer and the next request."""
        own = any(each.think is not None for each in self.sends)
        return own or self.think is not None or self.pace_ns is not None

    @property
    def connections(self) -> int:
        """How many it has at most."""
        if isinstance(self.arrivals, Rate):
            return self.arrivals.connections
        return round(self.arrivals.highest)

    @property
    def changes_ns(self) -> int:
        """From when on its users or its rate stay the same, since the load began."""
        return self.start_ns + self.arrivals.changes_ns

    @property
    def is_steady(self) -> bool:
        """Whether it is as large from the first moment on as ever."""
        return self.arrivals.is_steady and not self.start_ns
