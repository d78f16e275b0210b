"""Rows that a check makes through the service, and takes away again whatever happens."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex

from loadstone.contract.expect import expect_equal
from loadstone.contract.faults import ServiceFault
from loadstone.contract.subject import Subject

from .service import conference, insert, remove


class Rows:
    """New ids for one check; what was inserted under them is removed at its end."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._prefix = f"check-{token_hex(6)}"
        self.made: list[str] = []
        """Every id that was given out."""

    def new_id(self, ending: str = "") -> str:
        """An id that no row has. Ids of one check rise with each."""
        return self.keep(f"{self._prefix}-{len(self.made):06}{ending}")

    def keep(self, identifier: str) -> str:
        """Remove this id, too, at the end."""
        self.made.append(identifier)
        return identifier

    def insert(self, name: str = "KubeCon") -> str:
        """Make a row, and return its id. Raises AssertionError unless that is 202."""
        identifier = self.new_id()
        answer = insert(self._subject, conference(identifier, name))
        expect_equal(answer.status, 202, f"the status of inserting {identifier}")
        return identifier


@contextmanager
def rows(subject: Subject) -> Iterator[Rows]:
    """Rows for the length of the block."""
    made = Rows(subject)
    try:
        yield made
    finally:
        for identifier in made.made:
            # A service that fails here has failed the check before, and is told of by the next.
            with suppress(OSError, ServiceFault):
                remove(subject, identifier)
