"""What a JVM sees of its container, as it says at its start with `-Xlog:gc+init` (JDK 17 and later).

It proves that a limit reached the JVM, and explains its choice of collector and heap. Later lines of a
garbage collector's log are not read here.
"""

import re
from pathlib import Path

from loadstone.results.service_facts import JvmLimits

_UNIT_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
"""HotSpot's prefixes are powers of 1024 (`proper_unit_for_byte_size` in globalDefinitions.hpp)."""

_CPUS = re.compile(r"\] CPUs: \d+ total, (\d+) available$", re.MULTILINE)
_MEMORY = re.compile(r"\] Memory: (\d+)([KMG])$", re.MULTILINE)
_HEAP = re.compile(r"\] (?:Heap )?Max Capacity: (\d+)([KMG])$", re.MULTILINE)
_COLLECTOR = re.compile(
    r"\] (?:Using|Initializing) (?:The )?(\w+)(?: Garbage Collector)?$", re.MULTILINE
)


LONGEST_START_BYTES = 1 << 16
"""The start is some 2 KB; what follows it is not needed."""


def read_jvm_limits(path: Path) -> JvmLimits | None:
    """Return what the log of a JVM says at its start; none without such a log."""
    try:
        with path.open("rb") as file:
            return parse_jvm_limits(file.read(LONGEST_START_BYTES).decode("utf-8", "replace"))
    except FileNotFoundError:
        return None


def parse_jvm_limits(log: str) -> JvmLimits | None:
    """Return what the start of a JVM's unified log says, whatever its decorations; none without it.

    The lines were taken from OpenJDK 17 and 25 with the collectors Serial, Parallel, G1 and Z.
    """
    cpus, memory, heap = (pattern.search(log) for pattern in (_CPUS, _MEMORY, _HEAP))
    if cpus is None or memory is None or heap is None:
        return None
    collector = _COLLECTOR.search(log)
    return JvmLimits(
        cpus=int(cpus[1]),
        memory_bytes=_size_bytes(memory),
        heap_bytes=_size_bytes(heap),
        collector=None if collector is None else collector[1],
    )


def _size_bytes(found: re.Match[str]) -> int:
    return int(found[1]) * _UNIT_BYTES[found[2]]
