"""The machine's CPUs: how many, how they share cores and sockets, and how fast they may run."""

import platform
import re
from collections.abc import Iterator

from loadstone.doctor.kernel_files import KernelFiles
from loadstone.frozen import Frozen

_CPUS = "sys/devices/system/cpu"


class Processors(Frozen):
    """CPUs are hardware threads: a core has one or more, a socket has cores."""

    model: str
    """As the CPU calls itself."""
    cpus: int
    """CPUs that the kernel uses."""
    usable: tuple[int, ...]
    """Numbers of those that this process may use."""
    cores: int | None
    """Cores; none where the kernel does not tell."""
    sockets: int | None
    """Sockets; none where the kernel does not tell."""
    numa_nodes: int
    """Groups of CPUs with memory of their own."""

    @property
    def threads_share_cores(self) -> bool:
        """Whether some core has several CPUs."""
        return self.cores is not None and self.cores < self.cpus


class Frequency(Frozen):
    """How the clock frequency of the CPUs is chosen."""

    governors: tuple[str, ...] = ()
    """Policies in force, such as `performance`; empty where they are not readable."""
    now_hz: int | None = None
    """Of the first usable CPU, now; none where it is not readable."""
    lowest_hz: int | None = None
    """The least that the policy allows; none where it is not readable."""
    highest_hz: int | None = None
    """The most that the policy allows; none where it is not readable."""
    turbo: bool | None = None
    """Whether a CPU may exceed its nominal frequency while others rest; none where not readable."""
    reason: str | None = None
    """Why nothing is readable; none where something is."""


def processors(sources: KernelFiles, usable: tuple[int, ...]) -> Processors:
    """Read the CPUs of the machine; `usable` are those of this process."""
    cpu_info = sources.text("proc/cpuinfo") or ""
    online = _numbers(sources.text(f"{_CPUS}/online") or "") or usable
    cores = [sources.text(f"{_CPUS}/cpu{cpu}/topology/thread_siblings_list") for cpu in online]
    sockets = [sources.text(f"{_CPUS}/cpu{cpu}/topology/physical_package_id") for cpu in online]
    nodes = _numbers(sources.text("sys/devices/system/node/online") or "")
    model = re.search(r"^model name\s*: (.+)$", cpu_info, re.MULTILINE)
    return Processors(
        model=model[1] if model else platform.machine(),
        cpus=len(online),
        usable=usable,
        cores=None if None in cores else len(set(cores)),
        sockets=None if None in sockets else len(set(sockets)),
        numa_nodes=len(nodes) or 1,
    )


def frequency(sources: KernelFiles, usable: tuple[int, ...], *, is_virtual: bool) -> Frequency:
    """Read the governor and the limits that it works in."""
    folders = [f"{_CPUS}/cpu{cpu}/cpufreq" for cpu in usable]
    governors = {sources.text(f"{folder}/scaling_governor") for folder in folders} - {None}
    turbo = _turbo(sources)
    now, lowest, highest = (
        sources.number(f"{folders[0]}/scaling_{each}_freq") for each in ("cur", "min", "max")
    )
    if not governors and now is None:
        return Frequency(turbo=turbo, reason=_reason(is_virtual=is_virtual))
    return Frequency(
        governors=tuple(sorted(each for each in governors if each)),
        now_hz=_hertz(now),
        lowest_hz=_hertz(lowest),
        highest_hz=_hertz(highest),
        turbo=turbo,
    )


def _reason(*, is_virtual: bool) -> str:
    if is_virtual:
        return "the host of a virtual machine sets it, and does not tell"
    return "the kernel has no frequency driver (cpufreq) for this CPU"


def _turbo(sources: KernelFiles) -> bool | None:
    without = sources.number(f"{_CPUS}/intel_pstate/no_turbo")
    if without is not None:
        return without == 0
    boost = sources.number(f"{_CPUS}/cpufreq/boost")
    return None if boost is None else boost == 1


def _hertz(kilohertz: int | None) -> int | None:
    return None if kilohertz is None else kilohertz * 1000


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a kernel's list: `0-2,5` is 0, 1, 2 and 5."""
    return tuple(_each(text)) if re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", text) else ()


def _each(text: str) -> Iterator[int]:
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)
