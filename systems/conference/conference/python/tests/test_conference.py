from collections.abc import Callable

import pytest

from conference.conference import Conference, new_conference, replaced_conference
from conference.problem import Problem

ASTRAL = "\U0001f600"


def faults_of(work: Callable[[], object]) -> list[str]:
    """What a function refuses, as `pointer code`."""
    try:
        work()
    except Problem as problem:
        return [f"{fault.pointer} {fault.code}" for fault in problem.faults]
    return []


def insert(**members: object) -> list[str]:
    return faults_of(lambda: new_conference(members))


def test_a_conference_is_taken_without_what_is_not_named() -> None:
    value = {"id": "A.b_c~1-", "name": "  n  ", "more": 1.0}
    assert new_conference(value) == Conference("A.b_c~1-", "  n  ")


def test_names_are_counted_in_code_points() -> None:
    assert insert(id="a", name=ASTRAL * 191) == []
    assert insert(id="a", name=ASTRAL * 192) == ["/name too-long"]


@pytest.mark.parametrize("value", [None, [], 1.0, "a", True])
def test_other_values_are_no_conference(value: object) -> None:
    assert faults_of(lambda: new_conference(value)) == [" type"]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (None, "type"),
        (1.0, "type"),
        (True, "type"),
        ([], "type"),
        ({}, "type"),
        ("", "too-short"),
    ],
)
def test_other_values_are_neither_id_nor_name(value: object, code: str) -> None:
    assert insert(id=value, name=value) == [f"/id {code}", f"/name {code}"]


def test_both_members_are_required() -> None:
    assert insert() == ["/id required", "/name required"]


@pytest.mark.parametrize(
    ("id_", "code"),
    [
        ("a" * 65, "too-long"),
        (ASTRAL * 64, "pattern"),
        ("a b", "pattern"),
        ("é", "pattern"),
        ("-a", "pattern"),
        ("a/b", "pattern"),
        ("a'", "pattern"),
        ("a\n", "pattern"),
    ],
)
def test_other_texts_are_no_id(id_: str, code: str) -> None:
    assert insert(id=id_, name="n") == [f"/id {code}"]


def test_64_characters_are_an_id() -> None:
    assert insert(id="a" * 64, name="n") == []


@pytest.mark.parametrize("character", ["\x00", "\x09", "\x1f", "\x7f", "\ud800"])
def test_some_characters_are_in_no_name(character: str) -> None:
    assert insert(id="a", name=f"n{character}") == ["/name characters"]


@pytest.mark.parametrize(
    ("members", "faults"),
    [
        ({"name": "n"}, []),
        ({"id": "a", "name": "n"}, []),
        ({"id": "b", "name": "n"}, ["/id mismatch"]),
        ({"id": "", "name": ""}, ["/id mismatch", "/name too-short"]),
        ({"id": None}, ["/id type", "/name required"]),
    ],
)
def test_the_id_of_a_replace_is_the_same_or_absent(members: object, faults: list[str]) -> None:
    assert faults_of(lambda: replaced_conference(members, "a")) == faults
