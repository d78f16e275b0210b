"""The environment that every stack takes, validated once."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

HOST = "127.0.0.1"

_PORT = re.compile(r"[0-9]{1,5}")
_LARGEST_PORT = 65535


class ConfigurationError(Exception):
    """A variable is wrong; the message names it."""


class Protocol(StrEnum):
    """What one leg speaks."""

    H1C = "h1c"
    H1 = "h1"
    H2C = "h2c"
    H2 = "h2"
    H2_DOWNGRADE = "h2-downgrade"

    @property
    def is_tls(self) -> bool:
        return self not in (Protocol.H1C, Protocol.H2C)

    @property
    def is_http2(self) -> bool:
        """Whether HTTP/2 is spoken for sure, not only offered."""
        return self in (Protocol.H2C, Protocol.H2)


@dataclass(frozen=True)
class Origin:
    """Where the upstream is."""

    scheme: str
    host: str
    port: int
    authority: str


@dataclass(frozen=True)
class Certificate:
    """The files that callers are shown."""

    chain: Path
    key: Path


@dataclass(frozen=True)
class Config:
    """The whole environment."""

    port: int
    client_protocol: Protocol
    certificate: Certificate | None
    upstream: Origin
    upstream_protocol: Protocol
    authority: Path | None
    host: str = HOST


def read_config(environment: Mapping[str, str]) -> Config:
    """Read the variables, or raise ConfigurationError."""
    client = _protocol(environment, "CLIENT_PROTOCOL")
    upstream = _protocol(environment, "UPSTREAM_PROTOCOL")
    certificate = None
    if client.is_tls:
        certificate = Certificate(_file(environment, "TLS_CERT"), _file(environment, "TLS_KEY"))
    return Config(
        port=_port(environment),
        client_protocol=client,
        certificate=certificate,
        upstream=_origin(environment, "https" if upstream.is_tls else "http"),
        upstream_protocol=upstream,
        authority=_file(environment, "TLS_CA") if upstream.is_tls else None,
        host=_host(environment),
    )


def wrong(name: str, value: object, rule: str) -> ConfigurationError:
    """Return the error that names a variable, its rule and what it was."""
    return ConfigurationError(f'{name} must be {rule}, not "{value}"')


def _host(environment: Mapping[str, str]) -> str:
    value = environment.get("HOST", HOST)
    try:
        return str(ipaddress.IPv4Address(value))
    except ValueError:
        raise wrong("HOST", value, "an IPv4 address") from None


def _protocol(environment: Mapping[str, str], name: str) -> Protocol:
    value = environment.get(name) or Protocol.H1C
    try:
        return Protocol(value)
    except ValueError:
        raise wrong(name, value, f"one of {', '.join(Protocol)}") from None


def _port(environment: Mapping[str, str]) -> int:
    value = environment.get("PORT", "")
    if not _PORT.fullmatch(value) or int(value) > _LARGEST_PORT:
        raise wrong("PORT", value, f"a number from 0 to {_LARGEST_PORT}")
    return int(value)


def _origin(environment: Mapping[str, str], scheme: str) -> Origin:
    """A path or a query would be lost, so it is refused."""
    value = environment.get("UPSTREAM_URL", "")
    error = wrong("UPSTREAM_URL", value, f"like {scheme}://127.0.0.1:8688")
    try:
        url = urlsplit(value)
        port = url.port
    except ValueError:
        raise error from None
    is_origin = value in (f"{scheme}://{url.netloc}", f"{scheme}://{url.netloc}/")
    if not is_origin or not url.hostname or "@" in url.netloc:
        raise error
    if port is None:
        port = 443 if scheme == "https" else 80
    return Origin(scheme, url.hostname, port, url.netloc)


def _file(environment: Mapping[str, str], name: str) -> Path:
    value = environment.get(name, "")
    path = Path(value)
    try:
        path.read_bytes()
    except OSError:
        raise wrong(name, value, "a PEM file that can be read") from None
    return path
