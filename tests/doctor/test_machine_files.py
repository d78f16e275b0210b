"""Reading machines that are not this one, from recorded files of theirs."""

from pathlib import Path

import pytest
from machines import CPUS, MachineFiles, guest, laptop

from loadstone.deploy.placement import Placement
from loadstone.doctor.connections import connections
from loadstone.doctor.examination import read_machine
from loadstone.doctor.instruments import instruments
from loadstone.doctor.memory import memory
from loadstone.doctor.processors import frequency, processors
from loadstone.doctor.timer import ASKED_NS, timer
from loadstone.doctor.virtualisation import virtualisation

ALL = (0, 1, 2, 3)


def test_cores_and_sockets_are_counted_by_their_topology(tmp_path: Path) -> None:
    found = processors(laptop(tmp_path).sources, (0, 1))
    assert (found.model, found.cpus, found.cores, found.sockets) == ("Some CPU @ 2.80GHz", 4, 2, 1)
    assert found.usable == (0, 1)
    assert found.threads_share_cores


def test_what_the_topology_does_not_tell_is_none(tmp_path: Path) -> None:
    found = processors(guest(tmp_path).sources, (0, 1))
    assert (found.cpus, found.cores, found.sockets, found.numa_nodes) == (2, 2, None, 1)
    bare = processors(MachineFiles(tmp_path / "bare").sources, (4, 6))
    assert (bare.cpus, bare.cores, bare.sockets) == (2, None, None)
    assert bare.model


@pytest.mark.parametrize(
    ("text", "count"), [("0", 1), ("0-3", 4), ("0-1,4,6-7", 5), ("", 1), ("some words", 1)]
)
def test_the_kernels_lists_of_cpus_are_read(tmp_path: Path, text: str, count: int) -> None:
    files = MachineFiles(tmp_path).write({f"{CPUS}/online": text})
    assert processors(files.sources, (0,)).cpus == count


def test_a_governor_is_read_with_its_bounds(tmp_path: Path) -> None:
    found = frequency(laptop(tmp_path).sources, ALL, is_virtual=False)
    assert found.governors == ("powersave",)
    assert (found.now_hz, found.lowest_hz, found.highest_hz) == (
        1_200_000_000,
        400_000_000,
        4_700_000_000,
    )
    assert found.turbo is True
    assert found.reason is None


def test_cpus_of_different_governors_are_told(tmp_path: Path) -> None:
    files = laptop(tmp_path).write({f"{CPUS}/cpu1/cpufreq/scaling_governor": "performance"})
    found = frequency(files.sources, ALL, is_virtual=False)
    assert found.governors == ("performance", "powersave")


def test_a_frequency_that_cannot_be_read_has_a_reason(tmp_path: Path) -> None:
    sources = guest(tmp_path).sources
    assert "host" in (frequency(sources, (0, 1), is_virtual=True).reason or "")
    assert "cpufreq" in (frequency(sources, (0, 1), is_virtual=False).reason or "")


def test_amds_boost_is_turbo_too(tmp_path: Path) -> None:
    files = guest(tmp_path).write({f"{CPUS}/cpufreq/boost": "0"})
    assert frequency(files.sources, (0,), is_virtual=False).turbo is False


def test_hardware_is_not_virtual(tmp_path: Path) -> None:
    found = virtualisation(laptop(tmp_path).sources)
    assert (found.virtual, found.hypervisor, found.evidence, found.container) == (
        False,
        None,
        (),
        None,
    )


def test_a_guest_is_known_by_its_cpu_and_its_clock(tmp_path: Path) -> None:
    found = virtualisation(guest(tmp_path).sources)
    assert found.virtual is True
    assert found.hypervisor == "KVM"
    assert found.evidence == ("the CPU's hypervisor flag", "the clock source kvm-clock")


@pytest.mark.parametrize(
    ("files", "hypervisor"),
    [
        ({"sys/class/dmi/id/sys_vendor": "QEMU"}, "QEMU"),
        ({"sys/class/dmi/id/product_name": "VMware Virtual Platform"}, "VMware"),
        ({"sys/class/dmi/id/product_name": "Virtual Machine"}, "Hyper-V"),
        ({"sys/class/dmi/id/product_name": "Google Compute Engine"}, "Google Compute Engine"),
        ({"sys/hypervisor/type": "xen"}, "Xen"),
        ({"proc/device-tree/hypervisor/compatible": "linux,kvm\0"}, "Linux,kvm"),
    ],
)
def test_a_guest_without_a_cpu_flag_is_known_by_other_files(
    tmp_path: Path, files: dict[str, str], hypervisor: str
) -> None:
    found = virtualisation(MachineFiles(tmp_path).write(files).sources)
    assert found.virtual is True
    assert found.hypervisor == hypervisor


def test_where_nothing_tells_virtualisation_is_not_known(tmp_path: Path) -> None:
    assert virtualisation(MachineFiles(tmp_path).sources).virtual is None


@pytest.mark.parametrize(
    ("path", "container"),
    [
        (".dockerenv", "Docker"),
        ("run/.containerenv", "Podman"),
        ("run/systemd/container", "lxc"),
    ],
)
def test_a_container_is_seen(tmp_path: Path, path: str, container: str) -> None:
    files = laptop(tmp_path).write({path: "lxc"})
    assert virtualisation(files.sources).container == container


def test_memory_is_in_bytes(tmp_path: Path) -> None:
    found = memory(laptop(tmp_path).sources)
    assert found.total_bytes == 16_000_000 * 1024
    assert found.available_bytes == 9_000_000 * 1024
    assert found.swapped_bytes == 500_000 * 1024
    assert memory(MachineFiles(tmp_path / "bare").sources).total_bytes == 0


def test_connections_are_bounded_by_files_or_by_ports(tmp_path: Path) -> None:
    sources = laptop(tmp_path).sources
    by_files = connections(sources, (1024, 4096))
    assert (by_files.open_files, by_files.most_open_files) == (1024, 4096)
    assert by_files.fit == 3996
    assert by_files.waiting_ports == 439
    by_ports = connections(sources, (1024, 1 << 20))
    assert by_ports.ephemeral_ports == by_ports.fit == 28_232
    unlimited = connections(sources, (-1, -1))
    assert unlimited.open_files is None
    assert unlimited.fit == 28_232
    assert by_files.port


def test_instruments_of_hardware_are_found_but_kept_for_root(tmp_path: Path) -> None:
    files = laptop(tmp_path)
    found = {
        each.name: each for each in instruments(files.sources, is_virtual=False, privileged=False)
    }
    assert found["pressure (PSI)"].is_here
    assert found["energy (RAPL)"].is_here
    counters = found["hardware counters"]
    assert not counters.is_here
    assert "perf_event_paranoid is 4" in (counters.reason or "")
    assert "sysctl" in (counters.remedy or "")
    for paranoid, privileged in (("4", True), ("2", False), ("-1", False)):
        files.write({"proc/sys/kernel/perf_event_paranoid": paranoid})
        again = instruments(files.sources, is_virtual=False, privileged=privileged)
        assert again[1].found == "cpu"


def test_instruments_that_a_guest_lacks_have_a_reason_and_a_remedy(tmp_path: Path) -> None:
    found = instruments(guest(tmp_path).sources, is_virtual=True, privileged=True)
    assert not any(each.is_here for each in found)
    assert all(each.reason and each.remedy for each in found)
    assert "hypervisor" in (found[1].reason or "")


def test_a_timer_says_what_a_sleep_really_takes(tmp_path: Path) -> None:
    now, ends = 0, iter([50_000, 900_000] + [60_000] * 98)

    def sleep(seconds: float) -> None:
        nonlocal now
        assert seconds == pytest.approx(1e-4)
        now += ASKED_NS + next(ends)

    found = timer(laptop(tmp_path).sources, sleep, lambda: now)
    assert found.clock_source == "tsc"
    assert (found.sleep_median_ns, found.sleep_longest_ns) == (160_000, 1_000_000)
    assert found.resolution_ns >= 1


@pytest.mark.parametrize(
    ("release", "is_new"),
    [("6.8.0", True), ("5.11", True), ("5.10.0-8-amd64", False), ("4.19", False), ("odd", False)],
)
def test_the_kernel_must_be_new_enough_for_the_engine(
    tmp_path: Path, release: str, is_new: bool
) -> None:
    files = guest(tmp_path).write({"proc/sys/kernel/osrelease": release})
    found = read_machine(files.sources, Placement((1,), (0,)), tmp_path)
    assert found.kernel.is_here is is_new
    assert found.kernel.needed


def test_the_machine_is_read_as_a_whole(tmp_path: Path) -> None:
    mount = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw"
    own = "sys/fs/cgroup/user.slice"
    files = laptop(tmp_path).write(
        {
            "proc/self/mountinfo": mount,
            "proc/self/cgroup": "0::/user.slice",
            f"{own}/cgroup.controllers": "cpu memory pids",
            f"{own}/cgroup.subtree_control": "cpu memory",
            f"{own}/cpu.max": "150000 100000",
        }
    )
    found = read_machine(files.sources, Placement((1, 3), (0, 2)), tmp_path)
    assert found.processors.usable == ALL
    assert found.load_1 == 1.5
    assert found.disk_free_bytes > 0
    assert found.control_groups.isolation == "cgroup v2"
    assert found.control_groups.own_cpus == 1.5
