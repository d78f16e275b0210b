"""How a published study compared two samples of request times: by one of two tests.

A dissertation that held Ballerina against Java (2024), by the script beside it: Lilliefors's test of
each sample (Shapiro-Wilk's up to 30 values), the moment skewness of each, Student's t where both are
normal and symmetric, else Wilcoxon's rank-sum test; two-sided, at 0.05, without a correction for the
number of tests. Many studies of web services go about it in this way.

The procedure gives no effect size, no interval, and does not ask whether the values are independent.
Choosing a test by a test on the same values costs some of its level, too (Rochon, Gondan & Kieser, "To
test or not to test", BMC Medical Research Methodology 12, 2012).
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from loadstone.stats.comparison.rank_sum import RankSum, rank_sum
from loadstone.stats.comparison.student import student
from loadstone.stats.values.normality import LEAST_VALUES, Normality, normality
from loadstone.stats.values.skewness import skewness

ALPHA: Final = 0.05
"""Of each test by itself."""
MOST_SKEWNESS: Final = 1.0
"""Up to here, on either side, a sample counts as symmetric: the study's script calls those beyond 1
asymmetrical. Bulmer ("Principles of Statistics", 1979) calls them highly skewed."""

ChosenTest = Literal["Student's t", "Wilcoxon rank-sum"]


@dataclass(frozen=True, eq=False)
class Sample:
    """One sample as the procedure sees it."""

    values: NDArray[np.float64]
    """In any order and unit."""
    normality: Normality | None
    """None where nothing varies."""
    skewness: float | None
    """None where nothing varies."""

    @property
    def is_normal(self) -> bool:
        """Whether the test of normality does not reject it."""
        return self.normality is not None and self.normality.p_value >= ALPHA

    @property
    def is_symmetric(self) -> bool:
        """Whether its skewness is small enough."""
        return self.skewness is not None and abs(self.skewness) <= MOST_SKEWNESS


@dataclass(frozen=True)
class ProcedureResult:
    """What the procedure says of the first sample against the second."""

    test: ChosenTest
    statistic: float
    """t, or W of the first sample."""
    p_value: float
    """Two-sided, uncorrected."""
    ranks: RankSum
    """The rank-sum test, whichever was chosen: Cliff's delta comes from it."""

    @property
    def rejects(self) -> bool:
        """Whether the hypothesis of no difference is rejected."""
        return self.p_value < ALPHA

    @property
    def is_above(self) -> bool:
        """Whether the first sample lies above the second, by the statistic of the test."""
        return self.statistic > (self.ranks.pairs / 2 if self.test == "Wilcoxon rank-sum" else 0)


def sample(values: NDArray[np.float64]) -> Sample:
    """Describe values. `ValueError` for fewer than `LEAST_VALUES`, or one that is not finite."""
    if len(values) < LEAST_VALUES:
        raise ValueError(f"{len(values)} values are too few: the procedure needs {LEAST_VALUES}")
    if not np.isfinite(values).all():
        raise ValueError("the procedure needs finite values")
    return Sample(values, normality(values), skewness(values))


def published_procedure(first: Sample, second: Sample) -> ProcedureResult:
    """Compare two samples with the test that the procedure chooses for them."""
    ranks = rank_sum(first.values, second.values)
    if not all(each.is_normal and each.is_symmetric for each in (first, second)):
        return ProcedureResult("Wilcoxon rank-sum", ranks.statistic, ranks.p_value, ranks)
    estimate = student(first.values, second.values)
    # Samples that vary have a standard error: one that does not is never normal.
    statistic = estimate.mean / estimate.standard_error
    return ProcedureResult("Student's t", statistic, estimate.p_value(), ranks)
