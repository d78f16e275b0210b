"""`loadstone cluster check`: the machines of a file, each asked what it is."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from loadstone.cluster.clock_offset import clock_offset
from loadstone.cluster.examine import Examined
from loadstone.cluster.ray_cluster import Cluster
from loadstone.cluster.site_facts import differences
from loadstone.results.environment import ClockOffset
from loadstone.study.values.machines import Machines


@dataclass(frozen=True)
class CheckedMachine:
    """What one machine said, and how long it took to answer."""

    examined: Examined
    clock: ClockOffset


@dataclass(frozen=True)
class CheckedMachines:
    """The machines of a file."""

    machines: Mapping[str, CheckedMachine]
    """By name."""
    measured_by: Mapping[str, str] = field(default_factory=dict)
    """Machine to that which it must be like, where that is not the first: engines to engines."""

    def first_of(self, machine: str) -> str:
        """Return the machine that a machine must be like, which may be itself."""
        return self.measured_by.get(machine, next(iter(self.machines)))

    @property
    def differences(self) -> dict[str, list[str]]:
        """In what each machine differs from that which it must be like; without those that do not."""
        found = {}
        for machine, there in self.machines.items():
            here, other = self.machines[self.first_of(machine)].examined, there.examined
            found[machine] = differences(
                (here.environment, here.facts), (other.environment, other.facts)
            )
        return {machine: each for machine, each in found.items() if each}

    @property
    def are_alike(self) -> bool:
        """Whether blocks on them can be compared."""
        return not self.differences


def check_machines(
    cluster: Cluster, machines: Machines, files: bytes, say: Callable[[str], None]
) -> CheckedMachines:
    """Ask every machine what it is, all at once, then each for its clock alone; `files` are systems,
    runtimes and studies.

    Raises LoadstoneError where one is not there, or is in use.
    """
    cluster.refuse_absent(machines, say)

    def examined(host: Any) -> str:
        return str(cluster.call(host.examine.remote(files)))

    def clock(host: Any) -> int:
        return int(cluster.call(host.clock.remote()))

    hosts = {site: cluster.host(site, "loadstone cluster check") for site in machines.members}
    try:
        say(f"examining {len(hosts)} machines, for some ten seconds ...")
        with ThreadPoolExecutor(len(hosts)) as pool:
            told = dict(zip(hosts, pool.map(examined, hosts.values()), strict=True))
        return CheckedMachines(
            {
                site: CheckedMachine(
                    Examined.model_validate_json(told[site]),
                    clock_offset(partial(clock, host)),
                )
                for site, host in hosts.items()
            },
            engines_alike(machines),
        )
    finally:
        for host in hosts.values():
            cluster.release(host)


def engines_alike(machines: Machines) -> dict[str, str]:
    """Return which machine each that leads no site must be like: that of the same part at the first."""
    first = machines.others(machines.sites[0])
    return {
        other: like
        for site in machines.sites
        for other, like in zip(machines.others(site), first, strict=True)
    }
