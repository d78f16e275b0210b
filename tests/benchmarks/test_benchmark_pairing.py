"""The arithmetic of paired rounds: exact cases, and what must hold for any."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.engine.pairing import PairedRounds, Round, Side, engine_first, spread


def side(generator_us: float, server_us: float = 5.0, requests: int = 1000) -> Side:
    return Side(requests, round(generator_us * requests * 1000), round(server_us * requests * 1000))


def test_the_order_of_rounds_is_abba() -> None:
    assert list(islice(engine_first(), 4)) == [True, False, True, False]


def test_cost_is_cpu_time_over_requests_in_microseconds() -> None:
    measured = Side(requests=2_000, generator_cpu_ns=12_000_000, server_cpu_ns=9_000_000)
    assert measured.generator_us == 6.0
    assert measured.server_us == 4.5


def test_the_ratio_is_of_requests_per_cpu_second_whatever_the_counts_were() -> None:
    pair = Round(engine=side(6.0, requests=3_000), peer=side(7.5, requests=1_000))
    assert pair.ratio == pytest.approx(1.25)


@pytest.mark.parametrize(
    ("server_us", "counts"), [(5.0, True), (5.24, True), (4.76, True), (5.26, False), (4.74, False)]
)
def test_a_round_counts_only_within_five_percent_of_the_servers_cost(
    server_us: float, counts: bool
) -> None:
    assert Round(engine=side(6, server_us), peer=side(7, 5.0)).counts is counts


def test_the_ratio_of_a_row_is_the_median_of_what_counts_with_its_range() -> None:
    same = [Round(side(6.0), side(peer_us)) for peer_us in (6.0, 9.0, 7.2)]
    other = Round(side(6.0, server_us=9.0), side(60.0))
    paired = PairedRounds((same[0], other, same[1], same[2]))
    found = paired.ratio
    assert found is not None
    assert (found.median, found.low, found.high) == pytest.approx((1.2, 1.0, 1.5))
    assert paired.ratio_of_all is not None
    assert paired.ratio_of_all.high == pytest.approx(10.0)
    assert paired.counting == tuple(same)


def test_without_a_round_that_counts_there_is_no_ratio() -> None:
    paired = PairedRounds((Round(side(6, server_us=9), side(7)),))
    assert paired.ratio is None
    assert paired.ratio_of_all is not None


def test_rounds_go_on_until_enough_count_or_twice_as_many_were_tried() -> None:
    good, bad = Round(side(6), side(7)), Round(side(6, server_us=9), side(7))
    assert not PairedRounds((good,)).is_enough(2)
    assert PairedRounds((good, good)).is_enough(2)
    assert not PairedRounds((good, bad, bad)).is_enough(2)
    assert PairedRounds((good, bad, bad, bad)).is_enough(2)


@given(st.lists(st.floats(0.1, 10), min_size=1))
def test_a_spread_holds_its_median(values: list[float]) -> None:
    found = spread(values)
    assert found is not None
    assert found.low <= found.median <= found.high
    assert {found.low, found.high} <= set(values)
