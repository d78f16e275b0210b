"""The reservations in the database."""

import json
from collections.abc import Callable, Sequence

from booking.connection import Connection
from booking.database import Database
from booking.facility_store import GET as GET_FACILITY
from booking.idempotency import Key
from booking.ids import LARGEST
from booking.models import Facility, Reservation
from booking.page import Page
from booking.parameters import Parameters
from booking.problem import Kind, Problem
from booking.reservation import NewReservation, ReservationFilter, place
from booking.store import Reserved, may_see
from booking.tokens import PLAYER, Caller

_COLUMNS = (
    "id, facility_id, player_id, starts_at, ends_at, status, price_cents, created_at, decided_at"
)
_COLUMNS_OF_R = ", ".join(f"r.{column}" for column in _COLUMNS.split(", "))
_JOINS = "JOIN facility f ON f.id = r.facility_id JOIN club c ON c.id = f.club_id"
_INSERT = f"""
INSERT INTO reservation (facility_id, player_id, starts_at, ends_at, price_cents)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING {_COLUMNS}
"""
_GET = f"SELECT {_COLUMNS_OF_R}, c.owner_id FROM reservation r {_JOINS} WHERE r.id = $1"
_LIST_OF_PLAYER = f"""
SELECT {_COLUMNS_OF_R} FROM reservation r WHERE r.id < $1 AND r.player_id = $2"""
_LIST_OF_OWNER = f"""
SELECT {_COLUMNS_OF_R} FROM reservation r {_JOINS} WHERE r.id < $1 AND c.owner_id = $2"""
_DECIDE = f"""
UPDATE reservation SET status = $2, decided_at = now() WHERE id = $1 AND status = 'pending'
  RETURNING {_COLUMNS}
"""
_CANCEL = f"""
UPDATE reservation SET status = 'cancelled' WHERE id = $1 AND status IN ('pending', 'accepted')
  RETURNING {_COLUMNS}
"""
_INSERT_KEY = """
INSERT INTO idempotency (account_id, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
"""
_ONE_ROW = "INSERT 0 1"
_GET_KEY = "SELECT fingerprint, body FROM idempotency WHERE account_id = $1 AND key = $2"
_STORE_BODY = "UPDATE idempotency SET body = $3 WHERE account_id = $1 AND key = $2"


class DatabaseReservations:
    """Of rivals the constraints and the conditions of the statements let one through."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(
        self,
        player_id: int,
        reservation: NewReservation,
        key: Key | None,
        content_of: Callable[[Reservation], bytes],
    ) -> Reserved:
        async def work(connection: Connection) -> Reserved:
            if key is not None:
                replayed = await _replayed(connection, player_id, key)
                if replayed is not None:
                    return replayed
            row = await _insert(connection, player_id, reservation)
            content = content_of(row)
            if key is not None:
                await connection.run(_STORE_BODY, player_id, key.text, content.decode())
            return Reserved(row.id, content, is_replayed=False)

        return await self._database.transaction(work)

    async def get(self, id_: int, caller: Caller) -> Reservation | None:
        row = await self._database.one(_GET, id_)
        if row is None:
            return None
        *columns, owner_id = row
        reservation = Reservation(*columns)
        return reservation if may_see(caller, reservation.player_id, owner_id) else None

    async def list(
        self, caller: Caller, where: ReservationFilter, page: Page
    ) -> Sequence[Reservation]:
        parameters = Parameters(LARGEST if page.after is None else page.after, caller.id)
        sql = _LIST_OF_PLAYER if caller.role == PLAYER else _LIST_OF_OWNER
        if where.facility_id is not None:
            sql += f" AND r.facility_id = {parameters.add(where.facility_id)}"
        if where.status is not None:
            sql += f" AND r.status = {parameters.add(where.status)}"
        sql += f" ORDER BY r.id DESC LIMIT {parameters.add(page.rows)}"
        return [Reservation(*row) for row in await self._database.all(sql, *parameters.values)]

    async def decide(self, id_: int, owner_id: int, status: str) -> Reservation:
        async def work(connection: Connection) -> Reservation:
            row = await connection.one(_GET, id_)
            if row is None or row["owner_id"] != owner_id:
                raise Problem(Kind.NOT_FOUND)
            return _changed(await connection.one(_DECIDE, id_, status))

        return await self._database.transaction(work)

    async def cancel(self, id_: int, player_id: int) -> Reservation:
        async def work(connection: Connection) -> Reservation:
            await get_of_player(connection, id_, player_id)
            return _changed(await connection.one(_CANCEL, id_))

        return await self._database.transaction(work)


async def get_of_player(connection: Connection, id_: int, player_id: int) -> Reservation:
    """Return a reservation of a player. Raises Problem where there is none."""
    row = await connection.one(_GET, id_)
    if row is None or row["player_id"] != player_id:
        raise Problem(Kind.NOT_FOUND)
    return Reservation(*row[:-1])


async def _replayed(connection: Connection, account_id: int, key: Key) -> Reserved | None:
    """Take a key, or return the answer that was given to it before. Raises Problem."""
    done = await connection.run(_INSERT_KEY, account_id, key.text, key.fingerprint)
    if done == _ONE_ROW:
        return None
    fingerprint, body = await connection.one(_GET_KEY, account_id, key.text) or (None, None)
    if fingerprint != key.fingerprint or body is None:
        raise Problem(Kind.IDEMPOTENCY_MISMATCH)
    return Reserved(json.loads(body)["id"], body.encode(), is_replayed=True)


async def _insert(
    connection: Connection, player_id: int, reservation: NewReservation
) -> Reservation:
    facility = await connection.one(GET_FACILITY, reservation.facility_id)
    if facility is None:
        raise Problem(Kind.NOT_FOUND)
    ends_at, price_cents = place(reservation, Facility(*facility))
    row = await connection.one(
        _INSERT,
        reservation.facility_id,
        player_id,
        reservation.starts_at,
        ends_at,
        price_cents,
    )
    if row is None:
        raise Problem(Kind.SLOT_TAKEN)
    return Reservation(*row)


def _changed(row: Sequence[object] | None) -> Reservation:
    """Return what a statement made of a reservation. Raises Problem where it was another state."""
    if row is None:
        raise Problem(Kind.WRONG_STATE)
    return Reservation(*row)  # type: ignore[arg-type]
