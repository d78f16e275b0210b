"""Dependencies: every kind can be started, and what belongs to one goes with it."""

import os
import pwd
import signal
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import get_args

import psutil
import pytest

from loadstone.deploy.dependencies.data import DataDirectory
from loadstone.deploy.dependencies.echo import start_echo
from loadstone.deploy.dependencies.interface import Dependency, Place, Seed
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.errors import StepFailed
from loadstone.machine import ownership
from loadstone.study.values.dependency import DependencyKind

ROOT_ONLY = pytest.mark.skipif(os.getuid() != 0, reason="only root may give files away")
KILLED_LAB = """
import time
from loadstone.deploy.dependencies.data import DataDirectory
data = DataDirectory()
print(data.path, flush=True)
time.sleep(600)
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place("backend", tuple(sorted(os.sched_getaffinity(0)))[:1], tmp_path, cache=tmp_path)


def test_every_kind_that_a_system_may_name_can_be_started() -> None:
    assert set(KINDS) == set(get_args(DependencyKind))


def test_an_echo_stands_where_it_says_and_tells_what_it_is(place: Place) -> None:
    echo: Dependency = start_echo(place)
    try:
        with urllib.request.urlopen(echo.url, data=b"the same") as answer:
            assert answer.read() == b"the same"
        (leader,) = echo.leaders
        assert psutil.pid_exists(leader.pid)
        assert leader.cpus == place.cpus
        for name, value in echo.settings.items():
            assert f"--{name} {value}" in leader.command
        assert echo.ending() is None
        echo.seed()
        echo.reset()
    finally:
        echo.stop()
    assert not psutil.pid_exists(leader.pid)
    echo.stop()


def test_an_echo_that_was_killed_says_so(place: Place) -> None:
    echo = start_echo(place)
    try:
        os.kill(echo.leaders[0].pid, signal.SIGKILL)
        os.waitid(os.P_PID, echo.leaders[0].pid, os.WEXITED | os.WNOWAIT)
        assert echo.ending() == "was killed by SIGKILL"
    finally:
        echo.stop()


def test_an_echo_refuses_data(place: Place, tmp_path: Path) -> None:
    files = (tmp_path / "seed" / "backend" / "rows.sql",)
    echo = start_echo(replace(place, seed=Seed(files)))
    try:
        with pytest.raises(StepFailed) as caught:
            echo.seed()
    finally:
        echo.stop()
    assert caught.value.step == "seed"
    assert f"{tmp_path}/seed/backend" in caught.value.reason


def test_a_data_directory_is_private_and_goes_with_all_that_is_in_it() -> None:
    data = DataDirectory()
    assert data.path.stat().st_mode & 0o777 == 0o700
    (data.path / "base").mkdir()
    (data.path / "base" / "table").write_text("rows")
    scratch = data.path.parent
    data.remove()
    assert not scratch.exists()
    data.remove()


@ROOT_ONLY
def test_a_data_directory_of_another_user_can_be_used_by_that_user_and_is_removed() -> None:
    nobody = pwd.getpwnam("nobody")
    data = DataDirectory("nobody")
    try:
        as_nobody = ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}"]
        command = [*as_nobody, "--clear-groups", "touch", str(data.path / "table")]
        subprocess.run(command, check=True, cwd="/")
        assert (data.path / "table").stat().st_uid == nobody.pw_uid
    finally:
        data.remove()
    assert not data.path.parent.exists()


def test_a_data_directory_of_nobody_known_is_refused_and_none_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(StepFailed, match="there is no user no-such-user"):
        DataDirectory("no-such-user")
    assert list(tmp_path.iterdir()) == []


def test_the_data_directory_of_a_killed_lab_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lab = subprocess.Popen(
        [sys.executable, "-c", KILLED_LAB],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert lab.stdout is not None
    path = Path(lab.stdout.readline().decode().strip())
    assert ownership.sweep_scratch() == (), "its lab still lives"
    lab.kill()
    lab.wait()
    lab.stdout.close()
    assert ownership.sweep_scratch() == (path.parent,)
    assert not path.exists()
