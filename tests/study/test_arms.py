"""Cross product, pruning and ids."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_lab import SmallLab, load_study

from loadstone.study.design.arms import arm_ids, compared, cross, matches, varying

FACTORS = st.dictionaries(
    st.text("abc", min_size=1, max_size=3),
    st.lists(st.text("xyz", min_size=1, max_size=3), min_size=1, max_size=4, unique=True),
    min_size=1,
    max_size=4,
)


@given(factors=FACTORS)
def test_the_cross_product_has_every_combination_once(factors: dict[str, list[str]]) -> None:
    combinations = list(cross(factors))
    assert len(combinations) == prod(len(levels) for levels in factors.values())
    assert len({tuple(combination.items()) for combination in combinations}) == len(combinations)
    for combination in combinations:
        assert all(combination[factor] in levels for factor, levels in factors.items())


@given(factors=FACTORS)
def test_ids_name_only_what_varies(factors: dict[str, list[str]]) -> None:
    combinations = list(cross(factors))
    assert varying(combinations) == tuple(name for name in factors if len(factors[name]) > 1)
    service = next(iter(factors))
    for arm_id, combination in zip(arm_ids(combinations, service), combinations, strict=True):
        names = varying(combinations) or (service,)
        assert arm_id == "-".join(combination[name] for name in names)


def test_matching_needs_every_level_that_is_named() -> None:
    assert matches({"a": "x", "b": "y"}, {"a": "x"})
    assert not matches({"a": "x", "b": "y"}, {"a": "x", "b": "x"})


def test_arms_that_never_differ_in_one_factor_alone_cannot_be_compared() -> None:
    confounded = [{"a": "x", "b": "x"}, {"a": "y", "b": "y"}]
    assert not compared(confounded, "a")
    assert compared([*confounded, {"a": "y", "b": "x"}], "a")


def test_an_arm_knows_its_services_and_legs(lab: SmallLab) -> None:
    go, node = load_study(lab.study(), lab.catalogue).arms
    assert (go.id, node.id) == ("go", "node")
    assert go.factors == {"gateway": "go", "client": "h1c", "upstream": "h1c"}
    assert go.services[0].runtime == "go"
    assert go.legs == {"client": "h1c", "upstream": "h1c"}


def test_one_stack_can_stand_against_itself(lab: SmallLab) -> None:
    path = lab.study("[go, node]", "[go, {stack: go, label: go-again}]")
    first, again = load_study(path, lab.catalogue).arms
    assert (first.id, again.id) == ("go", "go-again")
    assert first.services[0].stack == again.services[0].stack == "go"


def test_a_runtime_that_is_named_becomes_part_of_the_label(lab: SmallLab) -> None:
    lab.change("systems/shop/gateway/go/stack.yaml", "[go]", "[go, node]")
    arms = load_study(lab.study("[go, node]", "[go@go, go@node]"), lab.catalogue).arms
    assert [arm.id for arm in arms] == ["go-go", "go-node"]
    assert [arm.services[0].runtime for arm in arms] == ["go", "node"]


@pytest.mark.parametrize(
    ("pruning", "left"),
    [
        ("only: [{gateway: a}, {gateway: go}]", ["go", "a"]),
        ("except: [{gateway: a}]", ["go", "node"]),
        ("only: [{client: h1c}]\nexcept: [{gateway: go, upstream: h1c}]", ["node", "a"]),
    ],
)
def test_pruning_keeps_only_then_drops_except(lab: SmallLab, pruning: str, left: list[str]) -> None:
    lab.study("[go, node]", "[go, node, {stack: go, label: a}]")
    path = lab.study("seed: 7", f"seed: 7\n{pruning}")
    assert [arm.id for arm in load_study(path, lab.catalogue).arms] == left
