"""Healthy studies that look unusual: the audit has nothing against them."""

from collections.abc import Callable
from pathlib import Path

from corpus.asymmetric import built_from
from corpus.model import Clean
from corpus.runs import Arm, same, study_of
from corpus.scenario import Scenario
from corpus.service import Service
from corpus.workloads import load
from loadstone.study.values.model import Workload

AS_SHORT_AS_THEY_ARE = {"short-run": "its runs are short: they say so, and are right"}


def study(
    arms: dict[str, Arm], blocks: int, workload: Workload | None = None, spread: float = 0.01
) -> Callable[[int, Path], Path]:
    return lambda seed, directory: study_of(
        directory, seed, arms, blocks=blocks, workload=workload, spread=spread
    )


USUAL = same(Scenario())
SLOWER = same(Scenario(service=Service(work_ms=14)))
AT_A_RATE = load(rate=60, seconds=6, warm_up=1)

TWO_COMMITS = {
    label: same(built_from(label, digit * 40))
    for label, digit in {"main": "a", "branch": "b"}.items()
}

CLEAN = (
    Clean(
        "two copies of one program",
        study({"a": USUAL, "b": USUAL}, 6),
        AS_SHORT_AS_THEY_ARE,
        is_study=True,
    ),
    Clean(
        "a real difference",
        study({"go": USUAL, "node": SLOWER}, 6),
        AS_SHORT_AS_THEY_ARE,
        is_study=True,
    ),
    Clean(
        "two commits of one program",
        study(TWO_COMMITS, 6),
        AS_SHORT_AS_THEY_ARE,
        is_study=True,
    ),
    Clean(
        "24 runs without drift",
        study({"a": USUAL, "b": USUAL}, 12),
        AS_SHORT_AS_THEY_ARE,
        is_study=True,
    ),
    Clean(
        "runs that vary by 5 %",
        study({"a": USUAL, "b": SLOWER}, 6, spread=0.05),
        AS_SHORT_AS_THEY_ARE,
        is_study=True,
    ),
    Clean(
        "four arms at a rate",
        study({"a": USUAL, "b": SLOWER, "c": USUAL, "d": SLOWER}, 6, AT_A_RATE),
        AS_SHORT_AS_THEY_ARE,
        is_study=True,
    ),
)
