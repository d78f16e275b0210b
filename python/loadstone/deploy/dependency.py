"""Dependencies: real servers that a system needs. One interface, one kind so far: the echo backend."""

from pathlib import Path

from loadstone.deploy import process
from loadstone.deploy.binaries import find_binary
from loadstone.errors import StepFailed

READY_TIMEOUT_SECONDS = 10.0


class Dependency:
    """A running dependency and the base URL by which a service reaches it."""

    def __init__(self, name: str, child: process.Child, url: str) -> None:
        self.name, self.child, self.url = name, child, url

    def stop(self) -> None:
        """End it."""
        self.child.stop()


def start_dependency(name: str, kind: str, *, cpus: tuple[int, ...], logs: Path) -> Dependency:
    """Start a dependency and wait until it accepts. Raises StepFailed('deploy')."""
    if kind != "echo":
        raise StepFailed(
            "deploy", f"dependency {name} is of the unknown kind {kind!r}; known: echo"
        )
    child = process.start(
        name,
        [str(find_binary("loadstone-echo")), "--listen", "127.0.0.1:0"],
        directory=Path("/"),
        log_path=logs / f"{name}.log",
        cpus=cpus,
        pipe_output=True,
    )
    try:
        address = process.wait_for_line(child, "listening on ", READY_TIMEOUT_SECONDS)
    except (TimeoutError, ChildProcessError) as error:
        child.stop()
        raise StepFailed(
            "deploy", f"dependency {error}: `{child.command}`", child.log_tail()
        ) from error
    except BaseException:
        child.stop()
        raise
    return Dependency(name, child, f"http://{address}")
