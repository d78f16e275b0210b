"""Makes figures with a value, and figures without one."""

from loadstone.analysis.model import RunFigure
from loadstone.results.imported_from import ImportedFrom
from loadstone.results.record import RunRecord


def value(number: float) -> RunFigure:
    """A figure with a value."""
    return RunFigure(value=number, state="value")


def not_measured(reason: str) -> RunFigure:
    """A figure that was not measured, with the reason."""
    return RunFigure(value=None, state="not measured", reason=reason)


def untold(source: ImportedFrom, what: str) -> RunFigure:
    """A figure that the file of another tool cannot give."""
    return not_measured(source.absent.get(what, f"{source.tool} does not tell it"))


def no_service(record: RunRecord) -> RunFigure:
    """A figure of the service's process, which the record does not have."""
    if record.source is not None:
        return untold(record.source, "service")
    reason = None if record.address is None else record.address.not_found
    return not_measured(reason or "the run has no process of a service")
