"""What the analysis says: `analysis.json`, `findings.json`. All that a report shows is here.

History of `ANALYSIS_VERSION`:
1  first version
2  figures of each operation, variation between runs, loads that did not fail, thresholds of Apdex
3  findings tell in fields what they are about; figures of which nothing is claimed
4  a question has its answer first: headline, standings, belief; what arms are made of; the CPU time of
   garbage collectors
5  figures of groups, of operations over groups, of sessions and of users
6  what became of the claims that a study holds against its figures
7  what a published procedure says of single requests, where a study asks for it; the service that was
   loaded in place of the entry of its system
8  what of their contract arms are not held to
"""

from enum import StrEnum
from functools import cached_property
from typing import Final, Literal

from pydantic import Field

from loadstone.analysis.answer_model import Answer
from loadstone.analysis.chart_model import Box, CurvePoint, RunSeries
from loadstone.analysis.claim_model import Reproduction
from loadstone.analysis.multi_arm_model import FactorEffect, FactorialModel, Ranking, Survivals
from loadstone.analysis.per_request_model import PerRequestComparison
from loadstone.audit.warmth.model import Warmth
from loadstone.frozen import Frozen
from loadstone.metrics.model import MetricInfo, WorkloadKind
from loadstone.study.values.model import Order

ANALYSIS_VERSION: Final = 8


FigureState = Literal[
    "value", "failed", "too few samples", "not measured", "not reached", "withheld"
]
"""`not reached`: the load ended before the service failed, or the warm-up before it was seen to be
steady, so all that is known is a lower bound."""


class RunFigure(Frozen):
    """One metric of one run."""

    value: float | None
    """In the catalogue's unit; none where `state` is not `value`."""
    state: FigureState
    """Whether there is a value, or why not."""
    reason: str = ""
    """For every state but `value`: why, in a few words."""
    at_least: float | None = None
    """For `not reached`: what it is more than, in the catalogue's unit."""


class ArmFigure(Frozen):
    """One metric of one arm under one workload, over its runs."""

    metric: str
    """Catalogue name."""
    value: float | None
    """Mean over runs (geometric on a ratio scale), or the pooled quantile."""
    state: FigureState
    """Whether there is a value, or why not."""
    reason: str = ""
    """For every state but `value`: why."""
    no_claim: str = ""
    """Codes of the findings by which the value stays, and no verdict, rank or effect is made of it."""
    pooled: bool = False
    """From the histograms merged over blocks: beyond one run's reach, so without an interval."""
    low: float | None = None
    """Smallest and largest of the runs: variation, not an interval."""
    high: float | None = None
    """Largest of the runs."""
    deviation: float | None = None
    """Between the runs: on a ratio scale the coefficient of variation, a share; on a difference scale
    the standard deviation, in the catalogue's unit. None of fewer than two runs.
    """
    runs: tuple[RunFigure, ...] = ()
    """In block order."""


class OperationFigures(Frozen):
    """One operation of one arm under one workload."""

    operation: str
    """Its name: of several groups `GROUP.OPERATION`, where it is not over all of them."""
    group: str = ""
    """Its group; empty of a load with one, and over several."""
    outcomes: dict[str, int]
    """Totals over windows of completed runs."""
    figures: tuple[ArmFigure, ...]
    """Every metric that can be told of one operation."""

    @cached_property
    def by_metric(self) -> dict[str, ArmFigure]:
        """The figures by catalogue name."""
        return {figure.metric: figure for figure in self.figures}


SessionTotals = dict[str, int]
"""Sessions over windows of completed runs: `begun`, `finished`, of these `ended_early`, `aborted`,
`cut`. Empty where nobody tells, and where each session is one request."""


class GroupFigures(Frozen):
    """One group of users of one arm under one workload."""

    group: str
    """Its name."""
    outcomes: dict[str, int]
    """Totals over windows of completed runs."""
    sessions: SessionTotals = Field(default_factory=dict)
    """How its sessions ended."""
    figures: tuple[ArmFigure, ...]
    """Every metric that can be told of one group."""

    @cached_property
    def by_metric(self) -> dict[str, ArmFigure]:
        """The figures by catalogue name."""
        return {figure.metric: figure for figure in self.figures}


class EngineFigures(Frozen):
    """One of several engines on machines of their own, over the completed runs of an arm."""

    machine: str
    """Its name."""
    runs: int
    """In which it had a share."""
    request_share: float
    """Of the requests of these runs."""
    service_time_ns: float | None
    """Mean of its answers that were ok; none where none was."""
    round_trip_ns: float
    """Of datagrams to the service's machine before the loads, median."""
    clock_bound_ns: int
    """By which its clock may be wrong against the service's, at most."""
    busy_share: float | None
    """Of all CPUs of its machine in the windows; none where nobody tells."""
    retransmitted_share: float | None
    """Of the segments of TCP that its machine sent; none where nobody tells."""


class Cell(Frozen):
    """One arm under one workload."""

    arm: str
    """Arm id."""
    workload: str
    """Workload name."""
    kind: WorkloadKind = "load"
    """Of the workload."""
    runs_planned: int
    """Runs in the plan."""
    runs_completed: int
    """Runs with figures."""
    outcomes: dict[str, int]
    """Totals over windows of completed runs."""
    figures: tuple[ArmFigure, ...]
    """Every metric of the catalogue that workloads of this kind measure."""
    warmth: Warmth | None = None
    """Whether its windows were warm, by their seconds; none without a load."""
    warmth_unknown: str = ""
    """For `not judged`: why."""
    late_look: str = ""
    """What the run showed that went on behind its window; empty where none did."""
    not_held: str = ""
    """What of its contract the arm is not held to, in words; empty where it is to all."""
    sessions: SessionTotals = Field(default_factory=dict)
    """How the sessions of all groups ended."""
    engines: tuple[EngineFigures, ...] = ()
    """Where they have machines of their own: each apart."""
    groups: tuple[GroupFigures, ...] = ()
    """Of a load of several groups: each of them apart."""
    operations: tuple[OperationFigures, ...] = ()
    """Of a load: each operation apart, by name."""
    over_groups: tuple[OperationFigures, ...] = ()
    """Each operation that several groups perform, all of them together."""
    curve: tuple[CurvePoint, ...]
    """Response time over all offered requests of all windows, up to where failures begin."""
    series: tuple[RunSeries, ...]
    """Each run over time."""
    boxes: tuple[Box, ...] = ()
    """One for each operation with an ok request; none where the median response time is withheld."""

    @cached_property
    def by_metric(self) -> dict[str, ArmFigure]:
        """The figures by catalogue name."""
        return {figure.metric: figure for figure in self.figures}


class Verdict(StrEnum):
    """What a comparison may say, of the second arm against the first."""

    EQUIVALENT = "equivalent"
    BETTER = "better"
    WORSE = "worse"
    CANNOT_TELL = "cannot tell"


class Superiority(Frozen):
    """How often a run of the other arm is the better one of two, drawn from each arm one."""

    probability: float
    """Half of the ties counted: 0.5 where the arms are alike."""
    low: float
    """Lower end of its interval, at the comparison's level."""
    high: float
    """Upper end."""


class Comparison(Frozen):
    """Two arms, one workload, one metric."""

    question: str
    """The question that it answers."""
    workload: str
    """Workload name."""
    group: str | None = None
    """The group whose figures are compared; none: of all together."""
    operation: str | None = None
    """The operation whose figures are compared; none: of all together."""
    metric: str
    """Catalogue name."""
    primary: bool
    """Whether it is the question's first metric."""
    baseline: str
    """Arm id."""
    other: str
    """Arm id."""
    scale: Literal["ratio", "difference"]
    """A ratio, or a difference."""
    estimate: float | None
    """other / baseline, or other - baseline."""
    low: float | None
    """Lower end of the interval."""
    high: float | None
    """Upper end of the interval."""
    level: float
    """Of the interval: what the family's correction used."""
    margin: float
    """Fraction within which arms count as equivalent."""
    p_value: float | None
    """Two-sided, before correction."""
    method: Literal["paired t on logarithms", "Welch on logarithms", "paired t", "Welch", "none"]
    """How the interval was made."""
    runs: tuple[int, int]
    """Runs of baseline and other."""
    verdict: Verdict
    """Of other against baseline."""
    words: str
    """In the metric's own words: faster, slower, lower, higher, equivalent, cannot tell."""
    reason: str = ""
    """For `cannot tell`: why."""
    not_held: str = ""
    """What of its contract either arm is not held to, in words; empty where both are to all."""
    smallest_effect: float | None = None
    """The ratio above 1 (or the difference above 0) that so many runs find with 90 % power at this
    level, were the spread seen the true one; none where nothing was tested.
    """
    superiority: Superiority | None = None
    """The effect on single runs, free of any distribution; none where nothing was tested."""


class ArmInfo(Frozen):
    """An arm as the report names it."""

    id: str
    """Its id."""
    factors: dict[str, str]
    """Factor to level."""
    made_of: tuple[str, ...] = ()
    """Framework and runtime of each of its services, with their versions, as far as they are known."""
    not_held: str = ""
    """What of its contract it is not held to, in words; empty where it is to all."""


class Adaptive(Frozen):
    """How far a study went that could end early."""

    looks: tuple[int, ...]
    """Blocks after which it could end, the last of them at the latest."""
    stopped_after: int | None
    """The block after which it ended; none: it has not."""
    level: float
    """Of the intervals before Holm's correction, whichever look they are of."""


class ApdexThresholds(Frozen):
    """Up to when an answer satisfies, and up to when it is tolerated."""

    satisfied_ns: int = 1_000_000_000
    """Of the response time."""
    tolerated_ns: int = 10_000_000_000
    """Of the response time."""


class Analysis(Frozen):
    """`analysis.json`: rebuilt from the records alone."""

    analysis_version: Literal[8] = ANALYSIS_VERSION
    """Of this format."""
    study: str
    """The study's name."""
    goal: str
    """What it is for."""
    system: str
    """The system's name."""
    entry: str | None = None
    """The service that was loaded itself; none: the entry of the system."""
    profile: str | None
    """The profile that shortened it."""
    blocks: dict[str, int]
    """Repetitions planned, by workload: starts have blocks of their own. Of an adaptive study those
    up to its stop, or to its next look.
    """
    adaptive: Adaptive | None = None
    """Of an adaptive study; none where the number of blocks was fixed."""
    order: Order = "random"
    """Of the runs in a block."""
    simulated: bool
    """Whether any run was simulated; then nothing is ranked."""
    arms: tuple[ArmInfo, ...]
    """In the plan's order."""
    workloads: tuple[str, ...]
    """In the plan's order."""
    metrics: tuple[MetricInfo, ...]
    """The catalogue."""
    apdex: ApdexThresholds = ApdexThresholds()
    """What `apdex` was computed with."""
    cells: tuple[Cell, ...]
    """Each arm under each workload."""
    comparisons: tuple[Comparison, ...]
    """Every comparison of every question."""
    rankings: tuple[Ranking, ...] = ()
    """By each metric of each question, under each of its workloads that measures three arms or more."""
    factor_effects: tuple[FactorEffect, ...] = ()
    """Of each question whose factor several pairs of arms differ in alone."""
    factorials: tuple[FactorialModel, ...] = ()
    """By each question's primary metric, where two factors or more vary."""
    survivals: tuple[Survivals, ...] = ()
    """Of each workload with a stop rule beside its duration."""
    answers: tuple[Answer, ...]
    """One for each question."""
    reproductions: tuple[Reproduction, ...] = ()
    """One for each claim; none of a simulated study."""
    per_request: tuple[PerRequestComparison, ...] = ()
    """One for each pair of arms that a question compares, where the study asks for it; none of a
    simulated one."""
    failed_runs: tuple[str, ...]
    """`run id: step: reason` of every run without figures."""
    time_use: dict[str, int] = Field(default_factory=dict)
    """Where the time went: nanoseconds by phase, the longest first."""

    @cached_property
    def by_arm(self) -> dict[tuple[str, str], Cell]:
        """The cells by arm and workload."""
        return {(cell.arm, cell.workload): cell for cell in self.cells}
