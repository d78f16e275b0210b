"""What a factor does on average, and what it explains: hand-checked studies, and what is refused."""

from math import exp, log

import numpy as np
import pytest
from built_cells import P99, Values, arms, cells, question
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from loadstone.analysis.compare.factor_effects import factor_effects
from loadstone.analysis.compare.factorials import factorials
from loadstone.analysis.compare.pairs import pairs_by_factor
from loadstone.analysis.model import RunFigure
from loadstone.analysis.multi_arm_model import FactorEffect, FactorialModel

FACTORS = {
    f"{gateway}-{client}": {"gateway": gateway, "client": client, "upstream": "h1c"}
    for gateway in ("go", "node")
    for client in ("h1c", "h2c")
}
BLOCKS = 6


def study(
    gateway: float = 0.0,
    client: float = 0.0,
    both: float = 0.0,
    spread: float = 0.01,
    seed: int = 1,
) -> dict[str, Values]:
    """Logarithms add up: of the second gateway, of the second client, of both together, and noise."""
    noise = np.random.default_rng(seed)
    return {
        arm: tuple(
            1e6
            * exp(
                gateway * (levels["gateway"] == "node")
                + client * (levels["client"] == "h2c")
                + both * (arm == "node-h2c")
                + spread * noise.standard_normal()
            )
            for _ in range(BLOCKS)
        )
        for arm, levels in FACTORS.items()
    }


def effects_of(values: dict[str, Values], factor: str = "gateway") -> tuple[FactorEffect, ...]:
    present = arms({arm: FACTORS[arm] for arm in values})
    pairs = pairs_by_factor(present, factor)
    return factor_effects(question(compare=factor), present, pairs, cells(values), 0.05)


def model_of(values: dict[str, Values], metric: str = P99) -> FactorialModel:
    present = arms({arm: FACTORS[arm] for arm in values})
    (found,) = factorials(question(metric=metric), present, cells(values, metric=metric))
    return found


def test_an_effect_is_the_geometric_mean_of_the_pairs_ratios() -> None:
    (found,) = effects_of(study(gateway=log(1.2), both=log(1.1), spread=0.0))
    assert (found.baseline, found.other, found.pairs, found.blocks) == ("go", "node", 2, 6)
    assert found.estimate == pytest.approx((1.2 * 1.2 * 1.1) ** 0.5)
    assert (found.low, found.high) == pytest.approx((found.estimate, found.estimate))


def test_its_interval_is_scipys_on_the_blocks() -> None:
    values = study(gateway=0.2, spread=0.05)
    logs = {arm: np.log(np.asarray(own, dtype=float)) for arm, own in values.items()}
    go = (logs["go-h1c"] + logs["go-h2c"]) / 2
    node = (logs["node-h1c"] + logs["node-h2c"]) / 2
    interval = stats.ttest_rel(node, go).confidence_interval(0.95)
    (found,) = effects_of(values)
    assert (found.low, found.high) == pytest.approx((exp(interval.low), exp(interval.high)))


@settings(max_examples=25, deadline=None)
@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(0, 999))
def test_the_other_order_of_levels_gives_the_inverse(
    gateway: float, client: float, seed: int
) -> None:
    values = study(gateway=gateway, client=client, seed=seed)
    swapped = {arm: values[arm] for arm in sorted(values, reverse=True)}
    (found,), (turned,) = effects_of(values), effects_of(swapped)
    assert (found.baseline, turned.baseline) == ("go", "node")
    assert found.estimate * turned.estimate == pytest.approx(1)
    assert found.low * turned.high == pytest.approx(1)


def test_an_effect_of_pairs_that_cannot_all_be_compared_is_not_told() -> None:
    values = study()
    values["node-h2c"] = (RunFigure(value=None, state="withheld", reason="failures"),) * BLOCKS
    assert effects_of(values) == ()
    values["node-h2c"] = (*values["go-h2c"][:5], None)
    assert effects_of(values) == ()


def test_a_single_pair_has_its_verdict_and_no_effect() -> None:
    values = {arm: own for arm, own in study().items() if arm.endswith("h1c")}
    assert effects_of(values) == ()


def test_the_factor_that_does_it_explains_the_variance() -> None:
    found = model_of(study(gateway=log(1.5), client=log(1.05)))
    shares = {term.factors: term.share for term in found.terms}
    assert list(shares) == [("gateway",), ("client",), ("gateway", "client")]
    assert shares["gateway",] > 0.9
    assert shares["client",] > shares["gateway", "client"]
    assert found.scale == "ratio"
    assert found.block_share is not None
    assert found.residual_share is not None
    total = sum(shares.values()) + found.block_share + found.residual_share
    assert total == pytest.approx(1)


def test_factors_that_only_act_together_show_in_their_interaction() -> None:
    # The sign of either depends on the other, so that neither does anything on average.
    found = model_of(study(gateway=0.5, client=0.5, both=-1.0))
    shares = {term.factors: term.share for term in found.terms}
    assert shares["gateway", "client"] > 0.9


def test_a_share_that_can_be_0_is_analysed_as_it_is() -> None:
    values = {arm: tuple(0.01 * n for n in range(BLOCKS)) for arm in FACTORS}
    values["node-h1c"] = values["node-h2c"] = tuple(0.5 + 0.01 * n for n in range(BLOCKS))
    found = model_of(values, "failures")
    assert found.scale == "difference"
    assert found.terms[0].share > 0.9


def test_a_pruned_cross_product_tells_what_a_factor_explains_beyond_the_others() -> None:
    values = study(gateway=log(1.5))
    assert model_of(values).caveat == ""
    del values["node-h2c"]
    found = model_of(values)
    shares = {term.factors: term.share for term in found.terms}
    assert list(shares) == [("gateway",), ("client",)]
    assert shares["gateway",] > 10 * shares["client",]
    assert found.caveat == (
        "3 of 4 combinations are arms; a share is what its source explains beyond the others; "
        "gateway with client is left out: it cannot be told from the other terms"
    )


def test_a_missing_run_is_told_beside_the_shares() -> None:
    values = study(gateway=log(1.5))
    found = model_of({**values, "node-h2c": (*values["node-h2c"][:-1], None)})
    assert found.terms[0].share > 0.9
    assert found.caveat == (
        "some arms lack runs that others have; a share is what its source explains beyond the others"
    )


def test_arms_of_which_only_one_factor_is_left_have_no_model() -> None:
    values = {arm: own for arm, own in study().items() if arm.endswith("h1c")}
    (found,) = factorials(question(), arms(FACTORS), cells(values))
    assert found.reason == "fewer than two factors vary between the arms that were run"


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        (
            (RunFigure(value=None, state="withheld", reason="failures"),) * BLOCKS,
            f"{P99} of node-h2c is withheld: failures (in 6 of 6 runs)",
        ),
        (
            (0.0, 1e6, 1e6, 1e6, 1e6, 1e6),
            "a run of node-h2c has the value 0, which has no logarithm",
        ),
    ],
)
def test_what_cannot_be_fitted_says_why(own: Values, reason: str) -> None:
    assert model_of({**study(), "node-h2c": own}).reason == reason


def test_runs_without_any_variance_and_a_single_block_are_not_fitted() -> None:
    alike: dict[str, Values] = dict.fromkeys(FACTORS, (1e6,) * BLOCKS)
    assert model_of(alike).reason == "every run has the same value"
    one: dict[str, Values] = {arm: (own[0],) for arm, own in study().items()}
    assert model_of(one).reason == "one block tells nothing of how much runs vary"


def test_a_study_of_one_factor_has_no_model() -> None:
    only = {"go": {"gateway": "go"}, "node": {"gateway": "node"}}
    built = cells({"go": (1e6,) * 6, "node": (2e6,) * 6})
    assert factorials(question(), arms(only), built) == ()
