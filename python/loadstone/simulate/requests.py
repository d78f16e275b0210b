"""Requests of one load as arrays, and what record and timeline say of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loadstone.metrics.outcomes import Clock, LagCause, Outcome
from loadstone.results.clock_facts import ClockSplit, ClockSummary, LagPart
from loadstone.results.load_facts import OperationFacts

BYTES = 100
"""Of each request, and of each response."""

Times = NDArray[np.int64]
"""Nanoseconds, one for each request."""


@dataclass(frozen=True, eq=False)
class Requests:
    """Requests of one load as parallel arrays, in the order of their ends."""

    intended_ns: Times
    """When each was due, since the load began; so for the others."""
    written_ns: Times
    """When it was written."""
    done_ns: Times
    """When its answer was complete, or it was given up."""
    outcome: NDArray[np.str_]
    """What became of it."""
    waited_ns: Times
    """For a connection, as part of the lag; the rest of it is the engine's."""

    def where(self, chosen: "NDArray[np.bool_] | NDArray[np.int64] | slice") -> "Requests":
        """Return some of them."""
        return Requests(
            self.intended_ns[chosen],
            self.written_ns[chosen],
            self.done_ns[chosen],
            self.outcome[chosen],
            self.waited_ns[chosen],
        )

    def clock(self, clock: Clock, *, ok: bool) -> Times:
        """Return a clock of those that ended: what was never sent or answered has no time."""
        if ok:
            chosen = self.outcome == Outcome.OK
        else:
            chosen = ~np.isin(self.outcome, (Outcome.OK, Outcome.UNANSWERED, Outcome.NOT_SENT))
        intended, written, done = (
            each[chosen] for each in (self.intended_ns, self.written_ns, self.done_ns)
        )
        times: dict[Clock, Times] = {
            Clock.RESPONSE_TIME: done - intended,
            Clock.SERVICE_TIME: done - written,
            Clock.LAG: written - intended,
            Clock.FIRST_BYTE: (done - written) * 3 // 4,
            Clock.ENGINE_LAG: written - intended - self.waited_ns[chosen],
        }
        return times[clock]

    def lag_causes(self) -> dict[LagCause, LagPart]:
        """Return what made them late, answered or not: they were all written."""
        lag_ns = self.written_ns - self.intended_ns
        parts = {
            LagCause.NO_CONNECTION: self.waited_ns,
            LagCause.NO_STREAM: np.zeros_like(lag_ns),
            LagCause.ENGINE: lag_ns - self.waited_ns,
        }
        return {
            cause: LagPart(
                count=int((part > 0).sum()), sum_ns=int(part.sum()), max_ns=int(part.max(initial=0))
            )
            for cause, part in parts.items()
        }

    def outcomes(self) -> Counter[Outcome]:
        """Return how many there are of each outcome."""
        counted = Counter(self.outcome.tolist())
        return Counter({outcome: counted[outcome] for outcome in Outcome})


def together(parts: Sequence[Requests]) -> Requests:
    """Requests of several groups, in the order of their ends."""
    joined = [
        np.concatenate([getattr(part, name) for part in parts])
        for name in Requests.__dataclass_fields__
    ]
    whole = Requests(*joined)
    return whole.where(np.argsort(whole.done_ns, kind="stable"))


def operation_facts(requests: Requests, outcomes: Counter[Outcome]) -> OperationFacts:
    """Return what the record says of the requests of one operation."""
    return OperationFacts(
        outcomes=outcomes,
        bytes_sent=BYTES * outcomes.total(),
        bytes_received=BYTES * outcomes.total(),
        clocks={
            clock: ClockSplit(
                ok=clock_summary(requests.clock(clock, ok=True)),
                failed=clock_summary(requests.clock(clock, ok=False)),
            )
            for clock in Clock
        },
        lag_causes=requests.lag_causes(),
    )


def clock_summary(values: Times) -> ClockSummary | None:
    """Return count and extremes of times; none where there are none."""
    if not values.size:
        return None
    return ClockSummary(
        count=values.size,
        min_ns=int(values.min()),
        mean_ns=float(values.mean()),
        max_ns=int(values.max()),
    )
