"""I1 to I9: what is kept, and what is refused."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.problems import expect_fault, expect_invalid
from .lib.rows import rows
from .lib.service import (
    MANY_SECONDS,
    MOST_ID_CHARACTERS,
    MOST_NAME_CHARACTERS,
    STARTS_SECONDS,
    conference,
    expect_row,
    insert,
    listed,
)

quick = partial(declare.check, operation="insert", quick=True)
check = partial(declare.check, operation="insert", seconds=MANY_SECONDS)
with_stand = partial(check, needs_stand=True, seconds=STARTS_SECONDS)

ASTRAL = "\N{MUSICAL SYMBOL G CLEF}"
"""Two units of UTF-16, four bytes of UTF-8, one code point."""
WRONG_TYPES: tuple[object, ...] = (None, 5, 1.5, True, [], ["a"], {}, {"a": "b"})
NO_PATTERN = ("a b", "é", "-a", "a/b", "a'", ".a", "a%", "a\n")
CONTROLS = ("\0", "\t", "\x1f", "\x7f", "\n")


@check("I1", "an insert is 202 without a body, and the row is there")
def inserts(subject: Subject) -> None:
    with rows(subject) as made:
        for name in ("QCon", "x", "IBM Think"):
            identifier = made.new_id()
            answer = insert(subject, conference(identifier, name))
            expect_equal((answer.status, answer.body), (202, b""), "status and body of an insert")
            expect_row(subject, identifier, name)


@quick("I2", "a missing member, and one of another type, are 422")
def wrong_members(subject: Subject) -> None:
    expect_invalid(insert(subject, {"name": "a"}), ("/id", "required"))
    expect_invalid(insert(subject, {"id": "a", "name": 5}), ("/name", "type"))


@check("I2", "every other type of a member is 422, and two faults are two errors")
def every_wrong_type(subject: Subject) -> None:
    for value in WRONG_TYPES:
        expect_invalid(insert(subject, {"id": value, "name": "a"}), ("/id", "type"))
        expect_invalid(insert(subject, {"id": "a", "name": value}), ("/name", "type"))
    expect_invalid(insert(subject, {"id": "a"}), ("/name", "required"))
    expect_invalid(insert(subject, {"name": 1}), ("/id", "required"), ("/name", "type"))
    expect_invalid(insert(subject, {}), ("/id", "required"), ("/name", "required"))
    expect_invalid(insert(subject, {"id": "", "name": ""}), *_both("too-short"))


@check("I2", "a value that is no object is 422")
def no_object(subject: Subject) -> None:
    for value in (None, 5, "a", True, [], [conference("a", "b")]):
        expect_invalid(insert(subject, value), ("", "type"))


@check("I3", "an id outside the pattern is 422, and one of 64 characters is accepted")
def identifiers(subject: Subject) -> None:
    expect_invalid(insert(subject, conference("", "a")), ("/id", "too-short"))
    longer = "a" * (MOST_ID_CHARACTERS + 1)
    expect_invalid(insert(subject, conference(longer, "a")), ("/id", "too-long"))
    for identifier in NO_PATTERN:
        expect_invalid(insert(subject, conference(identifier, "a")), ("/id", "pattern"))
    with rows(subject) as made:
        longest = made.keep(made.new_id("._~-").ljust(MOST_ID_CHARACTERS, "9"))
        expect_equal(insert(subject, conference(longest, "a")).status, 202, "the longest id")
        expect_row(subject, longest, "a")


@check("I4", "a name is counted in code points")
def lengths(subject: Subject) -> None:
    with rows(subject) as made:
        for letter in ("a", "é", ASTRAL):
            identifier, longest = made.new_id(), letter * MOST_NAME_CHARACTERS
            answer = insert(subject, conference(identifier, longest))
            expect_equal(answer.status, 202, f"the status of 191 {letter}")
            expect_row(subject, identifier, longest)
            answer = insert(subject, conference(made.new_id(), longest + letter))
            expect_invalid(answer, ("/name", "too-long"))
    expect_invalid(insert(subject, conference("a", "")), ("/name", "too-short"))


@check("I5", "a control in a name is 422")
def controls(subject: Subject) -> None:
    with rows(subject) as made:
        for control in CONTROLS:
            for name in (control, f"a{control}b"):
                answer = insert(subject, conference(made.new_id(), name))
                expect_invalid(answer, ("/name", "characters"))
        identifier = made.new_id()
        allowed = "\u0080\u2028 \u200b"
        expect_equal(insert(subject, conference(identifier, allowed)).status, 202, "other controls")
        expect_row(subject, identifier, allowed)


@check("I6", "an id that exists is 409, and its row is unchanged")
def duplicates(subject: Subject) -> None:
    with rows(subject) as made:
        identifier = made.insert("QCon")
        for name in ("Strata", "QCon"):
            answer = insert(subject, conference(identifier, name))
            expect_fault(answer, "duplicate-id", "of an id that exists")
            expect_row(subject, identifier, "QCon")


@check("I7", "ids that differ in case are two rows")
def cases(subject: Subject) -> None:
    with rows(subject) as made:
        stem = made.new_id()
        twins = {made.keep(f"{stem}x"): "QCon", made.keep(f"{stem}X"): "Strata"}
        for identifier, name in twins.items():
            expect_equal(insert(subject, conference(identifier, name)).status, 202, "an insert")
        for identifier, name in twins.items():
            expect_row(subject, identifier, name)


@check("I8", "a name keeps its spaces, and equal names are two rows")
def spaces(subject: Subject) -> None:
    names = ("  QCon ", " ", "QCon", "QCon", "QCon ")
    with rows(subject) as made:
        for name in names:
            expect_row(subject, made.insert(name), name)
        there = [row["name"] for row in listed(subject) if row["id"] in made.made]
    expect_equal(there, list(names), "the names in the list")


@with_stand("I9", "a row that had its 202 is there after a kill")
def survives(subject: Subject) -> None:
    with rows(subject) as made:
        identifier = made.new_id()
        with subject.stand.restarted() as other:
            answer = insert(other, conference(identifier, "QCon"))
            other.process.kill()
        expect_equal(answer.status, 202, "the status of the insert")
        expect_row(subject, identifier, "QCon")
        expect(identifier in [row["id"] for row in listed(subject)], "the row is not in the list")


def _both(code: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("/id", code), ("/name", code)
