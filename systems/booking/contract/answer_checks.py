"""T9 and T10: ids and instants, in the answer of every operation."""

from functools import partial
from typing import Any

from loadstone.contract import declare
from loadstone.contract.client import Answer
from loadstone.contract.expect import expect, expect_equal
from loadstone.contract.subject import Subject

from .lib.accounts import account
from .lib.clubs import (
    add_facility,
    club_path,
    create_club,
    facility_path,
    replace_club,
    replace_facility,
)
from .lib.instants import DAY, at, expect_now, is_shown
from .lib.scenes import decide, new_scene, rate, reservation_path
from .lib.service import (
    ACCOUNTS,
    CLUBS,
    FACILITIES,
    MANY_SECONDS,
    ME,
    RESERVATIONS,
    get,
    post,
)
from .lib.shapes import is_id, value_of

check = partial(declare.check, seconds=MANY_SECONDS)


@check("T9", "ids are JSON integers in every answer")
def integers(subject: Subject) -> None:
    for operation, answer in _answers(subject).items():
        value = value_of(answer, answer.status, operation)
        expect(answer.status in (200, 201), f"{operation} is {answer.status}")
        found = [(key, each) for key, each in _members(value) if _is_name_of_id(key)]
        expect(bool(found) or operation == "list-slots", f"{operation} shows no id")
        for key, each in found:
            expect(is_id(each), f"{key} of {operation} is {each!r}")


@check("T10", "all instants have the 20 characters, and those of rows are of now")
def instants(subject: Subject) -> None:
    for operation, answer in _answers(subject).items():
        value = value_of(answer, answer.status, operation)
        found = [(key, each) for key, each in _members(value) if key.endswith("_at")]
        expect(bool(found), f"{operation} shows no instant")
        for key, each in found:
            is_open = key == "decided_at" and each is None
            expect(is_open or is_shown(each), f"{key} of {operation} is {each!r}")
            if key == "created_at" and not operation.startswith("list"):
                expect_now(each, f"{key} of {operation}")


@check("T10", "an instant is shown without the fraction that it was sent with")
def fractions(subject: Subject) -> None:
    scene = new_scene(subject)
    sent = {
        "2042-03-01T06:00:00.0Z": at(6),
        "2042-03-01T07:00:00.000000000Z": at(7),
        "2042-03-01T08:00:00.000+00:00": at(8),
        "2042-03-01T11:30:00.00+02:30": at(9),
    }
    for text, shown in sent.items():
        made = scene.reserved(text)
        expect_equal(made["starts_at"], shown, f"starts_at of {text}")
        expect_equal(scene.now(made["id"])["starts_at"], shown, f"starts_at of {text}, read back")


def _answers(subject: Subject) -> dict[str, Answer]:
    """The answer of success of each operation that has members to look at."""
    scene = new_scene(subject)
    owner, player = scene.owner, scene.player
    club, facility = club_path(scene.club), facility_path(scene.facility)
    first, second, third = (scene.reserved()["id"] for _ in range(3))
    return {
        "sign-up": post(subject, ACCOUNTS, None, account()),
        "me": get(subject, ME, player),
        "create-club": create_club(subject, owner),
        "get-club": get(subject, club, player),
        "replace-club": replace_club(subject, owner, scene.club),
        "list-clubs": get(subject, CLUBS, player),
        "add-facility": add_facility(subject, owner, scene.club),
        "get-facility": get(subject, facility, player),
        "replace-facility": replace_facility(subject, owner, scene.facility),
        "list-facilities": get(subject, FACILITIES, player),
        "list-slots": get(subject, f"{facility}/slots?date={DAY}", player),
        "reserve": scene.reserve(),
        "get-reservation": get(subject, reservation_path(first), player),
        "accept": decide(subject, owner, first, "accept"),
        "reject": decide(subject, owner, second, "reject"),
        "cancel": decide(subject, player, third, "cancel"),
        "list-reservations": get(subject, RESERVATIONS, player),
        "rate": rate(subject, player, first, 3),
        "list-ratings": get(subject, f"{facility}/ratings", owner),
    }


def _members(value: Any) -> list[tuple[str, Any]]:
    """Every member at any depth."""
    if isinstance(value, list):
        return [member for each in value for member in _members(each)]
    if isinstance(value, dict):
        within = [member for each in value.values() for member in _members(each)]
        return [*value.items(), *within]
    return []


def _is_name_of_id(name: str) -> bool:
    return name == "id" or name.endswith("_id")
