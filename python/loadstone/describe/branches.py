"""What Git says of a project: whether there is a branch to compare with."""

import subprocess
from pathlib import Path

TIMEOUT_SECONDS = 10
_MAIN = ("main", "master", "trunk")
"""Usual names of the branch that others begin from."""


def main_branch(project: Path) -> str | None:
    """The branch that others begin from; none outside a repository, or where there is only one."""
    branches = _git(project, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()
    if len(branches) < 2 or not _git(project, "rev-parse", "--verify", "--quiet", "HEAD"):
        return None
    default = _git(project, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    candidates = (*_MAIN, default.strip().removeprefix("origin/"))
    return next((each for each in candidates if each in branches), None)


def _git(project: Path, *words: str) -> str:
    """What a command prints; nothing where it fails, or there is no Git."""
    try:
        return subprocess.run(
            ["git", "-C", str(project), *words],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
