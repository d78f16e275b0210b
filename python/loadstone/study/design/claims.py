"""The claims of a study's file, checked against its arms, workloads and the catalogue of metrics."""

from collections.abc import Sequence

from loadstone.metrics.catalogue import COMPARED, metric
from loadstone.study.design.arms import matches
from loadstone.study.design.pruning import has_part
from loadstone.study.files.claim_file import RawClaim
from loadstone.study.files.study_file import RawStudy
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.claim import Claim
from loadstone.study.values.model import AnyWorkload, Arm
from loadstone.text.quoted import suggestion
from loadstone.text.words import counted


def claims_of(
    source: YamlFile, raw: RawStudy, arms: Sequence[Arm], loads: Sequence[AnyWorkload]
) -> tuple[Claim, ...]:
    """What the study holds against its figures. Raises InputError for what no run could answer."""
    found: list[Claim] = []
    for position, each in enumerate(raw.claims):
        at: KeyPath = ("claims", position)
        text = " ".join(each.claim.split())
        if text in [earlier.claim for earlier in found]:
            raise source.error((*at, "claim"), "is there twice", "keep one of the two")
        load = _workload(source, at, each, loads)
        _judge_metric(source, (*at, "metric"), each.metric, load)
        under = [arm for arm in arms if arm.is_under(load.workload)]
        of = _arm(source, (*at, "of"), each.of, under, load)
        against = _arm(source, (*at, "against"), each.against, under, load)
        if of == against:
            raise source.error((*at, "against"), "is the arm of `of`", "name another arm")
        found.append(
            Claim(
                claim=text,
                source="" if each.source is None else " ".join(each.source.split()),
                of=of.id,
                against=against.id,
                says=each.says,
                metric=each.metric,
                margin=each.margin,
                published_ratio=each.published_ratio,
                workload=load.workload,
                operation=each.operation,
                group=each.group,
            )
        )
    return tuple(found)


def _workload(
    source: YamlFile, at: KeyPath, raw: RawClaim, loads: Sequence[AnyWorkload]
) -> AnyWorkload:
    names = [each.workload for each in loads]
    if raw.workload is None and len(loads) > 1:
        raise source.error(
            at, "does not say which workload it is about", f"add workload: {' or '.join(names)}"
        )
    name = names[0] if raw.workload is None else raw.workload
    load = next((each for each in loads if each.workload == name), None)
    if load is None:
        raise source.error(
            (*at, "workload"), f"{name} is not a workload of this study", suggestion(name, names)
        )
    if not has_part(load, raw.group, raw.operation):
        key = "operation" if raw.operation is not None else "group"
        raise source.error(
            (*at, key), f"is no part of {load.workload}", "name one that it has, or leave it out"
        )
    return load


def _judge_metric(source: YamlFile, at: KeyPath, name: str, load: AnyWorkload) -> None:
    if name not in COMPARED:
        raise source.error(at, f"{name} is not known here", suggestion(name, list(COMPARED)))
    kinds = metric(name).kinds
    if load.kind not in kinds:
        raise source.error(
            at,
            f"{name} is not measured under {load.workload}, which is of kind {load.kind}",
            f"name a workload of kind {' or '.join(kinds)}",
        )


def _arm(
    source: YamlFile, at: KeyPath, typed: dict[str, str], arms: Sequence[Arm], load: AnyWorkload
) -> Arm:
    for factor, level in typed.items():
        known = dict.fromkeys(arm.factors.get(factor, "") for arm in arms)
        if not arms or factor not in arms[0].factors:
            factors = [*arms[0].factors] if arms else []
            raise source.error(
                (*at, factor), "is not a factor of this study", suggestion(factor, factors)
            )
        if level not in known:
            raise source.error(
                (*at, factor),
                f"{level} is not a level of {factor} under {load.workload}",
                suggestion(level, [*known]),
            )
    found = [arm for arm in arms if matches(arm.factors, typed)]
    if len(found) != 1:
        names = ", ".join(arm.id for arm in found)
        raise source.error(
            at,
            f"{counted(len(found), 'arm')} under {load.workload} have all of these"
            + (f": {names}" if found else ""),
            "add the levels that tell one arm from the others" if found else "take one of them out",
        )
    return found[0]
