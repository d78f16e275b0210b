"""A system's file: its services, its dependencies, and what counts as ready."""

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from loadstone.study.design.legs import judge_legs
from loadstone.study.files.dependency_file import RawDependency, kind_of, options_of
from loadstone.study.files.operation_file import RawOperation, operation_of
from loadstone.study.files.raw import Name, Raw, Text, judge_own_name, parse
from loadstone.study.files.scenario_file import RawScenario, scenarios_of
from loadstone.study.files.settings_file import RawSetting, settings_of
from loadstone.study.files.variable_name import judge_variable_name
from loadstone.study.files.yaml_file import KeyPath, YamlFile, read_yaml
from loadstone.study.systems.start_order import CycleError, start_order
from loadstone.study.values.dependency import WITHOUT_DATA
from loadstone.study.values.manifest import RESERVED, Ready, Service, System
from loadstone.study.values.placeholders import (
    PARTS,
    PLACEHOLDER,
    WITH_PARTS,
    split_placeholder,
)
from loadstone.text.quoted import suggestion

MOST_SERVICES = 32
"""More than any reference system has, and few enough for one machine."""


class RawReady(RawOperation):
    """The start-up clock's request, and the answer that counts as correct."""

    body_equals_request: bool = False
    """The answer's body must be the request's, byte for byte."""
    any_status: bool = False
    """Every status below 500 counts, as where a caller without credentials is refused by one that
    nobody knows."""


class RawService(Raw):
    """One deployable part. Its name is the folder of its stacks."""

    role: Literal["bench"] | None = None
    """`bench`: it stands with what measures, on the bench's CPUs and without limits, and its figures
    are apart from the arm's. Default: it is measured."""
    legs: Annotated[list[Name], Field(min_length=1)]
    """Its legs. `client` leads from the engine to the entry; a leg between two services is named by
    both."""
    needs: list[Name] = Field(default_factory=list)
    """Dependencies and services that must stand before it."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Environment variable to text; `{backend}` stands for the base URL of that need, of a service with
    several instances for all of them, joined by commas. `{database.host}` and `{database.port}` are the
    parts of a dependency's address."""
    ready: RawReady
    """When it is ready: a request, and what its answer must be."""


class RawSystem(Raw):
    """A reference application."""

    system: Name
    """Its name: the folder's name."""
    title: Text
    """What it is, in a few words."""
    dependencies: dict[Name, RawDependency] = Field(default_factory=dict)
    """Name to kind, such as `redis` (`echo` is the echo backend), or to a mapping with a `kind` and
    what is said of it."""
    services: Annotated[dict[Name, RawService], Field(min_length=1, max_length=MOST_SERVICES)]
    """By name."""
    settings: dict[Name, RawSetting] = Field(default_factory=dict)
    """Name to what its levels are and do. Each is a factor that a study may name."""
    scenarios: list[RawScenario] = Field(default_factory=list)
    """Which operations over which protocols are its published scenarios: what `check` holds of every
    stack. Default: what the stacks speak first."""
    entry: Name | None = None
    """The service that is loaded and held against the contract. Default: the first."""
    recorded: list[Name] | None = None
    """The services and dependencies that the recording upstream stands in for while checks about
    another service are held. Default: dependencies that are called by HTTP, and services with the
    role bench."""


def read_system(path: Path) -> System:
    """Read a system. Raises InputError."""
    source = read_yaml(path)
    raw = parse(source, RawSystem)
    judge_own_name(source, "system", "folder")
    _judge_names(source, raw)
    entry = _entry(source, raw)
    _judge_entry(source, raw, entry)
    for name in raw.services:
        _judge_needs(source, raw, name)
    _judge_dependencies(source, raw)
    _judge_recorded(source, raw, entry)
    order = _order(source, raw)
    judge_legs(
        source,
        entry,
        {name: each.legs for name, each in raw.services.items()},
        {name: each.needs for name, each in raw.services.items()},
    )
    for name in raw.services:
        _judge_variables(source, raw, name)
    system = System(
        system=raw.system,
        title=raw.title,
        directory=path.parent,
        services=tuple(_service(source, name, raw.services[name]) for name in order),
        entry=entry,
        dependencies={name: kind_of(each) for name, each in raw.dependencies.items()},
        dependency_options={
            name: options_of(source, ("dependencies", name), each)
            for name, each in raw.dependencies.items()
        },
        recorded=None if raw.recorded is None else tuple(raw.recorded),
    )
    return system.model_copy(
        update={
            "scenarios": scenarios_of(source, raw.scenarios, system),
            "settings": settings_of(source, raw.settings, system),
        }
    )


def _judge_names(source: YamlFile, raw: RawSystem) -> None:
    for key, names in (("dependencies", raw.dependencies), ("services", raw.services)):
        for name in names:
            if name in RESERVED:
                raise source.error((key, name), "is a name of the lab's own", "choose another name")
    for name in raw.services:
        if name in raw.dependencies:
            raise source.error(
                ("services", name),
                "is the name of a dependency, too",
                "give services and dependencies names of their own",
            )


def _entry(source: YamlFile, raw: RawSystem) -> str:
    names = list(raw.services)
    if raw.entry is None:
        return names[0]
    if raw.entry not in names:
        raise source.error(
            ("entry",), f"{raw.entry} is not a service", suggestion(raw.entry, names)
        )
    return raw.entry


def _judge_entry(source: YamlFile, raw: RawSystem, entry: str) -> None:
    if raw.services[entry].role == "bench":
        raise source.error(
            ("services", entry, "role"),
            f"{entry} is the entry, which is what a study measures",
            "take the role out, or name another entry",
        )


def _judge_needs(source: YamlFile, raw: RawSystem, service: str) -> None:
    known = [*raw.dependencies, *(name for name in raw.services if name != service)]
    needs = raw.services[service].needs
    for position, need in enumerate(needs):
        at = ("services", service, "needs", position)
        if need == service:
            raise source.error(at, "is the service itself", "take it out")
        if need not in known:
            raise source.error(
                at, f"{need} is not a dependency or a service", suggestion(need, known)
            )
        if need in needs[:position]:
            raise source.error(at, f"{need} is there twice", "keep one of the two")


def _judge_dependencies(source: YamlFile, raw: RawSystem) -> None:
    for name in raw.dependencies:
        if not any(name in service.needs for service in raw.services.values()):
            raise source.error(
                ("dependencies", name),
                "no service needs it",
                "add it to the needs of a service, or take it out",
            )


def _judge_recorded(source: YamlFile, raw: RawSystem, entry: str) -> None:
    """Refuse what is not there, and what the recording upstream cannot stand in for."""
    kinds = {name: kind_of(each) for name, each in raw.dependencies.items()}
    called = [name for name, kind in kinds.items() if kind in WITHOUT_DATA]
    known = [*called, *(name for name in raw.services if name != entry)]
    for position, name in enumerate(raw.recorded or ()):
        at = ("recorded", position)
        if name == entry:
            raise source.error(
                at, f"{name} is the entry, which nothing stands in for", "take it out"
            )
        if name in raw.dependencies and name not in called:
            raise source.error(
                at,
                f"{name} is of kind {kinds[name]}, and the recording upstream speaks HTTP",
                "take it out: a check that is declared with needs_stand has a hand on it",
            )
        if name not in known:
            raise source.error(
                at, f"{name} is not a dependency or a service", suggestion(name, known)
            )
        if name in (raw.recorded or ())[:position]:
            raise source.error(at, f"{name} is there twice", "keep one of the two")


def _order(source: YamlFile, raw: RawSystem) -> tuple[str, ...]:
    try:
        return start_order({name: service.needs for name, service in raw.services.items()})
    except CycleError as error:
        last, first = error.circle[-1], error.circle[0]
        raise source.error(
            ("services", last, "needs", raw.services[last].needs.index(first)),
            f"goes round in a circle: {error}",
            "take one of these needs out, so that one service can be started first",
        ) from None


def _judge_variables(source: YamlFile, raw: RawSystem, service: str) -> None:
    for variable, text in raw.services[service].variables.items():
        at = ("services", service, "variables", variable)
        judge_variable_name(source, at, variable)
        for typed in PLACEHOLDER.findall(text):
            _judge_placeholder(source, at, raw, service, typed)
        if re.search("[{}]", PLACEHOLDER.sub("", text)):
            raise source.error(at, "has a brace without its other half", "write {name}")


def _judge_placeholder(
    source: YamlFile, at: KeyPath, raw: RawSystem, service: str, typed: str
) -> None:
    name, part = split_placeholder(typed)
    needs = raw.services[service].needs
    if name not in needs:
        raise source.error(at, f"{{{typed}}} is not in needs", suggestion(name, list(needs)))
    if part is None:
        return
    if part not in PARTS:
        known = ", ".join(f"{{{name}.{each}}}" for each in PARTS)
        raise source.error(at, f"{{{typed}}} is no part of an address", f"known: {known}")
    dependency = raw.dependencies.get(name)
    if dependency is None or kind_of(dependency) not in WITH_PARTS:
        raise source.error(
            at,
            f"{{{typed}}} is a part of what has no address by the lab itself",
            f"write {{{name}}}; the url of a `command` may itself be {{port}}",
        )


def _service(source: YamlFile, name: str, raw: RawService) -> Service:
    ready = ("services", name, "ready")
    operation = operation_of(source, ready, raw.ready)
    if raw.ready.any_status and operation.check.status is not None:
        raise source.error(
            (*ready, "any_status"), "is there beside check.status", "keep one of the two"
        )
    return Service(
        service=name,
        legs=tuple(raw.legs),
        needs=tuple(raw.needs),
        variables=dict(raw.variables),
        ready=Ready(
            operation=operation,
            body_equals_request=raw.ready.body_equals_request,
            any_status=raw.ready.any_status,
        ),
        is_bench=raw.role == "bench",
    )
