"""The lab's own answer, in the form in which it stands beside that of the published procedure."""

from typing import Final

from loadstone.analysis.model import Comparison, Verdict
from loadstone.analysis.per_request_model import RunsAnswer

METRIC: Final = "service_time.median"
"""What runs are compared by here: the same clock as the single requests, and the place of their
distribution, which is what both tests are about. The question's own metrics have their verdicts."""

ONE_RUN = "one run a side, so nothing tells how runs vary"


def of_comparison(comparison: Comparison) -> RunsAnswer:
    """The answer that a comparison by `METRIC` gives."""
    is_told = comparison.low is not None
    return RunsAnswer(
        metric=comparison.metric,
        words=comparison.words,
        estimate=comparison.estimate,
        low=comparison.low,
        high=comparison.high,
        level=comparison.level if is_told else None,
        runs=comparison.runs,
        reason=comparison.reason,
    )


def of_two_runs(*withheld: str) -> RunsAnswer:
    """One run a side answers nothing; `withheld` are figures that do not even stand, with reasons."""
    return RunsAnswer(
        metric=METRIC,
        words=Verdict.CANNOT_TELL.value,
        runs=(1, 1),
        reason="; ".join((ONE_RUN, *(f"withheld: {each}" for each in withheld))),
    )
