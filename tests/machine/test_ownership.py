"""Processes of a lab that was killed are found by their mark, and only those."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from loadstone.machine import ownership

SLEEP = [sys.executable, "-c", "print('up', flush=True); import time; time.sleep(60)"]
KILLED_LAB = """
import pathlib, sys, time
from loadstone.deploy import process
child = process.start("orphan", sys.argv[2:], directory=pathlib.Path("/"),
                      log_path=pathlib.Path(sys.argv[1]), cpus=())
print(child.pid, flush=True)
time.sleep(60)
"""


def marked(owner: str) -> "subprocess.Popen[bytes]":
    """Start a sleeping process with an owner's mark, and wait until it runs its own program."""
    child = subprocess.Popen(
        SLEEP, stdout=subprocess.PIPE, env={**os.environ, ownership.VARIABLE: owner}
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    child.stdout.close()
    return child


def test_what_a_killed_lab_left_is_swept(tmp_path: Path) -> None:
    lab = subprocess.Popen(
        [sys.executable, "-c", KILLED_LAB, str(tmp_path / "log"), *SLEEP], stdout=subprocess.PIPE
    )
    assert lab.stdout is not None
    orphan = psutil.Process(int(lab.stdout.readline()))
    assert orphan.pid not in {leftover.pid for leftover in ownership.sweep()}, "its lab still lives"
    lab.send_signal(signal.SIGKILL)
    lab.wait()
    lab.stdout.close()
    assert orphan.pid in {leftover.pid for leftover in ownership.sweep()}
    psutil.wait_procs([orphan], timeout=10)
    assert not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize(("pid", "started"), [(4194305, "1"), (1, "0")])
def test_a_mark_whose_owner_is_gone_or_another_process_is_swept(pid: int, started: str) -> None:
    child = marked(ownership.mark_of(pid, started))
    assert child.pid in {leftover.pid for leftover in ownership.sweep()}
    assert child.wait(10) == -signal.SIGKILL


def test_a_process_without_the_mark_bears_that_of_whoever_started_it() -> None:
    unmarked = f"env -u {ownership.VARIABLE} sh -c 'echo $$; exec sleep 60' & wait"
    parent = subprocess.Popen(
        ["sh", "-c", unmarked],
        stdout=subprocess.PIPE,
        env={**os.environ, ownership.VARIABLE: ownership.mark_of(4194305, "1")},
    )
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.stdout.close()
    assert {parent.pid, child.pid} <= {leftover.pid for leftover in ownership.sweep()}
    assert parent.wait(10) == -signal.SIGKILL
    psutil.wait_procs([child], timeout=10)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("owner", ["somebody", "1.4194305:1"])
def test_a_mark_that_is_none_or_of_another_namespace_is_left_alone(owner: str) -> None:
    child = marked(owner)
    try:
        assert child.pid not in {leftover.pid for leftover in ownership.sweep()}
        assert child.poll() is None
    finally:
        child.kill()
        child.wait()


def test_a_process_that_is_gone_has_no_start_time() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert ownership.start_time(child.pid) is None
    assert ownership.start_time(os.getpid()) is not None


def test_temporary_folders_of_a_killed_lab_are_removed_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead, foreign = tmp_path / "loadstone-4194305-1-abc", tmp_path / "loadstone-notes"
    for directory in (dead, foreign):
        directory.mkdir()
    with ownership.scratch_directory() as own:
        assert ownership.sweep_scratch() == (dead,)
        assert own.is_dir()
    assert [path.name for path in tmp_path.iterdir()] == ["loadstone-notes"]
