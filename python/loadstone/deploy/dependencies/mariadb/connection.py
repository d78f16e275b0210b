"""The lab's own connection to a MariaDB server: as its root, by a socket that nobody else can reach.

It is one connection for as long as the server runs. So the server itself tells which of its counts are
the lab's: those of this session.
"""

import socket
from collections.abc import Sequence
from pathlib import Path
from threading import RLock

import pymysql
from pymysql.constants import CLIENT, ER

from loadstone.contract.stand import Session
from loadstone.deploy.dependencies.sql import ANSWER_SECONDS, Rows, SqlFailed
from loadstone.results.database_work import DatabaseWork
from loadstone.study.values.dependency import Account

_COUNTED = {
    "select": "COM_SELECT",
    "insert": "COM_INSERT",
    "update": "COM_UPDATE",
    "delete": "COM_DELETE",
    "questions": "QUESTIONS",
    "prepares": "COM_STMT_PREPARE",
    "closes": "COM_STMT_CLOSE",
    "administration": "COM_ADMIN_COMMANDS",
    "rows_read": "ROWS_READ",
    "rows_sent": "ROWS_SENT",
}
"""Counts of each session. `Questions` leaves out the preparing and closing of statements, and pings,
which are administration; so do a reset of a session, which it also counts."""
_OF_THE_SERVER = {
    "connections": "CONNECTIONS",
    "lock_waits": "INNODB_ROW_LOCK_WAITS",
    "deadlocks": "INNODB_DEADLOCKS",
}
"""Counts of the server as a whole. The lab connects once, and waits for no row."""

_NAMES = ", ".join(f"'{name}'" for name in (*_COUNTED.values(), *_OF_THE_SERVER.values()))
# Both at once: the statement that asks is then in either, so that it drops out.
_STATUS = f"""
SELECT g.VARIABLE_NAME, g.VARIABLE_VALUE, s.VARIABLE_VALUE
FROM information_schema.GLOBAL_STATUS g JOIN information_schema.SESSION_STATUS s
USING (VARIABLE_NAME) WHERE g.VARIABLE_NAME IN ({_NAMES})
"""
# What an application may use, by what it was granted: a store of seeds beside it is the lab's.
_TABLES = """
SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES t
WHERE TABLE_TYPE = 'BASE TABLE' AND (
  EXISTS (SELECT * FROM mysql.db d WHERE t.TABLE_SCHEMA LIKE d.Db)
  OR EXISTS (SELECT * FROM mysql.tables_priv p WHERE p.Db = t.TABLE_SCHEMA
             AND p.Table_name = t.TABLE_NAME AND p.User <> 'mariadb.sys'))
ORDER BY TABLE_SCHEMA, TABLE_NAME
"""
_SESSIONS = """
SELECT p.ID, p.USER, p.HOST, p.COMMAND, p.TIME, t.trx_id IS NOT NULL, p.INFO
FROM information_schema.PROCESSLIST p
LEFT JOIN information_schema.INNODB_TRX t ON t.trx_mysql_thread_id = p.ID
WHERE p.ID <> CONNECTION_ID() AND p.USER <> 'system user' ORDER BY p.ID
"""


class MariaDbConnection:
    """A session as root, from when the server accepts until it ends. Threads may share it."""

    def __init__(self, path: Path, answer_seconds: int = ANSWER_SECONDS) -> None:
        """A statement may take `answer_seconds`. Raises ConnectionError where nothing accepts."""
        self._connection = pymysql.connect(
            user="root",
            charset="utf8mb4",
            autocommit=True,
            client_flag=CLIENT.MULTI_STATEMENTS,
            read_timeout=answer_seconds,
            write_timeout=answer_seconds,
            defer_connect=True,
        )
        try:
            self._connection.connect(_socket_at(path))
        except pymysql.Error as error:
            raise ConnectionError(_said(error)) from error
        self._using = RLock()
        _, whole = self._counts()
        self._connected_before = whole["connections"]

    def close(self) -> None:
        """End it; the server may have ended."""
        with self._using:
            if self._connection.open:
                self._connection.close()

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> Rows:
        """Run one statement and return its rows. Raises SqlFailed."""
        with self._using, self._connection.cursor() as cursor:
            try:
                cursor.execute(sql, tuple(parameters) or None)
                return list(cursor.fetchall())
            except (pymysql.Error, OSError) as error:
                raise _failure(error) from error

    def run_file(self, path: Path) -> None:
        """Run the statements of a file, each ended by `;`. Raises SqlFailed, which says where."""
        with self._using, self._connection.cursor() as cursor:
            number = 1
            try:
                cursor.execute(path.read_text(encoding="utf-8"))
                number += 1
                while cursor.nextset():
                    number += 1
            except (pymysql.Error, OSError, UnicodeDecodeError) as error:
                if _code(error) != ER.EMPTY_QUERY:  # what follows the last `;` may be a comment
                    raise _failure(error, f"{path}, statement {number}: ") from error

    def make_account(self, database: str, account: Account | None) -> None:
        """Make a database and a user who may do all in it; what runs next runs there. Raises SqlFailed.

        Without an account nothing is made.
        """
        if account is None:
            return
        self.execute(f"CREATE DATABASE `{database}`")
        self.execute(f"CREATE USER `{account.user}`@`%%` IDENTIFIED BY %s", (account.password,))
        self.execute(f"GRANT ALL ON `{database}`.* TO `{account.user}`@`%`")
        self.execute(f"USE `{database}`")

    def work(self) -> DatabaseWork:
        """Return what all others have asked of the server since its start. Raises SqlFailed."""
        others, whole = self._counts()
        statements = {name: others[name] for name in ("select", "insert", "update", "delete")}
        commands = others["questions"] + others["prepares"] + others["closes"]
        return DatabaseWork(
            **statements,
            other_commands=commands + others["administration"] - sum(statements.values()),
            rows_read=others["rows_read"],
            rows_sent=others["rows_sent"],
            connections=whole["connections"] - self._connected_before,
            lock_waits=whole["lock_waits"],
            deadlocks=whole["deadlocks"],
        )

    def tables(self) -> frozenset[str]:
        """Return the tables that an application may use. Raises SqlFailed."""
        return frozenset(f"{schema}.{table}" for schema, table in self.execute(_TABLES))

    def rows(self) -> dict[str, int]:
        """Return how many rows each table has that an application may use. Raises SqlFailed."""
        tables = self.execute(_TABLES)
        return {
            f"{schema}.{table}": self.execute(f"SELECT COUNT(*) FROM `{schema}`.`{table}`")[0][0]
            for schema, table in tables
        }

    def sessions(self) -> tuple[Session, ...]:
        """Return the sessions of all others. Raises SqlFailed."""
        return tuple(
            Session(number, user, host, command, seconds, bool(in_transaction), statement)
            for number, user, host, command, seconds, in_transaction, statement in self.execute(
                _SESSIONS
            )
        )

    def let_go(self) -> None:
        """Give back every lock that this session holds. Raises SqlFailed."""
        self.execute("ROLLBACK")
        self.execute("UNLOCK TABLES")

    def _counts(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return what all others did, and the counts of the server as a whole."""
        found = {name.upper(): (int(all_), int(own)) for name, all_, own in self.execute(_STATUS)}
        others = {name: found[key][0] - found[key][1] for name, key in _COUNTED.items()}
        return others, {name: found[key][0] for name, key in _OF_THE_SERVER.items()}


def _socket_at(path: Path) -> socket.socket:
    """Connect; PyMySQL leaves its own socket open where it is refused."""
    found = socket.socket(socket.AF_UNIX)
    try:
        found.connect(str(path))
    except OSError as error:
        found.close()
        raise ConnectionError(f"{path}: {error.strerror}") from error
    return found


def _failure(error: Exception, place: str = "") -> SqlFailed:
    is_lock_wait = _code(error) == ER.LOCK_WAIT_TIMEOUT
    return SqlFailed(f"{place}{_said(error)}", is_lock_wait=is_lock_wait)


def _code(error: Exception) -> int:
    """Return MariaDB's number for it; 0 where there is none."""
    known = isinstance(error, pymysql.Error) and error.args and isinstance(error.args[0], int)
    return error.args[0] if known else 0


def _said(error: Exception) -> str:
    return str(error.args[-1]) if error.args else type(error).__name__
