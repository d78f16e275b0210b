"""From a chart to SVG text that can stand in a page: no script, no link, no ids, no fixed size.

Text and rules take the page's colour (`currentColor`), so that one picture serves light and dark.
"""

from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import altair as alt
import vl_convert

_SVG = "http://www.w3.org/2000/svg"
_DRAWING = frozenset(f"{{{_SVG}}}{name}" for name in ("svg", "g", "path", "line", "text", "rect"))
_DROPPED = ("class", "role", "aria-roledescription", "aria-hidden", "pointer-events")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
INK = "currentColor"

# Okabe and Ito, "Color Universal Design" (2008): told apart with every colour-vision deficiency.
# Their yellow and black are left out: one vanishes on a light page, the other on a dark one.
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_DASHES: tuple[list[int], ...] = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])

ElementTree.register_namespace("", _SVG)


@dataclass(frozen=True, slots=True)
class Picture:
    """One chart, drawn twice: for a wide and for a narrow page."""

    title: str
    reading: str
    """How to read it, and what was left out."""
    wide: str
    """SVG."""
    narrow: str


@dataclass(frozen=True, slots=True)
class Canvas:
    """The size of one drawing, pixels at a zoom of 1."""

    name: str
    width: int
    height: int


WIDE = Canvas("wide", 600, 300)
NARROW = Canvas("narrow", 350, 270)


Values = list[dict[str, Any]]


def marks_over(values: Values) -> alt.Chart:
    """A layer over these values, before its mark and encoding."""
    return alt.Chart(alt.InlineData(values=values))


def arm_colour(index: int) -> str:
    """The colour of the study's arm of that index; colours repeat, with other dashes."""
    return _PALETTE[index % len(_PALETTE)]


def arm_dash(index: int) -> list[int]:
    """The dash pattern of the arm of that index."""
    return _DASHES[index // len(_PALETTE) % len(_DASHES)]


def svg(chart: alt.LayerChart, canvas: Canvas, label: str) -> str:
    """Draw the chart. Same chart, same text; nothing is loaded from anywhere."""
    themed = chart.configure(
        font=FONT, background="transparent", padding=2, aria=False, view={"stroke": None}
    ).configure_axis(
        labelColor=INK,
        titleColor=INK,
        gridColor=INK,
        domainColor=INK,
        tickColor=INK,
        gridOpacity=0.13,
        domainOpacity=0.4,
        tickOpacity=0.4,
        labelOpacity=0.8,
        titleOpacity=0.8,
        labelFontSize=12,
        titleFontSize=12,
        titleFontWeight="normal",
        titlePadding=8,
        labelPadding=5,
    )
    specification: dict[str, Any] = themed.to_dict()
    drawn = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
    return _for_page(drawn, canvas, label)


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
    """Vega writes an unpainted background and foreground for each of its groups."""
    is_bare = len(element) == 0 and "stroke" not in element.attrib and "fill" not in element.attrib
    return is_bare and element.tag == f"{{{_SVG}}}path"
