"""What a run tells of its service's garbage collector: its pauses, its CPU time, what it left."""

from loadstone.analysis.figures.figure_states import no_service, not_measured, value
from loadstone.analysis.model import RunFigure
from loadstone.results.record import RunRecord
from loadstone.results.runtime_figures import RuntimeFigures

_METRICS = ("gc_share", "gc_cpu_share", "heap_after_gc")


def collector_figures(record: RunRecord) -> dict[str, RunFigure]:
    """`gc_share`, `gc_cpu_share` and `heap_after_gc` of the service under test."""
    service = record.service
    if service is None:
        return dict.fromkeys(_METRICS, no_service(record))
    reported = service.runtime_figures
    if reported is None:
        return dict.fromkeys(_METRICS, not_measured("the runtime was not asked"))
    used = record.resources.get(service.name)
    heap = _heap_after_gc(reported)
    if record.window is not None and record.window.late_look_ns:
        heap = not_measured("the load went on behind the window")
    return {
        "gc_share": _gc_share(reported),
        "gc_cpu_share": _gc_cpu_share(reported, used.cpu_ns if used else None),
        "heap_after_gc": heap,
    }


def _gc_share(reported: RuntimeFigures) -> RunFigure:
    if reported.gc_pauses is None:
        return not_measured(reported.gc_not_measured or "the runtime did not tell it")
    return value(reported.gc_pauses.share)


def _gc_cpu_share(reported: RuntimeFigures, cpu_ns: int | None) -> RunFigure:
    if reported.collector_cpu_ns is None:
        why = reported.gc_not_measured or "the runtime's log has no CPU time of collections"
        return not_measured(f"not told: {why}")
    if not cpu_ns:
        return not_measured("the CPU time of the service is not known")
    return value(reported.collector_cpu_ns / cpu_ns)


def _heap_after_gc(reported: RuntimeFigures) -> RunFigure:
    if reported.heap_after_full_gc_bytes is None:
        return not_measured(reported.heap_not_measured or "the runtime did not tell it")
    return value(reported.heap_after_full_gc_bytes)
