"""The lines that Go writes to stderr under `GODEBUG=gctrace=1`. Pure.

The format is in the documentation of Go's package runtime, under "Environment Variables". A line is
written in pieces, so another thread's output may tear it; it is then passed over, and its number
missing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from loadstone.measure.runtime_figures.collector_log import Pause, milliseconds, missing

_NUMBER = r"(\d{1,12}(?:\.\d{1,9})?)"
_LINE = re.compile(
    rf"gc (\d{{1,9}}) @{_NUMBER}s \d+%: {_NUMBER}\+{_NUMBER}\+{_NUMBER} ms clock, "
    rf"{_NUMBER}\+{_NUMBER}/{_NUMBER}/{_NUMBER}\+{_NUMBER} ms cpu, "
    r"\d+->\d+->(\d{1,9}) MB, \d+ MB goal,.* \d+ P(?: \(forced\))?"
)
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class GoCollection:
    """One collection; times are nanoseconds since the start of the program."""

    number: int
    sweep_termination: Pause
    """The halt at its beginning."""
    mark_termination: Pause
    """The halt at its end."""
    cpu_ns: int
    """Without that of CPUs that had nothing else to do."""

    @property
    def pauses(self) -> tuple[Pause, Pause]:
        """Both halts: between them it ran beside the program."""
        return self.sweep_termination, self.mark_termination


@dataclass(frozen=True)
class GoTrace:
    """Everything that is read of a log."""

    collections: tuple[GoCollection, ...]

    @property
    def unread_collections(self) -> int:
        """Collections whose line was torn."""
        return missing((each.number for each in self.collections), first=1)


def parse_go_trace(lines: Iterable[str]) -> GoTrace:
    """Return what the lines of a service's log say of collections."""
    return GoTrace(
        tuple(
            _collection(*found.groups()) for line in lines if (found := _LINE.search(line.rstrip()))
        )
    )


def _collection(
    number: str,
    start_seconds: str,
    sweep: str,
    concurrent: str,
    mark: str,
    sweep_cpu: str,
    assist_cpu: str,
    background_cpu: str,
    _idle_cpu: str,
    mark_cpu: str,
    heap_after: str,
) -> GoCollection:
    start_ns = round(float(start_seconds) * 1e9)
    sweep_ns, concurrent_ns, mark_ns = (milliseconds(each) for each in (sweep, concurrent, mark))
    return GoCollection(
        number=int(number),
        sweep_termination=Pause(start_ns, sweep_ns, "sweep termination", int(number)),
        mark_termination=Pause(
            start_ns + sweep_ns + concurrent_ns,
            mark_ns,
            "mark termination",
            int(number),
            int(heap_after) * MEBIBYTE,
        ),
        cpu_ns=sum(map(milliseconds, (sweep_cpu, assist_cpu, background_cpu, mark_cpu))),
    )
