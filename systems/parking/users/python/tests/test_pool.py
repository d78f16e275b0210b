import asyncio
from collections.abc import Awaitable, Callable

import pytest

from users.pool import Pool
from users.problem import Kind, Problem

RETRY_SECONDS = 0.005
LONG_SECONDS = 60.0


class FakeConnection:
    def __init__(self) -> None:
        self.lost = asyncio.Event()

    @property
    def is_lost(self) -> bool:
        return self.lost.is_set()

    def close(self) -> None:
        self.lost.set()


class FakeDatabase:
    """Refuses so many connections, and then opens all."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.opened: list[FakeConnection] = []

    async def open(self) -> FakeConnection:
        if self.refusals:
            self.refusals -= 1
            raise Problem(Kind.UNAVAILABLE)
        self.opened.append(FakeConnection())
        return self.opened[-1]


def run(
    work: Callable[[Pool[FakeConnection]], Awaitable[None]],
    database: FakeDatabase,
    size: int = 1,
    wait_seconds: float = LONG_SECONDS,
) -> None:
    """Do work with a pool."""

    async def open_and_work() -> None:
        pool = Pool(database.open, size, wait_seconds, RETRY_SECONDS)
        try:
            await work(pool)
        finally:
            await pool.close()

    asyncio.run(open_and_work())


async def borrow(pool: Pool[FakeConnection]) -> FakeConnection:
    """Take a connection and give it back."""
    async with pool.connection() as connection:
        return connection


def test_all_connections_are_opened_before_anyone_asks_and_no_more() -> None:
    database = FakeDatabase()

    async def work(pool: Pool[FakeConnection]) -> None:
        await borrow(pool)
        assert len(database.opened) == 3
        async with pool.connection() as a, pool.connection() as b, pool.connection() as c:
            assert len({id(a), id(b), id(c)}) == 3
        assert len(database.opened) == 3

    run(work, database, size=3)


def test_who_comes_first_is_served_first() -> None:
    order = []

    async def work(pool: Pool[FakeConnection]) -> None:
        async def turn(number: int) -> None:
            async with pool.connection():
                order.append(number)

        async with pool.connection():
            turns = [asyncio.ensure_future(turn(number)) for number in (1, 2, 3)]
            await asyncio.sleep(0)
        await asyncio.gather(*turns)

    run(work, FakeDatabase())
    assert order == [1, 2, 3]


def test_a_wait_has_a_limit() -> None:
    async def work(pool: Pool[FakeConnection]) -> None:
        async with pool.connection():
            with pytest.raises(Problem, match="unavailable"):
                await borrow(pool)
        await borrow(pool)

    run(work, FakeDatabase(), wait_seconds=0.05)


def test_who_gives_up_waiting_leaves_the_connection_to_the_next() -> None:
    async def work(pool: Pool[FakeConnection]) -> None:
        async with pool.connection():
            first, second = (asyncio.ensure_future(borrow(pool)) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
        await second

    run(work, FakeDatabase())


def test_who_gives_up_as_the_connection_comes_gives_it_back() -> None:
    async def work(pool: Pool[FakeConnection]) -> None:
        async with pool.connection():
            waiting = asyncio.ensure_future(borrow(pool))
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await borrow(pool)

    run(work, FakeDatabase())


def test_a_connection_that_ended_at_rest_is_replaced_and_never_lent_again() -> None:
    database = FakeDatabase()

    async def work(pool: Pool[FakeConnection]) -> None:
        first = await borrow(pool)
        first.close()
        assert await borrow(pool) is not first
        await borrow(pool)
        assert len(database.opened) == 2

    run(work, database)


def test_a_connection_that_ended_at_rest_is_replaced_though_nobody_asks() -> None:
    database = FakeDatabase()

    async def work(pool: Pool[FakeConnection]) -> None:
        (await borrow(pool)).close()
        while len(database.opened) < 2:
            await asyncio.sleep(RETRY_SECONDS)

    run(work, database)


def test_a_connection_that_is_lost_in_use_is_replaced() -> None:
    async def work(pool: Pool[FakeConnection]) -> None:
        async with pool.connection() as connection:
            connection.close()
        assert await borrow(pool) is not connection

    run(work, FakeDatabase())


def test_one_that_cannot_be_opened_is_tried_again() -> None:
    database = FakeDatabase(refusals=3)

    async def work(pool: Pool[FakeConnection]) -> None:
        await borrow(pool)

    run(work, database)
    assert database.refusals == 0


def test_a_pool_that_ends_closes_its_connections() -> None:
    database = FakeDatabase()

    async def work(pool: Pool[FakeConnection]) -> None:
        await borrow(pool)

    run(work, database, size=2)
    assert [connection.is_lost for connection in database.opened] == [True, True]
