"""Response time by percentile: one line for each arm, over all offered requests of its windows."""

from math import log

from loadstone.analysis.model import Analysis
from loadstone.metrics.catalogue import QUANTILES
from loadstone.metrics.outcomes import Clock
from loadstone.report.charts.arm_lines import POINTS, DrawnArm, LineAxes, draw_labelled, drawable
from loadstone.report.charts.axis import axis, time_axis
from loadstone.report.charts.live_charts import live_lines
from loadstone.report.charts.picture import Canvas, Picture, Values, in_sizes

_TICKS = {1 / (1 - q): text for q, text in ((0.5, "50 %"), (0.9, "90 %"), (0.99, "99 %"))} | {
    10.0**nines: f"99.{'9' * (nines - 2)} %" for nines in (3, 4, 5, 6)
}
"""The axis is 1 / (1 - quantile), so that each further nine takes the same room."""

_AXES = LineAxes(
    x=axis(list(_TICKS), _TICKS.__getitem__, "requests answered within this time"),
    y=time_axis("y"),
    is_log_x=True,
    is_log_y=True,
    stroke=2.2,
)
_QUANTILES = [name for name, (clock, _) in QUANTILES.items() if clock is Clock.RESPONSE_TIME]


def percentile_picture(analysis: Analysis, workload: str) -> Picture | None:
    """The chart, or none where no arm has a curve that may be shown."""
    found = drawable(analysis, workload, _QUANTILES, lambda cell: cell.curve)
    curves = {arm.index: _curve(arm) for arm in found.arms}
    points: Values = [
        {"line": arm.index, "x": x, "y": y, **arm.looks}
        for arm in found.drawn
        for x, y in curves[arm.index]
    ]
    if not points:
        return None
    low, high = min(p["y"] for p in points) / 1.1, max(p["y"] for p in points) * 1.1
    arms = [arm for arm in found.drawn if curves[arm.index]]

    def draw(canvas: Canvas) -> str:
        ends = {
            arm.index: canvas.height
            * log(high / max(y for _, y in curves[arm.index]))
            / log(high / low)
            for arm in arms
        }
        layers = _AXES.layers((low, high))
        return draw_labelled(layers, {POINTS: points}, arms, ends, canvas, f"{title}, {workload}")

    title = "Response time by percentile"
    return Picture(
        title=title,
        reading="Over all offered requests of all windows, on logarithmic axes. A line ends "
        f"where failures begin, or where its quantiles are withheld.{found.note}",
        **in_sizes(draw, one=found.choice.is_large),
        live=live_lines(
            _AXES.layers(),
            "ns",
            [
                {
                    "arm": arm.index,
                    "x": [float(f"{x:.6g}") for x, _ in curves[arm.index]],
                    "y": [y for _, y in curves[arm.index]],
                }
                for arm in found.arms
            ],
            x_unit="quantile",
        ),
    )


def _curve(arm: DrawnArm) -> list[tuple[float, int]]:
    return [
        (1 / (1 - point.quantile), point.value_ns)
        for point in arm.cell.curve
        if point.quantile < 1 and point.value_ns > 0
    ]
