"""The machines of a cluster, as their file means them: nothing here is still to be parsed."""

from pathlib import Path

from pydantic import Field

from loadstone.frozen import Frozen


class ClusterTls(Frozen):
    """PEM files by which the machines of a cluster know each other."""

    certificate: Path
    """Of this machine."""
    key: Path
    """The certificate's key."""
    authority: Path
    """The certificate of whoever vouches for all of them."""


class Machines(Frozen):
    """`machines.yaml`: where a study is measured, where that is not this machine alone."""

    path: Path
    """The file."""
    head: str
    """Address and port of the cluster's head, such as `10.0.0.10:6379`."""
    token: Path
    """The file of the token that every machine of the cluster has."""
    tls: ClusterTls | None = None
    """How its connections are encrypted; none: they are not."""
    addresses: dict[str, str]
    """Machine to its address."""
    sites: tuple[str, ...]
    """What does blocks, side by side, in the order in which they get them: each by the name of its
    machine, or of that which its service is on."""
    engines: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Site to the machines of its engines; one that is not here has engine and service on one
    machine."""
    services: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Site to its services by name, each with its machine; one that is not here has all services on
    the machine that it is named by, as has a service that is not here."""
    dependencies: dict[str, str] = Field(default_factory=dict)
    """Site to the machine of its dependencies; one that is not here has them with its service."""

    @property
    def members(self) -> tuple[str, ...]:
        """Every machine that a study needs: those that lead a site, each before its others."""
        return tuple(machine for site in self.sites for machine in (site, *self.others(site)))

    def others(self, site: str) -> tuple[str, ...]:
        """Return the machines of a site beside that which leads it: of engines, of services, then of
        dependencies.
        """
        apart = self.dependencies.get(site)
        services = dict.fromkeys(self.services_apart(site).values())
        return (*self.engines.get(site, ()), *services, *(() if apart is None else (apart,)))

    def services_apart(self, site: str) -> dict[str, str]:
        """Return the services of a site that are not on the machine that leads it, with theirs."""
        named = self.services.get(site, {})
        return {name: machine for name, machine in named.items() if machine != site}
