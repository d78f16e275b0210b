"""What a facility has to be, how it is shown, and by what facilities are looked for."""

from datetime import datetime
from typing import NamedTuple

from booking.club import MAXIMUM_CITY_LENGTH
from booking.instants import minute_of_day, shown
from booking.members import Members, length, one_of
from booking.models import Facility
from booking.query import Query, refuse

_SPORTS = ("tennis", "football", "padel", "basketball", "volleyball", "badminton")
_SLOT_MINUTES = (30, 60, 90)
_DAY_MINUTES = 1440


class NewFacility(NamedTuple):
    """A facility that is asked for."""

    name: str
    sport: str
    slot_minutes: int
    opens: int
    closes: int
    price_cents: int


class Start(NamedTuple):
    """Where a slot shall begin: the instant, and the minute of its day or NO_MINUTE."""

    at: datetime
    minute: int


class FacilityFilter(NamedTuple):
    """What facilities have to be, as far as it matters."""

    available: Start | None = None
    sport: str | None = None
    city: str | None = None
    club_id: int | None = None


def new_facility(value: object) -> NewFacility:
    """Return the facility in a body. Raises Problem."""
    members = Members(value)
    name = members.text("name", length(1, 100))
    sport = members.text("sport", one_of(_SPORTS))
    slot_minutes = members.number_of("slot_minutes", _SLOT_MINUTES)
    opens = members.number("opens", 0, _DAY_MINUTES)
    closes = members.number("closes", 0, _DAY_MINUTES)
    if not members.has_fault("slot_minutes", "opens", "closes"):
        if closes <= opens:
            members.add_fault("closes", "range")
        elif (closes - opens) % slot_minutes:
            members.add_fault("closes", "not-aligned")
    price_cents = members.number("price_cents", 0, 1_000_000)
    members.refuse_faults()
    return NewFacility(name, sport, slot_minutes, opens, closes, price_cents)


def facility_filter(query: Query) -> FacilityFilter:
    """Return the filter in a query. Raises Problem."""
    is_available = query.is_true("available")
    at = query.instant("at")
    if is_available and at is None:
        refuse()
    return FacilityFilter(
        available=Start(at, minute_of_day(at)) if is_available and at is not None else None,
        sport=query.word("sport", _SPORTS),
        city=query.text("city", MAXIMUM_CITY_LENGTH),
        club_id=query.id("club_id"),
    )


def shown_facility(facility: Facility) -> dict[str, object]:
    """Return the members of a facility in an answer."""
    return {
        "id": facility.id,
        "club_id": facility.club_id,
        "name": facility.name,
        "sport": facility.sport,
        "slot_minutes": facility.slot_minutes,
        "opens": facility.opens,
        "closes": facility.closes,
        "price_cents": facility.price_cents,
        "retired": facility.retired_at is not None,
        "created_at": shown(facility.created_at),
    }
