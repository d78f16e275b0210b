"""The lab's own connections to a PostgreSQL server: as its superuser, by a socket for the lab alone.

One is to the database that the server was made with, for as long as the server runs. Another is to the
data, where a check or a count asks for it. What they do is left out of all counts by their user.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

import psycopg
from psycopg import sql as composed

from loadstone.contract.stand import Session
from loadstone.deploy.dependencies.postgres.statements import count_kinds, kind_of
from loadstone.deploy.dependencies.sql import ANSWER_SECONDS, Rows, SqlFailed
from loadstone.results.database_work import DatabaseWork
from loadstone.study.values.dependency import Account

LAB_USER = "loadstone"
"""The superuser, which every server is made with."""
MAINTENANCE = "postgres"
"""The database that every server is made with."""

_LOCK_NOT_AVAILABLE = "55P03"

_STATEMENTS = f"""
SELECT s.query, s.calls, s.rows, s.wal_bytes
FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname <> '{LAB_USER}'
"""
_SESSIONS = f"""
SELECT pid, usename, host(client_addr) || ':' || client_port, state,
  coalesce(extract(epoch FROM now() - state_change), 0)::integer, xact_start IS NOT NULL,
  CASE WHEN state = 'active' THEN query END
FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename <> '{LAB_USER}' ORDER BY pid
"""
_TABLES = """
SELECT schemaname, tablename FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY schemaname, tablename
"""

_COPIED_ROWS = re.compile(r"^COPY\s[^;]*\sFROM\s+stdin", re.IGNORECASE | re.MULTILINE)
"""What a dump has where it was not made with `--inserts`: rows that only psql sends."""
_RETURNING = re.compile(r"\breturning\b", re.IGNORECASE)
_AUTHORIZED = re.compile(rf"connection authorized: user=(?!{LAB_USER}\b)")


class PostgresConnection:
    """A session as superuser, from when the server accepts until it ends. Threads may share it."""

    def __init__(
        self,
        home: Path,
        port: int,
        data: str,
        log_path: Path,
        answer_seconds: int = ANSWER_SECONDS,
    ) -> None:
        """`data` is the database that a check asks. A statement may take `answer_seconds`.

        Raises ConnectionError where nothing accepts.
        """
        self._home, self._port, self._data, self._log_path = home, port, data, log_path
        self._answer_seconds = answer_seconds
        self._server = self._connect(MAINTENANCE)
        self._at_data: psycopg.Connection[tuple[Any, ...]] | None = None
        self._using = RLock()

    def close(self) -> None:
        """End it; the server may have ended."""
        with self._using:
            self.leave_data()
            with suppress(psycopg.Error):
                self._server.close()

    def leave_data(self) -> None:
        """End the connection to the data, which would keep them from being replaced."""
        with self._using:
            if self._at_data is not None:
                with suppress(psycopg.Error):
                    self._at_data.close()
                self._at_data = None

    def manage(self, statement: str) -> Rows:
        """Run one statement at the database that the server was made with. Raises SqlFailed."""
        with self._using:
            return _run(self._server, statement)

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Rows:
        """Run one statement at the data and return its rows. Raises SqlFailed."""
        with self._using:
            return _run(self._data_connection(), sql, parameters)

    def run_file(self, path: Path) -> None:
        """Run the statements of a file at the data. Raises SqlFailed, which says where."""
        with self._using:
            try:
                text = path.read_text(encoding="utf-8")
                _refuse_copied_rows(path, text)
                self._data_connection().execute(text)
            except (psycopg.Error, OSError, UnicodeDecodeError) as error:
                raise _failure(error, f"{path}{_line_of(error, path)}: ") from error

    @contextmanager
    def as_owner(self, account: Account | None) -> Iterator[None]:
        """Make the user of an account, give that one the data, and act as that one in the block.

        Without an account nothing is made. Raises SqlFailed.
        """
        if account is None:
            yield
            return
        user = composed.Identifier(account.user)
        password = composed.Literal(account.password)
        for statement in (
            composed.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(user, password),
            composed.SQL("ALTER DATABASE {} OWNER TO {}").format(
                composed.Identifier(self._data), user
            ),
        ):
            self.manage(statement.as_string())
        self.execute(composed.SQL("SET ROLE {}").format(user).as_string())
        yield
        self.execute("RESET ROLE")

    def work(self) -> DatabaseWork:
        """Return what all others have asked of the server since its start. Raises SqlFailed."""
        statements = self.manage(_STATEMENTS)
        counts = count_kinds((query, calls) for query, calls, _, _ in statements)
        rows_sent = sum(
            rows
            for query, _, rows, _ in statements
            if kind_of(query) == "select" or _RETURNING.search(query)
        )
        log = self._log_path.read_text(errors="replace")
        return DatabaseWork(
            **counts,
            rows_read=None,
            rows_sent=rows_sent,
            connections=len(_AUTHORIZED.findall(log)),
            lock_waits=log.count(" still waiting for "),
            deadlocks=log.count("deadlock detected"),
            wal_bytes=sum(int(written) for *_, written in statements),
        )

    def tables(self) -> frozenset[str]:
        """Return the tables of the data. Raises SqlFailed."""
        with self._using:
            found = frozenset(f"{schema}.{table}" for schema, table in self.execute(_TABLES))
            self.leave_data()
            return found

    def rows(self) -> dict[str, int]:
        """Return how many rows each table of the data has. Raises SqlFailed."""
        with self._using:
            found = {}
            for schema, table in self.execute(_TABLES):
                counting = composed.SQL("SELECT count(*) FROM {}").format(
                    composed.Identifier(schema, table)
                )
                ((count,),) = self.execute(counting.as_string())
                found[f"{schema}.{table}"] = count
            return found

    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions of all others. Raises SqlFailed."""
        return tuple(Session(*each) for each in self.manage(_SESSIONS))

    def let_go(self) -> None:
        """Give back every lock that this session holds. Raises SqlFailed."""
        self.leave_data()

    def _data_connection(self) -> "psycopg.Connection[tuple[Any, ...]]":
        if self._at_data is None:
            try:
                self._at_data = self._connect(self._data)
            except ConnectionError as error:
                raise SqlFailed(str(error)) from error
        return self._at_data

    def _connect(self, database: str) -> "psycopg.Connection[tuple[Any, ...]]":
        try:
            return psycopg.connect(
                host=str(self._home),
                port=self._port,
                user=LAB_USER,
                dbname=database,
                autocommit=True,
                options=f"-c statement_timeout={self._answer_seconds}s",
            )
        except psycopg.Error as error:
            raise ConnectionError(_said(error)) from error


def _refuse_copied_rows(path: Path, text: str) -> None:
    if (found := _COPIED_ROWS.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise SqlFailed(
            f"{path}, line {line}: rows behind COPY ... FROM stdin are for psql: dump them by "
            "`pg_dump --inserts --no-owner`"
        )


def _run(
    connection: "psycopg.Connection[tuple[Any, ...]]", text: str, parameters: Sequence[object] = ()
) -> Rows:
    try:
        cursor = connection.execute(text, tuple(parameters) or None)
        return [] if cursor.description is None else cursor.fetchall()
    except psycopg.Error as error:
        raise _failure(error) from error


def _failure(error: Exception, place: str = "") -> SqlFailed:
    is_lock_wait = isinstance(error, psycopg.Error) and error.sqlstate == _LOCK_NOT_AVAILABLE
    return SqlFailed(f"{place}{_said(error)}", is_lock_wait=is_lock_wait)


def _line_of(error: Exception, path: Path) -> str:
    """Return `, line N` where the server says at which character of a file it failed."""
    position = error.diag.statement_position if isinstance(error, psycopg.Error) else None
    if position is None:
        return ""
    before = path.read_text(encoding="utf-8")[: int(position) - 1]
    return f", line {before.count(chr(10)) + 1}"


def _said(error: Exception) -> str:
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return primary or str(error).strip() or type(error).__name__
