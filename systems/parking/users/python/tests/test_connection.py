import asyncio
from collections.abc import Callable
from typing import Any

import asyncpg
import pytest

from users.connection import Connection
from users.failure import Again
from users.problem import Kind, Problem


class FakeRaw:
    """A connection of the driver, which answers a text by itself and fails where it is told to."""

    def __init__(self, failures: dict[str, BaseException] | None = None) -> None:
        self.asked: list[str] = []
        self._failures = failures or {}
        self._is_closed = False
        self._listener: Callable[[object], None] | None = None

    def add_termination_listener(self, listener: Callable[[object], None]) -> None:
        self._listener = listener

    def is_closed(self) -> bool:
        return self._is_closed

    def terminate(self) -> None:
        self._is_closed = True

    async def execute(self, sql: str, *_: object) -> str:
        self.asked.append(sql)
        if sql in self._failures:
            raise self._failures[sql]
        return sql


def over(raw: FakeRaw) -> Connection:
    fake: Any = raw
    return Connection(fake)


def run_all(raw: FakeRaw, *statements: str) -> None:
    """Run statements in a transaction."""

    async def transact() -> None:
        async def work(connection: Connection) -> None:
            for sql in statements:
                await connection.run(sql)

        await over(raw).in_transaction(work)

    asyncio.run(transact())


def error(sqlstate: str) -> asyncpg.PostgresError:
    fields = {"S": "ERROR", "C": sqlstate, "M": "told\nby the server"}
    return asyncpg.PostgresError.new(fields)


def test_work_is_committed() -> None:
    raw = FakeRaw()
    run_all(raw, "a", "b")
    assert raw.asked == ["BEGIN", "a", "b", "COMMIT"]


def test_work_that_fails_is_rolled_back_on_a_connection_that_is_kept() -> None:
    raw = FakeRaw({"a": error("42P01")})
    with pytest.raises(Problem, match="internal: SQLSTATE 42P01"):
        run_all(raw, "a", "b")
    assert raw.asked == ["BEGIN", "a", "ROLLBACK"]
    assert not raw.is_closed()


def test_a_deadlock_is_told_apart() -> None:
    raw = FakeRaw({"a": error("40P01")})
    with pytest.raises(Again):
        run_all(raw, "a")
    assert raw.asked[-1] == "ROLLBACK"


@pytest.mark.parametrize(
    "failure",
    [
        error("57P01"),
        error("08003"),
        TimeoutError(),
        ConnectionResetError(),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.InternalClientError("cannot switch to another state"),
    ],
)
def test_a_connection_whose_state_is_not_known_is_closed(failure: Exception) -> None:
    raw = FakeRaw({"a": failure})
    with pytest.raises(Problem) as caught:
        run_all(raw, "a")
    assert caught.value.kind is Kind.UNAVAILABLE
    assert raw.is_closed()
    assert raw.asked == ["BEGIN", "a"]


def test_so_is_one_that_is_given_up() -> None:
    raw = FakeRaw({"a": asyncio.CancelledError()})
    with pytest.raises(asyncio.CancelledError):
        run_all(raw, "a")
    assert raw.is_closed()
