"""What a run tells of its service without any load: its start, and its memory at the marks."""

from loadstone.analysis.catalogue import MARKS
from loadstone.analysis.model import RunFigure
from loadstone.analysis.run_figure import no_service, not_measured, value
from loadstone.results.record import RunRecord

_STARTUP = {
    "startup": "first_correct_response_ns",
    "startup_cpu": "cpu_ns",
    "startup_rss": "rss_bytes",
    "first_request": "first_request_ns",
}
"""Metric to field of the start-up clock."""


def service_figures(record: RunRecord) -> dict[str, RunFigure]:
    """Start-up and marks of the service under test."""
    return {
        **{name: _startup(record, field) for name, field in _STARTUP.items()},
        **{name: _mark(record, mark) for name, mark in MARKS.items()},
    }


def _startup(record: RunRecord, field: str) -> RunFigure:
    if record.address is not None:
        return not_measured("the service was running already")
    service = record.service
    if service is None:
        return no_service(record)
    if service.startup is None:
        return not_measured("the start-up clock did not run")
    found = getattr(service.startup, field)
    return not_measured("the kernel did not tell") if found is None else value(found)


def _mark(record: RunRecord, mark: str) -> RunFigure:
    found = next((each for each in record.marks if each.mark == mark), None)
    if found is None:
        return not_measured("the run has no such mark")
    if found.pss_bytes is None:
        return not_measured("the kernel does not tell how pages are shared")
    return value(found.pss_bytes)
