"""The files of TLS, looked at once, so that what is wrong with them shows at the start."""

import ssl
from dataclasses import dataclass
from pathlib import Path


class ConfigurationError(Exception):
    """A variable is wrong; the message names it."""


@dataclass(frozen=True)
class KeyPair:
    """The chain that callers are shown, and its key."""

    chain: Path
    key: Path


def read_key_pair(chain: Path, key: Path) -> KeyPair:
    """Return the files, which belong together. Raises ConfigurationError."""
    try:
        ssl.create_default_context().load_verify_locations(chain)
    except (OSError, ValueError) as error:
        raise _wrong("TLS_CERT", "a chain in PEM", chain, error) from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key)
    except (OSError, ValueError) as error:
        raise _wrong("TLS_KEY", "the key of TLS_CERT in PEM", key, error) from error
    return KeyPair(chain, key)


def _wrong(name: str, rule: str, file: Path, error: Exception) -> ConfigurationError:
    return ConfigurationError(f'{name} must be a file with {rule}, not "{file}" ({error})')
