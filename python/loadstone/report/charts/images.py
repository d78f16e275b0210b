"""Every chart as files of its own, for papers and slides: SVG and PNG on a white ground.

A page gives a picture its colours and its font size; alone it carries them itself.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import vl_convert

from loadstone.analysis.model import Analysis
from loadstone.findings.model import Finding
from loadstone.report.charts.picture import FONT, INK, Picture
from loadstone.report.page.page import Page, page
from loadstone.results.environment import Environment
from loadstone.study.values.model import Plan
from loadstone.text.plain import plain_model

_PNG_SCALE = 2
_INK_ON_WHITE = "#1d2126"
_MARGIN = 12
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Image:
    """One chart; its files are `<name>.svg` and `<name>.png`."""

    name: str
    svg: str

    def png(self) -> bytes:
        """The same at twice its size."""
        return vl_convert.svg_to_png(self.svg, scale=_PNG_SCALE)


def images(
    analysis: Analysis, findings: tuple[Finding, ...], plan: Plan, environment: Environment
) -> tuple[Image, ...]:
    """The charts of a report in the page's order. Same arguments, same names and same text."""
    shown = page(
        plain_model(analysis),
        tuple(map(plain_model, findings)),
        plain_model(plan),
        environment,
    )
    seen: Counter[str] = Counter()
    found = []
    for place, picture in _pictures(shown):
        name = file_name(place, picture.name)
        seen[name] += 1
        numbered = f"{name}-{seen[name]}" if seen[name] > 1 else name
        found.append(Image(numbered, standalone(picture.wide)))
    return tuple(found)


def file_name(*parts: str) -> str:
    """Letters, digits and hyphens, whatever a workload or an operation is called."""
    words = "-".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts)
    return words[:_LONGEST_NAME].strip("-")


def standalone(drawing: str) -> str:
    """The drawing of a page with a size, a font, a white ground and ink of its own."""
    root = ElementTree.fromstring(drawing.replace(INK, _INK_ON_WHITE))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    root.attrib.pop("class", None)
    ground = {
        "x": f"{left - _MARGIN:g}",
        "y": f"{top - _MARGIN:g}",
        "width": f"{width + 2 * _MARGIN:g}",
        "height": f"{height + 2 * _MARGIN:g}",
    }
    root.attrib |= {
        "viewBox": " ".join(ground.values()),
        "width": ground["width"],
        "height": ground["height"],
        "font-family": FONT,
    }
    namespace = root.tag.partition("}")[0] + "}"
    root.insert(0, ElementTree.Element(f"{namespace}rect", {**ground, "fill": "#ffffff"}))
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _pictures(shown: Page) -> Iterator[tuple[str, Picture]]:
    for number, question in enumerate(shown.questions, start=1):
        for picture in (
            *question.pair_pictures,
            *question.rank_pictures,
            *question.pictures,
        ):
            yield f"question-{number}", picture
    for workload in shown.workloads:
        for picture in (workload.steady_pictures | workload.pictures).values():
            yield workload.name, picture
