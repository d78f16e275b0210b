import asyncio

import pytest

from conference.config import LookupConfig, Strategy
from conference.problem import Problem
from conference.strategy import look_up
from tests.fakes import FakeCountry

NAMES = ["a", "b", "c", "d", "e"]


def countries(strategy: Strategy, country: FakeCountry, names: list[str]) -> list[str]:
    config = LookupConfig(strategy, width=2, batch_size=2)
    return asyncio.run(look_up(names, country, config))


@pytest.mark.parametrize(
    ("strategy", "peak", "asked"),
    [
        (Strategy.SEQUENTIAL, 1, NAMES),
        (Strategy.CONCURRENT, 2, NAMES),
        (Strategy.BATCHED, 0, ["ab", "cd", "e"]),
    ],
)
def test_every_name_is_looked_up_in_its_way(
    strategy: Strategy, peak: int, asked: list[str]
) -> None:
    country = FakeCountry()
    assert countries(strategy, country, NAMES) == ["A", "B", "C", "D", "E"]
    assert (country.peak, country.asked) == (peak, asked)


@pytest.mark.parametrize("strategy", Strategy)
def test_nothing_is_asked_without_names(strategy: Strategy) -> None:
    country = FakeCountry()
    assert countries(strategy, country, []) == []
    assert country.asked == []


@pytest.mark.parametrize("strategy", [Strategy.SEQUENTIAL, Strategy.CONCURRENT])
def test_the_first_failure_ends_it(strategy: Strategy) -> None:
    country = FakeCountry(failing="b")
    with pytest.raises(Problem, match="country-failed: b"):
        countries(strategy, country, [*NAMES, *("further" for _ in range(9))])
    # Those beside it may have gone on for a turn of the loop.
    assert len(country.asked) <= len(NAMES)
