"""The vehicles in the database."""

from collections.abc import Sequence
from typing import Final

from users.connection import Connection
from users.database import Database
from users.models import Vehicle
from users.problem import Kind, Problem

_LIST = """
SELECT u.id, v.plate, v.type, v.energy FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
  WHERE u.id = $1 ORDER BY v.plate
"""
_LOCK_USER = "SELECT id FROM app_user WHERE id = $1 FOR NO KEY UPDATE"
_RIVALS = "SELECT plate, user_id FROM vehicle WHERE user_id = $1 OR plate = $2"
_INSERT = "INSERT INTO vehicle (plate, user_id, type, energy) VALUES ($1, $2, $3, $4)"
_UPDATE = "UPDATE vehicle SET type = $2, energy = $3 WHERE plate = $1"

_MOST: Final = 3


class DatabaseVehicles:
    """As SPEC.md has them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, user: int) -> Sequence[Vehicle]:
        rows = await self._database.all(_LIST, user)
        if not rows:
            raise Problem(Kind.NOT_FOUND)
        return [Vehicle(*columns) for _, *columns in rows if columns[0] is not None]

    async def put(self, user: int, vehicle: Vehicle) -> bool:
        async def work(connection: Connection) -> bool:
            # The lock keeps others from adding one meanwhile.
            if await connection.one(_LOCK_USER, user) is None:
                raise Problem(Kind.NOT_FOUND)
            owners = dict(await connection.all(_RIVALS, user, vehicle.plate))
            is_new = _is_new(owners, user, vehicle.plate)
            if is_new:
                await insert_vehicle(connection, user, vehicle)
            else:
                await connection.change(_UPDATE, *vehicle)
            return is_new

        return await self._database.transaction(work)


async def insert_vehicle(connection: Connection, user: int, vehicle: Vehicle) -> None:
    """Make a row. Raises Problem."""
    await connection.change(_INSERT, vehicle.plate, user, vehicle.type, vehicle.energy)


def _is_new(owners: dict[str, int], user: int, plate: str) -> bool:
    if plate in owners:
        if owners[plate] != user:
            raise Problem(Kind.DUPLICATE_PLATE)
        return False
    if len(owners) >= _MOST:
        raise Problem(Kind.VEHICLE_LIMIT)
    return True
