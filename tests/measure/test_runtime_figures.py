"""Figures from inside real runtimes, against what the programs count themselves."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from loadstone.deploy import process
from loadstone.errors import Unavailable
from loadstone.measure.runtime_figures.collect import collect_runtime_figures
from loadstone.measure.runtime_figures.full_collection import writer_of
from loadstone.results.runtime_figures import RuntimeFigures
from loadstone.study.systems.availability import require_runtime
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.launch import FoundRuntime, gc_log_path, with_gc_log
from plain_stack import stack

CHECKOUT = Path(__file__).parents[2]
MEBIBYTE = 1 << 20
MICROSECOND_NS = 10**3
MILLISECOND_NS = 10**6


def runtime_here(name: str) -> FoundRuntime:
    try:
        return require_runtime(Catalogue(CHECKOUT).runtime(name))
    except Unavailable as error:
        pytest.skip(error.message)


@dataclass
class Service:
    """A program that has churned, and now waits."""

    runtime: FoundRuntime
    child: process.Child
    logs: Path
    said: dict[str, list[int]]
    """Name to the numbers that it printed behind it."""
    window_unix_ns: tuple[int, int]
    """From its spawn until it had counted."""

    def figures(self) -> RuntimeFigures:
        return collect_runtime_figures(self.runtime, self.child, self.logs, self.window_unix_ns)


@contextmanager
def running(
    runtime: FoundRuntime, run: str, logs: Path, last: str, before: str = "", behind: str = ""
) -> Iterator[Service]:
    """Start a stack as a deployment does, between `before` and `behind`, and read until `last`."""
    logs.mkdir(parents=True, exist_ok=True)
    command = with_gc_log(runtime.run_command(stack(run)), gc_log_path(logs, "churn"))
    began_ns = time.time_ns()
    child = process.start(
        "churn",
        ["sh", "-c", f"{before} {command} {behind}"] if before or behind else command,
        directory=logs,
        log_path=logs / "churn.log",
        cpus=(),
        variables=runtime.service_variables(os.environ["PATH"]),
        pipe_output=True,
    )
    with process.running(child):
        said: dict[str, list[int]] = {}
        while last not in said:
            line = child.stdout.readline().decode()
            assert line, child.log_tail()
            if "\t" in line:
                name, *numbers = line.rstrip().split("\t")
                said[name] = [int(number) for number in numbers]
        yield Service(runtime, child, logs, said, (began_ns, time.time_ns()))


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled program, for the oldest of the JVMs."""
    home = runtime_here("openjdk-17").home
    assert home is not None
    directory = tmp_path_factory.mktemp("classes")
    source = Path(__file__).parent / "gc_logs" / "Churn.java"
    subprocess.run([home / "bin" / "javac", "-d", directory, source], check=True)
    return directory


@contextmanager
def churning(runtime: FoundRuntime, classes: Path, logs: Path, options: str) -> Iterator[Service]:
    """A JVM below a shell, with a pipe as its standard input."""
    logs.mkdir(parents=True)
    pipe = logs / "pipe"
    os.mkfifo(pipe)
    run = f"java -Xmx64m {options} -cp {shlex.quote(str(classes))} Churn 200000 3"
    # The shell holds both ends of it: nobody waits for the other one, and it never ends.
    below = {"before": "exec 0<>pipe;", "behind": "; exit $?"}
    with running(runtime, run, logs, "nanoTime", **below) as service:
        counted_unix_ns = service.said["nanoTime"][0] + time.time_ns() - time.monotonic_ns()
        service.window_unix_ns = (service.window_unix_ns[0], counted_unix_ns)
        yield service


def jvm_of(service: Service) -> int:
    pid = writer_of(gc_log_path(service.logs, "churn"), service.child.pid)
    assert pid is not None
    return pid


def left_by(pid: int, logs: Path) -> list[Path]:
    """The files by which a JVM meets who asks it something; they are in /tmp wherever TMPDIR is."""
    found = [Path("/tmp") / f".java_pid{pid}"]
    found += [directory / f".attach_pid{pid}" for directory in (logs, Path("/tmp"))]
    return [path for path in found if path.exists()]


JVMS = ("openjdk-17", "openjdk-25")
COLLECTORS = ("Serial", "Parallel")  # whose beans count every pause, and nothing else


@pytest.mark.parametrize("collector", COLLECTORS)
@pytest.mark.parametrize("name", JVMS)
def test_a_jvms_pauses_and_heap_are_those_that_it_counts_itself(
    name: str, collector: str, classes: Path, tmp_path: Path
) -> None:
    logs = tmp_path / "logs: of a run"  # blanks and colons mean something in -Xlog
    with churning(runtime_here(name), classes, logs, f"-XX:+Use{collector}GC") as service:
        figures = service.figures()
        counted = [numbers for numbers in service.said.values() if len(numbers) == 2]
        (logs / "pipe").write_bytes(b"\n")
        used_bytes = int(service.child.stdout.readline().split(b"\t")[1])
    pauses, halts = figures.gc_pauses, figures.safepoints
    assert pauses is not None
    assert halts is not None
    assert pauses.count == sum(count for count, _ in counted) >= 3 + 3
    assert figures.collections is not None
    assert figures.unread_collections == 0
    beans_ns = sum(total_ms for _, total_ms in counted) * MILLISECOND_NS
    # Two beans keep whole milliseconds, and begin and end a little beside the line of the log.
    assert abs(beans_ns - pauses.total_ns) <= 0.1 * beans_ns + 2 * MILLISECOND_NS
    assert halts.total_ns >= pauses.total_ns
    begin_ns, end_ns = service.window_unix_ns
    assert pauses.share == pauses.total_ns / (end_ns - begin_ns)
    assert figures.gc_not_measured is None
    assert figures.heap_not_measured is None
    assert figures.heap_after_full_gc_bytes is not None
    # What printing the answer itself allocated is in the second.
    assert 0 <= used_bytes - figures.heap_after_full_gc_bytes <= MEBIBYTE
    assert "Pause Full (Diagnostic Command)" in gc_log_path(logs, "churn").read_text()


def test_the_window_is_cut_by_the_clock_of_the_load(classes: Path, tmp_path: Path) -> None:
    with churning(runtime_here("openjdk-25"), classes, tmp_path / "logs", "") as service:
        whole = service.figures()
        begin_ns, end_ns = service.window_unix_ns
        service.window_unix_ns = (begin_ns - 10**9, begin_ns)
        before = service.figures()
        service.window_unix_ns = (end_ns - MILLISECOND_NS, end_ns)
        behind = service.figures()
    assert whole.gc_pauses is not None
    assert before.gc_pauses is not None
    assert behind.gc_pauses is not None
    assert whole.gc_pauses.count > 0
    assert before.gc_pauses.count == 0
    assert behind.gc_pauses.count < whole.gc_pauses.count


def test_without_a_window_there_is_a_heap_and_a_reason(classes: Path, tmp_path: Path) -> None:
    with churning(runtime_here("openjdk-25"), classes, tmp_path / "logs", "") as service:
        figures = collect_runtime_figures(service.runtime, service.child, service.logs, None)
    assert figures.gc_pauses is None
    assert figures.gc_not_measured == "the run has no window"
    assert figures.heap_after_full_gc_bytes is not None


def test_a_jvm_that_refuses_jcmd_has_pauses_and_a_reason_for_no_heap(
    classes: Path, tmp_path: Path
) -> None:
    options = "-XX:+DisableAttachMechanism"
    with churning(runtime_here("openjdk-25"), classes, tmp_path / "logs", options) as service:
        figures = service.figures()
    assert figures.gc_pauses is not None
    assert figures.heap_after_full_gc_bytes is None
    assert figures.heap_not_measured is not None
    assert "does not support the attach mechanism" in figures.heap_not_measured


def test_a_jvm_that_hangs_costs_bounded_time_and_leaves_no_jcmd(
    classes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collect = "loadstone.measure.runtime_figures.full_collection"
    monkeypatch.setattr(f"{collect}.TIMEOUT_SECONDS", 0.5)
    logs = tmp_path / "logs"
    with churning(runtime_here("openjdk-25"), classes, logs, "") as service:
        jvm = jvm_of(service)
        os.killpg(service.child.pid, signal.SIGSTOP)
        figures = service.figures()
        os.killpg(service.child.pid, signal.SIGCONT)
    assert left_by(jvm, logs) == []
    assert figures.gc_pauses is not None
    assert figures.heap_not_measured == "jcmd had not ended after 0.5 s"
    assert not [pid for pid in Path("/proc").glob("[0-9]*") if asks(pid, jvm)]


@pytest.mark.parametrize("name", JVMS)
def test_a_jvm_that_is_killed_when_it_was_asked_twice_leaves_no_file(
    name: str, classes: Path, tmp_path: Path
) -> None:
    with churning(runtime_here(name), classes, tmp_path / "logs", "") as service:
        jvm = jvm_of(service)
        assert all(service.figures().heap_not_measured is None for _ in range(2))
        os.killpg(service.child.pid, signal.SIGKILL)
    assert left_by(jvm, service.logs) == []


def asks(process_directory: Path, jvm: int) -> bool:
    """Whether a process is a jcmd that asks this JVM."""
    try:
        program, *words = (process_directory / "cmdline").read_text(errors="replace").split("\0")
    except OSError:
        return False
    return "jcmd" in program and str(jvm) in words


def test_a_jvm_that_has_ended_keeps_its_pauses(classes: Path, tmp_path: Path) -> None:
    with churning(runtime_here("openjdk-17"), classes, tmp_path / "logs", "") as service:
        os.killpg(service.child.pid, signal.SIGKILL)
        service.child.process.wait()
        figures = service.figures()
    assert figures.gc_pauses is not None
    assert figures.gc_pauses.count > 0
    assert figures.heap_not_measured == "no process of churn has churn-gc.log open"


def test_a_service_that_wrote_no_log_has_a_reason(tmp_path: Path) -> None:
    child = process.start(
        "churn", ["sleep", "60"], directory=tmp_path, log_path=tmp_path / "churn.log", cpus=()
    )
    window = (time.time_ns() - 10**9, time.time_ns())
    with process.running(child):
        figures = collect_runtime_figures(runtime_here("openjdk-17"), child, tmp_path, window)
    assert figures.gc_pauses is None
    assert figures.gc_not_measured == "churn-gc.log cannot be read: No such file or directory"
    assert figures.heap_not_measured == "no process of churn has churn-gc.log open"


@pytest.mark.alone
def test_gos_halts_are_those_that_it_counts_itself(tmp_path: Path) -> None:
    runtime = runtime_here("go")
    sources = tmp_path / "go_churn"
    shutil.copytree(Path(__file__).parent / "go_churn", sources)
    subprocess.run(["go", "build", "-o", "churn", "."], cwd=sources, check=True)
    with running(runtime, f"{sources}/churn 200000 3", tmp_path / "logs", "counted") as service:
        begin_ns, end_ns = service.window_unix_ns
        service.window_unix_ns = (begin_ns - 10**8, end_ns + 10**8)  # known to a tick of 10 ms
        figures = service.figures()
    collections, halted_ns = service.said["counted"]
    assert figures.source == "go-gctrace"
    assert figures.collections == collections >= 3
    assert figures.unread_collections == 0
    assert figures.gc_pauses is not None
    assert figures.gc_pauses.count == 2 * collections
    # Its trace holds the way to the halt, too, which is long where the CPU is another's.
    slack_ns = 10 * MILLISECOND_NS
    # It cuts each halt off to whole microseconds, or to two digits: of halts of 15 us that is much.
    cut_off_ns = figures.gc_pauses.count * MICROSECOND_NS
    least_ns = 0.9 * halted_ns - cut_off_ns
    assert least_ns <= figures.gc_pauses.total_ns <= 1.2 * halted_ns + slack_ns
    assert figures.collector_cpu_ns is not None
    assert figures.collector_cpu_ns > 0
    assert figures.heap_not_measured == "Go does not let its heap be collected from outside"


def test_a_program_that_traces_no_collection_is_not_said_to_have_had_none(tmp_path: Path) -> None:
    runtime = runtime_here("go")
    with running(
        runtime, "printf 'ready\\t1\\n'; sleep 60", tmp_path, "ready", before=":;"
    ) as idle:
        figures = idle.figures()
    assert figures.gc_pauses is None
    assert figures.gc_not_measured == "churn.log tells of no collection at all"


@pytest.mark.parametrize("name", ["bun", "cpython", "deno", "graalvm-native", "node", "rust"])
def test_a_runtime_that_tells_nothing_says_why(name: str, tmp_path: Path) -> None:
    runtime = Catalogue(CHECKOUT).runtime(name)
    assert runtime.exposes is not None
    child = process.Child("churn", subprocess.Popen(["true"]), tmp_path / "log", "true", 0)
    child.process.wait()
    found = FoundRuntime(runtime=runtime, version="1", home=None)
    figures = collect_runtime_figures(found, child, tmp_path, (0, 1))
    assert figures.gc_pauses is None
    assert figures.gc_not_measured == figures.heap_not_measured == runtime.exposes.nothing
    assert figures.gc_not_measured
