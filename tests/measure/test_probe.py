"""What the probe reads, and how it cuts the window out of it."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from loadstone.deploy.confinement.without import confine
from loadstone.machine import procfs
from loadstone.measure.loading.probe import COMPILE_TICKS, SCHEMA, Probe, clocks
from loadstone.measure.loading.usage import cpu_busy, machine, resources
from loadstone.results.record import Window
from loadstone.study.values.model import Limits

SECOND_NS = 10**9
WINDOW = Window(start_ns=2 * SECOND_NS, end_ns=8 * SECOND_NS, warm_up="fixed")


def rows(name: str, kind: str, cpu_share: float, seconds: range) -> list[dict[str, object]]:
    return [
        {
            "unix_ns": 1_000 + second * SECOND_NS,
            "kind": kind,
            "name": name,
            "cpu_ns": int(cpu_share * second * SECOND_NS),
            "throttled_ns": int(0.05 * second * SECOND_NS) if kind == "process" else None,
            "idle_ns": int((0.9 - cpu_share) * second * SECOND_NS),
            "steal_ns": int(0.1 * second * SECOND_NS),
            "rss_bytes": 1_000_000 + second,
            "threads": 4,
            "involuntary_switches": 10 * second,
        }
        for second in seconds
    ]


def test_cpu_time_is_of_the_window_alone_and_interpolated_at_its_edges() -> None:
    table = pl.DataFrame(rows("gateway", "process", 0.75, range(-1, 11, 3)), schema=SCHEMA)
    facts = resources(table, "gateway", WINDOW, 1_000, cpus=1)
    assert facts.cpu_ns == pytest.approx(0.75 * 6 * SECOND_NS)
    assert facts.cpu_share == pytest.approx(0.75)
    assert facts.throttled_share == pytest.approx(0.05)
    assert facts.rss_peak_bytes == 1_000_008
    assert facts.threads_peak == 4
    assert facts.involuntary_switches == 60
    assert facts.major_faults is None


def test_what_an_ended_thread_had_is_no_growth_below_0() -> None:
    told = rows("gateway", "process", 0.75, range(-1, 10))
    for row in told[6:]:  # from 5 s on without a thread that had switched 45 times
        row["involuntary_switches"] -= 45
    table = pl.DataFrame(told, schema=SCHEMA)
    assert resources(table, "gateway", WINDOW, 1_000, cpus=1).involuntary_switches == 50


def test_a_process_that_was_not_seen_over_the_whole_window_has_no_cpu_time() -> None:
    table = pl.DataFrame(rows("gateway", "process", 0.75, range(4)), schema=SCHEMA)
    facts = resources(table, "gateway", WINDOW, 1_000, cpus=1)
    assert facts.cpu_ns is None
    assert facts.cpu_share is None
    assert facts.rss_peak_bytes == 1_000_003
    assert resources(table, "absent", WINDOW, 1_000, cpus=1).rss_peak_bytes is None


def test_the_machine_is_described_over_the_window_alone() -> None:
    table = pl.DataFrame(
        [
            {
                "unix_ns": 1_000 + second * SECOND_NS,
                "kind": "machine",
                "name": "machine",
                "runnable": 9 if second < 2 else 3,
                "load_1": second / 10,
                "load_5": 0.0,
                "load_15": 0.0,
                "cpu_pressure_ns": second * SECOND_NS // 4,
                "disk_read_bytes": 100 * second,
                "disk_written_bytes": 10 * second,
                "swapped_bytes": 4096 * second,
            }
            for second in range(11)
        ],
        schema=SCHEMA,
    )
    facts = machine(table, WINDOW, 1_000)
    assert facts is not None
    assert facts.runnable_mean == 3
    assert facts.load_1 == pytest.approx(0.8)
    assert facts.cpu_pressure_share == pytest.approx(0.25)
    assert facts.disk_bytes == 660
    assert facts.swapped_bytes == 6 * 4096
    assert (facts.io_pressure_share, facts.frequency_hz, facts.clock_jump_ns) == (None, None, None)
    assert machine(table.filter(pl.col("kind") == "cpu"), WINDOW, 1_000) is None


def test_busy_and_stolen_time_are_shares_of_one_cpu() -> None:
    table = pl.DataFrame(
        rows("0", "cpu", 0.5, range(10)) + rows("1", "cpu", 0.9, range(10)), schema=SCHEMA
    )
    first, second = cpu_busy(table, WINDOW, 1_000)
    assert (first.cpu, second.cpu) == (0, 1)
    assert first.busy_share == pytest.approx(0.5)
    assert second.busy_share == pytest.approx(0.9)
    assert first.steal_share == pytest.approx(0.1)


def test_a_real_tick_holds_this_process_and_this_cpu() -> None:
    probe = Probe({"self": os.getpid()}, (0,))
    probe.tick()
    table = probe.table()
    (process,) = table.filter(pl.col("kind") == "process").to_dicts()
    assert process["rss_bytes"] > 1_000_000
    assert process["threads"] >= 1
    assert process["cpu_ns"] > 0
    since_boot_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    assert 0 < process["youngest_start_ns"] < since_boot_ns
    (cpu,) = table.filter(pl.col("kind") == "cpu").to_dicts()
    assert cpu["idle_ns"] > 0
    (machine,) = table.filter(pl.col("kind") == "machine").to_dicts()
    assert machine["runnable"] >= 1
    assert machine["loopback_bytes"] >= 0
    assert machine["swapped_bytes"] >= 0
    assert machine["monotonic_ns"] == process["monotonic_ns"] < time.monotonic_ns()


def stepped(rows_of: list[dict[str, object]], by_ns: int, second: int) -> pl.DataFrame:
    """The rows, as if the wall clock had been set in this second."""
    clocks = [
        {
            "monotonic_ns": row["unix_ns"],
            "unix_ns": row["unix_ns"] + (by_ns if index >= second else 0),
        }
        for index, row in enumerate(rows_of)
    ]
    both = [row | clock for row, clock in zip(rows_of, clocks, strict=True)]
    return pl.DataFrame(both, schema=SCHEMA)


@pytest.mark.parametrize("by_ns", [-3 * SECOND_NS, 0, 60 * SECOND_NS])
def test_a_wall_clock_that_is_set_is_told_and_moves_no_tick(by_ns: int) -> None:
    of_machine = rows("machine", "machine", 0.0, range(10))
    load = dict.fromkeys(("runnable", "load_1", "load_5", "load_15"), 0)
    facts = machine(stepped([each | load for each in of_machine], by_ns, 5), WINDOW, 1_000)
    assert facts is not None
    assert facts.clock_jump_ns == by_ns
    table = stepped(rows("gateway", "process", 0.75, range(10)), by_ns, 5)
    assert resources(table, "gateway", WINDOW, 1_000, cpus=1).cpu_ns == 4.5 * SECOND_NS


def test_two_clocks_are_read_at_one_moment() -> None:
    """Apart by a constant: a test may be preempted between two readings, so the best of many counts."""
    ahead = [unix_ns - monotonic_ns for unix_ns, monotonic_ns in (clocks() for _ in range(50))]
    assert min(abs(after - before) for before, after in pairwise(ahead)) < 1_000_000


def test_switches_of_all_threads_are_counted() -> None:
    ready, leave = threading.Event(), threading.Event()

    def switch() -> None:
        for _ in range(200):
            time.sleep(0)
            os.sched_yield()
            time.sleep(0.0001)
        ready.set()
        leave.wait()

    before = procfs.process_counters(os.getpid(), with_children=False)
    thread = threading.Thread(target=switch)
    thread.start()
    assert ready.wait(30)
    after = procfs.process_counters(os.getpid(), with_children=False)
    leave.set()
    thread.join()
    assert before is not None
    assert after is not None
    assert after.voluntary_switches - before.voluntary_switches >= 200


def test_cpu_time_is_counted_below_the_ticks_of_the_kernel() -> None:
    code = "import sys, time; print(time.process_time_ns(), flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        itself_ns = int(child.stdout.readline())
        counters = procfs.process_counters(child.pid, with_children=False)
    assert counters is not None
    assert counters.cpu_ns >= itself_ns
    assert counters.cpu_ns % procfs.TICK_NS


def test_memory_that_is_shared_is_divided_among_its_users() -> None:
    pss = procfs.proportional_memory_bytes([os.getpid()])
    counters = procfs.process_counters(os.getpid(), with_children=False)
    assert counters is not None
    assert pss is None or 0 < pss <= counters.rss_bytes * 1.1


def test_a_process_that_is_gone_leaves_no_row() -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    probe = Probe({"gone": gone.pid}, ())
    probe.tick()
    assert probe.table()["kind"].to_list() == ["machine"]


def test_a_group_is_the_leader_and_all_below_it_but_the_lab_is_counted_alone() -> None:
    inner = "print(1, flush=True); input()"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    leader = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert leader.stdout is not None
    assert leader.stdin is not None
    assert leader.stdout.readline() == b"1\n"
    probe = Probe({"group": leader.pid, "self": os.getpid()}, ())
    probe.tick()
    leader.stdin.close()
    leader.wait()
    leader.stdout.close()
    processes = probe.table().filter(pl.col("kind") == "process")
    counted = {row["name"]: row["processes"] for row in processes.to_dicts()}
    assert counted == {"group": 2, "self": 1}


def test_compile_threads_are_looked_at_once_a_second_in_the_groups_that_have_them() -> None:
    program = Path(__file__).parents[1] / "machine" / "named_threads.py"
    with subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as service:
        assert service.stdin is not None
        assert service.stdout is not None
        for command in ("start compiler JITWorker", "burn compiler 100000000"):
            service.stdin.write(f"{command}\n")
            service.stdin.flush()
            service.stdout.readline()
        leaders = {"service": service.pid, "other": service.pid, "self": os.getpid()}
        probe = Probe(
            leaders, (), compile_threads={"service": ("JITWorker", "JSCWarmUp"), "other": ()}
        )
        for _ in range(2 * COMPILE_TICKS):
            probe.tick()
        service.stdin.close()
    rows = {name: probe.table().filter(pl.col("name") == name) for name in leaders}
    looked = rows["service"].with_row_index().filter(pl.col("compile_run_ns").is_not_null())
    if looked.is_empty():
        pytest.skip("this kernel does not tell how long a thread ran")
    assert looked["index"].to_list() == [0, COMPILE_TICKS]
    assert looked["compile_wait_ns"].null_count() == 0
    # In the first look the thread may still be running, which the kernel counts by its ticks.
    first, second = looked["compile_run_ns"].to_list()
    assert 50_000_000 < first <= second
    for other in ("other", "self"):
        assert rows[other]["compile_run_ns"].null_count() == 2 * COMPILE_TICKS


def test_what_was_seen_of_a_group_can_be_asked_for_while_the_probe_ticks() -> None:
    probe = Probe({"self": os.getpid()}, (0,))
    probe.tick()
    early = probe.counters("self")
    probe.tick()
    assert len(early) == 1
    latest = probe.counters("self")
    columns = ["unix_ns", "monotonic_ns", "cpu_ns", "compile_run_ns", "compile_wait_ns"]
    table = probe.table().filter(pl.col("kind") == "process")
    assert [tuple(each) for each in latest] == table.select(columns).rows()
    assert latest[:1] == early
    assert probe.counters("gone") == []


def test_a_ticking_probe_takes_rows_in_a_thread_that_gives_way_and_ends() -> None:
    before = threading.active_count()
    probe = Probe({"self": os.getpid()}, ())
    policies = []
    take = probe.tick

    def tick() -> None:
        policies.append(os.sched_getscheduler(0))
        take()
        taken.release()

    taken = threading.Semaphore(0)
    probe.tick = tick  # type: ignore[method-assign]
    with probe.ticking():
        assert len(policies) == 1, "the load that follows has a beginning"
        assert all(taken.acquire(timeout=30) for _ in range(2))
    assert policies[0] == os.SCHED_OTHER
    assert set(policies[1:]) == {os.SCHED_IDLE}
    assert probe.table().filter(pl.col("kind") == "process").height == len(policies)
    assert probe.facts().cpu_ns > 0
    assert threading.active_count() == before
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_a_service_that_the_lab_was_started_from_does_not_hold_the_lab() -> None:
    found = list(procfs.with_descendants(os.getppid()))
    assert found[0] == os.getppid()
    assert os.getpid() not in found


@contextmanager
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has done something, and waits."""
    command = [sys.executable, "-c", "print(1, flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"1\n"
        yield child
        child.kill()


def test_a_group_that_came_later_had_used_nothing_before() -> None:
    probe = Probe({"self": os.getpid()}, ())
    probe.tick()
    with waiting() as child:
        probe.watch("later", child.pid, confine(Limits(), "not asked for"))
        probe.tick()
    rows = {name: probe.table().filter(pl.col("name") == name) for name in ("self", "later")}
    assert rows["later"]["monotonic_ns"].is_sorted()
    assert rows["later"]["monotonic_ns"][0] == rows["self"]["monotonic_ns"][0]
    assert rows["later"]["monotonic_ns"][-1] == rows["self"]["monotonic_ns"][-1]
    assert rows["later"]["processes"].to_list() == [0, 0, 1]
    assert rows["later"]["rss_bytes"].to_list()[:2] == [0, 0]
    assert rows["later"]["youngest_start_ns"][-1] > 0
    assert len(probe.counters("later")) == 1


@pytest.mark.parametrize("is_expected", [True, False])
def test_what_a_group_used_that_was_ended_on_purpose_stays(is_expected: bool) -> None:
    with waiting() as child:
        probe = Probe({"ended": child.pid}, ())
        probe.tick()
        if is_expected:
            probe.let_go("ended")
    probe.tick()
    rows = probe.table().filter(pl.col("name") == "ended")
    assert rows["processes"].to_list() == ([1, 0] if is_expected else [1])
    if is_expected:
        assert rows["rss_bytes"][1] == 0
        assert rows["cpu_ns"][1] == rows["cpu_ns"][0]
        assert rows["monotonic_ns"][1] > rows["monotonic_ns"][0]


def test_rows_of_another_machine_stand_behind_its_own() -> None:
    here, there = Probe({"gateway": os.getpid()}, ()), Probe({"relay": os.getpid()}, ())
    here.tick()
    there.tick()
    processes = there.table().filter(pl.col("kind") == "process")
    here.add(processes.with_columns(pl.lit("b").alias("machine")))
    assert here.table().filter(pl.col("kind") == "process")["name"].to_list() == [
        "gateway",
        "relay",
    ]


def test_a_group_that_was_started_again_is_followed() -> None:
    with waiting() as first:
        probe = Probe({"database": first.pid}, ())
        probe.tick()
    probe.tick()
    with waiting() as second:
        probe.follow("database", second.pid)
        probe.tick()
    rows = probe.table().filter(pl.col("name") == "database")
    assert rows["processes"].to_list() == [1, 1]
    before, after = rows["youngest_start_ns"].to_list()
    assert before < after
