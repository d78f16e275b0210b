"""What the line charts share: which arms may be drawn, their lines, and a label at each line's end."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import altair as alt

from loadstone.analysis.model import Analysis, Cell
from loadstone.report.axis import apart
from loadstone.report.picture import INK, Canvas, Values, arm_colour, arm_dash, marks_over, svg

_LABEL_GAP = 16
_LABEL_OFFSET = 14
_LABEL_AT_MOST = {"wide": 20, "narrow": 11}
_CHARACTER_WIDTH = 7.2
_AXIS_WIDTH = 66


@dataclass(frozen=True, slots=True)
class DrawnArm:
    """One arm that may be drawn, with its place among the study's arms."""

    index: int
    cell: Cell


def drawable(
    analysis: Analysis,
    workload: str,
    metrics: Collection[str],
    shown: Callable[[Cell], Sequence[object]],
) -> tuple[tuple[DrawnArm, ...], str]:
    """The arms with something to show, and a sentence on those left out because it is withheld.

    `metrics` are what the chart shows: an arm is left out where all of them are withheld, or where
    some are and nothing else is to be shown.
    """
    arms = [arm.id for arm in analysis.arms]
    drawn: list[DrawnArm] = []
    left_out: list[str] = []
    for cell in analysis.cells:
        if cell.workload != workload:
            continue
        figures = [figure for figure in cell.figures if figure.metric in metrics]
        withheld = [figure for figure in figures if figure.state == "withheld"]
        if shown(cell) and len(withheld) < len(figures):
            drawn.append(DrawnArm(arms.index(cell.arm), cell))
        elif withheld:
            left_out.append(f"{cell.arm} ({withheld[0].reason or 'withheld'})")
    return tuple(drawn), f" Withheld and not drawn: {', '.join(left_out)}." if left_out else ""


def line_layer(points: Values, x: alt.X, y: alt.Y, one_line: str, width: float) -> alt.Chart:
    """Lines in their arm's colour and dash; `points` have `arm`, its index, and `one_line` a key."""
    indexes = sorted({point["arm"] for point in points})
    lines: alt.Chart = (
        marks_over(points)
        .mark_line(strokeWidth=width, strokeJoin="round")
        .encode(
            x=x,
            y=y,
            detail=f"{one_line}:N",
            color=alt.Color("arm:N", legend=None).scale(
                domain=indexes, range=[arm_colour(index) for index in indexes]
            ),
            strokeDash=alt.StrokeDash("arm:N", legend=None).scale(
                domain=indexes, range=[arm_dash(index) for index in indexes]
            ),
        )
    )
    return lines


def draw_labelled(
    layers: Sequence[alt.Chart],
    arms: Sequence[DrawnArm],
    ends: dict[int, float],
    canvas: Canvas,
    title: str,
) -> str:
    """The layers with each arm's id to the right of its line; `ends` are heights in pixels."""
    names = [_shortened(arm.cell.arm, canvas) for arm in arms]
    room = _LABEL_OFFSET + max(len(name) for name in names) * _CHARACTER_WIDTH
    height = max(canvas.height, _LABEL_GAP * len(arms))
    width = canvas.width - _AXIS_WIDTH - room
    heights = apart([ends[arm.index] for arm in arms], _LABEL_GAP, height)
    labels: Values = [
        {"name": name, "y": at, "colour": arm_colour(arm.index)}
        for name, at, arm in zip(names, heights, arms, strict=True)
    ]
    base = marks_over(labels).encode(y=alt.Y("y:Q", scale=None))
    dots = base.mark_circle(size=45, opacity=1).encode(
        x=alt.value(width + 8), color=alt.Color("colour:N", scale=None)
    )
    texts = base.mark_text(align="left", dx=_LABEL_OFFSET, fontSize=12, color=INK).encode(
        x=alt.value(width), text="name:N"
    )
    chart = alt.layer(*layers, dots, texts).resolve_scale(y="independent", color="independent")
    return svg(chart.properties(width=width, height=height), canvas, title)


def _shortened(name: str, canvas: Canvas) -> str:
    most = _LABEL_AT_MOST[canvas.name]
    return name if len(name) <= most else f"{name[: most - 1]}…"
