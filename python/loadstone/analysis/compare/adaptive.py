"""How far an adaptive study went: one that may end before its last block."""

from loadstone.analysis.model import Adaptive
from loadstone.results.looks import Look, stopped_after
from loadstone.stats.comparison.adaptive import alpha_of
from loadstone.study.values.model import Plan


def adaptive_of(plan: Plan, looks: tuple[Look, ...]) -> Adaptive | None:
    """Return how far an adaptive study went; none where the number of blocks was fixed."""
    if not plan.looks:
        return None
    return Adaptive(
        looks=plan.looks,
        stopped_after=stopped_after(looks),
        level=1 - alpha_of(plan.looks),
    )
