"""What the hardware and the kernel can tell beyond the usual: each is there, or there is a reason."""

from pathlib import Path

from loadstone.doctor.kernel_files import KernelFiles
from loadstone.doctor.presence import Presence

_DEVICES = "sys/bus/event_source/devices"
_CORE_COUNTERS = ("cpu", "cpu_core", "armv8*", "apple_*")
"""Names under which the kernel lists the counters of CPU cores, by maker."""
_RAPL = "sys/class/powercap/intel-rapl:0/energy_uj"
MOST_PARANOID = 2
"""Of kernel.perf_event_paranoid: up to here a process without privileges may count its own user code
(perf_event_open(2))."""


def instruments(
    sources: KernelFiles, *, is_virtual: bool, privileged: bool
) -> tuple[Presence, ...]:
    """Look for pressure figures, hardware counters and energy counters; root is `privileged`."""
    return (
        _pressure(sources),
        _hardware_counters(sources, is_virtual=is_virtual, privileged=privileged),
        _energy(sources, is_virtual=is_virtual),
    )


def _pressure(sources: KernelFiles) -> Presence:
    is_there = sources.text("proc/pressure/cpu") is not None
    return Presence(
        name="pressure (PSI)",
        found="/proc/pressure" if is_there else None,
        reason=None if is_there else "/proc/pressure/cpu cannot be read",
        remedy="Boot Linux with psi=1 (it needs CONFIG_PSI); until then records lack pressure.",
    )


def _hardware_counters(sources: KernelFiles, *, is_virtual: bool, privileged: bool) -> Presence:
    name = "hardware counters"
    folder = sources.root / _DEVICES
    found = [path.name for pattern in _CORE_COUNTERS for path in sorted(folder.glob(pattern))]
    if not found:
        why = "the hypervisor passes none on" if is_virtual else "the kernel lists none of the CPU"
        return Presence(
            name=name,
            reason=f"{why} (no cpu in /{_DEVICES})",
            remedy="Use hardware of your own, or let the host pass its PMU on; CPU time needs none.",
        )
    paranoid = sources.number("proc/sys/kernel/perf_event_paranoid")
    if not privileged and paranoid is not None and paranoid > MOST_PARANOID:
        return Presence(
            name=name,
            reason=f"kernel.perf_event_paranoid is {paranoid}, which keeps them for root",
            remedy=f"Run `sysctl kernel.perf_event_paranoid={MOST_PARANOID}` as root.",
        )
    return Presence(name=name, found=", ".join(found))


def _energy(sources: KernelFiles, *, is_virtual: bool) -> Presence:
    name = "energy (RAPL)"
    if sources.text(_RAPL) is not None:
        return Presence(name=name, found=f"/{Path(_RAPL).parent}")
    if sources.exists(_RAPL):
        return Presence(
            name=name,
            reason="only root may read it",
            remedy=f"Run the lab as root, or `chmod a+r /{_RAPL}`.",
        )
    why = "the hypervisor passes none on" if is_virtual else "no such counters"
    return Presence(
        name=name,
        reason=f"{why} (no /{_RAPL})",
        remedy="Use hardware of your own with the module intel_rapl; CPU time needs none.",
    )
