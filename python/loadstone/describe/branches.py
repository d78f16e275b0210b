"""What Git says of a project: whether there is a branch to compare with."""

from pathlib import Path

from loadstone.errors import Unavailable
from loadstone.machine.git import GitFailed, names_in, text_of

_MAIN = ("main", "master", "trunk")
"""Usual names of the branch that others begin from."""
_REMOTE = "origin/"
_NOT_READ = (".log", ".DS_Store", ".pyc", ".pid", ".sock", ".swp")
"""Endings of files that no service reads when it starts."""


def main_branch(project: Path) -> str | None:
    """The branch that others begin from, as a revision; none outside a repository, and where it is
    that branch itself that is checked out.

    A clone of one branch alone, as pipelines make it, may know it from its origin.
    """
    if not _told(project, "rev-parse", "--verify", "--quiet", "HEAD"):
        return None
    checked_out = _told(project, "symbolic-ref", "--quiet", "--short", "HEAD")
    words = ("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes/origin")
    branches = _told(project, *words).split()
    default = _told(project, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    names = dict.fromkeys((*_MAIN, default.removeprefix(_REMOTE)))
    known = (revision for name in names for revision in (name, f"{_REMOTE}{name}"))
    found = next((each for each in known if each in branches), None)
    return None if found is None or found.removeprefix(_REMOTE) == checked_out else found


def ignored_files(project: Path) -> tuple[str, ...]:
    """The files at the top of a project that Git leaves out, and that a service may read."""
    words = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    try:
        names = names_in(project, *words)
    except (GitFailed, Unavailable):
        return ()
    return tuple(each for each in names if "/" not in each and not each.endswith(_NOT_READ))


def _told(project: Path, *words: str) -> str:
    """What Git prints; nothing where it fails, or is not here."""
    try:
        return text_of(project, *words)
    except (GitFailed, Unavailable):
        return ""
