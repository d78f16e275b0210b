"""The times of a run by interval, operation, clock and outcome: what log and timeline tell."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.service import Simulated
from large_study.plan import OPERATIONS
from loadstone.metrics.outcomes import Clock, Outcome

CLOCKS = tuple(Clock)


@dataclass(frozen=True)
class Times:
    """Values of one clock in groups, ascending within each."""

    group: NDArray[np.int64]
    """Of each value; ascending."""
    values: NDArray[np.int64]

    @property
    def spans(self) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Each group with its values."""
        groups, first = np.unique(self.group, return_index=True)
        parts = np.split(self.values, first[1:])
        return zip(groups.tolist(), parts, strict=True)


GROUPS_OF_AN_INTERVAL = len(OPERATIONS) * len(CLOCKS) * 2


def group_of(interval: int, operation: int, clock: Clock, *, ok: bool) -> int:
    """The number by which the values of an interval, operation, clock and outcome go."""
    return ((interval * len(OPERATIONS) + operation) * len(CLOCKS) + CLOCKS.index(clock)) * 2 + (
        0 if ok else 1
    )


def times_of(simulated: Simulated, edges_ns: NDArray[np.int64]) -> Times:
    """All times of a run; a request counts in the interval in which it ended."""
    requests = simulated.requests
    interval = np.searchsorted(edges_ns, requests.done_ns, side="right") - 1
    failed = (requests.outcome != Outcome.OK).astype(np.int64)
    lag = requests.written_ns - requests.intended_ns
    service = requests.done_ns - requests.written_ns
    of_clock = {
        Clock.RESPONSE_TIME: lag + service,
        Clock.SERVICE_TIME: service,
        Clock.LAG: lag,
        Clock.FIRST_BYTE: service * 3 // 4,
        Clock.ENGINE_LAG: lag,
    }
    groups = [
        ((interval * len(OPERATIONS) + simulated.steps.operation) * len(CLOCKS) + at) * 2 + failed
        for at in range(len(CLOCKS))
    ]
    group = np.concatenate(groups)
    values = np.concatenate([of_clock[clock] for clock in CLOCKS])
    order = np.lexsort((values, group))
    return Times(group[order], values[order])
