"""A system's file: its service under test, its dependencies, and what counts as ready."""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from loadstone.study.manifest import CLIENT_LEG, Ready, Service, System
from loadstone.study.operation_file import RawOperation, operation_of
from loadstone.study.raw import Name, Raw, Text, parse, suggestion
from loadstone.study.yaml_source import Source, read_yaml

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class RawReady(RawOperation):
    """The start-up clock's request, and the answer that counts as correct."""

    body_equals_request: bool = False
    """The answer's body must be the request's, byte for byte."""


class RawService(Raw):
    """The deployable part that is under test."""

    service: Name
    """Its name, and the folder of its stacks."""
    legs: Annotated[list[Name], Field(min_length=1)]
    """Its legs: `client` is where it is called."""
    needs: list[Name] = Field(default_factory=list)
    """Dependencies that must stand before it."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Environment variable to text; `{backend}` stands for the base URL of that dependency."""
    ready: RawReady
    """When it is ready: a request, and what its answer must be."""


class RawSystem(Raw):
    """A reference application."""

    system: Name
    """Its name: the folder's name."""
    title: Text
    """What it is, in a few words."""
    dependencies: dict[Name, Literal["echo"]] = Field(default_factory=dict)
    """Name to kind: `echo` is the echo backend."""
    service: RawService
    """The service under test."""


def read_system(path: Path) -> System:
    """Read a system. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawSystem)
    if raw.system != path.parent.name:
        raise source.error(
            ("system",),
            f"is {raw.system}, and the folder is {path.parent.name}",
            "give folder and system one name",
        )
    return System(
        system=raw.system,
        title=raw.title,
        directory=path.parent,
        service=_service(source, raw),
        dependencies=dict(raw.dependencies),
    )


def _service(source: Source, system: RawSystem) -> Service:
    raw = system.service
    if CLIENT_LEG not in raw.legs:
        raise source.error(
            ("service", "legs"), f"the leg {CLIENT_LEG} is missing", f"add {CLIENT_LEG}"
        )
    for position, leg in enumerate(raw.legs):
        if leg in raw.legs[:position] or leg == raw.service:
            raise source.error(
                ("service", "legs", position),
                f"{leg} is there twice, or is the service's name",
                "legs and service are factors of a study: give each a name of its own",
            )
    for position, need in enumerate(raw.needs):
        if need not in system.dependencies:
            raise source.error(
                ("service", "needs", position),
                f"{need} is not a dependency",
                suggestion(need, list(system.dependencies)),
            )
    _judge_variables(source, raw)
    ready = raw.ready
    return Service(
        service=raw.service,
        legs=tuple(raw.legs),
        needs=tuple(raw.needs),
        variables=dict(raw.variables),
        ready=Ready(
            operation=operation_of(source, ("service", "ready"), ready),
            body_equals_request=ready.body_equals_request,
        ),
    )


def _judge_variables(source: Source, raw: RawService) -> None:
    for variable, text in raw.variables.items():
        at = ("service", "variables", variable)
        if not _VARIABLE.fullmatch(variable):
            raise source.error(at, "is not a variable's name", "write capitals, digits and '_'")
        for name in _PLACEHOLDER.findall(text):
            if name not in raw.needs:
                raise source.error(
                    at, f"{{{name}}} is not in needs", suggestion(name, list(raw.needs))
                )
        if re.search("[{}]", _PLACEHOLDER.sub("", text)):
            raise source.error(at, "has a brace without its other half", "write {name}")
