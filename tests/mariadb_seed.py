"""A small seed for a MariaDB, and how tests reach one as an application does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pymysql

from loadstone.deploy.dependencies.interface import Dependency, Place, Seed
from loadstone.deploy.dependencies.mariadb.server import MariaDb, start_mariadb

SCHEMA = """
CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
CREATE DATABASE stored;
CREATE TABLE shop.items (id VARCHAR(20) NOT NULL, name VARCHAR(20) NOT NULL, PRIMARY KEY (id))
  ENGINE=InnoDB;
CREATE USER 'app'@'127.0.0.1' IDENTIFIED BY 'secret';
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO 'app'@'127.0.0.1';
"""
ROWS = """
USE stored;
CREATE TABLE few LIKE shop.items;
INSERT INTO few VALUES ('a', 'Zürich'), ('a ', '東京'), ('A', 'padded ');
CREATE TABLE many LIKE few;
INSERT INTO many SELECT LPAD(seq, 8, '0'), CONCAT('row ', seq) FROM seq_1_to_1000;
"""
LEVEL = """
TRUNCATE TABLE shop.items;
INSERT INTO shop.items SELECT * FROM stored.{table} ORDER BY id;
-- the end
"""
FEW = (("A", "padded "), ("a", "Zürich"), ("a ", "東京"))
"""Rows of the level `few`, in the order of their bytes."""


def write_seed(folder: Path) -> Seed:
    """Write the files of a seed, as a system has them."""
    (folder / "levels").mkdir(parents=True)
    files = (folder / "1-tables.sql", folder / "2-rows.sql")
    for path, text in zip(files, (SCHEMA, ROWS), strict=True):
        path.write_text(text)
    levels = {}
    for level in ("few", "many"):
        levels[level] = folder / "levels" / f"{level}.sql"
        levels[level].write_text(LEVEL.format(table=level))
    return Seed(files, levels, "few")


@contextmanager
def started(place: Place) -> Iterator[MariaDb]:
    """A server, seeded, for the length of the block."""
    database = start_mariadb(place)
    try:
        database.seed()
        yield database
    finally:
        database.stop()


@contextmanager
def application(database: Dependency) -> Iterator["pymysql.Connection[pymysql.cursors.Cursor]"]:
    """A session of the application, by its own user, over TCP."""
    host, _, port = database.url.partition(":")
    connection = pymysql.connect(
        host=host, port=int(port), user="app", password="secret", database="shop", autocommit=True
    )
    try:
        yield connection
    finally:
        if connection.open:
            connection.close()


def ask(
    connection: "pymysql.Connection[pymysql.cursors.Cursor]", sql: str
) -> tuple[tuple[object, ...], ...]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return tuple(cursor.fetchall())
