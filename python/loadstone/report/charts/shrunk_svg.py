"""Makes a drawing shorter without changing what is seen: a large page holds a hundred of them.

Vega writes every property of every mark with fifteen digits, initial values included, and the font on
each text. Here initial values are left out, and what marks share is written once, on the group around
them.
"""

import re
from xml.etree.ElementTree import Element

_INITIAL = {
    "opacity": "1",
    "stroke-width": "1",
    "x2": "0",
    "y2": "0",
    "transform": "translate(0,0)",
    "stroke-dasharray": "",
}
_INHERITED = (
    "fill",
    "fill-opacity",
    "font-size",
    "font-weight",
    "stroke",
    "stroke-dasharray",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
)
"""Of the properties that Vega writes: `opacity` and `transform` are a group's own."""
_LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")


def shrink(root: Element) -> None:
    """Change the drawing in place; texts take the font of what it stands in."""
    for element in root.iter():
        element.attrib.pop("font-family", None)
        for name in ("d", "transform"):
            if name in element.attrib:
                element.attrib[name] = _LONG_NUMBER.sub(_short, element.attrib[name])
        for name, value in _INITIAL.items():
            if element.attrib.get(name) == value:
                del element.attrib[name]
    _gather(root)
    _unwrap(root)


def _short(number: re.Match[str]) -> str:
    """A tenth of a pixel is seen by nobody, and the digits behind it are most of a long line's text."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _gather(group: Element) -> None:
    """Say on a group what all its children say, from the innermost group outwards."""
    for child in group:
        _gather(child)
    for name in _INHERITED:
        said = {child.get(name) for child in group}
        (value,) = said if len(said) == 1 else (None,)
        if value is not None:
            group.attrib[name] = value
            for child in group:
                del child.attrib[name]


def _unwrap(parent: Element) -> None:
    """Put the children of groups that say nothing in their place."""
    kept: list[Element] = []
    for child in parent:
        _unwrap(child)
        kept += child if child.tag.endswith("}g") and not child.attrib else (child,)
    parent[:] = kept
