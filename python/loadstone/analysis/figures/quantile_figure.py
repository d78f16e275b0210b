"""One quantile of a run's times, or of several runs' together, or why there is none."""

from loadstone.analysis.figures.figure_states import not_measured, value
from loadstone.analysis.model import RunFigure
from loadstone.results.histograms import Histogram
from loadstone.stats.values.quantile import quantile_over_offered, reached, samples_needed

NOTHING_ENDED = not_measured("no request ended in the window")


def quantile_figure(
    ok: Histogram,
    offered: int,
    quantile: float,
    what: str = "requests",
    otherwise: str = "were not ok",
) -> RunFigure:
    """A quantile over all offered requests; each that was not ok ranks above every ok one."""
    if offered == 0:
        return NOTHING_ENDED
    if not reached(quantile, offered):
        needed = samples_needed(quantile)
        reason = f"{offered} {what}, {needed} needed"
        return RunFigure(value=None, state="too few samples", reason=reason)
    values, counts = ok.recorded
    failed = offered - ok.count
    found = quantile_over_offered(values, counts, failed, quantile)
    if found is None:
        reason = f"{failed} of {offered} {what} {otherwise}"
        return RunFigure(value=None, state="failed", reason=reason)
    return value(found)
