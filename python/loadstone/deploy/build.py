"""Builds: a stack's sources are copied, built there once, and kept under the digest of what went
in.

The sources stay clean, an unchanged stack is never built twice, and two versions of one stack stand
side by side. Where two labs build the same thing at once, both build, and the first to finish is
kept.
"""

import hashlib
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from loadstone.deploy import process, sources
from loadstone.deploy.whole_folder import whole_folder
from loadstone.errors import StepFailed
from loadstone.results.service_facts import BuildFacts
from loadstone.study.systems.launch import FoundRuntime
from loadstone.study.values.manifest import Stack

BUILD_TIMEOUT_SECONDS = 900
"""A cold Maven build on two slow CPUs was seen to take minutes; a build that hangs must still end."""

_FACTS = "loadstone-build.json"


@dataclass(frozen=True)
class Built:
    """A finished build: where the run command is to be run."""

    directory: Path
    facts: BuildFacts


class _Marker(BaseModel):
    duration_ns: int
    artifact_bytes: int


def build(stack: Stack, runtime: FoundRuntime, cache: Path, log_path: Path) -> Built:
    """Build a stack for a runtime, or find it built. Raises StepFailed('build') with the log's tail.

    Another runtime, or another version of it, is another build.
    """
    digest = source_digest(stack, runtime)
    directory = cache / f"{stack.stack}-{digest[:16]}"
    found = _read(directory, digest)
    if found is not None:
        return found
    with whole_folder(directory) as partial:
        sources.copy(stack.directory, partial, is_project=stack.is_project)
        before_bytes = tree_bytes(partial)
        began = time.monotonic_ns()
        variables = runtime.variables(os.environ.get("PATH", os.defpath))
        _run(stack.build, stack, partial, variables, log_path)
        if (prepare := runtime.prepare_command(stack)) is not None:
            _run(prepare, stack, partial, variables, log_path)
        marker = _Marker(
            duration_ns=time.monotonic_ns() - began,
            artifact_bytes=tree_bytes(partial) - before_bytes,
        )
        (partial / _FACTS).write_text(marker.model_dump_json())
    built = _read(directory, digest)
    if built is None:
        raise StepFailed("build", f"the finished build could not be kept in {directory}")
    return Built(built.directory, built.facts.model_copy(update={"cached": False}))


def source_digest(stack: Stack, runtime: FoundRuntime) -> str:
    """Return the SHA-256 over the sources, with the manifest among them, and the runtime."""
    asked = f"{stack.build}\0{runtime.model_dump_json()}\0"
    if stack.is_project:
        asked += f"{stack.run}\0"
    digest = sources.digest(stack.directory, is_project=stack.is_project)
    return hashlib.sha256(asked.encode() + digest).hexdigest()


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


def _read(directory: Path, digest: str) -> Built | None:
    try:
        marker = _Marker.model_validate_json((directory / _FACTS).read_text())
    except (OSError, ValueError):
        return None
    facts = BuildFacts(
        digest=digest,
        duration_ns=marker.duration_ns,
        artifact_bytes=marker.artifact_bytes,
        cached=True,
    )
    return Built(directory, facts)
