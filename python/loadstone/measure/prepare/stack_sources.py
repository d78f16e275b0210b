"""What the services of a plan are made of, found before anything starts: versions and digests."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loadstone.deploy.build import source_digest
from loadstone.errors import Unavailable, WrongValueError
from loadstone.machine.git import GitFailed, text_of
from loadstone.study.design.resolve import ResolvedPlan
from loadstone.study.systems.availability import require_runtime
from loadstone.study.systems.build_tool import require_build_tool
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.systems.checkout import changes_below
from loadstone.study.systems.command_line import named_files
from loadstone.study.systems.launch import FoundRuntime
from loadstone.study.values.manifest import Stack
from loadstone.study.values.service_choice import OwnCommand, ServiceChoice, StackChoice


@dataclass(frozen=True)
class StackSource:
    """A stack, and the runtime that is to run it."""

    stack: Stack
    """As it is on that runtime."""
    runtime: FoundRuntime


def found_source(catalogue: Catalogue, stack: Stack, runtime: str) -> StackSource:
    """Return a stack with a runtime. Raises Unavailable where that or its build tool is not here."""
    return _built_by(stack, require_runtime(catalogue.runtime(runtime)))


def _built_by(stack: Stack, runtime: FoundRuntime) -> StackSource:
    require_build_tool(stack, runtime)
    return StackSource(stack.on(runtime.runtime.runtime), runtime)


def stack_sources(resolved: ResolvedPlan) -> dict[ServiceChoice, StackSource]:
    """Return the source of every choice that is a stack. Raises Unavailable."""
    found: dict[str, FoundRuntime] = {}
    sources: dict[ServiceChoice, StackSource] = {}
    for choice in resolved.choices:
        if isinstance(choice, StackChoice):
            if choice.runtime not in found:
                found[choice.runtime] = require_runtime(resolved.runtimes[choice.runtime])
            sources[choice] = _built_by(resolved.stacks[choice], found[choice.runtime])
    return sources


def digests_of(
    titles: Mapping[ServiceChoice, str], sources: Mapping[ServiceChoice, StackSource]
) -> dict[str, str]:
    """Return what must not change while a study is resumed, by a name for a person.

    Of what is running already nothing is known that would have to stay.
    """
    digests = {}
    for choice, title in titles.items():
        if choice in sources:
            source = sources[choice]
            digests[f"stack {title}"] = source_digest(source.stack, source.runtime)
            if source.stack.checkout is not None:
                digests[f"commit of {title}"] = source.stack.checkout.state
        elif isinstance(choice, OwnCommand):
            digests[f"files of the command {title}"] = files_digest(
                choice.command, choice.directory
            )
            digests[f"commit of {title}"] = _commit(choice)
    return digests


def files_digest(command: str, directory: Path) -> str:
    """SHA-256 over the program of a command line and whatever else it names as a file in its folder."""
    digest = hashlib.sha256()
    for path in named_files(command, directory):
        if os.access(path, os.R_OK):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _commit(own: OwnCommand) -> str:
    """Of the folder's repository, with a digest of what is not committed in the folder.

    New files are left out: the lab's own results may be among them.
    """
    try:
        commit = text_of(own.directory, "rev-parse", "HEAD")
        changes = changes_below(own.directory)
    except (GitFailed, Unavailable, WrongValueError):
        return "none"
    return commit if changes is None else f"{commit}-dirty-{changes[:16]}"
