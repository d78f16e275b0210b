"""Finds out the facts that `doctor` shows. `diagnosis.py` puts them into words."""

import os
import platform
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from loadstone.deploy.confinement.outlook import Outlook, outlook
from loadstone.deploy.confinement.own_group import own_groups
from loadstone.deploy.placement import Placement, available_cores, place
from loadstone.doctor.ask import ask_all
from loadstone.doctor.connections import Connections, connections
from loadstone.doctor.instruments import instruments
from loadstone.doctor.kernel_files import KernelFiles
from loadstone.doctor.memory import Memory, memory
from loadstone.doctor.noise import Noise, measure_noise
from loadstone.doctor.presence import Presence
from loadstone.doctor.processors import Frequency, Processors, frequency, processors
from loadstone.doctor.ray_ports import ray_ports
from loadstone.doctor.resolution import Resolution, resolution
from loadstone.doctor.timer import Timer, timer
from loadstone.doctor.virtualisation import Virtualisation, virtualisation
from loadstone.errors import StepFailed
from loadstone.frozen import Frozen
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.origin_text import roots_text

OLDEST_KERNEL = (5, 11)
"""epoll_pwait2, which the engine waits by where it has no io_uring, came with Linux 5.11."""

OnStep = Callable[[str], None]


class Machine(Frozen):
    """What is known of the machine without timing anything."""

    kernel: Presence
    """Linux, and whether it is new enough."""
    processors: Processors
    """CPUs, cores and sockets."""
    frequency: Frequency
    """How fast the CPUs may run."""
    virtualisation: Virtualisation
    """Virtual machine or container."""
    memory: Memory
    """Of the machine."""
    disk_free_bytes: int
    """Where results would be written: in the user's root, else in the current folder."""
    load_1: float
    """Mean number of threads that ran or waited for a CPU over the last minute."""
    connections: Connections
    """What bounds their number."""
    control_groups: Outlook
    """How services would be confined."""


class CpusByRole(Frozen):
    """Which CPUs a study would give to whom."""

    service: tuple[int, ...]
    """The service under test."""
    bench: tuple[int, ...]
    """Engine, probe, backend and dependencies."""
    shared: bool
    """Whether both have a CPU in common."""
    shares_core: bool
    """Whether they have a core in common."""


class Examination(Frozen):
    """All facts."""

    machine: Machine
    """The machine."""
    placement: CpusByRole
    """Who would run where."""
    lab: tuple[Presence, ...]
    """Parts of the lab itself."""
    runtimes: tuple[Presence, ...]
    """What executes stacks."""
    tools: tuple[Presence, ...]
    """Programs that build stacks or serve as dependencies."""
    instruments: tuple[Presence, ...]
    """What kernel and hardware can tell beyond the usual."""
    timer: Timer
    """Clock and sleep."""
    noise: Noise | None
    """How much equal work varied; none where it could not be measured."""
    resolution: Resolution | None
    """What can be told apart; none without noise."""
    ray_ports: tuple[int, ...] = ()
    """Ports on which Ray listens on all addresses; empty where it does not run."""


def examine(
    catalogue: Catalogue, on_step: OnStep, sources: KernelFiles | None = None
) -> Examination:
    """Find everything out; takes a few seconds. `on_step` is told what begins."""
    sources = sources or KernelFiles()
    placement = place(available_cores())
    machine = read_machine(sources, placement, catalogue.own or Path.cwd())
    on_step("asking runtimes and tools, trying the engine for a second")
    answers = ask_all(catalogue, placement)
    on_step("probing how steady the machine is, for three seconds")
    noise, problems = probe_noise(placement)
    is_virtual = bool(machine.virtualisation.virtual)
    return Examination(
        machine=machine,
        placement=CpusByRole(
            service=placement.service,
            bench=placement.bench,
            shared=placement.shared,
            shares_core=placement.shares_core,
        ),
        lab=(Presence(name="roots", found=roots_text(catalogue)), *answers.lab, *problems),
        runtimes=answers.runtimes,
        tools=answers.tools,
        instruments=(
            *instruments(sources, is_virtual=is_virtual, privileged=os.geteuid() == 0),
            *([answers.trial.io_uring(), answers.trial.real_time()] if answers.trial else []),
        ),
        timer=timer(sources),
        noise=noise,
        resolution=None if noise is None else resolution(noise),
        ray_ports=ray_ports(),
    )


def read_machine(sources: KernelFiles, placement: Placement, folder: Path) -> Machine:
    """Read what the kernel tells; results would be written to `folder`."""
    usable = tuple(sorted({*placement.service, *placement.bench}))
    found = virtualisation(sources)
    mounts, membership = (sources.text(f"proc/self/{each}") for each in ("mountinfo", "cgroup"))
    groups = own_groups(mounts or "", membership or "")
    load = (sources.text("proc/loadavg") or "0").split()
    return Machine(
        kernel=_kernel(sources.text("proc/sys/kernel/osrelease") or platform.release()),
        processors=processors(sources, usable),
        frequency=frequency(sources, usable, is_virtual=bool(found.virtual)),
        virtualisation=found,
        memory=memory(sources),
        disk_free_bytes=shutil.disk_usage(folder).free,
        load_1=float(load[0]),
        connections=connections(sources),
        control_groups=outlook({each: sources.at(groups[each]) for each in groups}),
    )


def _kernel(release: str) -> Presence:
    version = re.match(r"(\d+)\.(\d+)", release)
    is_new = version is not None and (int(version[1]), int(version[2])) >= OLDEST_KERNEL
    return Presence(
        name="Linux",
        found=release if is_new else None,
        reason=None if is_new else f"the kernel is {release}",
        remedy="Use Linux {}.{} or later.".format(*OLDEST_KERNEL),
        needed=True,
    )


def probe_noise(placement: Placement) -> tuple[Noise | None, tuple[Presence, ...]]:
    """Return the noise, or none and what is wanting for it."""
    try:
        return measure_noise(placement), ()
    except (StepFailed, OSError) as failure:
        loopback = Presence(
            name="round trips",
            reason=failure.reason if isinstance(failure, StepFailed) else str(failure),
            remedy="Bring 127.0.0.1 up (`ip link set lo up`), and let this user run Python and listen.",
            needed=True,
        )
        return None, (loopback,)
