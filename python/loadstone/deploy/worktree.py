"""A checkout of a repository for one build: a git worktree of its own, which is given back behind it.

The repository's working tree, index and branches are not touched. While it is built the worktree is on
the repository's list, so that git answers inside it as in any clone (`git describe`, the stamp of a Go
build); then its files stay and it is taken off. What a killed lab left on the list is taken off by the
next one that builds from that repository.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from loadstone.errors import StepFailed, WrongValueError
from loadstone.machine.git import GitFailed, git, text_of
from loadstone.study.systems.checkout import changed_files, digest_of_changes
from loadstone.study.values.checkout import Checkout

CHECKOUT_SECONDS = 600.0
"""Files that Git LFS keeps elsewhere are fetched meanwhile."""

TREE = "tree"
"""Folder of a build that holds the repository's files."""
_WORKTREE = "loadstone-checkout"
"""Folder of the worktree, by which the repository's list calls it."""
_LINK = ".git"
_LISTED = "worktree "


@contextmanager
def checked_out(checkout: Checkout, below: Path) -> Iterator[Path]:
    """Give the stack's folder in a checkout; behind the block the files are in `TREE` of the folder.

    Raises StepFailed('build') where it cannot be checked out. One that the block raises tells what is
    not checked out, too.
    """
    worktree = below / _WORKTREE
    try:
        with _told(checkout):
            folder = _made(checkout, worktree)
        yield folder
        with _told(checkout):
            _keep_files(worktree, below / TREE)
    except StepFailed as failure:
        told = "; ".join((failure.reason, *checkout.notes))
        raise StepFailed(failure.step, told, failure.log_tail) from failure
    finally:
        _take_off(checkout.repository, worktree)


@contextmanager
def _told(checkout: Checkout) -> Iterator[None]:
    try:
        yield
    except (GitFailed, WrongValueError, OSError) as error:
        said = str(error) if isinstance(error, OSError) else error.message
        raise StepFailed("build", f"{checkout.text} cannot be checked out: {said}") from error


def _made(checkout: Checkout, worktree: Path) -> Path:
    """Make a worktree, and return the stack's folder in it."""
    repository = checkout.repository
    _take_lost_ones_off(repository, worktree.parents[1].resolve())
    words = ("worktree", "add", "--detach", str(worktree), checkout.commit)
    git(repository, *words, timeout_seconds=CHECKOUT_SECONDS)
    if checkout.changes is not None:
        _bring_changes(checkout, worktree)
    folder = worktree / checkout.folder
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _keep_files(worktree: Path, tree: Path) -> None:
    """Move the files elsewhere, so that what git removes of the worktree is its link alone."""
    worktree.rename(tree)
    worktree.mkdir()
    (tree / _LINK).rename(worktree / _LINK)


def _take_off(repository: Path, worktree: Path) -> None:
    """Take a worktree off the repository's list, with its folder; nothing where it is not on it."""
    with suppress(GitFailed):
        # Twice: one that was interrupted while it was made is locked.
        git(repository, "worktree", "remove", "--force", "--force", str(worktree))


def _take_lost_ones_off(repository: Path, store: Path) -> None:
    """Take worktrees off whose folder in the lab's store is gone; those of others are not touched."""
    for line in text_of(repository, "worktree", "list", "--porcelain").splitlines():
        path = Path(line.removeprefix(_LISTED))
        is_own = path.name == _WORKTREE and path.is_relative_to(store)
        if line.startswith(_LISTED) and is_own and not path.exists():
            _take_off(repository, path)


def _bring_changes(checkout: Checkout, worktree: Path) -> None:
    """Change a checkout of the commit to what the working tree holds. Raises StepFailed('build')."""
    repository = checkout.repository
    names = changed_files(repository, repository / checkout.folder)
    for name in names:
        _remove(worktree / name)
    for name in names:
        source, target = repository / name, worktree / name
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    if digest_of_changes(repository, names) != checkout.changes:
        raise StepFailed("build", f"the working tree {repository} changed since the study began")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
