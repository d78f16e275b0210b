"""Comparisons as people read them: the word, the estimate, its interval, and what it rests on."""

from dataclasses import dataclass

from loadstone.analysis.model import Analysis, Comparison, Verdict
from loadstone.analysis.sentences.claims import (
    interval_text,
    middle_text,
    runs_text,
    smallest_effect_text,
)
from loadstone.analysis.sentences.doubts import FindingIndex
from loadstone.findings.model import Finding
from loadstone.metrics.labels import metric_label
from loadstone.report.tables.result_table import withheld_reason
from loadstone.text import units
from loadstone.text.words import counted


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
    smallest_effect: str
    """`4.1 %`: what would probably have been found; empty where nothing was tested."""
    superiority: str
    """`0.97 [0.72, 1.00]`: how often a run of the arm is the better one; empty where not tested."""
    doubts: int
    reason: str
    not_held: str
    """What of its contract either arm is not held to; empty where both are to all."""
    tone: str
    """`better`, `worse`, `equivalent` or `cannot-tell`: for colour, beside the word."""

    @property
    def remarks(self) -> str:
        """Why nothing is told, and what of its contract either arm is not held to."""
        return "; ".join(filter(None, (self.reason, self.not_held)))

    @property
    def is_drawn(self) -> bool:
        """Whether there is a ratio with an interval to draw."""
        return bool(self.interval) and self.comparison.scale == "ratio"


def verdict_lines(analysis: Analysis, findings: tuple[Finding, ...]) -> tuple[VerdictLine, ...]:
    """Every comparison in the analysis' order; none of a simulated study, which is never ranked."""
    if analysis.simulated:
        return ()
    index = FindingIndex(findings)
    return tuple(
        verdict_line(comparison, index, withheld_reason(analysis, comparison))
        for comparison in analysis.comparisons
    )


def doubts_text(line: VerdictLine) -> str:
    """`no doubts`, `2 doubts`."""
    return counted(line.doubts, "doubt") if line.doubts else "no doubts"


def verdict_line(comparison: Comparison, index: FindingIndex, withheld: str = "") -> VerdictLine:
    """One comparison in words; `withheld` is why one of its figures is, and empty where none is."""
    verdict = Verdict.CANNOT_TELL if withheld else comparison.verdict
    interval = "" if withheld else interval_text(comparison)
    return VerdictLine(
        comparison=comparison,
        words=verdict.value if withheld else comparison.words,
        tone=verdict.value.replace(" ", "-"),
        metric=metric_label(comparison.metric),
        estimate="" if withheld else middle_text(comparison),
        interval=interval and f"{units.percent(comparison.level)} interval {interval}",
        basis=runs_text(comparison),
        margin=f"margin {units.percent(comparison.margin)}",
        smallest_effect="" if withheld else smallest_effect_text(comparison),
        superiority="" if withheld else superiority_text(comparison),
        doubts=len(index.touching(comparison)),
        reason=f"withheld: {withheld}" if withheld else comparison.reason,
        not_held=comparison.not_held,
    )


def superiority_text(comparison: Comparison) -> str:
    """`0.97 [0.72, 1.00]`; empty where nothing was tested."""
    found = comparison.superiority
    return "" if found is None else f"{found.probability:.2f} [{found.low:.2f}, {found.high:.2f}]"
