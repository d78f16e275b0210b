"""What stands in braces in a variable of a service."""

import pytest

from loadstone.study.values.placeholders import filled

ADDRESSES = {"database": "127.0.0.1:41001", "backend": "http://127.0.0.1:41002", "users": "a,b"}


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        (
            "postgresql://api:api@{database}/database",
            "postgresql://api:api@127.0.0.1:41001/database",
        ),
        ("{database.port}", "41001"),
        ("{database.host}", "127.0.0.1"),
        ("{backend.host} {backend.port}", "127.0.0.1 41002"),
        ("{users}", "a,b"),
        ("plain", "plain"),
    ],
)
def test_an_address_or_a_part_of_it_is_filled_in(typed: str, means: str) -> None:
    assert filled(typed, ADDRESSES) == means


def test_an_address_that_is_filled_in_is_not_read_again() -> None:
    assert filled("{a}{b}", {"a": "{b}", "b": "x"}) == "{b}x"
