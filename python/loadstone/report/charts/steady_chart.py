"""From start to steady: what an arm gives from the spawn of its service on, one line for each arm.

Of closed users it is throughput as a share of the window's, so that arms of any speed begin low and
come to 1; of a rate it is the p99 response time.
"""

from collections.abc import Sequence
from math import log
from statistics import median
from typing import NamedTuple

from loadstone.analysis.chart_model import RunSeries
from loadstone.analysis.model import Analysis, Cell
from loadstone.report.charts.arm_lines import (
    BEGINS,
    POINTS,
    DrawnArm,
    LineAxes,
    draw_labelled,
    drawable,
)
from loadstone.report.charts.axis import linear_ticks, time_axis, unit_axis
from loadstone.report.charts.live_charts import live_lines
from loadstone.report.charts.picture import Canvas, Picture, Values, in_sizes
from loadstone.report.steady_text import is_closed, is_watched
from loadstone.stats.series.thinning import thinned

MOST_POINTS = 120
"""Of one line: it is there to be read and not to be zoomed far into."""


class _Line(NamedTuple):
    x: tuple[float, ...]
    y: tuple[float, ...]
    begin: tuple[float, float]
    """Where the window begins."""


def steady_picture(analysis: Analysis, workload: str) -> Picture | None:
    """The chart, or none where no warm-up was watched, or no arm of those may be shown."""
    cells = [cell for cell in analysis.cells if cell.workload == workload]
    if not is_watched(cells):
        return None
    closed = is_closed(cells)
    metric = "throughput" if closed else "response_time.p99"
    lines = {cell.arm: _line(cell, closed=closed) for cell in cells}

    def shown(cell: Cell) -> Sequence[object]:
        return lines[cell.arm] or ()

    found = drawable(analysis, workload, (metric,), shown)
    told = [(arm, line) for arm in found.arms if (line := lines[arm.cell.arm]) is not None]
    drawn = [(arm, line) for arm, line in told if found.choice.is_drawn(arm.index)]
    if not drawn:
        return None
    axes = _axes(analysis, closed=closed)
    title = f"{'Throughput' if closed else 'p99 response time'} from start to steady"
    low, high = _range([y for _, line in drawn for y in line.y], closed=closed)

    def at(value: float, canvas: Canvas) -> float:
        share = 1 - value / high if closed else log(high / value) / log(high / low)
        return canvas.height * share

    def draw(canvas: Canvas) -> str:
        data = {
            POINTS: [point for arm, line in drawn for point in _points(arm, line)],
            BEGINS: [_begin(line) | arm.looks for arm, line in drawn],
        }
        ends = {arm.index: at(line.y[-1], canvas) for arm, line in drawn}
        arms = [arm for arm, _ in drawn]
        layers = axes.layers((low, high))
        return draw_labelled(layers, data, arms, ends, canvas, f"{title}, {workload}")

    return Picture(
        title=title,
        reading="The median of each second over an arm's runs. A line begins with the load, after as "
        "long as the start took where that is known; what the lab does between them is left out. "
        f"The dot is where the window began.{found.note}",
        **in_sizes(draw, one=found.choice.is_large),
        live=live_lines(
            axes.layers(),
            "share" if closed else "ns",
            [
                {
                    "arm": arm.index,
                    "x": [float(f"{x:.6g}") for x in line.x],
                    "y": [float(f"{y:.4g}") for y in line.y],
                }
                for arm, line in told
            ],
            begins=[{"arm": arm.index, **_begin(line)} for arm, line in told],
            x_unit="s",
        ),
    )


def _axes(analysis: Analysis, *, closed: bool) -> LineAxes:
    """The same for all workloads of a study, as charts of one name have to have."""
    runs = [run for cell in analysis.cells for run in cell.series]
    since = "service was spawned" if any(run.startup_ns for run in runs) else "load began"
    return LineAxes(
        x={"title": f"seconds since the {since}", "tickCount": 6, "tickMinStep": 1},
        y=unit_axis("share", "throughput, as a share of the window's")
        if closed
        else time_axis("y", "p99 of the requests ok in a second"),
        is_log_y=not closed,
        stroke=2.0,
        is_marked=True,
    )


def _line(cell: Cell, *, closed: bool) -> _Line | None:
    """The median of the runs whose warm-up was watched, as long as half of them go on."""
    runs = [run for run in cell.series if run.steady_by is not None]
    figure = cell.by_metric.get("throughput")
    unit = figure.value if closed and figure is not None else None if closed else 1.0
    if not runs or not unit:
        return None
    starts_ns = [run.startup_ns for run in runs if run.startup_ns is not None]
    started = median(starts_ns) / 1e9 if starts_ns else 0.0
    by_second: dict[int, list[float]] = {}
    for run in runs:
        for second, value in zip(run.seconds, _column(run, closed=closed), strict=False):
            if value is not None and (closed or value > 0):
                by_second.setdefault(int(second), []).append(value / unit)
    known = sorted(second for second, each in by_second.items() if 2 * len(each) >= len(runs))
    if not known:
        return None
    heights = [median(by_second[second]) for second in known]
    begin = median(run.window_start_ns for run in runs) / 1e9
    at_begin = next((y for x, y in zip(known, heights, strict=True) if x >= begin), heights[-1])
    short = thinned([second + 0.5 for second in known], [heights], MOST_POINTS)
    return _Line(
        tuple(started + x for x in short.positions),
        tuple(y for y in short.columns[0] if y is not None),
        (started + begin, at_begin),
    )


def _column(run: RunSeries, *, closed: bool) -> Sequence[float | None]:
    return run.throughput if closed else run.response_time_p99_ns


def _points(arm: DrawnArm, line: _Line) -> Values:
    return [
        {"line": arm.index, "x": x, "y": y, **arm.looks}
        for x, y in zip(line.x, line.y, strict=True)
    ]


def _begin(line: _Line) -> dict[str, object]:
    x, y = line.begin
    return {"x": float(f"{x:.6g}"), "y": float(f"{y:.4g}")}


def _range(heights: Sequence[float], *, closed: bool) -> tuple[float, float]:
    if closed:
        return 0.0, linear_ticks(max(heights))[-1]
    return min(heights) / 1.1, max(heights) * 1.1
