"""From a chart to SVG text that can stand in a page: no script, no link, no ids, no fixed size.

Charts are Vega-Lite, as plain mappings: a library that builds and checks such mappings takes longer for
it than the drawing does. Text and rules take the page's colour (`currentColor`), so that one picture
serves light and dark. `live_charts.py` makes what a script draws of the same chart.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypedDict
from xml.etree import ElementTree

import vl_convert

from loadstone.report.charts.shrunk_svg import shrink

if TYPE_CHECKING:
    from loadstone.report.charts.live_charts import Live

_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_SVG = "http://www.w3.org/2000/svg"
_DRAWING = frozenset(f"{{{_SVG}}}{name}" for name in ("svg", "g", "path", "line", "text", "rect"))
_DROPPED = ("class", "role", "aria-roledescription", "aria-hidden", "pointer-events")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
INK = "currentColor"

# Okabe and Ito, "Color Universal Design" (2008): told apart with every colour-vision deficiency.
# Their yellow and black are left out: one vanishes on a light page, the other on a dark one.
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DARK = {"#0072B2": "#3d94e0", "#56B4E9": "#b3e2ff"}
"""On a dark page the first is too dark; lighter it comes near the other, which makes room. The same
pairs stand in `report.css`."""
_DASHES: tuple[list[int], ...] = ([], [6, 3], [2, 2], [8, 3, 2, 3])

_LOOKS = {
    "font": FONT,
    "background": "transparent",
    "padding": 2,
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": INK,
        "domainColor": INK,
        "tickColor": INK,
        "gridOpacity": 0.13,
        "domainOpacity": 0.4,
        "tickOpacity": 0.4,
        "labelOpacity": 0.8,
        "titleOpacity": 0.8,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "labelPadding": 5,
    },
}

ElementTree.register_namespace("", _SVG)

Layer = dict[str, Any]
"""One layer of Vega-Lite."""
Values = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Picture:
    """One chart, drawn twice: for a wide and for a narrow page."""

    title: str
    reading: str
    """How to read it, and what was left out."""
    wide: str
    """SVG."""
    narrow: str
    """The same of a study with so many arms that one size has to do."""
    live: "Live | None" = None
    """What a script draws in its place."""

    @property
    def name(self) -> str:
        """`throughput-over-time`: of its file, and of its place in the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True, slots=True)
class Canvas:
    """The size of one drawing, pixels at a zoom of 1."""

    name: str
    width: int
    height: int


class Drawings(TypedDict):
    """The drawings of a `Picture`."""

    wide: str
    narrow: str


def in_sizes(draw: Callable[[Canvas], str], *, one: bool) -> Drawings:
    """The drawings of a `Picture`: `one` for a study whose page has many large ones."""
    wide = draw(WIDE)
    return {"wide": wide, "narrow": wide if one else draw(NARROW)}


WIDE = Canvas("wide", 600, 300)
NARROW = Canvas("narrow", 350, 270)


def layer(data: str, mark: str, encoding: Mapping[str, Any], **marked: Any) -> Layer:
    """A layer over the data of that name; `marked` are properties of its mark."""
    return {
        # The values are numbers: to parse each anew takes a script longer than to draw it.
        "data": {"name": data, "format": {"parse": None}},
        "mark": {"type": mark, **marked},
        "encoding": dict(encoding),
    }


def as_told(field: str) -> dict[str, Any]:
    """A channel that takes the values of a field as they are: colours, dashes, shapes or pixels."""
    return {"field": field, "type": "nominal", "scale": None, "legend": None}


def arm_colour(index: int) -> str:
    """The colour of the arm at that place of the order; colours repeat, with other dashes."""
    return _PALETTE[index % len(_PALETTE)]


def arm_dash(index: int) -> list[int]:
    """The dash pattern of the arm at that place; a solid line has none."""
    return _DASHES[index // len(_PALETTE) % len(_DASHES)]


def specification(layers: Sequence[Layer], **more: Any) -> dict[str, Any]:
    """The chart in Vega-Lite, in the page's looks. `zoom` is the range of its x axis, or null.

    Colours and shapes are told by the data, so layers need not agree on them.
    """
    return {
        "$schema": _SCHEMA,
        "config": _LOOKS,
        "params": [{"name": "zoom", "value": None}],
        "layer": list(layers),
        "resolve": {"scale": {"color": "independent", "shape": "independent"}},
        **more,
    }


def svg(
    layers: Sequence[Layer],
    canvas: Canvas,
    label: str,
    data: Mapping[str, Values],
    size: tuple[float, float],
) -> str:
    """Draw the layers over their data, in a plot of that width and height.

    Same layers, same text; nothing is loaded from anywhere.
    """
    width, height = size
    whole = specification(layers, datasets=dict(data), width=width, height=height)
    return _for_page(_drawn(json.dumps(whole)), canvas, label)


@lru_cache(maxsize=256)
def _drawn(vega_lite: str) -> str:
    """A page and its images hold the same drawings."""
    return vl_convert.vegalite_to_svg(vega_lite, allowed_base_urls=[])


def _for_page(drawn: str, canvas: Canvas, label: str) -> str:
    root = ElementTree.fromstring(drawn)
    for element in root.iter():
        if element.tag not in _DRAWING:
            raise AssertionError(f"a chart may only draw, and has {element.tag}")
        for name in _DROPPED:
            element.attrib.pop(name, None)
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    for parent in list(root.iter()):
        for child in [c for c in parent if _is_empty(c)]:
            parent.remove(child)
    shrink(root)
    _, _, box_width, box_height = root.attrib["viewBox"].split()
    # The browser's font may be wider than the one that measured the texts: keep the room meant.
    room = max(float(box_width), canvas.width)
    root.attrib |= {
        "viewBox": f"0 0 {room:g} {box_height}",
        "class": canvas.name,
        "role": "img",
        "aria-label": label,
    }
    return ElementTree.tostring(root, encoding="unicode")


def _is_empty(element: ElementTree.Element) -> bool:
    """Unpainted backgrounds and foregrounds of groups, and labels that found no room."""
    kind = element.tag.removeprefix(f"{{{_SVG}}}")
    is_bare = "stroke" not in element.attrib and "fill" not in element.attrib
    return (kind == "path" and is_bare) or (kind == "text" and not (element.text or len(element)))
