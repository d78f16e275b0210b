"""What a reservation has to be, how it is shown, and by what reservations are looked for."""

from datetime import datetime, timedelta
from typing import NamedTuple

from booking.ids import LARGEST
from booking.instants import is_in_range, parse_instant, shown, since_midnight
from booking.members import Members, instant
from booking.models import Facility, Reservation
from booking.problem import Kind, Problem, invalid
from booking.query import Query

PENDING = "pending"
ACCEPTED = "accepted"
REJECTED = "rejected"
CANCELLED = "cancelled"
STATUSES = (PENDING, ACCEPTED, REJECTED, CANCELLED)
LIVE = (PENDING, ACCEPTED)
"""What keeps others out, and can be cancelled and rated."""

_STARTS_AT = "starts_at"


class NewReservation(NamedTuple):
    """A reservation that is asked for."""

    facility_id: int
    starts_at: datetime
    slots: int


class Place(NamedTuple):
    """What the facility makes of a new reservation."""

    ends_at: datetime
    price_cents: int


class ReservationFilter(NamedTuple):
    """What reservations have to be, as far as it matters."""

    facility_id: int | None = None
    status: str | None = None


def new_reservation(value: object, now: datetime) -> NewReservation:
    """Return the reservation in a body. Raises Problem."""
    members = Members(value)
    facility_id = members.number("facility_id", 1, LARGEST)
    text = members.text(_STARTS_AT, instant)
    starts_at = parse_instant(text) or now
    if not members.has_fault(_STARTS_AT):
        if not is_in_range(starts_at):
            members.add_fault(_STARTS_AT, "range")
        elif starts_at <= now:
            members.add_fault(_STARTS_AT, "in-past")
    slots = members.number("slots", 1, 4, 1)
    members.refuse_faults()
    return NewReservation(facility_id, starts_at, slots)


def place(reservation: NewReservation, facility: Facility) -> Place:
    """Return the end and the price at a facility. Raises Problem where it cannot be there."""
    slot = timedelta(minutes=facility.slot_minutes)
    begins = since_midnight(reservation.starts_at)
    ends = begins + slot * reservation.slots
    opens, closes = timedelta(minutes=facility.opens), timedelta(minutes=facility.closes)
    if begins < opens or ends > closes:
        raise invalid(f"/{_STARTS_AT}", "outside-hours")
    if (begins - opens) % slot:
        raise invalid(f"/{_STARTS_AT}", "not-aligned")
    if facility.retired_at is not None:
        raise Problem(Kind.FACILITY_RETIRED)
    return Place(
        ends_at=reservation.starts_at + slot * reservation.slots,
        price_cents=facility.price_cents * reservation.slots,
    )


def reservation_filter(query: Query) -> ReservationFilter:
    """Return the filter in a query. Raises Problem."""
    return ReservationFilter(query.id("facility_id"), query.word("status", STATUSES))


def path_of(id_: int) -> str:
    """Return where a reservation is."""
    return f"/reservations/{id_}"


def shown_reservation(reservation: Reservation) -> dict[str, object]:
    """Return the members of a reservation in an answer."""
    decided_at = reservation.decided_at
    return {
        "id": reservation.id,
        "facility_id": reservation.facility_id,
        "player_id": reservation.player_id,
        "starts_at": shown(reservation.starts_at),
        "ends_at": shown(reservation.ends_at),
        "status": reservation.status,
        "price_cents": reservation.price_cents,
        "created_at": shown(reservation.created_at),
        "decided_at": None if decided_at is None else shown(decided_at),
    }
