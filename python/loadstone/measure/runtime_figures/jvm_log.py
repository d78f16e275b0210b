"""A JVM's unified log of its garbage collector, as `with_gc_log` orders it. Pure.

Formats were taken from OpenJDK 17 and 25 with the collectors Serial, Parallel, G1, Shenandoah and Z.
A line that is none of the known ones, or that was torn, is passed over.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from loadstone.measure.runtime_figures.collector_log import Pause, milliseconds, missing, size_bytes

_LINE = re.compile(r"\[(\d{1,19})ns\]\[\w+ *\]\[([\w,]+) *\] (.*)")
_COLLECTION = re.compile(r"GC\((\d{1,9})\) (?:[yYO]: )?(.*)")
_TIMED = re.compile(
    r"(Pause .*?)(?: \d+[BKMG]->(\d{1,9})([BKMG])\(\d+[BKMG]\))? (\d{1,9}\.\d{3})ms"
)
_HEAP_OF_CYCLE = re.compile(
    r"\w+ Collection \(.*\) \d+M\(\d+%\)->(\d{1,9})(M)\(\d+%\)(?: [\d.]+s)?"
)
_SAFEPOINT = re.compile(r'Safepoint "(.*)", Time since last: .* Total: +(\d{1,19}) ns\b.*')
_STALL = re.compile(r"Allocation Stall \(.*\) (\d{1,9}\.\d{3})ms")


@dataclass(frozen=True)
class JvmLog:
    """Everything that is read of a log; times are those of the monotonic clock."""

    pauses: tuple[Pause, ...]
    """The collector's: each is one part of a collection for collectors that also run beside threads."""
    safepoints: tuple[Pause, ...]
    """Of the whole JVM: with the way there, so longer than the pause in it."""
    stalls: tuple[Pause, ...]
    """Of single threads that waited for memory."""
    heaps: tuple[Pause, ...]
    """Ends of collections, of length 0, with the heap in use."""
    numbers: frozenset[int]
    """Of collections."""
    lines: int
    """That were the JVM's."""

    @property
    def unread_collections(self) -> int:
        """Collections that left no line at all."""
        return missing(self.numbers, first=0)


def parse_jvm_log(lines: Iterable[str]) -> JvmLog:
    """Return what the lines of a log say."""
    pauses, safepoints, stalls, heaps = [], [], [], []
    numbers: set[int] = set()
    known = 0
    for time_ns, tags, message in _decorated(lines):
        known += 1
        if tags == "safepoint":
            if found := _SAFEPOINT.fullmatch(message):
                length_ns = int(found[2])
                safepoints.append(Pause(time_ns - length_ns, length_ns, found[1]))
            continue
        number = None
        if numbered := _COLLECTION.fullmatch(message):
            number, message = int(numbered[1]), numbered[2]
            numbers.add(number)
        if (pause := _pause(time_ns, number, message)) is not None:
            pauses.append(pause)
            if pause.heap_after_bytes is not None:
                heaps.append(pause)
        elif found := _STALL.fullmatch(message):
            length_ns = milliseconds(found[1])
            stalls.append(Pause(time_ns - length_ns, length_ns, "Allocation Stall"))
        elif found := _HEAP_OF_CYCLE.fullmatch(message):
            heap_bytes = size_bytes(found[1], found[2])
            heaps.append(Pause(time_ns, 0, "Collection", number, heap_bytes))
    return JvmLog(
        pauses=tuple(pauses),
        safepoints=tuple(safepoints),
        stalls=tuple(stalls),
        heaps=tuple(heaps),
        numbers=frozenset(numbers),
        lines=known,
    )


def _decorated(lines: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Yield time, tags and message of each line that has them."""
    for line in lines:
        if found := _LINE.fullmatch(line.rstrip()):
            yield int(found[1]), found[2], found[3]


def _pause(time_ns: int, number: int | None, message: str) -> Pause | None:
    """Return the pause whose end a message tells: it is written when it is over."""
    found = _TIMED.fullmatch(message)
    if found is None or number is None:
        return None
    length_ns = milliseconds(found[4])
    heap_bytes = None if found[2] is None else size_bytes(found[2], found[3])
    return Pause(time_ns - length_ns, length_ns, found[1], number, heap_bytes)
