"""Ratios with their intervals, a row for each comparison, beside the margin and the line at 1.

Comparisons by difference, those without an interval and withheld ones are left to the table.
"""

from math import ceil, floor
from typing import Any

from loadstone.analysis.model import Analysis
from loadstone.report.charts.arm_choice import arm_choice
from loadstone.report.charts.axis import axis, log_ticks
from loadstone.report.charts.picture import INK, WIDE, Canvas, Picture, as_told, in_sizes, layer
from loadstone.report.charts.row_chart import MARKS, MARKS_AT, ROW, at_height, draw_rows
from loadstone.report.verdict_lines import VerdictLine
from loadstone.text import units

_TONES = {
    "better": ("#009E73", "circle"),
    "worse": ("#D55E00", "square"),
    "equivalent": ("#0072B2", "diamond"),
    "cannot-tell": ("#8A8A8A", "circle"),
}
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
_TICKS_AT_MOST = 6
MOST_ROWS = 24
"""More of them are a column that nobody reads: they are left to the table."""


def ratio_picture(
    analysis: Analysis, workload: str, lines: tuple[VerdictLine, ...]
) -> Picture | None:
    """The chart of one workload, or none where nothing can be drawn or the study is simulated."""
    told = [line for line in lines if line.is_drawn and line.comparison.workload == workload]
    drawn = told[:MOST_ROWS]
    rows = [_row(index, line) for index, line in enumerate(drawn)]
    if not rows or analysis.simulated:
        return None
    low = min(row[key] for row in rows for key in ("low", "margin_low")) / 1.02
    high = max(row[key] for row in rows for key in ("high", "margin_high")) * 1.02
    x_axis = axis(ratio_ticks(low, high), _ratio_tick, "ratio to the baseline")
    scale = {"type": "log", "domain": [low, high], "nice": False}
    colour = as_told("colour")

    def x_of(name: str) -> dict[str, Any]:
        return {"field": name, "type": "quantitative", "scale": scale, "axis": x_axis}

    def to(name: str) -> dict[str, Any]:
        return {"x2": {"field": name}}

    band = layer(
        MARKS, "rect", {"x": x_of("margin_low"), **to("margin_high")}, color=INK, opacity=0.08
    )
    equal = layer(MARKS, "rule", {"x": x_of("one")}, color=INK, opacity=0.6)
    interval = layer(
        MARKS, "rule", {"x": x_of("low"), **to("high"), "color": colour}, strokeWidth=2.5
    )
    point = layer(
        MARKS,
        "point",
        {"x": x_of("estimate"), "color": colour, "shape": as_told("shape")},
        filled=True,
        size=90,
        opacity=1,
    )
    top, bottom = MARKS_AT - 11, ROW - 4
    layers = [
        at_height(band, top, bottom),
        at_height(equal, top, bottom),
        at_height(interval, MARKS_AT),
        at_height(point, MARKS_AT),
    ]

    def draw(canvas: Canvas) -> str:
        texts = [
            (
                f"{line.comparison.other} / {line.comparison.baseline}, {line.metric}",
                _right_text(line, canvas),
            )
            for line in drawn
        ]
        return draw_rows(layers, rows, texts, canvas, f"{title}, {workload}")

    title = "Ratios with intervals"
    left_out = len(told) - len(drawn)
    note = (
        f" The first {MOST_ROWS} of {len(told)}; the others are in the table." if left_out else ""
    )
    return Picture(
        title=title,
        reading="The point is the ratio of the two arms, the bar its interval; the band is the "
        f"margin within which they count as equivalent, the line is equality.{note}",
        **in_sizes(draw, one=arm_choice(analysis).is_large),
    )


def ratio_ticks(low: float, high: float) -> list[float]:
    """Round ratios in [low, high]: equal steps from 1 where the range is small, else 1-2-5."""
    for step in _STEPS:
        first, last = ceil(low / step), floor(high / step)
        if last - first < _TICKS_AT_MOST:
            return [round(index * step, 3) for index in range(first, last + 1)]
    return log_ticks(low, high)


def _row(index: int, line: VerdictLine) -> dict[str, Any]:
    comparison = line.comparison
    colour, shape = _TONES[line.tone]
    return {
        "estimate": comparison.estimate,
        "low": comparison.low,
        "high": comparison.high,
        "one": 1,
        "margin_low": 1 / (1 + comparison.margin),
        "margin_high": 1 + comparison.margin,
        "row": index,
        "colour": colour,
        "shape": shape,
    }


def _right_text(line: VerdictLine, canvas: Canvas) -> str:
    interval = f"{line.interval.rpartition('interval ')[2]}  " if canvas is WIDE else ""
    return f"{line.estimate}  {interval}{line.words}"


def _ratio_tick(value: float) -> str:
    return units.number(value).rstrip("0").rstrip(".")
