"""What adaptive studies promise, on studies of which the truth is known.

Fixed seeds. Each study is 24 blocks of two arms; blocks share a disturbance of 10 %, and the one that
stops earlier sees only its first blocks. The decision is a twin, on whole arrays, of the one that
studies use; the two are held against each other first.
"""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from loadstone.stats.comparison.adaptive import (
    LOOKS,
    Decidedness,
    alpha_of,
    decidedness_of_ratio,
    stops,
)
from loadstone.stats.comparison.log_ratio import log_ratio
from loadstone.stats.comparison.paired_t import paired_t

STUDIES = 20_000
MARGIN = 0.03
LEAST_COVERED, MOST_FALSE = 0.95, 0.055
POCOCK_ALPHA = 0.0221
"""For three looks: Pocock, Biometrika 64(2), 1977, table 1."""

Floats = NDArray[np.float64]


def noise_of(kind: str, rng: np.random.Generator, studies: int) -> Floats:
    """Logarithms of what varies from run to run."""
    shape = (studies, LOOKS[-1])
    if kind == "heavy tails":
        return 0.02 * rng.standard_t(3, shape)
    if kind == "one run in ten is bad":
        bad = (rng.random(shape) < 0.1) * np.abs(rng.standard_normal(shape))
        return 0.02 * rng.standard_normal(shape) + 0.1 * bad
    return {"1 %": 0.01, "5 %": 0.05}[kind] * rng.standard_normal(shape)


def arms_of(kind: str, ratio: float, seed: int, studies: int = STUDIES) -> tuple[Floats, Floats]:
    """The runs' values of baseline and other, study by study and block by block."""
    rng = np.random.default_rng(seed)
    block = 0.1 * rng.standard_normal((studies, LOOKS[-1]))
    baseline, other = (np.exp(block + noise_of(kind, rng, studies)) for _ in range(2))
    return 100 * baseline, 100 * ratio * other


def end(baseline: Sequence[float], other: Sequence[float]) -> tuple[int, float, float]:
    """After which block one study stops, and its interval: with the functions that studies use."""
    for block in LOOKS:
        estimate = log_ratio(paired_t, baseline[:block], other[:block])
        low, high = estimate.interval(1 - alpha_of(LOOKS))
        if stops(LOOKS, block, [decidedness_of_ratio(low, high, MARGIN) is not Decidedness.OPEN]):
            return block, low, high
    raise AssertionError("a study stops at its last look")


def ends(
    baseline: Floats, other: Floats, alpha: float = alpha_of(LOOKS)
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """The same for all studies at once."""
    differences = np.log(other) - np.log(baseline)
    after = np.zeros(len(differences), dtype=np.int64)
    lows, highs = np.empty(len(differences)), np.empty(len(differences))
    for block in LOOKS:
        seen = differences[:, :block]
        reach = stats.t.ppf(1 - alpha / 2, block - 1) * seen.std(axis=1, ddof=1) / np.sqrt(block)
        low, high = seen.mean(axis=1) - reach, seen.mean(axis=1) + reach
        inside = (low >= -np.log1p(MARGIN)) & (high <= np.log1p(MARGIN))
        decided = inside | (low > 0) | (high < 0) | (reach <= np.log1p(MARGIN))
        now = (after == 0) & (decided | (block == LOOKS[-1]))
        after[now], lows[now], highs[now] = block, low[now], high[now]
    return after, np.exp(lows), np.exp(highs)


@pytest.mark.parametrize("kind", ["1 %", "5 %", "heavy tails"])
def test_the_twin_decides_as_studies_do(kind: str) -> None:
    baseline, other = arms_of(kind, 1.02, seed=1, studies=200)
    after, lows, highs = ends(baseline, other)
    assert len(set(after.tolist())) > 1
    for study, (first, second) in enumerate(zip(baseline.tolist(), other.tolist(), strict=True)):
        assert (after[study], lows[study], highs[study]) == pytest.approx(end(first, second))


@pytest.mark.parametrize("kind", ["1 %", "5 %", "heavy tails", "one run in ten is bad"])
@pytest.mark.parametrize("ratio", [1.0, 1.05])
def test_the_interval_of_the_last_look_covers_the_true_ratio_in_95_percent(
    kind: str, ratio: float
) -> None:
    _, lows, highs = ends(*arms_of(kind, ratio, seed=2))
    assert np.mean((lows <= ratio) & (ratio <= highs)) >= LEAST_COVERED


@pytest.mark.parametrize("kind", ["1 %", "5 %", "heavy tails", "one run in ten is bad"])
def test_equal_arms_are_called_different_in_at_most_5_percent_and_a_half(kind: str) -> None:
    _, lows, highs = ends(*arms_of(kind, 1.0, seed=3))
    assert np.mean((lows > 1) | (highs < 1)) <= MOST_FALSE


def test_what_varies_little_ends_at_the_first_look_and_what_varies_much_goes_on() -> None:
    calm, _, _ = ends(*arms_of("1 %", 1.0, seed=4))
    wild, _, _ = ends(*arms_of("5 %", 1.0, seed=4))
    assert np.mean(calm == 6) > 0.9
    assert np.mean(wild == 24) > 0.9


@pytest.mark.parametrize("alpha", [0.05, POCOCK_ALPHA])
def test_a_larger_error_at_each_look_would_not_cover_95_percent(alpha: float) -> None:
    _, lows, highs = ends(*arms_of("5 %", 1.0, seed=5, studies=100_000), alpha)
    assert np.mean((lows <= 1) & (highs >= 1)) < LEAST_COVERED


def test_a_family_of_ten_equal_pairs_has_a_false_difference_at_some_look_in_5_percent() -> None:
    # Holm's first step: a family has a false difference if its smallest p value is below alpha / 10.
    values = np.random.default_rng(6).standard_normal((STUDIES, 10, LOOKS[-1]))

    def false_share(alpha: float) -> float:
        found = np.zeros(STUDIES, dtype=bool)
        for block in LOOKS:
            seen = values[:, :, :block]
            ratios = np.abs(seen.mean(axis=2)) / (seen.std(axis=2, ddof=1) / np.sqrt(block))
            found |= ratios.max(axis=1) > stats.t.ppf(1 - alpha / 20, block - 1)
        return float(found.mean())

    assert false_share(alpha_of(LOOKS)) <= 0.05
    assert false_share(POCOCK_ALPHA) > 0.05
