"""What the operations ask of the database. Each method raises Problem."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Protocol

from booking.account import NewAccount
from booking.club import ClubFilter, NewClub
from booking.facility import FacilityFilter, NewFacility
from booking.idempotency import Key
from booking.models import Account, Club, Facility, Rating, Reservation
from booking.page import Page
from booking.problem import Kind, Problem
from booking.rating import NewRating
from booking.reservation import NewReservation, ReservationFilter
from booking.slots import Time
from booking.tokens import PLAYER, Caller


class Secret(NamedTuple):
    """What an account is verified by, and what its token is of."""

    caller: Caller
    password_hash: str


class Day(NamedTuple):
    """A facility, and the times of a day in which it is taken."""

    facility: Facility
    taken: Sequence[Time]


class Reserved(NamedTuple):
    """A reservation as the answer to the request for it has it, now or before."""

    id: int
    content: bytes
    is_replayed: bool


class Rated(NamedTuple):
    """A rating, and whether it replaced none."""

    rating: Rating
    is_new: bool


class Ratings(NamedTuple):
    """A page of the ratings of a facility, and the number and the average of all."""

    rows: Sequence[Rating]
    number: int
    average: float | None


class AccountStore(Protocol):
    """The accounts."""

    async def insert(self, account: NewAccount, password_hash: str) -> Account | None:
        """Make a row, or return none where there is one of the address."""

    async def secret(self, email: str) -> Secret | None:
        """Return what the account of an address is verified by, if there is one."""

    async def get(self, id_: int) -> Account | None:
        """Return the account, if there is one."""


class ClubStore(Protocol):
    """The clubs."""

    async def list(self, where: ClubFilter, page: Page) -> Sequence[Club]:
        """Return the rows of a page."""

    async def insert(self, owner_id: int, club: NewClub) -> Club:
        """Make a row."""

    async def get(self, id_: int) -> Club | None:
        """Return the club, if there is one."""

    async def replace(self, id_: int, owner_id: int, club: NewClub) -> Club:
        """Replace a club of an owner."""


class FacilityStore(Protocol):
    """The facilities."""

    async def list(self, where: FacilityFilter, page: Page) -> Sequence[Facility]:
        """Return the rows of a page, without those that are retired."""

    async def insert(self, club_id: int, owner_id: int, facility: NewFacility) -> Facility:
        """Make a row in a club of an owner."""

    async def get(self, id_: int) -> Facility | None:
        """Return the facility, if there is one."""

    async def day(self, id_: int, day: date) -> Day | None:
        """Return the facility with what is taken of a day, if there is one."""

    async def replace(self, id_: int, owner_id: int, facility: NewFacility) -> Facility:
        """Replace a facility of an owner."""

    async def retire(self, id_: int, owner_id: int) -> None:
        """Retire a facility of an owner, if it is not retired yet."""


class ReservationStore(Protocol):
    """The reservations."""

    async def insert(
        self,
        player_id: int,
        reservation: NewReservation,
        key: Key | None,
        content_of: Callable[[Reservation], bytes],
    ) -> Reserved:
        """Make a row, once alone of a key."""

    async def get(self, id_: int, caller: Caller) -> Reservation | None:
        """Return the reservation, if it is this player's, or of a club of this owner."""

    async def list(
        self, caller: Caller, where: ReservationFilter, page: Page
    ) -> Sequence[Reservation]:
        """Return the rows of a page of the caller's reservations, or of those of own clubs."""

    async def decide(self, id_: int, owner_id: int, status: str) -> Reservation:
        """Make a pending reservation in a club of an owner an accepted or a rejected one."""

    async def cancel(self, id_: int, player_id: int) -> Reservation:
        """Make a live reservation of a player a cancelled one."""


class RatingStore(Protocol):
    """The ratings."""

    async def put(self, reservation_id: int, player_id: int, rating: NewRating) -> Rated:
        """Make or replace the rating of a live reservation of a player."""

    async def list(self, facility_id: int, page: Page) -> Ratings | None:
        """Return a page of the ratings of a facility, if there is one."""


class Health(Protocol):
    """The database itself."""

    async def ask(self) -> None:
        """Make sure that it answers."""


@dataclass(frozen=True)
class Stores:
    """All of them."""

    accounts: AccountStore
    clubs: ClubStore
    facilities: FacilityStore
    reservations: ReservationStore
    ratings: RatingStore
    health: Health


def may_see(caller: Caller, player_id: int, owner_id: int) -> bool:
    """Return whether a caller may see a reservation of a player in a club of an owner."""
    return caller.id == (player_id if caller.role == PLAYER else owner_id)


def refuse_stranger(owner_id: int | None, caller_id: int) -> None:
    """Raise Problem where there is nothing that has an owner, or where that is another one."""
    if owner_id is None:
        raise Problem(Kind.NOT_FOUND)
    if owner_id != caller_id:
        raise Problem(Kind.FORBIDDEN)
