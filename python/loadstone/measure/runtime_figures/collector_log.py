"""What every log of a garbage collector comes to, and its figures over a window. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from loadstone.results.runtime_figures import PauseFacts
from loadstone.stats.values.quantile import rank, reached


@dataclass(frozen=True)
class Pause:
    """A stretch of time on the log's own clock."""

    start_ns: int
    duration_ns: int
    kind: str
    """In the log's own words."""
    collection: int | None = None
    """The number of the collection that it is part of; none of what is not part of one."""
    heap_after_bytes: int | None = None
    """In use at its end, where the log says so."""

    @property
    def end_ns(self) -> int:
        """Its first nanosecond behind it."""
        return self.start_ns + self.duration_ns

    def touches(self, start_ns: int, end_ns: int) -> bool:
        """Whether any of it lies in `[start_ns, end_ns)`; one of length 0 has its start there."""
        return self.start_ns < end_ns and max(self.end_ns, self.start_ns + 1) > start_ns


def within(pauses: Iterable[Pause], start_ns: int, end_ns: int) -> tuple[Pause, ...]:
    """Return those that touch `[start_ns, end_ns)`, in order of their start."""
    found = (pause for pause in pauses if pause.touches(start_ns, end_ns))
    return tuple(sorted(found, key=lambda pause: pause.start_ns))


def facts(pauses: Iterable[Pause], start_ns: int, end_ns: int) -> PauseFacts:
    """Return the figures over a window of positive length. Quantiles are by nearest rank."""
    inside = within(pauses, start_ns, end_ns)
    total_ns, covered_until_ns = 0, start_ns
    for pause in inside:
        until_ns = min(pause.end_ns, end_ns)
        total_ns += max(0, until_ns - max(pause.start_ns, covered_until_ns))
        covered_until_ns = max(covered_until_ns, until_ns)
    durations = sorted(pause.duration_ns for pause in inside)
    return PauseFacts(
        count=len(inside),
        total_ns=total_ns,
        share=total_ns / (end_ns - start_ns),
        longest_ns=durations[-1] if durations else None,
        median_ns=_quantile(durations, 0.5),
        p99_ns=_quantile(durations, 0.99),
    )


def _quantile(ordered: list[int], quantile: float) -> int | None:
    if not reached(quantile, len(ordered)):
        return None
    return ordered[rank(quantile, len(ordered)) - 1]


def missing(numbers: Iterable[int], first: int) -> int:
    """Return how many numbers are left out from `first` to the largest."""
    found = {number for number in numbers if number >= first}
    return max(found) - first + 1 - len(found) if found else 0


def milliseconds(text: str) -> int:
    """Return nanoseconds of a decimal number of milliseconds."""
    return round(float(text) * 1e6)


_UNITS = {"B": 0, "K": 10, "M": 20, "G": 30}


def size_bytes(number: str, unit: str) -> int:
    """Return the bytes of a size as a JVM prints it: `12` and `M` are 12 MiB."""
    return int(number) << _UNITS[unit]
