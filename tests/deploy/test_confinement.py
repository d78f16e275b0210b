"""Control groups on the real kernel where it lets us make them, and the files of other kernels."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loadstone.deploy import process
from loadstone.deploy.confinement import choose, files, lab_groups, version2, without
from loadstone.deploy.confinement.interface import Confinement
from loadstone.deploy.confinement.own_group import own_groups
from loadstone.errors import Unavailable
from loadstone.machine import ownership
from loadstone.study.values.model import Limits

MEGABYTE = 1024 * 1024
SPIN = "import time\nend = time.process_time() + 30\nwhile time.process_time() < end: pass"
FILL = "blocks = []\nwhile True: blocks.append(bytearray(b'x' * 1048576))"
SLEEP = "import time\nprint('up', flush=True)\ntime.sleep(60)"

Start = Callable[..., tuple[process.Child, Confinement]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Give a function that starts Python code in a control group of its own."""
    how, confine, _ = choose.choose(choose.own_groups_here())
    if how == "affinity and rlimits":
        pytest.skip("no control group can be made here")
    made: list[tuple[process.Child, Confinement]] = []

    def start_code(code: str, **limits: float) -> tuple[process.Child, Confinement]:
        confinement = confine("service", Limits.model_validate(limits))
        child = process.start(
            "service",
            [sys.executable, "-c", code],
            directory=tmp_path,
            log_path=tmp_path / "service.log",
            cpus=(),
            confinement=confinement,
        )
        made.append((child, confinement))
        return child, confinement

    yield start_code
    for child, confinement in made:
        confinement.remove()
        child.stop()


def groups_left() -> list[Path]:
    """Return the groups below the own ones that carry this process's mark."""
    owner = ownership.mark().replace(":", "-")
    parents = set(choose.own_groups_here().values())
    return [path for parent in parents for path in parent.glob(f"loadstone-{owner}-*-service")]


def test_a_service_above_its_memory_limit_is_killed_and_the_kill_is_counted(start: Start) -> None:
    child, confinement = start(FILL, memory_bytes=64 * MEGABYTE)
    assert child.process.wait(60) == -signal.SIGKILL
    usage = confinement.usage()
    assert usage.out_of_memory_kills == 1
    assert usage.memory_peak_bytes is not None
    assert 60 * MEGABYTE < usage.memory_peak_bytes <= 64 * MEGABYTE


def test_a_service_above_its_quota_is_throttled(start: Start) -> None:
    _, confinement = start(SPIN, cpus=0.25)
    # On a busy machine it does not reach its quota in every period.
    while not (usage := confinement.usage()).throttled_ns:
        time.sleep(0.05)
    assert usage.periods is not None
    assert usage.throttled_periods is not None
    assert 0 < usage.throttled_periods <= usage.periods


def test_children_that_have_ended_are_counted(start: Start) -> None:
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])"
    child, confinement = start(code)
    assert child.process.wait(60) == 0
    cpu_ns = confinement.usage().cpu_ns
    assert cpu_ns is not None
    assert cpu_ns >= 200_000_000


def test_the_lab_itself_stays_where_it_was(start: Start) -> None:
    before = Path("/proc/thread-self/cgroup").read_text()
    start(SLEEP)
    assert Path("/proc/thread-self/cgroup").read_text() == before


def test_removing_kills_what_is_left_even_in_a_session_of_its_own(start: Start) -> None:
    code = (
        "import subprocess, sys, time\n"
        "subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
        "print('up', flush=True)\ntime.sleep(60)"
    )
    child, confinement = start(code)
    while "up" not in child.log_tail():
        time.sleep(0.01)
    confinement.remove()
    assert child.process.wait(10) == -signal.SIGKILL
    assert groups_left() == []


def test_groups_of_a_killed_lab_are_swept(tmp_path: Path) -> None:
    how = choose.choose(choose.own_groups_here()).isolation
    if how != "cgroup v1":
        pytest.skip(f"services are confined by {how} here")
    code = (
        "import time\n"
        "from loadstone.deploy.confinement import choose\n"
        "from loadstone.study.values.model import Limits\n"
        "choose.choose(choose.own_groups_here()).confine('orphaned', Limits())\n"
        "print('up', flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as lab:
        assert lab.stdout is not None
        assert lab.stdout.readline() == b"up\n"
        groups = {
            group
            for own in choose.own_groups_here().values()
            for group in own.glob(f"{ownership.NAME}{lab.pid}-*-orphaned")
        }
        assert groups
        assert not groups.intersection(lab_groups.sweep()), "its lab is alive"
        lab.kill()
    lab_groups.sweep()  # another lab on this machine may have been faster
    assert not any(group.exists() for group in groups)


@pytest.mark.parametrize(
    ("refusals", "is_gone", "waits"),
    [
        ([], True, 0),
        ([errno.EBUSY, errno.EBUSY], True, 2),
        ([errno.EBUSY, errno.ENOENT], True, 1),
        ([errno.EACCES], False, 0),  # of another user's lab
        ([errno.EPERM], False, 0),
    ],
)
def test_a_group_is_waited_for_while_its_last_process_ends_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refusals: list[int],
    is_gone: bool,
    waits: int,
) -> None:
    left, waited = list(refusals), []

    def rmdir(_: Path) -> None:
        if left:
            raise OSError(left.pop(0), "refused")

    monkeypatch.setattr(Path, "rmdir", rmdir)
    monkeypatch.setattr(files.time, "sleep", waited.append)
    assert files.remove(tmp_path) is is_gone
    assert left == []
    assert len(waited) == waits


def test_what_an_interrupted_tear_down_left_is_removed_by_the_lab_itself(tmp_path: Path) -> None:
    how = choose.choose(choose.own_groups_here())
    if how.isolation != "cgroup v1":
        pytest.skip(f"services are confined by {how.isolation} here")
    how.confine("service", Limits())
    assert groups_left()
    lab_groups.remove_own()
    assert groups_left() == []


def test_a_lab_that_is_interrupted_on_its_way_back_from_a_group_does_not_kill_itself() -> None:
    how = choose.choose(choose.own_groups_here())
    if how.isolation != "cgroup v1":
        pytest.skip(f"services are confined by {how.isolation} here")
    confinement = how.confine("service", Limits())
    before = Path("/proc/thread-self/cgroup").read_text()
    for group in groups_left():
        (group / "tasks").write_text(str(threading.get_native_id()))
    assert Path("/proc/thread-self/cgroup").read_text() != before
    confinement.remove()
    assert Path("/proc/thread-self/cgroup").read_text() == before
    assert groups_left() == []


def test_a_lab_that_moved_into_a_group_of_version_2_goes_back_before_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = group_of_version_2(tmp_path, "")
    (parent / "cgroup.subtree_control").write_text("cpu memory\n")
    inside = parent / lab_groups.folder(lab_groups.LAB)
    inside.mkdir()
    monkeypatch.setattr(lab_groups, "own_groups_here", lambda: {"": inside})
    lab_groups.remove_own()
    assert (parent / "cgroup.subtree_control").read_text() == "-cpu -memory\n"
    assert (parent / "cgroup.procs").read_text() == f"{os.getpid()}\n"
    assert not inside.exists()


def test_the_own_group_is_found_below_what_is_mounted() -> None:
    mountinfo = (
        "30 20 0:26 / /sys/fs/cgroup/unified rw shared:4 - cgroup2 cgroup2 rw\n"
        "31 20 0:27 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
        "32 20 0:28 /else /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "33 20 0:29 / /tmp rw - tmpfs tmpfs rw\n"
    )
    memberships = "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc/job\n0::/user.slice\n"
    assert own_groups(mountinfo, memberships) == {
        "": Path("/sys/fs/cgroup/unified/user.slice"),
        "cpu": Path("/sys/fs/cgroup/cpu,cpuacct/job"),
        "cpuacct": Path("/sys/fs/cgroup/cpu,cpuacct/job"),
    }


def test_without_any_group_the_record_says_what_is_missing_and_why(tmp_path: Path) -> None:
    how, confine, _ = choose.choose({})
    assert how == "affinity and rlimits"
    confinement = confine("service", Limits(cpus=0.5, memory_bytes=64 * MEGABYTE))
    assert [text.partition(":")[0] for text in confinement.applied.missing] == [
        "the limit of 0.5 CPUs",
        "one memory limit for all its processes, each has its own",
    ]
    child = process.start(
        "service",
        [sys.executable, "-c", FILL],
        directory=tmp_path,
        log_path=tmp_path / "service.log",
        cpus=(),
        confinement=confinement,
    )
    assert child.process.wait(60) == 1
    assert "MemoryError" in child.log_tail()


def group_of_version_2(tmp_path: Path, processes: str) -> Path:
    """Make a folder with the files of a group that offers both controllers."""
    own = tmp_path / "own"
    own.mkdir()
    for name, text in {
        "cgroup.controllers": "cpuset cpu io memory pids",
        "cgroup.subtree_control": "",
        "cgroup.type": "domain",
        "cgroup.procs": processes,
    }.items():
        (own / name).write_text(text)
    return own


def test_a_group_of_version_2_with_others_in_it_is_not_touched(tmp_path: Path) -> None:
    own = group_of_version_2(tmp_path, f"{os.getpid()}\n1\n")
    with pytest.raises(Unavailable, match=r"other processes are in .*, such as 1") as caught:
        version2.delegate(own, "lab")
    assert "Delegate=yes" in (caught.value.remedy or "")
    assert (own / "cgroup.subtree_control").read_text() == ""


def test_in_a_group_of_its_own_the_lab_moves_aside_and_hands_the_controllers_on(
    tmp_path: Path,
) -> None:
    own = group_of_version_2(tmp_path, f"{os.getpid()}\n")
    version2.delegate(own, "lab")
    assert (own / "lab" / "cgroup.procs").read_text() == f"{os.getpid()}\n"
    assert (own / "cgroup.subtree_control").read_text() == "+cpu +memory\n"


def test_limits_of_version_2_are_written_as_its_files_want_them(tmp_path: Path) -> None:
    confinement = version2.confine(tmp_path, "group", Limits(cpus=0.5, memory_bytes=MEGABYTE))
    group = tmp_path / "group"
    assert (group / "cpu.max").read_text() == "50000 100000\n"
    assert (group / "memory.max").read_text() == f"{MEGABYTE}\n"
    (group / "cpu.stat").write_text("usage_usec 7\nnr_periods 4\nnr_throttled 3\nthrottled_usec 2")
    (group / "memory.events").write_text("low 0\noom_kill 1\n")
    (group / "memory.peak").write_text("99\n")
    usage = confinement.usage()
    assert (usage.cpu_ns, usage.throttled_ns, usage.throttled_periods) == (7_000, 2_000, 3)
    assert (usage.memory_peak_bytes, usage.out_of_memory_kills) == (99, 1)


def test_a_warm_up_has_its_own_quota_until_it_is_over(tmp_path: Path) -> None:
    confinement = version2.confine(tmp_path, "group", Limits(cpus=0.5, warm_up_cpus=1))
    assert (tmp_path / "group" / "cpu.max").read_text() == "100000 100000\n"
    assert (confinement.applied.cpus, confinement.applied.warm_up_cpus) == (0.5, 1)
    assert confinement.end_warm_up()
    assert (tmp_path / "group" / "cpu.max").read_text() == "50000 100000\n"
    plain = version2.confine(tmp_path, "other", Limits(cpus=0.5))
    assert not plain.end_warm_up()
    assert not without.confine(Limits(cpus=0.5, warm_up_cpus=1), "none").end_warm_up()


def test_the_kernel_takes_the_lower_quota(start: Start) -> None:
    _, confinement = start(SPIN, cpus=0.25, warm_up_cpus=1000)
    assert not confinement.usage().throttled_ns
    assert confinement.end_warm_up()
    while not confinement.usage().throttled_ns:
        time.sleep(0.05)


def test_counters_that_a_kernel_lacks_are_not_measured(tmp_path: Path) -> None:
    assert files.number(tmp_path / "memory.peak") is None
    assert files.pairs(tmp_path / "cpu.stat") == {}
    assert without.confine(Limits(), "none").applied.missing == ()
