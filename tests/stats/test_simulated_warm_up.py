"""What the rules for a warm-up promise, on series whose truth is known.

The series are those of a simulation that is not part of this repository. Without it beside the checkout
nothing is tested here.
"""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray
from simulated_studies import report
from warming_series import MOST_SECONDS, WINDOW_SECONDS

from loadstone.stats.series.steady_now import Watch, idle_reason, level_reason, watch_level
from loadstone.stats.series.still_warming import WindowSeries, still_warming

SIMULATION = (
    Path(__file__).resolve().parents[2].parent / "shared" / "reference" / "warm_up_simulation.py"
)
SERIES = 900
ARMS = 200

pytestmark = [
    pytest.mark.skipif(not SIMULATION.is_file(), reason=f"{SIMULATION} is not here"),
    pytest.mark.slow,
    pytest.mark.timeout(1200),
]

Rows = NDArray[np.float64]
Begins = tuple[NDArray[np.int_], NDArray[np.int_]]
LEVEL, NO_SIGN, CAP, IDLE, FIXED = 0, 1, 2, 3, 4


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("warm_up_simulation", SIMULATION)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def by_level(rows: Rows, patience: int = 45) -> Begins:
    begins, reasons = np.full(len(rows), MOST_SECONDS), np.full(len(rows), CAP)
    for number, row in enumerate(rows):
        watch = Watch()
        for now in range(1, MOST_SECONDS + 1):
            watch = watch_level(watch, row[:now])
            if (reason := level_reason(watch, patience)) is not None:
                begins[number], reasons[number] = now, LEVEL if reason == "level" else NO_SIGN
                break
    return begins, reasons


def by_compilers(rows: Rows, busy_until: NDArray[np.float64]) -> Begins:
    begins, reasons = np.full(len(rows), MOST_SECONDS), np.full(len(rows), CAP)
    for number, row in enumerate(rows):
        demand = np.where(np.arange(len(row)) < busy_until[number], 1.0, 0.0)
        for now in range(1, MOST_SECONDS + 1):
            if idle_reason(row[:now], demand[:now], None) is not None:
                begins[number], reasons[number] = now, IDLE
                break
    return begins, reasons


def test_a_level_is_rarely_told_too_early_and_nearly_always_in_the_end(
    simulation: ModuleType,
) -> None:
    warming = simulation.warming(np.random.default_rng(1), SERIES)
    level = simulation.level(np.random.default_rng(2), SERIES)
    begins, reasons = by_level(warming.relative)
    off, told = simulation.bias_of(warming.truth, begins), reasons != CAP
    could = simulation.true_end(warming.truth) < MOST_SECONDS - WINDOW_SECONDS
    waited = float(np.median((begins - simulation.true_end(warming.truth))[could]))
    level_begins, level_reasons = by_level(level.relative)
    report(
        f"rule B: false by 5 % {(told & (off > 0.05)).mean():.2%}, "
        f"by 10 % {(told & (off > 0.1)).mean():.2%}, by 50 % {(told & (off > 0.5)).mean():.2%}; "
        f"waits {waited:g} s; level never told {(level_reasons == CAP).mean():.2%}, begins at "
        f"{np.median(level_begins):g} / {np.quantile(level_begins, 0.9):g} s"
    )
    assert round((told & (off > 0.05)).mean(), 3) <= 0.031
    assert round((told & (off > 0.10)).mean(), 3) <= 0.012
    assert (told & (off > 0.50)).mean() == 0
    assert waited <= 51
    assert (level_reasons == CAP).mean() <= 0.0012  # one of 900
    assert np.quantile(level_begins, 0.9) <= 68


def test_idle_compilers_are_never_a_false_sign_where_they_are_busy_to_the_end(
    simulation: ModuleType,
) -> None:
    warming = simulation.warming(np.random.default_rng(1), SERIES)
    until = simulation.idle_from(warming.truth, 0.03, np.random.default_rng(4), 2.0)
    begins, reasons = by_compilers(warming.relative, until)
    off, told = simulation.bias_of(warming.truth, begins), reasons != CAP
    could = simulation.true_end(warming.truth) < MOST_SECONDS - WINDOW_SECONDS
    waited = float(np.median((begins - simulation.true_end(warming.truth))[could]))
    report(f"rule A: false by 5 % {(told & (off > 0.05)).mean():.2%}; waits {waited:g} s")
    assert (told & (off > 0.05)).mean() == 0
    assert waited <= 16


@pytest.mark.parametrize(
    ("variation", "correlation", "most_bias"),
    [(0.02, 0.0, 0.0003), (0.02, 0.5, 0.0003), (0.05, 0.7, 0.0008), (0.05, 0.9, 0.003)],
)
def test_choosing_the_begin_of_a_window_hardly_moves_its_mean(
    simulation: ModuleType, variation: float, correlation: float, most_bias: float
) -> None:
    made = simulation.of(
        np.random.default_rng(50), np.zeros((1000, 240)), variation, correlation, disturbed=0
    )
    begins, _ = by_level(made.relative)
    chosen = np.log(
        [
            np.exp(-row[at : at + WINDOW_SECONDS]).mean()
            for row, at in zip(made.cost, begins, strict=True)
        ]
    )
    fixed = np.log(np.exp(-made.cost[:, 20:220]).reshape(-1, 10, WINDOW_SECONDS).mean(axis=2))
    bias = float(chosen.mean() - fixed.mean())
    error = float((chosen - fixed.mean(axis=1)).std() / np.sqrt(len(chosen)))
    report(f"CV {variation:.0%}, correlation {correlation}: {bias:+.3%} (error {error:.3%})")
    assert abs(bias) <= most_bias + 2 * error


@pytest.mark.parametrize("variations", [(0.02, 0.02), (0.02, 0.08)])
def test_intervals_of_two_equal_arms_hold_one(
    simulation: ModuleType, variations: tuple[float, float]
) -> None:
    studies, arms = 300, []
    for arm, variation in enumerate(variations):
        made = simulation.of(
            np.random.default_rng(60 + arm),
            np.zeros((studies * 6, 240)),
            variation,
            0.3,
            disturbed=0,
        )
        begins, _ = by_level(made.relative)
        between = np.random.default_rng(70 + arm).normal(0, 0.02, studies * 6)
        means = [
            np.exp(-row[at : at + WINDOW_SECONDS]).mean()
            for row, at in zip(made.cost, begins, strict=True)
        ]
        arms.append(between + np.log(means))
    apart = (arms[0] - arms[1]).reshape(studies, 6)
    t = apart.mean(axis=1) / (apart.std(axis=1, ddof=1) / np.sqrt(6))
    coverage = float((np.abs(t) <= 2.571).mean())
    report(f"A/A {variations}: {coverage:.1%}")
    # 95 %, less two standard errors of so many studies.
    assert coverage >= 0.95 - 2 * np.sqrt(0.05 * 0.95 / studies)


KINDS: dict[str, Callable[[ModuleType], Callable[[np.random.Generator, int], Rows]]] = {
    "level": lambda _: lambda _random, count: np.zeros((count, 240)),
    "exponential": lambda simulation: simulation.exponential,
    "steps": lambda simulation: simulation.steps,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_fixed_warm_up_that_was_too_short_is_found_out_and_no_level_arm_accused(
    simulation: ModuleType, kind: str
) -> None:
    off, accused = [], []
    for arm in range(ARMS):
        own = np.random.default_rng(1000 + arm)
        variation, correlation = (
            np.exp(own.uniform(np.log(0.01), np.log(0.05))),
            own.uniform(0, 0.6),
        )
        stretched = np.exp(own.normal(0, 0.1, 6))
        one = KINDS[kind](simulation)(own, 1)[0]
        centres = simulation.CENTRE
        truth = np.array([np.interp(centres, centres * each, one) for each in stretched])
        made = simulation.of(own, truth, variation, correlation, disturbed=0.3)
        runs = [WindowSeries(row[10:30], WINDOW_SECONDS, 10) for row in made.relative]
        off.append(simulation.bias_of(truth, np.full(6, 10)).mean())
        accused.append(still_warming(runs).is_warming)
    bad, found = np.array(off) > 0.05, np.array(accused)
    report(kind, "off by more than 5 %", bad.sum(), "found out", (bad & found).sum())
    if kind == "level":
        assert not found.any()
    else:
        assert (bad & found).sum() >= 0.97 * bad.sum()


def test_recorded_services_are_told_as_they_were(simulation: ModuleType) -> None:
    """Windows from 10 to 30 s of four recorded loads: three of Spring, warming, and one of Netty."""
    told = {}
    for name, (service, engine, *_) in simulation.RECORDED.items():
        cost, of_engine = (np.array(each.split(), float) for each in (service, engine))
        if len(cost) >= 60:
            series = (np.log(cost) - np.log(of_engine))[10:30]
            found = still_warming([WindowSeries(series, WINDOW_SECONDS, 10)])
            told[name] = round(100 * found.off[0]) if found.is_warming else None
    assert told == {"netty": None, "spring": 67, "spring alone": 41, "spring again": 35}
