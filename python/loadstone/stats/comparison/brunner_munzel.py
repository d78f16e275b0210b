"""Brunner-Munzel: the cross-check of an unpaired comparison, by ranks, with unequal spreads.

Brunner & Munzel, "The Nonparametric Behrens-Fisher Problem", Biometrical Journal 42(1), 2000. The
implementation is scipy's; this handles what divides by zero there.
"""

import math
from collections.abc import Sequence

from loadstone.stats.comparison.estimate import require_finite


def brunner_munzel(baseline: Sequence[float], other: Sequence[float]) -> float:
    """Two-sided p value of P(baseline < other) + half the ties = 1/2.

    Arms that do not overlap give 0, the limit of the statistic; arms of one common value give 1.
    `ValueError` for fewer than two values an arm, or a value that is not finite.
    """
    require_finite([*baseline, *other])
    if len(baseline) < 2 or len(other) < 2:
        raise ValueError("a comparison needs at least two values an arm")
    if max(baseline) < min(other) or max(other) < min(baseline):
        return 0.0
    if len({*baseline, *other}) == 1:
        return 1.0
    from scipy import stats  # loaded late: it takes half a second

    p_value = float(stats.brunnermunzel(baseline, other, alternative="two-sided").pvalue)
    # No spread of the ranks within either arm and a tie between them: nothing to tell by.
    return 1.0 if math.isnan(p_value) else p_value
