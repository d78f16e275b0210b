"""Classes of series: against labels, against properties, and at the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_series import labelled_series
from recorded_series import recorded_series
from scipy.ndimage import median_filter
from scipy.stats import median_abs_deviation

from loadstone.stats.series.correlated_noise import MOST_CORRELATION
from loadstone.stats.series.steady_state import LEAST_POINTS, LEAST_SEGMENT_POINTS, steadiness

AGREEMENT = 0.9


def test_nine_of_ten_series_of_known_processes_get_their_label() -> None:
    labelled = list(labelled_series())
    assert len(labelled) >= 60
    wrong = [
        f"{each.name}: {found}, not {each.kind}"
        for each in labelled
        if (found := steadiness(each.values, higher_is_better=True).kind) != each.kind
    ]
    assert len(wrong) <= (1 - AGREEMENT) * len(labelled), "\n".join(wrong)


def test_nine_of_ten_series_of_real_loads_get_the_label_that_people_gave_them() -> None:
    recorded = list(recorded_series())
    assert len(recorded) == 42
    wrong = [
        f"{each.name}: {found}, not {each.kind}"
        for each in recorded
        if (
            found := steadiness(
                each.values, higher_is_better=each.higher_is_better, tolerance=each.tolerance
            ).kind
        )
        != each.kind
    ]
    assert len(wrong) <= (1 - AGREEMENT) * len(recorded), "\n".join(wrong)


def test_the_first_steady_point_is_where_the_level_began() -> None:
    random = np.random.default_rng(5)
    values = np.where(np.arange(300) < 60, 50, 100) + random.normal(0, 2, 300)
    found = steadiness(values.tolist(), higher_is_better=True)
    assert found.kind == "warm-up"
    assert found.steady_from is not None
    assert abs(found.steady_from - 60) <= 2


def best_split(series: np.ndarray) -> list[int]:
    """Where segments end, by trying all of them: dynamic programming, without pruning (Jackson et
    al., "An Algorithm for Optimal Partitioning of Data on an Interval", IEEE Signal Processing Letters
    12(2), 2005), on the same noise and penalty, computed by scipy."""
    one, two = (
        median_abs_deviation(series[lag:] - series[:-lag], scale="normal") for lag in (1, 2)
    )
    correlation = min(max((two / one) ** 2 - 1, 0.0), MOST_CORRELATION)
    sigma = one / np.sqrt(2 * (1 - correlation))
    around = median_filter(series, 2 * LEAST_SEGMENT_POINTS + 1, mode="nearest")
    scaled = np.clip(series, around - 4 * sigma, around + 4 * sigma) / sigma
    penalty = 3 * np.log(len(series)) * (1 + correlation) / (1 - correlation)
    best: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}
    for end in range(LEAST_SEGMENT_POINTS, len(series) + 1):
        best[end] = min(
            (cost + scaled[start:end].var() * (end - start) + penalty, [*ends, end])
            for start, (cost, ends) in best.items()
            if end - start >= LEAST_SEGMENT_POINTS
        )
    return best[len(series)][1]


@pytest.mark.parametrize("at", range(0, 60, 6))
def test_segments_are_the_best_of_all(at: int) -> None:
    labelled = list(labelled_series())[at]
    found = steadiness(labelled.values, higher_is_better=True)
    assert [segment.end for segment in found.segments] == best_split(np.array(labelled.values))


@given(st.floats(1e-3, 1e9), st.integers(0, 2**32 - 1))
def test_the_unit_does_not_matter(scale: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    values = np.where(np.arange(120) < 30, 0.6, 1.0) + random.normal(0, 0.02, 120)
    plain = steadiness(values.tolist(), higher_is_better=True)
    scaled = steadiness((values * scale).tolist(), higher_is_better=True)
    assert (plain.kind, plain.steady_from) == (scaled.kind, scaled.steady_from)


@given(st.integers(0, 2**32 - 1))
def test_a_time_that_falls_is_a_warm_up_and_one_that_rises_a_slow_down(seed: int) -> None:
    noise = np.random.default_rng(seed).normal(0, 0.02, 120)
    falling = np.where(np.arange(120) < 30, 2.0, 1.0) + noise
    assert steadiness(falling.tolist(), higher_is_better=False).kind == "warm-up"
    assert steadiness(falling.tolist(), higher_is_better=True).kind == "slow-down"


@given(st.floats(1e-6, 1e12), st.integers(LEAST_POINTS, 200))
def test_a_constant_is_flat(level: float, length: int) -> None:
    assert steadiness([level] * length, higher_is_better=True).kind == "flat"


@pytest.mark.parametrize("series", [[1.0] * (LEAST_POINTS - 1), [1.0] * 40 + [float("nan")]])
def test_what_cannot_be_classified_is_refused(series: list[float]) -> None:
    with pytest.raises(ValueError, match=r"fewer|finite"):
        steadiness(series, higher_is_better=True)
