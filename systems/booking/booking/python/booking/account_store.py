"""The accounts in the database."""

from booking.account import NewAccount
from booking.database import Database
from booking.models import Account
from booking.store import Secret
from booking.tokens import Caller

_INSERT = """
INSERT INTO account (email, name, password_hash, role) VALUES ($1, $2, $3, $4)
  ON CONFLICT (email) DO NOTHING RETURNING id, email, name, role, created_at
"""
_SECRET = "SELECT id, password_hash, role FROM account WHERE email = $1"
_GET = "SELECT id, email, name, role, created_at FROM account WHERE id = $1"


class DatabaseAccounts:
    """One statement an operation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(self, account: NewAccount, password_hash: str) -> Account | None:
        row = await self._database.one(
            _INSERT, account.email, account.name, password_hash, account.role
        )
        return None if row is None else Account(*row)

    async def secret(self, email: str) -> Secret | None:
        row = await self._database.one(_SECRET, email)
        if row is None:
            return None
        id_, password_hash, role = row
        return Secret(Caller(id_, role), password_hash)

    async def get(self, id_: int) -> Account | None:
        row = await self._database.one(_GET, id_)
        return None if row is None else Account(*row)
