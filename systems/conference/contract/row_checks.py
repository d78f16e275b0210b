"""G1 to G5: single rows."""

from functools import partial

from loadstone.contract import declare
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.problems import expect_fault, expect_invalid
from .lib.rows import rows
from .lib.service import (
    MANY_SECONDS,
    MOST_ID_CHARACTERS,
    conference,
    expect_json,
    expect_row,
    get,
    insert,
    listed,
    path_of,
    remove,
    replace,
)

quick = partial(declare.check, operation="list", quick=True)
check = partial(declare.check, operation="list", seconds=MANY_SECONDS)

UNKNOWN = "no-such-row"
NO_IDS = ("-a", "a%20b", "%27", "a'", "a%2Fb", "a" * (MOST_ID_CHARACTERS + 1), "%C3%A9", ".a")


@quick("G1", "an unknown id, and a path with none, are 404")
def unknown(subject: Subject) -> None:
    for identifier in (UNKNOWN, "-a"):
        expect_fault(get(subject, path_of(identifier)), "not-found", f"of {identifier}")


@check("G1", "a row is there by its id, and no other")
def single(subject: Subject) -> None:
    with rows(subject) as made:
        for name in ("QCon", "Strata"):
            expect_row(subject, made.insert(name), name)
        for identifier in NO_IDS:
            expect_fault(get(subject, path_of(identifier)), "not-found", f"of {identifier}")
        for near in (made.made[0][:-1], f"{made.made[0]}a", made.made[0].upper()):
            expect_fault(
                get(subject, path_of(near)), "not-found", f"of {near}, which is near a row"
            )


@check("G2", "a row gets another name")
def replaces(subject: Subject) -> None:
    with rows(subject) as made:
        first, second = made.insert("QCon"), made.insert("QCon")
        answer = replace(subject, first, {"name": "Strata"})
        expect_json(answer, 200, conference(first, "Strata"), "a replace")
        expect_row(subject, first, "Strata")
        expect_row(subject, second, "QCon")
        expect_invalid(replace(subject, first, {"name": ""}), ("/name", "too-short"))
        expect_invalid(replace(subject, first, {}), ("/name", "required"))
        expect_row(subject, first, "Strata")


@check("G2", "replacing an unknown id is 404, and makes none")
def replaces_none(subject: Subject) -> None:
    with rows(subject) as made:
        identifier = made.new_id()
        answer = replace(subject, identifier, {"name": "QCon"})
        expect_fault(answer, "not-found", "of replacing an unknown id")
        expect_fault(get(subject, path_of(identifier)), "not-found", "behind it")
        there = [row["id"] for row in listed(subject)]
        expect(identifier not in there, "replacing an unknown id made a row")
        answer = replace(subject, "-a", {"name": "QCon"})
        expect_fault(answer, "not-found", "of replacing at a path with no id")


@check("G3", "the same name twice is 200 twice")
def replaces_by_the_same(subject: Subject) -> None:
    with rows(subject) as made:
        identifier = made.insert("QCon")
        for name in ("QCon", "Strata", "Strata"):
            answer = replace(subject, identifier, {"name": name})
            expect_json(answer, 200, conference(identifier, name), f"replacing by {name}")


@check("G4", "an id in the body is the path's, or absent")
def identifier_in_the_body(subject: Subject) -> None:
    with rows(subject) as made:
        first, second = made.insert("QCon"), made.insert("QCon")
        answer = replace(subject, first, conference(first, "Strata"))
        expect_equal(answer.status, 200, "the status with the same id")
        for identifier in (second, first.upper(), "", "a b"):
            answer = replace(subject, first, conference(identifier, "KubeCon"))
            expect_invalid(answer, ("/id", "mismatch"))
        for value in (None, 5):
            answer = replace(subject, first, {"id": value, "name": "KubeCon"})
            expect_invalid(answer, ("/id", "type"))
        answer = replace(subject, first, {"id": second, "name": ""})
        expect_invalid(answer, ("/id", "mismatch"), ("/name", "too-short"))
        expect_row(subject, first, "Strata")
        expect_row(subject, second, "QCon")


@check("G5", "a row is removed once, and may come back")
def removes(subject: Subject) -> None:
    with rows(subject) as made:
        identifier, other = made.insert("QCon"), made.insert("QCon")
        answer = remove(subject, identifier)
        expect_equal((answer.status, answer.body), (204, b""), "status and body of a remove")
        expect_fault(get(subject, path_of(identifier)), "not-found", "behind it")
        expect_fault(remove(subject, identifier), "not-found", "of removing it again")
        expect_fault(remove(subject, "-a"), "not-found", "of removing at a path with no id")
        answer = insert(subject, conference(identifier, "Strata"))
        expect_equal(answer.status, 202, "the status of inserting it again")
        expect_row(subject, identifier, "Strata")
        expect_row(subject, other, "QCon")
