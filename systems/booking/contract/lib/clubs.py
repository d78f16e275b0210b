"""Clubs and facilities that checks make for themselves."""

from secrets import token_hex
from typing import Any

from loadstone.contract.client import Answer
from loadstone.contract.subject import Subject

from .service import CLUBS, FACILITIES, delete, get, post, put
from .shapes import CLUB, FACILITY, object_of
from .tokens import Caller


def club_path(club: int) -> str:
    """The path of a club."""
    return f"{CLUBS}/{club}"


def club_facilities_path(club: int) -> str:
    """The path at which facilities of a club are added."""
    return f"{CLUBS}/{club}/facilities"


def facility_path(facility: int) -> str:
    """The path of a facility."""
    return f"{FACILITIES}/{facility}"


def club_body(**changes: object) -> dict[str, object]:
    """A body of `create-club` and `replace-club`."""
    return {
        **{"name": f"Club {token_hex(4)}", "city": "Checkham", "description": "Made by a check"},
        **changes,
    }


def facility_body(**changes: object) -> dict[str, object]:
    """A body of `add-facility` and `replace-facility`: open from 06:00 to 22:00 by hours."""
    return {
        **{"name": "Court", "sport": "tennis", "slot_minutes": 60, "opens": 360, "closes": 1320},
        **{"price_cents": 1500},
        **changes,
    }


def create_club(subject: Subject, owner: Caller, **changes: object) -> Answer:
    """Ask for a club."""
    return post(subject, CLUBS, owner, club_body(**changes))


def replace_club(subject: Subject, owner: Caller, club: int, **changes: object) -> Answer:
    """Ask for other members of a club."""
    return put(subject, club_path(club), owner, club_body(**changes))


def add_facility(subject: Subject, owner: Caller, club: int, **changes: object) -> Answer:
    """Ask for a facility."""
    return post(subject, club_facilities_path(club), owner, facility_body(**changes))


def replace_facility(subject: Subject, owner: Caller, facility: int, **changes: object) -> Answer:
    """Ask for other members of a facility."""
    return put(subject, facility_path(facility), owner, facility_body(**changes))


def retire_facility(subject: Subject, owner: Caller, facility: int) -> Answer:
    """Ask to retire a facility."""
    return delete(subject, facility_path(facility), owner)


def new_club(subject: Subject, owner: Caller, **changes: object) -> dict[str, Any]:
    """A club that is there. Raises AssertionError unless that is 201."""
    answer = create_club(subject, owner, **changes)
    return object_of(answer, 201, CLUB, "creating a club")


def new_facility(subject: Subject, owner: Caller, club: int, **changes: object) -> dict[str, Any]:
    """A facility that is there. Raises AssertionError unless that is 201."""
    answer = add_facility(subject, owner, club, **changes)
    return object_of(answer, 201, FACILITY, "adding a facility")


def get_facility(subject: Subject, reader: Caller, facility: int) -> dict[str, Any]:
    """A facility as it is now."""
    answer = get(subject, facility_path(facility), reader)
    return object_of(answer, 200, FACILITY, f"facility {facility}")
