"""The machines of a cluster, as typed: `machines.yaml`.

Whether they are there, and alike, is asked of them when a study begins.
"""

import ipaddress
import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from loadstone.errors import WrongValueError
from loadstone.study.files.raw import Name, Raw, Text, parse
from loadstone.study.files.yaml_file import YamlFile, read_yaml
from loadstone.study.values.machines import ClusterTls, Machines
from loadstone.text.quoted import shortened, suggestion

DEFAULT_TOKEN = "~/.config/loadstone/token"
"""Where `loadstone cluster up` puts it."""
MOST_MACHINES = 256
"""Each needs a place in what the driver follows at once; nobody has tried more than a few."""
MOST_PORT = 65535

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
    sites: list[Name] = Field(min_length=1)
    """The machines that do blocks, each by itself; equal ones."""


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
        sites=tuple(raw.sites),
    )


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
    """Refuse sites that are not there, or there twice. Raises InputError."""
    for position, site in enumerate(raw.sites):
        at = ("sites", position)
        if site not in raw.machines:
            raise source.error(
                at, f"there is no machine {site}", suggestion(site, tuple(raw.machines))
            )
        if site in raw.sites[:position]:
            raise source.error(at, f"{site} is a site already", "name each machine once")
