"""Facts in words: which are notes, what is missing, what to do, and the verdict."""

import re

import pytest
from examinations import GIB, connections, examination, machine, noise

from loadstone.deploy.confinement.outlook import Controller, Outlook
from loadstone.doctor.diagnosis import diagnose
from loadstone.doctor.examination import CpusByRole, Examination
from loadstone.doctor.memory import Memory
from loadstone.doctor.presence import Presence
from loadstone.doctor.processors import Frequency, Processors
from loadstone.doctor.resolution import resolution
from loadstone.doctor.row import Mark, Row, listed
from loadstone.doctor.timer import Timer
from loadstone.doctor.virtualisation import Virtualisation


def row(found: Examination, label: str) -> Row:
    (only,) = [each for each in diagnose(found).rows if each.label == label]
    return only


def test_a_steady_machine_has_nothing_to_note() -> None:
    found = diagnose(examination())
    assert {each.label for each in found.rows if each.mark is not Mark.OK} == {"bun"}
    assert found.can_run
    assert found.verdict == "6 blocks tell apart differences of about 5 % and more, 12 of 3 %."
    assert "vary as a probe of 100 ms did, by 2.00 % (round trip)" in (found.assumptions or "")


@pytest.mark.parametrize(
    ("deviation", "few", "more"),
    [
        (0.0, "0.1 %", "0.1 %"),
        (0.001, "0.3 %", "0.2 %"),
        (0.005, "1.1 %", "0.7 %"),
        (0.05, "11 %", "7 %"),
        (0.5, "a factor of 2.8", "88 %"),
    ],
)
def test_the_verdict_is_rounded_up_so_that_it_never_promises_more(
    deviation: float, few: str, more: str
) -> None:
    noisy = noise(deviation, 0.0)
    verdict = diagnose(examination(noise=noisy, resolution=resolution(noisy))).verdict
    assert f"about {few} and more" in verdict
    assert f"12 of {more}." in verdict


def test_a_missing_runtime_that_quickstart_needs_is_the_verdict() -> None:
    go = Presence(name="go", reason="`go version` fails", remedy="Install Go.", needed=True)
    found = diagnose(examination(runtimes=(go,)))
    assert not found.can_run
    assert found.verdict == "quickstart cannot run here, for want of: go."
    assert row(examination(runtimes=(go,)), "go").mark is Mark.NEEDED


def test_a_missing_optional_runtime_is_no_obstacle() -> None:
    found = row(examination(), "bun")
    assert found.mark is Mark.MISSING
    assert found.remedy == "Install it from https://bun.sh."
    assert diagnose(examination()).can_run


def test_the_remedy_of_an_error_becomes_a_sentence() -> None:
    engine = Presence(name="engine", reason="is not installed", remedy="run `make setup`")
    assert row(examination(lab=(engine,)), "engine").remedy == "Run `make setup`."


def test_an_old_kernel_stands_in_the_way() -> None:
    old = Presence(name="Linux", reason="the kernel is 4.19", remedy="Use 5.11.", needed=True)
    assert "for want of: Linux" in diagnose(examination(machine=machine(kernel=old))).verdict


def test_without_a_free_port_nothing_can_run() -> None:
    found = examination(machine=machine(connections=connections(port=False)))
    assert row(found, "ports").mark is Mark.NEEDED
    assert not diagnose(found).can_run


def test_noise_that_could_not_be_measured_is_said() -> None:
    found = diagnose(examination(noise=None, resolution=None))
    assert "could not be measured" in found.verdict
    assert found.assumptions is None


@pytest.mark.parametrize(
    ("label", "changes", "text", "remedy"),
    [
        (
            "frequency",
            {
                "frequency": Frequency(
                    governors=("powersave",), highest_hz=4_700_000_000, turbo=True
                )
            },
            "governor powersave, of 4.70 GHz, turbo on",
            "cpupower",
        ),
        (
            "memory",
            {"memory": Memory(total_bytes=GIB, available_bytes=GIB, swapped_bytes=GIB)},
            "1.00 GiB swapped out",
            "swapoff",
        ),
        (
            "memory",
            {"memory": Memory(total_bytes=GIB, available_bytes=GIB // 2, swapped_bytes=0)},
            "512 MiB of it available",
            "End programs",
        ),
        ("disk", {"disk_free_bytes": GIB // 2}, "512 MiB free", "--out"),
        ("load average", {"load_1": 1.7}, "1.70 over the last minute", "`top`"),
        ("open files", {"connections": connections(open_files=1024)}, "1,024", "ulimit -n 10100"),
        (
            "connections",
            {"connections": connections(open_files=4096, most_open_files=4096)},
            "only 3,996 fit",
            "hard limit",
        ),
        (
            "connections",
            {"connections": connections(ephemeral_ports=500)},
            "only 500 fit",
            "ip_local_port_range",
        ),
        ("ports", {"connections": connections(waiting_ports=20_000)}, "20,000 in", "60 s"),
        (
            "the lab's own",
            {
                "control_groups": Outlook(
                    isolation="cgroup v2", controllers=(), own_cpus=0.5, own_memory_bytes=GIB
                )
            },
            "held to 0.5 CPUs and 1.00 GiB",
            "quota",
        ),
    ],
)
def test_what_spoils_figures_is_noted_with_what_to_do(
    label: str, changes: dict[str, object], text: str, remedy: str
) -> None:
    found = row(examination(machine=machine(**changes)), label)
    assert found.mark is Mark.NOTE
    assert text in found.text
    assert remedy in (found.remedy or "")


@pytest.mark.parametrize(
    ("label", "changes"),
    [
        ("taken by others", {"waited_share": 0.2}),
        ("steal", {"steal_share": 0.03}),
        ("fixed loop", {"loop": 0.08}),
        ("loopback", {"round_trip": 0.08}),
    ],
)
def test_a_restless_machine_is_noted_where_it_shows(label: str, changes: dict[str, float]) -> None:
    restless = noise(**changes)
    found = diagnose(examination(noise=restless, resolution=resolution(restless)))
    assert [each.label for each in found.rows if each.mark is Mark.NOTE] == [label]


def test_a_frequency_that_cannot_be_read_is_missing_with_the_reason() -> None:
    found = row(examination(machine=machine(frequency=Frequency(reason="no driver"))), "frequency")
    assert (found.mark, found.text) == (Mark.MISSING, "not readable: no driver")
    assert found.remedy


def test_a_cpu_for_both_roles_is_noted() -> None:
    shared = CpusByRole(service=(0,), bench=(0,), shared=True, shares_core=True)
    assert "SHARED" in row(examination(placement=shared), "placement").text
    one_core = CpusByRole(service=(1,), bench=(0,), shared=False, shares_core=True)
    found = row(examination(placement=one_core), "placement")
    assert found.mark is Mark.NOTE
    assert "same core" in found.text


def test_processors_are_described() -> None:
    big = Processors(model="Big", cpus=64, usable=(0, 1, 2, 8), cores=32, sockets=2, numa_nodes=2)
    text = row(examination(machine=machine(processors=big)), "processor").text
    for words in ("2 sockets, 32 cores, 64 CPUs, 2 memory nodes", "only CPU 0-2,8", "share cores"):
        assert words in text


def test_virtualisation_is_told_with_its_evidence() -> None:
    guest = Virtualisation(
        virtual=True, hypervisor="KVM", evidence=("the CPU's hypervisor flag",), container="Docker"
    )
    assert row(examination(machine=machine(virtualisation=guest)), "virtualisation").text == (
        "virtual machine (KVM): the CPU's hypervisor flag; in a container (Docker)"
    )
    unknown = guest.model_copy(update={"virtual": None, "evidence": (), "container": None})
    found = row(examination(machine=machine(virtualisation=unknown)), "virtualisation")
    assert "not readable" in found.text


def test_a_coarse_timer_is_noted() -> None:
    coarse = Timer(
        clock_source="jiffies",
        resolution_ns=4_000_000,
        sleep_asked_ns=100_000,
        sleep_median_ns=4_100_000,
        sleep_longest_ns=8_000_000,
    )
    found = row(examination(timer=coarse), "timer")
    assert found.mark is Mark.NOTE
    assert "steps of 4.00 ms" in found.text


def test_the_way_of_confining_is_told_with_the_reasons() -> None:
    def control_groups(found: Outlook) -> Row:
        return row(examination(machine=machine(control_groups=found)), "control groups")

    first = (Controller(controller="cpu"), Controller(controller="memory"))
    version1 = Outlook(isolation="cgroup v1", controllers=first, reason="it is not mounted here")
    assert control_groups(version1).mark is Mark.OK
    assert "version 1, writable: cpu, memory" in control_groups(version1).text
    neither = Outlook(
        isolation="affinity and rlimits",
        controllers=(Controller(controller="cpu", reason="Permission denied: /x"),),
        reason="other processes are in /y",
        remedy="start it in a group of its own",
    )
    found = control_groups(neither)
    assert found.mark is Mark.MISSING
    for words in ("other processes are in /y", "cpu: Permission denied: /x"):
        assert words in found.text
    assert found.remedy == "Start it in a group of its own."


def test_every_row_that_is_not_ok_says_what_to_do() -> None:
    # Each remedy is a sentence.
    restless = noise(0.2, 0.2, waited_share=0.2, steal_share=0.2)
    found = diagnose(
        examination(
            machine=machine(
                frequency=Frequency(reason="none"),
                connections=connections(open_files=100, most_open_files=100, ephemeral_ports=10),
                control_groups=Outlook(isolation="affinity and rlimits", controllers=()),
                load_1=9.0,
            ),
            noise=restless,
            resolution=resolution(restless),
        )
    )
    wanting = [each for each in found.rows if each.mark is not Mark.OK]
    assert len(wanting) > 8
    for each in wanting:
        assert re.fullmatch(r"[A-Z].*\.", each.remedy or ""), each


def test_what_programs_print_cannot_command_the_terminal() -> None:
    evil = Presence(name="evil", found="1.0\x1b[2J\nok  forged")
    found = row(examination(tools=(evil,)), "evil")
    assert "\x1b" not in found.text
    assert "\n" not in found.text


@pytest.mark.parametrize(
    ("numbers", "text"), [((0,), "0"), ((0, 1, 2, 5), "0-2,5"), ((1, 3), "1,3"), ((3, 2), "2-3")]
)
def test_cpus_are_listed_as_the_kernel_does(numbers: tuple[int, ...], text: str) -> None:
    assert listed(numbers) == text


def test_where_ray_listens_is_told_where_it_runs() -> None:
    found = row(examination(ray_ports=(6379, 6381)), "Ray")
    assert found.text == "listens on all addresses, on the ports 6379, 6381"
    assert (found.remedy or "").startswith("Let a firewall pass these ports")
    assert "Ray" not in {each.label for each in diagnose(examination()).rows}
