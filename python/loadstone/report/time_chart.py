"""Throughput over time: one line for each run, in the colour of its arm."""

from collections import Counter
from collections.abc import Sequence

import altair as alt

from loadstone.analysis.model import Analysis, Cell
from loadstone.report import units
from loadstone.report.arm_lines import DrawnArm, draw_labelled, drawable, line_layer
from loadstone.report.axis import axis, linear_ticks
from loadstone.report.labels import counted
from loadstone.report.picture import INK, NARROW, WIDE, Canvas, Picture, Values, marks_over


def time_picture(analysis: Analysis, workload: str) -> Picture | None:
    """The chart, or none where no arm has a series that may be shown."""
    arms, left_out = drawable(analysis, workload, ("throughput",), _seconds)
    if not arms:
        return None
    points: Values = [
        {"arm": arm.index, "run": run.run, "x": point.second + 0.5, "y": point.throughput}
        for arm in arms
        for run in arm.cell.series
        for point in run.points
    ]
    ticks = linear_ticks(max(p["y"] for p in points))
    end = max(p["x"] for p in points) + 0.5
    starts = {run.window_start_ns / 1e9 for arm in arms for run in arm.cell.series}
    warm_up = max(starts)

    def draw(canvas: Canvas) -> str:
        x = alt.X(
            "x:Q", axis=alt.Axis(title="seconds since the load began", tickCount=6, tickMinStep=1)
        )
        x = x.scale(domain=[0, end], nice=False)
        y = alt.Y("y:Q", axis=axis(ticks, _rate_tick, "requests ok a second"))
        y = y.scale(domain=[0, ticks[-1]], nice=False)
        layers = [line_layer(points, x, y, "run", 1.3)]
        if warm_up:
            shade = marks_over([{"x": 0, "to": warm_up}]).mark_rect(color=INK, opacity=0.07)
            layers.insert(0, shade.encode(x=x, x2="to:Q"))
        heights = {
            arm.index: canvas.height * (1 - _mean_at_end(arm.cell) / ticks[-1]) for arm in arms
        }
        return draw_labelled(layers, arms, heights, canvas, f"{title}, {workload}")

    title = "Throughput over time"
    of_some = " of one run or more" if len(starts) > 1 else ""
    shaded = f" The shaded part is warm-up{of_some}." if warm_up else ""
    reading = f"One line for each run.{shaded}{_steadiness(arms)}{left_out}"
    return Picture(title, reading, draw(WIDE), draw(NARROW))


def _steadiness(arms: Sequence[DrawnArm]) -> str:
    """`Steadiness of 12 runs: 10 warm-up, 2 flat.`; nothing where they were too short to tell."""
    kinds = Counter(run.steadiness for arm in arms for run in arm.cell.series if run.steadiness)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f" Steadiness of {counted(kinds.total(), 'run')}: {told}." if told else ""


def _seconds(cell: Cell) -> list[object]:
    return [point for run in cell.series for point in run.points]


def _mean_at_end(cell: Cell) -> float:
    ends = [run.points[-1].throughput for run in cell.series if run.points]
    return sum(ends) / len(ends)


def _rate_tick(per_second: float) -> str:
    return units.tick(per_second, "1/s")
