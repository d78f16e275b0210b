"""What a published procedure makes of single requests, what it leaves out, and what the runs say.

It compares samples of request times, one run a side: `stats/comparison/published_procedure.py`. Nothing
here is a figure of the study, and no verdict, place or finding follows from it.
"""

from typing import Literal

from loadstone.frozen import Frozen

ChosenTest = Literal["Student's t", "Wilcoxon rank-sum"]
"""As in `stats`, which every command would load for it."""
NormalityTest = Literal["Shapiro-Wilk", "Lilliefors"]
"""As well."""
ToldOfRequests = Literal["slower", "faster", "no difference"]
"""`no difference`: the hypothesis of none is not rejected, from which the procedure concludes so."""


class RequestSample(Frozen):
    """The service times of one run's ok requests."""

    run: str
    """The run's id; of a run or a file that was given by itself its name."""
    requests: int
    """How many there are."""
    is_exact: bool
    """Whether each time is as it was told; else it has three significant digits."""
    median_ns: float
    """Of them; of an even number the mean of the two in the middle."""
    normality: NormalityTest | None
    """The test of normality; none where nothing varies."""
    normality_statistic: float | None
    """W of Shapiro and Wilk, D of Lilliefors."""
    normality_p_value: float | None
    """Of normal values."""
    is_normal: bool
    """Whether the test does not reject it."""
    skewness: float | None
    """The moment coefficient; none where nothing varies."""
    is_symmetric: bool
    """Whether its skewness is at most 1, on either side."""
    seconds: int
    """Seconds in which a request ended."""
    correlation: float | None
    """Intraclass correlation of requests of one second; none where it cannot be told."""
    independent: float | None
    """How many independent requests tell as much as these, by that correlation; none as there."""


class RequestTest(Frozen):
    """One run of each arm, by the published procedure."""

    block: int | None
    """Of both runs; none of runs and files that were given by themselves."""
    baseline: RequestSample
    """Of the one arm."""
    other: RequestSample
    """Of the other."""
    test: ChosenTest
    """What the procedure chose: t where both are normal and symmetric, else the rank-sum test."""
    statistic: float
    """t of the other against the baseline, or W of the other, as R's `wilcox.test` gives it."""
    p_value: float
    """Two-sided, without a correction."""
    told: ToldOfRequests
    """What the procedure concludes at 0.05, of the other against the baseline."""
    cliffs_delta: float
    """From -1, where all requests of the other are faster, to 1, where all are slower."""
    median_difference_ns: float
    """Median of the other less that of the baseline."""
    by_second_p_value: float
    """Of the rank-sum test on the means of seconds: what is left if a second counts as one value."""


class RunsAnswer(Frozen):
    """What the lab says of the same two by their runs."""

    metric: str
    """Catalogue name of what the runs are compared by."""
    words: str
    """faster, slower, equivalent, cannot tell: of the other against the baseline."""
    estimate: float | None = None
    """other / baseline."""
    low: float | None = None
    """Lower end of its interval."""
    high: float | None = None
    """Upper end."""
    level: float | None = None
    """Of the interval, by Holm over the question's pairs; none where nothing was tested."""
    runs: tuple[int, int]
    """Runs of baseline and other."""
    reason: str = ""
    """For `cannot tell`: why."""


class PerRequestComparison(Frozen):
    """Two arms under one workload: by single requests, one run a side, and by their runs."""

    question: str = ""
    """The question that asks for it; empty outside of a study."""
    workload: str = ""
    """Workload name; empty of runs and files that were given by themselves."""
    group: str | None = None
    """The group whose requests are compared; none: of all together."""
    operation: str | None = None
    """The operation whose requests are compared; none: of all together."""
    baseline: str
    """Arm id, or a name."""
    other: str
    """Arm id, or a name."""
    tests: tuple[RequestTest, ...]
    """One for each block in which both have a run, the first block first."""
    left_out: tuple[str, ...] = ()
    """Blocks without a test, each with the reason."""
    by_runs: RunsAnswer
    """The answer of the lab."""
