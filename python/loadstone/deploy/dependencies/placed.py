"""Where a dependency of a system is to stand, and with what it begins."""

from collections.abc import Mapping
from pathlib import Path

from loadstone.deploy.confinement.interface import Confine
from loadstone.deploy.dependencies.interface import Place, Seed
from loadstone.deploy.ports import LOOPBACK
from loadstone.machine.tls_material import TlsMaterial
from loadstone.study.values.manifest import System
from loadstone.study.values.model import Protocol


def placed(
    system: System,
    name: str,
    chosen: Mapping[str, str],
    *,
    cpus: tuple[int, ...],
    logs: Path,
    cache: Path,
    confine: Confine,
    protocol: Protocol = Protocol.H1C,
    tls: TlsMaterial | None = None,
    address: str = LOOPBACK,
) -> Place:
    """Return the place of a dependency at the chosen levels of the system's settings."""
    levels = {path.stem: path for path in system.seed_levels_of(name)}
    return Place(
        name,
        cpus,
        logs,
        protocol,
        tls,
        cache=cache,
        seed=Seed(system.seed_of(name), levels, system.level_of(name, chosen)),
        options=system.options_of(name),
        directory=system.directory,
        confine=confine,
        address=address,
    )
