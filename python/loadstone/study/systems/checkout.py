"""Which state of its repository a stack is built from: git is asked, and nothing is checked out yet."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from loadstone.errors import WrongValueError
from loadstone.machine.git import GitFailed, git, names_in, succeeds, text_of
from loadstone.study.systems.roots import MARKER
from loadstone.study.values.checkout import WORKING_TREE, Checkout
from loadstone.text.quoted import shortened, suggestion

OF_THE_LAB = ".loadstone"
"""Folder of the lab's builds, wherever its root is."""
OF_RESULTS = ("plan.json", "environment.json")
"""What makes a folder one of results. A run writes into it, and is not to change what it measures."""

_HEAD = "HEAD"
_NEW = "??"
_SUBMODULE = "160000 commit "
_LFS = "filter=lfs"
_MOST_KNOWN = 20
"""Branches and tags that are named where one is not known: the newest."""


def find_checkout(directory: Path, revision: str) -> Checkout:
    """Return a revision of the repository that a folder is in.

    Raises WrongValueError where there is no repository or no such revision, Unavailable without git.
    """
    repository, folder = _place(directory)
    commit = _commit(repository, _HEAD if revision == WORKING_TREE else revision)
    is_here = commit == _commit(repository, _HEAD)
    changed = changed_files(repository, repository / folder) if is_here else ()
    is_built = bool(changed) and revision == WORKING_TREE
    return Checkout(
        repository=repository,
        folder=folder,
        revision=revision,
        commit=commit,
        changes=digest_of_changes(repository, changed) if is_built else None,
        leaves_out=bool(changed) and not is_built,
        notes=tuple(_notes(repository, commit)),
    )


def changed_files(repository: Path, built: Path) -> tuple[str, ...]:
    """Names of the files that the working tree has otherwise than its commit: changed, gone, or new.

    Left out are ignored files, submodules, what the lab itself wrote, and the files of a root that the
    folder which is `built` is not in: they say how it is measured. Raises GitFailed.
    """
    told = _status(repository, "--untracked-files=all")
    return tuple(
        sorted(
            name
            for state, name in told
            if not _is_of_another_root(repository, name, built)
            and (state != _NEW or not (name.endswith("/") or _is_the_labs(repository, name)))
        )
    )


def changes_below(directory: Path) -> str | None:
    """Return a digest of what a folder of a repository has otherwise than its commit, without new
    files; none where that is nothing. Raises GitFailed.
    """
    repository, _ = _place(directory)
    names = sorted(name for _, name in _status(directory, "--untracked-files=no", "--", "."))
    return digest_of_changes(repository, names) if names else None


def digest_of_changes(repository: Path, names: Iterable[str]) -> str:
    """Return the SHA-256 over names, kinds and contents of files; of one that is gone over its name."""
    whole = hashlib.sha256()
    for name in names:
        encoded = os.fsencode(name)
        whole.update(b"%b %d %b" % (_kind(repository / name), len(encoded), encoded))
        whole.update(_content_digest(repository / name))
    return whole.hexdigest()


def file_at(checkout: Checkout, path: Path) -> bytes | None:
    """Return a file as the commit has it; none where it has none, or the file is in no place of the
    repository.
    """
    place = path.parent.resolve() / path.name
    if not place.is_relative_to(checkout.repository):
        return None
    name = place.relative_to(checkout.repository).as_posix()
    try:
        return git(checkout.repository, "cat-file", "blob", f"{checkout.commit}:{name}")
    except GitFailed:
        return None


def _status(directory: Path, *words: str) -> Iterator[tuple[str, str]]:
    """Yield state and name, seen from the repository, of every file that differs from its commit.

    It is `status`, since `diff` writes the index anew where it finds only times changed.
    """
    options = ("--porcelain", "-z", "--no-renames", "--ignore-submodules=all")
    for entry in names_in(directory, "status", *options, *words):
        yield entry[: len(_NEW)], entry[len(_NEW) + 1 :]


def _place(directory: Path) -> tuple[Path, str]:
    """Return the repository of a folder, and the folder seen from there."""
    try:
        top = text_of(directory, "rev-parse", "--show-toplevel")
        return Path(top), text_of(directory, "rev-parse", "--show-prefix").removesuffix("/")
    except GitFailed as error:
        raise WrongValueError(
            f"needs a git repository around {directory}: {error.message}",
            "keep the stack in a repository that you may read, or take git out",
        ) from error


def _commit(repository: Path, revision: str) -> str:
    try:
        return text_of(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except GitFailed:
        if revision == _HEAD:
            raise WrongValueError(
                f"{repository} has no commit yet", "commit what is to be measured"
            ) from None
        raise WrongValueError(
            f"{shortened(revision)!r} is no revision of {repository}",
            f"{suggestion(revision, _known(repository))}{_how_to_fetch(repository)}",
        ) from None


def _known(repository: Path) -> tuple[str, ...]:
    newest = ("--sort=-committerdate", f"--count={_MOST_KNOWN}")
    listed = text_of(repository, "for-each-ref", "--format=%(refname:short)", *newest)
    return (_HEAD, WORKING_TREE, *listed.splitlines())


def _how_to_fetch(repository: Path) -> str:
    if text_of(repository, "rev-parse", "--is-shallow-repository") != "true":
        return ""
    return "; this clone is shallow: `git fetch --unshallow` brings the rest"


def _notes(repository: Path, commit: str) -> Iterator[str]:
    listed = names_in(repository, "ls-tree", "-r", "-z", "--full-tree", commit)
    modules = [each.partition("\t")[2] for each in listed if each.startswith(_SUBMODULE)]
    if modules:
        yield f"submodules are not checked out: {', '.join(modules)}"
    if _keeps_files_in_lfs(repository, commit) and not _has_lfs(repository):
        yield (
            "files in Git LFS stay pointers, since it is not set up here: install git-lfs, then "
            "`git lfs install`"
        )


def _keeps_files_in_lfs(repository: Path, commit: str) -> bool:
    return succeeds(repository, "grep", "-q", _LFS, commit, "--", ":(glob)**/.gitattributes")


def _has_lfs(repository: Path) -> bool:
    return succeeds(repository, "config", "--get", "filter.lfs.smudge")


def _is_of_another_root(repository: Path, name: str, built: Path) -> bool:
    folders = (repository / each for each in Path(name).parents)
    return any((each / MARKER).is_file() and not built.is_relative_to(each) for each in folders)


def _is_the_labs(repository: Path, name: str) -> bool:
    folders = [repository / each for each in Path(name).parents if each != Path()]
    return any(
        each.name == OF_THE_LAB or all((each / file).is_file() for file in OF_RESULTS)
        for each in folders
    )


def _kind(path: Path) -> bytes:
    """Return a letter for what a file is; `-` for what is no file, or is gone."""
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return b"-"
    if stat.S_ISLNK(mode):
        return b"l"
    if not stat.S_ISREG(mode):
        return b"-"
    return b"x" if mode & stat.S_IXUSR else b"f"


def _content_digest(path: Path) -> bytes:
    """Return the SHA-256 of what is in a file. Raises WrongValueError where it cannot be read."""
    try:
        match _kind(path):
            case b"-":
                return b""
            case b"l":
                return hashlib.sha256(os.fsencode(path.readlink())).digest()
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise WrongValueError(
            f"{path} cannot be read: {error.strerror}", "let it be read, or have git ignore it"
        ) from error
