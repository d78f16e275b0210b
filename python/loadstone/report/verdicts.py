"""Comparisons as people read them: the word, the estimate, its interval, and what it rests on."""

from dataclasses import dataclass

from loadstone.analysis.catalogue import metric
from loadstone.analysis.model import Analysis, Comparison, Finding, Verdict
from loadstone.report import units
from loadstone.report.doubts import doubts
from loadstone.report.labels import counted, metric_label
from loadstone.report.result_table import withheld_reason


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One comparison in words. A withheld figure leaves no number in it, only the reason."""

    comparison: Comparison
    words: str
    metric: str
    estimate: str
    """`1.42 ×`, `+0.100 points`; empty where there is none."""
    interval: str
    """`95 % interval [1.31, 1.54]`; empty where there is none."""
    basis: str
    """`6 blocks`."""
    margin: str
    doubts: int
    reason: str
    tone: str
    """`better`, `worse`, `equivalent` or `cannot-tell`: for colour, beside the word."""

    @property
    def is_drawn(self) -> bool:
        """Whether there is a ratio with an interval to draw."""
        return bool(self.interval) and self.comparison.scale == "ratio"


def verdict_lines(analysis: Analysis, findings: tuple[Finding, ...]) -> tuple[VerdictLine, ...]:
    """Every comparison in the analysis' order; none of a simulated study, which is never ranked."""
    if analysis.simulated:
        return ()
    return tuple(
        verdict_line(comparison, findings, withheld_reason(analysis, comparison))
        for comparison in analysis.comparisons
    )


def doubts_text(line: VerdictLine) -> str:
    """`no doubts`, `2 doubts`."""
    return counted(line.doubts, "doubt") if line.doubts else "no doubts"


def verdict_line(
    comparison: Comparison, findings: tuple[Finding, ...], withheld: str = ""
) -> VerdictLine:
    """One comparison in words; `withheld` is why one of its figures is, and empty where none is."""
    estimate, interval = ("", "") if withheld else _numbers(comparison)
    verdict = Verdict.CANNOT_TELL if withheld else comparison.verdict
    return VerdictLine(
        comparison=comparison,
        words=verdict.value if withheld else comparison.words,
        tone=verdict.value.replace(" ", "-"),
        metric=metric_label(comparison.metric),
        estimate=estimate,
        interval=interval and f"{units.percent(comparison.level)} interval {interval}",
        basis=_basis(comparison),
        margin=f"margin {units.percent(comparison.margin)}",
        doubts=doubts(comparison, findings),
        reason=f"withheld: {withheld}" if withheld else comparison.reason,
    )


def _numbers(comparison: Comparison) -> tuple[str, str]:
    estimate, low, high = comparison.estimate, comparison.low, comparison.high
    if estimate is None:
        return "", ""
    if comparison.scale == "ratio":
        interval = "" if low is None or high is None else units.ratio_interval(low, high)
        return units.ratio(estimate), interval
    unit = metric(comparison.metric).unit
    interval = "" if low is None or high is None else units.difference_interval(low, high, unit)
    return units.difference(estimate, unit), interval


def _basis(comparison: Comparison) -> str:
    baseline, other = comparison.runs
    if comparison.method.startswith("paired"):
        return counted(min(baseline, other), "block")
    if baseline == other:
        return f"{counted(other, 'run')} each"
    return f"{baseline} and {counted(other, 'run')}"
