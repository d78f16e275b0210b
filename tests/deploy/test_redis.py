"""A private Redis: what it begins with, what it counts, and that nothing of it is left."""

import os
import pwd
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from loadstone.contract.stand import HandFailed
from loadstone.deploy.dependencies.interface import Place, Seed
from loadstone.deploy.dependencies.redis import program
from loadstone.deploy.dependencies.redis.server import Redis, start_redis
from loadstone.deploy.dependencies.registry import require_servers
from loadstone.errors import StepFailed, Unavailable
from loadstone.machine import ownership
from loadstone.study.systems.catalogue import open_catalogue
from loadstone.study.values.dependency import DependencyOptions
from private_servers import ROOT_ONLY, WAIT_SECONDS, a_lab_of_its_own, place_of, require, told_by
from redis_seed import application, started, write_seed


@pytest.fixture
def place(tmp_path: Path) -> Place:
    require(program.find_program)
    return place_of(write_seed(tmp_path / "seed"), tmp_path, tmp_path / "cache")


@pytest.fixture
def store(place: Place) -> Iterator[Redis]:
    with started(place) as found:
        yield found


def test_it_has_the_keys_of_its_files_and_of_its_level(store: Redis) -> None:
    with application(store) as client:
        assert client.ask("GET greeting") == 'Grüße, "you"'
        assert client.ask("HGET user:1 city") == "New York"
        assert client.ask("LLEN queue") == "3"
        assert client.ask("GET level") == "few"


def test_a_reset_brings_the_keys_back_and_keeps_connections(store: Redis) -> None:
    with application(store) as client:
        client.ask("DEL greeting")
        client.ask("RPUSH queue d")
        client.ask("SET new x")
        client.ask("SELECT 3")
        client.ask("SET elsewhere x")
        store.reset()
        assert client.ask("DBSIZE") == "0", "also in the other databases"
        client.ask("SELECT 0")
        assert client.ask("GET greeting") == 'Grüße, "you"'
        assert client.ask("LLEN queue") == "3"
        assert client.ask("EXISTS new") == "0"


def test_a_level_of_more_commands_than_are_sent_at_once_is_taken_whole(place: Place) -> None:
    with started(replace(place, seed=replace(place.seed, level="many"))) as store:
        assert store.store().keys == 2500 + 3
        store.hand.to_level("few")
        assert store.store().keys == 1 + 3
        with pytest.raises(HandFailed, match="its seed has no level none: there is few, many"):
            store.hand.to_level("none")


def test_without_a_seed_it_is_empty(place: Place) -> None:
    with started(replace(place, seed=Seed())) as store, application(store) as client:
        assert client.ask("DBSIZE") == "0"
        client.ask("SET a 1")
        store.reset()
        assert client.ask("DBSIZE") == "0"


def test_its_counts_are_those_of_the_application_alone(store: Redis) -> None:
    before = store.store()
    with application(store) as client:
        for _ in range(20):
            client.ask("GET greeting")
        for number in range(7):
            client.ask(f"SET new:{number} x")
        client.ask("GET nothing")
        store.hand.execute("GET greeting")
        after = store.store()
    assert after.commands - before.commands == 20 + 7 + 1
    assert after.connections - before.connections == 1
    assert (after.keys - before.keys, after.misses - before.misses) == (7, 1)
    assert after.memory_bytes > 0
    assert store.work() is None
    assert store.rows() is None


def test_it_writes_nothing_to_files_unless_it_is_told_to(place: Place, store: Redis) -> None:
    assert store.settings["save"] == '""'
    assert store.settings["appendonly"] == "no"
    assert store.settings["files"] == "none"
    options = DependencyOptions(settings={"appendonly": "yes", "maxmemory": "64mb", "save": ""})
    with started(replace(place, options=options)) as persistent:
        told = persistent.settings
        assert (told["appendonly"], told["maxmemory"], told["save"]) == ("yes", "64mb", '""')
        assert told["files"] == f"in memory ({ownership.MEMORY})"
        for name, seen in (("appendonly", "yes"), ("maxmemory", "67108864"), ("save", "")):
            assert persistent.hand.execute("CONFIG GET %s", (name,)) == [(name,), (seen,)]


def test_it_is_pinned_and_tells_what_it_was_started_with(store: Redis, place: Place) -> None:
    (leader,) = store.leaders
    assert leader.cpus == place.cpus
    assert store.settings["version"] == program.find_program().version
    assert store.settings["level"] == "few"
    ((_,), (folder,)) = store.hand.execute("CONFIG GET dir")
    assert folder.startswith(f"{ownership.MEMORY}/loadstone-")


def test_a_stopped_server_comes_back_on_its_port_with_its_keys(store: Redis) -> None:
    with application(store) as client:
        client.ask("SET kept x")
    store.hand.stop()
    assert store.ending() is None, "a check did that"
    with pytest.raises(HandFailed, match="database does not run"):
        store.hand.execute("PING")
    store.hand.start()
    with application(store) as client:
        assert client.ask("GET kept") == "x"
        assert client.ask("GET greeting") == 'Grüße, "you"'


def test_what_a_check_left_is_restored(store: Redis) -> None:
    store.hand.freeze()
    store.hand.restore()
    with application(store) as client:
        assert client.ask("SET a 1") == "OK"
    store.hand.freeze()
    store.hand.stop()
    store.hand.restore()
    with application(store) as client:
        assert client.ask("GET level") == "few"


def test_a_check_sees_the_sessions_of_others(store: Redis) -> None:
    assert store.hand.sessions() == ()
    with application(store) as client:
        client.ask("MULTI")
        (seen,) = store.hand.sessions()
        assert (seen.user, seen.command, seen.in_transaction) == ("default", "multi", True)
    with pytest.raises(HandFailed, match="counts no statements"):
        store.hand.work()


def test_a_command_that_is_not_taken_is_said_with_file_and_line(place: Place) -> None:
    place.seed.files[0].write_text("SET a 1\n\n# a slip\nSTE b 2\nSET c 3\n")
    store = start_redis(place)
    try:
        with pytest.raises(StepFailed) as caught:
            store.seed()
    finally:
        store.stop()
    assert caught.value.step == "seed"
    assert "1-keys.redis, line 4: ERR unknown command 'STE'" in caught.value.reason


def test_a_line_that_would_be_read_as_another_protocol_is_refused(place: Place) -> None:
    place.seed.files[0].write_text("*3\n")
    with pytest.raises(StepFailed, match="line 1: a command does not begin with"), started(place):
        pass


def test_several_levels_need_one_that_is_chosen(place: Place) -> None:
    open_ = replace(place, seed=replace(place.seed, level=None))
    with pytest.raises(StepFailed, match="no setting chooses a level of its seed"), started(open_):
        pass


@pytest.mark.parametrize("frozen", [False, True])
def test_nothing_is_left_of_it(place: Place, frozen: bool) -> None:
    with started(place) as store:
        pid = store.leaders[0].pid
        ((_,), (folder,)) = store.hand.execute("CONFIG GET dir")
        if frozen:
            store.hand.freeze()
    assert not psutil.pid_exists(pid)
    assert not Path(folder).exists()
    store.stop()


def test_a_lab_that_is_killed_leaves_nothing_for_long(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = tmp_path / "own"
    own.mkdir()
    with a_lab_of_its_own(start_redis, write_seed, own, place.cache) as lab:
        pid, url = told_by(lab)
        assert url.startswith("127.0.0.1:")
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
def test_a_normal_user_has_one_too() -> None:
    require(program.find_program)
    nobody = pwd.getpwnam("nobody")
    user = (str(nobody.pw_uid), str(nobody.pw_gid))
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        shutil.chown(folder, *map(int, user))
        with a_lab_of_its_own(start_redis, write_seed, folder, folder / "cache", *user) as lab:
            pid, _ = told_by(lab)
            assert set(psutil.Process(pid).uids()) == {nobody.pw_uid}
            _, errors = lab.communicate()
        assert lab.returncode == 0, errors.decode()
        assert not psutil.pid_exists(pid)


def test_a_server_that_cannot_start_is_told_with_its_log(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with started(place) as store:
        port = int(store.url.rpartition(":")[2])
        monkeypatch.setattr("loadstone.deploy.dependencies.seeded_server.free_port", lambda _: port)
        with pytest.raises(StepFailed) as caught:
            start_redis(place)
    assert caught.value.step == "deploy"
    assert "exited with code 1" in caught.value.reason
    assert "Address already in use" in caught.value.log_tail


def test_a_setting_that_it_does_not_take_is_told_with_its_log(place: Place) -> None:
    options = DependencyOptions(settings={"maxmemory": "much"})
    with pytest.raises(StepFailed) as caught:
        start_redis(replace(place, options=options))
    assert caught.value.step == "deploy"
    assert "maxmemory much" in caught.value.log_tail


def test_a_server_that_is_killed_says_so(store: Redis) -> None:
    os.kill(store.leaders[0].pid, signal.SIGKILL)
    os.waitid(os.P_PID, store.leaders[0].pid, os.WEXITED | os.WNOWAIT)
    assert store.ending() == "was killed by SIGKILL"
    with pytest.raises(StepFailed, match="database cannot be brought to its seed"):
        store.reset()
    with pytest.raises(StepFailed, match="does not tell its work"):
        store.store()


def test_a_machine_without_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_SYSTEM", ())
    monkeypatch.setenv("PATH", "/nowhere")
    mediation = open_catalogue().system("mediation")
    with pytest.raises(Unavailable) as caught:
        require_servers(mediation.model_copy(update={"dependencies": {"cache": "redis"}}))
    assert caught.value.message == "Redis is not here: redis-server is on no PATH"
    assert "scripts/install-redis" in (caught.value.remedy or "")


def test_a_version_that_is_too_old_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    old = tmp_path / "redis-server"
    old.write_text("#!/bin/sh\necho 'Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc-5.2.1'\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"Redis is 6\.0\.16 here, and the lab needs 6\.2"):
        program.find_program()
