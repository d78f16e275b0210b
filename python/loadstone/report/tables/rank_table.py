"""Ranks as people read them: each with its interval, and why an arm has none."""

from dataclasses import dataclass

from loadstone.analysis.model import Analysis
from loadstone.analysis.multi_arm_model import RankedArm, Ranking
from loadstone.metrics.catalogue import metric
from loadstone.metrics.labels import metric_label
from loadstone.report.page.shared_results import first_shown_with
from loadstone.text import units
from loadstone.text.words import counted


@dataclass(frozen=True, slots=True)
class RankRow:
    """One arm."""

    arm: str
    rank: str
    """`1`; empty for an arm without one."""
    interval: str
    """`1 to 3`; for an arm without a rank, why."""
    value: str
    """The figure; empty for an arm without a rank."""
    is_best: bool
    """Whether no other arm is told to be better."""
    not_held: str = ""
    """What of its contract it is not held to; empty where it is to all."""

    @property
    def name(self) -> str:
        """The arm, and what it is not held to."""
        return f"{self.arm} (not held to all: {self.not_held})" if self.not_held else self.arm


@dataclass(frozen=True, slots=True)
class RankTable:
    """The arms of one workload by one metric."""

    ranking: Ranking
    metric: str
    """As people read it."""
    title: str
    rows: tuple[RankRow, ...]
    """By rank; those without one last."""


def rank_tables(analysis: Analysis, question: str) -> tuple[RankTable, ...]:
    """Of one question, its primary metric first; without those that an earlier question shows."""
    return tuple(map(rank_table, first_shown_with(analysis.rankings, question)))


def rank_table(ranking: Ranking) -> RankTable:
    """One ranking in words."""
    best = set(ranking.best)
    return RankTable(
        ranking=ranking,
        metric=metric_label(ranking.metric),
        title=f"Ranks by {metric_label(ranking.metric)} under {ranking.workload}: "
        f"{ranking.told} of {counted(ranking.pairs, 'pair')} told apart, all together at "
        f"{units.percent(ranking.level)}",
        rows=(
            *(_row(arm, ranking, arm.arm in best) for arm in ranking.arms),
            *(RankRow(arm.arm, "", arm.reason, "", is_best=False) for arm in ranking.unranked),
        ),
    )


def interval_text(arm: RankedArm) -> str:
    """`2`, `1 to 3`."""
    return str(arm.low) if arm.low == arm.high else f"{arm.low} to {arm.high}"


def _row(arm: RankedArm, ranking: Ranking, is_best: bool) -> RankRow:
    value = units.quantity(arm.value, metric(ranking.metric).unit)
    return RankRow(arm.arm, str(arm.rank), interval_text(arm), value, is_best, arm.not_held)
