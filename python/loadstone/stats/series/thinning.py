"""Makes parallel series short enough for a picture, and keeps their extremes.

The series are cut into buckets of consecutive points. A bucket leaves two points: the smallest and the
largest value of each series in it, in the order in which they came. So no peak and no gap is smoothed
away, which means of buckets would do.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

Column = Sequence[float | None]
"""None where nothing is known."""


class Thinned(NamedTuple):
    """Parallel series of at most as many points as were asked for."""

    positions: tuple[float, ...]
    columns: tuple[tuple[float | None, ...], ...]


def thinned(positions: Sequence[float], columns: Sequence[Column], most: int) -> Thinned:
    """The series in at most `most` points, which must be 2 or more; the same where they are no more.

    Of each bucket the first and the last position are kept, so a value moves by less than a bucket.
    Raises ValueError for columns that are not as long as the positions, or for a smaller `most`.
    """
    if most < 2:
        raise ValueError(f"{most} points cannot hold a smallest and a largest value")
    if any(len(column) != len(positions) for column in columns):
        raise ValueError("the series do not have a value for each position")
    count = len(positions)
    if count <= most:
        return Thinned(tuple(positions), tuple(map(tuple, columns)))
    buckets = most // 2
    edges = [count * bucket // buckets for bucket in range(buckets + 1)]
    spans = list(pairwise(edges))
    return Thinned(
        tuple(positions[index] for start, end in spans for index in (start, end - 1)),
        tuple(
            tuple(value for start, end in spans for value in _extremes(column[start:end]))
            for column in columns
        ),
    )


def _extremes(bucket: Column) -> tuple[float | None, ...]:
    """Smallest and largest known value in the order in which they came."""
    known = [(value, index) for index, value in enumerate(bucket) if value is not None]
    if not known:
        return (None, None)
    (low, low_at), (high, high_at) = min(known), max(known)
    return (low, high) if low_at <= high_at else (high, low)
