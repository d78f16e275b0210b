"""What becomes of claims: by the interval, the margin, and what is not told at all."""

import pytest
from built_cells import P99, WORKLOAD, Values, cells

from loadstone.analysis.claim_model import Reproduction
from loadstone.analysis.compare.reproductions import NOT_MEASURED, NOT_TOLD, reproductions
from loadstone.analysis.model import RunFigure
from loadstone.analysis.multi_arm_model import SurvivalComparison, Survivals, UnrankedArm
from loadstone.study.values.claim import Claim, Says

ALPHA = 0.05
GO = (10.0, 10.1, 9.9, 10.0, 10.05, 9.95)
TWICE = (20.1, 20.0, 19.9, 20.1, 20.0, 20.0)
A_BIT = (10.1, 10.2, 10.01, 10.1, 10.16, 10.04)
"""More in every block, and yet within the margin."""
WILD = (5.0, 20.0, 7.0, 15.0, 9.0, 11.0)


def claim(says: Says = "higher", **changes: object) -> Claim:
    """That node has more of it than go."""
    values: dict[str, object] = {
        "claim": f"node is {says}",
        "source": "",
        "of": "node",
        "against": "go",
        "says": says,
        "metric": P99,
        "margin": 0.03,
        "published_ratio": None,
        "workload": WORKLOAD,
    }
    return Claim.model_validate(values | changes)


def held(node: Values, *claims: Claim) -> list[Reproduction]:
    """The claims against arms of which go always has the same figures."""
    return [*reproductions(claims or (claim(),), cells({"go": GO, "node": node}), (), ALPHA)]


@pytest.mark.parametrize(
    ("node", "says", "outcome"),
    [
        (TWICE, "higher", "reproduced"),
        (TWICE, "lower", "not reproduced"),
        (TWICE, "alike", "not reproduced"),
        (A_BIT, "alike", "reproduced"),
        (A_BIT, "higher", "not reproduced"),
        (A_BIT, "lower", "not reproduced"),
        (WILD, "higher", "undecided"),
        (WILD, "lower", "undecided"),
        (WILD, "alike", "undecided"),
    ],
)
def test_an_interval_decides(node: Values, says: Says, outcome: str) -> None:
    (found,) = held(node, claim(says))
    assert found.outcome == outcome
    assert found.reason == (NOT_TOLD if outcome == "undecided" else "")
    assert found.low is not None
    assert found.high is not None
    assert found.low <= (found.estimate or 0) <= found.high


@pytest.mark.parametrize(
    ("says", "published", "node", "size"),
    [
        ("higher", 2.0, TWICE, "as published"),
        ("higher", 3.0, TWICE, "less than published"),
        ("higher", 1.2, TWICE, "more than published"),
        ("lower", 0.5, tuple(value / 2 for value in GO), "as published"),
        ("lower", 0.2, tuple(value / 2 for value in GO), "less than published"),
        ("lower", 0.9, tuple(value / 2 for value in GO), "more than published"),
        ("lower", 0.5, TWICE, ""),
        ("alike", 1.0, A_BIT, ""),
    ],
)
def test_a_published_size_is_told_where_the_direction_is(
    says: Says, published: float, node: Values, size: str
) -> None:
    (found,) = held(node, claim(says, published_ratio=published))
    assert found.size == size
    assert size in found.sentence
    assert ("published" in found.sentence) == bool(size)


def test_an_arm_without_runs_decides_nothing() -> None:
    (found,) = reproductions((claim(),), cells({"go": GO}), (), ALPHA)
    assert (found.outcome, found.reason, found.estimate) == ("undecided", NOT_MEASURED, None)


def test_a_figure_that_does_not_stand_decides_nothing() -> None:
    failed = RunFigure(value=None, state="failed", reason="it is a failed request")
    (found,) = held((failed,) * 6)
    assert found.outcome == "undecided"
    assert "failed request" in found.reason
    assert (found.of_value, found.against_value is None) == (None, False)


def test_two_runs_decide_nothing_and_yet_have_a_ratio() -> None:
    both = cells({"go": GO[:2], "node": TWICE[:2]})
    (found,) = reproductions((claim(),), both, (), ALPHA)
    assert found.outcome == "undecided"
    assert found.estimate == pytest.approx(2.0, rel=0.01)
    assert found.low is None


def test_all_claims_are_one_family() -> None:
    alone = held(TWICE, claim())[0].level
    others = [claim("lower", claim=f"number {number}") for number in range(9)]
    among = held(TWICE, claim(), *others)[0].level
    assert alone == pytest.approx(0.95)
    assert among > alone


def test_claims_that_the_log_rank_test_decides_take_no_part_in_it() -> None:
    times: dict[str, Values] = {"go": GO, "node": TWICE}
    both = cells(times) | cells(times, metric="time_to_failure", workload="ramp")
    later = [
        claim(claim=f"number {number}", metric="time_to_failure", workload="ramp")
        for number in range(9)
    ]
    (found, *_) = reproductions((claim(), *later), both, (), ALPHA)
    assert found.level == pytest.approx(0.95)


def survivals(words: str = "fails later", **left_out: str) -> Survivals:
    """Node against go."""
    compared = SurvivalComparison.model_validate(
        {"baseline": "go", "other": "node", "statistic": 9.0, "p_value": 0.001, "level": 0.95}
        | {"words": words}
    )
    left = tuple(UnrankedArm(arm=arm, reason=why) for arm, why in left_out.items())
    return Survivals(workload=WORKLOAD, arms=(), comparisons=(compared,), left_out=left)


@pytest.mark.parametrize(
    ("words", "says", "of", "outcome"),
    [
        ("fails later", "higher", "node", "reproduced"),
        ("fails later", "lower", "node", "not reproduced"),
        ("fails sooner", "lower", "node", "reproduced"),
        ("fails later", "lower", "go", "reproduced"),
        ("fails sooner", "higher", "go", "reproduced"),
        ("cannot tell", "higher", "node", "undecided"),
    ],
)
def test_a_time_to_failure_is_told_by_the_log_rank_test(
    words: str, says: Says, of: str, outcome: str
) -> None:
    against = "go" if of == "node" else "node"
    asked = claim(says, of=of, against=against, metric="time_to_failure")
    measured = cells({"go": GO, "node": GO}, metric="time_to_failure")
    (found,) = reproductions((asked,), measured, (survivals(words),), ALPHA)
    assert found.outcome == outcome
    if outcome == "reproduced":
        assert f"{of} fails {'later' if says == 'higher' else 'sooner'} than" in found.sentence


def test_a_time_to_failure_that_is_left_out_decides_nothing() -> None:
    asked = claim(metric="time_to_failure")
    measured = cells({"go": GO, "node": GO}, metric="time_to_failure")
    failures = (survivals(node="withheld: too late"),)
    (found,) = reproductions((asked,), measured, failures, ALPHA)
    assert (found.outcome, found.reason) == ("undecided", "node is left out: withheld: too late")
    (nobody,) = reproductions((asked,), measured, (), ALPHA)
    assert nobody.outcome == "undecided"
