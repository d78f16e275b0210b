"""Analysis of variance: by hand, statsmodels, designs with gaps, and what must hold of any."""

import itertools

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.anova import anova_lm

from loadstone.stats.comparison.factorial import Factorial, LeftOut, Term, factorial

Levels = dict[str, list[str]]


def study(levels: Levels, blocks: int) -> tuple[Levels, list[int]]:
    """Every combination in every block."""
    runs = [
        (block, combination)
        for block in range(blocks)
        for combination in itertools.product(*levels.values())
    ]
    factors = {name: [each[at] for _, each in runs] for at, name in enumerate(levels)}
    return factors, [block for block, _ in runs]


def term(found: Factorial, *factors: str) -> Term:
    return next(each for each in found.terms if each.factors == factors)


def shares(found: Factorial) -> float:
    return found.block_share + found.residual_share + sum(each.share for each in found.terms)


def test_two_arms_in_three_blocks_by_hand() -> None:
    # Arm means 2 and 4, block means 2, 3, 4, no more: squares 6 by the arm, 4 by blocks, 0 left.
    # With 1 added to one run: arms 2 and 13/3, blocks 2, 3, 4.5; squares 49/6, 19/3, 1/3 of 89/6.
    found = factorial([1, 2, 3, 3, 4, 6], {"stack": list("aaabbb")}, [1, 2, 3, 1, 2, 3])
    total, unit = 89 / 6, 1 / 3 / 2
    stack = term(found, "stack")
    assert (stack.degrees, found.residual_degrees) == (1, 2)
    assert stack.f_value == pytest.approx(49 / 6 / unit)
    assert stack.share == pytest.approx((49 / 6 - unit) / total)
    assert found.block_share == pytest.approx((19 / 3 - 2 * unit) / total)
    assert found.residual_share == pytest.approx(5 * unit / total)


def test_two_arms_in_blocks_are_the_paired_t_test() -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, 12)
    found = factorial(values.tolist(), {"stack": ["a"] * 6 + ["b"] * 6}, [*range(6)] * 2)
    differences = values[6:] - values[:6]
    statistic = differences.mean() / (differences.std(ddof=1) / np.sqrt(6))
    assert term(found, "stack").f_value == pytest.approx(statistic**2)


@pytest.mark.parametrize("seed", range(6))
def test_it_agrees_with_statsmodels_on_type_two_squares(seed: int) -> None:
    rng = np.random.default_rng(seed)
    factors, blocks = study({"gateway": list("abc"), "client": list("xy"), "api": list("pq")}, 5)
    kept = rng.random(len(blocks)) < (1 if seed < 3 else 0.85)  # complete blocks, and with gaps
    frame = pd.DataFrame({**factors, "block": blocks})[kept].reset_index(drop=True)
    slope = frame.gateway.map({"a": 0, "b": 0.1, "c": 0.3})
    frame["value"] = slope + 0.05 * frame.block + rng.normal(0, 0.1, len(frame))
    found = factorial(
        frame.value.tolist(),
        {name: frame[name].tolist() for name in factors},
        frame.block.tolist(),
    )
    model = smf.ols("value ~ C(block) + (C(gateway) + C(client) + C(api))**2", frame).fit()
    table = anova_lm(model, typ=2)
    total = ((frame.value - frame.value.mean()) ** 2).sum()
    assert len(found.terms) == 6
    for each in found.terms:
        row = table.loc[":".join(f"C({name})" for name in each.factors)]
        assert each.degrees == row.df
        assert each.f_value == pytest.approx(row.F)
        assert each.p_value == pytest.approx(row["PR(>F)"])
        assert each.share == pytest.approx(max(0, (row.sum_sq - row.df * model.mse_resid) / total))
    assert found.residual_degrees == model.df_resid


def test_factors_of_one_level_are_no_terms() -> None:
    found = factorial([1, 2, 3, 5], {"a": list("xyxy"), "b": list("mmmm")}, [1, 1, 2, 2])
    assert [each.factors for each in found.terms] == [("a",)]


def test_a_runtime_of_one_gateway_only_is_a_part_of_its_gateway() -> None:
    runtimes = ["go", "java-17", "java-25", "node"]
    gateways = [name.split("-")[0] for name in runtimes]
    rng = np.random.default_rng(2)
    found = factorial(
        [*(np.array([0, 1, 1, 2]) + rng.normal(0, 0.01, (4, 4))).ravel()],
        {"gateway": gateways * 4, "runtime": runtimes * 4},
        np.repeat(range(4), 4).tolist(),
    )
    assert term(found, "gateway").degrees == 2
    assert term(found, "gateway").share > 0.99
    assert term(found, "runtime").degrees == 1
    assert term(found, "runtime").share < 0.01
    assert found.left_out == (
        LeftOut(("gateway", "runtime"), "it tells apart the same runs as runtime"),
    )


def test_what_cannot_be_told_apart_is_said() -> None:
    # Each protocol has one gateway only: two names for one contrast.
    found = factorial([1, 2, 1.1, 2.2], {"a": list("xyxy"), "b": list("mnmn")}, [1, 1, 2, 2])
    assert [each.factors for each in found.terms] == [("a",)]
    assert found.left_out[0] == LeftOut(("b",), "it tells apart the same runs as a")


def test_an_interaction_of_a_pruned_product_has_the_degrees_that_are_left() -> None:
    arms = [
        pair for pair in itertools.product("abc", "xyz") if pair not in {("a", "x"), ("c", "z")}
    ]
    rng = np.random.default_rng(3)
    found = factorial(
        rng.normal(0, 1, 4 * len(arms)).tolist(),
        {"one": [first for first, _ in arms] * 4, "other": [second for _, second in arms] * 4},
        np.repeat(range(4), len(arms)).tolist(),
    )
    assert term(found, "one", "other").degrees == len(arms) - 1 - 2 - 2


def test_an_interaction_of_which_a_pruned_product_leaves_nothing_is_left_out() -> None:
    # A chain of four arms: each factor's contrasts take all that the arms differ by.
    arms = [("a", "x"), ("a", "y"), ("b", "y")]
    found = factorial(
        np.random.default_rng(4).normal(0, 1, 12).tolist(),
        {"one": [first for first, _ in arms] * 4, "other": [second for _, second in arms] * 4},
        np.repeat(range(4), 3).tolist(),
    )
    assert [each.factors for each in found.terms] == [("one",), ("other",)]
    reason = "it cannot be told from the other terms"
    assert found.left_out == (LeftOut(("one", "other"), reason),)


def test_two_blocks_are_enough_for_a_test() -> None:
    factors, blocks = study({"stack": list("abc")}, 2)
    found = factorial([0.0, 1.0, 2.0, 0.1, 1.0, 2.3], factors, blocks)
    assert found.residual_degrees == 2
    assert (term(found, "stack").p_value or 1) < 0.05


def test_one_block_leaves_nothing_to_hold_an_effect_against() -> None:
    found = factorial([1.0, 2.0, 4.0], {"stack": list("abc")}, [1, 1, 1])
    stack = term(found, "stack")
    assert (stack.f_value, stack.p_value, found.residual_degrees) == (None, None, 0)
    assert stack.share == pytest.approx(1)


def test_arms_that_are_all_alike_have_no_shares() -> None:
    factors, blocks = study({"stack": list("abc")}, 3)
    found = factorial([0.1] * 9, factors, blocks)
    assert shares(found) == 0
    assert term(found, "stack").f_value is None


VALUES = st.lists(st.floats(-10, 10), min_size=24, max_size=24)


@given(VALUES, st.integers(1, 3))
def test_in_a_complete_study_the_shares_add_up_to_1(values: list[float], order: int) -> None:
    factors, blocks = study({"a": list("xy"), "b": list("mn"), "c": list("pq")}, 3)
    found = factorial(values, factors, blocks, order)
    if np.ptp(values) > 1e-6:
        assert shares(found) == pytest.approx(1)
    assert all(0 <= each.share <= 1 + 1e-9 for each in found.terms)
    degrees = 2 + found.residual_degrees + sum(each.degrees for each in found.terms)
    assert degrees == len(values) - 1


@given(VALUES, st.floats(-5, 5), st.floats(0.1, 10), st.permutations(range(24)))
def test_neither_unit_nor_order_nor_a_blocks_disturbance_matters_to_the_tests(
    values: list[float], shift: float, factor: float, order: list[int]
) -> None:
    factors, blocks = study({"a": list("xyz"), "b": list("mn")}, 4)
    noise = np.random.default_rng(1).normal(0, 1, 24)  # so that something is always left
    before = factorial((noise + values).tolist(), factors, blocks)
    moved = factor * (noise + values) + shift * np.array(blocks)
    after = factorial(
        [moved[at] for at in order],
        {name: [levels[at] for at in order] for name, levels in factors.items()},
        [blocks[at] for at in order],
    )
    for one in before.terms:
        other = term(after, *one.factors)
        assert other.f_value == pytest.approx(one.f_value, rel=1e-6, abs=1e-6)


@given(st.sets(st.integers(0, 23), max_size=6), st.lists(st.floats(-9, 9), min_size=4, max_size=4))
def test_a_blocks_disturbance_does_not_matter_where_runs_are_missing_either(
    missing: set[int], disturbances: list[float]
) -> None:
    factors, blocks = study({"a": list("xyz"), "b": list("mn")}, 4)
    kept = [run for run in range(24) if run not in missing]
    values = np.random.default_rng(2).normal(0, 1, 24)
    moved = values + np.array(disturbances)[blocks]
    before, after = (
        factorial(
            [of_study[at] for at in kept],
            {name: [levels[at] for at in kept] for name, levels in factors.items()},
            [blocks[at] for at in kept],
        )
        for of_study in (values, moved)
    )
    assert before.residual_degrees == after.residual_degrees
    for one, other in zip(before.terms, after.terms, strict=True):
        assert other.f_value == pytest.approx(one.f_value, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("values", "factors", "blocks", "order", "message"),
    [
        ([], {"a": []}, [], 2, "no runs"),
        ([1, 2], {"a": ["x", "y"]}, [1], 2, "1 of blocks"),
        ([1, 2], {"a": ["x"]}, [1, 1], 2, "1 of a"),
        ([1, float("nan")], {"a": ["x", "y"]}, [1, 1], 2, "finite"),
        ([1, 2], {"a": ["x", "x"]}, [1, 1], 2, "two levels"),
        ([1, 2], {}, [1, 1], 2, "two levels"),
        ([1, 2], {"a": ["x", "y"]}, [1, 1], 0, "at least one factor"),
    ],
)
def test_what_is_no_factorial_study_is_refused(
    values: list[float], factors: Levels, blocks: list[int], order: int, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        factorial(values, factors, blocks, order)
