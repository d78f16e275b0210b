"""What a runtime tells of its own memory management, as a run record holds it.

A figure that was not taken is none, with its reason beside it, and never 0.
"""

from typing import Literal

from loadstone.frozen import Frozen


class PauseFacts(Frozen):
    """Stretches of time of one kind that touch the window."""

    count: int
    """How many; one that began before the window or ended after it counts, too."""
    total_ns: int
    """What of the window lay in them; where two overlap, once."""
    share: float
    """`total_ns` over the window's length."""
    longest_ns: int | None
    """The longest, its parts outside the window included; none where there was none."""
    median_ns: int | None
    """None where there were too few to tell it."""
    p99_ns: int | None
    """None where there were too few to tell it."""


class RuntimeFigures(Frozen):
    """What the runtime of a service told of its garbage collector over the window."""

    source: Literal["jvm-gc-log", "go-gctrace"] | None
    """What was read; none where nothing was."""
    clock_resolution_ns: int | None
    """How exactly the source's clock is known in the window's."""
    collections: int | None
    """Collections that paused the service in the window."""
    unread_collections: int | None
    """Collections since its start whose numbers the source leaves out: lines that were torn."""
    gc_pauses: PauseFacts | None
    """In which the garbage collector kept every thread waiting. What it does beside running threads
    is no pause."""
    safepoints: PauseFacts | None = None
    """In which a JVM kept every thread waiting, for whatever reason, reaching the halt included."""
    allocation_stalls: PauseFacts | None = None
    """In which single threads of a JVM waited for memory that its collector, running beside them,
    had not freed yet."""
    collector_cpu_ns: int | None = None
    """CPU time of the collections that began in the window, idle CPUs that they used apart; Go only."""
    heap_after_last_collection_bytes: int | None = None
    """What was in use after the window's last collection that said so; the sources round to MiB."""
    gc_not_measured: str | None
    """Why there are none of the figures above; none where there are."""
    heap_after_full_gc_bytes: int | None
    """What was in use after a full collection that was asked for after the load."""
    heap_not_measured: str | None
    """Why not; none where it was."""
