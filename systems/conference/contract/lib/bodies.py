"""The bytes of the lists of each number of rows, as the SPEC has them under Data."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Final, NamedTuple

from loadstone.contract.expect import expect_equal
from loadstone.contract.subject import Subject

DATABASE: Final = "database"
SIX: Final = "6"


class Body(NamedTuple):
    """A body by its size, and the first digits of its SHA-256."""

    size: int
    digest: str


LISTS: Final = {
    "0": Body(2, "4f53cda18c2baa0c"),
    "6": Body(249, "fef904ee6f5350b7"),
    "1000": Body(43_417, "6a13a2ec65a6942f"),
    "100000": Body(4_342_851, "376de82db653852d"),
}
WITH_COUNTRIES: Final = {
    "0": Body(2, "4f53cda18c2baa0c"),
    "6": Body(218, "678208a9af87d3e0"),
    "1000": Body(38_771, "c8e15c95a80669e6"),
    "100000": Body(3_878_560, "e479e28dd530f783"),
}


def expect_body(body: bytes, wanted: Body, what: str) -> None:
    """Expect exactly these bytes."""
    seen = Body(len(body), sha256(body).hexdigest()[: len(wanted.digest)])
    expect_equal(seen, wanted, f"{what}, which begins with {body[:60]!r},")


@contextmanager
def level(subject: Subject, rows: str) -> Iterator[None]:
    """So many rows for the length of the block; six behind it."""
    hand = subject.stand.dependency(DATABASE)
    hand.to_level(rows)
    try:
        yield
    finally:
        hand.to_level(SIX)
