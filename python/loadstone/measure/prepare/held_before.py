"""Which services held the whole contract before: what has not changed since is not held by each study.

Where a contract stops databases and starts services anew it takes minutes, and a study of twenty arms
would hold it for longer than it measures, in each of its sittings. Its quick part is held in every run
all the same. What is kept is that it held, never that it did not.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from loadstone import contract as checking
from loadstone import deploy as deploying
from loadstone.contract.model import CheckResult, Contract
from loadstone.contract.of_system import contract_files, contract_folder
from loadstone.deploy import sources
from loadstone.deploy.dependencies.registry import KINDS
from loadstone.frozen import Frozen
from loadstone.measure.prepare.prepared import Parts, Spoken
from loadstone.measure.prepare.whole_contract import HeldContract
from loadstone.results.record import now_utc
from loadstone.results.write import write_text
from loadstone.study.values.held_to import Deviation
from loadstone.study.values.manifest import System

_FORMAT = 2
"""Of what a file says and its name is made of: raise it when those of before must not be used."""

_CODE = (checking, deploying)
"""Packages whose code decides what a check sees."""


class HeldBefore(Frozen):
    """A contract that held."""

    held_at: str
    """When, in UTC."""
    results: tuple[CheckResult, ...]
    deviations: tuple[Deviation, ...]

    @property
    def contract(self) -> HeldContract:
        """What became of its checks then."""
        return HeldContract(self.results, self.deviations)


@dataclass(frozen=True)
class HeldContracts:
    """A folder with a file for each service that held, in each cast."""

    folder: Path
    system: System
    contract: Contract

    @cached_property
    def _same_for_all(self) -> tuple[object, ...]:
        """What decides about every cast alike: the contract, the system around it, the lab's code."""
        folder = contract_folder(self.system)
        servers = [KINDS[kind].version for kind in self.system.dependencies.values()]
        return (
            [(check.clause, check.title) for check in self.contract.checks],
            sources.digest(folder) if folder.is_dir() else None,
            [(file.name, file.read_bytes()) for file in contract_files(self.system)],
            (self.system.directory / "system.yaml").read_bytes(),
            [(file.name, file.read_bytes()) for file in self.system.seed_files],
            [version() for version in servers if version is not None],
            [sources.digest(Path(each.__path__[0])) for each in _CODE],
        )

    def place(self, service: str, parts: Parts, spoken: Spoken, cpus: int) -> Path | None:
        """Return the file of what is about a service, as a cast on so many CPUs serves it.

        None where not all of that is built by the lab, or the system has a server of one's own: nobody
        knows what that is made of.
        """
        if "command" in self.system.dependencies.values():
            return None
        built = {name: part.built for name, part in parts.items()}
        if None in built.values() or len(parts) != len(spoken.cast):
            return None
        told = (
            _FORMAT,
            service,
            [
                (name, each.facts.digest, each.facts.training_ns is not None)
                for name, each in built.items()
                if each
            ],
            [(name, part.launch.command) for name, part in parts.items()],
            [(leg, protocol.value) for leg, protocol in spoken.legs],
            cpus,
            self._same_for_all,
        )
        digest = hashlib.sha256(repr(told).encode()).hexdigest()
        return self.folder / f"{service}-{digest[:16]}.json"

    def read(self, place: Path | None) -> HeldBefore | None:
        """Return what is kept there; none where nothing is, or what is cannot be read."""
        try:
            return None if place is None else HeldBefore.model_validate_json(place.read_text())
        except (OSError, ValueError):
            return None

    def keep(self, place: Path | None, held: HeldContract) -> None:
        """Keep what held; forget what was kept where it does not hold any more."""
        if place is None:
            return
        if held.failures or held.of_state("error"):
            place.unlink(missing_ok=True)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        before = HeldBefore(held_at=now_utc(), results=held.results, deviations=held.deviations)
        write_text(place, before.model_dump_json(indent=1))
