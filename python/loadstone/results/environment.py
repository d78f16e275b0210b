"""`environment.json`: where and with what a study ran.

Every fact may be missing, since an earlier lab did not record it or somebody made the file by hand; and
what a later lab has added is kept, so that a report shows it as well.
"""

from typing import Any

from pydantic import ConfigDict, Field

from loadstone.frozen import Frozen


class Machine(Frozen):
    """The machine, as the kernel describes it. None is what was not recorded."""

    model_config = ConfigDict(extra="allow")

    cpu_model: str | None = None
    cpus: int | None = None
    memory_bytes: int | None = None
    kernel: str | None = None
    virtualisation: str | None = None
    """`hypervisor` when the CPU says that it is virtual, else `none seen`."""
    clock_source: str | None = None


class ClockOffset(Frozen):
    """How the wall clock of a machine lies to the driver's, from round trips."""

    offset_ns: int
    """What the machine's clock is ahead."""
    bound_ns: int
    """By which that may be wrong: half of the shortest round trip."""
    round_trip_ns: int
    """The median."""


class SiteFacts(Frozen):
    """One of several machines that did blocks of a study. None is what cannot be read there."""

    model_config = ConfigDict(extra="allow")

    machine: Machine = Machine()
    address: str | None = None
    """As `machines.yaml` has it."""
    service_cpus: tuple[int, ...] | None = None
    bench_cpus: tuple[int, ...] | None = None
    microcode: str | None = None
    """Of the first CPU."""
    governors: tuple[str, ...] | None = None
    """Policies by which the frequency of its CPUs is chosen."""
    mitigations: dict[str, str] | None = None
    """Flaw of the CPU to what the kernel does against it."""
    link_bits_per_second: int | None = None
    """Of its fastest network device that is up."""
    clock: ClockOffset | None = None
    """How its wall clock lies to the driver's."""
    engines: "dict[str, SiteFacts]" = Field(default_factory=dict)
    """The machines of its engines by name, where these are not its own."""
    services: "dict[str, SiteFacts]" = Field(default_factory=dict)
    """The same of the machines of services that the one which leads does not have."""
    dependencies: "dict[str, SiteFacts]" = Field(default_factory=dict)
    """The same of the machine of its dependencies."""

    @property
    def others(self) -> "dict[str, SiteFacts]":
        """The machines of its site beside this one."""
        return {**self.engines, **self.services, **self.dependencies}


class Environment(Frozen):
    """Facts that must match when a study is resumed, and others that describe it."""

    model_config = ConfigDict(extra="allow")

    machine: Machine = Machine()
    versions: dict[str, str] = Field(default_factory=dict)
    """Tool to version: loadstone, loadstone-engine, python and each runtime of the study."""
    frameworks: dict[str, str] = Field(default_factory=dict)
    """Stack to its framework, with the version that a file of the stack fixes. Describes only: `code`
    is what must match.
    """
    code: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of what measures and of each stack's sources."""
    service_cpus: tuple[int, ...] | None = None
    bench_cpus: tuple[int, ...] | None = None
    commit: str | None = None
    """Of the root that the system is of; `-dirty` when it had uncommitted changes, `unknown` where it
    has none, as where Loadstone is installed from a wheel. Describes only: `code` is what must match.
    """
    began_at: str | None = None
    """UTC, ISO 8601: when the study began to prepare its runs."""
    load_average: tuple[float, float, float] | None = None
    """1, 5 and 15 minutes, when the study began."""
    machines: dict[str, SiteFacts] = Field(default_factory=dict)
    """By site, where there were several; what stands above is then of the first of them."""

    def recorded(self) -> dict[str, Any]:
        """Return the facts that were recorded, those that are not known here among them."""
        return self.model_dump(exclude_unset=True)
