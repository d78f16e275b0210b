"""What a machine is, as far as it matters beside others: what must be alike, and what should be.

Sources: sysfs-devices-system-cpu, sysfs-class-net in the kernel's ABI documentation.
"""

from pathlib import Path

from loadstone.machine.network import link_bits_per_second
from loadstone.results.environment import ClockOffset, Environment, Machine, SiteFacts

_CPUS = Path("sys/devices/system/cpu")


def site_facts(
    environment: Environment, *, clock: ClockOffset | None = None, root: Path = Path("/")
) -> SiteFacts:
    """Return the facts of this machine, which a study's environment was observed on.

    `clock` is what the driver found of its clock. `root` is that of the file system: of recorded files
    in tests.
    """
    return SiteFacts(
        machine=environment.machine,
        service_cpus=environment.service_cpus,
        bench_cpus=environment.bench_cpus,
        microcode=_microcode(root),
        governors=_governors(root),
        mitigations=_mitigations(root),
        link_bits_per_second=link_bits_per_second(root),
        clock=clock,
    )


def _microcode(root: Path) -> str | None:
    text = _text(root / "proc/cpuinfo") or ""
    lines = (line.partition(":") for line in text.splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == "microcode"), None)


def _governors(root: Path) -> tuple[str, ...] | None:
    files = (root / _CPUS).glob("cpufreq/policy*/scaling_governor")
    found = {text for path in files if (text := _text(path)) is not None}
    return tuple(sorted(found)) or None


def _mitigations(root: Path) -> dict[str, str] | None:
    files = sorted((root / _CPUS / "vulnerabilities").glob("*"))
    return {path.name: text for path in files if (text := _text(path)) is not None} or None


def _text(path: Path) -> str | None:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return None


MEMORY_SHARE = 0.01
"""By which memory may differ: what the kernel leaves of equal modules depends on what it keeps for
itself, some MiB of each GiB."""


def differences(
    first: tuple[Environment, SiteFacts], other: tuple[Environment, SiteFacts]
) -> list[str]:
    """Return in which facts two sites differ that must be alike: `kernel: 6.1, and 6.8 there`."""
    (environment, facts), (environment_there, facts_there) = first, other
    here, there = _must_match(environment, facts), _must_match(environment_there, facts_there)
    found = [
        f"{name}: {here.get(name, 'none')}, and {there.get(name, 'none')} there"
        for name in dict.fromkeys([*here, *there])
        if here.get(name) != there.get(name)
    ]
    memory, memory_there = (each.machine.memory_bytes or 0 for each in (facts, facts_there))
    if abs(memory - memory_there) > MEMORY_SHARE * max(memory, memory_there):
        found.append(f"memory: {memory} bytes, and {memory_there} there")
    return found


def _must_match(environment: Environment, facts: SiteFacts) -> dict[str, str]:
    machine: Machine = facts.machine
    return {
        "CPU model": str(machine.cpu_model),
        "CPUs": str(machine.cpus),
        "kernel": str(machine.kernel),
        "microcode": str(facts.microcode),
        "governors": ", ".join(facts.governors or ("none",)),
        "CPUs of the services": str(facts.service_cpus),
        "CPUs of the bench": str(facts.bench_cpus),
        **{f"version of {name}": text for name, text in environment.versions.items()},
        **{f"digest of {name}": text[:16] for name, text in environment.code.items()},
    }
