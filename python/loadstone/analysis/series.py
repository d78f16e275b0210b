"""One run over time, as points for a chart: an interval each, warm-up included, grace left out."""

from loadstone.analysis.model import RunSeries, SeriesPoint
from loadstone.results.timeline import TimelineInterval
from loadstone.results.window import WindowedRun


def series(run: WindowedRun) -> RunSeries:
    """A point for every interval of the load that has a length."""
    return RunSeries(
        run=run.record.run.id,
        block=run.record.run.block,
        window_start_ns=run.window.start_ns,
        steadiness=run.steadiness.kind if run.steadiness and run.asks_steadily else None,
        points=tuple(
            _point(interval)
            for interval in run.timeline
            if not interval.grace and interval.length_ns > 0
        ),
    )


def _point(interval: TimelineInterval) -> SeriesPoint:
    ok = [
        operation.response_time.ok
        for operation in interval.operations.values()
        if operation.response_time.ok is not None
    ]
    count = sum(summary.count for summary in ok)
    return SeriesPoint(
        second=interval.start_ns // 1_000_000_000,
        throughput=interval.ok / (interval.length_ns / 1e9),
        failures=interval.ended - interval.ok,
        response_time_mean_ns=sum(summary.count * summary.mean_ns for summary in ok) / count
        if count
        else None,
    )
