"""What the charts with a row for each arm or comparison share: two-line rows with text over marks.

The text stands over the marks and not beside them, so a long name takes nothing from the scale.
Marks and texts have a `row`, from which the chart reckons their height, so that a script can take
rows away.
"""

from collections.abc import Sequence

from loadstone.report.charts.picture import INK, Canvas, Layer, Values, layer, svg

MARKS, TEXTS = "marks", "texts"
"""The names of the data of charts with rows."""

ROW = 46
"""Height of a row, pixels: a line of text and a line of marks."""
_TEXT_AT = 12
MARKS_AT = 31
_CHARACTER_WIDTH = 6.9
_GAP = 3


def draw_rows(
    layers: Sequence[Layer],
    marks: Values,
    texts: Sequence[tuple[str, str]],
    canvas: Canvas,
    title: str,
) -> str:
    """The layers over `MARKS`, with a text at the left and at the right end of each row."""
    width = canvas.width - 30
    labels: Values = [
        {"left": _fitting(left, right, width), "right": right, "row": row}
        for row, (left, right) in enumerate(texts)
    ]
    data = {MARKS: marks, TEXTS: labels}
    return svg(with_texts(layers), canvas, title, data, (width, ROW * len(texts)))


def with_texts(layers: Sequence[Layer]) -> list[Layer]:
    """The layers and the texts, `left` and `right` of each `row`."""
    left, right = (
        at_height(
            layer(
                TEXTS,
                "text",
                {"x": {"value": place}, "text": {"field": side}},
                align=side,
                fontSize=12,
                fontWeight=weight,
                color=INK,
                limit=0,
            ),
            _TEXT_AT,
        )
        for side, place, weight in (("left", 0, 600), ("right", "width", "normal"))
    )
    return [*layers, left, right]


def at_height(drawn: Layer, offset: float, end: float | None = None) -> Layer:
    """The layer with its marks that far below the top of their row, or from there to `end`."""
    at = [{"calculate": f"datum.row * {ROW} + {offset}", "as": "at"}]
    until = [] if end is None else [{"calculate": f"datum.row * {ROW} + {end}", "as": "until"}]
    y = {"field": "at", "type": "quantitative", "scale": None, "axis": None}
    y2 = {} if end is None else {"y2": {"field": "until"}}
    return drawn | {"transform": at + until, "encoding": {**drawn["encoding"], "y": y, **y2}}


def _fitting(left: str, right: str, width: float) -> str:
    """The left text, shortened where it would run into the right one."""
    most = max(8, int(width / _CHARACTER_WIDTH) - len(right) - _GAP)
    return left if len(left) <= most else f"{left[: most - 1]}…"
