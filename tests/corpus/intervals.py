"""What the engine writes of each interval beside its requests, from a simulated load."""

import bisect
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.service import Sender
from loadstone.metrics.outcomes import Clock, LimitCause
from loadstone.results.load_facts import LimitFacts
from loadstone.simulate.arrivals import Stay
from loadstone.simulate.intervals import CONNECT_NS, part_of
from loadstone.simulate.requests import Requests
from simulated_load import MILLISECOND_NS, SECOND_NS

MOST_CPU_SHARE, LONGEST_STALL_NS, MOST_LATE_NS, MOST_STEAL_SHARE = 0.95, 10**8, 10**7, 0.10
"""Limits of the engine's own judgement: `own_health.rs`."""


@dataclass(frozen=True)
class LoadIntervals:
    """Intervals of one load; in the place of `simulate.intervals.Intervals`."""

    requests: Requests
    sender: Sender
    connections: int
    """Established."""
    requests_a_connection: int | None
    """After which the service closes it; none where it never does."""
    stays: tuple[Stay, ...] | None
    """Of all users; none of a rate."""
    steal_share: float
    lost_first_packets: float = 0.0
    """Share of the connections whose first packet is sent again after a second."""

    def connected_ns(self, start_ns: int, end_ns: int) -> NDArray[np.int64]:
        """What connecting took, of each connection that was established in an interval."""
        opened = self.connections if start_ns == 0 else 0
        if self.requests_a_connection is not None:
            first, behind = np.searchsorted(self.requests.done_ns, (start_ns, end_ns))
            ended = int(behind - first)
            opened = max(opened, round(ended / self.requests_a_connection))
        again = np.arange(opened) < self.lost_first_packets * opened
        return CONNECT_NS + again * np.int64(SECOND_NS)

    def handshakes_ns(self, start_ns: int, end_ns: int) -> NDArray[np.int64]:
        """None: all of it is in cleartext."""
        return np.zeros(0, dtype=np.int64)

    def of(self, start_ns: int, end_ns: int) -> dict[str, object]:
        """Those of one interval, as the timeline has them."""
        length_ns = end_ns - start_ns
        intended, done = self.requests.intended_ns, self.requests.done_ns
        in_flight = int(np.sum((intended < end_ns) & (done > end_ns)))
        limits = self._limits(start_ns, end_ns)
        return {
            "connections": self.connections,
            "in_flight": in_flight,
            "cpu_ns": self._cpu_ns(start_ns, end_ns),
            "users": None if self.stays is None else sum(stay.holds(end_ns) for stay in self.stays),
            "longest_stall_ns": self._stall_ns(start_ns, end_ns),
            **self._waits(start_ns, end_ns),
            "limited_by": list(limits) if length_ns >= SECOND_NS // 2 else [],
            "connect": {
                "ok": part_of(self.connected_ns(start_ns, end_ns)),
                "failed": None,
            },
            "tls": {"ok": None, "failed": None},
        }

    def limited(self, load_ns: int) -> tuple[LimitFacts, ...]:
        """The causes of the whole load."""
        found: dict[LimitCause, list[tuple[int, float]]] = {}
        for start_ns in range(0, load_ns, SECOND_NS):
            for cause, worst in self._limits(start_ns, start_ns + SECOND_NS).items():
                found.setdefault(cause, []).append((start_ns, worst))
        return tuple(
            LimitFacts(
                cause=cause,
                intervals=len(seen),
                first_ns=seen[0][0],
                worst=max(worst for _, worst in seen),
            )
            for cause, seen in found.items()
        )

    def _waits(self, start_ns: int, end_ns: int) -> dict[str, object]:
        """Of the engine's thread for a CPU: a little at each wake, and all of its rests."""
        written = self.requests.written_ns
        wakes = int(np.sum((written >= start_ns) & (written < end_ns)))
        begins = [begin * SECOND_NS for begin, _ in self.sender.rests]
        first, behind = (bisect.bisect_left(begins, edge) for edge in (start_ns, end_ns))
        rests = [round((end - begin) * SECOND_NS) for begin, end in self.sender.rests[first:behind]]
        at_wakes_ns = wakes * round(self.sender.wake_ms * MILLISECOND_NS)
        waits = {
            "waited_ns": at_wakes_ns + sum(rests),
            "long_waits": len(rests),
            "long_waited_ns": sum(rests),
        }
        quota = {"periods": len(rests), "throttled_ns": sum(rests)}
        return {"waits": waits, "throttled": quota if self.sender.has_quota else None}

    def _limits(self, start_ns: int, end_ns: int) -> dict[LimitCause, float]:
        first, behind = np.searchsorted(self.requests.done_ns, (start_ns, end_ns))
        inside = self.requests.where(slice(first, behind))
        lag = np.concatenate([inside.clock(Clock.ENGINE_LAG, ok=ok) for ok in (True, False)])
        late_ns = float(np.sort(lag)[int(0.99 * (lag.size - 1))]) if lag.size else 0.0
        stall_ns = self._stall_ns(start_ns, end_ns)
        cpu_share = self._cpu_ns(start_ns, end_ns) / (end_ns - start_ns)
        measured = {
            LimitCause.CPU: (cpu_share, cpu_share >= MOST_CPU_SHARE),
            LimitCause.STALL: (stall_ns / SECOND_NS, stall_ns >= LONGEST_STALL_NS),
            LimitCause.LATE: (late_ns / SECOND_NS, late_ns >= MOST_LATE_NS),
            LimitCause.STEAL: (self.steal_share, self.steal_share >= MOST_STEAL_SHARE),
        }
        return {cause: worst for cause, (worst, is_beyond) in measured.items() if is_beyond}

    def _cpu_ns(self, start_ns: int, end_ns: int) -> int:
        written = self.requests.written_ns
        count = int(np.sum((written >= start_ns) & (written < end_ns)))
        each_ms = self.sender.cpu_ms * self.sender.pace((start_ns + end_ns) / 2 / SECOND_NS)
        return min(round(count * each_ms * MILLISECOND_NS), end_ns - start_ns)

    def _stall_ns(self, start_ns: int, end_ns: int) -> int:
        """The longest stall that ended in an interval: it is known only then."""
        ended = [
            round((end - begin) * SECOND_NS)
            for begin, end in self.sender.stalls
            if start_ns <= end * SECOND_NS < end_ns
        ]
        return max(ended, default=MILLISECOND_NS)
