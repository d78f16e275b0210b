"""The environment that every stack takes, validated once."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass

HOST = "127.0.0.1"

_PROTOCOLS = ("h1c",)
_LOG_LEVELS = ("error", "warn", "info", "debug")

_DIGITS = re.compile(r"[0-9]{1,9}")
_LARGEST_PORT = 65535
_PART = r"[^:@/?#%\s]+"
_DATABASE_URL = re.compile(rf"postgres://({_PART}):({_PART})@({_PART}):([0-9]{{1,5}})/({_PART})")
_SECRET = re.compile(r"[!-~]{32,256}")


class ConfigurationError(Exception):
    """A variable is wrong; the message names it."""


@dataclass(frozen=True)
class DatabaseConfig:
    """Where the database is, and how it is connected to."""

    host: str
    port: int
    user: str
    password: str
    database: str
    pool_size: int
    pool_wait_seconds: float


@dataclass(frozen=True)
class TokenConfig:
    """By what tokens are signed, and how long they are valid."""

    secret: str
    ttl_seconds: int


@dataclass(frozen=True)
class Config:
    """The whole environment."""

    port: int
    log_level: str
    database: DatabaseConfig
    tokens: TokenConfig
    password_cost: int
    host: str = HOST


def read_config(environment: Mapping[str, str]) -> Config:
    """Read the variables, or raise ConfigurationError."""
    # No other protocol exists, so there is nothing to keep of it.
    _word(environment, "CLIENT_PROTOCOL", _PROTOCOLS, "h1c")
    return Config(
        port=_number(environment, "PORT", 0, _LARGEST_PORT),
        log_level=_word(environment, "LOG_LEVEL", _LOG_LEVELS, "warn"),
        database=_database(environment),
        tokens=TokenConfig(
            secret=_secret(environment),
            ttl_seconds=_number(environment, "JWT_TTL", 1, 86_400, 3600),
        ),
        password_cost=_number(environment, "PASSWORD_COST", 4, 14, 10),
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
            "DATABASE_URL must be like postgres://user:password@127.0.0.1:5432/database"
        )
    user, password, host, port, database = match.groups()
    return DatabaseConfig(
        host=host,
        port=int(port),
        user=user,
        password=password,
        database=database,
        pool_size=_number(environment, "POOL_SIZE", 1, 1000, 10),
        pool_wait_seconds=_number(environment, "POOL_WAIT_MS", 1, 60_000, 1000) / 1000,
    )


def _secret(environment: Mapping[str, str]) -> str:
    """The value is not shown where it is wrong: it may be nearly the right one."""
    value = environment.get("JWT_SECRET", "")
    if not _SECRET.fullmatch(value):
        raise ConfigurationError("JWT_SECRET must be 32 to 256 characters of visible ASCII")
    return value


def _wrong(name: str, value: str, rule: str) -> ConfigurationError:
    return ConfigurationError(f'{name} must be {rule}, not "{value}"')
