"""What a JVM answers to `GC.heap_info`. Pure.

Formats were taken from OpenJDK 17 and 25 with the collectors Serial, Parallel, G1, Shenandoah and Z.
"""

import re

from loadstone.measure.runtime_figures.collector_log import size_bytes

_WHOLE = (
    re.compile(r"^ *garbage-first heap +total .*\bused (\d{1,15})([BKMG]) \[", re.MULTILINE),
    re.compile(r"^ *ZHeap +used (\d{1,15})([BKMG]), capacity", re.MULTILINE),
    re.compile(r"^Shenandoah Heap\n.* committed, (\d{1,15})([BKMG]) used$", re.MULTILINE),
)
_GENERATIONS = (
    (r"(?:def new generation|DefNew)", r"(?:tenured generation|Tenured)"),
    (r"PSYoungGen", r"ParOldGen"),
)


def used_bytes(text: str) -> int | None:
    """Return the heap in use, class metadata apart; none where the answer is not understood."""
    for pattern in _WHOLE:
        if found := pattern.search(text):
            return size_bytes(found[1], found[2])
    for names in _GENERATIONS:
        parts = [_generation(name, text) for name in names]
        if None not in parts:
            return sum(part for part in parts if part is not None)
    return None


def _generation(name: str, text: str) -> int | None:
    found = re.search(rf"^ *{name} +total .*?\bused (\d{{1,15}})([BKMG]) \[", text, re.MULTILINE)
    return None if found is None else size_bytes(found[1], found[2])
