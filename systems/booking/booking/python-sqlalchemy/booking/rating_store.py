"""The ratings in the database."""

from sqlalchemy import Boolean, Double, cast, func, literal_column, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from booking.database import Database
from booking.models import Facility, Rating
from booking.page import Page
from booking.problem import Kind, Problem
from booking.rating import NewRating
from booking.reservation import LIVE
from booking.reservation_store import parties_of
from booking.store import Rated, Ratings

# The system's own column: a row that was there has the transaction that replaced it.
_IS_NEW = literal_column("xmax = 0", Boolean)
_AVERAGE = cast(func.round(func.avg(Rating.stars), 2), Double)

_FIRST = 0


class DatabaseRatings:
    """There is one rating of a reservation at most."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, reservation_id: int, player_id: int, rating: NewRating) -> Rated:
        async def work(session: AsyncSession) -> Rated:
            parties = await parties_of(session, reservation_id)
            if parties.player_id != player_id:
                raise Problem(Kind.NOT_FOUND)
            if parties.status not in LIVE:
                raise Problem(Kind.WRONG_STATE)
            statement = (
                insert(Rating)
                .values(
                    reservation_id=reservation_id,
                    facility_id=parties.facility_id,
                    stars=rating.stars,
                    comment=rating.comment,
                )
                .on_conflict_do_update(
                    index_elements=[Rating.reservation_id],
                    set_={"stars": rating.stars, "comment": rating.comment},
                )
                .returning(Rating, _IS_NEW)
            )
            row, is_new = (await session.execute(statement)).one()
            return Rated(row, is_new)

        return await self._database.transaction(work)

    async def list(self, facility_id: int, page: Page) -> Ratings | None:
        after = _FIRST if page.after is None else page.after
        is_of_facility = Rating.facility_id == facility_id
        rows = (
            select(Rating)
            .where(is_of_facility, Rating.reservation_id > after)
            .order_by(Rating.reservation_id)
            .limit(page.rows)
        )
        summary = select(func.count(), _AVERAGE).where(is_of_facility)

        async def work(session: AsyncSession) -> Ratings | None:
            if await session.scalar(select(Facility.id).where(Facility.id == facility_id)) is None:
                return None
            ratings = (await session.scalars(rows)).all()
            count, average = (await session.execute(summary)).one()
            return Ratings(ratings, count, average)

        return await self._database.autocommit(work)
