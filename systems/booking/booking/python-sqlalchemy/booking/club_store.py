"""The clubs in the database."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm.attributes import flag_modified

from booking.club import ClubFilter, NewClub
from booking.database import Database
from booking.facility import NewFacility
from booking.models import Club, Facility
from booking.page import Page
from booking.store import refuse_stranger

_FIRST = 0


class DatabaseClubs:
    """A write of what is there already looks for its owner in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, where: ClubFilter, page: Page) -> Sequence[Club]:
        after = _FIRST if page.after is None else page.after
        statement = select(Club).where(Club.id > after)
        if where.owner_id is not None:
            statement = statement.where(Club.owner_id == where.owner_id)
        if where.city is not None:
            statement = statement.where(Club.city == where.city)
        if where.name_pattern is not None:
            statement = statement.where(Club.name.ilike(where.name_pattern))
        statement = statement.order_by(Club.id).limit(page.rows)

        async def work(session: AsyncSession) -> Sequence[Club]:
            return (await session.scalars(statement)).all()

        return await self._database.autocommit(work)

    async def insert(self, owner_id: int, club: NewClub) -> Club:
        async def work(session: AsyncSession) -> Club:
            row = Club(owner_id=owner_id, **club._asdict())
            session.add(row)
            await session.flush()
            return row

        return await self._database.autocommit(work)

    async def get(self, id_: int) -> Club | None:
        return await self._database.autocommit(lambda session: session.get(Club, id_))

    async def replace(self, id_: int, owner_id: int, club: NewClub) -> Club:
        async def work(session: AsyncSession) -> Club:
            row = await get_of_owner(session, id_, owner_id)
            replace_all(row, club)
            return row

        return await self._database.transaction(work)


def replace_all(row: Club | Facility, members: NewClub | NewFacility) -> None:
    """Set every member, also one that has this value already: another request may be changing it."""
    for name, value in members._asdict().items():
        setattr(row, name, value)
        flag_modified(row, name)


async def get_of_owner(session: AsyncSession, id_: int, owner_id: int) -> Club:
    """Return a club of an owner. Raises Problem where there is none."""
    club = await session.get(Club, id_)
    refuse_stranger(None if club is None else club.owner_id, owner_id)
    assert club is not None
    return club
