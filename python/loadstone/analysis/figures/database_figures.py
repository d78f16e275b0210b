"""What each answer cost a database, and how full the CPUs of both sides were."""

from collections.abc import Callable

from loadstone.analysis.figures.figure_states import no_service, not_measured, untold, value
from loadstone.analysis.model import RunFigure
from loadstone.results.database_work import DatabaseWork
from loadstone.results.window import WindowedRun

_NO_DATABASE = "the lab started no database for it"

_NOT_TOLD = "its server does not tell it"

_COUNTED: dict[str, Callable[[DatabaseWork], int | None]] = {
    "database_statements_per_ok": lambda work: work.statements,
    "database_rows_per_ok": lambda work: work.rows_read,
    "database_other_commands_per_ok": lambda work: work.other_commands,
}
"""Metric to the counts of a database that it is made of."""


def database_work_figures(run: WindowedRun) -> dict[str, RunFigure]:
    """Of all databases together: what they did for each ok request, and how their tables grew."""
    counted = {name: _per_whole_ok(run, of_work) for name, of_work in _COUNTED.items()}
    return {**counted, "database_rows_added": _rows_added(run)}


def no_database(run: WindowedRun) -> RunFigure | None:
    """Why a run has no figure of a database; none where it has one."""
    if run.record.source is not None:
        return untold(run.record.source, "dependencies")
    return None if run.databases else not_measured(_NO_DATABASE)


def _per_whole_ok(run: WindowedRun, of_work: Callable[[DatabaseWork], int | None]) -> RunFigure:
    if (none := no_database(run)) is not None:
        return none
    if not run.whole_ok:
        return not_measured("no request was ok in the load")
    counted = [of_work(each.database_work) for each in run.databases if each.database_work]
    known = [each for each in counted if each is not None]
    if len(known) < len(counted):
        return not_measured(_NOT_TOLD)
    return value(sum(known) / run.whole_ok)


def _rows_added(run: WindowedRun) -> RunFigure:
    if (none := no_database(run)) is not None:
        return none
    rows = run.database_rows
    return not_measured(_NOT_TOLD) if rows is None else value(rows[1] - rows[0])


def cpu_share_figures(run: WindowedRun) -> dict[str, RunFigure]:
    """How full the CPUs of the services were, and the fullest one of what measures."""
    used, busiest = run.service_resources, run.busiest_bench_cpu
    if used is None:
        services = no_service(run.record)
    elif used.cpu_share is None:
        services = not_measured("the probe could not read it")
    else:
        services = value(used.cpu_share)
    return {
        "service_cpu_share": services,
        "bench_cpu_share": not_measured("no CPU is the bench's alone, or it was not probed")
        if busiest is None
        else value(busiest.busy_share),
    }
