import pytest

from booking.failure import Again, ends_connection, failure
from booking.problem import Kind


@pytest.mark.parametrize("sqlstate", ["40001", "40P01"])
def test_a_transaction_that_lost_may_be_made_again(sqlstate: str) -> None:
    problem = failure(sqlstate, Exception("deadlock\ndetected"))
    assert isinstance(problem, Again)
    assert str(problem) == "unavailable: deadlock detected"


@pytest.mark.parametrize(
    ("sqlstate", "is_end"),
    [
        ("53300", False),
        ("55P03", False),
        ("57014", False),
        ("57P01", True),
        ("57P05", True),
        ("08006", True),
    ],
)
def test_some_errors_are_of_a_database_that_is_not_available(sqlstate: str, is_end: bool) -> None:
    problem = failure(sqlstate, Exception())
    assert (problem.kind, type(problem) is Again) == (Kind.UNAVAILABLE, False)
    assert ends_connection(sqlstate) is is_end


@pytest.mark.parametrize("sqlstate", ["57000", "57P06", "53100", "42P01", "23503", "40002", ""])
def test_all_others_are_failures_of_the_service(sqlstate: str) -> None:
    assert failure(sqlstate, Exception("no such table")).kind is Kind.INTERNAL
    assert not ends_connection(sqlstate)
