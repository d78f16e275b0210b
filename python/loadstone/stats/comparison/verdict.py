"""What an interval allows to say, given the margin below which a difference does not matter.

Equivalence by an interval inside a margin is Schuirmann's two one-sided tests, stricter: he needs
the 90 % interval where this takes the family's own (Journal of Pharmacokinetics and
Biopharmaceutics 15, 1987).
"""

from enum import StrEnum

MINIMUM_RUNS = 3
"""Fewer runs an arm tell nothing: from 3 on, t on logarithms holds its coverage (simulated)."""

USUAL_MARGIN = 0.03
"""For a metric that is asked of a study without a question: what an A/A study on dedicated metal
shows between the 5th and the 95th percentile (faster-cpython/ideas#480)."""


class Relation(StrEnum):
    """Where the second arm lies, seen from the first."""

    EQUIVALENT = "equivalent"
    ABOVE = "above"
    BELOW = "below"
    CANNOT_TELL = "cannot tell"


def relation_of_ratio(low: float, high: float, margin: float) -> Relation:
    """Of the interval of a ratio: inside [1/(1+margin), 1+margin] is equivalent."""
    return _relation(low, high, 1 / (1 + margin), 1 + margin, nothing=1)


def relation_of_difference(low: float, high: float, margin: float) -> Relation:
    """Of the interval of a difference; `margin` is absolute, in the unit of the difference."""
    return _relation(low, high, -margin, margin, nothing=0)


def _relation(
    low: float, high: float, margin_low: float, margin_high: float, nothing: float
) -> Relation:
    if not low <= high:
        raise ValueError(f"[{low}, {high}] is no interval")
    if not margin_low <= margin_high:
        raise ValueError(f"a margin is 0 or more; these are its ends: {margin_low}, {margin_high}")
    if margin_low <= low and high <= margin_high:
        return Relation.EQUIVALENT
    if low > nothing:
        return Relation.ABOVE
    if high < nothing:
        return Relation.BELOW
    return Relation.CANNOT_TELL
