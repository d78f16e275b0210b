"""The environment that every stack takes, validated once."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from users.tls import ConfigurationError, KeyPair, read_key_pair

HOST = "127.0.0.1"

PROTOCOLS = ("h1c", "h1", "h2c", "h2")
_TLS = ("h1", "h2")
_HTTP2 = ("h2c", "h2")

_DIGITS = re.compile(r"[0-9]{1,9}")
_LARGEST_PORT = 65535
_PART = r"[^:@/?#%\s]+"
_DATABASE_URL = re.compile(rf"postgres://({_PART}):({_PART})@({_PART}):([0-9]{{1,5}})/({_PART})")
_VISIBLE = re.compile(r"[!-~]*")


@dataclass(frozen=True)
class DatabaseConfig:
    """Where the database is, and how it is connected to."""

    host: str
    port: int
    user: str
    password: str
    database: str
    pool_size: int


@dataclass(frozen=True)
class TokenConfig:
    """By what tokens are signed, and how long they are valid."""

    secret: str
    lifetime_seconds: int


@dataclass(frozen=True)
class Address:
    """A host and a port."""

    host: str
    port: int


@dataclass(frozen=True)
class Config:
    """The whole environment; there is a key pair where callers come over TLS."""

    port: int
    protocol: str
    key_pair: KeyPair | None
    database: DatabaseConfig
    tokens: TokenConfig
    internal_key: str
    registry: Address | None
    host: str = HOST

    @property
    def is_tls(self) -> bool:
        """Whether callers come over TLS."""
        return self.protocol in _TLS

    @property
    def is_http2(self) -> bool:
        """Whether callers speak HTTP/2."""
        return self.protocol in _HTTP2


def read_config(environment: Mapping[str, str]) -> Config:
    """Read the variables and the files that they name, or raise ConfigurationError."""
    protocol = _word(environment, "UPSTREAM_PROTOCOL", PROTOCOLS, "h1c")
    # No other protocol exists, so there is nothing to keep of it.
    _word(environment, "DISCOVERY_PROTOCOL", ("h1c",), "h1c")
    return Config(
        port=_number(environment, "PORT", 0, _LARGEST_PORT),
        protocol=protocol,
        key_pair=_key_pair(environment) if protocol in _TLS else None,
        database=_database(environment),
        tokens=TokenConfig(
            secret=_secret(environment, "JWT_SECRET", 32, 256),
            lifetime_seconds=_number(environment, "TOKEN_SECONDS", 1, 86_400, 600),
        ),
        internal_key=_secret(environment, "INTERNAL_KEY", 16, 256),
        registry=_registry(environment),
        host=_host(environment),
    )


def _host(environment: Mapping[str, str]) -> str:
    value = environment.get("HOST", HOST)
    try:
        return str(ipaddress.IPv4Address(value))
    except ValueError:
        raise _wrong("HOST", value, "an IPv4 address") from None


def _number(
    environment: Mapping[str, str], name: str, least: int, most: int, standard: int | None = None
) -> int:
    value = environment.get(name, "" if standard is None else str(standard))
    if not _DIGITS.fullmatch(value) or not least <= int(value) <= most:
        raise _wrong(name, value, f"a number from {least} to {most}")
    return int(value)


def _word(environment: Mapping[str, str], name: str, words: tuple[str, ...], standard: str) -> str:
    value = environment.get(name, standard)
    if value not in words:
        raise _wrong(name, value, f"one of {', '.join(words)}")
    return value


def _database(environment: Mapping[str, str]) -> DatabaseConfig:
    """The value is not shown where it is wrong: it has a password."""
    match = _DATABASE_URL.fullmatch(environment.get("DATABASE_URL", ""))
    if match is None or not 0 < int(match[4]) <= _LARGEST_PORT:
        raise ConfigurationError(
            "DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/park"
        )
    user, password, host, port, database = match.groups()
    return DatabaseConfig(
        host=host,
        port=int(port),
        user=user,
        password=password,
        database=database,
        pool_size=_number(environment, "POOL_SIZE", 1, 1000, 10),
    )


def _secret(environment: Mapping[str, str], name: str, least: int, most: int) -> str:
    """The value is not shown where it is wrong: it may be nearly the right one."""
    value = environment.get(name, "")
    if not least <= len(value) <= most or not _VISIBLE.fullmatch(value):
        raise ConfigurationError(f"{name} must be {least} to {most} characters of visible ASCII")
    return value


def _key_pair(environment: Mapping[str, str]) -> KeyPair:
    files = [environment.get(name, "") for name in ("TLS_CERT", "TLS_KEY")]
    return read_key_pair(*map(Path, files))


def _registry(environment: Mapping[str, str]) -> Address | None:
    if _word(environment, "REGISTRY", ("static", "eureka"), "static") == "static":
        return None
    name = "REGISTRY_URL"
    value = environment.get(name, "")
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or port == 0 or value != f"http://{parts.netloc}" or "@" in parts.netloc:
        raise _wrong(name, value, "like http://127.0.0.1:8761")
    return Address(host, 80 if port is None else port)


def _wrong(name: str, value: str, rule: str) -> ConfigurationError:
    return ConfigurationError(f'{name} must be {rule}, not "{value}"')
