"""The facilities in the database."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, Interval, and_, func, literal, literal_column, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload

from booking.club_store import get_of_owner as get_club_of_owner
from booking.club_store import replace_all
from booking.database import Database
from booking.facility import FacilityFilter, NewFacility, Start
from booking.instants import midnight
from booking.models import Club, Facility, Reservation
from booking.page import Page
from booking.reservation import LIVE
from booking.store import Day, refuse_stranger

# Part of the statement's text, since the server finds an index of such rows by that alone.
IS_LIVE = Reservation.status.in_([literal_column(f"'{status}'") for status in LIVE])
_MINUTE = literal_column("interval '1 minute'", Interval)

_FIRST = 0


class DatabaseFacilities:
    """A write of what is there already looks for its owner in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, where: FacilityFilter, page: Page) -> Sequence[Facility]:
        after = _FIRST if page.after is None else page.after
        statement = select(Facility).where(Facility.id > after, Facility.retired_at.is_(None))
        if where.sport is not None:
            statement = statement.where(Facility.sport == where.sport)
        if where.city is not None:
            statement = statement.join(Facility.club).where(Club.city == where.city)
        if where.club_id is not None:
            statement = statement.where(Facility.club_id == where.club_id)
        if where.available is not None:
            statement = statement.where(is_available(where.available))
        statement = statement.order_by(Facility.id).limit(page.rows)

        async def work(session: AsyncSession) -> Sequence[Facility]:
            return (await session.scalars(statement)).all()

        return await self._database.autocommit(work)

    async def insert(self, club_id: int, owner_id: int, facility: NewFacility) -> Facility:
        async def work(session: AsyncSession) -> Facility:
            club = await get_club_of_owner(session, club_id, owner_id)
            row = Facility(club_id=club.id, retired_at=None, **facility._asdict())
            session.add(row)
            await session.flush()
            return row

        return await self._database.transaction(work)

    async def get(self, id_: int) -> Facility | None:
        return await self._database.autocommit(lambda session: session.get(Facility, id_))

    async def day(self, id_: int, day: date) -> Day | None:
        start = midnight(day)
        statement = (
            select(Reservation.starts_at, Reservation.ends_at)
            .where(Reservation.facility_id == id_, IS_LIVE)
            .where(_overlaps(literal(start), literal(start + timedelta(days=1))))
            .order_by(Reservation.starts_at)
        )

        async def work(session: AsyncSession) -> Day | None:
            facility = await session.get(Facility, id_)
            if facility is None:
                return None
            taken = (await session.execute(statement)).all()
            return Day(facility, [(starts_at, ends_at) for starts_at, ends_at in taken])

        return await self._database.autocommit(work)

    async def replace(self, id_: int, owner_id: int, facility: NewFacility) -> Facility:
        async def work(session: AsyncSession) -> Facility:
            row = await _get_of_owner(session, id_, owner_id)
            replace_all(row, facility)
            return row

        return await self._database.transaction(work)

    async def retire(self, id_: int, owner_id: int) -> None:
        async def work(session: AsyncSession) -> None:
            row = await _get_of_owner(session, id_, owner_id)
            if row.retired_at is None:
                row.retired_at = func.now()

        await self._database.transaction(work)


def is_available(start: Start) -> ColumnElement[bool]:
    """Return the condition that a facility has a slot which begins there, and that it is free."""
    at, minute = literal(start.at), start.minute
    taken = select(Reservation.id).where(
        Reservation.facility_id == Facility.id,
        IS_LIVE,
        _overlaps(at, at + Facility.slot_minutes * _MINUTE),
    )
    return and_(
        Facility.opens <= minute,
        minute + Facility.slot_minutes <= Facility.closes,
        (minute - Facility.opens) % Facility.slot_minutes == 0,
        ~taken.exists(),
    )


def _overlaps(start: ColumnElement[datetime], end: ColumnElement[datetime]) -> ColumnElement[bool]:
    times = func.tstzrange(Reservation.starts_at, Reservation.ends_at)
    return times.bool_op("&&")(func.tstzrange(start, end))


async def _get_of_owner(session: AsyncSession, id_: int, owner_id: int) -> Facility:
    club = joinedload(Facility.club, innerjoin=True)
    facility = await session.get(Facility, id_, options=[club])
    refuse_stranger(None if facility is None else facility.club.owner_id, owner_id)
    assert facility is not None
    return facility
