"""Ranks with their intervals, a row for each arm: where bars overlap, no order is told."""

from typing import Any

from loadstone.report.charts.arm_choice import MOST_DRAWN
from loadstone.report.charts.axis import axis
from loadstone.report.charts.picture import Canvas, Picture, Values, as_told, in_sizes, layer
from loadstone.report.charts.row_chart import MARKS, MARKS_AT, at_height, draw_rows
from loadstone.report.tables.rank_table import RankTable

_BEST, _OTHER = "#009E73", "#8A8A8A"
_TICKS_AT_MOST = 10
_STEPS = (1, 2, 5, 10, 20, 50)


def rank_picture(table: RankTable) -> Picture:
    """The chart of one ranking; arms without a rank are left to the table."""
    ranked = table.ranking.arms
    best = set(table.ranking.best)
    rows: Values = [
        {
            "rank": arm.rank,
            "low": arm.low,
            "high": arm.high,
            "row": index,
            "colour": _BEST if arm.arm in best else _OTHER,
            "shape": "circle" if arm.arm in best else "square",
        }
        for index, arm in enumerate(ranked)
    ]
    scale = {"domain": [0.5, len(ranked) + 0.5], "nice": False}
    x_axis = axis(rank_ticks(len(ranked)), lambda rank: f"{rank:.0f}", "rank, 1 is the best")
    colour = as_told("colour")

    def x_of(name: str) -> dict[str, Any]:
        return {"field": name, "type": "quantitative", "scale": scale, "axis": x_axis}

    interval = layer(
        MARKS,
        "rule",
        {"x": x_of("low"), "x2": {"field": "high"}, "color": colour},
        strokeWidth=2.5,
    )
    point = layer(
        MARKS,
        "point",
        {"x": x_of("rank"), "color": colour, "shape": as_told("shape")},
        filled=True,
        size=90,
        opacity=1,
    )
    layers = [at_height(drawn, MARKS_AT) for drawn in (interval, point)]
    shown = [row for row in table.rows if row.rank]
    title = f"Ranks by {table.metric}"

    def draw(canvas: Canvas) -> str:
        texts = [(row.arm, f"{row.value}  {row.interval}") for row in shown]
        return draw_rows(layers, rows, texts, canvas, f"{title}, {table.ranking.workload}")

    return Picture(
        title=title,
        reading=f"Under {table.ranking.workload}: the point is the place by the estimate alone, the "
        "bar holds every place that the comparisons leave open. Green circles: no other arm is told "
        "to be better.",
        **in_sizes(draw, one=len(ranked) > MOST_DRAWN),
    )


def rank_ticks(arms: int) -> list[float]:
    """1 and whole steps, at most ten."""
    step = next((step for step in _STEPS if arms / step <= _TICKS_AT_MOST), arms)
    return [1.0, *(float(rank) for rank in range(step, arms + 1, step) if rank > 1)]
