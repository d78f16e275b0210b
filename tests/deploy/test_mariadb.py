"""A private MariaDB: what it begins with, what it counts, and that nothing of it is left."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pymysql
import pytest

from loadstone.contract.stand import HandFailed
from loadstone.deploy.dependencies import data
from loadstone.deploy.dependencies.interface import Place, Seed
from loadstone.deploy.dependencies.mariadb import programs, template
from loadstone.deploy.dependencies.mariadb.server import MariaDb, start_mariadb
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.errors import StepFailed, Unavailable
from loadstone.machine import ownership
from loadstone.study.systems.catalogue import open_catalogue
from mariadb_seed import FEW, application, ask, started, write_seed
from private_servers import ROOT_ONLY, WAIT_SECONDS, a_lab_of_its_own, place_of, require, told_by


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the template is kept that most of these tests share."""
    require(programs.find_programs)
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def place(tmp_path: Path, cache: Path) -> Place:
    return place_of(write_seed(tmp_path / "seed"), tmp_path, cache)


@pytest.fixture
def database(place: Place) -> Iterator[MariaDb]:
    with started(place) as found:
        yield found


def test_it_has_the_rows_of_its_level_byte_for_byte(database: MariaDb) -> None:
    with application(database) as session:
        assert ask(session, "SELECT id, name FROM items ORDER BY id") == FEW
    assert database.rows() == {"shop.items": len(FEW)}, "and what is stored for it is not counted"


def test_a_template_is_made_once_for_a_seed_and_anew_for_another(
    place: Place, tmp_path: Path
) -> None:
    other = replace(place, cache=tmp_path / "own-cache")
    for _ in range(2):
        with started(other):
            pass
    (made,) = other.cache.iterdir()
    begun = made.stat().st_mtime_ns
    with started(other):
        assert made.stat().st_mtime_ns == begun
    other.seed.files[1].write_text(other.seed.files[1].read_text() + "-- changed\n")
    with started(other):
        assert len(list(other.cache.iterdir())) == 2


def test_a_reset_brings_the_rows_back_under_connections_with_prepared_statements(
    database: MariaDb,
) -> None:
    with application(database) as session:
        ask(session, "PREPARE listed FROM 'SELECT id, name FROM items ORDER BY id'")
        ask(session, "DELETE FROM items WHERE id = 'a'")
        ask(session, "INSERT INTO items VALUES ('b', 'new')")
        assert ask(session, "EXECUTE listed") != FEW
        database.reset()
        assert ask(session, "EXECUTE listed") == FEW


def test_a_reset_is_refused_for_an_idle_transaction_and_names_its_holder(database: MariaDb) -> None:
    with application(database) as session:
        session.begin()
        ask(session, "SELECT * FROM items")
        with pytest.raises(StepFailed) as caught:
            database.reset()
        assert caught.value.step == "reset"
        port = session._sock.getsockname()[1]
        assert f"of app from 127.0.0.1:{port} has a transaction open" in caught.value.reason
        assert "in Sleep for" in caught.value.reason
        session.rollback()
        database.reset()


def test_its_work_is_that_of_the_application_to_the_last_statement(database: MariaDb) -> None:
    before = database.work()
    with application(database) as session:
        for _ in range(50):
            ask(session, "SELECT * FROM items")
        for number in range(7):
            ask(session, f"INSERT INTO items VALUES ('{number}', 'x')")
        ask(session, "UPDATE items SET name = 'y' WHERE id = '1'")
        for number in range(3):
            ask(session, f"DELETE FROM items WHERE id = '{number}'")
        for _ in range(4):
            session.ping()
        session.begin()
        session.commit()
        database.rows()
        database.hand.execute("SELECT * FROM stored.many")
        database.hand.sessions()
        work = database.work().minus(before)
    assert (work.select, work.insert, work.update, work.delete) == (50, 7, 1, 3)
    assert work.statements == 61
    of_connecting = 1  # SET AUTOCOMMIT
    assert work.other_commands == of_connecting + 4 + 2
    assert work.rows_sent == 50 * len(FEW)
    assert work.rows_read == 50 * len(FEW) + 1 + 3
    assert (work.connections, work.lock_waits, work.deadlocks) == (1, 0, 0)


def test_prepared_statements_count_each_execution_and_their_preparing(database: MariaDb) -> None:
    with application(database) as session:
        before = database.work()
        execute = prepared(session, b"SELECT id FROM items")
        for _ in range(20):
            execute()
        work = database.work().minus(before)
    assert (work.select, work.other_commands, work.rows_sent) == (20, 1, 20 * len(FEW))


def prepared(session: "pymysql.Connection[pymysql.cursors.Cursor]", sql: bytes) -> "Execute":
    return Execute(session, sql)


class Execute:
    """A statement of the binary protocol, which PyMySQL itself does not speak."""

    PREPARE, EXECUTE = 0x16, 0x17

    def __init__(self, session: "pymysql.Connection[pymysql.cursors.Cursor]", sql: bytes) -> None:
        self._session = session
        session._execute_command(self.PREPARE, sql)
        answer = session._read_packet().get_all_data()
        self._id = answer[1:5]
        for _ in range(int.from_bytes(answer[5:7], "little") + 1):  # its columns, and their end
            session._read_packet()

    def __call__(self) -> None:
        self._session._execute_command(self.EXECUTE, self._id + b"\0" + (1).to_bytes(4, "little"))
        ends = 0
        while ends < 2:  # of the columns, and of the rows
            ends += self._session._read_packet().is_eof_packet()


def test_a_lock_that_is_waited_for_counts(database: MariaDb) -> None:
    with application(database) as holder, application(database) as waiting:
        holder.begin()
        ask(holder, "UPDATE items SET name = 'held' WHERE id = 'a'")
        with pytest.raises(pymysql.err.OperationalError, match="Lock wait timeout"):
            ask(waiting, "UPDATE items SET name = 'late' WHERE id = 'a'")
        assert database.work().lock_waits == 1


def test_it_can_be_brought_to_each_level_and_to_no_other(database: MariaDb) -> None:
    database.hand.to_level("many")
    assert database.rows() == {"shop.items": 1000}
    with application(database) as session:
        assert ask(session, "SELECT * FROM items LIMIT 1") == (("00000001", "row 1"),)
    with pytest.raises(HandFailed, match="no level none: there is few, many"):
        database.hand.to_level("none")
    database.reset()
    assert database.rows() == {"shop.items": len(FEW)}


def test_a_frozen_server_answers_when_it_is_thawed(database: MariaDb) -> None:
    with application(database) as session:
        database.hand.freeze()
        answered = threading.Event()

        def wait() -> None:
            ask(session, "SELECT * FROM items")
            answered.set()

        waiting = threading.Thread(target=wait)
        waiting.start()
        assert psutil.Process(database.leaders[0].pid).status() == psutil.STATUS_STOPPED
        assert not answered.is_set()
        database.hand.thaw()
        waiting.join(WAIT_SECONDS)
        assert answered.is_set()


def test_a_stopped_server_comes_back_on_its_port_with_its_rows(database: MariaDb) -> None:
    with application(database) as session:
        ask(session, "INSERT INTO items VALUES ('kept', 'x')")
        database.hand.stop()
        assert database.ending() is None, "a check did that"
        with pytest.raises(pymysql.err.OperationalError), application(database):
            pass
    with pytest.raises(HandFailed, match="database does not run"):
        database.hand.execute("SELECT 1")
    database.hand.start()
    with application(database) as session:
        assert ("kept", "x") in ask(session, "SELECT * FROM items")


def test_what_a_check_left_is_restored(database: MariaDb) -> None:
    hand = database.hand
    hand.execute("LOCK TABLES shop.items WRITE")
    hand.freeze()
    hand.restore()
    with application(database) as session:
        assert ask(session, "SELECT * FROM items ORDER BY id") == FEW
    hand.freeze()
    hand.stop()
    hand.restore()
    with application(database) as session:
        assert ask(session, "SELECT * FROM items ORDER BY id") == FEW


def test_only_the_lab_has_its_root(database: MariaDb) -> None:
    host, _, port = database.url.partition(":")
    with pytest.raises(pymysql.err.OperationalError, match="Access denied"):
        pymysql.connect(host=host, port=int(port), user="root")
    users = database.hand.execute("SELECT User, Host FROM mysql.global_priv ORDER BY User")
    assert users == [("app", "127.0.0.1"), ("mariadb.sys", "localhost"), ("root", "localhost")]


def test_it_is_pinned_and_tells_what_it_was_started_with(database: MariaDb, place: Place) -> None:
    (leader,) = database.leaders
    assert leader.cpus == place.cpus
    settings = database.settings
    assert settings["level"] == "few"
    assert settings["version"] == programs.find_programs().version
    names = {
        name.replace("_", "-"): value for name, value in database.hand.execute("SHOW VARIABLES")
    }
    assert names["version"] == settings["version"]
    for name in ("innodb-flush-log-at-trx-commit", "query-cache-type", "collation-server"):
        assert names[name] == settings[name]
    assert names["innodb-buffer-pool-size"] == str(128 << 20)
    assert names["datadir"].startswith(f"{ownership.MEMORY}/loadstone-")


def test_nothing_is_left_of_it(place: Place) -> None:
    with started(place) as database:
        pid = database.leaders[0].pid
        home = Path(database.hand.execute("SELECT @@datadir")[0][0]).parents[1]
        assert home.is_dir()
        database.hand.freeze()
    assert not psutil.pid_exists(pid)
    assert not home.exists()
    database.stop()


@ROOT_ONLY
def test_as_root_it_runs_as_nobody_who_cannot_read_other_files(database: MariaDb) -> None:
    found = psutil.Process(database.leaders[0].pid)
    nobody = pwd.getpwnam("nobody")
    assert set(found.uids()) == {nobody.pw_uid}
    status = Path(f"/proc/{found.pid}/status").read_text()
    assert "Groups:\t \n" in status or "Groups:\t\n" in status


def test_a_lab_that_is_killed_leaves_nothing_for_long(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with a_lab_of_its_own(start_mariadb, write_seed, tmp_path, cache) as lab:
        pid, _ = told_by(lab)
        home = next(ownership.MEMORY.glob(f"loadstone-{lab.pid}-*"))
        lab.kill()
    assert psutil.pid_exists(pid)
    assert pid in {each.pid for each in ownership.sweep()}
    assert home in ownership.sweep_scratch()
    with suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(WAIT_SECONDS)
    assert not psutil.pid_exists(pid)
    assert not home.exists()


@ROOT_ONLY
def test_where_root_may_not_look_into_processes_its_server_is_found_all_the_same(
    tmp_path: Path, cache: Path
) -> None:
    with a_lab_of_its_own(start_mariadb, write_seed, tmp_path, cache) as lab:
        pid, _ = told_by(lab)
        in_a_container = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"]
        ask_owner = f"from loadstone.machine.ownership import owner_of; print(owner_of({pid}))"
        command = [*in_a_container, sys.executable, "-c", ask_owner]
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/").stdout
        started_at = ownership.start_time(lab.pid)
        lab.communicate()
    assert said.strip() == f"{lab.pid}:{started_at}"


@ROOT_ONLY
def test_a_normal_user_has_one_too() -> None:
    require(programs.find_programs)
    nobody = pwd.getpwnam("nobody")
    user = (str(nobody.pw_uid), str(nobody.pw_gid))
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        shutil.chown(folder, *map(int, user))
        with a_lab_of_its_own(start_mariadb, write_seed, folder, folder / "cache", *user) as lab:
            pid, url = told_by(lab)
            assert set(psutil.Process(pid).uids()) == {nobody.pw_uid}
            host, _, port = url.partition(":")
            pymysql.connect(host=host, port=int(port), user="app", password="secret").close()
            _, errors = lab.communicate()
        assert lab.returncode == 0, errors.decode()
        assert not psutil.pid_exists(pid)


def test_a_seed_that_is_not_taken_is_said_with_file_and_statement(place: Place) -> None:
    place.seed.files[1].write_text("CREATE DATABASE one;\nCREATE TABEL one.two (id INT);\n")
    with pytest.raises(StepFailed) as caught:
        start_mariadb(place)
    assert caught.value.step == "seed"
    assert "2-rows.sql, statement 2: You have an error in your SQL syntax" in caught.value.reason
    assert not list(place.cache.glob("*.partial-*"))


def test_a_seed_that_takes_too_long_is_said(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "SEED_SECONDS", 1)
    place.seed.files[1].write_text("DO SLEEP(20);\n")
    with pytest.raises(StepFailed) as caught:
        start_mariadb(place)
    assert caught.value.step == "seed"
    assert "timed out" in caught.value.reason


def test_a_level_that_is_not_taken_is_said_with_its_file(place: Place) -> None:
    place.seed.levels["few"].write_text("TRUNCATE TABLE shop.nothing;\n")
    with pytest.raises(StepFailed) as caught, started(place):
        pass
    assert caught.value.step == "seed"
    assert "few.sql, statement 1: Table 'shop.nothing' doesn't exist" in caught.value.reason


def test_without_a_setting_it_has_no_choice_of_levels(place: Place) -> None:
    chosen = {level: place.seed.levels[level] for level in ("few", "many")}
    with (
        pytest.raises(StepFailed, match="there are 2"),
        started(replace(place, seed=replace(place.seed, levels=chosen, level=None))),
    ):
        pass


def test_its_only_level_needs_no_setting(place: Place) -> None:
    only = {"many": place.seed.levels["many"]}
    with started(replace(place, seed=replace(place.seed, levels=only, level=None))) as database:
        assert database.rows() == {"shop.items": 1000}
        assert "level" not in database.settings


def test_a_server_that_cannot_start_is_told_with_its_log(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(place) as database:
        port = int(database.url.rpartition(":")[2])
        monkeypatch.setattr("loadstone.deploy.dependencies.seeded_server.free_port", lambda _: port)
        with pytest.raises(StepFailed) as caught:
            start_mariadb(place)
    assert caught.value.step == "deploy"
    assert "exited with code 1" in caught.value.reason
    assert "Address already in use" in caught.value.log_tail


def test_a_server_that_is_killed_says_so(database: MariaDb) -> None:
    os.kill(database.leaders[0].pid, signal.SIGKILL)
    os.waitid(os.P_PID, database.leaders[0].pid, os.WEXITED | os.WNOWAIT)
    assert database.ending() == "was killed by SIGKILL"
    with pytest.raises(StepFailed, match="database cannot be brought to its seed"):
        database.reset()


def test_too_little_memory_is_refused_with_how_to_get_more(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(ownership.MEMORY)._replace(free=64 << 20)
    monkeypatch.setattr(data.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(StepFailed) as caught:
        start_mariadb(place)
    assert caught.value.step == "deploy"
    assert f"{ownership.MEMORY} has 64 MiB: make room for it" in caught.value.reason
    assert "--shm-size" in caught.value.reason


def test_a_folder_that_is_on_a_disk_is_not_taken_for_memory(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "MEMORY", tmp_path)
    with pytest.raises(StepFailed, match="is no tmpfs here"):
        start_mariadb(place)


def test_a_machine_without_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_SYSTEM", ())
    monkeypatch.setenv("PATH", "/nowhere")
    mediation = open_catalogue().system("mediation")
    require_servers(mediation)
    with pytest.raises(Unavailable) as caught:
        require_servers(mediation.model_copy(update={"dependencies": {"database": "mariadb"}}))
    assert caught.value.message == (
        "MariaDB is not here: mariadbd and mariadb-install-db are on no PATH"
    )
    assert caught.value.remedy is not None
    assert "apt-get install" in caught.value.remedy


def test_a_seed_of_nothing_is_a_value() -> None:
    assert Seed() == Seed((), {}, None)
