"""The facilities in the database."""

from collections.abc import Sequence
from datetime import date, timedelta

from booking.club_store import refuse_other_owner
from booking.connection import Connection
from booking.database import Database
from booking.facility import FacilityFilter, NewFacility
from booking.instants import midnight
from booking.models import Facility
from booking.page import Page
from booking.parameters import Parameters
from booking.store import Day, refuse_stranger

_COLUMNS = (
    "id, club_id, name, sport, slot_minutes, opens, closes, price_cents, retired_at, created_at"
)
_LIST = """
SELECT f.id, f.club_id, f.name, f.sport, f.slot_minutes, f.opens, f.closes, f.price_cents,
    f.retired_at, f.created_at
  FROM facility f"""
_JOIN = " JOIN club c ON c.id = f.club_id"
_WHERE = " WHERE f.id > $1 AND f.retired_at IS NULL"
# The instant is cast, since in front of an interval the server would take it for one, too.
_AVAILABLE = """
  AND f.opens <= {minute}::int AND {minute}::int + f.slot_minutes <= f.closes
  AND ({minute}::int - f.opens) % f.slot_minutes = 0
  AND NOT EXISTS (SELECT 1 FROM reservation r
    WHERE r.facility_id = f.id AND r.status IN ('pending', 'accepted')
    AND tstzrange(r.starts_at, r.ends_at) && tstzrange({at}::timestamptz,
      {at}::timestamptz + f.slot_minutes * interval '1 minute'))"""
_INSERT = f"""
INSERT INTO facility (club_id, name, sport, slot_minutes, opens, closes, price_cents)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING {_COLUMNS}
"""
GET = f"SELECT {_COLUMNS} FROM facility WHERE id = $1"
"""The first statement of reserve, too."""
_TAKEN = """
SELECT starts_at, ends_at FROM reservation
  WHERE facility_id = $1 AND status IN ('pending', 'accepted')
  AND tstzrange(starts_at, ends_at) && tstzrange($2, $3) ORDER BY starts_at
"""
_OWNER = "SELECT c.owner_id FROM facility f JOIN club c ON c.id = f.club_id WHERE f.id = $1"
_REPLACE = f"""
UPDATE facility
  SET name = $2, sport = $3, slot_minutes = $4, opens = $5, closes = $6, price_cents = $7
  WHERE id = $1 RETURNING {_COLUMNS}
"""
_RETIRE = "UPDATE facility SET retired_at = coalesce(retired_at, now()) WHERE id = $1"

_FIRST = 0


class DatabaseFacilities:
    """A write of what is there already looks for its owner in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, where: FacilityFilter, page: Page) -> Sequence[Facility]:
        parameters = Parameters(_FIRST if page.after is None else page.after)
        sql = _LIST + ("" if where.city is None else _JOIN) + _WHERE
        if where.sport is not None:
            sql += f" AND f.sport = {parameters.add(where.sport)}"
        if where.city is not None:
            sql += f" AND c.city = {parameters.add(where.city)}"
        if where.club_id is not None:
            sql += f" AND f.club_id = {parameters.add(where.club_id)}"
        if where.available is not None:
            minute = parameters.add(where.available.minute)
            sql += _AVAILABLE.format(minute=minute, at=parameters.add(where.available.at))
        sql += f" ORDER BY f.id LIMIT {parameters.add(page.rows)}"
        return [Facility(*row) for row in await self._database.all(sql, *parameters.values)]

    async def insert(self, club_id: int, owner_id: int, facility: NewFacility) -> Facility:
        async def work(connection: Connection) -> Facility:
            await refuse_other_owner(connection, club_id, owner_id)
            row = await connection.one(_INSERT, club_id, *facility)
            assert row is not None
            return Facility(*row)

        return await self._database.transaction(work)

    async def get(self, id_: int) -> Facility | None:
        row = await self._database.one(GET, id_)
        return None if row is None else Facility(*row)

    async def day(self, id_: int, day: date) -> Day | None:
        start = midnight(day)

        async def work(connection: Connection) -> Day | None:
            row = await connection.one(GET, id_)
            if row is None:
                return None
            taken = await connection.all(_TAKEN, id_, start, start + timedelta(days=1))
            return Day(Facility(*row), [(starts_at, ends_at) for starts_at, ends_at in taken])

        return await self._database.lend(work)

    async def replace(self, id_: int, owner_id: int, facility: NewFacility) -> Facility:
        async def work(connection: Connection) -> Facility:
            await self._refuse_other_owner(connection, id_, owner_id)
            row = await connection.one(_REPLACE, id_, *facility)
            assert row is not None
            return Facility(*row)

        return await self._database.transaction(work)

    async def retire(self, id_: int, owner_id: int) -> None:
        async def work(connection: Connection) -> None:
            await self._refuse_other_owner(connection, id_, owner_id)
            await connection.run(_RETIRE, id_)

        await self._database.transaction(work)

    async def _refuse_other_owner(self, connection: Connection, id_: int, owner_id: int) -> None:
        row = await connection.one(_OWNER, id_)
        refuse_stranger(None if row is None else row[0], owner_id)
