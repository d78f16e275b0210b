"""A full collection of a JVM's heap, asked for from outside by the JDK's `jcmd`, and what it left.

It costs the JVM a pause and CPU time, so it belongs behind everything that is measured.
"""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from loadstone.deploy import process
from loadstone.errors import Unavailable
from loadstone.machine.procfs import with_descendants
from loadstone.measure.runtime_figures.heap_info import used_bytes

TIMEOUT_SECONDS = 20.0
"""`jcmd` itself gives up a JVM that does not react after 10 s; the rest is for the collection."""

_COMMANDS = b"GC.run\nGC.heap_info\n"
_COLLECTED = "Command executed successfully"


def heap_after_full_collection(jcmd: Path, pid: int, answer_path: Path) -> int:
    """Return the bytes in use after a full collection of the JVM `pid`; its answer is kept in a file.

    Raises Unavailable with the reason why it cannot be told.
    """
    try:
        child = process.start(
            "jcmd",
            [str(jcmd), str(pid), "-f", "/dev/stdin"],  # both by one start of jcmd
            directory=answer_path.parent,
            log_path=answer_path,
            cpus=(),
            input_bytes=_COMMANDS,
        )
    except OSError as error:
        raise Unavailable(f"{jcmd} cannot be started: {error.strerror}") from None
    try:
        with process.running(child):
            code = child.process.wait(TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"jcmd had not ended after {TIMEOUT_SECONDS:g} s") from None
    finally:
        _remove_traces(pid)
    answer = answer_path.read_text(errors="replace")
    if code != 0 or _COLLECTED not in answer:
        said = next((line for line in answer.splitlines() if line != f"{pid}:"), "nothing")
        raise Unavailable(f"jcmd ended with code {code}, and said {said.strip()!r}")
    used = used_bytes(answer)
    if used is None:
        raise Unavailable(f"the answer of jcmd is not understood: {answer_path.name} has it")
    return used


def _remove_traces(pid: int) -> None:
    """Remove the socket over which the JVM was asked, and the file that made it open one.

    A JVM and a `jcmd` that end by themselves do so; those that are killed leave them to everybody's
    `/tmp`. A JVM that is asked again opens another socket.
    """
    for path in (
        f"/tmp/.java_pid{pid}",
        f"/tmp/.attach_pid{pid}",
        f"/proc/{pid}/cwd/.attach_pid{pid}",
    ):
        with suppress(OSError):  # mostly it is not there
            Path(path).unlink()


def writer_of(path: Path, leader: int) -> int | None:
    """Return which process, of `leader` and all below it, has a file open; none where none has.

    A service's command may be a wrapper, and not every JVM below it is the service's.
    """
    try:
        wanted = path.stat()
    except OSError:
        return None
    for pid in with_descendants(leader):
        with suppress(OSError):
            for descriptor in Path(f"/proc/{pid}/fd").iterdir():
                with suppress(OSError):  # closed in the meantime
                    if os.path.samestat(descriptor.stat(), wanted):
                        return pid
    return None
