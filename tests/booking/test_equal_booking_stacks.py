"""What stacks of one language share is the same, so that a difference between them is theirs."""

import pytest
from booking_stacks import SYSTEM

JAVA = "src/main/java/loadstone/booking"
ALL_JAVA = ("quarkus", "quarkus-reactive", "spring", "spring-jdbc", "spring-webflux")
PLAIN = (
    *("Config", "Limits", "Problem", "Fault", "Refusal", "FailureLog", "Role", "Caller", "Claims"),
    *("Ids", "Operation", "Route", "Json", "RequestBody", "Query", "Page", "Instants", "Texts"),
    *("Members", "Validation", "AccountBody", "LogInBody", "ClubBody", "FacilityBody"),
    *("ReservationBody", "RatingBody", "ClubFilter", "FacilityFilter", "ReservationFilter"),
    *("Account", "StoredPassword", "TokenAnswer", "Club", "Facility", "Reservation"),
    *("OwnedReservation", "Rating", "Rated", "RatingSummary", "Listing", "RatingListing", "Span"),
    *("Slot", "DayOfSlots", "Grid", "IdempotencyKey", "StoredReservation", "Reserved", "Bcrypt"),
    *("Hashes", "SqlState"),
)
"""What no framework sees."""
OVER_JDBC = ("DatabaseFailure",)
"""What waits for its answer on its own thread."""
WITH_NUMBERS = ("Sql", "Selection")
"""Statements for drivers that number their parameters."""
TWINS = (("express", "express-sequelize", "src"), ("python", "python-sqlalchemy", "booking"))
"""Plain SQL and an ORM, and the folder of their sources."""
LEAST_SHARED = 0.6
"""Of the files of the smaller one: all but what asks the database."""


def texts(file: str, stacks: tuple[str, ...]) -> set[str]:
    folder = SYSTEM.directory / "booking"
    return {(folder / stack / file).read_text() for stack in stacks}


@pytest.mark.parametrize("name", PLAIN)
def test_what_no_framework_sees_is_the_same_in_all(name: str) -> None:
    assert len(texts(f"{JAVA}/{name}.java", ALL_JAVA)) == 1


@pytest.mark.parametrize("name", OVER_JDBC)
def test_what_is_over_jdbc_is_the_same(name: str) -> None:
    assert len(texts(f"{JAVA}/{name}.java", ("quarkus", "spring", "spring-jdbc"))) == 1


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_statements_with_numbers_are_the_same(name: str) -> None:
    assert len(texts(f"{JAVA}/{name}.java", ("quarkus-reactive", "spring-webflux"))) == 1


@pytest.mark.parametrize(("plain", "mapped", "sources"), TWINS, ids=lambda each: str(each))
def test_twins_differ_by_what_asks_the_database_alone(
    plain: str, mapped: str, sources: str
) -> None:
    folder = SYSTEM.directory / "booking"
    files = [
        {
            path.relative_to(folder / stack): path.read_bytes()
            for path in folder.glob(f"{stack}/{sources}/**/*")
            if path.is_file()
        }
        for stack in (plain, mapped)
    ]
    same = [name for name, text in files[0].items() if files[1].get(name) == text]
    assert len(same) >= LEAST_SHARED * min(map(len, files))
