"""What a run tells of its service without any load: its build, its start, its memory at the marks."""

from collections.abc import Callable

from loadstone.analysis.figures.figure_states import no_service, not_measured, value
from loadstone.analysis.model import RunFigure
from loadstone.metrics.catalogue import MARKS
from loadstone.metrics.marks import AFTER_REQUESTS, Mark
from loadstone.results.record import RunRecord
from loadstone.results.service_facts import BuildFacts
from loadstone.text.words import counted

_STARTUP = {
    "startup": "first_correct_response_ns",
    "startup_claimed": "claimed_ns",
    "startup_cpu": "cpu_ns",
    "startup_rss": "rss_bytes",
    "first_request": "first_request_ns",
}
"""Metric to field of the start-up clock."""

_NO_CLAIM = "its log claims no start-up time"
_UNTOLD = "the kernel did not tell"


def service_figures(record: RunRecord) -> dict[str, RunFigure]:
    """Build of all services of the arm, each once; start-up and marks of the one that was called."""
    return {
        "build_time": _of_builds(
            record, lambda build: build.duration_ns + (build.training_ns or 0)
        ),
        "artifact_size": _of_builds(
            record, lambda build: build.artifact_bytes + (build.training_bytes or 0)
        ),
        **{name: _startup(record, field) for name, field in _STARTUP.items()},
        **{name: _mark(record, name.partition(".")[0], mark) for name, mark in MARKS.items()},
    }


def _of_builds(record: RunRecord, number_of: Callable[[BuildFacts], int]) -> RunFigure:
    if record.address is not None:
        return not_measured("the service was running already")
    if record.service is None:
        return no_service(record)
    builds = [each.build for each in record.services if each.instance_of is None]
    known = [build for build in builds if build is not None]
    if len(known) < len(builds):
        return not_measured("a service of the arm was not built by the lab")
    return value(sum(map(number_of, known)))


def _startup(record: RunRecord, field: str) -> RunFigure:
    if record.address is not None:
        return not_measured("the service was running already")
    service = record.service
    if service is None:
        return no_service(record)
    if service.startup is None:
        return not_measured("the start-up clock did not run")
    found = getattr(service.startup, field)
    if found is None:
        return not_measured(_NO_CLAIM if field == "claimed_ns" else _UNTOLD)
    return value(found)


def _mark(record: RunRecord, memory: str, mark: Mark) -> RunFigure:
    found = next((each for each in record.marks if each.mark == mark), None)
    if found is None:
        return not_measured(_why_no_mark(record, mark))
    if memory == "rss":
        return value(found.rss_bytes) if found.rss_bytes else not_measured(_UNTOLD)
    if found.pss_bytes is None:
        return not_measured("the kernel does not tell how pages are shared")
    return value(found.pss_bytes)


def _why_no_mark(record: RunRecord, mark: Mark) -> str:
    """Why a run was not read at a moment: its load may have come before so many requests."""
    sent, needed = record.first_requests, AFTER_REQUESTS.get(mark)
    if sent is None or needed is None or sent >= needed:
        return "the run has no such mark"
    return f"{counted(sent, 'first request')} came before the load, {needed} are needed"
