"""Durations and percentages as typed."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.errors import WrongValueError
from loadstone.text import typed_units


@pytest.mark.parametrize(
    ("typed", "nanoseconds"),
    [
        ("10s", 10**10),
        ("500ms", 5 * 10**8),
        ("4m", 240 * 10**9),
        ("1h", 3600 * 10**9),
        ("1.5s", 15 * 10**8),
        ("0.1ms", 10**5),
        ("168h", typed_units.LONGEST_NS),
    ],
)
def test_a_duration_is_read_exactly(typed: str, nanoseconds: int) -> None:
    assert typed_units.duration_ns(typed) == nanoseconds


@pytest.mark.parametrize(
    ("read", "typed", "message"),
    [
        (typed_units.duration_ns, "-5s", "must not be negative, not -5s"),
        (typed_units.duration_or_zero_ns, "-5s", "must not be negative, not -5s"),
        (typed_units.duration_ns, "0s", "must be more than zero, not 0s"),
        (typed_units.duration_ns, 10, "10 has no unit of time"),
        (typed_units.duration_ns, "10", "'10' has no unit of time"),
        (typed_units.duration_ns, "10 s", "'10 s' is not a duration"),
        (typed_units.duration_ns, "10sec", "'10sec' has no unit of time"),
        (typed_units.duration_ns, "3%", "'3%' has no unit of time"),
        (typed_units.duration_ns, "", "'' is not a duration"),
        (typed_units.duration_ns, "1h30m", "'1h30m' is not a duration"),
        (typed_units.duration_ns, "１s", "'１s' is not a duration"),
        (typed_units.duration_ns, "1e9s", "is not a duration"),
        (typed_units.duration_ns, "9" * 5000 + "s", "is not a duration"),
        (typed_units.duration_ns, "169h", "169h is more than a week"),
        (typed_units.duration_ns, "0.0000001ms", "is not a whole number of nanoseconds"),
        (typed_units.duration_ns, True, "true is not a duration"),
        (typed_units.duration_ns, ["10s"], "a list is not a duration"),
        (typed_units.whole_seconds_ns, "1500ms", "must be whole seconds, not 1500ms"),
        (typed_units.whole_seconds_ns, "0s", "must be more than zero"),
        (typed_units.whole_seconds_or_zero_ns, "0.5s", "must be whole seconds"),
        (typed_units.fraction, "3", "'3' has no percent sign"),
        (typed_units.fraction, 0.03, "0.03 has no percent sign"),
        (typed_units.fraction, "-3%", "must be more than 0% and at most 100%, not -3%"),
        (typed_units.fraction, "0%", "must be more than 0% and at most 100%"),
        (typed_units.fraction, "101%", "must be more than 0% and at most 100%"),
        (typed_units.fraction, "three", "'three' is not a percentage"),
    ],
)
def test_a_wrong_quantity_is_refused_by_what_is_wrong_with_it(
    read: Callable[[Any], float], typed: Any, message: str
) -> None:
    with pytest.raises(WrongValueError) as caught:
        read(typed)
    assert message in str(caught.value)
    assert caught.value.remedy


def test_zero_is_taken_where_it_means_none() -> None:
    assert typed_units.duration_or_zero_ns("0s") == 0
    assert typed_units.whole_seconds_or_zero_ns("0s") == 0


def test_a_percentage_is_a_fraction() -> None:
    assert typed_units.fraction("3%") == 0.03
    assert typed_units.fraction("0.5%") == 0.005
    assert typed_units.fraction("100%") == 1.0


@given(milliseconds=st.integers(1, 10**8))
def test_the_same_duration_in_another_unit_is_the_same(milliseconds: int) -> None:
    seconds, rest = divmod(milliseconds, 1000)
    assert typed_units.duration_ns(f"{seconds}.{rest:03d}s") == typed_units.duration_ns(
        f"{milliseconds}ms"
    )


@given(typed=st.text(max_size=30) | st.integers() | st.floats() | st.none() | st.lists(st.none()))
def test_anything_else_is_a_value_error(typed: Any) -> None:
    for read in (
        typed_units.duration_ns,
        typed_units.whole_seconds_or_zero_ns,
        typed_units.fraction,
    ):
        with suppress(WrongValueError):
            assert read(typed) >= 0
