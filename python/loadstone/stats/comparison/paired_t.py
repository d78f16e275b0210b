"""Paired t: the difference of two arms from runs that share their block.

What a block has in common (a drift of the machine, a busy neighbour) cancels out. Student 1908;
NIST/SEMATECH e-Handbook of Statistical Methods, section 7.3.1.2.
"""

import math
from collections.abc import Sequence

import numpy as np

from loadstone.stats.comparison.estimate import Estimate, require_finite


def paired_t(baseline: Sequence[float], other: Sequence[float]) -> Estimate:
    """Mean of `other - baseline`, pair by pair, in their order.

    `ValueError` for fewer than two pairs, different lengths, or a value that is not finite.
    """
    require_finite([*baseline, *other])
    if len(baseline) != len(other):
        raise ValueError(f"{len(baseline)} values cannot be paired with {len(other)}")
    if len(baseline) < 2:
        raise ValueError("a paired comparison needs at least two pairs")
    differences = np.asarray(other, dtype=float) - np.asarray(baseline, dtype=float)
    count = len(differences)
    return Estimate(
        mean=float(differences.mean()),
        standard_error=_spread(differences) / math.sqrt(count),
        degrees_of_freedom=count - 1,
    )


def _spread(values: np.ndarray) -> float:
    """Standard deviation, exactly 0 for equal values: their mean may be rounded."""
    return 0.0 if np.ptp(values) == 0 else float(values.std(ddof=1))
