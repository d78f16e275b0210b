"""The clubs in the database."""

from collections.abc import Sequence

from booking.club import ClubFilter, NewClub
from booking.connection import Connection
from booking.database import Database
from booking.models import Club
from booking.page import Page
from booking.parameters import Parameters
from booking.store import refuse_stranger

_COLUMNS = "id, owner_id, name, city, description, created_at"
_LIST = f"SELECT {_COLUMNS} FROM club WHERE id > $1"
_INSERT = f"""
INSERT INTO club (owner_id, name, city, description) VALUES ($1, $2, $3, $4)
  RETURNING {_COLUMNS}
"""
_GET = f"SELECT {_COLUMNS} FROM club WHERE id = $1"
_OWNER = "SELECT owner_id FROM club WHERE id = $1"
_REPLACE = f"""
UPDATE club SET name = $2, city = $3, description = $4 WHERE id = $1
  RETURNING {_COLUMNS}
"""

_FIRST = 0


class DatabaseClubs:
    """A write of what is there already looks for its owner in the same transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, where: ClubFilter, page: Page) -> Sequence[Club]:
        parameters = Parameters(_FIRST if page.after is None else page.after)
        sql = _LIST
        if where.owner_id is not None:
            sql += f" AND owner_id = {parameters.add(where.owner_id)}"
        if where.city is not None:
            sql += f" AND city = {parameters.add(where.city)}"
        if where.name_pattern is not None:
            sql += f" AND name ILIKE {parameters.add(where.name_pattern)}"
        sql += f" ORDER BY id LIMIT {parameters.add(page.rows)}"
        return [Club(*row) for row in await self._database.all(sql, *parameters.values)]

    async def insert(self, owner_id: int, club: NewClub) -> Club:
        row = await self._database.one(_INSERT, owner_id, *club)
        assert row is not None
        return Club(*row)

    async def get(self, id_: int) -> Club | None:
        row = await self._database.one(_GET, id_)
        return None if row is None else Club(*row)

    async def replace(self, id_: int, owner_id: int, club: NewClub) -> Club:
        async def work(connection: Connection) -> Club:
            await refuse_other_owner(connection, id_, owner_id)
            row = await connection.one(_REPLACE, id_, *club)
            assert row is not None
            return Club(*row)

        return await self._database.transaction(work)


async def refuse_other_owner(connection: Connection, id_: int, owner_id: int) -> None:
    """Raise Problem where there is no such club of an owner."""
    row = await connection.one(_OWNER, id_)
    refuse_stranger(None if row is None else row[0], owner_id)
