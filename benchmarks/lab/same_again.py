"""One arm against itself, many times over: how often does the lab find a difference that is none?

The study `mediation-same-again` runs one gateway under two labels. Its blocks are cut into disjoint
groups, each as large as a usual study, and each is judged as a study would be. Every group counts.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from loadstone.analysis.cells.examine import examine
from loadstone.errors import InputError
from loadstone.results import folder
from loadstone.stats.comparison.log_ratio import log_ratio
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.verdict import Relation, relation_of_ratio

METRIC = "throughput"
"""Named beforehand: the primary metric of the study's question."""
BLOCKS = 6
"""Of a group: those of a usual study."""
LEVEL = 0.95
MOST_DIFFERENT_SHARE = 0.125
"""Five of forty groups. At a level of 95 % two are expected, and six or more would come in 1.4 % of
such series (binomial distribution)."""


@dataclass(frozen=True)
class Group:
    """What one group of blocks came to."""

    first_block: int
    ratio: float
    low: float
    high: float
    relation: str


def groups_of(results: Path) -> tuple[tuple[Group, ...], int]:
    """Judge every complete group; and how many were left out, since a run of theirs has no figure.

    `InputError` where the folder is not one of the study with two arms and one workload.
    """
    examined = examine(results)
    if len(examined.cells) != 2:
        raise InputError(
            "not two arms under one workload",
            path=results / folder.PLAN,
            remedy="give the results of `loadstone run mediation-same-again --profile pairs`",
        )
    margin = examined.plan.questions[0].margin
    first, second = (cell.by_block(METRIC) for cell in examined.cells.values())
    groups, left_out = [], 0
    for begin in range(1, examined.plan.blocks + 1 - BLOCKS + 1, BLOCKS):
        blocks = range(begin, begin + BLOCKS)
        if any(block not in cell for cell in (first, second) for block in blocks):
            left_out += 1
            continue
        estimate = log_ratio(
            paired_t, [first[block] for block in blocks], [second[block] for block in blocks]
        )
        low, high = estimate.interval(LEVEL)
        relation = relation_of_ratio(low, high, margin)
        groups.append(Group(begin, estimate.ratio, low, high, relation.value))
    return tuple(groups), left_out


def is_different(group: Group) -> bool:
    """Whether a study would have called its arms different."""
    return group.relation in (Relation.ABOVE.value, Relation.BELOW.value)


def data_of(groups: tuple[Group, ...], left_out: int) -> dict[str, object]:
    """Return all that was judged, for the file of figures."""
    ratios = np.log([group.ratio for group in groups])
    return {
        "metric": METRIC,
        "blocks_of_a_group": BLOCKS,
        "level": LEVEL,
        "groups": [asdict(group) for group in groups],
        "left_out": left_out,
        "different": sum(is_different(group) for group in groups),
        "spread_of_log_ratios": float(ratios.std(ddof=1)) if len(groups) > 1 else None,
    }
