"""What Git says of a project: whether there is a branch to compare with."""

from pathlib import Path

from loadstone.errors import Unavailable
from loadstone.machine.git import GitFailed, text_of

_MAIN = ("main", "master", "trunk")
"""Usual names of the branch that others begin from."""


def main_branch(project: Path) -> str | None:
    """The branch that others begin from; none outside a repository, or where there is only one."""
    branches = _told(project, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()
    if len(branches) < 2 or not _told(project, "rev-parse", "--verify", "--quiet", "HEAD"):
        return None
    default = _told(project, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    candidates = (*_MAIN, default.removeprefix("origin/"))
    return next((each for each in candidates if each in branches), None)


def _told(project: Path, *words: str) -> str:
    """What Git prints; nothing where it fails, or is not here."""
    try:
        return text_of(project, *words)
    except (GitFailed, Unavailable):
        return ""
