"""From a project and what tells its API to the files of its lab."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from loadstone.describe.branches import ignored_files, main_branch
from loadstone.describe.dependencies import find_driver
from loadstone.describe.fetched_document import fetch_document
from loadstone.describe.files import Project, files_of
from loadstone.describe.har_requests import har_description
from loadstone.describe.model import Description
from loadstone.describe.names import name_of
from loadstone.describe.openapi_requests import openapi_description
from loadstone.describe.starts.choose import GIVEN, Ask, choose_way
from loadstone.describe.starts.find import find_starts
from loadstone.describe.starts.model import Way
from loadstone.describe.starts.project_files import is_file
from loadstone.describe.starts.python import as_module, package_notes, scripts_of
from loadstone.describe.starts.uncopied import refuse_uncopied
from loadstone.describe.url_request import url_description
from loadstone.describe.write import refuse_existing, write_files
from loadstone.errors import InputError, LoadstoneError
from loadstone.openapi.document import read_document
from loadstone.study.values.dependency import DependencyKind
from loadstone.text.quoted import shortened

_USUAL_DOCUMENTS = tuple(
    f"{folder}{name}.{suffix}"
    for folder in ("", "docs/", "api/", "src/main/resources/", "src/main/resources/static/")
    for name in ("openapi", "swagger")
    for suffix in ("yaml", "yml", "json")
)
_COMMAND = "loadstone init"
_MOST_NAMED = 5
_ONE_OF = "give one of --openapi FILE, --har FILE and --url URL"


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line."""

    openapi: Path | None = None
    openapi_url: str | None = None
    """Where a running service gives its document out."""
    har: Path | None = None
    url: str | None = None
    command: str | None = None
    process: str | None = None
    with_writes: bool = False
    database: Literal["postgres", "mariadb"] | None = None
    allowed: Sequence[str] = ()
    """Hosts beside loopback that a URL may be of."""


@dataclass(frozen=True)
class Made:
    """What was written."""

    folder: Path
    files: Sequence[str]
    """Their paths in that folder."""
    description: Description
    project: Project


def init_project(folder: Path, asked: Asked, ask: Ask) -> Made:
    """Write `loadstone/` at the top of a project: all of it, or nothing.

    Raises LoadstoneError for what is wrong or not known; each names the next command.
    """
    try:
        return _made(folder, asked, ask)
    except LoadstoneError as error:
        if _COMMAND not in (error.remedy or ""):
            first = f"{error.remedy}; then" if error.remedy else "once that is corrected"
            error.remedy = f"{first}: {_COMMAND}"
        raise


def _made(folder: Path, asked: Asked, ask: Ask) -> Made:
    _refuse_no_project(folder)
    refuse_existing(folder)
    with ExitStack() as kept:
        description = _described(folder, asked, kept)
        project = _project(folder, asked, ask)
        files = files_of(description, project)
    return Made(write_files(folder, files, project), sorted(files), description, project)


def _refuse_no_project(folder: Path) -> None:
    """Raise InputError in a folder that holds more than a project: all of it would be copied for a
    build.
    """
    here = folder.resolve()
    if here in (Path(here.anchor), _home()):
        raise InputError(
            "is no folder of a project, and all of it would be copied for each build",
            path=here,
            remedy="go to your project, or make a folder: mkdir my-lab; cd my-lab",
        )


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except RuntimeError:  # a user without one
        return None


def _described(folder: Path, asked: Asked, kept: ExitStack) -> Description:
    told = (asked.openapi, asked.openapi_url, asked.har, asked.url)
    given = [each for each in told if each is not None]
    if len(given) > 1:
        raise LoadstoneError("the API is told in two ways", _ONE_OF)
    if asked.with_writes and asked.openapi is None and asked.openapi_url is None:
        raise LoadstoneError(
            "--writes is of an OpenAPI document: a recording holds what it holds",
            "take it out, or give --openapi FILE",
        )
    if asked.openapi is not None:
        return openapi_description(read_document(asked.openapi), with_writes=asked.with_writes)
    if asked.openapi_url is not None:
        return _given_out(asked.openapi_url, asked, kept)
    if asked.har is not None:
        return har_description(asked.har)
    if asked.url is not None:
        return url_description(asked.url, asked.allowed)
    found = next((name for name in _USUAL_DOCUMENTS if is_file(folder / name)), None)
    remedy = _ONE_OF if found is None else f"there is one: loadstone init --openapi {found}"
    raise LoadstoneError("nothing tells the API of the project", remedy)


def _given_out(url: str, asked: Asked, kept: ExitStack) -> Description:
    """What a document says that a service gives out; it is kept as long as `kept` is open."""
    folder = kept.enter_context(tempfile.TemporaryDirectory())
    path = fetch_document(url, asked.allowed, Path(folder))
    try:
        description = openapi_description(read_document(path), with_writes=asked.with_writes)
    except InputError as error:  # its path is of a file that nobody else knows
        raise LoadstoneError(error.message.replace(str(path), url), error.remedy) from error
    return replace(description, made_of=url)


def _project(folder: Path, asked: Asked, ask: Ask) -> Project:
    found = find_starts(folder)
    way = choose_way(found, asked.command, asked.process, ask)
    if found.toolchain.language == "Python":
        way = Way(way.name, as_module(way.command, scripts_of(folder)))
    refuse_uncopied(folder, way, found.toolchain)
    kind: DependencyKind | None = asked.database
    branch = main_branch(folder)
    return Project(
        name=name_of(folder.resolve().name, "own"),
        toolchain=found.toolchain,
        way=way,
        told_by=GIVEN if way.name == GIVEN else found.told_by,
        branch=branch,
        database=kind,
        driver=None if kind is not None else find_driver(folder),
        notes=(*package_notes(folder), *(() if branch is None else _ignored_notes(folder))),
    )


def _ignored_notes(folder: Path) -> Iterator[str]:
    names = ignored_files(folder)
    if names:
        shown = ", ".join(map(shortened, names[:_MOST_NAMED]))
        more = ", and more" if len(names) > _MOST_NAMED else ""
        yield (
            f"Git leaves out {shown}{more}, so that neither commit has them: what the service reads "
            "there, say by variables, in system.yaml or in the environment"
        )
