"""Builds: a stack's sources are copied, built there once, and kept under the digest of what went
in. In place of its folder it may be a commit of the repository that the folder is in.

The sources stay clean, an unchanged stack is never built twice, and two versions of one stack stand
side by side. Where two labs build the same thing at once, both build, and the first to finish is
kept.
"""

import hashlib
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel

from loadstone.deploy import process, sources
from loadstone.deploy.unused_builds import note_use, remove_unused
from loadstone.deploy.whole_folder import whole_folder
from loadstone.deploy.worktree import TREE, checked_out
from loadstone.errors import StepFailed
from loadstone.results.service_facts import BuildFacts, RevisionFacts
from loadstone.study.systems.launch import FoundRuntime
from loadstone.study.values.checkout import Checkout, shown
from loadstone.study.values.manifest import Stack

BUILD_TIMEOUT_SECONDS = 900
"""A cold Maven build on two slow CPUs was seen to take minutes; a build that hangs must still end."""

_FACTS = "loadstone-build.json"


@dataclass(frozen=True)
class Built:
    """A finished build."""

    directory: Path
    """What is kept, as a whole."""
    facts: BuildFacts
    folder: Path = Path()
    """Of the stack, seen from there."""

    @property
    def run_directory(self) -> Path:
        """Where the run command is to be run."""
        return self.directory / self.folder


class _Marker(BaseModel):
    duration_ns: int
    artifact_bytes: int


def build(stack: Stack, runtime: FoundRuntime, cache: Path, log_path: Path) -> Built:
    """Build a stack for a runtime, or find it built. Raises StepFailed('build') with the log's tail.

    Another runtime, or another version of it, is another build; so is another commit.
    """
    digest = source_digest(stack, runtime)
    directory = cache / build_name(stack, runtime, digest)
    found = _read(directory, digest, stack.checkout)
    if found is not None:
        note_use(directory)
        return found
    with whole_folder(directory) as partial:
        with _laid_out(stack, partial) as folder:
            before_bytes = tree_bytes(partial)
            began = time.monotonic_ns()
            variables = runtime.variables(os.environ.get("PATH", os.defpath))
            _run(stack.build, stack, folder, variables, log_path)
            if (prepare := runtime.prepare_command(stack)) is not None:
                _run(prepare, stack, folder, variables, log_path)
            marker = _Marker(
                duration_ns=time.monotonic_ns() - began,
                artifact_bytes=tree_bytes(partial) - before_bytes,
            )
        (partial / _FACTS).write_text(marker.model_dump_json())
    built = _read(directory, digest, stack.checkout)
    if built is None:
        raise StepFailed("build", f"the finished build could not be kept in {directory}")
    remove_unused(cache)
    return replace(built, facts=built.facts.model_copy(update={"cached": False}))


def build_name(stack: Stack, runtime: FoundRuntime, digest: str | None = None) -> str:
    """Return the name of a build's folder in the cache; its digest is computed where none is given."""
    of_commit = "" if stack.checkout is None else f".{shown(stack.checkout.commit)}"
    return f"{stack.stack}{of_commit}-{(digest or source_digest(stack, runtime))[:16]}"


def source_digest(stack: Stack, runtime: FoundRuntime) -> str:
    """Return the SHA-256 over the sources or their commit, the commands, and the runtime.

    The manifest is among the sources, but not among those of a project: its `run` counts by itself.
    """
    asked = f"{stack.build}\0{runtime.model_dump_json()}\0"
    if stack.is_project:
        asked += f"{stack.run}\0"
    if stack.checkout is None:
        content = sources.digest(stack.directory, is_project=stack.is_project)
    else:
        content = "\0".join(stack.checkout.content).encode()
    return hashlib.sha256(asked.encode() + content).hexdigest()


@contextmanager
def _laid_out(stack: Stack, partial: Path) -> Iterator[Path]:
    """Give the folder in which a stack is built, below one that is made for it."""
    if stack.checkout is None:
        sources.copy(stack.directory, partial, is_project=stack.is_project)
        yield partial
    else:
        partial.mkdir()
        with checked_out(stack.checkout, partial) as folder:
            yield folder


def _run(
    command: str, stack: Stack, directory: Path, variables: dict[str, str], log_path: Path
) -> None:
    child = process.start(
        f"build of {stack.stack}",
        ["sh", "-c", command],
        directory=directory,
        log_path=log_path,
        cpus=(),
        variables=variables,
    )
    with process.running(child):
        try:
            child.process.wait(BUILD_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            raise StepFailed(
                "build",
                f"`{command}` did not end within {BUILD_TIMEOUT_SECONDS} s",
                child.log_tail(),
            ) from None
        if child.process.returncode != 0:
            raise StepFailed("build", f"`{command}` {child.ending()}", child.log_tail())


def tree_bytes(directory: Path) -> int:
    """Return the sum of the sizes of all files below a folder: what a build adds is its artifact."""
    return sum(path.lstat().st_size for path in directory.rglob("*") if path.is_file())


def _read(directory: Path, digest: str, checkout: Checkout | None) -> Built | None:
    try:
        marker = _Marker.model_validate_json((directory / _FACTS).read_text())
    except (OSError, ValueError):
        return None
    facts = BuildFacts(
        digest=digest,
        duration_ns=marker.duration_ns,
        artifact_bytes=marker.artifact_bytes,
        cached=True,
        revision=None if checkout is None else _revision_facts(checkout),
    )
    return Built(directory, facts, Path() if checkout is None else Path(TREE, checkout.folder))


def _revision_facts(checkout: Checkout) -> RevisionFacts:
    return RevisionFacts(
        revision=checkout.revision,
        commit=checkout.commit,
        changes=checkout.changes,
        leaves_out=checkout.leaves_out,
    )
