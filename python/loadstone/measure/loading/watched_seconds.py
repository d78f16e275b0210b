"""The seconds of a load that goes on, as far as engine and probe have told of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from loadstone.stats.series.correlated_noise import Series

SECOND_NS = 10**9


@dataclass(frozen=True)
class GroupCounters:
    """What the probe has read of one process group so far: counters that grow, by time."""

    at_ns: Sequence[int]
    """Since the load began."""
    cpu_ns: Sequence[int]
    compile_at_ns: Sequence[int] = ()
    """When the two below were read; empty: nothing tells of compile threads."""
    compile_run_ns: Sequence[int] = ()
    compile_wait_ns: Sequence[int] = ()


ReadCounters = Callable[[str], GroupCounters | None]
"""By the name of a process; none: it is not probed."""


@dataclass(frozen=True)
class Second:
    """One interval of a load as the engine tells of it."""

    start_ns: int
    end_ns: int
    ok: float
    engine_cpu_ns: float
    median_ns: int | None
    """Response time; none without an ok answer."""


@dataclass
class WatchedSeconds:
    """Parallel columns, a place for each second that both have told of."""

    compile_threads: Mapping[str, tuple[str, ...] | None]
    """Name of each service's process to names of threads; empty: its runtime never compiles, none:
    nothing is known of it.
    """
    seconds: list[Second] = field(default_factory=list)
    cpu_ns: list[float | None] = field(default_factory=list)
    """Of the services together; none where it is not told."""
    compile_run_ns: list[float] = field(default_factory=list)
    compile_demand_ns: list[float] = field(default_factory=list)
    """That compile threads ran or waited for a CPU."""
    tells_compiling: bool = True
    """Whether it is known of every service when it compiles."""

    def __post_init__(self) -> None:
        self.tells_compiling = (
            bool(self.compile_threads) and None not in self.compile_threads.values()
        )
        self._pending: list[Second] = []

    def __len__(self) -> int:
        return len(self.seconds)

    @property
    def has_compile_threads(self) -> bool:
        """Whether any of the services compiles while it runs, as far as that is known."""
        return any(self.compile_threads.values())

    def take(self, progress: Mapping[str, Any]) -> None:
        """Take the engine's line on the interval that has just ended."""
        end_ns = int(progress["elapsed_ns"])
        length_ns = end_ns % SECOND_NS or SECOND_NS
        self._pending.append(
            Second(
                start_ns=end_ns - length_ns,
                end_ns=end_ns,
                ok=progress["throughput"] * length_ns / SECOND_NS,
                engine_cpu_ns=progress["cpu_share"] * length_ns,
                median_ns=progress["response_time_p50_ns"],
            )
        )

    def advance(self, read: ReadCounters) -> bool:
        """Add the next second that the probe has been behind; false where there is none yet."""
        if not self._pending:
            return False
        second = self._pending[0]
        counters = {name: read(name) for name in self.compile_threads}
        if any(found is not None and _ends_before(found, second) for found in counters.values()):
            return False
        self._pending.pop(0)
        self.seconds.append(second)
        found = [each for each in counters.values() if each is not None and len(each.at_ns)]
        told = bool(found) and len(found) == len(counters)
        self.cpu_ns.append(
            sum(_grown(each.at_ns, each.cpu_ns, second) for each in found) if told else None
        )
        self._add_compiling(second, counters)
        return True

    def _add_compiling(self, second: Second, counters: Mapping[str, GroupCounters | None]) -> None:
        ran = waited = 0.0
        for name, threads in self.compile_threads.items():
            if not threads:
                continue
            found = counters[name]
            if found is None or not len(found.compile_at_ns):
                self.tells_compiling = False
                continue
            ran += _grown(found.compile_at_ns, found.compile_run_ns, second)
            waited += _grown(found.compile_at_ns, found.compile_wait_ns, second)
        self.compile_run_ns.append(ran)
        self.compile_demand_ns.append(ran + waited)

    def compile_demand(self, begin: int = 0) -> Series:
        """CPUs that compile threads ran on or waited for, in each second from one on."""
        lengths_ns = [each.end_ns - each.start_ns for each in self.seconds[begin:]]
        return _shares(self.compile_demand_ns[begin:], lengths_ns)

    def compile_share(self, begin: int = 0) -> Series:
        """Of the services' CPU time, what compile threads ran; 0 where that is not told."""
        return _shares(
            self.compile_run_ns[begin:], [each or np.inf for each in self.cpu_ns[begin:]]
        )

    def cost(self, begin: int, point_seconds: int) -> Series | None:
        """Return the logarithm of what an answer costs, a point for so many seconds.

        The services' CPU time over the engine's, for the same answers; without either the median
        response time. None where a point has neither.
        """
        count = (len(self) - begin) // point_seconds
        if count == 0:
            return None
        until = begin + count * point_seconds

        def summed(values: Sequence[float | None]) -> Series:
            column = np.asarray([each or 0.0 for each in values[begin:until]], dtype=float)
            return np.asarray(column.reshape(count, point_seconds).sum(axis=1))

        services = summed(self.cpu_ns)
        engine = summed([each.engine_cpu_ns for each in self.seconds])
        if services.all() and engine.all():
            return np.asarray(np.log(services / engine))
        times = summed([each.median_ns for each in self.seconds])
        return np.asarray(np.log(times)) if times.all() else None


def _shares(parts: Sequence[float], wholes: Sequence[float]) -> Series:
    return np.divide(parts, wholes, dtype=float)


def _ends_before(counters: GroupCounters, second: Second) -> bool:
    """Whether the probe has not been behind a second yet."""
    return any(
        len(column) > 0 and column[-1] < second.end_ns
        for column in (counters.at_ns, counters.compile_at_ns)
    )


def _grown(at_ns: Sequence[int], column: Sequence[int], second: Second) -> float:
    start, end = np.interp((second.start_ns, second.end_ns), at_ns, column)
    return float(end - start)
