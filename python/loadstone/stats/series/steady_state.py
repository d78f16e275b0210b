"""Whether and from when on a series holds its level: flat, warm-up, slow-down, or no steady state.

Change points by PELT (Killick, Fearnhead & Eckley, JASA 107, 2012) with a cost of squares; the four
classes are those of Barrett et al., "Virtual Machine Warmup Blows Hot and Cold", OOPSLA 2017. Two
changes beside them: levels within a tolerance are the same, and neighbouring points may resemble each
other (AR(1)), as seconds of a load do.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.series.correlated_noise import CLIP_SIGMAS, clipped, noise

Kind = Literal["flat", "warm-up", "slow-down", "no steady state"]

LEAST_POINTS = 30
"""Below it no change point can be told from noise with a segment on each side of it."""
TOLERANCE = 0.05
"""Levels that differ by less are the same: what a fixed warm-up of the published runs leaves."""
LEAST_SEGMENT_POINTS = 5
"""A shorter departure is a disturbance, not a level."""
LEAST_STEADY_SHARE = 0.5
"""Of the series: what holds for less has not been seen to hold."""

_PENALTY = 3.0
"""Times sigma^2 ln n. Two is Schwarz's for a change of the mean alone; its place is estimated, too."""


class Segment(NamedTuple):
    """Points `start` to `end - 1` of a series, and their median."""

    start: int
    end: int
    level: float


class Steadiness(NamedTuple):
    """What a series is, and the point from which on it holds its last level; none where it does not."""

    kind: Kind
    steady_from: int | None
    segments: tuple[Segment, ...]
    was_as_good: bool = False
    """Whether a level before the last was the same within the tolerance, or better: what came between
    was no warm-up."""


def steadiness(
    series: Sequence[float],
    *,
    higher_is_better: bool,
    tolerance: float = TOLERANCE,
    least_steady_share: float = LEAST_STEADY_SHARE,
) -> Steadiness:
    """Classify a series of positive numbers at even distances in time.

    Levels within `tolerance` of the last, as a share of it, are the same; the last must hold for
    `least_steady_share` of the points. Raises ValueError for fewer
    than `LEAST_POINTS` or numbers that are not finite.
    """
    values = np.asarray(series, dtype=float)
    if len(values) < LEAST_POINTS:
        raise ValueError(f"{len(values)} points are fewer than {LEAST_POINTS}")
    if not np.isfinite(values).all():
        raise ValueError("the series has a number that is not finite")
    segments = _segments(values)
    last = segments[-1].level
    departures = [
        _departure(each.level / last - 1 if last else each.level, tolerance, higher_is_better)
        for each in segments
    ]
    first = max((i + 1 for i, departure in enumerate(departures) if departure != 0), default=0)
    steady_from = _reached(values, segments[first], tolerance)
    if segments[first].start == 0:
        steady_from, departure = _start(values, segments[0].level, tolerance, higher_is_better)
        departures.append(departure)
    if steady_from == 0:
        return Steadiness("flat", 0, segments)
    if steady_from > (1 - least_steady_share) * len(values):
        return Steadiness("no steady state", None, segments)
    kind: Kind = "slow-down" if max(departures) > 0 else "warm-up"
    was_as_good = any(
        departure >= 0
        for each, departure in zip(segments, departures, strict=False)  # that of the start is none
        if each.end <= steady_from
    )
    return Steadiness(kind, steady_from, segments, was_as_good)


def _reached(values: NDArray[np.float64], segment: Segment, tolerance: float) -> int:
    """The first point that has a segment's level: change points are no nearer to a short start than
    `LEAST_SEGMENT_POINTS`.
    """
    point = segment.start
    earliest = max(0, point - LEAST_SEGMENT_POINTS + 1)
    while point > earliest and abs(values[point - 1] - segment.level) <= tolerance * abs(
        segment.level
    ):
        point -= 1
    return point


def _start(
    values: NDArray[np.float64], level: float, tolerance: float, higher_is_better: bool
) -> tuple[int, int]:
    """How many points at the very beginning are off the level, too few to be a segment; and which
    way."""
    sigma = noise(values).sigma
    off = values - level
    allowed = max(CLIP_SIGMAS * sigma, tolerance * abs(level))
    sign = np.sign(off[0])
    inside = np.flatnonzero(off * sign <= allowed)
    count = int(inside[0]) if len(inside) else 0
    if not 0 < count < LEAST_SEGMENT_POINTS:
        return 0, 0
    return count, 1 if (sign > 0) == higher_is_better else -1


def _departure(change: float, tolerance: float, higher_is_better: bool) -> int:
    """1 where a level is better than the last beyond the tolerance, -1 where it is worse, else 0."""
    if abs(change) <= tolerance:
        return 0
    return 1 if (change > 0) == higher_is_better else -1


def _segments(values: NDArray[np.float64]) -> tuple[Segment, ...]:
    found = noise(values)
    sigma = found.sigma
    if sigma == 0:
        sigma = float(np.std(values))
    ends = [len(values)]
    if sigma > 0:
        centre = np.median(values)
        scaled = (clipped(values, sigma, LEAST_SEGMENT_POINTS) - centre) / sigma
        penalty = _PENALTY * np.log(len(values)) * found.inflation
        # Loaded late: it takes most of a second, and brings all of its methods.
        import ruptures

        search = ruptures.KernelCPD(kernel="linear", min_size=LEAST_SEGMENT_POINTS)
        ends = search.fit(scaled.reshape(-1, 1)).predict(pen=penalty)
    starts = [0, *ends[:-1]]
    return tuple(
        Segment(int(start), int(end), float(np.median(values[start:end])))
        for start, end in zip(starts, ends, strict=True)
    )
