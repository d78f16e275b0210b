"""The machines of a cluster, as typed: `machines.yaml`.

Whether they are there, and alike, is asked of them when a study begins.
"""

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Discriminator, Field, Tag

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Name, Raw, Text, parse
from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.study.values.machines import ClusterTls, Machines
from loadstone.text.quoted import shortened, suggestion
from loadstone.text.words import counted

DEFAULT_TOKEN = "~/.config/loadstone/token"
"""Where `loadstone cluster up` puts it."""
MOST_MACHINES = 256
"""Each needs a place in what the driver follows at once; nobody has tried more than a few."""
MOST_PORT = 65535
MOST_ENGINES = 16
"""Of one site: the shares of so many are held to be one plan. Nobody has tried more than two."""

MOST_SERVICES = 64
"""Of one site, by name; no system has as many."""

_HOST = re.compile(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*")
"""RFC 1123, section 2.1."""
_LONGEST_HOST = 253


def is_address(text: str) -> bool:
    """Whether a text is an IP address or a host's name, without a port."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        # Digits and dots alone are an address that was mistyped, never a name.
        is_name = bool(_HOST.fullmatch(text)) and not re.fullmatch(r"[0-9.]+", text)
        return is_name and len(text) <= _LONGEST_HOST
    return True


def is_public(address: str) -> bool:
    """Whether an address is reached from everywhere, as far as its text tells."""
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


def _is_address(text: str) -> str:
    if not is_address(text):
        raise WrongValueError(
            f"{shortened(text)!r} is neither an IP address nor a host's name",
            "write one such as 10.0.0.11, without a port",
        )
    return text


def split_head(text: str) -> tuple[str, int]:
    """Return address and port of `10.0.0.10:6379`. Raises WrongValueError."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    is_port = port.isascii() and port.isdigit() and 1 <= int(port) <= MOST_PORT
    if not colon or not is_address(host) or not is_port:
        raise WrongValueError(
            f"{shortened(text)!r} is not an address with a port",
            "write what `loadstone cluster up` printed, such as 10.0.0.10:6379",
        )
    return host, int(port)


def _is_head(text: str) -> str:
    split_head(text)
    return text


class RawMachine(Raw):
    """One machine."""

    address: Annotated[str, AfterValidator(_is_address)]
    """IP address or host's name, as the others reach it."""


class RawTls(Raw):
    """PEM files by which the machines know each other, seen from the file of machines."""

    certificate: Text
    """Of this machine."""
    key: Text
    """The certificate's key."""
    authority: Text
    """The certificate of whoever vouches for all of them."""


def _shape_of_engine(typed: Any) -> str:
    if typed is None:
        return "nowhere"
    return "as a list" if isinstance(typed, list) else "as a name"


def _shape_of_service(typed: Any) -> str:
    return "by service" if isinstance(typed, dict) else "all on one"


class RawRoles(Raw):
    """Several machines that do blocks together, each with a part of its own."""

    elsewhere: ClassVar = {
        "dependencies": "write `dependency`: all of them stand on one machine",
        "probe": "leave it out: whatever runs is probed where it runs",
    }
    elsewhere_message: ClassVar = "has no machine of its own so far"

    engine: Annotated[
        Annotated[None, Tag("nowhere")]
        | Annotated[Name, Tag("as a name")]
        | Annotated[
            Annotated[list[Name], Field(min_length=1, max_length=MOST_ENGINES)], Tag("as a list")
        ],
        Discriminator(_shape_of_engine),
    ] = None
    """The machine whose engine loads the service, or several, each with an equal share of the load.
    Default: the engine is with the service."""
    service: Annotated[
        Annotated[Name, Tag("all on one")]
        | Annotated[
            Annotated[dict[Name, Name], Field(min_length=1, max_length=MOST_SERVICES)],
            Tag("by service"),
        ],
        Discriminator(_shape_of_service),
    ]
    """The machine of the services, which gives the site its name. Or a machine for each by name, such
    as `{gateway: c, users: d}`: the first is the service that is called, whose machine names the site
    and has whatever is not written here."""
    dependency: Name | None = None
    """The machine of what they need: of all dependencies. Default: they are with the services."""

    @property
    def leader(self) -> str:
        """The machine that leads the site, and names it."""
        return self.service if isinstance(self.service, str) else next(iter(self.service.values()))

    @property
    def services(self) -> dict[str, str]:
        """Service to its machine; empty where all are on one."""
        return {} if isinstance(self.service, str) else self.service

    @property
    def apart(self) -> tuple[str, ...]:
        """The machines of services that the one which leads does not have."""
        return tuple(each for each in dict.fromkeys(self.services.values()) if each != self.leader)


def _shape_of_site(typed: Any) -> str:
    return "roles" if isinstance(typed, dict | RawRoles) else "machine"


RawSite = Annotated[
    Annotated[Name, Tag("machine")] | Annotated[RawRoles, Tag("roles")],
    Discriminator(_shape_of_site),
]
"""By what it is: so that what is wrong in one is told of that one."""


class RawMachines(Raw):
    """Machines that measure a study side by side."""

    head: Annotated[str, AfterValidator(_is_head)]
    """Address and port of the cluster's head, such as `10.0.0.10:6379`."""
    token: Text = DEFAULT_TOKEN
    """The file of the token that `loadstone cluster up` made. Default: `~/.config/loadstone/token`."""
    tls: RawTls | None = None
    """Encrypts what the machines tell each other; a head on a public address needs it."""
    machines: dict[Name, RawMachine] = Field(min_length=1, max_length=MOST_MACHINES)
    """Every machine by its name: that under which it joined."""
    sites: list[RawSite] = Field(min_length=1)
    """What does blocks, each by itself; equal ones. A machine, or several by role, such as
    `{engine: [a, b], service: c, dependency: d}`."""


def read_machines(path: Path) -> Machines:
    """Read the file of machines. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawMachines)
    _judge_addresses(source, raw)
    _judge_sites(source, raw)
    beside = path.parent
    tls = raw.tls
    return Machines(
        path=path,
        head=raw.head,
        token=Path(raw.token).expanduser(),
        tls=None
        if tls is None
        else ClusterTls(
            certificate=beside / Path(tls.certificate).expanduser(),
            key=beside / Path(tls.key).expanduser(),
            authority=beside / Path(tls.authority).expanduser(),
        ),
        addresses={name: machine.address for name, machine in raw.machines.items()},
        sites=tuple(each if isinstance(each, str) else each.leader for each in raw.sites),
        engines={
            each.leader: engines
            for each in raw.sites
            if isinstance(each, RawRoles) and (engines := _engines(each))
        },
        services={
            each.leader: each.services
            for each in raw.sites
            if isinstance(each, RawRoles) and each.services
        },
        dependencies={
            each.leader: each.dependency
            for each in raw.sites
            if isinstance(each, RawRoles) and each.dependency is not None
        },
    )


def _engines(site: RawRoles) -> tuple[str, ...]:
    if site.engine is None:
        return ()
    return (site.engine,) if isinstance(site.engine, str) else tuple(site.engine)


def _judge_addresses(source: YamlFile, raw: RawMachines) -> None:
    """Refuse two names for one machine. Raises InputError."""
    names: dict[str, str] = {}
    for name, machine in raw.machines.items():
        if machine.address in names:
            raise source.error(
                ("machines", name, "address"),
                f"{machine.address} is the machine {names[machine.address]} already",
                "two sites on one machine disturb each other: keep one of the two",
            )
        names[machine.address] = name


def _judge_sites(source: YamlFile, raw: RawMachines) -> None:
    """Refuse machines that are not there, or have two parts. Raises InputError."""
    taken: dict[str, str] = {}
    for position, site in enumerate(raw.sites):
        if isinstance(site, str):
            _take(source, raw, ("sites", position), site, "a site", taken)
            continue
        leader = site.leader
        _take(source, raw, _key_of_service(site, position, leader), leader, "a site", taken)
        if site.engine is site.dependency is None and not site.apart:
            raise source.error(
                ("sites", position),
                "has neither engine, services nor dependencies on a machine of their own",
                f"write {leader} alone",
            )
        if site.engine is not None or site.apart:
            _judge_number(source, raw, leader, "a service that is called")
        for machine in site.apart:
            key = _key_of_service(site, position, machine)
            _take(source, raw, key, machine, f"services of {leader}", taken)
            _judge_number(source, raw, machine, "a service that is called")
        for number, engine in enumerate(_engines(site)):
            key = ("sites", position, "engine")
            if not isinstance(site.engine, str):
                key = (*key, number)
            _take(source, raw, key, engine, f"an engine of {leader}", taken)
        if site.dependency is not None:
            key = ("sites", position, "dependency")
            part = f"the dependencies of {leader}"
            _take(source, raw, key, site.dependency, part, taken)
            _judge_number(source, raw, site.dependency, "a dependency that is called")
    _judge_alike(source, raw)


def _key_of_service(site: RawRoles, position: int, machine: str) -> KeyPath:
    """Where a machine of services is written."""
    key: KeyPath = ("sites", position, "service")
    return (*key, *(name for name, other in site.services.items() if other == machine))[:4]


def _judge_alike(source: YamlFile, raw: RawMachines) -> None:
    """Refuse sites that are not loaded by equally many machines: they are unlike. Raises InputError."""
    counts = [len(_engines(site)) if isinstance(site, RawRoles) else 0 for site in raw.sites]
    for position, count in enumerate(counts):
        if count != counts[0]:
            raise source.error(
                ("sites", position),
                f"has {_counted(count)}, and the first site has {_counted(counts[0])}: their runs "
                "cannot be compared",
                "give every site as many, or none",
            )
    services = [_by_machine(site) if isinstance(site, RawRoles) else [] for site in raw.sites]
    for position, groups in enumerate(services):
        if groups != services[0]:
            raise source.error(
                ("sites", position),
                "has its services on other machines than the first site: their runs cannot be compared",
                "let all sites be alike",
            )
    apart = [isinstance(site, RawRoles) and site.dependency is not None for site in raw.sites]
    for position, is_apart in enumerate(apart):
        if is_apart != apart[0]:
            where = ("with its service", "on a machine of their own")
            raise source.error(
                ("sites", position),
                f"has its dependencies {where[is_apart]}, and the first site {where[apart[0]]}: their "
                "runs cannot be compared",
                "let all sites be alike",
            )


def _by_machine(site: RawRoles) -> list[set[str]]:
    """The services of each machine but that which leads, in the order in which they are written."""
    return [
        {name for name, other in site.services.items() if other == machine}
        for machine in site.apart
    ]


def _counted(engines: int) -> str:
    return counted(engines, "machine") + " of engines" if engines else "its engine with its service"


def _take(
    source: YamlFile, raw: RawMachines, at: KeyPath, name: str, part: str, taken: dict[str, str]
) -> None:
    if name not in raw.machines:
        raise source.error(at, f"there is no machine {name}", suggestion(name, tuple(raw.machines)))
    if name in taken:
        raise source.error(at, f"{name} is {taken[name]} already", "name each machine once")
    taken[name] = part


def _judge_number(source: YamlFile, raw: RawMachines, machine: str, what: str) -> None:
    """What others call from elsewhere listens at its machine's address, not at a name."""
    address = raw.machines[machine].address
    try:
        ipaddress.IPv4Address(address)
    except ValueError:
        raise source.error(
            ("machines", machine, "address"),
            f"{shortened(address)} is no IPv4 address, and {what} from another machine listens at one",
            "write the address",
        ) from None
