"""Every statistic against the numbers that R gave for the same data sets, and those against R."""

import csv
import math

import numpy as np
import pytest
import reference_values
from reference_values import arms, of, recorded, rows

from loadstone.stats.comparison.estimate import Estimate
from loadstone.stats.comparison.factorial import factorial
from loadstone.stats.comparison.geometric_mean import geometric_mean
from loadstone.stats.comparison.holm import holm_alphas
from loadstone.stats.comparison.kaplan_meier import survival
from loadstone.stats.comparison.log_ratio import Compare, log_ratio
from loadstone.stats.comparison.logrank import MOST_EXACT_RUNS, logrank
from loadstone.stats.comparison.paired_t import paired_t
from loadstone.stats.comparison.sign_flip import sign_flip
from loadstone.stats.comparison.smallest_effect import smallest_difference, smallest_effect
from loadstone.stats.comparison.superiority import superiority
from loadstone.stats.comparison.welch import welch
from loadstone.stats.series.drift import drift
from loadstone.stats.series.intraclass import intraclass_correlation
from loadstone.stats.values.apdex import apdex
from loadstone.stats.values.moments import moments
from loadstone.stats.values.quantile import quantile_over_offered
from loadstone.stats.values.variation import coefficient_of_variation, deviation

SCRIPTS = ("comparisons", "descriptions", "factorial", "survival")
FEWEST_SETS = 5
CLOSE = {"rel": 1e-9, "abs": 1e-11}
"""R prints twelve digits."""


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_recorded_numbers_are_those_that_r_gives_here(script: str) -> None:
    lacking = reference_values.missing_for(script)
    if lacking:
        pytest.skip(f"{lacking}, so the recorded numbers stand unchecked")
    again = reference_values.read(reference_values.run_again(script))
    before = recorded(script)
    assert again.keys() == before.keys()
    for key, values in before.items():
        # The last digits of an optimiser are another's on another machine.
        expected = {
            name: None if value is None else pytest.approx(value, rel=1e-7, abs=1e-10)
            for name, value in values.items()
        }
        assert again[key] == expected, key


def _sets(script: str, statistic: str) -> list[tuple[str, dict[str, float | None]]]:
    found = of(recorded(script), statistic)
    assert len(found) >= FEWEST_SETS
    return found


def _row_of(estimate: Estimate) -> dict[str, float]:
    low, high = estimate.interval(0.95)
    return {
        "mean": estimate.mean,
        "standard_error": estimate.standard_error,
        "p_value": estimate.p_value(),
        "low": low,
        "high": high,
    }


@pytest.mark.parametrize(("name", "compare"), [("paired t", paired_t), ("Welch", welch)])
def test_comparisons_of_two_arms(name: str, compare: Compare) -> None:
    for name_of_set, expected in _sets("comparisons", f"{name} differences"):
        estimate = compare(*arms()[name_of_set])
        assert estimate.spread_degrees == pytest.approx(expected.pop("satterthwaite", None))
        assert _row_of(estimate) == pytest.approx(expected, **CLOSE)
    for name_of_set, expected in _sets("comparisons", f"{name} logarithms"):
        found = log_ratio(compare, *arms()[name_of_set])
        expected.pop("satterthwaite", None)
        assert _row_of(found.logarithm) == pytest.approx(expected, **CLOSE)
        assert found.ratio == pytest.approx(math.exp(expected["mean"] or 0))


def test_sign_flips() -> None:
    for name, expected in _sets("comparisons", "sign flip"):
        baseline, other = arms()[name]
        assert sign_flip(np.subtract(other, baseline).tolist()) == expected["p_value"]


def test_superiority() -> None:
    for name, expected in _sets("comparisons", "superiority"):
        found = superiority(*arms()[name])
        assert vars(found) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_geometric_means() -> None:
    for name, expected in _sets("comparisons", "geometric mean"):
        found = dict(zip(("baseline", "other"), map(geometric_mean, arms()[name]), strict=True))
        assert found == pytest.approx(expected, **CLOSE)


def test_drifts() -> None:
    for name, expected in _sets("comparisons", "drift"):
        values = arms()[name][0]
        found = _row_of(drift(np.linspace(0, 1, len(values)).tolist(), values))
        assert {key: found[key] for key in expected} == pytest.approx(expected, **CLOSE)


def test_smallest_effects_and_differences() -> None:
    for name, expected in _sets("comparisons", "smallest effect"):
        pairs, _, level, power = name.split()
        found = smallest_effect(int(pairs), float(level), float(power))
        assert found == pytest.approx(expected["value"], rel=1e-7)
    for name, expected in _sets("comparisons", "smallest difference"):
        found = smallest_difference(welch(*arms()[name]), 0.05, 0.9)
        assert found == pytest.approx(expected["value"], rel=1e-7)


def test_families_by_holm() -> None:
    # R adjusts p values and holds them against 0.05; here the level is adjusted.
    with reference_values.recorded_path("comparisons").open() as file:
        lines = [row for row in csv.DictReader(file) if row["statistic"] == "Holm"]
    sets = {line["set"] for line in lines}
    assert len(sets) >= FEWEST_SETS
    for name in sets:
        p_values = [float(line["name"]) for line in lines if line["set"] == name]
        adjusted = [float(line["value"]) for line in lines if line["set"] == name]
        for alpha in (0.001, 0.01, 0.05, 0.1, 0.5):
            told = [p <= own for p, own in zip(p_values, holm_alphas(p_values, alpha), strict=True)]
            assert told == [p <= alpha for p in adjusted]


def test_moments_and_apdex_and_quantiles_of_buckets() -> None:
    for name, of_set in rows("buckets").items():
        values = np.array([int(row["value"]) for row in of_set])
        counts = np.array([int(row["count"]) for row in of_set])
        found = moments(values, counts)
        expected = recorded("descriptions")[name, "moments"]
        assert found is not None
        assert found.mean == pytest.approx(expected["mean"], **CLOSE)
        assert found.deviation == pytest.approx(expected["deviation"], rel=1e-9)
        index = dict(recorded("descriptions")[name, "Apdex"])
        wanted = index.pop("value")
        satisfied, tolerated, offered = (value or 0 for value in index.values())
        score = apdex(values, counts, satisfied, tolerated, int(offered))
        assert score == pytest.approx(wanted, **CLOSE)
        for quantile, value in recorded("descriptions")[name, "quantile"].items():
            assert quantile_over_offered(values, counts, 7, float(quantile)) == value
    assert len(rows("buckets")) >= FEWEST_SETS


def test_variation_between_runs() -> None:
    for name, expected in _sets("descriptions", "variation"):
        values = [value for arm in arms()[name] for value in arm]
        assert deviation(values) == pytest.approx(expected["deviation"], rel=1e-9)
        assert coefficient_of_variation(values) == pytest.approx(expected["coefficient"], rel=1e-9)


def test_intraclass_correlations() -> None:
    for name, expected in _sets("descriptions", "intraclass correlation"):
        groups: dict[str, list[float]] = {}
        for row in rows("groups")[name]:
            groups.setdefault(row["group"], []).append(float(row["value"]))
        found = intraclass_correlation(
            [len(each) for each in groups.values()],
            [float(np.mean(each)) for each in groups.values()],
            [float(np.var(each, ddof=1)) for each in groups.values()],
        )
        assert found == pytest.approx(expected["value"], **CLOSE)


def _watched(name: str, arm: str) -> tuple[list[float], list[bool]]:
    of_arm = [row for row in rows("survival")[name] if row["arm"] == arm]
    return [float(row["time"]) for row in of_arm], [row["failed"] == "1" for row in of_arm]


def test_survival() -> None:
    sets = rows("survival")
    assert len(sets) >= FEWEST_SETS
    expected = recorded("survival")
    for name in sets:
        for arm in ("baseline", "other"):
            found = survival(*_watched(name, arm))
            assert found.median == expected[name, f"median {arm}"]["value"]
            curves = [
                (float(statistic.rsplit(" ", 1)[1]), values)
                for (of_set, statistic), values in expected.items()
                if of_set == name and statistic.startswith(f"Kaplan-Meier {arm} ")
            ]
            assert found.times == tuple(time for time, _ in curves)
            points = zip(found.probabilities, found.low, found.high, strict=True)
            for (share, low, high), (_, values) in zip(points, curves, strict=True):
                assert share == pytest.approx(values["probability"], **CLOSE)
                if values["low"] is not None:
                    assert (low, high) == pytest.approx((values["low"], values["high"]), **CLOSE)


def test_logrank() -> None:
    exact_ones = 0
    for name, expected in _sets("survival", "log-rank"):
        first, second = _watched(name, "baseline"), _watched(name, "other")
        found = logrank(*first, *second)
        assert found.statistic**2 == pytest.approx(expected["squared"], rel=1e-9, abs=1e-9)
        if len(first[0]) + len(second[0]) > MOST_EXACT_RUNS:
            assert found.p_value == pytest.approx(expected["p_value"], rel=1e-9)
        else:
            exact = recorded("survival")[name, "exact log-rank"]
            assert found.p_value == pytest.approx(exact["p_value"], **CLOSE)
            exact_ones += 1
    assert exact_ones >= FEWEST_SETS


def test_factorials() -> None:
    sets = rows("factorial")
    assert len(sets) >= FEWEST_SETS
    expected = recorded("factorial")
    for name, of_set in sets.items():
        found = factorial(
            [float(row["value"]) for row in of_set],
            {key: [row[key] for row in of_set] for key in ("gateway", "client", "runtime")},
            [int(row["block"]) for row in of_set],
        )
        assert found.residual_degrees == expected[name, "residual"]["degrees"]
        assert found.block_share == pytest.approx(expected[name, "block"]["share"], **CLOSE)
        statistics = [statistic for of_name, statistic in expected if of_name == name]
        in_r = [each for each in statistics if not each.startswith(("mixed", "residual", "block"))]
        told = {each for each in in_r if expected[name, each]["degrees"]}
        assert {":".join(term.factors) for term in found.terms} == told
        for term in found.terms:
            statistic = ":".join(term.factors)
            row = {key: value for key, value in vars(term).items() if key != "factors"}
            assert row == pytest.approx(expected[name, statistic], rel=1e-8, abs=1e-11)
            if (name, f"mixed {statistic}") in expected:
                of_mixed_model = expected[name, f"mixed {statistic}"]["f_value"]
                assert term.f_value == pytest.approx(of_mixed_model, rel=1e-5)
