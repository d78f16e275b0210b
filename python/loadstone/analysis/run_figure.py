"""Figures that stand, and those that nobody took."""

from loadstone.analysis.model import RunFigure


def value(number: float) -> RunFigure:
    """A figure that stands."""
    return RunFigure(value=number, state="value")


def not_measured(reason: str) -> RunFigure:
    """A figure that nobody took."""
    return RunFigure(value=None, state="not measured", reason=reason)


NO_SERVICE = not_measured("the run has no process of a service")
