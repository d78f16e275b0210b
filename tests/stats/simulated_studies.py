"""Studies of which the truth is known: values of runs, by how runs vary.

Everything is in logarithms until a study is analysed, so that a ratio is a shift.
"""

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

RUNS = (3, 5, 6, 10)
VARIATIONS = (
    "1 %",
    "5 %",
    "heavy tails",
    "one run in ten is bad",
    "one run in ten takes twice as long",
)
BY_TURNS = "1 % and 5 % by turns"
"""Every second arm varies more."""
SHARED_DISTURBANCE = 0.1
"""Standard deviation of what the runs of a block have in common."""

MOST_FALSE = 0.055
"""What is promised of every cell; of coverage, what is left of 1."""


@dataclass(frozen=True)
class Size:
    """How many studies a cell has, and which shares it may have by chance."""

    studies: int
    family_studies: int
    pairs_checked: int
    """Families that are analysed by the functions of the product as well."""

    def most_false(self, studies: int) -> float:
        """Of many studies what is promised, of few what chance makes of 5 % once in a thousand."""
        return MOST_FALSE if studies >= 10_000 else stats.binom.ppf(0.999, studies, 0.05) / studies

    def least_covered(self, studies: int) -> float:
        return 1 - self.most_false(studies)


FAST = Size(studies=400, family_studies=1_000, pairs_checked=5)
SLOW = Size(studies=20_000, family_studies=10_000, pairs_checked=40)


def variation(kind: str, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Logarithms of what varies from run to run."""
    if kind == "heavy tails":
        return 0.02 * rng.standard_t(3, shape)
    if kind == "one run in ten is bad":
        bad = (rng.random(shape) < 0.1) * np.abs(rng.standard_normal(shape))
        return 0.02 * rng.standard_normal(shape) + 0.1 * bad
    if kind == "one run in ten takes twice as long":
        return 0.01 * rng.standard_normal(shape) + np.log(2) * (rng.random(shape) < 0.1)
    if kind == BY_TURNS:  # arms are the last axis but one
        spreads = np.where(np.arange(shape[-2]) % 2, 0.05, 0.01)[:, None]
        return spreads * rng.standard_normal(shape)
    return {"1 %": 0.01, "5 %": 0.05}[kind] * rng.standard_normal(shape)


def blocks(rng: np.random.Generator, studies: int, runs: int) -> Floats:
    """What the arms of each block share; of shape studies x 1 x runs."""
    return SHARED_DISTURBANCE * rng.standard_normal((studies, 1, runs))


def report(*cells: object) -> None:
    """One line of the table of rates, seen with `pytest -s`."""
    texts = [f"{each:.2%}" if isinstance(each, float) else str(each) for each in cells]
    sys.stdout.write(f"| {' | '.join(texts)} |\n")
