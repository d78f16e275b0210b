"""The order of a study's runs: randomised complete blocks. Pure functions.

Blocks are complete: each holds every arm once under each of its workloads, so that a slow change of
the machine meets all arms alike, and in random order, so that no arm always follows the same other. A
start is a run of its own and far shorter than a load, so a workload of starts has more blocks, spread
over those of the study; a look after a block sees those that fell into the blocks before it.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from loadstone.study.values.model import (
    AnyWorkload,
    Arm,
    Order,
    Plan,
    PlannedRun,
    StartupWorkload,
    Study,
)

_Item = TypeVar("_Item")
_Cell = tuple[int, str, str]
"""Block, arm, workload."""


def blocks_of(study: Study, workload: AnyWorkload) -> int:
    """How often every arm is run under a workload."""
    return workload.starts if isinstance(workload, StartupWorkload) else study.blocks


def runs_until(plan: Plan, block: int) -> int:
    """How many of a plan's runs are done when one of its blocks ends, starts included."""
    return sum(
        (
            _starts_until(workload, block, plan.blocks)
            if isinstance(workload, StartupWorkload)
            else block
        )
        * sum(arm.is_under(workload.workload) for arm in plan.arms)
        for workload in plan.workloads
    )


def runs_by_block(plan: Plan) -> tuple[tuple[PlannedRun, ...], ...]:
    """A plan's runs, cut at the end of each of its blocks: a block, and the starts in it."""
    ends = [runs_until(plan, block) for block in range(plan.blocks + 1)]
    return tuple(plan.runs[first:behind] for first, behind in pairwise(ends))


def turn_of(block: int, sites: Sequence[str]) -> str:
    """Which of several sites does a block, from 1: each does blocks from all over a study."""
    return sites[(block - 1) % len(sites)]


def ordered_runs(study: Study) -> tuple[PlannedRun, ...]:
    """Every run of a study. The same study and seed give the same order, always."""
    chance = random.Random(study.seed)
    order = [cell for block in range(1, study.blocks + 1) for cell in _block(study, block, chance)]
    return tuple(
        PlannedRun(
            index=index,
            id=run_id(index, arm, workload),
            arm=arm,
            workload=workload,
            block=block,
            seed=_run_seed(study.seed, block, workload),
        )
        for index, (block, arm, workload) in enumerate(order, start=1)
    )


def run_id(index: int, arm: str, workload: str) -> str:
    """What a run is called. Names may hold hyphens, so it cannot be taken apart again."""
    return f"{index:03d}-{arm}-{workload}"


def _block(study: Study, block: int, chance: random.Random) -> Iterator[_Cell]:
    """One block of the loads, and the blocks of starts that fall into it, all in the study's order."""
    loads = [each for each in study.workloads if not isinstance(each, StartupWorkload)]
    groups = [[(block, arm.id, each.workload) for each in loads for arm in _under(study, each)]]
    for each in study.workloads:
        if isinstance(each, StartupWorkload):
            first, last = (_starts_until(each, end, study.blocks) for end in (block - 1, block))
            groups += [
                [(number, arm.id, each.workload) for arm in _under(study, each)]
                for number in range(first + 1, last + 1)
            ]
    if len(groups) > 1:
        groups = _ordered(groups, study.order, chance)
    for group in groups:
        yield from _ordered(group, study.order, chance)


def _under(study: Study, workload: AnyWorkload) -> list[Arm]:
    return [arm for arm in study.arms if arm.is_under(workload.workload)]


def _starts_until(workload: StartupWorkload, block: int, blocks: int) -> int:
    return workload.starts * block // blocks


def _ordered(items: list[_Item], order: Order, chance: random.Random) -> list[_Item]:
    if order == "as-listed":
        return items
    # `random()` is the one method whose sequence Python keeps for a seed in every version, so the
    # order comes from sorting by its draws and not from `shuffle`.
    return sorted(items, key=lambda _: chance.random())


def _run_seed(seed: int, block: int, workload: str) -> int:
    """53 bits, the same for all arms of a block, so that a pair differs by its arm alone."""
    digest = hashlib.sha256(f"{seed}/{block}/{workload}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11
