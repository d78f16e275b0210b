"""Stores in memory, as far as the operations that are tested without a database go."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

from booking.account import NewAccount
from booking.club import ClubFilter, NewClub
from booking.facility import FacilityFilter, NewFacility
from booking.idempotency import Key
from booking.models import Account, Club, Facility, Rating, Reservation
from booking.page import Page
from booking.problem import Kind, Problem
from booking.rating import NewRating
from booking.reservation import NewReservation, ReservationFilter, place
from booking.slots import Time
from booking.store import Day, Rated, Ratings, Reserved, Secret, Stores, may_see, refuse_stranger
from booking.tokens import PLAYER, Caller

CREATED_AT = datetime(2026, 1, 1, tzinfo=UTC)


class FakeHealth:
    def __init__(self) -> None:
        self.failure: Exception | None = None

    async def ask(self) -> None:
        self.fail()

    def fail(self) -> None:
        if self.failure is not None:
            raise self.failure


class FakeAccounts:
    def __init__(self) -> None:
        self.rows: dict[str, tuple[Account, str]] = {}

    async def insert(self, account: NewAccount, password_hash: str) -> Account | None:
        if account.email in self.rows:
            return None
        row = Account(
            id=len(self.rows) + 1,
            email=account.email,
            name=account.name,
            role=account.role,
            created_at=CREATED_AT,
        )
        self.rows[account.email] = row, password_hash
        return row

    async def secret(self, email: str) -> Secret | None:
        if email not in self.rows:
            return None
        account, password_hash = self.rows[email]
        return Secret(Caller(account.id, account.role), password_hash)

    async def get(self, id_: int) -> Account | None:
        return next((account for account, _ in self.rows.values() if account.id == id_), None)


class FakeClubs:
    def __init__(self, health: FakeHealth) -> None:
        self._health = health
        self.rows: dict[int, Club] = {}

    async def list(self, where: ClubFilter, page: Page) -> Sequence[Club]:
        self._health.fail()
        after = page.after or 0
        mine = where.owner_id
        rows = [row for row in self.rows.values() if mine is None or row.owner_id == mine]
        return [row for row in rows if row.id > after][: page.rows]

    async def insert(self, owner_id: int, club: NewClub) -> Club:
        return self._put(len(self.rows) + 1, owner_id, club)

    async def get(self, id_: int) -> Club | None:
        self._health.fail()
        return self.rows.get(id_)

    async def replace(self, id_: int, owner_id: int, club: NewClub) -> Club:
        refuse_stranger(self.rows[id_].owner_id if id_ in self.rows else None, owner_id)
        return self._put(id_, owner_id, club)

    def _put(self, id_: int, owner_id: int, club: NewClub) -> Club:
        self.rows[id_] = Club(
            id=id_,
            owner_id=owner_id,
            name=club.name,
            city=club.city,
            description=club.description,
            created_at=CREATED_AT,
        )
        return self.rows[id_]


class FakeFacilities:
    def __init__(self, clubs: FakeClubs) -> None:
        self._clubs = clubs
        self.rows: dict[int, Facility] = {}
        self.taken: list[Time] = []

    def owner_of(self, id_: int) -> int | None:
        return self._clubs.rows[self.rows[id_].club_id].owner_id if id_ in self.rows else None

    async def list(self, where: FacilityFilter, page: Page) -> Sequence[Facility]:
        rows = (row for row in self.rows.values() if row.retired_at is None)
        return [row for row in rows if where.sport in (None, row.sport)][: page.rows]

    async def insert(self, club_id: int, owner_id: int, facility: NewFacility) -> Facility:
        club = self._clubs.rows.get(club_id)
        refuse_stranger(None if club is None else club.owner_id, owner_id)
        return self._put(len(self.rows) + 1, club_id, facility)

    async def get(self, id_: int) -> Facility | None:
        return self.rows.get(id_)

    async def day(self, id_: int, day: date) -> Day | None:
        taken = [time for time in self.taken if time[0].date() == day]
        return Day(self.rows[id_], taken) if id_ in self.rows else None

    async def replace(self, id_: int, owner_id: int, facility: NewFacility) -> Facility:
        refuse_stranger(self.owner_of(id_), owner_id)
        return self._put(id_, self.rows[id_].club_id, facility)

    async def retire(self, id_: int, owner_id: int) -> None:
        refuse_stranger(self.owner_of(id_), owner_id)
        row = self.rows[id_]
        asked = NewFacility(
            row.name, row.sport, row.slot_minutes, row.opens, row.closes, row.price_cents
        )
        self._put(id_, row.club_id, asked, CREATED_AT)

    def _put(
        self, id_: int, club_id: int, facility: NewFacility, retired_at: datetime | None = None
    ) -> Facility:
        self.rows[id_] = Facility(
            id=id_,
            club_id=club_id,
            name=facility.name,
            sport=facility.sport,
            slot_minutes=facility.slot_minutes,
            opens=facility.opens,
            closes=facility.closes,
            price_cents=facility.price_cents,
            retired_at=retired_at,
            created_at=CREATED_AT,
        )
        return self.rows[id_]


class FakeReservations:
    """Nothing is in the way of another one."""

    def __init__(self, facilities: FakeFacilities) -> None:
        self._facilities = facilities
        self._kept: dict[tuple[int, str], tuple[bytes, Reserved]] = {}
        self.rows: dict[int, Reservation] = {}

    async def insert(
        self,
        player_id: int,
        reservation: NewReservation,
        key: Key | None,
        content_of: Callable[[Reservation], bytes],
    ) -> Reserved:
        if key is not None and (player_id, key.text) in self._kept:
            fingerprint, reserved = self._kept[player_id, key.text]
            if fingerprint != key.fingerprint:
                raise Problem(Kind.IDEMPOTENCY_MISMATCH)
            return reserved._replace(is_replayed=True)
        facility = self._facilities.rows.get(reservation.facility_id)
        if facility is None:
            raise Problem(Kind.NOT_FOUND)
        ends_at, price_cents = place(reservation, facility)
        id_ = len(self.rows) + 1
        self.rows[id_] = Reservation(
            id=id_,
            facility_id=facility.id,
            player_id=player_id,
            starts_at=reservation.starts_at,
            ends_at=ends_at,
            status="pending",
            price_cents=price_cents,
            created_at=CREATED_AT,
            decided_at=None,
        )
        reserved = Reserved(id_, content_of(self.rows[id_]), is_replayed=False)
        if key is not None:
            self._kept[player_id, key.text] = key.fingerprint, reserved
        return reserved

    async def get(self, id_: int, caller: Caller) -> Reservation | None:
        row = self.rows.get(id_)
        if row is None:
            return None
        owner_id = self._facilities.owner_of(row.facility_id)
        return row if may_see(caller, row.player_id, owner_id or 0) else None

    async def list(
        self, caller: Caller, where: ReservationFilter, page: Page
    ) -> Sequence[Reservation]:
        rows = sorted(self.rows.values(), key=lambda row: -row.id)
        own = [row for row in rows if caller.role != PLAYER or row.player_id == caller.id]
        return [row for row in own if where.status in (None, row.status)][: page.rows]

    async def decide(self, id_: int, owner_id: int, status: str) -> Reservation:
        row = self.rows.get(id_)
        if row is None or self._facilities.owner_of(row.facility_id) != owner_id:
            raise Problem(Kind.NOT_FOUND)
        return self._change(row, status, CREATED_AT)

    async def cancel(self, id_: int, player_id: int) -> Reservation:
        row = self.rows.get(id_)
        if row is None or row.player_id != player_id:
            raise Problem(Kind.NOT_FOUND)
        return self._change(row, "cancelled", row.decided_at)

    def _change(self, row: Reservation, status: str, decided_at: datetime | None) -> Reservation:
        if row.status != "pending":
            raise Problem(Kind.WRONG_STATE)
        self.rows[row.id] = Reservation(
            id=row.id,
            facility_id=row.facility_id,
            player_id=row.player_id,
            starts_at=row.starts_at,
            ends_at=row.ends_at,
            status=status,
            price_cents=row.price_cents,
            created_at=row.created_at,
            decided_at=decided_at,
        )
        return self.rows[row.id]


class FakeRatings:
    def __init__(self, reservations: FakeReservations) -> None:
        self._reservations = reservations
        self.rows: dict[int, Rating] = {}

    async def put(self, reservation_id: int, player_id: int, rating: NewRating) -> Rated:
        row = self._reservations.rows.get(reservation_id)
        if row is None or row.player_id != player_id:
            raise Problem(Kind.NOT_FOUND)
        is_new = reservation_id not in self.rows
        self.rows[reservation_id] = Rating(
            reservation_id=reservation_id,
            facility_id=row.facility_id,
            stars=rating.stars,
            comment=rating.comment,
            created_at=CREATED_AT,
        )
        return Rated(self.rows[reservation_id], is_new)

    async def list(self, facility_id: int, page: Page) -> Ratings | None:
        if facility_id != 1:
            return None
        rows = list(self.rows.values())
        average = sum(row.stars for row in rows) / len(rows) if rows else None
        return Ratings(rows[: page.rows], len(rows), average)


class Fakes:
    """All of them, which know each other."""

    def __init__(self) -> None:
        self.health = FakeHealth()
        self.accounts = FakeAccounts()
        self.clubs = FakeClubs(self.health)
        self.facilities = FakeFacilities(self.clubs)
        self.reservations = FakeReservations(self.facilities)
        self.ratings = FakeRatings(self.reservations)

    @property
    def stores(self) -> Stores:
        return Stores(
            accounts=self.accounts,
            clubs=self.clubs,
            facilities=self.facilities,
            reservations=self.reservations,
            ratings=self.ratings,
            health=self.health,
        )
