"""The rule on orders that are not random, and the simulation that its numbers are from."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from loadstone.analysis.analyse import analyse
from loadstone.audit.rules import audit_plan
from loadstone.findings.model import Severity
from loadstone.results import folder
from loadstone.results.read import read_plan
from loadstone.study.values.model import Order
from results_builder import Behaviour, build_results, closed

SHORT = closed(2, seconds=3, warm_up=1)


def results_of(directory: Path, order: Order, *arms: str) -> Path:
    return build_results(
        directory,
        arms=dict.fromkeys(arms, Behaviour()),
        workloads=(SHORT,),
        blocks=1,
        order=order,
    )


def test_an_order_as_listed_is_doubted(tmp_path: Path) -> None:
    results = results_of(tmp_path, "as-listed", "go", "node")
    analysis, findings = analyse(results)
    (finding,) = (each for each in findings if each.code == "fixed-order")
    assert (finding.severity, finding.scope, finding.metrics) == (Severity.WARNING, "study", ())
    assert "10 % of studies" in finding.evidence
    assert "take `order` out" in finding.advice
    assert analysis.order == "as-listed"


@pytest.mark.parametrize(("order", "arms"), [("random", ("go", "node")), ("as-listed", ("go",))])
def test_a_random_order_and_a_single_arm_are_not(
    tmp_path: Path, order: Order, arms: tuple[str, ...]
) -> None:
    results = results_of(tmp_path, order, *arms)
    assert audit_plan(read_plan(results / folder.PLAN)) == ()


def test_a_drift_makes_equal_arms_differ_in_10_percent_in_turn_and_5_percent_at_random() -> None:
    studies, blocks = 40_000, 6
    rng = np.random.default_rng(1)
    places = np.arange(2 * blocks) / (2 * blocks - 1)
    step = 0.05 * (places[1::2] - places[0::2])
    noise = 0.01 * (rng.standard_normal((studies, blocks)) - rng.standard_normal((studies, blocks)))
    sides = rng.choice([-1, 1], (studies, blocks))

    def different(differences: np.ndarray) -> float:
        return float(np.mean(stats.ttest_1samp(differences, 0, axis=1).pvalue <= 0.05))

    assert different(step + noise) == pytest.approx(0.10, abs=0.01)
    assert different(sides * step + noise) == pytest.approx(0.05, abs=0.005)
