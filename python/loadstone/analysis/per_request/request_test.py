"""Two described runs by the published procedure, and by the means of their seconds."""

from loadstone.analysis.per_request.described import Described
from loadstone.analysis.per_request_model import RequestTest, ToldOfRequests
from loadstone.stats.comparison.published_procedure import published_procedure
from loadstone.stats.comparison.rank_sum import rank_sum

EXACT_SECONDS_BELOW = 9
"""Of the test on means of seconds, which is ours: from here on the normal approximation is near enough,
as scipy has it. What remains of a correlation between seconds matters more than its error."""


def request_test(baseline: Described, other: Described, block: int | None = None) -> RequestTest:
    """Compare the other with the baseline."""
    found = published_procedure(other.sample, baseline.sample)
    told: ToldOfRequests = "no difference"
    if found.rejects:
        told = "slower" if found.is_above else "faster"
    by_second = rank_sum(
        other.second_means_ns, baseline.second_means_ns, exact_below=EXACT_SECONDS_BELOW
    )
    return RequestTest(
        block=block,
        baseline=baseline.told,
        other=other.told,
        test=found.test,
        statistic=found.statistic,
        p_value=found.p_value,
        told=told,
        cliffs_delta=found.ranks.cliffs_delta,
        median_difference_ns=other.told.median_ns - baseline.told.median_ns,
        by_second_p_value=by_second.p_value,
    )
