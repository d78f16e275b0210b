"""What stacks in Java have in common is the same, so that a difference between them is theirs."""

from pathlib import Path

import pytest
from conference_stacks import SYSTEM

SOURCES = Path("src", "main", "java", "loadstone", "conference")
EVERYWHERE = (
    *("Breaker", "CallerGone", "ConferenceWithCountry", "Config", "FailureLog", "Fault", "Json"),
    *("Operation", "Page", "Problem", "Refusal", "RequestBody", "Route", "Strategy", "Validation"),
)
"""What no framework sees."""
BLOCKING = ("CountryClient", "CountryConnection", "DatabaseFailure", "Lookups")
"""What waits for its answer on its own thread, over JDBC."""
POOLED = ("Database", "Pool")
"""What knows the pool: Quarkus has another."""


def texts(name: str, stacks: tuple[str, ...]) -> set[str]:
    folder = SYSTEM.directory / "conference"
    return {(folder / stack / SOURCES / f"{name}.java").read_text() for stack in stacks}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_what_no_framework_sees_is_the_same_in_all(name: str) -> None:
    assert len(texts(name, ("micronaut", "quarkus", "spring", "vertx"))) == 1


@pytest.mark.parametrize("name", BLOCKING)
def test_what_blocks_is_the_same_in_all_that_do(name: str) -> None:
    assert len(texts(name, ("micronaut", "quarkus", "spring"))) == 1


@pytest.mark.parametrize("name", POOLED)
def test_what_knows_the_pool_is_the_same_where_it_is(name: str) -> None:
    assert len(texts(name, ("micronaut", "spring"))) == 1
