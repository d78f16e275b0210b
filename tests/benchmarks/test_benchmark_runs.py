"""Real children: their end, their account, what is done to them while they run."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from benchmarks.engine import cpu
from benchmarks.engine.generator_run import Command, Disturbance, Ended, run
from benchmarks.engine.memory_watch import MemoryWatch
from benchmarks.engine.servers import black_hole
from loadstone.errors import LoadstoneError
from loadstone.machine import ownership

CHECKOUT = Path(__file__).parents[2]


def shell(script: str) -> Command:
    return Command(["sh", "-c", script], input_text="given\n")


def test_output_input_and_exit_code_of_a_generator_are_kept(tmp_path: Path) -> None:
    ended = run(shell("cat; echo wrong >&2; exit 3"), tmp_path, seconds=1)
    assert (ended.code, ended.stdout, ended.stderr) == (3, "given\n", "wrong\n")
    with pytest.raises(LoadstoneError, match="tool ended with 3: wrong"):
        ended.stdout_or_fail("tool")


def test_the_account_of_a_generator_holds_its_children(tmp_path: Path) -> None:
    burn = "python3 -c 'import time\nwhile time.process_time() < 0.3: pass'"
    ended = run(shell(f"{burn} & wait"), tmp_path, seconds=5)
    assert ended.cpu_ns >= 300_000_000


def test_disturbances_come_in_the_order_of_their_times_and_know_the_generator(
    tmp_path: Path,
) -> None:
    seen: list[str] = []
    pids: set[int] = set()

    def note(text: str) -> Disturbance:
        def act(pid: int) -> None:
            seen.append(text)
            pids.add(pid)

        return Disturbance(float(len(text)) / 100, act)

    end = Disturbance(0.05, lambda pid: os.kill(pid, signal.SIGTERM))
    disturbances = [note("bb"), note("a"), end]
    ended = run(shell("exec sleep 60"), tmp_path, seconds=60, disturbances=disturbances)
    assert seen == ["a", "bb"]
    assert len(pids) == 1
    assert ended.code == -signal.SIGTERM


def test_a_generator_that_does_not_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.engine.generator_run.PATIENCE_SECONDS", 0.0)
    ended: Ended = run(shell("exec sleep 60"), tmp_path, seconds=0)
    assert ended.code == -signal.SIGKILL


def test_kernel_accounts_that_are_new_count_from_zero_and_those_gone_do_not() -> None:
    assert cpu.grown_ns({1: 100, 2: 50}, {1: 130, 3: 7}) == 37
    assert cpu.kernel_threads_ns(0)


def test_memory_grows_from_the_moment_that_is_settled_to_the_last_look() -> None:
    watch = MemoryWatch(seconds=11, bytes_by_second=[1, 5, 5, 5, 5, 5, 5, 5, 5, 8])
    assert [look.at_seconds for look in watch.looks()] == list(range(1, 11))
    assert watch.growth_bytes(0.1) == 3
    assert MemoryWatch(seconds=1).growth_bytes(0.1) is None
    assert cpu.resident_bytes(os.getpid()) > 0


def test_a_black_hole_accepts_and_never_answers() -> None:
    with black_hole() as address:
        host, _, port = address.rpartition(":")
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
            connection.setblocking(False)
            with pytest.raises(BlockingIOError):
                connection.recv(1)


def workbench() -> Path:
    build = ["cargo", "build", "--quiet", "--locked", "--package", "loadstone-workbench"]
    subprocess.run(build, cwd=CHECKOUT, check=True)
    return CHECKOUT / "target" / "debug" / "loadstone-workbench"


def benchmark(results: Path, *options: str) -> "subprocess.Popen[str]":
    common = ["--workbench", str(workbench()), "--results", str(results)]
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.engine", *common, *options],
        cwd=CHECKOUT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def left_by(pid: int) -> list[psutil.Process]:
    mark = f"{ownership.VARIABLE}={pid}:"
    left = []
    for process in psutil.process_iter():
        try:
            environment = Path(f"/proc/{process.pid}/environ").read_text(errors="replace")
        except OSError:
            continue
        if f"\0{mark}" in f"\0{environment}":
            left.append(process)
    return left


@pytest.mark.slow
def test_one_round_of_throughput_writes_its_table_and_leaves_no_process(tmp_path: Path) -> None:
    options = ("--only", "throughput", "--rounds", "1", "--seconds", "1", "--rows", "bare loop")
    command = benchmark(tmp_path, *options)
    output, errors = command.communicate(timeout=120)
    assert command.returncode == 0, errors
    assert "| h1c 64, minimal, bare loop " in output
    (figures,) = tmp_path.glob("bench-engine-*/throughput.json")
    assert '"generator_cpu_ns"' in figures.read_text()
    assert left_by(command.pid) == []


@pytest.mark.slow
def test_a_signal_in_mid_load_ends_the_benchmark_and_all_that_it_started(tmp_path: Path) -> None:
    command = benchmark(tmp_path, "--only", "memory", "--memory-seconds", "60")
    assert command.stderr is not None
    assert "memory" in command.stderr.readline()
    command.send_signal(signal.SIGINT)
    _, errors = command.communicate(timeout=60)
    assert command.returncode == 2
    assert "stopped by SIGINT" in errors
    assert left_by(command.pid) == []
