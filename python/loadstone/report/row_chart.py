"""What the charts with a row for each arm or comparison share: two-line rows with text over marks.

The text stands over the marks and not beside them, so a long name takes nothing from the scale.
"""

from collections.abc import Sequence

import altair as alt

from loadstone.report.picture import INK, Canvas, Values, marks_over, svg

ROW = 46
"""Height of a row, pixels: a line of text and a line of marks."""
_TEXT_AT = 12
MARKS_AT = 31
_CHARACTER_WIDTH = 6.9
_GAP = 3


def draw_rows(
    layers: Sequence[alt.Chart],
    texts: Sequence[tuple[str, str]],
    canvas: Canvas,
    title: str,
) -> str:
    """The layers with a text at the left and at the right end of each row."""
    width = canvas.width - 30
    labels: Values = [
        {"left": _fitting(left, right, width), "right": right, "y": row_top(row) + _TEXT_AT}
        for row, (left, right) in enumerate(texts)
    ]
    base = marks_over(labels).encode(y=y_pixels("y"))
    left = base.mark_text(align="left", fontSize=12, fontWeight=600, color=INK)
    right = base.mark_text(align="right", fontSize=12, color=INK)
    chart = alt.layer(
        *layers,
        left.encode(x=alt.value(0), text="left:N"),
        right.encode(x=alt.value(width), text="right:N"),
    ).resolve_scale(color="independent", shape="independent")
    return svg(chart.properties(width=width, height=ROW * len(texts)), canvas, title)


def row_top(row: int) -> int:
    """Where a row begins, pixels from the top."""
    return ROW * row


def y_pixels(name: str) -> alt.Y:
    """A vertical position given in pixels."""
    return alt.Y(f"{name}:Q", scale=None, axis=None)


def _fitting(left: str, right: str, width: float) -> str:
    """The left text, shortened where it would run into the right one."""
    most = max(8, int(width / _CHARACTER_WIDTH) - len(right) - _GAP)
    return left if len(left) <= most else f"{left[: most - 1]}…"
