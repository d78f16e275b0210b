"""Adaptive blocks: after which blocks a study looks, at which level, and when it has seen enough.

Stopping is by precision: by where the interval of a comparison lies and how wide it is, held against
the margin. No p value is asked for, so "no difference that matters" ends a study as well as a large
difference; one that is told, by an interval beside 1, is paid for by the level.

Every look is one more chance for an interval to miss the truth, so each interval of an adaptive study
has 1 / looks of the error of a fixed one (Bonferroni). The intervals of a comparison, one a look, then
cover the truth together in at least 95 %, whatever rule stops the study, and so does the one that is
left standing, at whichever look that is: Jennison & Turnbull, "Interim Analyses: the Repeated
Confidence Interval Approach", Journal of the Royal Statistical Society B 51(3), 1989. Pocock's
constant for three looks, 0.0221 (Biometrika 64(2), 1977), is not enough: it is for normal statistics
and one comparison. In 200,000 simulated studies with a run-to-run variation of 5 % and a margin of
3 %, paired t intervals of equal arms cover 94.5 % at it and 95.8 % at 0.05 / 3; and a family of ten
equal pairs, corrected by Holm over it, has a false difference at some look in 5.8 % against 4.4 %.
"""

import math
from collections.abc import Iterable, Sequence
from enum import StrEnum

from loadstone.stats.comparison.holm import ALPHA
from loadstone.stats.comparison.verdict import Relation, relation_of_difference, relation_of_ratio

LOOKS = (6, 12, 24)
"""Blocks. Six pairs are the first that enclose the median with 97 %; twice as many narrow an interval
by 1.4 and more, which is worth a look; a study of 24 is the longest that it may become."""


class Decidedness(StrEnum):
    """What an interval is good for at a look."""

    TOLD = "told"
    """The verdict is equivalent, better or worse."""
    PRECISE = "precise"
    """No verdict, but half of the interval is no wider than the margin."""
    OPEN = "open"
    """Neither."""


def alpha_of(looks: Sequence[int]) -> float:
    """The error that the intervals of a study may have before Holm; without looks the usual one."""
    return ALPHA / len(looks) if looks else ALPHA


def decidedness_of_ratio(low: float, high: float, margin: float) -> Decidedness:
    """Of the interval of a ratio; half of it is taken on the logarithmic scale."""
    if relation_of_ratio(low, high, margin) is not Relation.CANNOT_TELL:
        return Decidedness.TOLD
    reach = math.inf if low <= 0 else (math.log(high) - math.log(low)) / 2
    return Decidedness.PRECISE if reach <= math.log1p(margin) else Decidedness.OPEN


def decidedness_of_difference(low: float, high: float, margin: float) -> Decidedness:
    """Of the interval of a difference; `margin` is absolute, in the unit of the difference."""
    if relation_of_difference(low, high, margin) is not Relation.CANNOT_TELL:
        return Decidedness.TOLD
    return Decidedness.PRECISE if (high - low) / 2 <= margin else Decidedness.OPEN


def stops(looks: Sequence[int], after_block: int, decided: Iterable[bool]) -> bool:
    """Whether a study ends here: at the last look, or where every comparison is decided."""
    if after_block not in looks:
        raise ValueError(f"there is a look after blocks {tuple(looks)}, none after {after_block}")
    return after_block == looks[-1] or all(decided)
