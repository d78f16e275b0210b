"""The tests of single requests of a pair of arms, beside what the lab says of the pair."""

from loadstone.analysis.model import Comparison
from loadstone.analysis.per_request.by_block import PairTests
from loadstone.analysis.per_request.by_runs import of_comparison
from loadstone.analysis.per_request_model import PerRequestComparison


def beside(comparison: Comparison, tested: PairTests) -> PerRequestComparison:
    """Put the tests of a pair beside what its runs say."""
    return PerRequestComparison(
        question=comparison.question,
        workload=comparison.workload,
        group=comparison.group,
        operation=comparison.operation,
        baseline=comparison.baseline,
        other=comparison.other,
        tests=tuple(tested.tests),
        left_out=tuple(tested.left_out),
        by_runs=of_comparison(comparison),
    )
