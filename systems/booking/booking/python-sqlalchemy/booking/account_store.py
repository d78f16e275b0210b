"""The accounts in the database."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from booking.account import NewAccount
from booking.database import Database, RivalError
from booking.models import Account
from booking.store import Secret
from booking.tokens import Caller


class DatabaseAccounts:
    """One statement an operation."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def insert(self, account: NewAccount, password_hash: str) -> Account | None:
        async def work(session: AsyncSession) -> Account:
            row = Account(
                email=account.email,
                name=account.name,
                password_hash=password_hash,
                role=account.role,
            )
            session.add(row)
            await session.flush()
            return row

        try:
            return await self._database.autocommit(work)
        except RivalError:
            return None

    async def secret(self, email: str) -> Secret | None:
        statement = select(Account).where(Account.email == email)
        account = await self._database.autocommit(lambda session: session.scalar(statement))
        if account is None:
            return None
        return Secret(Caller(account.id, account.role), account.password_hash)

    async def get(self, id_: int) -> Account | None:
        return await self._database.autocommit(lambda session: session.get(Account, id_))
