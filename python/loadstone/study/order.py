"""The order of a study's runs: randomised complete blocks. Pure functions.

Blocks are complete: each holds every arm once, so that a slow change of the machine meets all arms
alike, and in random order, so that no arm always follows the same other. A start is a run of its own
and far shorter than a load, so a workload of starts has more blocks, spread over those of the study.
"""

import hashlib
import random
from collections.abc import Iterator
from typing import TypeVar

from loadstone.study.model import AnyWorkload, PlannedRun, StartupWorkload, Study

_Item = TypeVar("_Item")
_Cell = tuple[int, str, str]
"""Block, arm, workload."""


def blocks_of(study: Study, workload: AnyWorkload) -> int:
    """How often every arm is run under a workload."""
    return workload.starts if isinstance(workload, StartupWorkload) else study.blocks


def ordered_runs(study: Study) -> tuple[PlannedRun, ...]:
    """Every run of a study. The same study and seed give the same order, always."""
    chance = random.Random(study.seed)
    order = [cell for block in range(1, study.blocks + 1) for cell in _block(study, block, chance)]
    return tuple(
        PlannedRun(
            index=index,
            id=f"{index:03d}-{arm}-{workload}",
            arm=arm,
            workload=workload,
            block=block,
            seed=_run_seed(study.seed, block, workload),
        )
        for index, (block, arm, workload) in enumerate(order, start=1)
    )


def _block(study: Study, block: int, chance: random.Random) -> Iterator[_Cell]:
    """One block of the loads, and the blocks of starts that fall into it, all in random order."""
    loads = [each for each in study.workloads if not isinstance(each, StartupWorkload)]
    groups = [[(block, arm.id, each.workload) for each in loads for arm in study.arms]]
    for each in study.workloads:
        if isinstance(each, StartupWorkload):
            first, last = (each.starts * (block - 1 + end) // study.blocks for end in (0, 1))
            groups += [
                [(number, arm.id, each.workload) for arm in study.arms]
                for number in range(first + 1, last + 1)
            ]
    if len(groups) > 1:
        groups = _shuffled(groups, chance)
    for group in groups:
        yield from _shuffled(group, chance)


def _shuffled(items: list[_Item], chance: random.Random) -> list[_Item]:
    # `random()` is the one method whose sequence Python keeps for a seed in every version, so the
    # order comes from sorting by its draws and not from `shuffle`.
    return sorted(items, key=lambda _: chance.random())


def _run_seed(seed: int, block: int, workload: str) -> int:
    """53 bits, the same for all arms of a block, so that a pair differs by its arm alone."""
    digest = hashlib.sha256(f"{seed}/{block}/{workload}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11
