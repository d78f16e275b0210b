"""A database of one's own: tables and rows in plain SQL, a user and a database that the lab makes."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest

from loadstone.deploy.dependencies.interface import Dependency, Place, Seed, Start
from loadstone.deploy.dependencies.mariadb.programs import find_programs as find_mariadb
from loadstone.deploy.dependencies.mariadb.server import start_mariadb
from loadstone.deploy.dependencies.postgres.programs import find_programs as find_postgres
from loadstone.deploy.dependencies.postgres.server import start_postgres
from loadstone.errors import StepFailed
from loadstone.study.values.dependency import Account, DependencyOptions
from private_servers import place_of, require

SCHEMA = """
CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL);
CREATE TABLE notes (item INT NOT NULL REFERENCES items (id), text VARCHAR(40));
"""
SEED = """
-- what every run begins with
INSERT INTO items VALUES (1, 'one'), (2, 'two; and more');
INSERT INTO notes VALUES (1, 'Zürich');
"""
ACCOUNT = Account(user="shop", password="it's secret")
LISTED = "SELECT id, name FROM items ORDER BY id"
ROWS = [(1, "one"), (2, "two; and more")]


@dataclass(frozen=True)
class Kind:
    """How one kind is found, started, and reached as its user."""

    find: Callable[[], object]
    start: Start
    connect: Callable[[Dependency, str], Any]


def postgres(database: Dependency, name: str) -> Any:
    host, _, port = database.url.partition(":")
    who = {"user": ACCOUNT.user, "password": ACCOUNT.password}
    return psycopg.connect(host=host, port=int(port), dbname=name, autocommit=True, **who)


def mariadb(database: Dependency, name: str) -> Any:
    host, _, port = database.url.partition(":")
    who = {"user": ACCOUNT.user, "password": ACCOUNT.password}
    return pymysql.connect(host=host, port=int(port), database=name, autocommit=True, **who)


KINDS = {
    "postgres": Kind(find_postgres, start_postgres, postgres),
    "mariadb": Kind(find_mariadb, start_mariadb, mariadb),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    found = KINDS[request.param]
    require(found.find)
    return found


@pytest.fixture
def place(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Its templates are known by what is in them: all tests may share them."""
    folder = tmp_path / "seed"
    folder.mkdir()
    for name, text in {"schema.sql": SCHEMA, "seed.sql": SEED}.items():
        (folder / name).write_text(text)
    seed = Seed(tuple(sorted(folder.iterdir())))
    place = place_of(seed, tmp_path, tmp_path_factory.getbasetemp() / "plain-seeds")
    return replace(place, options=DependencyOptions(account=ACCOUNT))


@pytest.fixture
def database(kind: Kind, place: Place) -> Iterator[Dependency]:
    found = kind.start(place)
    try:
        found.seed()
        yield found
    finally:
        found.stop()


def rows(kind: Kind, database: Dependency) -> list[tuple[object, ...]]:
    with closing(kind.connect(database, "database")) as session:
        cursor = session.cursor()
        cursor.execute(LISTED)
        return list(cursor.fetchall())


def run(kind: Kind, database: Dependency, *statements: str) -> None:
    with closing(kind.connect(database, "database")) as session:
        for statement in statements:
            session.cursor().execute(statement)


def test_its_user_finds_the_rows_of_the_files_in_the_order_of_their_names(
    kind: Kind, database: Dependency
) -> None:
    assert rows(kind, database) == ROWS
    counted = database.rows()
    assert counted is not None
    assert {name.rpartition(".")[2]: number for name, number in counted.items()} == {
        "items": 2,
        "notes": 1,
    }


def test_a_reset_brings_back_tables_and_rows_whatever_was_done_to_them(
    kind: Kind, database: Dependency
) -> None:
    run(
        kind,
        database,
        "INSERT INTO items VALUES (3, 'three')",
        "UPDATE items SET name = 'changed' WHERE id = 1",
        "CREATE TABLE migrated (id INT)",
        "ALTER TABLE notes ADD COLUMN late INT",
        "DROP TABLE notes",
    )
    database.reset()
    assert rows(kind, database) == ROWS
    counted = database.rows() or {}
    assert sorted(name.rpartition(".")[2] for name in counted) == ["items", "notes"]


def test_tables_that_services_made_when_they_started_are_kept(
    kind: Kind, database: Dependency
) -> None:
    run(kind, database, "CREATE TABLE migrated (id INT)", "INSERT INTO migrated VALUES (7)")
    database.services_stand()
    database.reset()
    with closing(kind.connect(database, "database")) as session, session.cursor() as cursor:
        cursor.execute("SELECT id FROM migrated")
        assert list(cursor.fetchall()) == [(7,)]


def test_its_process_is_the_one_that_runs_behind_a_reset(kind: Kind, database: Dependency) -> None:
    database.reset()
    (leader,) = database.leaders
    assert Path(f"/proc/{leader.pid}").is_dir()
    work = database.work()
    assert work is not None
    rows(kind, database)
    after = database.work()
    assert after is not None
    assert after.minus(work).select >= 1


def test_its_account_is_part_of_what_a_template_is_known_by(
    kind: Kind, place: Place, tmp_path: Path
) -> None:
    own = replace(place, cache=tmp_path / "own")
    other = DependencyOptions(account=Account(user="other", password="x"))
    for each in (own, replace(own, options=other), own):
        found = kind.start(each)
        found.stop()
    assert len(list(own.cache.iterdir())) == 2


def test_without_an_account_the_files_make_what_they_need(
    kind: Kind, place: Place, tmp_path: Path
) -> None:
    """As before: whoever owns the server runs them."""
    path = place.seed.files[0]
    if kind.start is start_postgres:
        path.write_text(SCHEMA)
    else:
        path.write_text(f"CREATE DATABASE own; USE own; {SCHEMA}")
    found = kind.start(replace(place, options=DependencyOptions()))
    try:
        found.seed()
        found.reset()
        assert found.ending() is None
    finally:
        found.stop()


def test_rows_of_a_dump_that_only_psql_sends_are_refused_with_what_to_do(place: Place) -> None:
    require(find_postgres)
    place.seed.files[1].write_text(
        "-- dumped\nCOPY public.items (id, name) FROM stdin;\n1\tone\n\\.\n"
    )
    with pytest.raises(StepFailed) as caught:
        start_postgres(place)
    assert caught.value.step == "seed"
    assert "seed.sql, line 2: rows behind COPY ... FROM stdin are for psql" in caught.value.reason
    assert "pg_dump --inserts --no-owner" in caught.value.reason


def test_a_statement_that_is_not_taken_is_said_with_its_file(kind: Kind, place: Place) -> None:
    place.seed.files[1].write_text("INSERT INTO item VALUES (1, 'one');\n")
    with pytest.raises(StepFailed, match=r"seed\.sql, (line|statement) 1: .*item") as caught:
        kind.start(place)
    assert caught.value.step == "seed"
