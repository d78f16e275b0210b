"""Start a stack of the mediation system as a process, for a test."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
SYSTEM = ROOT / "systems" / "mediation"
NODE = SYSTEM / "gateway" / "node"

END_SECONDS = 10.0


class Gateway:
    """A gateway that accepts."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, errors: Path) -> None:
        self.process, self.url, self._errors = process, url, errors

    def stop(self, number: int) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(END_SECONDS)

    def error_lines(self) -> list[str]:
        return self._errors.read_text().splitlines()


@contextmanager
def gateway(
    command: list[str],
    directory: Path,
    upstream_url: str,
    variables: Mapping[str, str] | None = None,
) -> Iterator[Gateway]:
    """Start it on a port of the kernel's choice; it is killed at the end if it still runs."""
    with tempfile.NamedTemporaryFile(prefix="gateway-", suffix=".log") as log:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env={**os.environ, **(variables or {}), "PORT": "0", "UPSTREAM_URL": upstream_url},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            assert process.stdout is not None
            # A runtime may speak first.
            before, line = [], ""
            while not line.startswith("listening on 127.0.0.1:"):
                before.append(line := process.stdout.readline())
                assert line, "".join(before) + Path(log.name).read_text()
            yield Gateway(process, f"http://{line.split()[-1]}", Path(log.name))
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                process.wait(END_SECONDS)
            process.stdout.close()  # type: ignore[union-attr]


def install_node_modules() -> Path:
    """The production dependencies of the Node stack, installed once per lock file."""
    digest = sha256((NODE / "package-lock.json").read_bytes()).hexdigest()[:16]
    installed = ROOT / ".loadstone" / "test-node-modules" / digest
    if not installed.exists():
        installed.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=installed.parent) as name:
            partial = Path(name) / digest
            partial.mkdir()
            for file in ("package.json", "package-lock.json", ".npmrc"):
                shutil.copy(NODE / file, partial)
            subprocess.run(
                ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"],
                cwd=partial,
                check=True,
                capture_output=True,
            )
            # Whole or not at all, so that an interrupted install is not taken for one.
            partial.rename(installed)
    return installed / "node_modules"


def copy_node_stack(directory: Path, node_modules: Path) -> Path:
    """A copy of the Node stack that can be edited and run."""
    copied = directory / "node"
    shutil.copytree(NODE, copied, ignore=shutil.ignore_patterns("node_modules"))
    (copied / "node_modules").symlink_to(node_modules)
    return copied
