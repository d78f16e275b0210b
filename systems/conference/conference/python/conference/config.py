"""The environment that every stack takes, validated once."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

HOST = "127.0.0.1"

_PROTOCOLS = ("h1c",)
_LOG_LEVELS = ("error", "warn", "info", "debug")
_SWITCH = ("on", "off")

_DIGITS = re.compile(r"[0-9]{1,9}")
_LARGEST_PORT = 65535
_PART = r"[^:@/?#%\s]+"
_DATABASE_URL = re.compile(rf"mysql://({_PART}):({_PART})@({_PART}):([0-9]{{1,5}})/({_PART})")


class ConfigurationError(Exception):
    """A variable is wrong; the message names it."""


class Strategy(StrEnum):
    """How countries are looked up."""

    SEQUENTIAL = "sequential"
    CONCURRENT = "concurrent"
    BATCHED = "batched"


@dataclass(frozen=True)
class DatabaseConfig:
    """Where the database is, and how it is connected to."""

    host: str
    port: int
    user: str
    password: str
    database: str
    pool_size: int
    timeout_seconds: float


@dataclass(frozen=True)
class CountryConfig:
    """Where the service country is, and how it is asked."""

    origin: str
    timeout_seconds: float
    connections: int
    retries: int
    retry_interval_seconds: float
    has_breaker: bool


@dataclass(frozen=True)
class LookupConfig:
    """In which way the countries of a list are looked up."""

    strategy: Strategy
    width: int
    batch_size: int


@dataclass(frozen=True)
class Config:
    """The whole environment."""

    port: int
    log_level: str
    database: DatabaseConfig
    country: CountryConfig
    lookups: LookupConfig
    host: str = HOST


def read_config(environment: Mapping[str, str]) -> Config:
    """Read the variables, or raise ConfigurationError."""
    # No other protocol exists, so there is nothing to keep of these two.
    for leg in ("CLIENT_PROTOCOL", "LOOKUP_PROTOCOL"):
        _word(environment, leg, _PROTOCOLS, "h1c")
    return Config(
        port=_number(environment, "PORT", 0, _LARGEST_PORT),
        log_level=_word(environment, "LOG_LEVEL", _LOG_LEVELS, "warn"),
        database=_database(environment),
        country=CountryConfig(
            origin=_origin(environment),
            timeout_seconds=_seconds(environment, "COUNTRY_TIMEOUT_MS", 1, 2000),
            connections=_number(environment, "COUNTRY_CONNECTIONS", 1, 1000, 64),
            retries=_number(environment, "RETRIES", 0, 10, 0),
            retry_interval_seconds=_seconds(environment, "RETRY_INTERVAL_MS", 0, 100),
            has_breaker=_word(environment, "BREAKER", _SWITCH, "off") == "on",
        ),
        lookups=LookupConfig(
            strategy=Strategy(_word(environment, "STRATEGY", tuple(Strategy), Strategy.SEQUENTIAL)),
            width=_number(environment, "WIDTH", 1, 1000, 8),
            batch_size=_number(environment, "BATCH_SIZE", 1, 1000, 100),
        ),
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


def _seconds(environment: Mapping[str, str], name: str, least: int, standard: int) -> float:
    """Every limit in milliseconds has the same most."""
    return _number(environment, name, least, 60_000, standard) / 1000


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
            "DATABASE_URL must be like mysql://user:password@127.0.0.1:3306/database"
        )
    user, password, host, port, database = match.groups()
    return DatabaseConfig(
        host=host,
        port=int(port),
        user=user,
        password=password,
        database=database,
        pool_size=_number(environment, "POOL_SIZE", 1, 1000, 10),
        timeout_seconds=_seconds(environment, "DB_TIMEOUT_MS", 1, 1000),
    )


def _origin(environment: Mapping[str, str]) -> str:
    """A path or a query would be lost, so it is refused."""
    value = environment.get("COUNTRY_URL", "")
    error = _wrong("COUNTRY_URL", value, "like http://127.0.0.1:9000")
    try:
        url = urlsplit(value)
        _ = url.port
    except ValueError:
        raise error from None
    origin = f"http://{url.netloc}"
    if value.removesuffix("/") != origin or not url.hostname or "@" in url.netloc:
        raise error
    return origin


def _wrong(name: str, value: str, rule: str) -> ConfigurationError:
    return ConfigurationError(f'{name} must be {rule}, not "{value}"')
