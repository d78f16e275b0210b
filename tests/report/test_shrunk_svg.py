"""Drawings that are made smaller look as they did."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest
import vl_convert

from loadstone.report.charts.shrunk_svg import shrink

VALUES = [{"x": x, "y": x * x, "kind": "odd" if x % 2 else "even"} for x in range(1, 12)]
CHARTS: dict[str, dict[str, Any]] = {
    "lines": {
        "mark": {"type": "line", "strokeDash": [6, 3], "point": True},
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative", "scale": {"type": "log"}},
            "color": {"field": "kind", "type": "nominal"},
        },
    },
    "bars of one colour": {
        "mark": {"type": "bar", "opacity": 0.4, "stroke": "#0072B2", "strokeWidth": 1},
        "encoding": {
            "x": {"field": "x", "type": "ordinal"},
            "y": {"field": "y", "type": "quantitative"},
        },
    },
    "texts": {
        "mark": {"type": "text", "angle": 30, "align": "left"},
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative"},
            "text": {"field": "kind", "type": "nominal"},
        },
    },
}


def drawn(chart: dict[str, Any]) -> ElementTree.Element:
    """The chart as Vega writes it, but in tenths of a pixel."""
    config = {"font": "sans-serif"}
    svg = vl_convert.vegalite_to_svg({"data": {"values": VALUES}, "config": config, **chart})
    shortened = re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", svg)
    return ElementTree.fromstring(shortened)


def png(root: ElementTree.Element) -> bytes:
    root.set("font-family", "sans-serif")
    return vl_convert.svg_to_png(ElementTree.tostring(root, encoding="unicode"))


def slimmed(content: str) -> ElementTree.Element:
    root = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{content}</svg>')
    shrink(root)
    return root


@pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)
def test_a_slim_drawing_has_the_same_pixels_and_less_text(chart: dict[str, Any]) -> None:
    root = drawn(chart)
    before, pixels = ElementTree.tostring(root), png(root)
    shrink(root)
    assert len(ElementTree.tostring(root)) < 0.75 * len(before)
    assert png(root) == pixels


def test_a_group_takes_only_what_all_its_children_say() -> None:
    root = slimmed(
        '<g transform="translate(2,2)">'
        '<path d="M0,0" fill="red" stroke="blue" /><path d="M0,0" fill="red" /></g>'
    )
    (group,) = root
    assert group.get("transform") == "translate(2,2)"
    assert root.get("fill") == "red"
    assert [path.get("stroke") for path in group] == ["blue", None]
    assert [path.get("fill") for path in group] == [None, None]


def test_long_numbers_lose_what_nobody_sees() -> None:
    (path,) = slimmed(
        '<path d="M1.04999,-2.96L3,4.25" transform="translate(83.82478358844645,19)" />'
    )
    assert path.get("d") == "M1,-3L3,4.2"
    assert path.get("transform") == "translate(83.8,19)"
