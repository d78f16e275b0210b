"""How much the values of one group resemble each other: the intraclass correlation."""

from collections.abc import Sequence

import numpy as np


def intraclass_correlation(
    counts: Sequence[int], means: Sequence[float], variances: Sequence[float]
) -> float | None:
    """Return ICC(1) of groups, each told by its count, mean and variance within (n - 1 in the
    denominator).

    The share of the variance that lies between groups, by the one-way analysis of variance for groups
    of unequal size (Donner, "A review of inference procedures for the intraclass correlation
    coefficient in the one-way random effects model", International Statistical Review 54(1), 1986).
    Negative where groups differ by less than chance. None for fewer than two groups, for groups of
    single values, and where nothing varies.
    """
    sizes = np.asarray(counts, dtype=float)
    total, groups = float(sizes.sum()), len(sizes)
    if groups < 2 or total <= groups:
        return None
    centre = float(np.average(means, weights=sizes))
    between = float((sizes * (np.asarray(means) - centre) ** 2).sum()) / (groups - 1)
    within = float(((sizes - 1) * np.asarray(variances)).sum()) / (total - groups)
    usual_size = (total - float((sizes**2).sum()) / total) / (groups - 1)
    whole = between + (usual_size - 1) * within
    return (between - within) / whole if whole > 0 else None


def effective_count(counts: Sequence[int], correlation: float) -> float:
    """How many independent values tell as much: n over the design effect 1 + (m - 1) ICC.

    Kish, "Survey Sampling", 1965, section 5.4; m is the mean size of a group by its members.
    """
    sizes = np.asarray(counts, dtype=float)
    total = float(sizes.sum())
    usual_size = float((sizes**2).sum()) / total
    return total / (1 + (usual_size - 1) * max(correlation, 0.0))
