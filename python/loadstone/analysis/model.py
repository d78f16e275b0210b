"""What the analysis says: `analysis.json`, `findings.json`. All that a report shows is here."""

from enum import StrEnum
from typing import Final, Literal

from loadstone.frozen import Frozen

ANALYSIS_VERSION: Final = 1


class Severity(StrEnum):
    """How much a finding takes away."""

    NOTE = "note"
    WARNING = "warning"
    WITHHOLD = "withhold"


class Finding(Frozen):
    """A reason to doubt a run, an arm or a study, with its numbers and what to do."""

    code: str
    """Kebab-case rule name: `littles-law`."""
    severity: Severity
    scope: str
    """`run:<run id>`, `arm:<arm>/<workload>`, `comparison:<question>`, or `study`."""
    metrics: tuple[str, ...]
    """Metrics it touches; a trailing `.*` means all below. Empty: none in particular."""
    evidence: str
    """One sentence with the numbers."""
    advice: str
    """What to do next, fitting the options in use."""


class MetricInfo(Frozen):
    """One row of the metric catalogue."""

    name: str
    unit: Literal["ns", "1/s", "share", "bytes", "count"]
    direction: Literal["lower", "higher"]
    """Which way is better."""
    scale: Literal["ratio", "difference"]
    """How two arms are compared: metrics that can be 0 use differences."""
    definition: str


class RunFigure(Frozen):
    """One metric of one run."""

    value: float | None
    """In the catalogue's unit; none where `state` is not `value`."""
    state: Literal["value", "failed", "too few samples", "not measured", "withheld"]
    reason: str = ""
    """For every state but `value`: why, in a few words."""


class ArmFigure(Frozen):
    """One metric of one arm under one workload, over its runs."""

    metric: str
    value: float | None
    """Mean over runs (geometric on a ratio scale), or the pooled quantile."""
    state: Literal["value", "failed", "too few samples", "not measured", "withheld"]
    reason: str = ""
    pooled: bool = False
    """From the histograms merged over blocks: beyond one run's reach, so without an interval."""
    low: float | None = None
    """Smallest and largest of the runs: variation, not an interval."""
    high: float | None = None
    runs: tuple[RunFigure, ...] = ()
    """In block order."""


class CurvePoint(Frozen):
    """A point of a response-time-by-percentile curve."""

    quantile: float
    value_ns: int


class SeriesPoint(Frozen):
    """One second of one run."""

    second: int
    """Since the load began."""
    throughput: float
    failures: int
    response_time_mean_ns: float | None


class RunSeries(Frozen):
    """One run over time."""

    run: str
    block: int
    points: tuple[SeriesPoint, ...]


class Cell(Frozen):
    """One arm under one workload."""

    arm: str
    workload: str
    runs_planned: int
    runs_completed: int
    outcomes: dict[str, int]
    """Totals over windows of completed runs."""
    figures: tuple[ArmFigure, ...]
    curve: tuple[CurvePoint, ...]
    """Response time over all offered requests of all windows, up to where failures begin."""
    series: tuple[RunSeries, ...]


class Verdict(StrEnum):
    """What a comparison may say, of the second arm against the first."""

    EQUIVALENT = "equivalent"
    BETTER = "better"
    WORSE = "worse"
    CANNOT_TELL = "cannot tell"


class Comparison(Frozen):
    """Two arms, one workload, one metric."""

    question: str
    workload: str
    metric: str
    primary: bool
    baseline: str
    """Arm id."""
    other: str
    scale: Literal["ratio", "difference"]
    estimate: float | None
    """other / baseline, or other - baseline."""
    low: float | None
    high: float | None
    level: float
    """Of the interval: what the family's correction used."""
    margin: float
    p_value: float | None
    method: Literal["paired t on logarithms", "Welch on logarithms", "paired t", "Welch", "none"]
    runs: tuple[int, int]
    verdict: Verdict
    words: str
    """In the metric's own words: faster, slower, lower, higher, equivalent, cannot tell."""
    reason: str = ""
    """For `cannot tell`: why."""


class Answer(Frozen):
    """What a question of the study came to."""

    question: str
    sentences: tuple[str, ...]
    """One for each comparison by the primary metric."""


class ArmInfo(Frozen):
    """An arm as the report names it."""

    id: str
    factors: dict[str, str]


class Analysis(Frozen):
    """`analysis.json`: rebuilt from the records alone."""

    analysis_version: Literal[1] = ANALYSIS_VERSION
    study: str
    goal: str
    system: str
    profile: str | None
    blocks: int
    simulated: bool
    arms: tuple[ArmInfo, ...]
    workloads: tuple[str, ...]
    metrics: tuple[MetricInfo, ...]
    cells: tuple[Cell, ...]
    comparisons: tuple[Comparison, ...]
    answers: tuple[Answer, ...]
    failed_runs: tuple[str, ...]
    """`run id: step: reason` of every run without figures."""
