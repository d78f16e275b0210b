"""The ratings in the database."""

from booking.connection import Connection
from booking.database import Database
from booking.models import Rating
from booking.page import Page
from booking.problem import Kind, Problem
from booking.rating import NewRating
from booking.reservation import LIVE
from booking.reservation_store import get_of_player
from booking.store import Rated, Ratings

_COLUMNS = "reservation_id, facility_id, stars, comment, created_at"
_PUT = f"""
INSERT INTO rating (reservation_id, facility_id, stars, comment) VALUES ($1, $2, $3, $4)
  ON CONFLICT (reservation_id) DO UPDATE SET stars = EXCLUDED.stars, comment = EXCLUDED.comment
  RETURNING {_COLUMNS}, (xmax = 0) AS is_new
"""
_FACILITY = "SELECT 1 FROM facility WHERE id = $1"
_LIST = f"""
SELECT {_COLUMNS} FROM rating
  WHERE facility_id = $1 AND reservation_id > $2 ORDER BY reservation_id LIMIT $3
"""
_SUMMARY = """
SELECT count(*) AS count, round(avg(stars), 2)::float8 AS average FROM rating WHERE facility_id = $1
"""

_FIRST = 0


class DatabaseRatings:
    """There is one rating of a reservation at most."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, reservation_id: int, player_id: int, rating: NewRating) -> Rated:
        async def work(connection: Connection) -> Rated:
            reservation = await get_of_player(connection, reservation_id, player_id)
            if reservation.status not in LIVE:
                raise Problem(Kind.WRONG_STATE)
            row = await connection.one(_PUT, reservation_id, reservation.facility_id, *rating)
            assert row is not None
            *columns, is_new = row
            return Rated(Rating(*columns), is_new)

        return await self._database.transaction(work)

    async def list(self, facility_id: int, page: Page) -> Ratings | None:
        after = _FIRST if page.after is None else page.after

        async def work(connection: Connection) -> Ratings | None:
            if await connection.one(_FACILITY, facility_id) is None:
                return None
            rows = await connection.all(_LIST, facility_id, after, page.rows)
            summary = await connection.one(_SUMMARY, facility_id)
            assert summary is not None
            return Ratings([Rating(*row) for row in rows], *summary)

        return await self._database.lend(work)
