"""Children start where they should, and stop with all their children."""

import os
import sys
from pathlib import Path

import psutil
import pytest

from loadstone.deploy import process
from loadstone.deploy.placement import available_cpus


def start_python(directory: Path, code: str, cpus: tuple[int, ...] = ()) -> process.Child:
    return process.start(
        "child",
        [sys.executable, "-c", code],
        directory=directory,
        log_path=directory / "child.log",
        cpus=cpus,
        pipe_output=True,
    )


def test_a_child_runs_on_its_cpus_and_the_lab_keeps_its_own(tmp_path: Path) -> None:
    before = os.sched_getaffinity(0)
    last = available_cpus()[-1]
    child = start_python(tmp_path, "import time; time.sleep(60)", cpus=(last,))
    with process.running(child):
        assert child.cpus() == (last,)
    assert os.sched_getaffinity(0) == before
    assert child.cpus() == ()


def test_a_child_that_ignores_sigterm_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "STOP_GRACE_SECONDS", 0.1)
    code = """
import signal, subprocess, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print("inner", inner.pid, flush=True)
inner.wait()
"""
    child = start_python(tmp_path, code)
    inner = psutil.Process(int(process.wait_for_line(child, "inner ", 30)))
    child.stop()
    assert child.ending() == "was killed by SIGKILL"
    psutil.wait_procs([inner], timeout=10)
    assert not inner.is_running() or inner.status() == psutil.STATUS_ZOMBIE


def test_the_end_of_a_child_is_told_in_words_with_its_last_lines(tmp_path: Path) -> None:
    child = start_python(
        tmp_path, "import sys; print('why it ended', file=sys.stderr); sys.exit(7)"
    )
    child.process.wait()
    assert child.ending() == "exited with code 7"
    assert child.log_tail() == "why it ended"
    child.stop()


def test_a_line_that_never_comes_is_a_timeout(tmp_path: Path) -> None:
    child = start_python(tmp_path, "import time; time.sleep(60)")
    with process.running(child), pytest.raises(TimeoutError, match="did not say 'listening '"):
        process.wait_for_line(child, "listening ", 0.1)


def test_a_child_that_ends_before_its_line_is_told_apart_from_a_slow_one(tmp_path: Path) -> None:
    child = start_python(tmp_path, "print('something else')")
    with (
        process.running(child),
        pytest.raises(ChildProcessError, match="exited with code 0 before it said 'listening '"),
    ):
        process.wait_for_line(child, "listening ", 30)


def test_the_last_words_of_a_child_count(tmp_path: Path) -> None:
    child = start_python(tmp_path, "print('listening at last')")
    child.process.wait()
    with process.running(child):
        assert process.wait_for_line(child, "listening ", 30) == "at last"


def test_the_tail_of_a_log_has_no_colours(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("\x1b[2mstarted\x1b[0;39m \x1b[32m INFO\x1b[m\n")
    assert process.tail(log) == "started  INFO"


def test_the_tail_of_a_log_is_bounded(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("".join(f"line {number}\n" for number in range(10_000)))
    lines = process.tail(log).splitlines()
    assert len(lines) == process.LOG_TAIL_LINES
    assert lines[-1] == "line 9999"
    assert process.tail(tmp_path / "absent") == ""
