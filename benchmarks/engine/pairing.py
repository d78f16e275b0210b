"""Paired rounds: their order, which of them count, and the ratio of a row. Pure."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

SERVER_TOLERANCE = 0.05
"""By how much the server's CPU per request may differ within a round that counts: beyond it the
two generators did not ask the same of the server, or the machine changed between them.
"""

ATTEMPTS_PER_ROUND = 2
"""A row gives up after this many times the rounds that were asked for."""


class Side(NamedTuple):
    """One run of one generator."""

    requests: int
    generator_cpu_ns: int
    server_cpu_ns: int

    @property
    def generator_us(self) -> float:
        """The generator's CPU time per request."""
        return self.generator_cpu_ns / self.requests / 1000

    @property
    def server_us(self) -> float:
        """The server's CPU time per request."""
        return self.server_cpu_ns / self.requests / 1000


@dataclass(frozen=True)
class Round:
    """The engine and a peer, one right after the other."""

    engine: Side
    peer: Side

    @property
    def ratio(self) -> float:
        """Requests per CPU-second of the generator: the engine's over the peer's."""
        return self.peer.generator_us / self.engine.generator_us

    @property
    def server_ratio(self) -> float:
        """The server's CPU per request: under the engine, over that under the peer."""
        return self.engine.server_us / self.peer.server_us

    @property
    def counts(self) -> bool:
        """Whether the server did the same work for both."""
        return abs(self.server_ratio - 1) <= SERVER_TOLERANCE


def engine_first() -> Iterator[bool]:
    """Yield for each round whether the engine goes first: ABBA, so that a drift cancels."""
    while True:
        yield True
        yield False


@dataclass(frozen=True)
class Spread:
    """A median with its range."""

    median: float
    low: float
    high: float


def spread(values: list[float]) -> Spread | None:
    """Return median and range; none without values."""
    if not values:
        return None
    return Spread(statistics.median(values), min(values), max(values))


@dataclass(frozen=True)
class PairedRounds:
    """All rounds of one row, in their order."""

    rounds: tuple[Round, ...]

    @property
    def counting(self) -> tuple[Round, ...]:
        """Those in which the server did the same work for both."""
        return tuple(each for each in self.rounds if each.counts)

    def is_enough(self, wanted: int) -> bool:
        """Whether as many count as were asked for, or it is time to give up."""
        return len(self.counting) >= wanted or len(self.rounds) >= wanted * ATTEMPTS_PER_ROUND

    @property
    def ratio(self) -> Spread | None:
        """Of the rounds that count."""
        return spread([each.ratio for each in self.counting])

    @property
    def ratio_of_all(self) -> Spread | None:
        """Of all rounds: shown beside the other, never judged."""
        return spread([each.ratio for each in self.rounds])
