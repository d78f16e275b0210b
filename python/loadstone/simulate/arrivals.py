"""When simulated users come and go, and when sessions start, by the stages of the plan.

The engine's own pacing is exact; here a rate that changes is even within each second.
"""

from typing import NamedTuple

import numpy as np

from loadstone.simulate.requests import Times
from loadstone.study.values.arrivals import ConstantThink, Rate, Think, UniformThink, Users

SECOND_NS = 1_000_000_000
NEVER_NS = np.iinfo(np.int64).max // 2
"""Later than any load, and still a time that another can be added to."""


class Stay(NamedTuple):
    """One user, from its first request to when it asks no more."""

    begin_ns: int
    end_ns: int
    """Never, of one who stays until the load ends."""

    number: int = 0
    """The user's, in its group."""

    def later(self, by_ns: int) -> "Stay":
        """The same stay, of a group that comes later."""
        end_ns = NEVER_NS if self.end_ns >= NEVER_NS else self.end_ns + by_ns
        return self._replace(begin_ns=self.begin_ns + by_ns, end_ns=end_ns)

    def holds(self, at_ns: int) -> bool:
        """Whether the user is there at a time."""
        return self.begin_ns <= at_ns < self.end_ns


def stays_of(arrivals: Users) -> tuple[Stay, ...]:
    """Return every stay of a user, in the order in which they begin. Whoever came last goes first."""
    present: list[int] = []
    stays: list[Stay] = []
    level, began_ns = 0.0, 0
    for stage in arrivals.stages:
        while len(present) < round(stage.to):
            share = (len(present) + 1 - level) / (stage.to - level)
            present.append(round(began_ns + share * stage.over_ns))
        while len(present) > round(stage.to):
            share = (level - len(present) + 1) / (level - stage.to)
            begin_ns = present.pop()
            gone_ns = round(began_ns + share * stage.over_ns)
            stays.append(Stay(begin_ns, gone_ns, len(present)))
        level, began_ns = stage.to, began_ns + stage.over_ns
    staying = [Stay(begin_ns, NEVER_NS, number) for number, begin_ns in enumerate(present)]
    return tuple(sorted([*stays, *staying]))


def session_starts(arrivals: Rate, load_ns: int, rng: np.random.Generator) -> Times:
    """Return when the sessions of a rate start within a load."""
    if arrivals.is_steady and not arrivals.poisson:
        return np.arange(0, load_ns, SECOND_NS / arrivals.highest).astype(np.int64)
    edges_ns = [*range(0, load_ns, SECOND_NS), load_ns]
    started = np.array([arrivals.until(edge_ns) for edge_ns in edges_ns])
    total = float(started[-1])
    if arrivals.poisson:
        counts = np.sort(rng.uniform(0, total, rng.poisson(total)))
    else:
        counts = np.arange(0, total)
    starts: Times = np.interp(counts, started, edges_ns).astype(np.int64)
    return starts


def pauses(think: Think | None, count: int, rng: np.random.Generator) -> Times:
    """Return what users pause, one for each of `count` requests."""
    if isinstance(think, ConstantThink):
        return np.full(count, think.constant_ns)
    if isinstance(think, UniformThink):
        return rng.integers(*think.uniform_ns, size=count, endpoint=True)
    return rng.exponential(think.mean_ns if think else 0, count).astype(np.int64)
