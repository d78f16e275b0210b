"""The start order: every service behind those that it needs, or the circle that forbids it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.study.systems.start_order import CycleError, start_order

NAMES = st.sampled_from("abcdefg")
NEEDS = st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=7)


def test_services_that_need_nothing_of_each_other_keep_their_order() -> None:
    assert start_order({"b": ["database"], "a": [], "c": []}) == ("b", "a", "c")


def test_a_chain_is_started_from_its_end() -> None:
    assert start_order({"a": ["b"], "b": ["c"], "c": []}) == ("c", "b", "a")


def test_a_circle_is_told_from_its_first_service_on() -> None:
    with pytest.raises(CycleError) as caught:
        start_order({"a": ["b"], "b": ["c"], "c": ["b"]})
    assert str(caught.value) == "b needs c needs b"


@given(NEEDS)
def test_each_service_is_there_once_behind_its_needs_or_a_circle_is_named(
    needs: dict[str, list[str]],
) -> None:
    try:
        order = start_order(needs)
    except CycleError as error:
        circle = error.circle
        following = (*circle[1:], circle[0])
        assert all(after in needs[name] for name, after in zip(circle, following, strict=True))
        return
    assert sorted(order) == sorted(needs)
    for position, name in enumerate(order):
        assert {need for need in needs[name] if need in needs} <= set(order[:position])
