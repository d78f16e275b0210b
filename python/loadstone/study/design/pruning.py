"""Which arms are run, and under which workloads: `only` and `except` of a study and of a profile."""

from collections.abc import Mapping, Sequence

from loadstone.study.design.arms import Combination, cross
from loadstone.study.files.study_file import RawStudy
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.model import OPERATION, WORKLOAD, AnyWorkload, StartupWorkload
from loadstone.text.quoted import suggestion

Kept = tuple[Combination, tuple[str, ...]]
"""An arm's levels, and the workloads that it is run under."""


Partial = Mapping[str, tuple[str, ...]]
"""Factor to levels of which an arm has one."""


def partials_of(
    typed: Sequence[Mapping[str, str | list[str]]],
) -> tuple[dict[str, tuple[str, ...]], ...]:
    """Return the maps of `only` or `except` as they are meant."""
    return tuple(
        {
            factor: (levels,) if isinstance(levels, str) else tuple(levels)
            for factor, levels in each.items()
        }
        for each in typed
    )


def pruned(
    source: YamlFile,
    raw: RawStudy,
    factors: Mapping[str, Sequence[str]],
    loads: Sequence[AnyWorkload],
) -> list[Kept]:
    """Return the arms that are left, each with the workloads that are left of it. Raises InputError."""
    known = with_workloads(factors, loads)
    kept = [(combination, tuple(raw.workloads)) for combination in cross(factors)]
    for key, typed in (("only", raw.only), ("except", raw.except_)):
        if typed is None:
            continue
        partials = partials_of(typed)
        for position, partial in enumerate(partials):
            judge_partial(source, (key, position), partial, known)
        keep = key == "only"
        kept = [
            (combination, left)
            for combination, workloads in kept
            if (
                left := left_of(
                    combination,
                    [each for each in loads if each.workload in workloads],
                    partials,
                    keep=keep,
                )
            )
        ]
        if not kept:
            raise source.error((key,), "leaves no arm", "exclude less")
    for position, workload in enumerate(raw.workloads):
        if not any(workload in workloads for _, workloads in kept):
            raise source.error(
                ("workloads", position),
                f"no arm is left under {workload}",
                "take it out, or exclude less",
            )
    return kept


def with_workloads(
    factors: Mapping[str, Sequence[str]], loads: Sequence[AnyWorkload]
) -> dict[str, Sequence[str]]:
    """Return the factors with what a map may name besides: workloads and their operations."""
    return {
        **factors,
        WORKLOAD: [load.workload for load in loads],
        OPERATION: [operation for load in loads for operation in operations_in(load)],
    }


def left_of(
    combination: Mapping[str, str],
    loads: Sequence[AnyWorkload],
    partials: Sequence[Partial],
    *,
    keep: bool,
) -> tuple[str, ...]:
    """Return the workloads that are left of an arm where the maps are those to keep, or to drop."""
    return tuple(
        load.workload
        for load in loads
        if any(_fits(combination, load, partial) for partial in partials) is keep
    )


def judge_partial(
    source: YamlFile, at: KeyPath, partial: Partial, factors: Mapping[str, Sequence[str]]
) -> None:
    """Refuse a map that names no factor, or one that is not there. Raises InputError."""
    if not partial:
        raise source.error(at, "names no factor", "write a factor and a level, or take it out")
    for factor, levels in partial.items():
        if factor not in factors:
            raise source.error(
                (*at, factor), "is not a factor of this study", suggestion(factor, list(factors))
            )
        for level in levels:
            if level not in factors[factor]:
                raise source.error(
                    (*at, factor),
                    f"{level} is not a level of {factor}",
                    suggestion(level, tuple(factors[factor])),
                )


def _fits(combination: Mapping[str, str], load: AnyWorkload, partial: Partial) -> bool:
    levels: dict[str, tuple[str, ...]] = {each: (level,) for each, level in combination.items()}
    levels |= {WORKLOAD: (load.workload,), OPERATION: operations_in(load)}
    return all(set(levels[factor]) & set(wanted) for factor, wanted in partial.items())


def operations_in(load: AnyWorkload) -> tuple[str, ...]:
    """Return the operations of a workload's session; a start has none."""
    if isinstance(load, StartupWorkload):
        return ()
    return tuple(operation.operation for operation in load.session)


def groups_in(load: AnyWorkload) -> tuple[str, ...]:
    """Return the groups of a workload; a start has none."""
    return () if isinstance(load, StartupWorkload) else tuple(each.group for each in load.groups)


def has_part(load: AnyWorkload, group: str | None, operation: str | None) -> bool:
    """Whether a workload has a group and an operation, the one in the other; none: any."""
    if group is None and operation is None:
        return True
    if isinstance(load, StartupWorkload):
        return False
    return any(
        group in (None, each.group)
        and (operation is None or operation in [send.operation for send in each.operations])
        for each in load.groups
    )
