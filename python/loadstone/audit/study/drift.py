"""Rule on a study: a figure that rises or falls from its first run to its last.

Randomised blocks keep a drift out of the comparisons. What a figure is by itself then depends on when
in the study it was taken, which no comparison shows.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loadstone.findings import scope
from loadstone.findings.model import Finding, Severity
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.series.drift import drift
from loadstone.study.values.model import Order
from loadstone.text import units

DRIFT_ALPHA = 0.01
"""For all figures of a study together, by Holm. One steady study in a hundred is doubted: at the usual
5 % it would be each twentieth, and a warning that often false is not read."""


@dataclass(frozen=True)
class FigureByBlock:
    """One metric under one workload over a study, block by block."""

    metric: str
    workload: str
    places: tuple[float, ...]
    """Of each block among the runs of its site as they were done: 0 is the first, 1 the last."""
    logarithms: tuple[float, ...]
    """Of the figure, less the mean of its arm; the mean over the arms of the block, whose runs have
    their disturbances in common."""


def drifting(figures: Sequence[FigureByBlock], margin: float, order: Order) -> Iterator[Finding]:
    """Figures that drift by more than chance explains, and by more than the questions' margin."""
    comparisons = (
        "randomised blocks keep it out of the comparisons, but"
        if order == "random"
        else "it is in the comparisons, too, since the order was not random, and"
    )
    lines = [drift(figure.places, figure.logarithms) for figure in figures]
    alphas = holm_alphas([line.p_value() for line in lines], DRIFT_ALPHA)
    for figure, line, alpha in zip(figures, lines, alphas, strict=True):
        if line.p_value() > alpha or abs(line.mean) <= math.log1p(margin):
            continue
        change = math.expm1(line.mean)
        yield Finding(
            code="drift",
            severity=Severity.WARNING,
            subject=scope.STUDY,
            metrics=(figure.metric,),
            evidence=f"{figure.metric} under {figure.workload} "
            f"{'rose' if change > 0 else 'fell'} by {units.share(abs(change))} over the study, in "
            f"the mean of its arms (p = {line.p_value():.2g}, at {alpha:.2g}; a change of up to "
            f"{units.percent(margin)} would not matter)",
            advice=f"{comparisons} absolute figures are of no single state of the machine: see in "
            "the environment what else was at work, and repeat the study when the machine is quiet",
        )
