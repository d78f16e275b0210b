from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.stats.series.littles_law import (
    cycle_allowance,
    edge_allowance,
    gap,
    think_allowance,
    users_seen,
)

SECOND_NS = 1_000_000_000


def test_62_requests_a_second_of_1_02_seconds_account_for_63_users() -> None:
    seen = users_seen(62 * 30, 1.02 * SECOND_NS, 0, 30 * SECOND_NS)
    assert seen == pytest.approx(63.24)
    assert gap(100, seen) == pytest.approx(0.3676)


def test_think_time_counts() -> None:
    assert users_seen(100, 0.2 * SECOND_NS, 0.8 * SECOND_NS, 10 * SECOND_NS) == pytest.approx(10)


@pytest.mark.parametrize(
    ("users", "response_ms", "think_ms", "seconds"),
    [(1, 10, 0, 30), (10, 20, 980, 30), (64, 3, 0, 60), (100, 1000, 20, 120), (7, 250, 1500, 10)],
)
def test_it_accounts_for_all_users_of_a_count_in_whole_numbers(
    users: int, response_ms: int, think_ms: int, seconds: int
) -> None:
    # N users finish N / (R + Z) a second, in fractions without rounding.
    cycle = Fraction(response_ms + think_ms, 1000)
    completed = users * seconds / cycle
    whole = int(completed)
    seen = users_seen(whole, response_ms * 1e6, think_ms * 1e6, seconds * SECOND_NS)
    assert seen == pytest.approx(float(whole * cycle / seconds))
    expected = float(abs(users - whole * cycle / seconds) / users)
    assert gap(users, seen) == pytest.approx(expected, abs=1e-12)
    deviation_ns = 1e6 * response_ms
    assert think_allowance(response_ms * 1e6, think_ms * 1e6, whole) == pytest.approx(
        3 * think_ms / (response_ms + think_ms) / whole**0.5
    )
    assert cycle_allowance(float(cycle * SECOND_NS), deviation_ns, whole) == pytest.approx(
        3 * response_ms / (response_ms + think_ms) / whole**0.5
    )


def test_three_standard_errors_of_the_mean_cycle_are_allowed() -> None:
    assert cycle_allowance(mean_ns=1_000, deviation_ns=500, cycles=100) == pytest.approx(0.15)
    assert cycle_allowance(mean_ns=0, deviation_ns=0, cycles=1) == 0


def test_a_window_without_length_is_refused() -> None:
    with pytest.raises(ValueError, match="length"):
        users_seen(1, 1, 0, 0)


@given(
    users=st.integers(1, 20),
    response_ns=st.integers(1_000_000, 3 * SECOND_NS),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_edges_explain_the_gap_of_any_steady_closed_system(
    users: int, response_ns: int, seed: int
) -> None:
    # Users with a constant response time and any phase: what is counted by its end in a window of
    # 8 s is off by less than one response time a user.
    window_ns = 8 * SECOND_NS
    phase = np.random.default_rng(seed).integers(0, response_ns, users)
    completed = int(np.sum((window_ns - 1 - phase) // response_ns + 1))
    seen = users_seen(completed, response_ns, 0, window_ns)
    assert gap(users, seen) <= edge_allowance(response_ns, window_ns) + 1e-9
