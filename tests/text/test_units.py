import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loadstone.text import units

SCALES = {
    "ns": 1,
    "µs": 1e3,
    "ms": 1e6,
    "s": 1e9,
    "/s": 1,
    "k/s": 1e3,
    "M/s": 1e6,
    "G/s": 1e9,
    "B": 1,
    "KiB": 2**10,
    "MiB": 2**20,
    "GiB": 2**30,
    "%": 0.01,
    "points": 0.01,
    "": 1,
}
UNITS = st.sampled_from(["ns", "1/s", "share", "bytes", "count"])
VALUES = st.floats(min_value=1e-6, max_value=1e12)


def read_back(text: str) -> float:
    digits, _, suffix = text.partition(" ")
    return float(digits.replace(",", "")) * SCALES[suffix]


@given(VALUES, UNITS)
def test_a_printed_quantity_is_within_half_a_unit_of_its_third_digit(
    value: float, unit: units.Unit
) -> None:
    if unit == "share":
        value = value / 1.01e12
    assert read_back(units.quantity(value, unit)) == pytest.approx(value, rel=0.00501)


@given(VALUES, st.sampled_from(["ns", "1/s"]))
def test_the_next_unit_begins_at_a_thousand(value: float, unit: units.Unit) -> None:
    digits, _, suffix = units.quantity(value, unit).partition(" ")
    assert suffix in ("s", "G/s") or float(digits.replace(",", "")) < 1000


@given(st.floats(min_value=0, max_value=1, exclude_max=True))
def test_less_than_everything_never_reads_a_hundred_percent(fraction: float) -> None:
    assert units.share(fraction) != "100 %"


@given(st.floats(min_value=0.5, max_value=2))
def test_a_ratio_beside_1_does_not_read_1(ratio: float) -> None:
    is_apart = abs(ratio - 1) > 1e-6
    assert not (is_apart and float(units.ratio(ratio).removesuffix(" ×")) == 1)


@given(st.floats(min_value=0.02, max_value=50), st.floats(min_value=1, max_value=3))
def test_both_bounds_of_a_ratio_have_the_same_decimals(low: float, factor: float) -> None:
    bounds = units.ratio_interval(low, low * factor).strip("[]").split(", ")
    assert len({len(bound.partition(".")[2]) for bound in bounds}) == 1


@given(VALUES, st.floats(min_value=1, max_value=1000))
def test_a_spread_has_one_unit_for_both_ends(low: float, factor: float) -> None:
    text = units.spread(low, low * factor, "ns")
    digits, _, suffix = text.rpartition(" ")
    ends = [float(end.replace(",", "")) * SCALES[suffix] for end in digits.split("–")]
    assert ends[0] == pytest.approx(low, rel=0.00501)
    assert ends[-1] == pytest.approx(low * factor, rel=0.0101)


@given(st.floats(min_value=-1e12, max_value=1e12), UNITS)
def test_a_difference_has_its_sign(value: float, unit: units.Unit) -> None:
    text = units.difference(value, unit)
    assert text.startswith("+") == (value > 0)
    assert text.startswith("-") == (value < 0)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (units.duration(0), "0 ns"),
        (units.duration(999_499), "999 µs"),
        (units.duration(999_500), "1.00 ms"),
        (units.duration(90e9), "90.0 s"),
        (units.duration(1_234e9), "1,234 s"),
        (units.rate(12_345), "12.3 k/s"),
        (units.size(47_710_208), "45.5 MiB"),
        (units.share(0.0012), "0.120 %"),
        (units.share(0.99996), "99.996 %"),
        (units.share(1e-9), "1.00e-7 %"),
        (units.share(1), "100 %"),
        (units.ratio(1.07), "1.07 ×"),
        (units.ratio(1.0004), "1.0004 ×"),
        (units.ratio_interval(0.989, 1.007), "[0.989, 1.007]"),
        (units.quantity_interval(5_610, 5_500, 5_700, "1/s"), "5.61 k/s [5.50 to 5.70]"),
        (units.quantity_interval(1e6, 982_000, 1_018_000, "ns"), "1.00 ms [0.982 to 1.02]"),
        (units.quantity_interval(0, 0, 0, "share"), "0 % [0 to 0]"),
        (units.spread(0.9e6, 1.2e6, "ns"), "0.900–1.20 ms"),
        (units.spread(1, 3, "count"), "1–3"),
        (units.difference(-0.0012, "share"), "-0.120 points"),
        (units.difference_interval(-1e5, 2.5e5, "ns"), "[-100, +250] µs"),
        (units.tick(2_500_000, "ns"), "2.5 ms"),
        (units.tick(20_000, "1/s"), "20 k/s"),
        (units.percent(0.975), "97.5 %"),
        (units.count(1234567), "1,234,567"),
    ],
)
def test_quantities_print_as_people_write_them(printed: str, expected: str) -> None:
    assert printed == expected


@given(VALUES)
def test_no_printed_quantity_holds_a_row_of_zeros(value: float) -> None:
    assert not re.search(r"0\.0000", units.duration(value))
