"""What the plan asked of each group of users: when they come, and whether they pause.

A record of before has one group, in its `arrivals` and `think`. Readers ask `asked_groups`, which knows
both.
"""

from typing import TypedDict

from pydantic import Field

from loadstone.frozen import Frozen
from loadstone.study.values.arrivals import Rate, Think, Users
from loadstone.study.values.model import AnyWorkload, StartupWorkload


class AskedGroup(Frozen):
    """What the plan asked of one group."""

    arrivals: Users | Rate
    """How its sessions begin."""
    think: Think | None = None
    """The pause of its users; steps may have others."""
    start_ns: int = Field(default=0, ge=0)
    """When its first stage begins, since the load began."""

    @property
    def changes_ns(self) -> int:
        """From when on its users or its rate stay the same, since the load began."""
        return self.start_ns + self.arrivals.changes_ns

    def lowest(self, begin_ns: int, end_ns: int) -> float:
        """The least users or rate between two moments of the load."""
        if begin_ns < self.start_ns:
            return 0.0
        return self.arrivals.lowest(begin_ns - self.start_ns, end_ns - self.start_ns)

    def until(self, end_ns: int) -> float:
        """Of a rate: the sessions that it starts up to a moment of the load."""
        return self.arrivals.until(max(0, end_ns - self.start_ns))


def asked_of(workload: AnyWorkload) -> dict[str, AskedGroup]:
    """What a workload asks of each of its groups, by name; nothing where it only starts services."""
    if isinstance(workload, StartupWorkload):
        return {}
    return {
        each.group: AskedGroup(arrivals=each.arrivals, think=each.think, start_ns=each.start_ns)
        for each in workload.groups
    }


class AskedFacts(TypedDict):
    """The fields of a record that say it."""

    groups: dict[str, AskedGroup]
    arrivals: Users | Rate | None
    think: Think | None
    purpose: str | None
    mean_limit_ns: int | None
    stops_from_window: bool


def asked_facts(workload: AnyWorkload) -> AskedFacts:
    """What a record says that a workload asked for."""
    groups = asked_of(workload)
    only = next(iter(groups.values())) if len(groups) == 1 else None
    return AskedFacts(
        groups=groups,
        arrivals=None if only is None else only.arrivals,
        think=None if only is None else only.think,
        purpose=None if isinstance(workload, StartupWorkload) else workload.purpose,
        mean_limit_ns=_mean_limit_ns(workload),
        stops_from_window=not isinstance(workload, StartupWorkload) and workload.stop.from_window,
    )


def _mean_limit_ns(workload: AnyWorkload) -> int | None:
    rule = None if isinstance(workload, StartupWorkload) else workload.stop.mean_response_time
    return None if rule is None else rule.above_ns
