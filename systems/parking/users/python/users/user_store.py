"""The users in the database."""

from collections.abc import Sequence
from typing import Any

from users.connection import Connection
from users.database import Database
from users.models import Account, User, Vehicle
from users.problem import Kind, Problem
from users.user import NewUser
from users.vehicle_store import insert_vehicle
from users.words import CUSTOMER, ENABLED, ROLES, STATUSES

_INSERT = """
INSERT INTO app_user (first_name, last_name, email, password_hash, nif, role, payment_method, status)
  VALUES ($1, $2, $3, $4, $5, 1, $6, 0) RETURNING id
"""
_ACCOUNT = """
SELECT id, first_name, last_name, password_hash, role, status FROM app_user
  WHERE lower(email) = lower($1)
"""
_WITH_VEHICLES = """
SELECT u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role, u.payment_method, u.status,
  v.plate, v.type, v.energy FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
"""
_LIST = f"{_WITH_VEHICLES} ORDER BY u.id, v.plate"
_GET = f"{_WITH_VEHICLES} WHERE u.id = $1 ORDER BY v.plate"
_SET_STATUS = "UPDATE app_user SET status = $2 WHERE id = $1"
_PAYMENT_METHOD = "SELECT payment_method FROM app_user WHERE id = $1"
_SET_PAYMENT_METHOD = "UPDATE app_user SET payment_method = $2 WHERE id = $1"

_OF_USER = 9
"""Columns; those behind are of a vehicle."""


class DatabaseUsers:
    """As SPEC.md has them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(self, user: NewUser, password_hash: str) -> User:
        async def work(connection: Connection) -> User:
            row = await connection.one(
                _INSERT,
                user.first_name,
                user.last_name,
                user.email,
                password_hash,
                user.nif,
                user.payment_method,
            )
            if row is None:
                raise Problem(Kind.INTERNAL, "a row has no id")
            await insert_vehicle(connection, row[0], user.vehicle)
            return _made(row[0], user)

        return await self._database.transaction(work)

    async def account(self, email: str) -> Account | None:
        row = await self._database.one(_ACCOUNT, email)
        return None if row is None else Account(*row)

    async def list(self) -> Sequence[User]:
        return users_in(await self._database.all(_LIST))

    async def get(self, user: int) -> User:
        return await self._database.lend(lambda connection: _find(connection, user))

    async def set_status(self, user: int, status: int) -> User:
        async def work(connection: Connection) -> User:
            await connection.change(_SET_STATUS, user, status)
            return await _find(connection, user)

        return await self._database.transaction(work)

    async def payment_method(self, user: int) -> int:
        row = await self._database.one(_PAYMENT_METHOD, user)
        if row is None:
            raise Problem(Kind.NOT_FOUND)
        method: int = row[0]
        return method

    async def set_payment_method(self, user: int, method: int) -> None:
        await self._database.lend(
            lambda connection: connection.change(_SET_PAYMENT_METHOD, user, method)
        )


def users_in(rows: Sequence[Any]) -> list[User]:
    """Return the users of rows that are one for each vehicle, and one for who has none."""
    users: list[User] = []
    for row in rows:
        user = User(*row[:_OF_USER], [])  # type: ignore[call-arg]  # so many of any types
        plate, type_, energy = row[_OF_USER:]
        if not users or users[-1].id != user.id:
            users.append(user)
        if plate is not None:
            users[-1].vehicles.append(Vehicle(plate, type_, energy))
    return users


async def _find(connection: Connection, user: int) -> User:
    users = users_in(await connection.all(_GET, user))
    if not users:
        raise Problem(Kind.NOT_FOUND)
    return users[0]


def _made(id_: int, user: NewUser) -> User:
    """Return what was made, which is not read again."""
    return User(
        id=id_,
        first_name=user.first_name,
        last_name=user.last_name,
        email=user.email,
        nif=user.nif,
        coins=0,
        role=ROLES.index(CUSTOMER),
        payment_method=user.payment_method,
        status=STATUSES.index(ENABLED),
        vehicles=[user.vehicle],
    )
