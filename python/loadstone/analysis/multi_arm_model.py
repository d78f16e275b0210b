"""What the analysis says beyond pairs of arms: ranks, factors, times to failure."""

from typing import Literal

from loadstone.frozen import Frozen


class RankedArm(Frozen):
    """One arm's place among the arms of a workload by one metric."""

    arm: str
    """Arm id."""
    rank: int
    """By the estimate alone, 1 is the best; never to be read without its interval."""
    low: int
    """The best place that it can have: behind every arm that is told to be better."""
    high: int
    """The worst: before every arm that is told to be worse."""
    value: float
    """The arm's figure."""
    not_held: str = ""
    """What of its contract it is not held to; empty where it is to all."""


class UnrankedArm(Frozen):
    """One arm that has no place."""

    arm: str
    """Arm id."""
    reason: str
    """Why."""


class Ranking(Frozen):
    """The arms of one workload by one metric, three or more, each pair of them compared."""

    question: str
    """The question that asks for the metric."""
    workload: str
    """Workload name."""
    metric: str
    """Catalogue name."""
    level: float
    """Of the family of all pairs under all workloads of the question, by Holm."""
    arms: tuple[RankedArm, ...]
    """By rank."""
    best: tuple[str, ...]
    """Arms that no other is told to be better than, by rank."""
    pairs: int
    """Pairs of arms that have a place."""
    told: int
    """Those of which one is told to be better."""
    unranked: tuple[UnrankedArm, ...]
    """In the plan's order: withheld, failed, unmeasured or still warming up."""


class FactorEffect(Frozen):
    """Two levels of a factor, over everything else that varies: a mean over the pairs of arms that
    differ in the factor alone.
    """

    question: str
    """The question that compares the factor."""
    workload: str
    """Workload name."""
    metric: str
    """Catalogue name."""
    factor: str
    """The factor."""
    baseline: str
    """Its level."""
    other: str
    """Its level."""
    pairs: int
    """Pairs of arms."""
    scale: Literal["ratio", "difference"]
    """A ratio, or a difference."""
    estimate: float
    """Geometric mean of the pairs' ratios, or mean of their differences."""
    low: float
    """Lower end of its interval over blocks: pairs of one block are no observations of their own."""
    high: float
    """Upper end."""
    level: float
    """Of the interval, by Holm over the question's effects by this metric."""
    blocks: int
    """Blocks that have all of the arms."""


class FactorialTerm(Frozen):
    """One factor, or factors that act together."""

    factors: tuple[str, ...]
    """One, or those whose interaction it is."""
    degrees: int
    """Degrees of freedom."""
    share: float
    """Of the variance between runs."""
    f_value: float | None
    """Fisher's; none where nothing is left to hold it against."""
    p_value: float | None
    """Of no effect; not corrected: the shares describe, the comparisons tell."""


class FactorialModel(Frozen):
    """What varies a metric, in a study that varies two factors or more: analysis of variance."""

    question: str
    """The question whose primary metric it is."""
    workload: str
    """Workload name."""
    metric: str
    """Catalogue name."""
    scale: Literal["ratio", "difference"]
    """`ratio`: of logarithms; `difference`: of the values."""
    terms: tuple[FactorialTerm, ...]
    """Factors, then pairs of them; empty where nothing was fitted."""
    block_share: float | None
    """Of the variance: between blocks."""
    residual_share: float | None
    """Of the variance: between runs of one arm, and interactions of three factors and more."""
    residual_degrees: int | None
    """Degrees of freedom of that."""
    caveat: str = ""
    """What combinations or runs are missing, and what shares then mean; empty where none are."""
    reason: str = ""
    """Why nothing was fitted; empty where it was."""


FailureRule = Literal["stop rule", "slow mean"]
"""`stop rule`: one ended the load. `slow mean`: what `time_to_slow_mean` is of, in the same loads."""


class ArmSurvival(Frozen):
    """For how long the runs of one arm went on without failing, by Kaplan and Meier."""

    arm: str
    """Arm id."""
    runs: int
    """Runs that have a load."""
    failed: int
    """Those that a stop rule ended; the others ended by their duration, which is all that is known of
    them.
    """
    times_ns: tuple[float, ...]
    """When runs failed, ascending, each time once."""
    probabilities: tuple[float, ...]
    """Of not having failed by then."""
    low: tuple[float, ...]
    """Lower ends of their 95 % intervals."""
    high: tuple[float, ...]
    """Upper ends."""
    median_ns: float | None
    """When half had failed; none where half did not."""
    median_low_ns: float | None
    """Lower end of its 95 % interval; none where the runs do not tell it."""
    median_high_ns: float | None
    """Upper end; none where the runs do not tell it: few runs never do."""
    longest_ns: int
    """Of the runs: nothing is known beyond it."""


class SurvivalComparison(Frozen):
    """Two arms by their times to failure: the log-rank test."""

    baseline: str
    """Arm id."""
    other: str
    """Arm id."""
    statistic: float
    """Chi-squared with one degree of freedom."""
    p_value: float
    """Two-sided, before correction."""
    level: float
    """What Holm's correction over the workload's pairs left for it."""
    words: Literal["fails later", "fails sooner", "cannot tell"]
    """Of the other against the baseline."""


class Survivals(Frozen):
    """The times to failure under one workload whose load ends where a service fails."""

    workload: str
    """Workload name."""
    rule: FailureRule = "stop rule"
    """By which a run failed."""
    arms: tuple[ArmSurvival, ...]
    """In the plan's order; those without a run left out."""
    comparisons: tuple[SurvivalComparison, ...]
    """Each pair of them; empty where nobody failed."""
    left_out: tuple[UnrankedArm, ...] = ()
    """Those whose time to failure is withheld or not compared, and why."""
