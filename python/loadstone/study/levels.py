"""The arms of a study's file: what each level means, and whether its stacks can do it."""

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

from loadstone.study.arms import Combination, arm_ids, cross, matches
from loadstone.study.catalogue import Catalogue
from loadstone.study.manifest import Service, Stack, System
from loadstone.study.model import PAGE_CACHE, Arm, PageCache, Protocol, ServiceChoice
from loadstone.study.raw import suggestion
from loadstone.study.study_file import RawChoice, RawStudy
from loadstone.study.yaml_source import KeyPath, Source

_PAGE_CACHES: dict[str, PageCache] = {"warm": "warm", "cold": "cold"}

MOST_ARMS = 1000
"""A full cross product of this size already takes hours a block."""


class _Choice(NamedTuple):
    choice: ServiceChoice
    stack: Stack


def arms_of(source: Source, raw: RawStudy, system: System, catalogue: Catalogue) -> tuple[Arm, ...]:
    """The arms that are left after `only` and `except`. Raises InputError."""
    _judge_factors(source, raw, system)
    casts = {name: _cast(source, raw, system, name, catalogue) for name in system.names}
    factors = {
        factor: list(casts[factor]) if factor in casts else _texts(source, raw, factor)
        for factor in raw.arms
    }
    for name, cast in casts.items():
        _judge_protocols(source, system.service(name), factors, cast)
    number = prod(len(levels) for levels in factors.values())
    if number > MOST_ARMS:
        raise source.error(
            ("arms",), f"has {number} arms, more than {MOST_ARMS}", "list fewer levels"
        )
    combinations = _pruned(source, raw, factors)
    for name, cast in casts.items():
        _judge_pairs(source, system.service(name), combinations, cast)
    ids = arm_ids(combinations, system.entry)
    if len(set(ids)) < len(ids):
        twice = next(each for each in ids if ids.count(each) > 1)
        raise source.error(
            ("arms",), f"two arms have the id {twice}", "choose labels that cannot be mixed up"
        )
    return tuple(
        Arm(
            id=arm_id,
            factors=combination,
            services=tuple(cast[combination[name]].choice for name, cast in casts.items()),
            legs={leg: Protocol(combination[leg]) for leg in system.legs},
            page_cache=_PAGE_CACHES.get(combination.get(PAGE_CACHE, "")),
        )
        for arm_id, combination in zip(ids, combinations, strict=True)
    )


def _judge_factors(source: Source, raw: RawStudy, system: System) -> None:
    known = (*system.names, *system.legs)
    for factor in raw.arms:
        if factor == PAGE_CACHE:
            _judge_page_caches(source, _texts(source, raw, factor))
        elif factor not in known:
            raise source.error(
                ("arms", factor),
                "is not a factor of the system",
                suggestion(factor, (*known, PAGE_CACHE)),
            )
    for factor in known:
        if factor not in raw.arms:
            what = "a stack" if factor in system.names else "h1c"
            raise source.error(
                ("arms",), f"the factor {factor} is missing", f"add `{factor}: [{what}]`"
            )


def _judge_page_caches(source: Source, levels: list[str]) -> None:
    for position, level in enumerate(levels):
        if level not in _PAGE_CACHES:
            raise source.error(
                ("arms", PAGE_CACHE, position),
                f"{level} is not a state of the page cache",
                suggestion(level, tuple(_PAGE_CACHES)),
            )


def _cast(
    source: Source, raw: RawStudy, system: System, service: str, catalogue: Catalogue
) -> dict[str, _Choice]:
    """What may stand for a service, by label and in file order; reads each stack once."""
    names = catalogue.stack_names(system.system, service)
    stacks: dict[str, Stack] = {}
    choices: dict[str, _Choice] = {}
    for position, level in enumerate(raw.arms[service]):
        at: KeyPath = ("arms", service, position)
        name, runtime, label = _typed(level)
        if name not in names:
            at_stack = at if isinstance(level, str) else (*at, "stack")
            raise source.error(
                at_stack,
                f"{name} is not a stack of {system.system}/{service}",
                suggestion(name, names),
            )
        if name not in stacks:
            stacks[name] = catalogue.stack(system.system, service, name)
        runtimes = stacks[name].runtimes
        if runtime is not None and runtime not in runtimes:
            at_runtime = at if isinstance(level, str) else (*at, "runtime")
            raise source.error(
                at_runtime,
                f"{runtime} is not a runtime of the stack {name}",
                suggestion(runtime, runtimes),
            )
        if label in choices:
            raise source.error(
                at if isinstance(level, str) else (*at, "label"),
                f"the label {label} is there twice",
                f"label one of them: {{stack: {name}, label: {name}-again}}",
            )
        choice = ServiceChoice(
            service=service, label=label, stack=name, runtime=runtime or runtimes[0]
        )
        choices[label] = _Choice(choice, stacks[name])
    return choices


def _typed(level: str | RawChoice) -> tuple[str, str | None, str]:
    """Stack, runtime and label. A runtime that the text names is part of its label."""
    if isinstance(level, RawChoice):
        return level.stack, level.runtime, level.label
    stack, at_sign, runtime = level.partition("@")
    return stack, runtime if at_sign else None, f"{stack}-{runtime}" if at_sign else stack


def _texts(source: Source, raw: RawStudy, leg: str) -> list[str]:
    levels: list[str] = []
    for position, level in enumerate(raw.arms[leg]):
        at = ("arms", leg, position)
        if not isinstance(level, str):
            raise source.error(at, "must be a word, not a mapping", "write h1c, for example")
        if level in levels:
            raise source.error(at, f"{level} is there twice", "keep one of the two")
        levels.append(level)
    return levels


def _judge_protocols(
    source: Source, service: Service, factors: dict[str, list[str]], cast: dict[str, _Choice]
) -> None:
    """Refuse a protocol that no stack of the study speaks on that leg."""
    stacks = [each.stack for each in cast.values()]
    for leg in service.legs:
        for position, level in enumerate(factors[leg]):
            if not any(level in stack.protocols[leg] for stack in stacks):
                raise source.error(
                    ("arms", leg, position),
                    f"no stack of this study speaks {level!r} on the {leg} leg",
                    _speaks(stacks, leg),
                )


def _judge_pairs(
    source: Source, service: Service, combinations: list[Combination], cast: dict[str, _Choice]
) -> None:
    """Refuse an arm whose stack does not speak what the arm wants of it."""
    for combination in combinations:
        label = combination[service.service]
        for leg in service.legs:
            if combination[leg] not in cast[label].stack.protocols[leg]:
                raise source.error(
                    ("arms", leg),
                    f"{label} does not speak {combination[leg]} on the {leg} leg",
                    f"{_speaks([cast[label].stack], leg)}; prune with "
                    f"`except: [{{{service.service}: {label}, {leg}: {combination[leg]}}}]`",
                )


def _speaks(stacks: Iterable[Stack], leg: str) -> str:
    texts = [f"{stack.stack} speaks {', '.join(stack.protocols[leg])}" for stack in stacks]
    return "; ".join(dict.fromkeys(texts))


def _pruned(source: Source, raw: RawStudy, factors: dict[str, list[str]]) -> list[Combination]:
    combinations = list(cross(factors))
    for key, partials in (("only", raw.only), ("except", raw.except_)):
        if partials is None:
            continue
        for position, partial in enumerate(partials):
            _judge_partial(source, (key, position), partial, factors)
        keep = key == "only"
        combinations = [
            combination
            for combination in combinations
            if any(matches(combination, partial) for partial in partials) is keep
        ]
        if not combinations:
            raise source.error((key,), "leaves no arm", "exclude less")
    return combinations


def _judge_partial(
    source: Source, at: KeyPath, partial: dict[str, str], factors: dict[str, list[str]]
) -> None:
    if not partial:
        raise source.error(at, "names no factor", "write a factor and a level, or take it out")
    for factor, level in partial.items():
        if factor not in factors:
            raise source.error(
                (*at, factor), "is not a factor of this study", suggestion(factor, list(factors))
            )
        if level not in factors[factor]:
            raise source.error(
                (*at, factor),
                f"{level} is not a level of {factor}",
                suggestion(level, factors[factor]),
            )
