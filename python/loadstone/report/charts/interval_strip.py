"""The small drawing on a verdict's card: interval and estimate beside the margin, around 1."""

from dataclasses import dataclass
from math import log

from loadstone.report.verdict_lines import VerdictLine

WIDTH = 240
_EDGE = 8
_ROOM = 1.25
"""How far beyond the farthest bound the scale reaches, on the logarithmic scale."""


@dataclass(frozen=True, slots=True)
class IntervalStrip:
    """Horizontal positions in a drawing of `WIDTH`; 1 is always in the middle."""

    margin_low: float
    margin_high: float
    low: float
    estimate: float
    high: float
    one: float = WIDTH / 2


def interval_strips(lines: tuple[VerdictLine, ...]) -> tuple[IntervalStrip | None, ...]:
    """The positions for each line, all on one scale; none where there is no ratio with an interval."""
    bounds = [
        bound
        for line in lines
        if line.is_drawn
        for bound in (line.comparison.low, line.comparison.high, 1 + line.comparison.margin)
    ]
    reach = _ROOM * max((abs(log(bound)) for bound in bounds if bound), default=0)
    return tuple(_strip(line, reach) for line in lines)


def _strip(line: VerdictLine, reach: float) -> IntervalStrip | None:
    comparison = line.comparison
    estimate, low, high = comparison.estimate, comparison.low, comparison.high
    if not line.is_drawn or not estimate or not low or not high or not reach:
        return None
    margin = 1 + comparison.margin

    def at(ratio: float) -> float:
        half = WIDTH / 2 - _EDGE
        return round(WIDTH / 2 + half * log(ratio) / reach, 1)

    return IntervalStrip(
        margin_low=at(1 / margin),
        margin_high=at(margin),
        low=at(low),
        estimate=at(estimate),
        high=at(high),
    )
