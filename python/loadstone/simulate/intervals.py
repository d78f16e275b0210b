"""What the intervals of a simulated load hold beside requests: users, connections, limits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loadstone.metrics.outcomes import LimitCause
from loadstone.simulate.arrivals import SECOND_NS, Stay
from loadstone.simulate.requests import Times

CONNECT_NS = 800_000
"""What connecting takes, for each connection."""
TLS_NS = 1_200_000
"""What the handshake takes that follows."""


@dataclass(frozen=True, eq=False)
class Intervals:
    """What the intervals of one load hold beside its requests."""

    connections: int
    """Open at once, all of them opened in the first interval where `opened_ns` tells nothing else."""
    stays: Sequence[Stay] | None
    """Of the users; none of a rate."""
    limits: tuple[tuple[LimitCause, int], ...]
    """By what the engine is the limit, and in which second."""
    stall_ns: int
    """The engine's longest stall in each of them."""
    opened_ns: Times | None = None
    """When each connection is opened, ascending."""
    is_tls: bool = False
    """Whether a handshake follows."""

    @property
    def opened(self) -> int:
        """How many connections are opened in the whole load."""
        return self.connections if self.opened_ns is None else len(self.opened_ns)

    def connected_ns(self, start_ns: int, end_ns: int) -> Times:
        """Return what connecting took, for each connection that was established in an interval."""
        if self.opened_ns is None:
            count = self.connections if start_ns == 0 else 0
        else:
            first, behind = np.searchsorted(self.opened_ns, (start_ns, end_ns))
            count = int(behind - first)
        return np.full(count, CONNECT_NS)

    def handshakes_ns(self, start_ns: int, end_ns: int) -> Times:
        """Return what each TLS handshake of an interval took."""
        count = len(self.connected_ns(start_ns, end_ns)) if self.is_tls else 0
        return np.full(count, TLS_NS)

    def of(self, start_ns: int, end_ns: int) -> dict[str, object]:
        """Return those of one interval, as a line of the timeline has them."""
        connected = self.connected_ns(start_ns, end_ns)
        users = None
        if self.stays is not None:
            users = sum(stay.holds(end_ns) for stay in self.stays)
        return {
            "connections": self.connections,
            "users": users,
            "longest_stall_ns": self.stall_ns,
            "limited_by": [
                cause for cause, second in self.limits if second * SECOND_NS == start_ns
            ],
            "connect": {"ok": part_of(connected), "failed": None},
            "tls": {"ok": part_of(self.handshakes_ns(start_ns, end_ns)), "failed": None},
        }


def part_of(values: Times) -> dict[str, float] | None:
    """Return how a line of the timeline sums up times; none where there are none."""
    if not values.size:
        return None
    ascending = np.sort(values)
    p50, p99 = (ascending[math.ceil(share * values.size) - 1] for share in (0.5, 0.99))
    return {
        "count": values.size,
        "mean_ns": float(values.mean()),
        "p50_ns": int(p50),
        "p99_ns": int(p99),
        "max_ns": int(values.max()),
    }
