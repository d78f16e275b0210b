"""The wallets in the database."""

from collections.abc import Sequence

from users.answer import CREATED
from users.coins import Debit, Grant, check_balance
from users.connection import Connection
from users.database import Database
from users.models import Event, RichCustomer, Wallet
from users.problem import Kind, Problem
from users.store import Granted

_RICHEST = """
SELECT first_name, last_name, email, coins FROM app_user WHERE role = 1
  ORDER BY coins DESC, id LIMIT 10
"""
_WALLET = """
SELECT u.coins, e.id, e.amount, e.reason, e.manager_id, e.at FROM app_user u
  LEFT JOIN LATERAL (
    SELECT id, amount, reason, manager_id, at FROM coin_event WHERE user_id = u.id
      ORDER BY id DESC LIMIT 100
  ) e ON true
  WHERE u.id = $1 ORDER BY e.id DESC
"""
# Waits for a rival that makes the same row, and makes none where the key is there.
_INSERT_KEY = """
INSERT INTO idempotency (key, operation, digest, status, body, at)
  VALUES ($1, 'grant-coins', $2, 201, $3, now()) ON CONFLICT DO NOTHING
"""
_KEY = """
SELECT digest, status, body FROM idempotency WHERE key = $1 AND operation = 'grant-coins'
"""
_LOCK_BALANCES = """
SELECT id, coins FROM app_user WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
"""
_GIVE = "UPDATE app_user SET coins = coins + $2 WHERE id = ANY($1)"
_INSERT_EVENTS = """
INSERT INTO coin_event (user_id, amount, reason, manager_id, at)
  SELECT id, $2::integer, $3::text, $4::bigint, now() FROM unnest($1::bigint[]) AS id ORDER BY id
"""
_LOCK_COINS = "SELECT coins FROM app_user WHERE id = $1 FOR NO KEY UPDATE"
_DEBIT = "SELECT user_id, amount FROM coin_event WHERE reference = $1"
_TAKE = "UPDATE app_user SET coins = coins - $2 WHERE id = $1"
_INSERT_DEBIT = """
INSERT INTO coin_event (user_id, amount, reason, reference, at) VALUES ($1, $2, 'debit', $3, now())
"""


class DatabaseCoins:
    """As SPEC.md has them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def richest(self) -> Sequence[RichCustomer]:
        return [RichCustomer(*row) for row in await self._database.all(_RICHEST)]

    async def wallet(self, user: int) -> Wallet:
        rows = await self._database.all(_WALLET, user)
        if not rows:
            raise Problem(Kind.NOT_FOUND)
        events = [Event(*columns) for _, *columns in rows if columns[0] is not None]
        return Wallet(rows[0][0], events)

    async def grant(self, grant: Grant, key: str, manager: int, content: str) -> Granted:
        digest = grant.digest()

        async def work(connection: Connection) -> Granted:
            if await connection.changed(_INSERT_KEY, key, digest, content) == 0:
                return await _replay(connection, key, digest)
            await _give(connection, grant, manager)
            return Granted(CREATED, content, False)

        return await self._database.transaction(work)

    async def debit(self, debit: Debit) -> int:
        async def work(connection: Connection) -> int:
            balance = await connection.one(_LOCK_COINS, debit.user)
            if balance is None:
                raise Problem(Kind.NOT_FOUND)
            before = await connection.one(_DEBIT, debit.reference)
            if before is None:
                return await _take(connection, debit, min(balance[0], debit.most_coins))
            user, amount = before
            if user != debit.user:
                raise Problem(Kind.IDEMPOTENCY_MISMATCH)
            return -int(amount)

        return await self._database.transaction(work)


async def _replay(connection: Connection, key: str, digest: bytes) -> Granted:
    row = await connection.one(_KEY, key)
    if row is None:
        raise Problem(Kind.INTERNAL, "a key is gone")
    known, status, content = row
    if known != digest:
        raise Problem(Kind.IDEMPOTENCY_MISMATCH)
    return Granted(status, content, True)


async def _give(connection: Connection, grant: Grant, manager: int) -> None:
    balances = await connection.all(_LOCK_BALANCES, grant.users)
    if len(balances) < len(grant.users):
        raise Problem(Kind.NOT_FOUND)
    for _, coins in balances:
        check_balance(coins + grant.amount)
    await connection.change(_GIVE, grant.users, grant.amount)
    await connection.change(_INSERT_EVENTS, grant.users, grant.amount, grant.reason, manager)


async def _take(connection: Connection, debit: Debit, coins: int) -> int:
    await connection.change(_TAKE, debit.user, coins)
    await connection.change(_INSERT_DEBIT, debit.user, -coins, debit.reference)
    return coins
