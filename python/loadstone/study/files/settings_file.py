"""The settings of a system's file: factors of its own, whose levels are handed over or seeded, or say
how many instances a service has.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Annotated

from pydantic import Field

from loadstone.study.files.raw import Name, Raw
from loadstone.study.files.variable_name import judge_variable_name
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.dependency import WITHOUT_DATA
from loadstone.study.values.manifest import (
    LAB_VARIABLES,
    RESERVED,
    SEED,
    SEED_LEVELS,
    Setting,
    System,
    joined_levels,
    protocol_variable,
)
from loadstone.text.quoted import suggestion

MOST_INSTANCES = 16
"""Of a service: on one machine more share its CPUs with each other, and are no more parallel."""


class RawSetting(Raw):
    """A factor of the system's own. `variable`, `seed` and `instances` say what its levels do."""

    levels: Annotated[list[Name], Field(min_length=1)]
    """Its levels. The first holds where a study does not name the setting."""
    variable: Annotated[dict[Name, str], Field(min_length=1)] | None = None
    """Service to the environment variable that has the level: `{gateway: STRATEGY}`."""
    seed: Name | None = None
    """The dependency whose data is brought to the level: `seed/<dependency>/levels/` has a file for
    each, named by it. Where several settings seed one, the names of their levels are joined in order:
    `large-10.sql`."""
    instances: Name | None = None
    """The service that has so many processes, each on a port and under limits of its own. Levels are
    whole numbers from 1 to 16."""


def settings_of(
    source: YamlFile, typed: Mapping[str, RawSetting], system: System
) -> tuple[Setting, ...]:
    """Return the settings in file order. Raises InputError."""
    found: list[Setting] = []
    for name, each in typed.items():
        at: KeyPath = ("settings", name)
        _judge_name(source, at, name, system)
        if each.variable is None and each.seed is None and each.instances is None:
            raise source.error(
                at,
                "has neither variable nor seed nor instances",
                "say which service is told its level, whose data is brought to it, or which service "
                "has so many processes",
            )
        for position, level in enumerate(each.levels):
            if level in each.levels[:position]:
                raise source.error(
                    (*at, "levels", position), f"{level} is there twice", "keep one of the two"
                )
        for service, variable in (each.variable or {}).items():
            _judge_variable(source, (*at, "variable", service), service, variable, system, found)
        if each.seed is not None:
            _judge_seed(source, at, each.seed, system)
        if each.instances is not None:
            _judge_instances(source, at, each.instances, each.levels, system, found)
        found.append(
            Setting(
                name=name,
                levels=tuple(each.levels),
                variables=each.variable or {},
                seed=each.seed,
                instances=each.instances,
            )
        )
    for dependency in dict.fromkeys(each.seed for each in found if each.seed is not None):
        _judge_files(
            source, dependency, [each for each in found if each.seed == dependency], system
        )
    return tuple(found)


def _judge_name(source: YamlFile, at: KeyPath, name: str, system: System) -> None:
    taken = {
        **dict.fromkeys(RESERVED, "a name of the lab's own"),
        **dict.fromkeys(system.dependencies, "the name of a dependency, too"),
        **dict.fromkeys(system.legs, "the name of a leg, too"),
        **dict.fromkeys(system.names, "the name of a service, too"),
    }
    if name in taken:
        raise source.error(at, f"is {taken[name]}", "choose another name")


def _judge_variable(
    source: YamlFile,
    at: KeyPath,
    service: str,
    variable: str,
    system: System,
    before: list[Setting],
) -> None:
    if service not in system.names:
        raise source.error(at, f"{service} is not a service", suggestion(service, system.names))
    judge_variable_name(source, at, variable)
    legs = system.service(service).legs
    known = {
        **dict.fromkeys(LAB_VARIABLES, "which the lab itself gives to services"),
        **{protocol_variable(leg): f"by which it is told what {leg} speaks" for leg in legs},
        **dict.fromkeys(system.service(service).variables, "which is among its variables"),
        **{
            each.variables[service]: f"which it has of the setting {each.name}"
            for each in before
            if service in each.variables
        },
    }
    if variable in known:
        raise source.error(at, f"is {variable}, {known[variable]}", "choose another variable")


def _judge_seed(source: YamlFile, at: KeyPath, dependency: str, system: System) -> None:
    if dependency not in system.dependencies:
        raise source.error(
            (*at, "seed"),
            f"{dependency} is not a dependency",
            suggestion(dependency, list(system.dependencies)),
        )
    kind = system.dependencies[dependency]
    if kind in WITHOUT_DATA:
        raise source.error(
            (*at, "seed"),
            f"{dependency} is of kind {kind}, which keeps no data",
            "name a dependency that does, or tell a service the level by variable",
        )
    if kind == "command":
        raise source.error(
            (*at, "seed"),
            f"{dependency} is of kind {kind}, whose seed is a command and has no levels",
            "tell a service the level by variable",
        )


def _judge_instances(
    source: YamlFile,
    at: KeyPath,
    service: str,
    levels: Sequence[str],
    system: System,
    before: list[Setting],
) -> None:
    others = [name for name in system.names if name != system.entry]
    if service == system.entry:
        raise source.error(
            (*at, "instances"),
            f"{service} is the entry, which is called at one address",
            "name a service that another one needs",
        )
    if service not in others:
        raise source.error(
            (*at, "instances"), f"{service} is not a service", suggestion(service, others)
        )
    for each in before:
        if each.instances == service:
            raise source.error(
                (*at, "instances"),
                f"{service} has as many instances as the setting {each.name} says",
                "keep one of the two",
            )
    for position, level in enumerate(levels):
        if not re.fullmatch("[1-9][0-9]*", level) or int(level) > MOST_INSTANCES:
            raise source.error(
                (*at, "levels", position),
                f"{level} is no number of instances",
                f"write a whole number from 1 to {MOST_INSTANCES}",
            )


def _judge_files(
    source: YamlFile, dependency: str, settings: Sequence[Setting], system: System
) -> None:
    """Each choice of levels of the settings that seed a dependency has a file, such as `large-10`."""
    there = {path.stem for path in system.seed_levels_of(dependency)}
    *others, last = settings
    for position, level in enumerate(last.levels):
        for chosen in product(*(each.levels for each in others)):
            name = joined_levels((*chosen, level))
            if name not in there:
                raise source.error(
                    ("settings", last.name, "levels", position),
                    f"there is no file {SEED}/{dependency}/{SEED_LEVELS}/{name}.*",
                    "write it, so that the data can be brought to this level",
                )
