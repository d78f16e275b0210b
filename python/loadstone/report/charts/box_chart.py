"""Box plots of response time, a chart for each operation and a row for each arm."""

from typing import Any

from loadstone.analysis.chart_model import Box
from loadstone.analysis.model import Analysis, Cell
from loadstone.report.charts.arm_lines import drawable
from loadstone.report.charts.axis import time_axis
from loadstone.report.charts.live_charts import live_rows
from loadstone.report.charts.picture import (
    INK,
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
from loadstone.text import units

MOST_OPERATIONS = 6
"""A chart for each: more of them are left to the table of operations."""

_HALF = 8
"""Of a box's height, pixels."""


def operations(analysis: Analysis, workload: str) -> tuple[str, ...]:
    """Those that have a box in any arm, in the order of the arms' first."""
    cells = (cell for cell in analysis.cells if cell.workload == workload)
    return tuple(dict.fromkeys(box.operation for cell in cells for box in cell.boxes))


def box_picture(analysis: Analysis, workload: str, operation: str) -> Picture | None:
    """The chart of one operation, or none where no arm has a box that may be shown."""

    def box(cell: Cell) -> tuple[Box, ...]:
        return tuple(each for each in cell.boxes if each.operation == operation)

    found = drawable(analysis, workload, ("response_time.median",), box)
    marks: Values = [
        _mark(arm.index, row, arm.cell.arm, each)
        for row, arm in enumerate(found.arms)
        for each in box(arm.cell)
    ]
    drawn = [mark for mark in marks if found.choice.is_drawn(mark["arm"])]
    if not drawn:
        return None
    low, high = min(m["p5"] for m in drawn) / 1.15, max(m["p95"] for m in drawn) * 1.15
    title = f"Response time of {operation}"

    def draw(canvas: Canvas) -> str:
        texts = [(arm.cell.arm, _median(box(arm.cell)[0])) for arm in found.drawn]
        return draw_rows(
            _layers({"domain": [low, high]}), drawn, texts, canvas, f"{title}, {workload}"
        )

    return Picture(
        title=title,
        reading="The box reaches from the first to the third quarter of the ok requests of all "
        "windows, with the median as a line; the thin line from 5 % to 95 %; the dot is the mean."
        f"{found.note}",
        **in_sizes(draw, one=found.choice.is_large),
        live=live_rows(
            with_texts(_layers({"padding": 12})),
            marks,
            [
                {
                    "arm": arm.index,
                    "row": row,
                    "left": arm.cell.arm,
                    "right": _median(box(arm.cell)[0]),
                }
                for row, arm in enumerate(found.arms)
            ],
            ROW,
        ),
    )


def _layers(scale: dict[str, Any]) -> list[Layer]:
    def x(name: str) -> dict[str, Any]:
        return {
            "field": name,
            "type": "quantitative",
            "axis": time_axis("x"),
            "scale": {"type": "log", "nice": False, **scale},
        }

    def to(name: str) -> dict[str, Any]:
        return {"x2": {"field": name}}

    colour = as_told("colour")
    tip = {"tooltip": {"field": "tip", "type": "nominal"}}
    whiskers = layer(MARKS, "rule", {"x": x("p5"), **to("p95"), "color": colour}, strokeWidth=1.5)
    box = layer(
        MARKS,
        "rect",
        {"x": x("p25"), **to("p75"), "fill": colour, "stroke": colour, **tip},
        fillOpacity=0.35,
        strokeWidth=1.5,
    )
    median = layer(MARKS, "rule", {"x": x("median"), **tip}, color=INK, strokeWidth=2)
    mean = layer(MARKS, "circle", {"x": x("mean"), **tip}, color=INK, size=30, opacity=1)
    top, bottom = MARKS_AT - _HALF, MARKS_AT + _HALF
    return [
        at_height(whiskers, MARKS_AT),
        at_height(box, top, bottom),
        at_height(median, top, bottom),
        at_height(mean, MARKS_AT),
    ]


def _mark(index: int, row: int, arm: str, box: Box) -> dict[str, object]:
    times_ns = {
        "least": box.least_ns,
        "5 %": box.p5_ns,
        "25 %": box.p25_ns,
        "median": box.median_ns,
        "75 %": box.p75_ns,
        "95 %": box.p95_ns,
        "most": box.most_ns,
        "mean": box.mean_ns,
    }
    texts = ", ".join(f"{name} {units.duration(value)}" for name, value in times_ns.items())
    return {
        "arm": index,
        "row": row,
        "colour": arm_colour(index),
        "p5": max(1, box.p5_ns),
        "p25": max(1, box.p25_ns),
        "median": max(1, box.median_ns),
        "p75": max(1, box.p75_ns),
        "p95": max(1, box.p95_ns),
        "mean": max(1.0, box.mean_ns),
        "tip": f"{arm}: {texts}",
    }


def _median(box: Box) -> str:
    return f"median {units.duration(box.median_ns)}"
