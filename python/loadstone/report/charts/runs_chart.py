"""One metric or two of every run, a row for each arm: how far runs of one arm lie apart."""

from collections.abc import Mapping
from typing import Any

from loadstone.analysis.model import Analysis, Cell
from loadstone.metrics.labels import metric_label
from loadstone.report.charts.arm_lines import drawable
from loadstone.report.charts.axis import time_axis
from loadstone.report.charts.live_charts import live_rows
from loadstone.report.charts.picture import (
    Canvas,
    Layer,
    Picture,
    Values,
    arm_colour,
    as_told,
    in_sizes,
    layer,
)
from loadstone.report.charts.row_chart import MARKS, MARKS_AT, ROW, at_height, draw_rows, with_texts
from loadstone.report.tables.result_table import figure_of
from loadstone.text import units

_RESPONSE_TIMES = {"response_time.median": "circle", "response_time.p99": "diamond"}
_STARTS = {"startup": "circle", "first_request": "diamond"}


def runs_picture(analysis: Analysis, workload: str) -> Picture | None:
    """Median and p99 response time, or none where no run has one that may be shown."""
    return _picture(
        analysis,
        workload,
        _RESPONSE_TIMES,
        "Median and p99 of each run",
        "Circles are medians, diamonds are p99, one of each for each run. "
        "Runs of one arm that lie far apart are a reason to doubt.",
        "response time",
    )


def starts_picture(analysis: Analysis, workload: str) -> Picture | None:
    """Start-up and first request, of starts alone or of the start of each load."""
    return _picture(
        analysis,
        workload,
        _STARTS,
        "Start-up of each run",
        "Circles are start-up: from the process's begin to its first correct response. Diamonds are "
        "the first request after it, where it was measured.",
        "time",
    )


def _picture(
    analysis: Analysis,
    workload: str,
    shapes: Mapping[str, str],
    title: str,
    reading: str,
    x_title: str,
) -> Picture | None:
    found = drawable(analysis, workload, shapes, lambda cell: _runs(cell, shapes))
    points: Values = [
        {
            "arm": arm.index,
            "row": row,
            "x": value,
            "shape": shapes[metric],
            "colour": arm_colour(arm.index),
            "tip": f"{arm.cell.arm}: {metric_label(metric)} of run {number}, {units.duration(value)}",
        }
        for row, arm in enumerate(found.arms)
        for metric, number, value in _runs(arm.cell, shapes)
    ]
    drawn = [point for point in points if found.choice.is_drawn(point["arm"])]
    if not drawn:
        return None
    low, high = min(p["x"] for p in drawn) / 1.15, max(p["x"] for p in drawn) * 1.15

    def layers(scale: dict[str, Any]) -> list[Layer]:
        marks = layer(
            MARKS,
            "point",
            {
                "x": {
                    "field": "x",
                    "type": "quantitative",
                    "axis": time_axis("x", x_title),
                    "scale": {"type": "log", "nice": False, **scale},
                },
                "shape": as_told("shape"),
                "color": as_told("colour"),
                "tooltip": {"field": "tip", "type": "nominal"},
            },
            filled=False,
            strokeWidth=1.7,
            size=58,
        )
        return [at_height(marks, MARKS_AT)]

    def draw(canvas: Canvas) -> str:
        texts = [(arm.cell.arm, "") for arm in found.drawn]
        return draw_rows(
            layers({"domain": [low, high]}), drawn, texts, canvas, f"{title}, {workload}"
        )

    return Picture(
        title=title,
        reading=f"{reading}{found.note}",
        **in_sizes(draw, one=found.choice.is_large),
        live=live_rows(
            with_texts(layers({"padding": 16})),
            points,
            [
                {"arm": arm.index, "row": row, "left": arm.cell.arm, "right": ""}
                for row, arm in enumerate(found.arms)
            ],
            ROW,
        ),
    )


def _runs(cell: Cell, metrics: Mapping[str, str]) -> list[tuple[str, int, float]]:
    """Metric, number of the run from 1, and value, of each that has one."""
    return [
        (metric, number, run.value)
        for metric in metrics
        if (figure := figure_of(cell, metric)) is not None and figure.state == "value"
        for number, run in enumerate(figure.runs, start=1)
        if run.state == "value" and run.value
    ]
