import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from asyncpg import InternalClientError
from sqlalchemy import URL, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from booking.database import RivalError, run
from booking.facility import Start
from booking.facility_store import is_available
from booking.kept_pool import give_up
from booking.models import Facility
from booking.problem import Kind, Problem


class FakeSessions:
    """Sessions in which nothing is done; `begun` is how many there were."""

    def __init__(self) -> None:
        self.begun = 0

    @asynccontextmanager
    async def begin(self) -> AsyncGenerator[AsyncSession]:
        self.begun += 1
        session: Any = None
        yield session


class DriverError(Exception):
    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("told\nby the server")
        self.sqlstate = sqlstate


def told(sqlstate: str | None) -> DBAPIError:
    return DBAPIError("SELECT", None, DriverError(sqlstate))


def run_failing(*failures: Exception) -> FakeSessions:
    """Run work that fails so many times, in as many sessions as it is given."""
    sessions = FakeSessions()
    fake: Any = sessions
    left = list(failures)

    async def work(_: AsyncSession) -> None:
        if left:
            raise left.pop(0)

    asyncio.run(run(fake, work))
    return sessions


def test_a_transaction_is_made_once_more_where_the_server_asks() -> None:
    assert run_failing().begun == 1
    assert run_failing(told("40P01")).begun == 2
    with pytest.raises(Problem, match="unavailable: told by the server"):
        run_failing(told("40001"), told("40P01"))


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (told("55P03"), Kind.UNAVAILABLE),
        (told(None), Kind.UNAVAILABLE),
        (TimeoutError(), Kind.UNAVAILABLE),
        (ConnectionRefusedError(), Kind.UNAVAILABLE),
        (InternalClientError("cannot switch to another state"), Kind.UNAVAILABLE),
        (told("42P01"), Kind.INTERNAL),
        (told("23503"), Kind.INTERNAL),
    ],
)
def test_an_error_of_the_database_is_a_problem(failure: Exception, kind: Kind) -> None:
    with pytest.raises(Problem) as caught:
        run_failing(failure)
    assert caught.value.kind is kind


@pytest.mark.parametrize("sqlstate", ["23505", "23P01"])
def test_a_row_in_the_way_is_told_apart(sqlstate: str) -> None:
    with pytest.raises(RivalError):
        run_failing(told(sqlstate))


@pytest.mark.parametrize(
    ("error", "is_closed"),
    [
        (DriverError("42P01"), False),
        (DriverError("40P01"), False),
        (DriverError("57P01"), True),
        (DriverError(None), True),
        (TimeoutError(), True),
        (asyncio.CancelledError(), True),
    ],
)
def test_a_connection_whose_state_is_not_known_is_closed_at_once(
    error: BaseException, is_closed: bool
) -> None:
    ended = []
    raw = SimpleNamespace(terminate=lambda: ended.append(True))
    context: Any = SimpleNamespace(
        original_exception=error,
        is_disconnect=False,
        invalidate_pool_on_disconnect=True,
        connection=SimpleNamespace(
            invalidated=False, connection=SimpleNamespace(driver_connection=raw)
        ),
    )
    give_up(context)
    assert (bool(ended), context.is_disconnect) == (is_closed, is_closed)
    assert not context.invalidate_pool_on_disconnect


def test_what_is_available_is_asked_for_in_the_words_of_the_index() -> None:
    start = Start(datetime(2040, 3, 10, 10, tzinfo=UTC), 600)
    statement = select(Facility.id).where(is_available(start))
    text = str(statement.compile(dialect=URL.create("postgresql+asyncpg").get_dialect()()))
    assert "NOT (EXISTS (SELECT reservation.id" in text
    assert "reservation.status IN ('pending', 'accepted')" in text
    assert "tstzrange(reservation.starts_at, reservation.ends_at) && tstzrange(" in text
    assert text.count("FROM facility") == 1
