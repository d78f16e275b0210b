"""A private PostgreSQL: what it begins with, what it counts, and that nothing of it is left."""

import os
import pwd
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import psutil
import psycopg
import pytest

from loadstone.contract.stand import HandFailed
from loadstone.deploy.dependencies.interface import Place
from loadstone.deploy.dependencies.postgres import programs
from loadstone.deploy.dependencies.postgres.server import Postgres, start_postgres
from loadstone.deploy.dependencies.postgres.statements import kind_of
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.errors import StepFailed, Unavailable
from loadstone.machine import ownership
from loadstone.machine.shared_memory import segments_of
from loadstone.study.systems.catalogue import open_catalogue
from postgres_seed import (
    FEW,
    Application,
    application,
    ask,
    connect,
    started,
    write_seed,
)
from private_servers import ROOT_ONLY, WAIT_SECONDS, a_lab_of_its_own, place_of, require, told_by

LISTED = "SELECT id, name FROM items ORDER BY id"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the template is kept that most of these tests share."""
    require(programs.find_programs)
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return place_of(write_seed(tmp_path / "seed"), tmp_path, cache)


@pytest.fixture
def database(place: Place) -> Iterator[Postgres]:
    with started(place) as found:
        yield found


def processes_of(database: Postgres) -> set[int]:
    """Return the process of a server and those that it has begun."""
    leader = psutil.Process(database.leaders[0].pid)
    return {leader.pid, *(each.pid for each in leader.children(recursive=True))}


def test_it_has_the_rows_of_its_level_byte_for_byte(database: Postgres) -> None:
    with application(database) as session:
        assert ask(session, LISTED) == FEW
    assert database.rows() == {"public.items": len(FEW)}


def test_a_template_is_made_once_for_a_level_and_anew_for_another_seed(
    place: Place, tmp_path: Path
) -> None:
    other = replace(place, cache=tmp_path / "own-cache")
    with started(other):
        pass
    (made,) = other.cache.iterdir()
    begun = made.stat().st_mtime_ns
    with started(other):
        assert made.stat().st_mtime_ns == begun
    other.seed.files[0].write_text(other.seed.files[0].read_text() + "-- changed\n")
    with started(other):
        assert len(list(other.cache.iterdir())) == 2


def test_a_reset_brings_rows_and_sequences_back_and_ends_connections(database: Postgres) -> None:
    with application(database) as session:
        ask(session, "DELETE FROM items WHERE id = 'a'")
        session.autocommit = False
        ask(session, "SELECT * FROM items FOR UPDATE")
        database.reset()
        with pytest.raises(psycopg.OperationalError):
            ask(session, LISTED)
    with application(database) as session:
        assert ask(session, LISTED) == FEW


def test_connections_of_all_but_the_lab_are_counted(database: Postgres) -> None:
    before = database.open_connections()
    with application(database), application(database):
        assert database.open_connections() == before + 2
        database.reset()
        assert database.open_connections() == 0


def test_it_has_no_other_level_than_its_own(place: Place) -> None:
    with started(replace(place, seed=replace(place.seed, level="many"))) as database:
        assert database.rows() == {"public.items": 1000}
        with pytest.raises(HandFailed, match="started with the level many, and has not few"):
            database.hand.to_level("few")


def test_its_work_is_that_of_the_application_to_the_last_statement(database: Postgres) -> None:
    before = database.work()
    with application(database) as session:
        for _ in range(50):
            ask(session, "SELECT * FROM items")
        for _ in range(7):
            ask(session, "INSERT INTO items SELECT gen_random_uuid()::text, 'x'")
        ask(session, "/* by an ORM */ UPDATE items SET name = 'y' WHERE name = 'x' RETURNING id")
        ask(session, "WITH gone AS (DELETE FROM items WHERE name = 'y' RETURNING id) SELECT 1")
        with session.transaction():
            pass
        session.execute("BEGIN")
        for _ in range(2):  # the second is prepared, and no call of it is counted
            session.execute("COMMIT", prepare=True)
            session.execute("BEGIN")
        session.execute("COMMIT", prepare=True)
        database.rows()
        database.hand.execute("SELECT * FROM items")
        database.hand.sessions()
        work = database.work().minus(before)
    assert (work.select, work.insert, work.update, work.delete) == (50, 7, 1, 1)
    assert work.other_commands == 8, "begin and commit, four times"
    assert work.rows_sent == 50 * len(FEW) + 7 + 1
    assert work.rows_read is None
    assert (work.connections, work.lock_waits, work.deadlocks) == (1, 0, 0)
    assert work.wal_bytes is not None
    assert work.wal_bytes > 0


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("select 1", "select"),
        ("  (SELECT 1) UNION (SELECT 2)", "select"),
        ("-- insert\nSELECT $1", "select"),
        ("WITH a AS (SELECT 1) SELECT * FROM a", "select"),
        ("with a as (select 1) insert into b select * from a", "insert"),
        ("BEGIN ISOLATION LEVEL READ COMMITTED", "other_commands"),
        ("", "other_commands"),
    ],
)
def test_a_statement_is_counted_as_what_it_does(query: str, kind: str) -> None:
    assert kind_of(query) == kind


def test_a_lock_that_is_waited_for_long_counts(database: Postgres) -> None:
    with application(database) as holder, application(database) as waiting:
        holder.autocommit = False
        ask(holder, "UPDATE items SET name = 'held' WHERE id = 'a'")
        ask(waiting, "SET lock_timeout = '500ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            ask(waiting, "UPDATE items SET name = 'late' WHERE id = 'a'")
    assert database.work().lock_waits == 1


def test_a_deadlock_counts(database: Postgres) -> None:
    with application(database) as one, application(database) as other:
        one.autocommit = other.autocommit = False
        ask(one, "UPDATE items SET name = '1' WHERE id = 'a'")
        ask(other, "UPDATE items SET name = '2' WHERE id = 'A'")
        failed = []

        def update(session: Application, statement: LiteralString) -> None:
            try:
                ask(session, statement)
            except psycopg.errors.DeadlockDetected as error:
                failed.append(error)

        statement: LiteralString = "UPDATE items SET name = '2' WHERE id = 'a'"
        waiting = threading.Thread(target=update, args=(other, statement))
        waiting.start()
        update(one, "UPDATE items SET name = '1' WHERE id = 'A'")
        one.rollback()
        waiting.join(WAIT_SECONDS)
    assert len(failed) == 1
    assert database.work().deadlocks == 1


def test_a_frozen_server_answers_when_it_is_thawed(database: Postgres) -> None:
    with application(database) as session:
        database.hand.freeze()
        answered = threading.Event()

        def wait() -> None:
            ask(session, LISTED)
            answered.set()

        waiting = threading.Thread(target=wait)
        waiting.start()
        states = {psutil.Process(pid).status() for pid in processes_of(database)}
        assert states == {psutil.STATUS_STOPPED}, "also that of the session"
        assert not answered.is_set()
        database.hand.thaw()
        waiting.join(WAIT_SECONDS)
        assert answered.is_set()


def test_a_stopped_server_comes_back_on_its_port_with_its_rows(database: Postgres) -> None:
    with application(database) as session:
        ask(session, "INSERT INTO items VALUES ('kept', 'x')")
        database.hand.stop()
        assert database.ending() is None, "a check did that"
        with pytest.raises(psycopg.OperationalError):
            connect(database)
    with pytest.raises(HandFailed, match="database does not run"):
        database.hand.execute("SELECT 1")
    database.hand.start()
    with application(database) as session:
        assert ("kept", "x") in ask(session, LISTED)


def test_what_a_check_left_is_restored(database: Postgres) -> None:
    hand = database.hand
    hand.execute("BEGIN")
    hand.execute("LOCK TABLE items")
    hand.freeze()
    hand.restore()
    with application(database) as session:
        assert ask(session, LISTED) == FEW
    hand.freeze()
    hand.stop()
    hand.restore()
    with application(database) as session:
        assert ask(session, LISTED) == FEW


def test_a_check_sees_the_sessions_of_others_and_may_end_one(database: Postgres) -> None:
    database.hand.execute("SELECT 1")
    with application(database) as session:
        session.autocommit = False
        ask(session, LISTED)
        (seen,) = database.hand.sessions()
        assert (seen.user, seen.command, seen.in_transaction) == (
            "app",
            "idle in transaction",
            True,
        )
        assert database.hand.execute("SELECT pg_terminate_backend(%s)", (seen.id,)) == [(True,)]
        with pytest.raises(psycopg.OperationalError):
            ask(session, LISTED)


def test_only_the_lab_has_its_superuser(database: Postgres) -> None:
    host, _, port = database.url.partition(":")
    with pytest.raises(psycopg.OperationalError, match="no password supplied"):
        psycopg.connect(host=host, port=int(port), user="loadstone", dbname="postgres")


def test_it_is_pinned_and_tells_what_it_was_started_with(database: Postgres, place: Place) -> None:
    (leader,) = database.leaders
    assert leader.cpus == place.cpus
    settings = database.settings
    assert settings["level"] == "few"
    assert settings["version"] == programs.find_programs().version
    for name in ("synchronous_commit", "shared_buffers", "jit", "checkpoint_timeout"):
        ((shown,),) = database.hand.execute(f"SHOW {name}")
        assert shown == settings[name]
    ((folder,),) = database.hand.execute("SHOW data_directory")
    assert folder.startswith(f"{ownership.MEMORY}/loadstone-")


@pytest.mark.parametrize("frozen", [False, True])
def test_nothing_is_left_of_it(place: Place, frozen: bool) -> None:
    with started(place) as database:
        pids = processes_of(database)
        home = Path(database.hand.execute("SHOW data_directory")[0][0]).parents[1]
        assert home.is_dir()
        assert segments_of(pids)
        if frozen:
            database.hand.freeze()
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert not home.exists()
    assert segments_of(pids) == ()
    database.stop()


@ROOT_ONLY
def test_as_root_it_runs_as_nobody(database: Postgres) -> None:
    nobody = pwd.getpwnam("nobody")
    for pid in processes_of(database):
        assert set(psutil.Process(pid).uids()) == {nobody.pw_uid}


def test_a_lab_that_is_killed_leaves_nothing_for_long(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with a_lab_of_its_own(start_postgres, write_seed, tmp_path, cache) as lab:
        pid, _ = told_by(lab)
        below = {each.pid for each in psutil.Process(pid).children(recursive=True)}
        home = next(ownership.MEMORY.glob(f"loadstone-{lab.pid}-*"))
        lab.kill()
    assert psutil.pid_exists(pid)
    assert pid in {each.pid for each in ownership.sweep()}
    assert home in ownership.sweep_scratch()
    for each in (pid, *below):
        with suppress(psutil.NoSuchProcess):
            psutil.Process(each).wait(WAIT_SECONDS)
        assert not psutil.pid_exists(each)
    assert not home.exists()
    assert segments_of((pid,)) == ()


@ROOT_ONLY
def test_a_normal_user_has_one_too() -> None:
    require(programs.find_programs)
    nobody = pwd.getpwnam("nobody")
    user = (str(nobody.pw_uid), str(nobody.pw_gid))
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        shutil.chown(folder, *map(int, user))
        with a_lab_of_its_own(start_postgres, write_seed, folder, folder / "cache", *user) as lab:
            pid, _ = told_by(lab)
            assert set(psutil.Process(pid).uids()) == {nobody.pw_uid}
            _, errors = lab.communicate()
        assert lab.returncode == 0, errors.decode()
        assert not psutil.pid_exists(pid)


def test_a_statement_of_a_seed_has_minutes_and_one_of_a_check_has_one(place: Place) -> None:
    setting = "current_setting('statement_timeout')"
    with place.seed.files[0].open("a") as seed:
        seed.write(f"CREATE TABLE given AS SELECT {setting} AS time;\n")
    with started(place) as database:
        assert database.hand.execute(f"SELECT time, {setting} FROM given") == [("15min", "1min")]


def test_a_seed_that_is_not_taken_is_said_with_file_and_line(place: Place) -> None:
    place.seed.files[0].write_text("CREATE TABLE one (id int);\nCREATE TABEL two (id int);\n")
    with pytest.raises(StepFailed) as caught:
        start_postgres(place)
    assert caught.value.step == "seed"
    assert '1-tables.sql, line 2: syntax error at or near "TABEL"' in caught.value.reason
    assert not list(place.cache.glob("*.partial-*"))


def test_a_server_that_cannot_start_is_told_with_its_log(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(place) as database:
        port = int(database.url.rpartition(":")[2])
        monkeypatch.setattr("loadstone.deploy.dependencies.seeded_server.free_port", lambda _: port)
        with pytest.raises(StepFailed) as caught:
            start_postgres(place)
    assert caught.value.step == "deploy"
    assert "exited with code 1" in caught.value.reason
    assert "Address already in use" in caught.value.log_tail


def test_a_server_that_is_killed_says_so(database: Postgres) -> None:
    os.kill(database.leaders[0].pid, signal.SIGKILL)
    os.waitid(os.P_PID, database.leaders[0].pid, os.WEXITED | os.WNOWAIT)
    assert database.ending() == "was killed by SIGKILL"
    with pytest.raises(StepFailed, match="database cannot be brought to its seed"):
        database.reset()


def test_a_machine_without_it_is_told_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(programs, "_DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    mediation = open_catalogue().system("mediation")
    with pytest.raises(Unavailable) as caught:
        require_servers(mediation.model_copy(update={"dependencies": {"database": "postgres"}}))
    assert caught.value.message == "PostgreSQL is not here: no postgres and initdb from 15 on"
    assert caught.value.remedy is not None
    assert "scripts/install-postgres" in caught.value.remedy
