"""What a run tells of its service's garbage collector."""

from loadstone.analysis.figures.figure_states import no_service, not_measured, value
from loadstone.analysis.model import RunFigure
from loadstone.results.record import RunRecord
from loadstone.results.runtime_figures import RuntimeFigures


def collector_figures(record: RunRecord) -> dict[str, RunFigure]:
    """`gc_share` and `heap_after_gc` of the service under test."""
    service = record.service
    if service is None:
        return dict.fromkeys(("gc_share", "heap_after_gc"), no_service(record))
    reported = service.runtime_figures
    if reported is None:
        not_asked = not_measured("the runtime was not asked")
        return dict.fromkeys(("gc_share", "heap_after_gc"), not_asked)
    heap = _heap_after_gc(reported)
    if record.window is not None and record.window.late_look_ns:
        heap = not_measured("the load went on behind the window")
    return {"gc_share": _gc_share(reported), "heap_after_gc": heap}


def _gc_share(reported: RuntimeFigures) -> RunFigure:
    if reported.gc_pauses is None:
        return not_measured(reported.gc_not_measured or "the runtime did not tell it")
    return value(reported.gc_pauses.share)


def _heap_after_gc(reported: RuntimeFigures) -> RunFigure:
    if reported.heap_after_full_gc_bytes is None:
        return not_measured(reported.heap_not_measured or "the runtime did not tell it")
    return value(reported.heap_after_full_gc_bytes)
