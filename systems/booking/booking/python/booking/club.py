"""What a club has to be, how it is shown, and by what clubs are looked for."""

import re
from typing import NamedTuple

from booking.instants import shown
from booking.members import Members, length
from booking.models import Club
from booking.query import Query

MAXIMUM_CITY_LENGTH = 100
_MAXIMUM_PART_LENGTH = 50
_WILD = re.compile(r"([\\%_])")


class NewClub(NamedTuple):
    """A club that is asked for."""

    name: str
    city: str
    description: str


class ClubFilter(NamedTuple):
    """What clubs have to be, as far as it matters."""

    owner_id: int | None = None
    city: str | None = None
    name_pattern: str | None = None


def new_club(value: object) -> NewClub:
    """Return the club in a body. Raises Problem."""
    members = Members(value)
    club = NewClub(
        name=members.text("name", length(1, 100)),
        city=members.text("city", length(1, MAXIMUM_CITY_LENGTH)),
        description=members.text("description", length(0, 1000), ""),
    )
    members.refuse_faults()
    return club


def club_filter(query: Query, caller_id: int) -> ClubFilter:
    """Return the filter in a query. Raises Problem."""
    is_mine = query.is_true("mine")
    part = query.text("q", _MAXIMUM_PART_LENGTH)
    return ClubFilter(
        owner_id=caller_id if is_mine else None,
        city=query.text("city", MAXIMUM_CITY_LENGTH),
        name_pattern=None if part is None else pattern_of(part),
    )


def pattern_of(part: str) -> str:
    """Return a pattern of LIKE for what has a part, whose characters stand for themselves."""
    return "%" + _WILD.sub(r"\\\1", part) + "%"


def shown_club(club: Club) -> dict[str, object]:
    """Return the members of a club in an answer."""
    return {
        "id": club.id,
        "owner_id": club.owner_id,
        "name": club.name,
        "city": club.city,
        "description": club.description,
        "created_at": shown(club.created_at),
    }
