"""What the line charts share: which arms may be drawn, their lines, and a label at each line's end."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from loadstone.analysis.model import Analysis, Cell
from loadstone.report.charts.arm_choice import ArmChoice, arm_choice
from loadstone.report.charts.axis import Axis, apart
from loadstone.report.charts.picture import (
    INK,
    Canvas,
    Layer,
    Values,
    arm_colour,
    arm_dash,
    as_told,
    layer,
    svg,
)

POINTS, SHADE, BEGINS, STRIPS = "points", "shade", "begins", "strips"
"""The names of the data of line charts."""

_LABELS = "labels"
_LABEL_GAP = 16
_LABEL_OFFSET = 14
_LABEL_AT_MOST = {"wide": 20, "narrow": 11}
_CHARACTER_WIDTH = 7.2
_AXIS_WIDTH = 66
_EDGE = 8
"""Between the outermost points of a logarithmic axis and its ends, pixels."""


@dataclass(frozen=True, slots=True)
class DrawnArm:
    """One arm that may be drawn, with its place in the order of the charts."""

    index: int
    cell: Cell

    @property
    def looks(self) -> dict[str, object]:
        """Colour and dash of its lines."""
        return {"colour": arm_colour(self.index), "dash": arm_dash(self.index)}


@dataclass(frozen=True, slots=True)
class Drawable:
    """The arms that a chart may show."""

    arms: tuple[DrawnArm, ...]
    """All of them: a script draws those that are picked."""
    choice: ArmChoice
    note: str
    """Which arms are withheld and why, with a blank before it; empty where none is."""

    @property
    def drawn(self) -> tuple[DrawnArm, ...]:
        """Those of a static picture."""
        return tuple(arm for arm in self.arms if self.choice.is_drawn(arm.index))


def drawable(
    analysis: Analysis,
    workload: str,
    metrics: Collection[str],
    shown: Callable[[Cell], Sequence[object]],
) -> Drawable:
    """The arms with something to show, and a sentence on those left out because it is withheld.

    `metrics` are what the chart shows: an arm is left out where all of them are withheld, or where
    some are and nothing else is to be shown.
    """
    choice = arm_choice(analysis)
    places = {arm: index for index, arm in enumerate(choice.order)}
    drawn: list[DrawnArm] = []
    left_out: list[str] = []
    for cell in analysis.cells:
        if cell.workload != workload:
            continue
        figures = [figure for figure in cell.figures if figure.metric in metrics]
        withheld = [figure for figure in figures if figure.state == "withheld"]
        if shown(cell) and (not figures or len(withheld) < len(figures)):
            drawn.append(DrawnArm(places[cell.arm], cell))
        elif withheld:
            left_out.append(f"{cell.arm} ({withheld[0].reason or 'withheld'})")
    note = f" Withheld and not drawn: {', '.join(left_out)}." if left_out else ""
    return Drawable(tuple(sorted(drawn, key=lambda arm: arm.index)), choice, note)


@dataclass(frozen=True, slots=True)
class LineAxes:
    """The two axes of a line chart, whatever its data."""

    x: Axis
    y: Axis
    is_log_x: bool = False
    is_log_y: bool = False
    is_shaded: bool = False
    """Whether there is a warm-up to shade."""
    is_marked: bool = False
    """Whether a dot on each line says where its window begins."""
    is_struck: bool = False
    """Whether strips say when something was done to the system."""
    stroke: float = 1.3
    """Width of a line, pixels."""
    opacity: float = 1.0
    """Of a line: below 1 where many of them lie over each other."""

    def layers(self, range_y: tuple[float, float] | None = None) -> list[Layer]:
        """Lines over the shaded warm-up. `POINTS` have `line`, `x`, `y`, `colour` and `dash`, and
        `BEGINS` all but the line.
        """
        is_clipped = range_y is None  # only a script zooms; a static picture holds all its points
        x = {
            "field": "x",
            "type": "quantitative",
            "axis": self.x,
            "scale": {
                "type": "log" if self.is_log_x else "linear",
                "nice": False,
                "domainRaw": {"expr": "zoom"},
                **({} if self.is_log_x else {"zero": True}),
            },
        }
        y = {
            "field": "y",
            "type": "quantitative",
            "axis": self.y,
            "scale": self._y_scale(range_y),
        }
        lines = layer(
            POINTS,
            "line",
            {
                "x": x,
                "y": y,
                "detail": {"field": "line", "type": "nominal"},
                "color": as_told("colour"),
                "strokeDash": as_told("dash"),
            },
            strokeWidth=self.stroke,
            opacity=self.opacity,
            strokeJoin="round",
            clip=is_clipped,
        )
        shade = layer(
            SHADE, "rect", {"x": x, "x2": {"field": "to"}}, color=INK, opacity=0.07, clip=is_clipped
        )
        dots = layer(
            BEGINS,
            "circle",
            {"x": x, "y": y, "color": as_told("colour")},
            size=110,
            opacity=1,
            clip=is_clipped,
        )
        strips = layer(
            STRIPS,
            "rect",
            {"x": x, "x2": {"field": "to"}},
            color=INK,
            opacity=0.25,
            clip=is_clipped,
        )
        return [
            *([shade] if self.is_shaded else ()),
            *([strips] if self.is_struck else ()),
            lines,
            *([dots] if self.is_marked else ()),
        ]

    def _y_scale(self, range_y: tuple[float, float] | None) -> dict[str, Any]:
        kind = "log" if self.is_log_y else "linear"
        if range_y is not None:
            return {"type": kind, "domain": list(range_y), "nice": False}
        if self.is_log_y:
            return {"type": kind, "nice": False, "padding": _EDGE}
        return {"type": kind, "nice": True, "zero": True}


class LineEnd(NamedTuple):
    """What stands to the right of a line."""

    name: str
    colour: str
    at: float
    """Where the line ends, pixels from the top."""


def draw_labelled(
    layers: Sequence[Layer],
    data: Mapping[str, Values],
    arms: Sequence[DrawnArm],
    ends: dict[int, float],
    canvas: Canvas,
    title: str,
) -> str:
    """The layers with each arm's id to the right of its line; `ends` are heights in pixels."""
    told = [LineEnd(arm.cell.arm, arm_colour(arm.index), ends[arm.index]) for arm in arms]
    return draw_with_ends(layers, data, told, canvas, title)


def draw_with_ends(
    layers: Sequence[Layer],
    data: Mapping[str, Values],
    ends: Sequence[LineEnd],
    canvas: Canvas,
    title: str,
) -> str:
    """The layers with a name to the right of each line."""
    names = [_shortened(end.name, canvas) for end in ends]
    room = _LABEL_OFFSET + max(len(name) for name in names) * _CHARACTER_WIDTH
    height = max(canvas.height, _LABEL_GAP * len(ends))
    width = canvas.width - _AXIS_WIDTH - room
    heights = apart([end.at for end in ends], _LABEL_GAP, height)
    labels: Values = [
        {"name": name, "y": at, "colour": end.colour}
        for name, at, end in zip(names, heights, ends, strict=True)
    ]
    y = {"field": "y", "type": "quantitative", "scale": None}
    dots = layer(
        _LABELS,
        "circle",
        {"x": {"value": width + 8}, "y": y, "color": as_told("colour")},
        size=45,
        opacity=1,
    )
    texts = layer(
        _LABELS,
        "text",
        {"x": {"value": width}, "y": y, "text": {"field": "name"}},
        align="left",
        dx=_LABEL_OFFSET,
        fontSize=12,
        color=INK,
    )
    told = {**data, _LABELS: labels}
    return svg([*layers, dots, texts], canvas, title, told, (width, height))


def _shortened(name: str, canvas: Canvas) -> str:
    most = _LABEL_AT_MOST[canvas.name]
    return name if len(name) <= most else f"{name[: most - 1]}…"
