"""One connection to the database by asyncmy, with a limit on each wait for it."""

import asyncio
import socket
from collections.abc import Sequence

import asyncmy
from asyncmy.connection import MySQLResult, PreparedStatement
from asyncmy.constants import CLIENT
from asyncmy.errors import MySQLError

from conference.config import DatabaseConfig
from conference.problem import Kind, Problem

_DUPLICATE_KEY = 1062
_STOPS = 1053
_KILLED = 1927
_LOST = (_STOPS, _KILLED)
_UNAVAILABLE = (
    1040,  # too many connections
    1205,  # waited too long for a lock
    1213,  # deadlock
    1317,  # the statement was interrupted
    1969,  # the statement took too long
)
# The server's own errors; those of the client, from 2000 on, tell of a connection that is lost.
_CLIENT_ERRORS = range(2000, 3000)


class Connection:
    """A connection that is logged in. It prepares each statement once, and keeps it."""

    def __init__(self, raw: asyncmy.Connection, used_socket: socket.socket) -> None:
        self._raw = raw
        self._socket = used_socket
        self._statements: dict[str, PreparedStatement] = {}
        self._is_closed = False
        self.lost = asyncio.Event()

    @property
    def is_lost(self) -> bool:
        """Whether it has ended; the transport closes the socket when the server does."""
        return self._is_closed or self._socket.fileno() < 0

    async def execute(self, sql: str, values: Sequence[object] = ()) -> MySQLResult:
        """Return the result of a statement. Raises Problem."""
        try:
            statement = self._statements.get(sql)
            if statement is None:
                statement = self._statements[sql] = await self._raw.prepare(sql)
            result: MySQLResult = await statement.execute(values)
        except MySQLError as error:
            raise self._failure(error) from error
        except BaseException:
            self.close()  # cut off in between, so that what comes next is not known
            raise
        return result

    def close(self) -> None:
        """End it at once. What runs on it fails."""
        self._is_closed = True
        self._raw.close()
        self.lost.set()

    def _failure(self, error: MySQLError) -> Problem:
        number = error.args[0] if error.args else None
        if number == _DUPLICATE_KEY:
            return Problem(Kind.DUPLICATE_ID)
        if number in _UNAVAILABLE:
            return Problem(Kind.UNAVAILABLE, _line(error))
        if not isinstance(number, int) or number in _LOST or number in _CLIENT_ERRORS or not number:
            self.close()
            return Problem(Kind.UNAVAILABLE, _line(error))
        return Problem(Kind.INTERNAL, _line(error))


async def open_connection(config: DatabaseConfig) -> Connection:
    """Return a connection within the limit. Raises Problem."""
    used_socket = socket.socket()
    try:
        async with asyncio.timeout(config.timeout_seconds):
            used_socket.setblocking(False)
            used_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(used_socket, (config.host, config.port))
            raw = await asyncmy.connect(
                sock=used_socket,
                user=config.user,
                password=config.password,
                database=config.database,
                charset="utf8mb4",
                client_flag=CLIENT.FOUND_ROWS,
                autocommit=True,
                read_timeout=config.timeout_seconds,  # starts anew with each byte
            )
    except (MySQLError, OSError) as error:  # TimeoutError is an OSError
        used_socket.close()
        raise Problem(Kind.UNAVAILABLE, _line(error)) from error
    except BaseException:
        used_socket.close()
        raise
    return Connection(raw, used_socket)


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
