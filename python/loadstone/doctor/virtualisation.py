"""Whether this is a virtual machine or a container, from files that need no program and no rights."""

import re

from loadstone.doctor.kernel_files import KernelFiles
from loadstone.frozen import Frozen

VENDORS = {
    "QEMU": "QEMU",
    "KVM": "KVM",
    "VMware": "VMware",
    "VirtualBox": "VirtualBox",
    "innotek": "VirtualBox",
    "Xen": "Xen",
    "Virtual Machine": "Hyper-V",
    "Google Compute Engine": "Google Compute Engine",
    "OpenStack": "OpenStack",
    "Parallels": "Parallels",
    "Bochs": "Bochs",
}
"""What the firmware tables (DMI) of virtual machines hold, to a name."""
CLOCKS = {"kvm-clock": "KVM", "hyperv_clocksource": "Hyper-V", "xen": "Xen"}
"""Clock sources that a hypervisor offers to its guests."""
_CLOCK_SOURCES = "sys/devices/system/clocksource/clocksource0/available_clocksource"


class Virtualisation(Frozen):
    """What stands between the lab and the hardware."""

    virtual: bool | None
    """Whether it is a virtual machine; none where nothing tells."""
    hypervisor: str | None
    """Its name, where something tells it."""
    evidence: tuple[str, ...]
    """What was seen."""
    container: str | None
    """The kind of container that the lab itself runs in; none where none is seen."""


def virtualisation(sources: KernelFiles) -> Virtualisation:
    """Read what the CPU, the firmware and the clock sources tell."""
    evidence, names = [], []
    flags = _cpu_flags(sources)
    if flags is not None and "hypervisor" in flags:
        evidence.append("the CPU's hypervisor flag")
    firmware = [sources.text(f"sys/class/dmi/id/{each}") for each in ("sys_vendor", "product_name")]
    for text in filter(None, firmware):
        if name := next((VENDORS[each] for each in VENDORS if each in text), None):
            evidence.append(f"the firmware's {text!r}")
            names.append(name)
    for clock in (sources.text(_CLOCK_SOURCES) or "").split():
        if clock in CLOCKS:
            evidence.append(f"the clock source {clock}")
            names.append(CLOCKS[clock])
    # Xen alone makes this file; ARM has no CPU flag, but a node in the device tree.
    for path in ("sys/hypervisor/type", "proc/device-tree/hypervisor/compatible"):
        if kind := sources.text(path):
            evidence.append(f"/{path}")
            names.append(kind.strip("\0").capitalize())
    silent = flags is None and not any(firmware)
    return Virtualisation(
        virtual=True if evidence else None if silent else False,
        hypervisor=names[0] if names else None,
        evidence=tuple(evidence),
        container=_container(sources),
    )


def _cpu_flags(sources: KernelFiles) -> set[str] | None:
    """Return the flags of the first CPU; none where this kind of CPU has no line of them."""
    cpu_info = sources.text("proc/cpuinfo") or ""
    found = re.search(r"^flags\s*:(.*)$", cpu_info, re.MULTILINE)
    return set(found[1].split()) if found else None


def _container(sources: KernelFiles) -> str | None:
    if sources.exists(".dockerenv"):
        return "Docker"
    if sources.exists("run/.containerenv"):
        return "Podman"
    return sources.text("run/systemd/container") or None
