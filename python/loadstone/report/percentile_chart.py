"""Response time by percentile: one line for each arm, over all offered requests of its windows."""

from math import log

import altair as alt

from loadstone.analysis.catalogue import QUANTILES
from loadstone.analysis.model import Analysis
from loadstone.report.arm_lines import draw_labelled, drawable, line_layer
from loadstone.report.axis import axis, time_axis
from loadstone.report.picture import NARROW, WIDE, Canvas, Picture, Values
from loadstone.results.outcomes import Clock

_TICKS = {1 / (1 - q): text for q, text in ((0.5, "50 %"), (0.9, "90 %"), (0.99, "99 %"))} | {
    10.0**nines: f"99.{'9' * (nines - 2)} %" for nines in (3, 4, 5, 6)
}
"""The axis is 1 / (1 - quantile), so that each further nine takes the same room."""


_QUANTILES = [name for name, (clock, _) in QUANTILES.items() if clock is Clock.RESPONSE_TIME]


def percentile_picture(analysis: Analysis, workload: str) -> Picture | None:
    """The chart, or none where no arm has a curve that may be shown."""
    arms, left_out = drawable(analysis, workload, _QUANTILES, lambda cell: cell.curve)
    points: Values = [
        {"arm": arm.index, "x": 1 / (1 - point.quantile), "y": point.value_ns}
        for arm in arms
        for point in arm.cell.curve
        if point.quantile < 1 and point.value_ns > 0
    ]
    if not points:
        return None
    low, high = min(p["y"] for p in points) / 1.1, max(p["y"] for p in points) * 1.1
    reach = max(2.0, *(p["x"] for p in points))
    ticks = [value for value in _TICKS if value <= reach * 1.001]
    ends = {
        arm: max(p["y"] for p in points if p["arm"] == arm) for arm in {p["arm"] for p in points}
    }

    def draw(canvas: Canvas) -> str:
        x = alt.X("x:Q", axis=axis(ticks, _TICKS.__getitem__, "requests answered within this time"))
        y = alt.Y("y:Q", axis=time_axis(low, high))
        lines = line_layer(
            points,
            x.scale(type="log", domain=[1, reach], nice=False),
            y.scale(type="log", domain=[low, high], nice=False),
            "arm",
            2.2,
        )
        heights = {
            arm: canvas.height * log(high / end) / log(high / low) for arm, end in ends.items()
        }
        shown = [arm for arm in arms if arm.index in ends]
        return draw_labelled([lines], shown, heights, canvas, f"{title}, {workload}")

    title = "Response time by percentile"
    return Picture(
        title=title,
        reading="Over all offered requests of all windows, on logarithmic axes. A line ends "
        f"where failures begin, or where its quantiles are withheld.{left_out}",
        wide=draw(WIDE),
        narrow=draw(NARROW),
    )
