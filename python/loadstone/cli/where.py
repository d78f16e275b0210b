"""Where `loadstone run` measures: this machine, several, or a place where everything is made up."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from loadstone.errors import LoadstoneError

if TYPE_CHECKING:
    from loadstone.measure.site import Site
    from loadstone.study.design.resolve import ResolvedPlan


@dataclass(frozen=True)
class Where:
    """What a study's site is chosen by."""

    root: Path | None = None
    """The user's root as it was typed."""
    machines: Path | None = None
    """The file of machines; none: this machine alone."""
    simulation: Path | None = None
    """The file of behaviours; none: it is measured."""
    here: bool = False
    """Whether labs of this machine stand for those of the machines."""

    @property
    def options(self) -> str:
        """As they are typed again, to resume a study."""
        texts = {"--root": self.root, "--machines": self.machines, "--simulate": self.simulation}
        typed = "".join(f" {option} {path}" for option, path in texts.items() if path is not None)
        return f"{typed} --here" if self.here else typed

    def sites(self) -> tuple[str, ...]:
        """Return the sites by name; none where there is only one. Raises InputError."""
        from loadstone.study.files.machines_file import read_machines

        return () if self.machines is None else read_machines(self.machines).sites

    @contextmanager
    def site(self, resolved: "ResolvedPlan", results: Path) -> "Iterator[Site]":
        """Give the site of a study whose results go to a folder. Raises LoadstoneError."""
        from loadstone.measure.this_machine import this_machine
        from loadstone.simulate.site import simulated_site

        if self.machines is None:
            if self.simulation is None:
                yield this_machine(resolved)
            else:
                yield simulated_site(resolved, self.simulation)
            return
        from loadstone.cluster.open_sites import sites_here
        from loadstone.study.files.machines_file import read_machines

        machines = read_machines(self.machines)
        if not self.here:
            from loadstone.cli.app import say_line
            from loadstone.cluster.ray_cluster import sites_by_ray

            with sites_by_ray(resolved, machines, results, self.simulation, say_line) as site:
                yield site
            return
        if self.simulation is None:
            raise LoadstoneError(
                "sites on one machine disturb each other", "simulate the study, or leave --here out"
            )
        with sites_here(resolved, machines, results, self.simulation) as site:
            yield site


THIS_MACHINE = Where()
