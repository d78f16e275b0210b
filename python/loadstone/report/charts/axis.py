"""Axes of the charts: round ticks, labels from `units`, and end labels that do not overlap."""

from collections.abc import Callable, Sequence
from json import dumps
from math import ceil, floor, log10
from typing import Any, Literal

from loadstone.text import units
from loadstone.text.units import Unit

Axis = dict[str, Any]
"""An axis of Vega-Lite."""

_MOST_TICKS = 7
_NARROW = 7
"""How many times its least value the largest of an axis may be, for every tick to have room."""


def log_ticks(low: float, high: float) -> list[float]:
    """Values 1, 2, 5 times a power of ten in [low, high]; only powers of ten where those are many."""
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    dense = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    inside = [value for value in dense if low <= value <= high]
    sparse = [10.0**power for power in powers if low <= 10.0**power <= high]
    return inside if len(inside) <= _MOST_TICKS or len(sparse) < 2 else sparse


def linear_ticks(high: float) -> list[float]:
    """From 0 to at least `high` in steps of 1, 2 or 5 times a power of ten."""
    if high <= 0:
        return [0.0, 1.0]
    power = 10.0 ** floor(log10(high / 4))
    step = next(digit * power for digit in (1, 2, 5, 10) if high / (digit * power) <= 5)
    return [index * step for index in range(ceil(high / step - 1e-9) + 1)]


def axis(values: Sequence[float], text: Callable[[float], str], title: str) -> Axis:
    """An axis with exactly these ticks, each labelled by `text`."""
    labels = dumps([text(value) for value in values])
    return {
        "values": list(values),
        "labelExpr": f"{labels}[indexof({dumps(list(values))}, datum.value)]",
        "title": title,
        "labelOverlap": True,
    }


def unit_axis(unit: Unit, title: str) -> Axis:
    """An axis whose ticks Vega chooses, labelled in the unit."""
    return {
        "labelExpr": units.tick_expression(unit),
        "title": title,
        "labelOverlap": "greedy",
        "labelSeparation": 8,
        "tickCount": 5,
    }


def time_axis(scale: Literal["x", "y"], title: str = "response time") -> Axis:
    """A logarithmic axis of times: of a wide range 1, 2 and 5 times a power of ten are labelled."""
    digit = "round(datum.value / pow(10, floor(log(datum.value) / LN10 + 1e-9)))"
    is_narrow = f"domain('{scale}')[1] < {_NARROW} * domain('{scale}')[0]"
    plain = unit_axis("ns", title)
    labels = f"{is_narrow} || indexof([1, 2, 5], {digit}) >= 0 ? ({plain['labelExpr']}) : ''"
    return plain | {"labelExpr": labels}


def apart(positions: Sequence[float], gap: float, height: float) -> list[float]:
    """Positions in pixels, moved as little as needed to be `gap` apart and inside the height.

    Where the height is too small for all of them the last ones go beyond it, never over each other.
    """
    order = sorted(range(len(positions)), key=lambda index: positions[index])
    moved = list(positions)
    floor_at = 0.0
    for index in order:
        moved[index] = max(moved[index], floor_at)
        floor_at = moved[index] + gap
    ceiling_at = max(height, gap * (len(positions) - 1))
    for index in reversed(order):
        moved[index] = min(moved[index], ceiling_at)
        ceiling_at = moved[index] - gap
    return moved
