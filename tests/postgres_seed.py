"""A small seed for a PostgreSQL, and how tests reach one as an application does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg

from loadstone.deploy.dependencies.interface import Dependency, Place, Seed
from loadstone.deploy.dependencies.postgres.server import Postgres, start_postgres

Application = psycopg.Connection[tuple[object, ...]]

SCHEMA = """
CREATE ROLE app LOGIN PASSWORD 'secret';
CREATE TABLE items (id text PRIMARY KEY, name text NOT NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON items TO app;
"""
LEVELS = {
    "few": "INSERT INTO items VALUES ('a', 'Zürich'), ('a ', '東京'), ('A', 'padded ');\n",
    "many": "INSERT INTO items "
    "SELECT lpad(i::text, 8, '0'), 'row ' || i FROM generate_series(1, 1000) AS i;\n",
}
FEW = [("A", "padded "), ("a", "Zürich"), ("a ", "東京")]
"""Rows of the level `few`, in the order of their bytes."""


def write_seed(folder: Path) -> Seed:
    """Write the files of a seed, as a system has them."""
    (folder / "levels").mkdir(parents=True)
    tables = folder / "1-tables.sql"
    tables.write_text(SCHEMA)
    levels = {}
    for level, text in LEVELS.items():
        levels[level] = folder / "levels" / f"{level}.sql"
        levels[level].write_text(text)
    return Seed((tables,), levels, "few")


@contextmanager
def started(place: Place) -> Iterator[Postgres]:
    """A server, seeded, for the length of the block."""
    database = start_postgres(place)
    try:
        database.seed()
        yield database
    finally:
        database.stop()


def connect(database: Dependency) -> Application:
    """Connect as the application's user, over TCP."""
    host, _, port = database.url.partition(":")
    return psycopg.connect(
        host=host, port=int(port), user="app", password="secret", dbname="database", autocommit=True
    )


@contextmanager
def application(database: Dependency) -> Iterator[Application]:
    """A session of the application."""
    connection = connect(database)
    try:
        yield connection
    finally:
        connection.close()


def ask(connection: Application, statement: LiteralString) -> list[tuple[object, ...]]:
    """Run a statement and return its rows."""
    cursor = connection.execute(statement)
    return [] if cursor.description is None else cursor.fetchall()
