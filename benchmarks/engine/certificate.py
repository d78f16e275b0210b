"""A self-made certificate for loopback; generators do not verify it."""

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from loadstone.errors import Unavailable


@dataclass(frozen=True)
class Certificate:
    """Where its parts are."""

    chain: Path
    key: Path


def make_certificate(directory: Path) -> Certificate:
    """Make an ECDSA P-256 certificate, what most sites use today. Raises Unavailable."""
    made = Certificate(directory / "chain.pem", directory / "key.pem")
    words = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 "
        "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    )
    try:
        subprocess.run(
            [*shlex.split(words), "-out", str(made.chain), "-keyout", str(made.key)],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable(f"no certificate could be made: {error}", "install openssl") from error
    return made
