"""Comparisons by single requests as people read them, beside the answer of the runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from loadstone.analysis.model import Analysis
from loadstone.analysis.per_request_model import PerRequestComparison, RequestSample
from loadstone.analysis.sentences.not_held import not_held_sentences
from loadstone.analysis.sentences.per_request import (
    blocks_text,
    effect_text,
    independent_text,
    pair_text,
    published_text,
    runs_text,
    samples_text,
    summary_text,
)
from loadstone.report.tables.question_tables import Row

TITLE = "Single requests, as published"
READING = (
    "What a published procedure makes of one run a side: Lilliefors's test of each sample (that of "
    "Shapiro and Wilk up to 30 requests), its skewness, then Student's t if both are normal and "
    "symmetric, else Wilcoxon's rank-sum test; two-sided at 0.05, uncorrected, over service times of "
    "ok requests. Shown is the first run of each. The procedure gives no effect, and takes requests "
    "for independent; those of one second resemble each other, so that fewer independent ones tell as "
    "much. No verdict follows from it: the answer is that by runs."
)
COLUMNS = (
    "comparison",
    "as published",
    "samples",
    "effect",
    "independent requests",
    "over all blocks",
    "by runs",
)
_SAMPLE = (
    *("run", "requests", "is_exact", "median_ns", "normality", "normality_statistic"),
    *("normality_p_value", "is_normal", "skewness", "is_symmetric", "seconds", "correlation"),
    "independent",
)


@dataclass(frozen=True, slots=True)
class PerRequestRow:
    """One pair of arms; what the procedure says is empty where no block has a run of both."""

    comparison: str
    """`node against go under closed`."""
    published: str
    """`slower: Wilcoxon rank-sum, W 87,285, p 2.93e-88`."""
    samples: str
    """What the procedure saw of each sample."""
    effect: str
    """What it does not give: Cliff's delta, and the difference of the medians."""
    independent: str
    """How many of the requests are independent, and the test by seconds."""
    blocks: str
    """What it says of the other blocks."""
    by_runs: str
    """The lab's answer."""

    @property
    def cells(self) -> tuple[str, ...]:
        """One for each of COLUMNS."""
        return (
            self.comparison,
            self.published,
            self.samples,
            self.effect,
            self.independent,
            self.blocks,
            self.by_runs,
        )


@dataclass(frozen=True, slots=True)
class PerRequestTable:
    """All of them."""

    summary: str
    rows: tuple[PerRequestRow, ...]


def per_request_table(analysis: Analysis) -> PerRequestTable | None:
    """In the order of the questions; none of a study that does not ask for it."""
    compared = analysis.per_request
    if not compared:
        return None
    table = table_of(compared)
    cells = (
        analysis.by_arm.get((arm, each.workload))
        for each in compared
        for arm in (each.baseline, each.other)
    )
    not_held = not_held_sentences({cell.arm: cell.not_held for cell in cells if cell})
    return replace(table, summary=" ".join((table.summary, *not_held)))


def table_of(compared: Sequence[PerRequestComparison]) -> PerRequestTable:
    """A row for each comparison."""
    return PerRequestTable(summary_text(compared), tuple(map(_row, compared)))


def per_request_sheet(analysis: Analysis) -> dict[str, Iterable[Row]]:
    """`per_request.csv`, a test a line with every digit; empty where a study does not ask for it."""
    return {"per_request.csv": _sheet(analysis.per_request)} if analysis.per_request else {}


def _row(compared: PerRequestComparison) -> PerRequestRow:
    first = next(iter(compared.tests), None)
    return PerRequestRow(
        comparison=pair_text(compared),
        published=published_text(first) if first else "",
        samples=samples_text(first) if first else "",
        effect=effect_text(first) if first else "",
        independent=independent_text(first) if first else "",
        blocks=blocks_text(compared),
        by_runs=runs_text(compared.by_runs),
    )


def _sheet(compared: Iterable[PerRequestComparison]) -> Iterable[Row]:
    where = ("question", "workload", "group", "operation", "baseline", "other")
    told = (
        *("test", "statistic", "p_value", "told", "cliffs_delta", "median_difference_ns"),
        "by_second_p_value",
    )
    runs = ("metric", "words", "estimate", "low", "high", "level", "reason")
    yield (
        *where,
        "block",
        *told,
        *(f"{side}_{name}" for side in ("baseline", "other") for name in _SAMPLE),
        *(f"runs_{name}" for name in runs),
    )
    for each in compared:
        for test in each.tests:
            yield (
                *(getattr(each, name) for name in where),
                test.block,
                *(getattr(test, name) for name in told),
                *_sample(test.baseline),
                *_sample(test.other),
                *(getattr(each.by_runs, name) for name in runs),
            )


def _sample(sample: RequestSample) -> Row:
    return tuple(getattr(sample, name) for name in _SAMPLE)
