"""What a script draws in place of a picture: the picture's chart, in Vega, with its data by name.

The chart is compiled here, so that the page need not hold the compiler's work for each of its charts:
one specification serves every workload.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import vl_convert

from loadstone.report.charts.picture import Layer, Values, specification
from loadstone.text.units import Unit

_ROOM_FOR_LABELS = {"left": 2, "top": 8, "right": 8, "bottom": 2}
"""Pixels: the label of a tick at an axis' end stands half beyond it, and a canvas cuts it off."""


@dataclass(frozen=True, slots=True)
class Live:
    """One chart for the script. Charts of one name have one specification."""

    specification: dict[str, Any]
    """Vega; its named data have no values yet."""
    data: dict[str, Any]
    """What fills them; `report.js` says how."""


def live_lines(
    layers: Sequence[Layer],
    unit: Unit,
    lines: Values | None = None,
    **more: Any,
) -> Live:
    """Lines of `arm`, `x` and `y`; without them the script takes a column of the workload's runs."""
    told = {"unit": unit} | ({} if lines is None else {"lines": lines}) | more
    return Live(_compiled(layers), told)


def live_rows(layers: Sequence[Layer], marks: Values, texts: Values, row: int) -> Live:
    """Marks and texts, each with its `arm` and `row`; rows of an arm that is not picked fall away."""
    return Live(_compiled(layers), {"marks": marks, "texts": texts, "row": row})


def _compiled(layers: Sequence[Layer]) -> dict[str, Any]:
    whole = specification(
        layers, autosize={"type": "fit", "contains": "padding"}, padding=_ROOM_FOR_LABELS
    )
    compiled: dict[str, Any] = json.loads(_vega(json.dumps(whole)))
    return compiled


@lru_cache(maxsize=64)
def _vega(vega_lite: str) -> str:
    """Compiled once for all workloads."""
    return json.dumps(vl_convert.vegalite_to_vega(vega_lite))
