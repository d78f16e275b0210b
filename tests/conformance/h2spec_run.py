"""h2spec, the HTTP/2 tests of another maker: `h2spec` judges a server, `h2specd` a client.

Both print a line for each section and each case; that is what is read, since the report that they can
write leaves out what was expected and what came.
"""

import re
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

BINARIES = Path(__file__).parents[2] / ".loadstone" / "conformance" / "bin"
CASE_SECONDS = 2
"""How long a case waits for what it expects; h2specd ends with any case that takes 3 s in all."""
MOST_SECONDS = 280

SUITES = {
    "Generic tests for HTTP/2 server": "generic",
    "Hypertext Transfer Protocol Version 2 (HTTP/2)": "http2",
    "HPACK: Header Compression for HTTP/2": "hpack",
    "Generic tests for HTTP/2 client": "client",
}
_SECTION = re.compile(r"\s+(\d+(?:\.\d+)*)\. \S")
_CASE = re.compile(r"\s+(?P<mark>✔|×)? ?(?P<number>\d+): (?P<title>.+)")
_CLOSED = "Connection closed"
_REPEATED = "Failures:"
"""From here on it says again what failed."""


@dataclass
class Case:
    """What became of one case; `id` is as h2spec's own arguments name it."""

    id: str
    title: str
    state: str
    """passed, failed or skipped: the last where the server's answer does not allow the case."""
    said: list[str] = field(default_factory=list)
    """Of a failed one, what was demanded, what was expected, and what came."""

    def __str__(self) -> str:
        return " ".join([f"{self.id} ({self.title}) {self.state}", *self.said])


def program(name: str) -> Path:
    """Return where it is installed; else the test is skipped."""
    path = BINARIES / name
    if not path.exists():
        pytest.skip(f"{name} not found: scripts/install-h2spec installs it")
    return path


def judge_server(port: int, path: str, *, tls: bool, only: Sequence[str] = ()) -> dict[str, Case]:
    """Hold a server on loopback against every case, the strict ones too, or only some."""
    options = ["--port", str(port), "--path", path, "--timeout", str(CASE_SECONDS), "--strict"]
    secure = ["--tls", "--insecure"] if tls else []
    return _run([program("h2spec"), *options, *secure, *only])


def judge_client(
    command: list[str], section: str, certificates: Path | None = None
) -> dict[str, Case]:
    """Hold a client against the cases of a section: the command, with the URL behind it, asks once."""
    options = ["--exec", " ".join(command), "--timeout", str(CASE_SECONDS), "--strict"]
    if certificates is not None:
        chain, key = certificates / "server.pem", certificates / "server.key"
        options += ["--tls", "--cert-file", str(chain), "--cert-key-file", str(key)]
    options += ["--from-port", str(_free_ports(_MOST_CASES))]
    return _run([program("h2specd"), *options, f"client/{section}"])


def read(output: str) -> dict[str, Case]:
    """Read the cases from what was printed."""
    cases: dict[str, Case] = {}
    suite = section = ""
    case = None
    for line in output.split("\n"):
        # Where there is a carriage return, what stands before it was printed over.
        line = line.rpartition("\r")[2]
        if line.startswith(_REPEATED):
            break
        if line in SUITES:
            suite, case = SUITES[line], None
        elif found := _SECTION.match(line):
            section, case = found[1], None
        elif found := _CASE.fullmatch(line):
            state = {"✔": "passed", "×": "failed", None: "skipped"}[found["mark"]]
            case = Case(f"{suite}/{section}/{found['number']}", found["title"], state)
            cases[case.id] = case
        elif case is not None and line.strip():
            case.said.append(line.strip())
    for case in cases.values():
        # A reset closes a connection, too; h2spec means to see it, but compares another error.
        is_expected = any(line.endswith(_CLOSED) for line in case.said[:-1])
        if is_expected and case.said[-1].endswith("connection reset by peer"):
            case.state = "passed"
    return cases


_MOST_CASES = 40
_LOWEST_PORT, _HIGHEST_PORT = 20_000, 32_000
"""Below the ports that the kernel gives to those who do not choose."""


def _free_ports(count: int) -> int:
    """Return the first of so many free ports in a row: h2specd cannot let the kernel choose."""
    for first in range(_LOWEST_PORT, _HIGHEST_PORT, count):
        if all(_is_free(port) for port in range(first, first + count)):
            return first
    raise AssertionError(f"no {count} free ports in a row from {_LOWEST_PORT}")


def _is_free(port: int) -> bool:
    try:
        with socket.create_server(("127.0.0.1", port)):
            return True
    except OSError:
        return False


def _run(command: list[Any]) -> dict[str, Case]:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False
    )
    cases = read(done.stdout)
    # It may end in mid-way, which its exit code does not tell.
    said = f"{len(cases)} tests, "
    assert said in done.stdout, f"not {said}: {done.stdout[-2000:]}{done.stderr}"
    return cases
