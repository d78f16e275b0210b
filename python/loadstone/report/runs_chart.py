"""Every run's median and p99 response time, a row for each arm: how far runs of one arm lie apart."""

import altair as alt

from loadstone.analysis.model import Analysis
from loadstone.report.arm_lines import drawable
from loadstone.report.axis import time_axis
from loadstone.report.picture import NARROW, WIDE, Canvas, Picture, Values, arm_colour, marks_over
from loadstone.report.result_table import figure_of
from loadstone.report.row_chart import MARKS_AT, draw_rows, row_top, y_pixels

_SHAPES = {"response_time.median": "circle", "response_time.p99": "diamond"}


def runs_picture(analysis: Analysis, workload: str) -> Picture | None:
    """The chart, or none where no run has a median or p99 that may be shown."""
    arms, left_out = drawable(analysis, workload, _SHAPES, lambda cell: cell.figures)
    points: Values = [
        {
            "x": run.value,
            "y": row_top(row) + MARKS_AT,
            "shape": shape,
            "colour": arm_colour(arm.index),
        }
        for row, arm in enumerate(arms)
        for metric, shape in _SHAPES.items()
        if (figure := figure_of(arm.cell, metric)) is not None and figure.state == "value"
        for run in figure.runs
        if run.state == "value" and run.value
    ]
    if not points:
        return None
    low, high = min(p["x"] for p in points) / 1.15, max(p["x"] for p in points) * 1.15
    x = alt.X("x:Q", axis=time_axis(low, high))
    x = x.scale(type="log", domain=[low, high], nice=False)
    marks = (
        marks_over(points)
        .mark_point(filled=False, strokeWidth=1.7, size=58)
        .encode(
            x=x,
            y=y_pixels("y"),
            shape=alt.Shape("shape:N", scale=None),
            color=alt.Color("colour:N", scale=None),
        )
    )

    def draw(canvas: Canvas) -> str:
        return draw_rows([marks], [(arm.cell.arm, "") for arm in arms], canvas, title)

    title = "Median and p99 of each run"
    return Picture(
        title=title,
        reading="Circles are medians, diamonds are p99, one of each for each run. "
        f"Runs of one arm that lie far apart are a reason to doubt.{left_out}",
        wide=draw(WIDE),
        narrow=draw(NARROW),
    )
