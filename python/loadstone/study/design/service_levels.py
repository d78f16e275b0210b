"""The levels of the factor that is a service: for each, a stack, or a team's own service."""

from collections.abc import Mapping
from dataclasses import dataclass

from loadstone.errors import InputError, WrongValueError
from loadstone.machine.git import GitFailed
from loadstone.study.files.own_service import (
    RUNNING,
    STARTED,
    RawOwnAddress,
    RawOwnCommand,
    address_of,
    command_of,
    held_to_of,
)
from loadstone.study.files.revision_file import RawRevision
from loadstone.study.files.study_file import RawChoice, RawStudy
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.held_to import HeldTo
from loadstone.study.values.manifest import Service, Stack, System
from loadstone.study.values.model import Protocol
from loadstone.study.values.service_choice import ServiceChoice, StackChoice
from loadstone.text.quoted import suggestion


@dataclass(frozen=True)
class ServiceLevel:
    """A choice, and what it speaks."""

    choice: ServiceChoice
    name: str
    """Of the stack, or the label of an own service."""
    protocols: Mapping[str, tuple[Protocol, ...]]
    """By leg."""
    held_to: HeldTo
    """What of the system's contract it is held to."""
    stack: Stack | None = None
    """None for an own service."""

    @property
    def operations(self) -> tuple[str, ...] | None:
        """Those that it has; none: every one."""
        return self.held_to.operations


def service_levels(
    source: YamlFile, raw: RawStudy, system: System, service: Service, catalogue: Catalogue
) -> dict[str, ServiceLevel]:
    """Return a service's levels by label, in file order; each stack is read once. Raises InputError."""
    names = catalogue.stack_names(system.system, service.service)
    stacks: dict[str, Stack] = {}
    levels: dict[str, ServiceLevel] = {}
    for position, level in enumerate(raw.arms[service.service]):
        at: KeyPath = ("arms", service.service, position)
        if isinstance(level, RawOwnCommand | RawOwnAddress):
            found = _own(source, at, system, service, raw, level)
        elif isinstance(level, RawRevision):
            found = _revision(source, at, system, service, catalogue, level)
        else:
            name = _typed(level)[0]
            if name not in names:
                at_name = at if isinstance(level, str) else (*at, "stack")
                raise _unknown(source, at_name, system, service, name, names)
            if name not in stacks:
                stacks[name] = catalogue.stack(system, service.service, name)
            found = _stack(source, at, service, level, stacks[name])
        label = found.choice.label
        if label in levels:
            raise source.error(
                at if isinstance(level, str) else (*at, "label"),
                f"the label {label} is there twice",
                f"label one of them: {{stack: {found.name}, label: {label}-again}}"
                if isinstance(level, str)
                else "choose another label",
            )
        levels[label] = found
    return levels


def _own(
    source: YamlFile,
    at: KeyPath,
    system: System,
    service: Service,
    raw: RawStudy,
    level: RawOwnCommand | RawOwnAddress,
) -> ServiceLevel:
    spoken = STARTED if isinstance(level, RawOwnCommand) else RUNNING
    held_to = held_to_of(source, at, system, service, level, spoken)
    if isinstance(level, RawOwnCommand):
        choice: ServiceChoice = command_of(source, at, service.service, level, held_to)
    else:
        choice = address_of(source, at, service, level, raw.allow_target, held_to)
        if len(system.services) > 1:
            raise source.error(
                (*at, "url"),
                f"stands for a whole system, and {system.system} has {len(system.services)} services",
                "give its command, so that it is started with the others",
            )
        if service.service in raw.limits:
            raise source.error(
                (*at, "url"),
                f"limits.{service.service} cannot hold what is running already",
                "take the limits out, or give its command",
            )
    return ServiceLevel(choice, level.label, dict.fromkeys(service.legs, spoken), held_to)


def _revision(
    source: YamlFile,
    at: KeyPath,
    system: System,
    service: Service,
    catalogue: Catalogue,
    level: RawRevision,
) -> ServiceLevel:
    names = catalogue.stack_names(system.system, service.service)
    name = level.stack or (names[0] if len(names) == 1 else None)
    if name is None:
        raise source.error(
            (*at, "git"),
            f"does not say which stack of {system.system}/{service.service} is built",
            f"add `stack`, one of: {', '.join(names) or 'none'}",
        )
    if name not in names:
        raise _unknown(source, (*at, "stack"), system, service, name, names)
    try:
        stack = catalogue.stack_at(system, service.service, name, level.git)
    except (GitFailed, WrongValueError) as error:
        raise source.error((*at, "git"), error.message, error.remedy) from None
    choice = _choice(source, (*at, "runtime"), service, stack, level.runtime, level.label)
    choice = choice.model_copy(update={"revision": level.git})
    spoken = stack.on(choice.runtime).protocols
    return ServiceLevel(choice, level.label, spoken, stack.held_to, stack)


def _stack(
    source: YamlFile, at: KeyPath, service: Service, level: str | RawChoice, stack: Stack
) -> ServiceLevel:
    name, runtime, label = _typed(level)
    at_runtime = at if isinstance(level, str) else (*at, "runtime")
    choice = _choice(source, at_runtime, service, stack, runtime, label)
    return ServiceLevel(choice, name, stack.on(choice.runtime).protocols, stack.held_to, stack)


def _choice(
    source: YamlFile, at: KeyPath, service: Service, stack: Stack, runtime: str | None, label: str
) -> StackChoice:
    if runtime is not None and runtime not in stack.runtimes:
        raise source.error(
            at,
            f"{runtime} is not a runtime of the stack {stack.stack}",
            suggestion(runtime, stack.runtimes),
        )
    return StackChoice(
        service=service.service,
        label=label,
        stack=stack.stack,
        runtime=runtime or stack.runtimes[0],
    )


def _unknown(
    source: YamlFile,
    at: KeyPath,
    system: System,
    service: Service,
    name: str,
    names: tuple[str, ...],
) -> InputError:
    return source.error(
        at, f"{name} is not a stack of {system.system}/{service.service}", suggestion(name, names)
    )


def _typed(level: str | RawChoice) -> tuple[str, str | None, str]:
    """Stack, runtime and label. A runtime that the text names is part of its label."""
    if isinstance(level, RawChoice):
        return level.stack, level.runtime, level.label
    stack, at_sign, runtime = level.partition("@")
    return stack, runtime if at_sign else None, f"{stack}-{runtime}" if at_sign else stack
