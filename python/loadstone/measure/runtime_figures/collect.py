"""Reads what a runtime tells of its garbage collector, once, when the load is over.

Clocks: a JVM's log has the monotonic clock, which is the lab's own; Go's has the time since the start
of the program, which the kernel tells in ticks. Nothing here fails a run: what cannot be told is not
measured, with the reason.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from loadstone.deploy.process import Child
from loadstone.errors import Unavailable
from loadstone.machine import ownership
from loadstone.machine.procfs import TICK_NS
from loadstone.measure.runtime_figures.collector_log import facts, within
from loadstone.measure.runtime_figures.full_collection import heap_after_full_collection, writer_of
from loadstone.measure.runtime_figures.go_trace import parse_go_trace
from loadstone.measure.runtime_figures.jvm_log import parse_jvm_log
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.study.systems.launch import FoundRuntime, gc_log_path

JVM_RESOLUTION_NS = 1000
"""Of the lengths of pauses, from which their begin is told."""

LONGEST_LINE_BYTES = 4096
"""Those of a collector are shorter; a service may write anything."""


def collect_runtime_figures(
    runtime: FoundRuntime, child: Child, logs: Path, window_unix_ns: tuple[int, int] | None
) -> RuntimeFigures:
    """Return the figures of a service over the window, its begin and end since 1970; none is no window.

    `logs` is the folder that it was deployed with. It must still run, and nothing may be measured
    afterwards: a JVM is made to collect its whole heap.
    """
    exposes = runtime.runtime.exposes
    if exposes is None or exposes.log is None:
        unknown = f"the file of the runtime {runtime.runtime.runtime} does not say what it tells"
        return _nothing(unknown if exposes is None else exposes.nothing or unknown)
    if exposes.log == "go-gctrace":
        return _of_go(child, window_unix_ns)
    return _of_jvm(runtime, child, logs, window_unix_ns)


def _nothing(gc_reason: str, heap_reason: str | None = None) -> RuntimeFigures:
    return RuntimeFigures(
        source=None,
        clock_resolution_ns=None,
        collections=None,
        unread_collections=None,
        gc_pauses=None,
        gc_not_measured=gc_reason,
        heap_after_full_gc_bytes=None,
        heap_not_measured=heap_reason or gc_reason,
    )


_NO_WINDOW = "the run has no window"


def _of_jvm(
    runtime: FoundRuntime, child: Child, logs: Path, window_unix_ns: tuple[int, int] | None
) -> RuntimeFigures:
    path = gc_log_path(logs, child.name)
    pauses = _pauses_of_jvm(path, window_unix_ns)
    try:
        heap, reason = _heap_of_jvm(runtime, child, logs, path), None
    except Unavailable as error:
        heap, reason = None, error.message
    return pauses.model_copy(update={"heap_after_full_gc_bytes": heap, "heap_not_measured": reason})


def _heap_of_jvm(runtime: FoundRuntime, child: Child, logs: Path, gc_log: Path) -> int:
    pid = writer_of(gc_log, child.pid)
    if pid is None:
        raise Unavailable(f"no process of {child.name} has {gc_log.name} open")
    jcmd = Path("jcmd") if runtime.home is None else runtime.home / "bin" / "jcmd"
    return heap_after_full_collection(jcmd, pid, logs / f"{child.name}-jcmd.log")


def _pauses_of_jvm(path: Path, window_unix_ns: tuple[int, int] | None) -> RuntimeFigures:
    if window_unix_ns is None:
        return _nothing(_NO_WINDOW)
    # Not kept from the start of the run: whoever sets the clock moves both sides alike.
    monotonic_to_unix_ns = time.time_ns() - time.monotonic_ns()
    start_ns, end_ns = (edge - monotonic_to_unix_ns for edge in window_unix_ns)
    try:
        log = parse_jvm_log(_lines(path))
    except OSError as error:
        return _nothing(f"{path.name} cannot be read: {error.strerror}")
    if not log.lines:
        return _nothing(f"{path.name} has no line of a JVM's log")
    heaps = within(log.heaps, start_ns, end_ns)
    paused = within(log.pauses, start_ns, end_ns)
    return RuntimeFigures(
        source="jvm-gc-log",
        clock_resolution_ns=JVM_RESOLUTION_NS,
        collections=len({pause.collection for pause in paused}),
        unread_collections=log.unread_collections,
        gc_pauses=facts(paused, start_ns, end_ns),
        safepoints=facts(log.safepoints, start_ns, end_ns),
        allocation_stalls=facts(log.stalls, start_ns, end_ns),
        heap_after_last_collection_bytes=heaps[-1].heap_after_bytes if heaps else None,
        gc_not_measured=None,
        heap_after_full_gc_bytes=None,
        heap_not_measured=None,
    )


_GO_HEAP = "Go does not let its heap be collected from outside"


def _of_go(child: Child, window_unix_ns: tuple[int, int] | None) -> RuntimeFigures:
    if window_unix_ns is None:
        return _nothing(_NO_WINDOW, _GO_HEAP)
    started_unix_ns = _started_unix_ns(child.pid)
    if started_unix_ns is None:
        return _nothing("it has ended, and with it the kernel's knowledge of its start", _GO_HEAP)
    start_ns, end_ns = (edge - started_unix_ns for edge in window_unix_ns)
    try:
        trace = parse_go_trace(_lines(child.log_path))
    except OSError as error:
        return _nothing(f"{child.log_path.name} cannot be read: {error.strerror}", _GO_HEAP)
    if not trace.collections:  # GODEBUG may not have reached it, so this is no 0
        return _nothing(f"{child.log_path.name} tells of no collection at all", _GO_HEAP)
    pauses = within(
        (pause for each in trace.collections for pause in each.pauses), start_ns, end_ns
    )
    heaps = [pause.heap_after_bytes for pause in pauses if pause.heap_after_bytes is not None]
    return RuntimeFigures(
        source="go-gctrace",
        clock_resolution_ns=TICK_NS,
        collections=len({pause.collection for pause in pauses}),
        unread_collections=trace.unread_collections,
        gc_pauses=facts(pauses, start_ns, end_ns),
        collector_cpu_ns=sum(
            each.cpu_ns
            for each in trace.collections
            if start_ns <= each.sweep_termination.start_ns < end_ns
        ),
        heap_after_last_collection_bytes=heaps[-1] if heaps else None,
        gc_not_measured=None,
        heap_after_full_gc_bytes=None,
        heap_not_measured=_GO_HEAP,
    )


def _started_unix_ns(pid: int) -> int | None:
    """Return when a process was started, within half a tick of the kernel; none where it is gone."""
    ticks = ownership.start_time(pid)
    if ticks is None:
        return None
    boot_to_unix_ns = time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return int(ticks) * TICK_NS + TICK_NS // 2 + boot_to_unix_ns


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a log; one that is longer than a collector's comes in parts."""
    with path.open("rb") as file:
        while line := file.readline(LONGEST_LINE_BYTES):
            yield line.decode("utf-8", "replace")
