"""Dependencies on a machine of their own, as the lab of the service has them: real servers, no Ray."""

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
from parts_here import APART, MACHINE, Apart, dependencies_apart

from loadstone.cluster.apart import remote_parts
from loadstone.deploy.dependencies.interface import Dependency, Place
from loadstone.deploy.dependencies.mariadb.programs import find_programs as find_mariadb
from loadstone.deploy.dependencies.postgres.programs import find_programs as find_postgres
from loadstone.deploy.dependencies.registry import KINDS, Kind
from loadstone.errors import StepFailed
from loadstone.results import folder
from loadstone.study.systems.catalogue import Catalogue
from private_servers import require

CHECKOUT = Path(__file__).parents[2]
WAIT_SECONDS = 30.0
FIND = {"booking": find_postgres, "conference": find_mariadb}
SMALL = {"booking": {"size": "small"}, "conference": {}}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def apart(request: pytest.FixtureRequest, tmp_path: Path, cache: Path) -> Iterator[Apart]:
    name = getattr(request, "param", "booking")
    require(FIND[name])
    with dependencies_apart(tmp_path, Catalogue(CHECKOUT).system(name), cache) as found:
        yield found


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not what() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert what()


def table_of(rows: dict[str, int], name: str) -> str:
    return next(each for each in rows if each.endswith(f".{name}"))


@pytest.mark.parametrize("apart", ["booking", "conference"], indirect=True)
def test_one_is_started_asked_reset_and_stopped_there(apart: Apart, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    name = "booking" if "postgres" in str(apart.lab._resolved.system.dependencies) else "conference"
    dependency = apart.remote.start("database", SMALL[name], logs)
    host, _, port = dependency.url.partition(":")
    assert host == APART
    with socket.create_connection((host, int(port)), WAIT_SECONDS):
        pass
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(port)), WAIT_SECONDS)
    (leader,) = dependency.leaders
    assert (leader.name, leader.machine) == ("database", MACHINE)
    assert dependency.settings["version"]
    dependency.seed()
    dependency.services_stand()
    before = dependency.rows()
    assert before
    dependency.reset()
    assert dependency.rows() == before
    assert dependency.open_connections() == 0
    assert dependency.work() is not None
    assert dependency.store() is None
    assert dependency.ending() is None
    (leader,) = dependency.leaders
    dependency.stop()
    dependency.stop()
    assert not psutil.pid_exists(leader.pid)
    assert (logs / "database.log").stat().st_size > 0


def test_a_client_of_another_machine_needs_the_password(apart: Apart, tmp_path: Path) -> None:
    dependency = apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
    dependency.seed()
    url = f"postgresql://booking:booking@{dependency.url}/database"
    with psycopg.connect(url) as connection:
        ((count,),) = connection.execute("SELECT count(*) FROM account").fetchall()
    rows = dependency.rows()
    assert rows is not None
    assert rows[table_of(rows, "account")] == count > 0
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(url.replace(":booking@", ":guessed@"))
    dependency.stop()


def test_one_that_ends_of_itself_is_told_without_being_asked(apart: Apart, tmp_path: Path) -> None:
    dependency = apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
    (leader,) = dependency.leaders
    os.kill(leader.pid, signal.SIGINT)
    wait_for(lambda: dependency.ending() is not None)
    assert (dependency.ending() or "").endswith(f"on {MACHINE}")
    assert "shut down" in dependency.log_tail()
    with pytest.raises(StepFailed) as failed:
        dependency.reset()
    assert failed.value.step == "reset"
    assert failed.value.reason.startswith(f"{MACHINE}: ")
    dependency.stop()


def test_what_cannot_be_started_is_told_as_its_step(
    apart: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(place: Place) -> Dependency:
        raise StepFailed("seed", f"{place.name} does not take its seed", "its log")

    monkeypatch.setitem(KINDS, "postgres", Kind(start))
    with pytest.raises(StepFailed) as failed:
        apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
    told = failed.value
    assert (told.step, told.log_tail) == ("seed", "its log")
    assert told.reason == f"{MACHINE}: database does not take its seed"


def test_a_load_is_watched_by_that_machines_clock(apart: Apart, tmp_path: Path) -> None:
    dependency = apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
    dependency.seed()
    watch = apart.remote.watch()
    assert [(each.name, each.machine) for each in watch.processes] == [("probe@d", MACHINE)]
    watch.begin()
    started_ns = time.time_ns()
    dependency.rows()
    time.sleep(1.0)
    run = tmp_path / "run"
    ((machine, beside),) = watch.left(started_ns, run).items()
    assert machine == MACHINE
    assert abs(beside.started_unix_ns - started_ns) <= 5 * beside.clock_before.bound_ns + 1_000_000
    names = set(beside.ticks.filter(beside.ticks["kind"] == "process")["name"])
    assert {"database", "probe@d"} <= names
    assert (run / folder.APART / MACHINE / folder.RESOURCES).is_file()
    dependency.stop()


def test_a_machine_that_answers_no_more_fails_the_run_and_holds_up_no_end(
    apart: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dependency = apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
    monkeypatch.setattr(remote_parts, "ANSWER_SECONDS", 0.2)
    apart.is_cut = True
    with pytest.raises(StepFailed, match="d, which has the dependencies, has not answered"):
        dependency.reset()
    dependency.stop()


def test_where_the_driver_is_gone_nobody_is_waited_for(apart: Apart, tmp_path: Path) -> None:
    dependency = apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
    apart.is_cut = True
    apart.hang_up()
    with pytest.raises(StepFailed, match="d, which has the dependencies, is not there now"):
        dependency.rows()
    dependency.stop()


def test_the_end_of_its_lab_ends_what_stands_there(tmp_path: Path, cache: Path) -> None:
    require(find_postgres)
    with dependencies_apart(tmp_path, Catalogue(CHECKOUT).system("booking"), cache) as apart:
        dependency = apart.remote.start("database", {"size": "small"}, tmp_path / "logs")
        apart.remote.watch()
        (leader,) = dependency.leaders
    assert not psutil.pid_exists(leader.pid)
