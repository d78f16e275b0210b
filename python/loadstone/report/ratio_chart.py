"""Ratios with their intervals, a row for each comparison, beside the margin and the line at 1.

Comparisons by difference, those without an interval and withheld ones are left to the table.
"""

from math import ceil, floor
from typing import Any

import altair as alt

from loadstone.analysis.model import Analysis
from loadstone.report import units
from loadstone.report.axis import axis, log_ticks
from loadstone.report.picture import INK, NARROW, WIDE, Canvas, Picture, marks_over
from loadstone.report.row_chart import MARKS_AT, ROW, draw_rows, row_top, y_pixels
from loadstone.report.verdicts import VerdictLine

_TONES = {
    "better": ("#009E73", "circle"),
    "worse": ("#D55E00", "square"),
    "equivalent": ("#0072B2", "diamond"),
    "cannot-tell": ("#8A8A8A", "circle"),
}
_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
_TICKS_AT_MOST = 6


def ratio_picture(
    analysis: Analysis, workload: str, lines: tuple[VerdictLine, ...]
) -> Picture | None:
    """The chart of one workload, or none where nothing can be drawn or the study is simulated."""
    drawn = [line for line in lines if line.is_drawn and line.comparison.workload == workload]
    rows = [_row(index, line) for index, line in enumerate(drawn)]
    if not rows or analysis.simulated:
        return None
    low = min(row[key] for row in rows for key in ("low", "margin_low")) / 1.02
    high = max(row[key] for row in rows for key in ("high", "margin_high")) * 1.02
    x_axis = axis(ratio_ticks(low, high), _ratio_tick, "ratio to the baseline")
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    base = marks_over(rows).encode(y=y_pixels("y"))
    colour = alt.Color("colour:N", scale=None)

    def x_of(name: str) -> alt.X:
        return alt.X(f"{name}:Q", scale=scale, axis=x_axis)

    layers = [
        base.mark_rect(color=INK, opacity=0.08).encode(
            x=x_of("margin_low"), x2="margin_high:Q", y=y_pixels("top"), y2="bottom:Q"
        ),
        base.mark_rule(color=INK, opacity=0.6).encode(
            x=x_of("one"), y=y_pixels("top"), y2="bottom:Q"
        ),
        base.mark_rule(strokeWidth=2.5).encode(x=x_of("low"), x2="high:Q", color=colour),
        base.mark_point(filled=True, size=90, opacity=1).encode(
            x=x_of("estimate"), color=colour, shape=alt.Shape("shape:N", scale=None)
        ),
    ]

    def draw(canvas: Canvas) -> str:
        texts = [
            (
                f"{line.comparison.other} / {line.comparison.baseline}, {line.metric}",
                _right_text(line, canvas),
            )
            for line in drawn
        ]
        return draw_rows(layers, texts, canvas, f"{title}, {workload}")

    title = "Ratios with intervals"
    return Picture(
        title=title,
        reading="The point is the ratio of the two arms, the bar its interval; the band is the "
        "margin within which they count as equivalent, the line is equality.",
        wide=draw(WIDE),
        narrow=draw(NARROW),
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
        "y": row_top(index) + MARKS_AT,
        "top": row_top(index) + MARKS_AT - 11,
        "bottom": row_top(index) + ROW - 4,
        "colour": colour,
        "shape": shape,
    }


def _right_text(line: VerdictLine, canvas: Canvas) -> str:
    interval = f"{line.interval.rpartition('interval ')[2]}  " if canvas is WIDE else ""
    return f"{line.estimate}  {interval}{line.words}"


def _ratio_tick(value: float) -> str:
    return units.number(value).rstrip("0").rstrip(".")
