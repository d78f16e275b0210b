"""Whether values are normal: Shapiro and Wilk's test for few, Lilliefors's for more.

Shapiro & Wilk, "An analysis of variance test for normality (complete samples)", Biometrika 52, 1965,
by Royston's algorithm AS R94 (Applied Statistics 44(4), 1995), which scipy and R have. Of thousands of
values such a test finds whatever is not exactly normal, also where no t-test would mind.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.values.lilliefors import lilliefors

MOST_SHAPIRO = 30
"""Values up to which the published procedure takes Shapiro and Wilk's test."""
LEAST_VALUES = 3
"""The fewest that either can be asked of."""

NormalityTest = Literal["Shapiro-Wilk", "Lilliefors"]


class Normality(NamedTuple):
    """What the test found."""

    test: NormalityTest
    statistic: float
    """W of Shapiro and Wilk, D of Lilliefors."""
    p_value: float
    """Of values that are normal."""


def normality(values: NDArray[np.float64]) -> Normality | None:
    """Test values in any order; none where nothing varies. `ValueError` for fewer than three."""
    if len(values) < LEAST_VALUES:
        raise ValueError(f"{len(values)} values are too few: a test needs {LEAST_VALUES}")
    if np.ptp(values) == 0:
        return None
    if len(values) > MOST_SHAPIRO:
        return Normality("Lilliefors", *lilliefors(values))
    from scipy import stats  # loaded late: it takes half a second

    found = stats.shapiro(values)
    return Normality("Shapiro-Wilk", float(found.statistic), float(found.pvalue))
