"""Git, asked about somebody's repository.

A question takes no lock of the index and refreshes nothing in it, no hook of the repository runs, and a
lab that a hook has started is not led to another repository by what the hook inherits.
"""

import os
import subprocess
from pathlib import Path

from loadstone.errors import LoadstoneError, Unavailable
from loadstone.machine import ownership

TIMEOUT_SECONDS = 60.0
"""For a question: the status of a repository of 100,000 files takes seconds on a cold disk."""
INSTALL = "As root: `apt-get install git`."

_OF_A_HOOK = frozenset(
    {
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)
"""Variables that name another repository than that of the folder."""
_OPTIONS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false")
"""A monitor of the file system would stay behind as a process of its own."""
_MOST_LINES = 3
"""Of what git says: the reason comes first, advice behind it."""


class GitFailed(LoadstoneError):
    """Git refused, or did not end; the message is what it said."""


def git(directory: Path, *words: str, timeout_seconds: float = TIMEOUT_SECONDS) -> bytes:
    """Run git in a folder and return what it printed. Raises GitFailed; Unavailable without git."""
    environment = {name: text for name, text in os.environ.items() if name not in _OF_A_HOOK}
    environment |= {
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        ownership.VARIABLE: ownership.mark(),
    }
    try:
        ended = subprocess.run(
            ["git", "-C", str(directory), *_OPTIONS, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=timeout_seconds,
            check=False,
        )
    except FileNotFoundError:
        raise Unavailable("git is not here", INSTALL) from None
    except subprocess.TimeoutExpired:
        raise GitFailed(f"git {words[0]} did not end within {timeout_seconds:g} s") from None
    if ended.returncode != 0:
        raise GitFailed(_said(ended.stderr) or f"git {words[0]} ended with {ended.returncode}")
    return ended.stdout


def succeeds(directory: Path, *words: str) -> bool:
    """Return whether git says yes by its exit code. Raises Unavailable without git."""
    try:
        git(directory, *words)
    except GitFailed:
        return False
    return True


def text_of(directory: Path, *words: str) -> str:
    """Return what git prints as one line. Raises as `git` does."""
    return os.fsdecode(git(directory, *words)).removesuffix("\n")


def names_in(directory: Path, *words: str) -> tuple[str, ...]:
    """Return what git prints with `-z`: names that are ended by a NUL. Raises as `git` does."""
    return tuple(os.fsdecode(each) for each in git(directory, *words).split(b"\0") if each)


def _said(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").splitlines()
    told = [line.removeprefix("fatal: ").strip() for line in lines if line.strip()]
    return " ".join(told[:_MOST_LINES])
