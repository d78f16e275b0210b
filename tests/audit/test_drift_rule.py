"""The rule on drifts: how often it fires without one, what it finds, and what it says."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from loadstone.analysis.analyse import analyse
from loadstone.audit.study.drift import DRIFT_ALPHA, FigureByBlock, drifting
from loadstone.findings.model import Finding, Severity
from results_builder import Behaviour, build_results, closed, rate

STUDIES = 5000
MOST_FALSE = stats.binom.ppf(0.999, STUDIES, DRIFT_ALPHA)
NO_MARGIN = 1e-9
"""So that every significant drift is told."""


def course_of(
    rng: np.random.Generator,
    *,
    arms: int,
    blocks: int,
    noise: float,
    block_noise: float = 0.0,
    total: float = 0.0,
    heavy: bool = False,
    metric: str = "throughput",
) -> FigureByBlock:
    """A study's runs, arms in random order in each block, brought together block by block."""
    places = np.arange(arms * blocks).reshape(blocks, arms) / (arms * blocks - 1)
    own = rng.standard_t(3, places.shape) if heavy else rng.standard_normal(places.shape)
    shared = block_noise * rng.standard_normal((blocks, 1))
    values = np.log1p(total) * places + noise * own + shared
    means = values.mean(axis=1)
    return FigureByBlock(
        metric=metric,
        workload="closed",
        places=tuple(places.mean(axis=1).tolist()),
        logarithms=tuple((means - means.mean()).tolist()),
    )


@pytest.mark.parametrize(("arms", "blocks"), [(2, 6), (6, 4), (2, 24)])
@pytest.mark.parametrize("block_noise", [0.0, 0.1])
@pytest.mark.parametrize("heavy", [False, True])
def test_a_steady_study_is_doubted_in_at_most_one_of_a_hundred(
    arms: int, blocks: int, block_noise: float, heavy: bool
) -> None:
    rng = np.random.default_rng(1)
    fired = sum(
        any(
            drifting(
                [
                    course_of(
                        rng,
                        arms=arms,
                        blocks=blocks,
                        noise=0.01,
                        block_noise=block_noise,
                        heavy=heavy,
                    )
                ],
                NO_MARGIN,
                "random",
            )
        )
        for _ in range(STUDIES)
    )
    assert fired <= MOST_FALSE


def test_a_study_with_five_figures_is_doubted_no_more_often() -> None:
    rng = np.random.default_rng(2)
    fired = sum(
        any(
            drifting(
                [course_of(rng, arms=2, blocks=6, noise=0.01) for _ in range(5)],
                NO_MARGIN,
                "random",
            )
        )
        for _ in range(STUDIES)
    )
    assert fired <= MOST_FALSE


@pytest.mark.parametrize(
    ("arms", "blocks", "least"),
    [(1, 24, 0.99), (2, 12, 0.99), (4, 6, 0.99), (6, 4, 0.8)],  # four blocks are few
)
@pytest.mark.parametrize("total", [0.1, -0.1])
def test_10_percent_over_24_runs_that_vary_by_1_percent_are_found(
    arms: int, blocks: int, least: float, total: float
) -> None:
    rng = np.random.default_rng(3)
    found = sum(
        any(
            drifting(
                [course_of(rng, arms=arms, blocks=blocks, noise=0.01, total=total)], 0.03, "random"
            )
        )
        for _ in range(500)
    )
    assert found >= least * 500


def test_a_drift_within_the_margin_does_not_matter() -> None:
    course = course_of(np.random.default_rng(4), arms=2, blocks=12, noise=0.0001, total=0.02)
    assert list(drifting([course], 0.03, "random")) == []
    assert len(list(drifting([course], 0.01, "random"))) == 1


def test_the_advice_says_whether_the_comparisons_are_safe() -> None:
    course = course_of(np.random.default_rng(5), arms=2, blocks=12, noise=0.001, total=0.1)
    (safe,) = drifting([course], 0.03, "random")
    assert safe.advice.startswith("randomised blocks keep it out of the comparisons, but absolute")
    (unsafe,) = drifting([course], 0.03, "as-listed")
    assert unsafe.advice.startswith("it is in the comparisons, too, since the order was not random")


def told(results: Path) -> list[Finding]:
    return [finding for finding in analyse(results)[1] if finding.code == "drift"]


ARMS = {"go": Behaviour(), "node": Behaviour(median_ms=30)}


def test_a_study_whose_times_grow_says_so_and_stays_compared(tmp_path: Path) -> None:
    results = build_results(
        tmp_path,
        arms=ARMS,
        workloads=(closed(8, seconds=4, warm_up=1), rate(100, seconds=4, warm_up=1)),
        blocks=12,
        metrics=("response_time.median", "throughput"),
        block_spread=0.005,
        drift=0.2,
    )
    found = {finding.evidence.partition(" rose by ")[0]: finding for finding in told(results)}
    assert found.keys() == {
        "response_time.median under closed",
        "response_time.median under rate",
    }  # throughput drifts as well, but is not primary
    finding = found["response_time.median under closed"]
    assert (finding.severity, finding.scope) == (Severity.WARNING, "study")
    assert finding.metrics == ("response_time.median",)
    percent = float(finding.evidence.partition(" rose by ")[2].partition(" %")[0])
    assert percent == pytest.approx(20, abs=4)
    assert "a change of up to 3 % would not matter" in finding.evidence
    assert "absolute figures are of no single state" in finding.advice
    words = {each.words for each in analyse(results)[0].comparisons if each.primary}
    assert words == {"slower"}


def test_a_steady_study_and_one_of_two_blocks_say_nothing(tmp_path: Path) -> None:
    steady = build_results(
        tmp_path / "steady",
        arms=ARMS,
        workloads=(closed(8, seconds=4, warm_up=1),),
        metrics=("response_time.median",),
        blocks=8,
    )
    assert told(steady) == []
    short = build_results(
        tmp_path / "short",
        arms=ARMS,
        workloads=(closed(8, seconds=4, warm_up=1),),
        metrics=("response_time.median",),
        blocks=2,
        drift=0.5,
    )
    assert told(short) == []


def test_what_may_be_0_has_no_logarithm_and_is_left_out(tmp_path: Path) -> None:
    for metric, behaviour in (("failures", Behaviour()), ("rss_peak", Behaviour(rss_mib=0))):
        results = build_results(
            tmp_path / metric,
            arms={"go": behaviour, "again": behaviour},
            workloads=(closed(2, seconds=3, warm_up=1),),
            metrics=(metric,),
            drift=0.5,
        )
        assert told(results) == []


def test_blocks_that_lack_an_arm_are_left_out(tmp_path: Path) -> None:
    results = build_results(
        tmp_path,
        arms={"go": Behaviour(), "node": Behaviour(missing_blocks=(2, 5), failing_blocks=(9,))},
        workloads=(closed(8, seconds=4, warm_up=1),),
        blocks=12,
        metrics=("response_time.median",),
        block_spread=0.005,
        drift=0.2,
    )
    assert len(told(results)) == 1
