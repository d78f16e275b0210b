"""The machine in words: what it is, and what it does to figures."""

from collections.abc import Iterator

from loadstone.doctor.examination import CpusByRole, Machine
from loadstone.doctor.memory import Memory
from loadstone.doctor.processors import Frequency, Processors
from loadstone.doctor.row import Mark, Row, fact, listed, presence
from loadstone.doctor.timer import Timer
from loadstone.doctor.virtualisation import Virtualisation
from loadstone.text.units import duration, size

SECTION = "Machine"
LITTLE_BYTES = 1 << 30
"""1 GiB: a service held to 512 MiB beside engine, backend and page cache fits; less gets tight."""
LATE_NS = 1_000_000
"""1 ms: from here on late wake-ups are seen in response times of a local service."""


def machine_rows(machine: Machine, placement: CpusByRole, timer: Timer) -> Iterator[Row]:
    """Yield a row for each fact."""
    yield _processors(machine.processors)
    yield _placement(placement)
    yield _frequency(machine.frequency, is_virtual=bool(machine.virtualisation.virtual))
    yield _virtualisation(machine.virtualisation)
    yield _memory(machine.memory)
    yield _disk(machine.disk_free_bytes)
    yield presence(SECTION, machine.kernel)
    yield _timer(timer)


def _processors(found: Processors) -> Row:
    parts = [
        found.model,
        _counted(found.sockets, "socket"),
        _counted(found.cores, "core"),
        _counted(found.cpus, "CPU"),
        _counted(found.numa_nodes, "memory node") if found.numa_nodes > 1 else "",
        f"only CPU {listed(found.usable)} may be used" if len(found.usable) < found.cpus else "",
    ]
    text = ", ".join(filter(None, parts))
    if found.threads_share_cores:
        return fact(SECTION, "processor", f"{text}: CPUs share cores, and slow each other down")
    return fact(SECTION, "processor", text)


def _placement(found: CpusByRole) -> Row:
    text = (
        f"service on CPU {listed(found.service)}; "
        f"engine, backend and probe on CPU {listed(found.bench)}"
    )
    if found.shared:
        text += ": SHARED, so no saturation figure can stand"
        return fact(SECTION, "placement", text, "Use a machine with two CPUs or more.")
    if found.shares_core:
        remedy = "Use a machine with two cores or more, or switch hyper-threading off."
        return fact(SECTION, "placement", f"{text}, of the same core", remedy)
    return fact(SECTION, "placement", text)


def _frequency(found: Frequency, *, is_virtual: bool) -> Row:
    label = "frequency"
    if found.reason is not None:
        remedy = "Load the driver, or hold the frequency in the firmware, where that can be had."
        return Row(
            section=SECTION,
            label=label,
            mark=Mark.MISSING,
            text=f"not readable: {found.reason}",
            remedy="Hold it on the host, where that is yours." if is_virtual else remedy,
        )
    bounds = [f"{each / 1e9:.2f}" for each in (found.lowest_hz, found.highest_hz) if each]
    parts = [
        f"governor {' and '.join(found.governors)}" if found.governors else "governor not readable",
        f"now {found.now_hz / 1e9:.2f} GHz" if found.now_hz else "",
        f"of {' to '.join(bounds)} GHz" if bounds else "",
        "" if found.turbo is None else f"turbo {'on' if found.turbo else 'off'}",
    ]
    text = ", ".join(filter(None, parts))
    if found.governors and found.governors != ("performance",):
        remedy = "Hold the frequency, as root: `cpupower frequency-set -g performance`."
        return fact(SECTION, label, text, remedy)
    return fact(SECTION, label, text)


def _virtualisation(found: Virtualisation) -> Row:
    label = "virtualisation"
    container = f"; in a container ({found.container})" if found.container else ""
    if found.virtual is None:
        return fact(SECTION, label, f"not readable: neither CPU nor firmware tells{container}")
    if not found.virtual:
        return fact(SECTION, label, f"none seen{container}")
    name = f"virtual machine ({found.hypervisor})" if found.hypervisor else "virtual machine"
    return fact(SECTION, label, f"{name}: {', '.join(found.evidence)}{container}")


def _memory(found: Memory) -> Row:
    if not found.total_bytes:
        return fact(SECTION, "memory", "not readable: /proc/meminfo does not tell")
    text = f"{size(found.total_bytes)}, {size(found.available_bytes)} of it available"
    if found.swapped_bytes:
        text += f", {size(found.swapped_bytes)} swapped out"
        remedy = "Switch swap off while you measure, as root: `swapoff -a`."
        return fact(SECTION, "memory", text, remedy)
    if found.available_bytes < LITTLE_BYTES:
        return fact(SECTION, "memory", text, f"End programs until {size(LITTLE_BYTES)} is free.")
    return fact(SECTION, "memory", text)


def _disk(free_bytes: int) -> Row:
    text = f"{size(free_bytes)} free where results go"
    if free_bytes < LITTLE_BYTES:
        remedy = (
            "Make room, or write results elsewhere with --out; a dry run says how much it takes."
        )
        return fact(SECTION, "disk", text, remedy)
    return fact(SECTION, "disk", text)


def _timer(found: Timer) -> Row:
    text = (
        f"clock {found.clock_source} in steps of {duration(found.resolution_ns)}; a sleep of "
        f"{duration(found.sleep_asked_ns)} takes {duration(found.sleep_median_ns)}, "
        f"{duration(found.sleep_longest_ns)} at most"
    )
    if found.resolution_ns > LATE_NS or found.sleep_median_ns > LATE_NS:
        remedy = (
            "Use a kernel with high-resolution timers; here rates and start-up times are coarse."
        )
        return fact(SECTION, "timer", text, remedy)
    return fact(SECTION, "timer", text)


def _counted(count: int | None, word: str) -> str:
    return "" if count is None else f"{count} {word}{'' if count == 1 else 's'}"
