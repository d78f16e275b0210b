"""The spread of each operation's response time, as the numbers of a box plot."""

from collections.abc import Sequence

from loadstone.analysis.chart_model import Box
from loadstone.metrics.outcomes import Clock
from loadstone.results.histograms import merge
from loadstone.results.parts import Part
from loadstone.results.window import WindowedRun
from loadstone.stats.values.quantile import quantile_over_offered

_QUANTILES = {"p5_ns": 0.05, "p25_ns": 0.25, "median_ns": 0.5, "p75_ns": 0.75, "p95_ns": 0.95}


def boxes(loaded: Sequence[WindowedRun]) -> tuple[Box, ...]:
    """One for each operation that was ok at least once, over the windows of all runs; none of the
    answers of a further status, which are few.
    """
    names = dict.fromkeys(
        name
        for run in loaded
        for name, facts in run.record.operations.items()
        if not facts.is_further_status(name)
    )
    found = (_box(loaded, name) for name in names)
    return tuple(box for box in found if box is not None)


def _box(loaded: Sequence[WindowedRun], operation: str) -> Box | None:
    part = Part.operation(operation)
    times = merge([run.histogram(Clock.RESPONSE_TIME, ok=True, part=part) for run in loaded])
    mean_ns = times.mean_ns()
    if mean_ns is None:
        return None
    values, counts = times.recorded
    quantiles = {
        name: quantile_over_offered(values, counts, 0, quantile)
        for name, quantile in _QUANTILES.items()
    }
    return Box(
        operation=operation,
        least_ns=int(values[0]),
        most_ns=int(values[-1]),
        mean_ns=mean_ns,
        **{name: int(value) for name, value in quantiles.items() if value is not None},
    )
