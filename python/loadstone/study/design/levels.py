"""The arms of a study's file: what each level means, and whether its services can do it."""

from collections.abc import Iterable, Mapping, Sequence
from math import prod

from loadstone.study.design.arms import Combination, arm_ids
from loadstone.study.design.pruning import Kept, pruned
from loadstone.study.design.service_levels import ServiceLevel, service_levels
from loadstone.study.files.study_file import RawStudy
from loadstone.study.files.yaml_file import YamlFile
from loadstone.study.systems.catalogue import Catalogue
from loadstone.study.values.manifest import Service, System
from loadstone.study.values.model import PAGE_CACHE, WORKLOAD, AnyWorkload, Arm, PageCache, Protocol
from loadstone.text.quoted import suggestion

_PAGE_CACHES: dict[str, PageCache] = {"warm": "warm", "cold": "cold"}

MOST_ARMS = 1000
"""A full cross product of this size already takes hours a block."""


Casts = Mapping[str, dict[str, ServiceLevel]]
"""The levels of each service, by label."""


def casts_of(source: YamlFile, raw: RawStudy, system: System, catalogue: Catalogue) -> Casts:
    """Return what may stand for each service of a system. Raises InputError."""
    _judge_factors(source, raw, system)
    return {
        name: service_levels(source, raw, system, system.service(name), catalogue)
        for name in system.names
    }


def arms_of(
    source: YamlFile, raw: RawStudy, system: System, casts: Casts, loads: Sequence[AnyWorkload]
) -> tuple[Arm, ...]:
    """The arms that are left after `only` and `except`; `loads` are the study's. Raises InputError."""
    factors = {
        factor: list(casts[factor]) if factor in casts else _texts(source, raw, factor)
        for factor in raw.arms
    }
    for name, levels in casts.items():
        _judge_protocols(source, system.service(name), factors, levels)
    number = prod(len(each) for each in factors.values())
    if number > MOST_ARMS:
        raise source.error(
            ("arms",), f"has {number} arms, more than {MOST_ARMS}", "list fewer levels"
        )
    kept = pruned(source, raw, factors, loads)
    combinations = [combination for combination, _ in kept]
    for name, levels in casts.items():
        _judge_pairs(source, system.service(name), combinations, levels)
        _judge_operations(source, system.service(name), kept, levels, loads)
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
            settings=system.chosen(combination),
            bench_services=system.bench_services,
            page_cache=_PAGE_CACHES.get(combination.get(PAGE_CACHE, "")),
            workloads=workloads if len(workloads) < len(raw.workloads) else None,
        )
        for arm_id, (combination, workloads) in zip(ids, kept, strict=True)
    )


def _judge_factors(source: YamlFile, raw: RawStudy, system: System) -> None:
    needed = (*system.names, *system.legs)
    levels = {PAGE_CACHE: tuple(_PAGE_CACHES)} | {
        each.name: each.levels for each in system.settings
    }
    for factor in raw.arms:
        if factor in levels:
            _judge_levels(source, raw, factor, levels[factor])
        elif factor not in needed:
            raise source.error(
                ("arms", factor),
                f"is not a factor of {system.name}",
                suggestion(factor, (*needed, *levels)),
            )
    for factor in needed:
        if factor not in raw.arms:
            what = "a stack" if factor in system.names else "h1c"
            raise source.error(
                ("arms",), f"the factor {factor} is missing", f"add `{factor}: [{what}]`"
            )


def _judge_levels(source: YamlFile, raw: RawStudy, factor: str, known: tuple[str, ...]) -> None:
    for position, level in enumerate(_texts(source, raw, factor)):
        if level not in known:
            raise source.error(
                ("arms", factor, position),
                f"{level} is not a level of {factor}",
                suggestion(level, known),
            )


def _texts(source: YamlFile, raw: RawStudy, factor: str) -> list[str]:
    levels: list[str] = []
    for position, level in enumerate(raw.arms[factor]):
        at = ("arms", factor, position)
        if not isinstance(level, str):
            raise source.error(at, "must be a word, not a mapping", "write the level alone")
        if level in levels:
            raise source.error(at, f"{level} is there twice", "keep one of the two")
        levels.append(level)
    return levels


def _judge_protocols(
    source: YamlFile,
    service: Service,
    factors: dict[str, list[str]],
    levels: dict[str, ServiceLevel],
) -> None:
    """Refuse a protocol that nothing in the study speaks on that leg."""
    for leg in service.legs:
        for position, level in enumerate(factors[leg]):
            if not any(level in each.protocols[leg] for each in levels.values()):
                raise source.error(
                    ("arms", leg, position),
                    f"no service of this study speaks {level!r} on the {leg} leg",
                    _speaks(levels.values(), leg),
                )


def _judge_pairs(
    source: YamlFile,
    service: Service,
    combinations: list[Combination],
    levels: dict[str, ServiceLevel],
) -> None:
    """Refuse an arm whose service does not speak what the arm wants of it."""
    for combination in combinations:
        label = combination[service.service]
        for leg in service.legs:
            if combination[leg] not in levels[label].protocols[leg]:
                raise source.error(
                    ("arms", leg),
                    f"{label} does not speak {combination[leg]} on the {leg} leg",
                    f"{_speaks([levels[label]], leg)}; prune with "
                    f"`except: [{{{service.service}: {label}, {leg}: {combination[leg]}}}]`",
                )


def _speaks(levels: Iterable[ServiceLevel], leg: str) -> str:
    texts = [f"{each.name} speaks {', '.join(each.protocols[leg])}" for each in levels]
    return "; ".join(dict.fromkeys(texts))


def _judge_operations(
    source: YamlFile,
    service: Service,
    kept: list[Kept],
    levels: dict[str, ServiceLevel],
    loads: Sequence[AnyWorkload],
) -> None:
    """Refuse a workload with an operation that the arm's service does not have."""
    for combination, workloads in kept:
        label = combination[service.service]
        known = levels[label].operations
        for load in loads:
            if known is None or load.workload not in workloads or load.kind == "startup":
                continue
            first = (send.operation for send in load.first)
            for operation in (*first, *(each.operation for each in load.session)):
                if operation not in known:
                    raise source.error(
                        ("workloads",),
                        f"{label} does not have the operation {operation} of {load.workload}",
                        f"prune with `except: [{{{service.service}: {label}, "
                        f"{WORKLOAD}: {load.workload}}}]`",
                    )
