"""A gateway of one's own: the committed Go gateway, built outside the lab, and perhaps running."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lab import CHECKOUT

from loadstone.deploy.binaries import find_binary

SOURCES = CHECKOUT / "systems" / "mediation" / "gateway" / "go"
LISTENS = "JoinHostPort(host"
NOT_FOUND = "http.NotFound(w, r)"


def build(directory: Path, host: str = "127.0.0.1", *, missing: str = "") -> Path:
    """Build it so that it listens at this host, and return the program. `missing` is what it does for a
    path that it does not know, in place of 404.
    """
    program, sources = directory / "gateway", directory / "sources"
    shutil.copytree(SOURCES, sources)
    config = sources / "config.go"
    text = config.read_text()
    assert text.count(LISTENS) == 1
    config.write_text(text.replace(LISTENS, f'JoinHostPort("{host}"'))
    if missing:
        routes = sources / "gateway.go"
        text = routes.read_text()
        assert text.count(NOT_FOUND) == 1
        routes.write_text(text.replace(NOT_FOUND, missing))
    subprocess.run(["go", "build", "-o", program, "."], cwd=sources, check=True)
    return program


@contextmanager
def _listening(command: list[str], **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        command, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process, f"http://{process.stdout.readline().split()[-1]}"
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait()
        process.stdout.close()


@contextmanager
def running(program: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run it with an upstream of its own, and give its process and its URL."""
    echo = [str(find_binary("loadstone-echo")), "--listen", "127.0.0.1:0"]
    with (
        _listening(echo) as (_, upstream),
        _listening([str(program)], PORT="0", UPSTREAM_URL=upstream) as gateway,
    ):
        yield gateway
