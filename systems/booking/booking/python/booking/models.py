"""The rows of the database, as the operations see them."""

from datetime import datetime
from typing import NamedTuple


class Account(NamedTuple):
    """A player or an owner; the hash of the password is not among what is read."""

    id: int
    email: str
    name: str
    role: str
    created_at: datetime


class Club(NamedTuple):
    """Has facilities."""

    id: int
    owner_id: int
    name: str
    city: str
    description: str
    created_at: datetime


class Facility(NamedTuple):
    """Can be reserved from `opens` to `closes`, in minutes of the day, until it is retired."""

    id: int
    club_id: int
    name: str
    sport: str
    slot_minutes: int
    opens: int
    closes: int
    price_cents: int
    retired_at: datetime | None
    created_at: datetime


class Reservation(NamedTuple):
    """A player's time at a facility."""

    id: int
    facility_id: int
    player_id: int
    starts_at: datetime
    ends_at: datetime
    status: str
    price_cents: int
    created_at: datetime
    decided_at: datetime | None


class Rating(NamedTuple):
    """What a player thinks of a reservation."""

    reservation_id: int
    facility_id: int
    stars: int
    comment: str
    created_at: datetime
