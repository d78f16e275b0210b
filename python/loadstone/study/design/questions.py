"""The questions of a study's file, checked against its arms and the catalogue of metrics."""

from collections.abc import Mapping, Sequence

from loadstone.metrics.catalogue import COMPARED, metric
from loadstone.study.design.arms import compared, varying
from loadstone.study.design.pruning import groups_in, has_part, operations_in
from loadstone.study.files.study_file import RawQuestion, RawStudy
from loadstone.study.files.yaml_file import KeyPath, YamlFile
from loadstone.study.values.model import AnyWorkload, Arm, Question
from loadstone.text.quoted import suggestion


def questions_of(
    source: YamlFile, raw: RawStudy, arms: Sequence[Arm], loads: Sequence[AnyWorkload]
) -> tuple[Question, ...]:
    """What the study must answer. Raises InputError for a question that no run could answer."""
    questions: list[Question] = []
    for position, each in enumerate(raw.questions):
        at: KeyPath = ("questions", position)
        text = " ".join(each.question.split())
        if text in [earlier.question for earlier in questions]:
            raise source.error((*at, "question"), "is asked twice", "keep one of the two")
        where = {
            factor: typed if isinstance(typed, str) else tuple(typed)
            for factor, typed in each.where.items()
        }
        about = _asked_of(source, (*at, "where"), where, arms)
        _judge_factor(source, (*at, "compare"), each.compare, about)
        _judge_list(source, (*at, "metrics"), each.metrics, COMPARED)
        workloads = _workloads(source, at, each, about, loads)
        _judge_cells(source, at, each.compare, about, workloads)
        questions.append(
            Question(
                question=text,
                compare=each.compare,
                metrics=tuple(each.metrics),
                margin=each.margin,
                workloads=workloads,
                where=where,
                operation=each.operation,
                group=each.group,
            )
        )
    return tuple(questions)


def _asked_of(
    source: YamlFile,
    at: KeyPath,
    where: Mapping[str, str | tuple[str, ...]],
    arms: Sequence[Arm],
) -> Sequence[Arm]:
    found = arms
    for factor, typed in where.items():
        levels = tuple(dict.fromkeys(arm.factors.get(factor, "") for arm in arms))
        if factor not in arms[0].factors:
            raise source.error(
                (*at, factor),
                "is not a factor of this study",
                suggestion(factor, [*arms[0].factors]),
            )
        wanted = (typed,) if isinstance(typed, str) else typed
        for level in wanted:
            if level not in levels:
                raise source.error(
                    (*at, factor), f"{level} is not a level of {factor}", suggestion(level, levels)
                )
        found = [arm for arm in found if arm.factors[factor] in wanted]
    if not found:
        raise source.error(at, "no arm has all of these", "take one of them out")
    return found


def _judge_cells(
    source: YamlFile, at: KeyPath, factor: str, arms: Sequence[Arm], workloads: Sequence[str]
) -> None:
    """Refuse a workload under which no two of the arms are run that differ in the factor alone."""
    for workload in workloads:
        under = [arm.factors for arm in arms if arm.is_under(workload)]
        if not compared(under, factor):
            raise source.error(
                (*at, "workloads"),
                f"under {workload} no two arms are run that differ in {factor} alone",
                "name the workloads that it is asked of, or exclude less",
            )


def _judge_factor(source: YamlFile, at: KeyPath, factor: str, arms: Sequence[Arm]) -> None:
    combinations = [arm.factors for arm in arms]
    if factor not in combinations[0]:
        raise source.error(
            at, f"{factor} is not a factor of this study", suggestion(factor, list(combinations[0]))
        )
    if factor not in varying(combinations):
        raise source.error(
            at,
            f"{factor} has one level, {combinations[0][factor]}: there is nothing to compare",
            "list a second level in arms, or compare another factor",
        )
    if not compared(combinations, factor):
        raise source.error(
            at,
            f"no two arms differ in {factor} alone",
            "exclude fewer arms, so that a difference has one cause",
        )


def _judge_list(source: YamlFile, at: KeyPath, typed: Sequence[str], known: Sequence[str]) -> None:
    for position, name in enumerate(typed):
        if name not in known:
            raise source.error(
                (*at, position), f"{name} is not known here", suggestion(name, list(known))
            )
        if name in typed[:position]:
            raise source.error((*at, position), f"{name} is there twice", "keep one of the two")


def _workloads(
    source: YamlFile,
    at: KeyPath,
    raw: RawQuestion,
    about: Sequence[Arm],
    loads: Sequence[AnyWorkload],
) -> tuple[str, ...]:
    """Those that are named, else all that measure what is asked for."""
    if raw.workloads is not None:
        _judge_list(source, (*at, "workloads"), raw.workloads, [each.workload for each in loads])
    if raw.operation is not None:
        known = [operation for load in loads for operation in operations_in(load)]
        _judge_list(source, (*at, "operation"), [raw.operation], known)
    if raw.group is not None:
        groups = [group for load in loads for group in groups_in(load)]
        _judge_list(source, (*at, "group"), [raw.group], groups)
    chosen = []
    for each in loads:
        if raw.workloads is not None and each.workload not in raw.workloads:
            continue
        if not has_part(each, raw.group, raw.operation):
            continue
        if raw.workloads is None and not any(arm.is_under(each.workload) for arm in about):
            continue
        missing = [name for name in raw.metrics if each.kind not in metric(name).kinds]
        if not missing:
            chosen.append(each.workload)
        elif raw.workloads is not None:
            raise source.error(
                (*at, "metrics", raw.metrics.index(missing[0])),
                f"{missing[0]} is not measured under {each.workload}, which is of kind {each.kind}",
                f"ask it of workloads of kind {' or '.join(metric(missing[0]).kinds)}",
            )
    if not chosen:
        raise source.error(
            (*at, "metrics"),
            "no workload of this study measures all of these",
            "ask one question for each kind of workload",
        )
    return tuple(chosen)
